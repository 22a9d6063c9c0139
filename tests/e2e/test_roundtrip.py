"""Read, write, read: what trikal convert writes holds the records it read.

Both sides are decoded by the independent decoder and compared value by value; then trikal itself reads what it wrote:
diff finds nothing, parse and dxt print the same, and a second conversion gives the same bytes.
"""

import re
import struct
import zlib

import pytest

from log_files import ALL, FULL, GOLDEN, each, some
from tool import data_lines, lines, run

import corpus
import decoder
from ground import trailer

GOOD = corpus.names()
LAYOUTS = {
    "zlib": [],
    "bzip2": ["--bzip2"],
    "many-streams": ["--split", "1K", "--level", "0"],
    "many-bzip2-streams": ["--split", "1K", "--bzip2"],
    "without-trailer": ["--no-trailer"],
}
# Modules as we write them: current, but for traces, whose newest version released readers refuse.
WRITTEN_VERSION = {"DXT_POSIX": 1, "DXT_MPIIO": 2}
CUT_SHORT = "edge-last-record-cut-short"  # told, and what there is kept: exit 4
NOBODY_KNOWS = {"edge-module-nobody-knows": ["module 20", "module 63"]}  # kept as they are
# Regions that hold a stream of nothing: written again they are no regions, so listings have no head for them.
EMPTY_REGIONS = "edge-region-of-an-empty-stream"
# Lines of a listing that are about the container and the versions in it, which are new.
OF_THE_CONTAINER = re.compile(
    rb"# (darshan log version: |compression method: |header: |job data: |record table: |\S+ module( \(id \d+\))?: \d+ bytes )"
    rb"|# \*NOTE\*: these records are of version \d+; what only version "
    rb"|# \*WARNING\*: logs of version 3.20 |#            common access size and stride counters\. ")
OF_THE_CLOCK = re.compile(rb"# run time: ")  # before 3.41 in whole seconds, rounded up


def comparable(value):
    """Floats by their bits, so that nan equals nan and -0.0 is not 0.0."""
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [comparable(item) for item in value]
    return struct.pack(">d", value) if isinstance(value, float) else value


def records(log, threads=True):
    """{module: records}; 0 is a thread nobody knows."""
    found = {}
    for ident, module in log.modules.items():
        rows = module.records
        if corpus.MODULE_NAMES[ident] in WRITTEN_VERSION:
            rows = [{**row, **{way: [(*segment[:4], (segment[4] or 0) if threads else 0) for segment in row[way]]
                               for way in ("writes", "reads")}} for row in rows]
        if rows:
            found[ident] = comparable(rows)
    return found


def job(log):
    return {"start_nsec": 0, "end_nsec": 0, **log.job}


def check_decoded(before, data, layout, noted):
    """Every value of the written log, by the independent decoder, against the source."""
    after, damage, header = decoder.decode(data)
    assert [where for where, _ in damage] == noted
    assert (after.version, after.order) == ("3.41", "<")
    assert after.codec == ("--bzip2" in LAYOUTS[layout])
    assert after.partial == before.partial & ~1  # bit 0 is what merges leave; it means nothing
    assert job(after) == job(before)
    assert after.metadata == before.metadata
    assert (after.exe, after.mounts) == (before.exe, before.mounts)
    assert list(after.name_table.items()) == list(before.name_table.items())
    sections = trailer.decode(data)
    assert (sections is None) == (layout == "without-trailer")
    if sections:
        trailer.restore_threads(after, sections)
        check_streams(data, header, sections["streams"].rows if "streams" in sections else [])
    assert records(after) == records(before, threads=sections is not None)
    for ident in after.modules:
        name = corpus.MODULE_NAMES[ident]
        assert header.mod_ver[ident] == WRITTEN_VERSION.get(name, corpus.CURRENT[name])


def check_streams(data, header, rows):
    """The index of streams covers every region that has several, and each of its streams expands to what it says."""
    regions = {64: header.name_map, **{ident: extent for ident, extent in header.mod_map.items() if extent[1]}}
    for region, (offset, length) in regions.items():
        streams = [row[1:] for row in rows if row[0] == region]
        assert len(streams) != 1
        plain_at = 0
        for packed_offset, packed_length, plain_offset, plain_length in streams:
            assert (packed_offset, plain_offset) == (offset, plain_at)
            plain, problem = decoder.container.expand(data[offset:offset + packed_length], header.codec)
            assert problem is None and len(plain) == plain_length
            offset, plain_at = offset + packed_length, plain_at + plain_length
        assert not streams or offset == sum(regions[region])


