"""The library by ctypes: layout, iteration, errors, damaged logs."""

import csv
import ctypes as c
import json
import os
import subprocess
import sys

import pytest

import capi
import conftest
import corpus as corpus_maker
import decoder
from ground import badlogs, container

NAMES = corpus_maker.names()
POSIX, MPIIO, LUSTRE, DXT_POSIX, MDHIM, HEATMAP = 1, 2, 8, 10, 12, 15
EVERYTHING = "edge-every-module"


@pytest.fixture(scope="module")
def api(installation):
    return capi.load(installation.library)


@pytest.fixture
def everything(api, corpus):
    log = api.open(corpus / f"{EVERYTHING}.darshan")
    yield log
    api.close(log)


def expected(corpus, name):
    head = json.loads((corpus / f"{name}.head.json").read_text())
    return head, lambda text: text.encode("utf-8", "surrogateescape")


def test_version(api):
    assert api.lib.darshan_log_get_lib_version() == b"3.5.0"


def test_layout():
    assert c.sizeof(capi.Log) == 1368 and c.sizeof(capi.Job) == 1080 and c.sizeof(capi.Mount) == 6030
    assert c.sizeof(capi.Module) == 24 and c.sizeof(capi.Name) == 16 and c.sizeof(capi.Lustre) == 48
    assert capi.Log.mod_map.offset == 64 and capi.Log.mod_ver.offset == 1088 and capi.Log.state.offset == 1344


@pytest.mark.parametrize("name", NAMES)
def test_head(name, api, corpus):
    """Job, command, mounts, names and modules are those that were put in."""
    head, raw = expected(corpus, name)
    log = api.open(corpus / f"{name}.darshan")
    job = api.job(log)
    assert log.contents.version == head["version"].encode()
    assert bool(log.contents.swap_flag) == (head["order"] != sys.byteorder)
    assert [i for i in range(64) if log.contents.partial_flag >> i & 1] == head["partial"]
    for field, value in head["job"].items():
        assert getattr(job, field.replace("start_", "start_time_").replace("end_", "end_time_")) == value
    assert f"{api.runtime(log, job):.4f}" == head["runtime"]
    assert api.exe(log) == (raw(head["exe"]) if head["mounts"] else b"")  # decision 0012
    assert api.mounts(log) == [(raw(path), raw(kind)) for path, kind in head["mounts"]]
    assert api.names(log) == [(ident, raw(text)) for ident, text in head["names"]]
    known = {module: (info["version"]) for module, info in head["modules"].items()}
    found = {module.decode(): version for module, _, version, _, _ in api.modules(log) if module}
    assert known.keys() <= found.keys()
    api.close(log)


def test_modules_restart_at_their_end(api, everything):
    all_ids = api.ids(everything, POSIX)
    assert len(all_ids) >= 2
    assert api.ids(everything, POSIX) == all_ids


@pytest.mark.parametrize("touch", ["job", "names", "other module", "plain bytes"])
def test_modules_restart_after_another_region(touch, api, everything):
    first = api.ids(everything, POSIX, 1)
    {"job": lambda: api.job(everything), "names": lambda: api.names(everything),
     "other module": lambda: api.ids(everything, MPIIO, 1), "plain bytes": lambda: api.plain(everything, POSIX, 8)}[touch]()
    assert api.ids(everything, POSIX, 1) == first


def test_modules_go_on_after_what_reads_no_region(api, everything):
    api.exe(everything)  # the first time, it reads the job
    all_ids = api.ids(everything, POSIX)
    first = api.ids(everything, POSIX, 1)
    api.modules(everything), api.exe(everything), api.mounts(everything)
    assert first + api.ids(everything, POSIX) == all_ids


def test_filtered_names(api, everything):
    names = api.names(everything)
    chosen = [names[-1], names[0]]
    assert api.names(everything, [ident for ident, _ in chosen]) == [names[0], names[-1]]
    assert api.names(everything, [12345]) == [] and api.names(everything, []) == []


