"""trikal diff: finds what was changed, nothing else, and says so with its exit code."""

import copy
import json
import random

import pytest

import decoder
import encoder
from ground.lookup8 import hash64
from ground.model import Module
from ground.synth import Maker
from ground.tables import MODULE_IDS
from log_files import OURS, REAL, by_name, reads_logs

ALL = {"POSIX": 4, "MPI-IO": 3, "STDIO": 2, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 3, "PNETCDF_VAR": 1, "BG/Q": 2,
       "LUSTRE": 2, "DXT_POSIX": 2, "DXT_MPIIO": 3, "MDHIM": 1, "APXC": 1, "APMPI": 1, "HEATMAP": 1, "DFS": 1,
       "DAOS": 1}


def make(modules=ALL, seed=1, **more):
    return Maker(random.Random(seed)).log("3.41", modules, **more)


@pytest.fixture
def pair(trikal, tmp_path):
    """Writes two logs and compares them: (exit code, JSON)."""
    def run(a, b, *options):
        for name, log in (("a", a), ("b", b)):
            (tmp_path / name).write_bytes(log if isinstance(log, bytes) else encoder.encode(log))
        done = trikal("diff", "--json", *options, tmp_path / "a", tmp_path / "b")
        assert done.returncode in (0, 1), done.stderr.decode()
        found = json.loads(done.stdout)
        assert found["schema"] == "trikal-diff" and found["schema_version"] == 1
        assert found["differs"] == bool(done.returncode)
        return done.returncode, found
    return run


def changes(found):
    return [(module["module"], record["rank"], change["name"], change["a"], change["b"])
            for module in found["modules"] for record in module["records"] for change in record.get("changes", [])]


def records_of(log, module):
    return log.modules[MODULE_IDS[module]].records


@pytest.mark.parametrize("module", ALL)
def test_a_log_is_the_same_as_itself(pair, module):
    log = make({module: ALL[module]})
    assert pair(log, log)[0] == 0


@pytest.mark.parametrize("module", [m for m in ALL if m not in (
    "LUSTRE", "DXT_POSIX", "DXT_MPIIO", "APXC", "APMPI", "HEATMAP")])
def test_one_counter_changed_is_exactly_what_is_found(pair, module):
    for way in range(12):
        log = make({module: ALL[module]}, seed=way)
        other = copy.deepcopy(log)
        record = random.Random(way).choice(records_of(other, module))
        name = random.Random(way + 99).choice([n for n in record["counters"] if n != "MDHIM_SERVERS"])
        before = record["counters"][name]
        record["counters"][name] = before + 1 if isinstance(before, int) else before + 0.5 + abs(before)
        code, found = pair(log, other)
        assert code == 1
        assert changes(found) == [(module, record["rank"], name, before, record["counters"][name])]
        assert found["compared"] == 3 and found["differing"] == 1 and found["job"] == []


def test_apmpi_and_apxc(pair):
    log = make({"APMPI": 1, "APXC": 1})
    records_of(log, "APMPI")[0]["sync_flag"] = 0
    other = copy.deepcopy(log)
    perf = records_of(other, "APMPI")[1]
    perf["counters"]["MPI_BCAST_CALL_COUNT"] = 77
    perf["counters"]["MPI_BARRIER_TOTAL_SYNC_TIME"] = 5.0  # means nothing: waiting was not timed
    records_of(other, "APXC")[2]["chassis"] = 1000
    _, found = pair(log, other)
    assert [(c[0], c[2], c[4]) for c in changes(found)] == [
        ("APXC", "APXC_CHASSIS", 1000), ("APMPI", "MPI_BCAST_CALL_COUNT", 77)]