def told(log, verb, patterns, code=0):
    """What a listing says of the records: all lines but those that match."""
    done = run(verb, log)
    assert done.returncode == code, done.stderr
    return [line for line in lines(done.stdout) if not any(pattern.match(line) for pattern in patterns)]


class Source:
    """A log and what trikal and the decoder make of it, worked out once for all layouts."""

    def __init__(self, path, noted=()):
        self.path, self.noted = path, list(noted)
        self.code = 4 if path.stem == CUT_SHORT else 0
        self.log, _, _ = decoder.decode(path.read_bytes())
        self.patterns = [OF_THE_CONTAINER] + [OF_THE_CLOCK] * (self.log.minor < 41)
        self.told = {"parse": self.listing(path, "parse", self.code), "dxt": self.listing(path, "dxt")}

    def listing(self, path, verb, code=0):
        found = told(path, verb, self.patterns, code)
        return data_lines(found) if self.path.stem == EMPTY_REGIONS else found


def check(source, layout, folder):
    out, again = folder / f"{layout}.darshan", folder / f"{layout}.again.darshan"
    done = run("convert", *LAYOUTS[layout], source.path, out)
    assert done.returncode == source.code, done.stderr
    check_decoded(source.log, out.read_bytes(), layout, source.noted)
    # trikal on what it wrote
    same = run("diff", "--segments", source.path, out)
    assert same.returncode == source.code, same.stdout[-2000:]
    assert source.code or b"The logs are the same: " in same.stdout
    for verb, wanted in source.told.items():
        assert source.listing(out, verb) == wanted
    assert run("convert", *LAYOUTS[layout], out, again).returncode == 0
    assert again.read_bytes() == out.read_bytes()


def layouts_of(path):
    """All of them with scripts/test --full. In fast runs each log has the usual one and one of the others, which its name chooses."""
    usual, *others = LAYOUTS
    return list(LAYOUTS) if FULL else [usual, others[zlib.crc32(path.stem.encode()) % len(others)]]


def check_all(path, folder, noted=()):
    source = Source(path, noted)
    for layout in layouts_of(path):
        check(source, layout, folder)


@each(ALL + some(GOLDEN, 4))
def test_logs(log, tmp_path):
    check_all(log, tmp_path)


@pytest.mark.parametrize("name", GOOD)
def test_corpus(name, corpus_dir, tmp_path):
    check_all(corpus_dir / f"{name}.darshan", tmp_path, NOBODY_KNOWS.get(name, []))


def test_every_layout_is_met():
    assert {layout for path in ALL for layout in layouts_of(path)} == set(LAYOUTS)


def test_layouts_are_different(corpus_dir, tmp_path):
    """Guards the test itself: the options do what their names say, and threads are in the trailer alone."""
    source = corpus_dir / "edge-every-module.darshan"
    found = {}
    for layout, words in LAYOUTS.items():
        assert run("convert", *words, source, tmp_path / layout).returncode == 0
        found[layout] = (tmp_path / layout).read_bytes()
    sections = {layout: trailer.decode(data) for layout, data in found.items()}
    streams = {layout: len(held["streams"].rows) if "streams" in held else 1 for layout, held in sections.items() if held}
    assert streams["many-streams"] > 2 * streams["zlib"] and streams["many-bzip2-streams"] > 2 * streams["bzip2"]
    assert sections["without-trailer"] is None and "segment_threads" in sections["zlib"]
    assert len(set(found.values())) == len(LAYOUTS)


@pytest.mark.parametrize("where", [-1, -30, -70, 1327])
def test_the_trailer_is_checksummed(where, corpus_dir, tmp_path):
    """In the footer, the directory or the log's header: the decoder of the trailer notices one bit."""
    assert run("convert", corpus_dir / "edge-every-module.darshan", tmp_path / "out").returncode == 0
    data = bytearray((tmp_path / "out").read_bytes())
    assert trailer.decode(bytes(data))
    data[where] ^= 1
    with pytest.raises(trailer.LogError):
        trailer.decode(bytes(data))