def test_name_table_keeps_what_it_has(api, everything):
    """Names of a second log are added to the table; those already there stay."""
    table = c.POINTER(capi.NameRef)()
    for _ in range(2):
        assert api.lib.darshan_log_get_namehash(everything, c.byref(table)) == 0
    found, at = [], table
    while at:
        ref = at.contents
        ident = c.c_uint64.from_address(ref.record).value
        found.append((ident, c.string_at(ref.record + 8)))
        assert ref.hlink.key == ref.record and ref.hlink.keylen == 8
        at = c.cast(ref.hlink.next, c.POINTER(capi.NameRef)) if ref.hlink.next else None
    assert found == api.names(everything)


def test_pointers_in_records(api, everything, corpus):
    lines = [line.split(b"\t") for line in (corpus / f"{EVERYTHING}.base.tsv").read_bytes().splitlines()]

    def values(record, module, part):
        return [int(row[4]) for row in lines if row[0] == module and part in row[3]
                and int(row[1]) == record.rank and int(row[2]) == record.id]

    result, buffer = api.record(everything, LUSTRE)
    lustre = capi.Lustre.from_address(buffer.value)
    assert result == 1 and lustre.comps == buffer.value + 48
    assert lustre.ost_ids[: lustre.num_stripes] == values(lustre, b"LUSTRE", b"_OST_ID_")
    api.lib.darshan_free(buffer)

    result, buffer = api.record(everything, HEATMAP)
    heatmap = capi.Heatmap.from_address(buffer.value)
    assert result == 1 and c.addressof(heatmap.write_bins.contents) == buffer.value + 48
    assert heatmap.write_bins[: heatmap.nbins] == values(heatmap, b"HEATMAP", b"_WRITE_BIN_")
    assert heatmap.read_bins[: heatmap.nbins] == values(heatmap, b"HEATMAP", b"_READ_BIN_")
    api.lib.darshan_free(buffer)


@pytest.mark.parametrize("name", NAMES)
def test_plain_bytes(name, api, corpus):
    """darshan_log_get_mod gives a region's bytes as they are, in pieces of any size, and then starts again."""
    data = (corpus / f"{name}.darshan").read_bytes()
    header = container.parse_header(data)
    log = api.open(corpus / f"{name}.darshan")
    for ident, extent in header.mod_map.items():
        raw, _ = container.region(data, header, extent, container.LIMIT)
        pieces = list(iter(lambda: api.plain(log, ident, 1000), b""))
        assert b"".join(pieces) == raw
        assert all(len(piece) == 1000 for piece in pieces[:-1])
        assert api.plain(log, ident, 4) == raw[:4]
    api.close(log)


def test_nothing_is_open(api, capfd):
    """Each call says so in one line and fails."""
    none = c.POINTER(capi.Log)()
    assert not api.open("/no/such/log.darshan")
    assert api.job(none) is None and api.exe(none) is None and api.record(none, POSIX)[0] == -1
    assert api.modules(none) == [] and api.mounts(none) == [] and api.names(none) == []
    assert api.plain(none, POSIX, 8) is None and api.lib.darshan_log_put_exe(none, b"x") == -1
    api.close(none)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 9 and all(line.startswith("Error: darshan_log_") for line in lines)
    assert "/no/such/log.darshan" in lines[0] and "No such file" in lines[0]


def test_modules_that_are_not_there(api, everything):
    assert [api.record(everything, ident)[0] for ident in (-1, 64, 1000)] == [-1, -1, -1]
    assert [api.record(everything, ident)[0] for ident in (18, 63)] == [0, 0]


def test_accumulators_of_other_modules(api):
    accumulator = c.c_void_p(1)
    for module in (-1, 0, 3, LUSTRE, DXT_POSIX, HEATMAP, 18, 64, 10**6):
        assert api.lib.darshan_accumulator_create(module, 4, c.byref(accumulator)) == -1
        assert accumulator.value is None
    assert api.lib.darshan_accumulator_destroy(None) == 0