def test_the_header_of_apmpi_counts_wherever_it_is_paired(pair):
    """Sync times count when the header says so, also if the header itself is the same or has no counterpart."""
    log = make({"APMPI": 1})
    records_of(log, "APMPI")[0]["sync_flag"] = 1
    other = copy.deepcopy(log)
    perf = records_of(other, "APMPI")[1]["counters"]
    before, perf["MPI_BARRIER_TOTAL_SYNC_TIME"] = perf["MPI_BARRIER_TOTAL_SYNC_TIME"], 12345.5
    assert changes(pair(log, other)[1]) == [("APMPI", 0, "MPI_BARRIER_TOTAL_SYNC_TIME", before, 12345.5)]
    records_of(other, "APMPI")[0]["rank"] = 9
    assert changes(pair(log, other)[1]) == [("APMPI", 0, "MPI_BARRIER_TOTAL_SYNC_TIME", before, 12345.5)]


def test_lustre_components(pair):
    log = make({"LUSTRE": 2})
    other = copy.deepcopy(log)
    record = records_of(other, "LUSTRE")[1]
    record["components"][0]["STRIPE_SIZE"] = 12345
    assert [c[2:] for c in changes(pair(log, other)[1])] == [
        ("LUSTRE_COMP1_STRIPE_SIZE", records_of(log, "LUSTRE")[1]["components"][0]["STRIPE_SIZE"], 12345)]
    record["components"].append(dict(record["components"][0], OST_IDS=[7], STRIPE_COUNT=1))
    found = changes(pair(log, other)[1])
    number = len(record["components"])
    assert ("LUSTRE_NUM_COMPONENTS", number - 1, number) in [c[2:] for c in found]
    assert (f"LUSTRE_COMP{number}_OST_ID_0", None, 7) in [c[2:] for c in found]


def test_heatmap_is_about_time(pair):
    log = make({"HEATMAP": 1, "STDIO": 2})
    log.modules[MODULE_IDS["HEATMAP"]].records = [dict(r, rank=i) for i, r in enumerate(records_of(log, "HEATMAP"))]
    other = copy.deepcopy(log)
    records_of(other, "HEATMAP")[0]["reads"][2] += 10
    code, found = pair(log, other)
    assert code == 1 and [c[2] for c in changes(found)] == ["HEATMAP_READ_BIN_2"]
    assert pair(log, other, "--ignore-times")[0] == 0


def trace(writes, reads, rank=0, ident=5):
    return {"id": ident, "rank": rank, "shared": 0, "host": b"n1", "writes": writes, "reads": reads}


def test_traces_by_sum_and_by_segment(pair):
    log = make({"DXT_POSIX": 2})
    log.modules[MODULE_IDS["DXT_POSIX"]] = Module(2, [trace([(0, 10, 1.0, 2.0, 1), (10, 10, 2.0, 3.0, 1)],
                                                            [(0, 4, 5.0, 6.0, 1)])])
    same_sums = copy.deepcopy(log)
    records_of(same_sums, "DXT_POSIX")[0]["writes"] = [(0, 12, 1.0, 2.0, 7), (12, 8, 2.0, 3.0, 8)]
    assert pair(log, same_sums)[0] == 0
    code, found = pair(log, same_sums, "--segments")
    assert code == 1
    assert [c[2:] for c in changes(found)] == [("write[0].length", 10, 12), ("write[1].offset", 10, 12),
                                               ("write[1].length", 10, 8)]
    longer = copy.deepcopy(log)
    records_of(longer, "DXT_POSIX")[0]["reads"].append((4, 6, 6.0, 6.5, 1))
    expected = [("read_count", 1, 2), ("read_bytes", 4, 10), ("read_time", 1.0, 1.5), ("last_end", 6.0, 6.5)]
    assert [c[2:] for c in changes(pair(log, longer)[1])] == expected
    assert [c[2:] for c in changes(pair(log, longer, "--segments")[1])] == [
        *expected, ("read[1]", None, "offset 4 length 6")]
    assert [c[2] for c in changes(pair(log, longer, "--ignore-times")[1])] == ["read_count", "read_bytes"]


