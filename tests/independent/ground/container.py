"""Header, regions, decompression, job and names: everything that is not a module record."""

import bz2
import dataclasses
import re
import struct
import zlib

from .model import (BZIP2, JOB_REGION_MAX, MAGIC, METADATA_SIZE, MINORS, NONE, ZLIB, LogError,
                    header_layout, job_fields)

LIMIT = 1 << 30  # bytes one region may expand to before it is taken for a bomb


@dataclasses.dataclass
class Header:
    version: str
    minor: int
    order: str
    codec: int
    partial: int
    size: int
    name_map: tuple
    mod_map: dict  # current module id -> (offset, length), slots that are not 0/0
    mod_ver: dict  # current module id -> version, non-zero ones


def current_id(slot, minor):
    """Old logs lack H5D (before 3.20) and PNETCDF_VAR (before 3.41) in their numbering."""
    if minor < 20 and slot >= 4:
        slot += 1
    if minor < 41 and slot >= 6:
        slot += 1
    return slot


def parse_version(data):
    text = data[:8].split(b"\0")[0]
    match = re.match(rb"(\d+)\.(\d+)", text)
    if not match or int(match[1]) != 3 or int(match[2]) not in MINORS:
        raise LogError(f"unsupported log version {text!r}")
    return text.decode("latin-1"), int(match[2])


def parse_header(data):
    if len(data) < 16:
        raise LogError("shorter than any header")
    version, minor = parse_version(data)
    for order in "<>":
        if struct.unpack_from(order + "q", data, 8)[0] == MAGIC:
            break
    else:
        raise LogError("wrong magic number")
    layout, slots = header_layout(minor)
    layout = struct.Struct(order + layout)
    if len(data) < layout.size:
        raise LogError("header cut short")
    _, _, codec, flags, *rest = layout.unpack_from(data)
    maps = list(zip(rest[0:2 * slots + 2:2], rest[1:2 * slots + 2:2]))
    versions = rest[2 * slots + 2:]
    mod_map, mod_ver, partial = {}, {}, 0
    for slot in range(slots):
        ident = current_id(slot, minor)
        if maps[slot + 1] != (0, 0):
            mod_map[ident] = maps[slot + 1]
        if versions[slot]:
            mod_ver[ident] = versions[slot]
        if flags >> slot & 1:
            partial |= 1 << ident
    return Header(version, minor, order, codec, partial, layout.size, maps[0], mod_map, mod_ver)


def job_extent(header, file_size):
    """The job region has no map entry: it ends where the first mapped region begins."""
    starts = [header.name_map[0]] + [header.mod_map[i][0] for i in sorted(header.mod_map)]
    end = next((off for off in starts if off), file_size)
    return header.size, max(0, min(end, file_size) - header.size)


def _inflate_carefully(decoder, data, space):
    """Byte by byte, so that what precedes the damage is kept."""
    out = bytearray()
    for i in range(len(data)):
        try:
            out += decoder.decompress(data[i:i + 1], space)
        except (zlib.error, OSError, EOFError):
            break
        if len(out) >= space:
            break
    return bytes(out)


def expand(data, codec, limit=LIMIT):
    """All streams of a region, concatenated.  Returns (bytes, problem or None)."""
    if codec == NONE:
        return bytes(data), None
    if codec not in (ZLIB, BZIP2):
        return b"", f"unknown compression {codec}"
    new = zlib.decompressobj if codec == ZLIB else bz2.BZ2Decompressor
    out = bytearray()
    data = bytes(data)
    while data:
        decoder, space = new(), limit - len(out)
        if space <= 0:
            return bytes(out), f"region expands beyond {limit} bytes"
        try:
            out += decoder.decompress(data, space)
        except (zlib.error, OSError, EOFError) as error:
            out += _inflate_carefully(new(), data, space)
            return bytes(out), f"damaged stream: {error}"
        if not decoder.eof:
            full = len(out) >= limit
            return bytes(out), f"region expands beyond {limit} bytes" if full else "stream cut short"
        data = decoder.unused_data
    return bytes(out), None


def region(data, header, extent, limit=LIMIT):
    """Expanded bytes of one region and what is wrong with it, if anything."""
    offset, length = extent
    if length == 0:
        return b"", None
    if offset > len(data):
        return b"", "region starts beyond the end of the file"
    out, problem = expand(data[offset:offset + length], header.codec, limit)
    if offset + length > len(data):
        problem = problem or "region runs beyond the end of the file"
    return out, problem


def parse_job(data, header):
    """(job fields, metadata, text, problem)."""
    offset, length = job_extent(header, len(data))
    raw, problem = expand(data[offset:offset + length], header.codec,
                          limit=JOB_REGION_MAX + 1)
    fields = job_fields(header.minor)
    layout = struct.Struct(f"{header.order}{len(fields)}q{METADATA_SIZE}s")
    if len(raw) < layout.size:
        return {}, b"", b"", problem or "job record cut short"
    *values, metadata = layout.unpack_from(raw)
    job = {"start_nsec": 0, "end_nsec": 0, **dict(zip(fields, values))}
    text = raw[layout.size:JOB_REGION_MAX].split(b"\0")[0]
    problem = "job region too large" if len(raw) > JOB_REGION_MAX else None
    return job, metadata.split(b"\0")[0], text, problem


def parse_names(raw, header):
    """([(id, name)], problem)."""
    names, at = [], 0
    while at < len(raw):
        if len(raw) - at < 8:
            return names, "name record cut short"
        ident = struct.unpack_from(header.order + "Q", raw, at)[0]
        at += 8
        if header.minor == 0:
            if len(raw) - at < 4:
                return names, "name length cut short"
            size = struct.unpack_from(header.order + "I", raw, at)[0]
            at += 4
            if size > len(raw) - at:
                return names, "name longer than its region"
            name = raw[at:at + size]
            at += size
        else:
            end = raw.find(b"\0", at)
            if end < 0:
                return names, "name without end"
            name = raw[at:end]
            at = end + 1
        names.append((ident, name))
    return names, None
