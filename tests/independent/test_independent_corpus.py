"""decode(encode(x)) is x, for every log of the corpus; bad logs yield what INDEX.tsv says."""

import csv
import dataclasses
import hashlib
import pathlib
import struct
import sys

import pytest

import corpus
import decoder
import encoder
import job_logs
from ground import badlogs, expect, text
from ground.history import RELEASES, stored_counters
from ground.lookup8 import hash64
from ground.model import LogError
from ground.tables import CURRENT, MODULE_NAMES

GOOD = list(corpus.good_logs())
BAD = list(badlogs.bad_logs())
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from log_files import ALL, MADE, reads_logs  # noqa: E402  behind the path
NOTED = {  # legal, yet the decoder mentions what it saw
    "edge-last-record-cut-short": {"POSIX", "STDIO"},
    "edge-module-nobody-knows": {"module 20", "module 63"},
}


def canon(value):
    """Comparable form: floats by their bits, so that nan equals nan and -0.0 is not 0.0."""
    if dataclasses.is_dataclass(value):
        return canon(dataclasses.asdict(value))
    if isinstance(value, dict):
        return {key: canon(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [canon(item) for item in value]
    if isinstance(value, float):
        return struct.pack(">d", value)
    return value


@pytest.mark.parametrize("name,log,physical", GOOD, ids=[name for name, _, _ in GOOD])
def test_round_trip(name, log, physical):
    found, damage, _ = decoder.decode(encoder.encode(log, physical))
    assert {where for where, _ in damage} == NOTED.get(name, set())
    assert canon(found) == canon(expect.current(log))


def test_corpus_covers_everything():
    versions = {(MODULE_NAMES[i], m.version, log.order)
                for _, log, _ in GOOD for i, m in log.modules.items()}
    for module in MODULE_NAMES[1:]:
        for version in range(1, CURRENT[module] + 1):
            assert {(module, version, "<"), (module, version, ">")} <= versions
    containers = {(log.version, log.codec, log.order) for _, log, _ in GOOD}
    assert len(containers) == 5 * 3 * 2
    assert len({name for name, _, _ in GOOD}) == len(GOOD)
    assert len({bad.file for bad in BAD}) == len(BAD)


def digest(folder):
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).digest()
            for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("corpus")
    assert corpus.main(["corpus.py", str(out)]) == 0
    return out


def test_same_bytes_every_time(written, tmp_path):
    corpus.main(["corpus.py", str(tmp_path)])
    assert digest(written) == digest(tmp_path)


def test_files_decode_to_their_tables(written):
    logs = sorted(written.glob("*.darshan"))
    assert len(logs) == len(GOOD)
    for path in logs:
        log, _, _ = decoder.decode(path.read_bytes())
        for kind, lines in (("base", text.base_lines(log, mounts=True)),
                            ("dxt", text.dxt_lines(log))):
            wanted = path.with_name(f"{path.stem}.{kind}.tsv").read_bytes()
            assert b"".join(line + b"\n" for line in lines) == wanted, path.name


def check_count(promise, found):
    if promise.startswith(">="):
        return found >= int(promise[2:])
    return promise == "?" or found == int(promise)


def promises(cell):
    """The records column as {module: promise}."""
    found = {}
    for item in cell.split(",") if cell else []:
        mark = min(item.find(c) for c in "=>?" if c in item)
        found[item[:mark]] = item[mark:].lstrip("=")
    return found


def test_bad_logs_yield_what_the_index_says(written):
    rows = list(csv.DictReader((written / "bad" / "INDEX.tsv").open(), delimiter="\t",
                               quoting=csv.QUOTE_NONE))
    assert [row["file"] for row in rows] == [bad.file for bad in BAD]
    for row in rows:
        data = (written / "bad" / row["file"]).read_bytes()
        try:
            log, damage, _ = decoder.decode(data, limit=1 << 22)
        except LogError:
            assert row["opens"] in ("no", "?"), row
            continue
        assert row["opens"] in ("yes", "?"), row
        assert row["job"] == "?" or (row["job"] == "yes") == bool(log.job), row
        assert check_count(row["names"], len(log.names)), (row, len(log.names))
        found = {MODULE_NAMES[i]: len(m.records) for i, m in log.modules.items() if m.records}
        wanted = promises(row["records"])
        assert set(found) <= set(wanted), row
        for module, promise in wanted.items():
            assert check_count(promise, found.get(module, 0)), (row, found)
        assert damage or row["reports"] == "?", row


def test_the_log_behind_the_bad_ones_is_sound():
    log = badlogs.base_log()
    found, damage, _ = decoder.decode(encoder.encode(log))
    assert not damage and canon(found) == canon(expect.current(log))


@reads_logs
@pytest.mark.parametrize("order,codec", [("<", 0), (">", 1), (">", 2)])
def test_logs_survive_rewriting(order, codec):
    for path in ALL:
        data = path.read_bytes()
        before, _, _ = decoder.decode(data)
        after, damage, _ = decoder.decode(encoder.rewrite(data, order=order, codec=codec))
        assert not damage, path.name
        for lines in (text.base_lines, text.dxt_lines):
            assert list(lines(after)) == list(lines(before)), path.name
        assert (after.names, after.text, after.job) == (before.names, before.text, before.job)


@reads_logs
def test_made_logs_cover_everything():
    """Every module and version that a release wrote, in both byte orders, in logs that make sense."""
    found = {(MODULE_NAMES[ident], module.version, log.order) for log in (decoder.decode(path.read_bytes())[0] for path in MADE)
             for ident, module in log.modules.items()}
    for _, held in RELEASES.values():
        for module, version in held.items():
            assert {(module, version, "<"), (module, version, ">")} <= found, (module, version)


def test_made_logs_are_the_same_every_time(tmp_path):
    for name in ("a", "b"):
        job_logs.write(tmp_path / name)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_old_versions_differ_from_current():
    """Guards the corpus itself: an old layout that equals the current one tests nothing."""
    for module, version in (("POSIX", 1), ("POSIX", 2), ("POSIX", 3), ("MPI-IO", 1), ("STDIO", 1),
                            ("H5F", 1), ("H5F", 2), ("PNETCDF_FILE", 1), ("PNETCDF_FILE", 2)):
        assert stored_counters(module, version) != stored_counters(module, CURRENT[module])


@pytest.mark.parametrize("key,seed,wanted", [
    (b"", 0, 10211412111675192767), (b"a", 0, 2110215103713784748),
    (b"<STDOUT>", 0, 15920181672442173319), (b"heatmap:POSIX", 0, 16592106915301738621),
    (b"0123456789abcdef0123456", 0, 10182034770847688729),
    (b"0123456789abcdef01234567", 0, 16758250644655386282),
    (b"/home/user/data/output.h5", 0, 14564452368938915660),
    (bytes(range(48)), 0, 17449868882718948431), (b"host", 12345, 481220477145845953)])
def test_record_id_hash(key, seed, wanted):
    assert hash64(key, seed) == wanted