def test_tolerances(pair):
    log = make({"STDIO": 2})
    counters = records_of(log, "STDIO")[0]["counters"]
    counters["STDIO_READS"], counters["STDIO_F_READ_TIME"] = 1000, 10.0
    other = copy.deepcopy(log)
    records_of(other, "STDIO")[0]["counters"].update(STDIO_READS=1009, STDIO_F_READ_TIME=10.05)
    assert [c[2] for c in changes(pair(log, other)[1])] == ["STDIO_READS", "STDIO_F_READ_TIME"]
    assert [c[2] for c in changes(pair(log, other, "--rel", "0.006")[1])] == ["STDIO_READS"]
    assert [c[2] for c in changes(pair(log, other, "--abs", "0.1")[1])] == ["STDIO_READS"]
    assert pair(log, other, "--rel", "0.01")[0] == 0
    assert pair(log, other, "--abs", "9")[0] == 0
    assert [c[2] for c in changes(pair(log, other, "--ignore-times")[1])] == ["STDIO_READS"]


def test_records_only_on_one_side(pair):
    log = make({"POSIX": 4, "STDIO": 2})
    other = copy.deepcopy(log)
    gone = records_of(other, "POSIX").pop(0)
    extra = dict(copy.deepcopy(records_of(log, "STDIO")[0]), rank=40)
    records_of(other, "STDIO").append(extra)
    _, found = pair(log, other)
    lone = [(m["module"], r["status"], r["rank"], r.get("id", r.get("id_b"))) for m in found["modules"] for r in m["records"]]
    assert lone == [("POSIX", "only_a", gone["rank"], str(gone["id"])), ("STDIO", "only_b", 40, str(extra["id"]))]
    assert (found["only_a"], found["only_b"], found["differing"], found["compared"]) == (1, 1, 0, 5)
    assert pair(log, other, "--module", "H5D")[0] == 0


def test_order_does_not_matter_and_repeated_records_pair_up(pair):
    log = make({"POSIX": 4}, count=40)
    records = records_of(log, "POSIX")
    records += [copy.deepcopy(records[3]) for _ in range(3)]
    other = copy.deepcopy(log)
    random.Random(5).shuffle(records_of(other, "POSIX"))
    code, found = pair(log, other)
    assert code == 0 and found["compared"] == 43
    records_of(other, "POSIX").append(copy.deepcopy(records[3]))
    assert pair(log, other)[1]["only_b"] == 1


def test_little_memory_gives_the_same_answer(pair):
    log = make({"POSIX": 4}, count=300)
    other = copy.deepcopy(log)
    for record in records_of(other, "POSIX")[::7]:
        record["counters"]["POSIX_READS"] += 3
    del records_of(other, "POSIX")[5]
    whole, parts = pair(log, other)[1], pair(log, other, "--limit", "100K")[1]
    assert sorted(changes(whole)) == sorted(changes(parts)) and len(changes(whole)) == 43
    for key in ("compared", "differing", "only_a", "only_b", "changes"):
        assert whole[key] == parts[key]


def test_too_little_memory_is_said(trikal, tmp_path):
    (tmp_path / "a").write_bytes(encoder.encode(make({"POSIX": 4}, count=20)))
    done = trikal("diff", "--limit", "1K", tmp_path / "a", tmp_path / "a")
    assert done.returncode == 5 and b"--limit" in done.stderr


def test_by_name(pair):
    log = make({"POSIX": 4})
    other = copy.deepcopy(log)
    moved = {}
    other.names = []
    for ident, name in log.names:
        new = b"/elsewhere" + name
        moved[ident] = hash64(new)
        other.names.append((moved[ident], new))
    for record in records_of(other, "POSIX"):
        record["id"] = moved[record["id"]]
    known = records_of(log, "POSIX")[1]["id"]
    records_of(log, "POSIX")[0]["counters"]["POSIX_RENAMED_FROM"] = known
    records_of(other, "POSIX")[0]["counters"]["POSIX_RENAMED_FROM"] = moved[known]
    code, found = pair(log, other)
    assert code == 1 and found["only_a"] == found["only_b"] == 3
    code, found = pair(log, other, "--by", "name")
    assert code == 0 and found["compared"] == 3
    records_of(other, "POSIX")[2]["counters"]["POSIX_STATS"] += 1
    _, found = pair(log, other, "--by", "name")
    assert [c[2] for c in changes(found)] == ["POSIX_STATS"]
    record = found["modules"][0]["records"][0]
    assert record["name_b"] == "/elsewhere" + record["name"]


