"""Trailers put together from docs/formats/trailer.md, right ones and lying ones."""

import struct
import zlib

from ground.container import job_extent, parse_header

START, END = b"TRKLBGN\n", b"TRKLEND\n"
I64, U64, F64, TEXT, BYTES = 1, 2, 3, 4, 5
STREAMS = ("streams", ["region", "packed_offset", "packed_length", "plain_offset", "plain_length"])
THREADS = ("segment_threads", ["module", "record", "first", "count", "thread"])


def _table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        yield value


TABLE = list(_table())


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = TABLE[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def _text(text):
    return struct.pack("<H", len(text)) + text.encode()


def _cell(kind, value):
    if kind in (TEXT, BYTES):
        return struct.pack("<I", len(value)) + value
    return struct.pack("<d", value) if kind == F64 else struct.pack("<Q", value & (1 << 64) - 1)


def section(name, columns, rows, codec=0):
    """`columns`: (name, type) pairs; `rows`: lists of values."""
    plain = b"".join(_cell(kind, value) for row in rows for (_, kind), value in zip(columns, row))
    return {"name": name, "columns": columns, "rows": len(rows), "plain": len(plain), "codec": codec,
            "stored": zlib.compress(plain) if codec == 0 else plain, "values": rows}


def numbers(shape, rows):
    name, columns = shape
    return section(name, [(column, U64) for column in columns], rows)


def trailer(start, header_bytes, sections):
    """The bytes to put at offset `start` of a file whose header is `header_bytes`."""
    body, directory = bytearray(START), bytearray()
    for s in sections:
        entry = _text(s["name"]) + _text("what it is")
        for name, kind in s["columns"]:
            entry += bytes([kind]) + _text(name) + _text("bytes") + _text("help")
        directory += struct.pack("<IBBHIIQQQQ", 48 + len(entry), s["codec"], 0, len(s["columns"]),
                                 crc32c(s["stored"]), 0, start + len(body), len(s["stored"]), s["plain"],
                                 s["rows"]) + entry
        body += s["stored"]
    at = start + len(body)
    footer = struct.pack("<8sIIQQQIIQI", END, 1, len(sections), start, at, len(directory), crc32c(directory),
                         crc32c(header_bytes), at + len(directory) + 64, 0)
    return bytes(body + directory + footer + struct.pack("<I", crc32c(footer)))


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _column(kind, values):
    """One run of values that are not alike, or one of a value that is."""
    alike = len(values) > 1 and all(value == values[0] for value in values)
    head = varint(len(values) - 1 << 1 | alike)
    if kind in (TEXT, BYTES):
        return head + b"".join(varint(len(value) + 1) + value for value in values[:1 if alike else None])
    if kind == F64:
        return varint(127) + head + b"".join(struct.pack("<d", value) for value in values[:1 if alike else None])
    steps = [(value - before) & (1 << 64) - 1 for value, before in zip(values, [0, *values])]
    folded = [(step << 1) & (1 << 64) - 1 ^ ((1 << 64) - 1 if step >> 63 else 0) for step in steps]
    return varint(len(values) - 1 << 1) + b"".join(map(varint, folded))


def compact_plain(sections):
    """The sections of version 2, one behind the other, and the directory."""
    body, directory = b"", varint(0)
    for s in sections:
        values = [s["values"][i:i + 4096] for i in range(0, len(s["values"]), 4096)]
        rows = b"".join(varint(len(group)) + b"".join(_column(kind, [row[i] for row in group])
                                                      for i, (_, kind) in enumerate(s["columns"])) for group in values)
        lines = [(TEXT, s["name"], "", "what it is"), *((kind, name, "bytes", "help") for name, kind in s["columns"])]
        described = [varint(1) + varint(kind) + b"".join(varint(len(text)) + text.encode() for text in texts)
                     for kind, *texts in lines]
        directory += described[0] + varint(len(s["columns"])) + b"".join(described[1:])
        directory += varint(0) + varint(len(rows)) + varint(s["rows"]) + varint(0)
        body += rows
    return body, directory


def compact_trailer(start, header_bytes, count, body, directory, codec=0):
    """A trailer of version 2 in one stream."""
    stream = zlib.compress(body + directory) if codec == 0 else body + directory
    at = start + len(START)
    footer = struct.pack("<8sIIQQQIIQHBB", END, 2, count, start, at, len(stream), crc32c(stream), crc32c(header_bytes),
                         at + len(stream) + 64, len(body) & 0xffff, codec, 0)
    return START + stream + footer + struct.pack("<I", crc32c(footer))


def stream_rows(data):
    """A row for each stream of each region of a zlib log."""
    header = parse_header(data)
    regions = [(65, *job_extent(header, len(data))), (64, *header.name_map)]
    rows = []
    for number, offset, length in regions + [(i, *extent) for i, extent in header.mod_map.items()]:
        packed, plain = offset, 0
        while packed < offset + length:
            decoder = zlib.decompressobj()
            try:
                size = len(decoder.decompress(data[packed:offset + length]))
            except zlib.error:  # a log that is odd on purpose: no rows for what is no stream
                break
            used = offset + length - packed - len(decoder.unused_data)
            rows.append([number, packed, used, plain, size])
            packed, plain = packed + used, plain + size
    return rows


def sections_of(data, lie=None):
    """The sections our writer makes, and one of every type. `lie` may change the sections' rows before they are stored."""
    threads = [[10, record, first, 2, 7 + first] for record in range(2) for first in (0, 2, 9)]
    tables = {"streams": stream_rows(data), "segment_threads": threads}
    if lie:
        lie(tables)
    kinds = [("a", I64), ("b", U64), ("c", F64), ("d", TEXT), ("e", BYTES)]
    every = section("every", kinds, [[-1, 1 << 63, 1.5, b"text", b"\0\1"], [0, 0, 0.0, b"", b""]], codec=2)
    return [numbers(STREAMS, tables["streams"]), numbers(THREADS, tables["segment_threads"]), every]


def with_trailer(data, lie=None):
    """A 3.41 zlib log with a trailer of version 1."""
    return data + trailer(len(data), data[:parse_header(data).size], sections_of(data, lie))


def with_compact_trailer(data, change=lambda body, directory: (body, directory), codec=0):
    """The same of version 2; `change` may lie in what is stored."""
    sections = sections_of(data)
    return data + compact_trailer(len(data), data[:parse_header(data).size], len(sections), *change(*compact_plain(sections)),
                                  codec)
