"""The trailer behind the last region, from docs/formats/trailer.md alone."""

import dataclasses
import pathlib
import struct

from .container import expand, parse_header, parse_job
from .model import LogError

START, END = b"TRKLBGN\n", b"TRKLEND\n"
FOOTER = struct.Struct("<8sIIQQQIIQHBBI")
ENTRY = struct.Struct("<IBBHIIQQQQ")
KINDS = {1: "<q", 2: "<Q", 3: "<d", 4: "text", 5: "bytes"}
NUMBERS = {"i64": "<q", "u64": "<Q", "f64": "<d", "text": "text", "bytes": "bytes"}
LINES = [line.split("\t") for line in
         (pathlib.Path(__file__).resolve().parents[3] / "docs" / "formats" / "trailer-lines.txt").read_text().splitlines()]
RAW_REALS, MOST_ROWS = 127, 4096


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CRC_TABLE = _crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


@dataclasses.dataclass
class Section:
    name: str
    about: str
    codec: int
    columns: list  # (kind, name, unit, help)
    rows: list  # tuples


def _need(right, what):
    if not right:
        raise LogError(f"trailer: {what}")


class _Cursor:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, size):
        _need(self.at + size <= len(self.data), "cut short")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, layout):
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]

    def text(self, layout):
        return self.take(self.number(layout))


def _rows(plain, columns, count):
    cursor, rows = _Cursor(plain), []
    for _ in range(count):
        rows.append(tuple(cursor.text("<I") if kind in ("text", "bytes") else cursor.number(kind)
                          for kind, *_ in columns))
    _need(cursor.at == len(plain), "rows do not fill their section")
    return rows


def _section(data, cursor):
    begin = cursor.at
    length, codec, zero, column_count, checksum, zero2, offset, stored, plain_size, count = ENTRY.unpack(
        cursor.take(ENTRY.size))
    _need(zero == zero2 == 0 and column_count >= 1, "odd entry of the directory")
    name, about = (cursor.text("<H").decode() for _ in range(2))
    columns = [(KINDS[cursor.number("<B")], *(cursor.text("<H").decode() for _ in range(3)))
               for _ in range(column_count)]
    _need(begin + length >= cursor.at, "entry shorter than its columns")
    cursor.at = begin + length
    packed = data[offset:offset + stored]
    _need(len(packed) == stored and crc32c(packed) == checksum, f"checksum of section {name}")
    plain, problem = expand(packed, codec)
    _need(not problem and len(plain) == plain_size, f"section {name}: {problem or 'length'}")
    return Section(name, about, codec, columns, _rows(plain, columns, count)), (offset, stored)


class _Plain(_Cursor):
    """Bytes of version 2: numbers of seven bits a byte, the lowest first."""

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                _need(value < 1 << 64, "a number beyond 64 bits")
                return value

    def runs(self, count, read):
        values = []
        while len(values) < count:
            head = self.varint()
            length = (head >> 1) + 1
            _need(len(values) + length <= count, "a run that is too long")
            values += [read()] * length if head & 1 else [read() for _ in range(length)]
        return values

    def numbers(self, count):
        total, values = 0, []
        for folded in self.runs(count, self.varint):
            total += (folded >> 1) ^ -(folded & 1)
            values.append(total & (1 << 64) - 1)
        return values

    def column(self, kind, count, command):
        def text():
            length = self.varint()
            if length > 0:
                return self.take(length - 1)
            at, length = self.varint(), self.varint()
            _need(at + length <= len(command), "a text beyond the command line")
            return command[at:at + length]
        if kind in ("text", "bytes"):
            return self.runs(count, text)
        if kind == "<d":
            scale = self.varint()
            if scale == RAW_REALS:
                return self.runs(count, lambda: self.number("<d"))
            return [_signed(value) * 2.0 ** -scale for value in self.numbers(count)]
        return [_signed(value) if kind == "<q" else value for value in self.numbers(count)]