def test_versions_are_compared_in_their_newest_form(pair):
    """The same log stored by an old and a new container; and one written by an older runtime."""
    old = Maker(random.Random(3)).log("3.10", {"POSIX": 3, "STDIO": 1, "MPI-IO": 2})
    data = encoder.encode(old)
    code, found = pair(data, encoder.rewrite(data), "--ignore-job")
    assert code == 0, changes(found)
    posix = next(m for m in found["modules"] if m["module"] == "POSIX")
    assert (posix["a"]["version"], posix["b"]["version"], posix["counters_left_out"]) == (3, 4, 5)


def test_job_fields(pair):
    log = make({"POSIX": 4})
    other = copy.deepcopy(log)
    other.job.update(nprocs=log.job["nprocs"] + 4, end_sec=log.job["end_sec"] + 100)
    other.metadata = log.metadata + b"extra=1\n"
    _, found = pair(log, other)
    assert {c["name"] for c in found["job"]} == {"nprocs", "end_time", "run_time", "metadata extra"}
    assert [c["name"] for c in pair(log, other, "--ignore-times")[1]["job"]] == ["nprocs", "metadata extra"]
    assert pair(log, other, "--ignore-job")[0] == 0


def test_incomplete_on_one_side(pair):
    log = make({"POSIX": 4})
    other = copy.deepcopy(log)
    other.partial = 1 << MODULE_IDS["POSIX"]
    code, found = pair(log, other)
    assert code == 1 and found["modules"][0]["b"]["incomplete"]


def test_text_puts_the_largest_change_first(trikal, tmp_path):
    log = make({"POSIX": 4})
    for record in records_of(log, "POSIX"):
        record["counters"].update(POSIX_READS=100, POSIX_WRITES=100, POSIX_SEEKS=100)
    other = copy.deepcopy(log)
    first, second, _ = records_of(other, "POSIX")
    first["counters"].update(POSIX_READS=110)
    second["counters"].update(POSIX_WRITES=400, POSIX_SEEKS=101)
    (tmp_path / "a").write_bytes(encoder.encode(log))
    (tmp_path / "b").write_bytes(encoder.encode(other))
    text = trikal.text("diff", "--counters", tmp_path / "a", tmp_path / "b", code=1)
    names = log.name_table
    assert (text.index(names[second["id"]].decode() + "\n") < text.index("POSIX_WRITES") < text.index("POSIX_SEEKS")
            < text.index(names[first["id"]].decode() + "\n") < text.index("POSIX_READS"))
    assert "+300.0 %" in text and "+10.0 %" in text and "2 of 3 records" in text
    assert "POSIX_READS" not in trikal.text("diff", "--max", "1", tmp_path / "a", tmp_path / "b", code=1)
    assert trikal.text("diff", "-q", tmp_path / "a", tmp_path / "b", code=1) == ""
    assert "the same" in trikal.text("diff", tmp_path / "a", tmp_path / "a")


def test_names_cannot_drive_the_terminal(trikal, tmp_path):
    log = make({"STDIO": 2}, count=1)
    log.names = [(records_of(log, "STDIO")[0]["id"], b"/x/\x1b[31m\xff")]
    other = copy.deepcopy(log)
    records_of(other, "STDIO")[0]["counters"]["STDIO_READS"] += 1
    (tmp_path / "a").write_bytes(encoder.encode(log))
    (tmp_path / "b").write_bytes(encoder.encode(other))
    done = trikal("diff", "--counters", tmp_path / "a", tmp_path / "b")
    assert b"\x1b" not in done.stdout and b"\\x1b[31m\\xff" in done.stdout
    done = json.loads(trikal("diff", "--json", tmp_path / "a", tmp_path / "b").stdout)
    assert done["modules"][0]["records"][0]["name"] == "/x/\x1b[31m\udcff"