def test_records_of_mdhim_add_up(api):
    """The counts of the servers too, and no further than the first record's memory goes."""
    table = (c.c_void_p * 18).in_dll(api.lib, "mod_logutils")
    functions = (c.c_void_p * 8).from_address(table[MDHIM])
    add = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int)(functions[5])

    def record(puts, servers):
        return (c.c_int64 * (11 + len(servers)))(7, 0, puts, 0, 0, 0, len(servers), 0, 0, 0, 0, *servers)

    total = (c.c_int64 * 14)()
    add(record(3, [1, 2]), total, 1)
    add(record(4, [10, 20]), total, 0)
    add(record(5, [100, 200, 300]), total, 0)
    assert list(total[2:7]) == [12, 0, 0, 0, 2]
    assert list(total[11:]) == [111, 222, 0]


def test_writing_out_of_order_leaves_no_log(api, tmp_path, capfd):
    path = tmp_path / "new.darshan"
    for misuse in ("exe first", "late job", "descending modules"):
        log = api.lib.darshan_log_create(str(path).encode(), 0, 0)
        assert log
        if misuse == "exe first":
            assert api.lib.darshan_log_put_exe(log, b"x") == -1
        else:
            assert api.lib.darshan_log_put_job(log, c.byref(capi.Job())) == 0
            assert api.lib.darshan_log_put_mod(log, MPIIO, bytes(560), 560, 3) == 0
            late = {"late job": lambda: api.lib.darshan_log_put_job(log, c.byref(capi.Job())),
                    "descending modules": lambda: api.lib.darshan_log_put_mod(log, POSIX, bytes(704), 704, 4)}
            assert late[misuse]() == -1
        api.close(log)
        assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().err.count("\n") == 3
    assert not api.lib.darshan_log_create(str(path).encode(), 2, 0)  # never without compression


def test_segments_of_released_programs(installation, corpus):
    """With the setting a trace has segments of 32 bytes, as programs built for 3.5.0 expect."""
    script = ("import capi, ctypes as c, sys\n"
              "api = capi.load(sys.argv[1]); log = api.open(sys.argv[2])\n"
              "_, at = api.record(log, 10)\n"
              "print(c.string_at(at.value + 104, 64).hex())\n")
    found = {}
    for size in ("32", "40"):
        env = dict(os.environ, PYTHONPATH=str(conftest.HERE), TRIKAL_DXT_SEGMENT_BYTES=size)
        command = [sys.executable, "-c", script, str(installation.library), str(corpus / f"{EVERYTHING}.darshan")]
        found[size] = bytes.fromhex(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)
    assert found["32"][:32] == found["40"][:32] and found["32"][32:56] == found["40"][40:64]


BAD = [bad.file for bad in badlogs.bad_logs()]


@pytest.mark.parametrize("file", BAD)
def test_damaged_logs(file, installation, corpus):
    """In a process of its own: no crash, and records before the damage are handed out."""
    script = ("import capi, sys, json\n"
              "api = capi.load(sys.argv[1]); log = api.open(sys.argv[2])\n"
              "if not log: print(json.dumps(None)); sys.exit()\n"
              "api.job(log), api.exe(log), api.mounts(log), api.names(log)\n"
              "counts = {}\n"
              "for name, _, _, ident, _ in api.modules(log):\n"
              "    counts[ident] = 0\n"
              "    while counts[ident] < 2000 and api.ids(log, ident, 1): counts[ident] += 1\n"
              "    api.plain(log, ident, 100)\n"
              "api.close(log); print(json.dumps(counts))\n")
    command = [sys.executable, "-c", script, str(installation.library), str(corpus / "bad" / file)]
    done = subprocess.run(command, env=dict(os.environ, PYTHONPATH=str(conftest.HERE)), capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    with (corpus / "bad" / "INDEX.tsv").open() as index:
        row = next(row for row in csv.DictReader(index, delimiter="\t") if row["file"] == file)
    if row["opens"] == "no":
        assert counts is None
    for entry in row["records"].split(",") if row["records"] else []:
        module, sign, count = entry.partition(">=") if ">=" in entry else entry.partition("=")
        ident = decoder.MODULE_NAMES.index(module) if module in decoder.MODULE_NAMES else None
        if ident is not None and sign and counts is not None:
            found = counts.get(str(ident), 0)
            assert found == int(count) if sign == "=" else found >= int(count)