def _signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def _grouped_rows(plain, columns, count, command):
    cursor, rows = _Plain(plain), []
    while len(rows) < count:
        size = cursor.varint()
        _need(0 < size <= min(MOST_ROWS, count - len(rows)), "odd group of rows")
        rows += zip(*[cursor.column(kind, size, command) for kind, *_ in columns])
    _need(cursor.at == len(plain), "rows do not fill their section")
    return rows


class _Directory(_Plain):
    next_line = 0

    def line(self, of_section):
        code = self.varint()
        if code == 1:
            kind = self.varint()
            name, unit, about = (self.take(self.varint()).decode() for _ in range(3))
            return KINDS[kind], name, unit, about
        number = self.next_line if code == 0 else code - 2
        self.next_line = number + 1
        kind, *rest = LINES[number]
        _need((kind == "section") == of_section, "a line of another kind")
        return (kind if of_section else NUMBERS[kind], *rest)


def _decode_compact(data, footer, command):
    count, start, stream, length, skipped, codec = footer
    last, problem = expand(data[stream:stream + length], codec)
    _need(not problem and len(last) >= skipped, "the stream of the directory")
    cursor, at, streams = _Directory(last, skipped), start + 8, []
    for _ in range(cursor.varint()):
        stored, plain_size, checksum = cursor.varint(), cursor.varint(), cursor.number("<I")
        packed = data[at:at + stored]
        plain, problem = expand(packed, codec)
        _need(crc32c(packed) == checksum and not problem and len(plain) == plain_size, "a stream of the trailer")
        streams.append(_Plain(plain))
        at += stored
    _need(at == stream, "something between the streams")
    streams.append(_Plain(last[:skipped]))
    sections = {}
    for _ in range(count):
        _, name, _, about = cursor.line(True)
        columns = [cursor.line(False) for _ in range(cursor.varint())]
        where, size, rows, more = (cursor.varint() for _ in range(4))
        cursor.take(more)
        _need(columns and name not in sections, f"section {name} is not where it should be")
        sections[name] = Section(name, about, codec, columns, _grouped_rows(streams[where].take(size), columns, rows, command))
    _need(cursor.at == len(last) and all(one.at == len(one.data) for one in streams), "bytes that belong to no section")
    return sections


def decode(data):
    """{name: Section}, or None where the log has no trailer.  Every checksum and length is checked."""
    if data[-FOOTER.size:][:8] != END:
        return None
    (_, version, count, start, directory, length, directory_sum, header_sum, file_length, skipped, codec, zero,
     footer_sum) = FOOTER.unpack(data[-FOOTER.size:])
    _need(version in (1, 2) and zero == 0 and file_length == len(data), "odd footer")
    _need(crc32c(data[-FOOTER.size:-4]) == footer_sum, "checksum of the footer")
    _need(crc32c(data[:1328]) == header_sum, "checksum of the log's header")
    _need(data[start:start + 8] == START, "no start mark")
    _need(directory + length == len(data) - FOOTER.size, "the directory does not end at the footer")
    _need(crc32c(data[directory:directory + length]) == directory_sum, "checksum of the directory")
    if version == 2:
        _, _, text, _ = parse_job(data, parse_header(data))
        return _decode_compact(data, (count, start, directory, length, skipped, codec), text.split(b"\n")[0])
    _need(skipped == codec == 0, "odd footer")
    cursor, sections, at = _Cursor(data[:directory + length], directory), {}, start + 8
    for _ in range(count):
        section, (offset, stored) = _section(data, cursor)
        _need(offset == at and section.name not in sections, f"section {section.name} is not where it should be")
        sections[section.name] = section
        at = offset + stored
    _need(at == directory and cursor.at == directory + length, "something between or behind the sections")
    return sections


def restore_threads(log, sections):
    """Puts the threads of `segment_threads` back into the segments of the decoded log."""
    for module, record, first, count, thread in sections["segment_threads"].rows if "segment_threads" in sections else []:
        held = log.modules[module].records[record]
        writes = len(held["writes"])
        for i in range(first, first + count):
            way, k = ("writes", i) if i < writes else ("reads", i - writes)
            held[way][k] = (*held[way][k][:4], thread)
