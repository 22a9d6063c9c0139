"""libdarshan-util by ctypes: the structs and calls the tests need, declared from the documented layout."""

import ctypes as c


class Job(c.Structure):
    _fields_ = [(name, c.c_int64) for name in ("uid", "start_time_sec", "start_time_nsec", "end_time_sec",
                                               "end_time_nsec", "nprocs", "jobid")] + [("metadata", c.c_char * 1024)]


class Mount(c.Structure):
    _fields_ = [("type", c.c_char * 3015), ("path", c.c_char * 3015)]


class Module(c.Structure):
    _fields_ = [("name", c.c_char_p), ("len", c.c_int), ("ver", c.c_int), ("idx", c.c_int), ("partial_flag", c.c_int)]


class Name(c.Structure):
    _fields_ = [("id", c.c_uint64), ("name", c.c_void_p)]


class Handle(c.Structure):
    _fields_ = [("tbl", c.c_void_p), ("prev", c.c_void_p), ("next", c.c_void_p), ("hh_prev", c.c_void_p),
                ("hh_next", c.c_void_p), ("key", c.c_void_p), ("keylen", c.c_uint), ("hashv", c.c_uint)]


class NameRef(c.Structure):
    _fields_ = [("record", c.c_void_p), ("hlink", Handle)]


class Map(c.Structure):
    _fields_ = [("off", c.c_uint64), ("len", c.c_uint64)]


class Log(c.Structure):
    _fields_ = [("version", c.c_char * 8), ("swap_flag", c.c_int), ("partial_flag", c.c_uint64),
                ("comp_type", c.c_int), ("job_map", Map), ("name_map", Map), ("mod_map", Map * 64),
                ("mod_ver", c.c_uint32 * 64), ("state", c.c_void_p), ("first_heatmap_nbins", c.c_int64),
                ("first_heatmap_width", c.c_double)]


class Lustre(c.Structure):
    _fields_ = [("id", c.c_uint64), ("rank", c.c_int64), ("num_comps", c.c_int64), ("num_stripes", c.c_int64),
                ("comps", c.c_void_p), ("ost_ids", c.POINTER(c.c_int64))]


class Heatmap(c.Structure):
    _fields_ = [("id", c.c_uint64), ("rank", c.c_int64), ("width", c.c_double), ("nbins", c.c_int64),
                ("write_bins", c.POINTER(c.c_int64)), ("read_bins", c.POINTER(c.c_int64))]


def load(path):
    library = c.CDLL(str(path))
    library.darshan_log_open.restype = c.POINTER(Log)
    library.darshan_log_create.restype = c.POINTER(Log)
    library.darshan_log_get_lib_version.restype = c.c_char_p
    library.darshan_log_get_job_runtime.argtypes = [c.POINTER(Log), Job, c.POINTER(c.c_double)]
    library.darshan_accumulator_create.argtypes = [c.c_int, c.c_int64, c.POINTER(c.c_void_p)]
    for function in ("inject", "emit", "destroy"):
        getattr(library, f"darshan_accumulator_{function}").argtypes = {
            "inject": [c.c_void_p, c.c_void_p, c.c_int], "emit": [c.c_void_p, c.c_void_p, c.c_void_p],
            "destroy": [c.c_void_p]}[function]
    return Api(library)


class Api:
    """The calls with Python's manners: values are returned, memory is given back."""

    def __init__(self, library):
        self.lib = library

    def open(self, path):
        return self.lib.darshan_log_open(str(path).encode())

    def close(self, log):
        self.lib.darshan_log_close(log)

    def job(self, log):
        job = Job()
        return job if self.lib.darshan_log_get_job(log, c.byref(job)) == 0 else None

    def runtime(self, log, job):
        seconds = c.c_double()
        assert self.lib.darshan_log_get_job_runtime(log, job, c.byref(seconds)) == 0
        return seconds.value

    def exe(self, log):
        text = c.create_string_buffer(4096)
        return text.value if self.lib.darshan_log_get_exe(log, text) == 0 else None

    def _array(self, kind, call):
        array, count = c.POINTER(kind)(), c.c_int(-7)
        call(c.byref(array), c.byref(count))
        return array, [array[i] for i in range(count.value)]

    def mounts(self, log):
        array, mounts = self._array(Mount, lambda a, n: self.lib.darshan_log_get_mounts(log, a, n))
        found = [(mount.path, mount.type) for mount in mounts]
        self.lib.darshan_free(array)
        return found

    def modules(self, log):
        array, modules = self._array(Module, lambda a, n: self.lib.darshan_log_get_modules(log, a, n))
        found = [(m.name, m.len, m.ver, m.idx, m.partial_flag) for m in modules]
        self.lib.darshan_free(array)
        return found

    def names(self, log, ids=None):
        if ids is None:
            array, names = self._array(Name, lambda a, n: self.lib.darshan_log_get_name_records(log, a, n))
        else:
            wanted = (c.c_uint64 * len(ids))(*ids)
            array, names = self._array(Name, lambda a, n: self.lib.darshan_log_get_filtered_name_records(
                log, a, n, wanted, len(ids)))
        found = [(name.id, c.string_at(name.name)) for name in names]
        for name in names:
            self.lib.darshan_free(c.c_void_p(name.name))
        self.lib.darshan_free(array)
        return found

    def record(self, log, module):
        """(result, address); the caller frees it."""
        buffer = c.c_void_p()
        result = self.lib.darshan_log_get_record(log, module, c.byref(buffer))
        return result, buffer

    def ids(self, log, module, at_most=None):
        """Ids of the next records of a module, up to its end."""
        found = []
        while at_most is None or len(found) < at_most:
            result, buffer = self.record(log, module)
            if result != 1:
                return found if result == 0 else None
            found.append(c.c_uint64.from_address(buffer.value).value)
            self.lib.darshan_free(buffer)
        return found

    def plain(self, log, module, size):
        buffer = c.create_string_buffer(size)
        got = self.lib.darshan_log_get_mod(log, module, buffer, size)
        return buffer.raw[:got] if got >= 0 else None
