"""libtrikal-log by ctypes: what a Python program without bindings writes, declared from trikal.h."""

import ctypes as c

import pyarrow

NO_OFFSET = 2**64 - 1
I64, U64, F64, TEXT, UUID = range(5)


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("system_errno", c.c_int32), ("offset", c.c_uint64), ("text", c.c_char * 240)]


class Options(c.Structure):
    _fields_ = [("flags", c.c_uint64), ("memory_limit", c.c_uint64), ("expanded_limit", c.c_uint64)]


class Module(c.Structure):
    _fields_ = [("id", c.c_uint32), ("version", c.c_uint32), ("partial", c.c_uint32), ("readable", c.c_uint32),
                ("compressed_bytes", c.c_uint64), ("name", c.c_char_p), ("help", c.c_char_p)]


class Value(c.Structure):
    _fields_ = [("name", c.c_char_p), ("unit", c.c_char_p), ("help", c.c_char_p), ("kind", c.c_uint32),
                ("offset", c.c_uint32), ("bytes", c.c_uint32), ("reserved", c.c_uint32)]


class Record(c.Structure):
    _fields_ = [("id", c.c_uint64), ("rank", c.c_int64), ("bytes", c.c_void_p), ("size", c.c_uint64),
                ("items", c.c_void_p), ("items_size", c.c_uint64), ("first_item", c.c_uint64), ("last", c.c_uint32),
                ("described", c.c_uint32)]


class Table(c.Structure):
    _fields_ = [("name", c.c_char_p), ("module", c.c_char_p), ("help", c.c_char_p)]


class Schema(c.Structure):  # struct ArrowSchema, 9 words
    _fields_ = [("words", c.c_uint64 * 9)]


class Array(c.Structure):  # struct ArrowArray, 10 words
    _fields_ = [("words", c.c_uint64 * 8), ("release", c.c_void_p), ("private_data", c.c_void_p)]


class Stream(c.Structure):
    pass


Stream._fields_ = [("get_schema", c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Schema))),
                   ("get_next", c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Array))),
                   ("get_last_error", c.CFUNCTYPE(c.c_char_p, c.POINTER(Stream))),
                   ("release", c.CFUNCTYPE(None, c.POINTER(Stream))), ("private_data", c.c_void_p)]


class TrikalError(Exception):
    def __init__(self, error):
        super().__init__(error.text.decode())
        self.code, self.offset = error.code, None if error.offset == NO_OFFSET else error.offset


def load(path):
    library = c.CDLL(str(path))
    library.trikal_version.restype = c.c_char_p
    for name in ("trikal_open", "trikal_open_memory", "trikal_open_records"):
        getattr(library, name).restype = c.c_void_p
    for name in ("trikal_module_count", "trikal_value_count", "trikal_table_count", "trikal_damage_count"):
        getattr(library, name).restype = c.c_size_t
    library.trikal_integer_of.restype = c.c_int64
    library.trikal_real_of.restype = c.c_double
    for name in ("trikal_close", "trikal_module_count", "trikal_table_count", "trikal_close_records"):
        getattr(library, name).argtypes = [c.c_void_p]
    return library


class Log:
    """A log from a path or from bytes."""

    def __init__(self, library, source, flags=0):
        self.lib, error, options = library, Error(), Options(flags=flags)
        if isinstance(source, bytes):
            handle = library.trikal_open_memory(source, c.c_size_t(len(source)), c.byref(options), c.byref(error))
        else:
            handle = library.trikal_open(str(source).encode(), c.byref(options), c.byref(error))
        if not handle:
            raise TrikalError(error)
        self.handle = c.c_void_p(handle)

    def close(self):
        self.lib.trikal_close(self.handle)
        self.handle = None

    def _each(self, kind, count, get):
        for i in range(count):
            item = kind()
            assert get(c.c_size_t(i), c.byref(item), c.c_size_t(c.sizeof(item))) == 0
            yield item

    def modules(self):
        return list(self._each(Module, self.lib.trikal_module_count(self.handle),
                               lambda *rest: self.lib.trikal_get_module(self.handle, *rest)))

    def tables(self):
        return [table.name.decode() for table in self._each(Table, self.lib.trikal_table_count(self.handle),
                lambda *rest: self.lib.trikal_get_table(self.handle, *rest))]

    def values(self, module):
        return list(self._each(Value, self.lib.trikal_value_count(module.id),
                               lambda *rest: self.lib.trikal_get_value(module.id, *rest)))

    def records(self, module):
        """(id, rank, {value: number}) of every record that the module's numbers describe."""
        error, record = Error(), Record()
        values = [value for value in self.values(module) if value.kind <= F64]
        records = c.c_void_p(self.lib.trikal_open_records(self.handle, module.id, c.byref(error)))
        if not records:
            raise TrikalError(error)
        try:
            while (more := self.lib.trikal_next_record(records, c.byref(record), c.c_size_t(c.sizeof(record)),
                                                       c.byref(error))) == 1:
                if record.described and record.first_item == 0:
                    yield record.id, record.rank, {value.name.decode(): self._number(record, value) for value in values}
            if more < 0:
                raise TrikalError(error)
        finally:
            self.lib.trikal_close_records(records)

    def _number(self, record, value):
        if value.kind == F64:
            return self.lib.trikal_real_of(c.byref(record), c.byref(value))
        number = self.lib.trikal_integer_of(c.byref(record), c.byref(value))
        return number % 2**64 if value.kind == U64 else number

    def open_table(self, name, rows=0, flags=0):
        stream, error = Stream(), Error()
        if self.lib.trikal_open_table(self.handle, name.encode(), c.c_uint64(flags), c.c_uint64(rows), c.byref(stream),
                                      c.byref(error)) != 0:
            raise TrikalError(error)
        return stream

    def table(self, name, **more):
        """The whole table through pyarrow's reader of streams."""
        stream = self.open_table(name, **more)
        return pyarrow.RecordBatchReader._import_from_c(c.addressof(stream)).read_all()

    def batches(self, name, rows):
        """Batch by batch, each a struct array imported on its own."""
        stream = self.open_table(name, rows=rows)
        try:
            while True:
                schema, array = Schema(), Array()
                assert stream.get_schema(c.byref(stream), c.byref(schema)) == 0
                kind = pyarrow.DataType._import_from_c(c.addressof(schema))
                assert stream.get_next(c.byref(stream), c.byref(array)) == 0, stream.get_last_error(c.byref(stream))
                if not array.release:
                    return
                yield pyarrow.Array._import_from_c(c.addressof(array), kind)
        finally:
            stream.release(c.byref(stream))