PAIRS = [("job-3.4.1-le", "job-3.5.0-be"), ("job-3.1.7-be", "job-3.3.0-le"), ("job-3.1.0-be", "job-3.1.0-le"),
         ("mpi-io-test-x86_64-3.4.4", "mpi-io-test-x86_64-3.4.7"), ("mpi-io-test-ppc64-3.1.7", "mpi-io-test-x86_64-3.1.8"),
         ("dlio-3116902-2110365", "dlio-3116902-2110367")]


@reads_logs
@pytest.mark.parametrize("a, b", [pair for pair in PAIRS if all(map(by_name, pair))])
def test_pairs_agree_with_the_decoder(trikal, a, b):
    """Every counter of two logs compared here as well, with other code."""
    def counters(name):
        log, _, _ = decoder.decode(by_name(name).read_bytes())
        return {(r["id"], r["rank"], c): v for r in log.modules[MODULE_IDS["POSIX"]].records
                for c, v in r["counters"].items()}
    done = trikal("diff", "--json", "--module", "posix", by_name(a), by_name(b))
    in_a, in_b = counters(a), counters(b)
    both = {r for r in {k[:2] for k in in_a} if r in {k[:2] for k in in_b}}
    expected = {(k[1], k[2], in_a[k], in_b[k]) for k in in_a if k[:2] in both and in_a[k] != in_b[k]}
    found = json.loads(done.stdout)
    assert {c[1:] for c in changes(found)} == expected
    assert found["compared"] == len(both)
    assert both or not a.startswith("job-")


@reads_logs
@pytest.mark.parametrize("codec, order, version", [(1, "<", "3.41"), (2, ">", "3.41"), (0, ">", "3.21")])
def test_logs_stored_differently_are_the_same(trikal, tmp_path, codec, order, version):
    compared = 0
    for path in OURS[::3] + REAL[::4]:
        try:
            data = encoder.rewrite(path.read_bytes(), version, order, codec)
        except ValueError:
            continue  # the old container has no slot for one of its modules
        (tmp_path / "again").write_bytes(data)
        options = [] if version == "3.41" else ["--ignore-job"]
        done = trikal("diff", *options, "--segments", path, tmp_path / "again")
        assert done.returncode == 0, (path.name, done.stdout.decode(), done.stderr.decode())
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("args, code, words", [
    (["nowhere", "nowhere"], 3, "No such file"),
    (["-", "-"], 2, "standard input"),
    (["--by", "size", "a", "a"], 2, "--by"),
    (["--rel", "-1", "a", "a"], 2, "--rel"),
    (["--module", "PASCAL", "a", "a"], 2, "PASCAL"),
    (["a"], 2, "two logs"),
    (["a", "text"], 4, "not a Darshan log"),
    (["a", "short"], 4, "short"),
])
def test_what_cannot_be_compared(trikal, tmp_path, monkeypatch, args, code, words):
    monkeypatch.chdir(tmp_path)
    data = encoder.encode(make({"POSIX": 4}))
    (tmp_path / "a").write_bytes(data)
    (tmp_path / "text").write_text("hello " * 1000)
    (tmp_path / "short").write_bytes(data[:-20])
    done = trikal("diff", *args)
    assert done.returncode == code, done.stderr
    assert words in done.stderr.decode()


def test_salvaged_logs_are_compared_but_not_called_the_same(trikal, tmp_path):
    data = encoder.encode(make({"POSIX": 4}))
    (tmp_path / "short").write_bytes(data[:-20])
    done = trikal("diff", "--salvage", tmp_path / "short", tmp_path / "short")
    assert done.returncode == 4 and b"short" in done.stderr


def test_standard_input(trikal, tmp_path):
    data = encoder.encode(make({"POSIX": 4}))
    (tmp_path / "a").write_bytes(data)
    assert trikal("diff", tmp_path / "a", "-", stdin=data).returncode == 0
