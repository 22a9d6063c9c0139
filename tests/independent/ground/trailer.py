"""The trailer behind the last region, from docs/formats/trailer.md alone."""

import dataclasses
import struct

from .container import expand
from .model import LogError

START, END = b"TRKLBGN\n", b"TRKLEND\n"
FOOTER = struct.Struct("<8sIIQQQIIQII")
ENTRY = struct.Struct("<IBBHIIQQQQ")
KINDS = {1: "<q", 2: "<Q", 3: "<d", 4: "text", 5: "bytes"}


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


def decode(data):
    """{name: Section}, or None where the log has no trailer.  Every checksum and length is checked."""
    if data[-FOOTER.size:][:8] != END:
        return None
    (_, version, count, start, directory, length, directory_sum, header_sum, file_length, zero,
     footer_sum) = FOOTER.unpack(data[-FOOTER.size:])
    _need(version == 1 and zero == 0 and file_length == len(data), "odd footer")
    _need(crc32c(data[-FOOTER.size:-4]) == footer_sum, "checksum of the footer")
    _need(crc32c(data[:1328]) == header_sum, "checksum of the log's header")
    _need(data[start:start + 8] == START, "no start mark")
    _need(directory + length == len(data) - FOOTER.size, "the directory does not end at the footer")
    _need(crc32c(data[directory:directory + length]) == directory_sum, "checksum of the directory")
    cursor, sections, at = _Cursor(data[:directory + length], directory), {}, start + 8
    for _ in range(count):
        section, (offset, stored) = _section(data, cursor)
        _need(offset == at and section.name not in sections, f"section {section.name} is out of place")
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
