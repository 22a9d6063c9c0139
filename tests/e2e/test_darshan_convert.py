"""darshan-convert and darshan-merge by name: their options, what they write, how they end."""

import random
import stat

import pytest

import decoder
import encoder
from ground.synth import Maker
from ground.tables import CURRENT, MODULE_IDS, MODULE_NAMES
from log_files import OURS, REAL, each
from tool import run

RELEASED = {**CURRENT, "DXT_POSIX": 1, "DXT_MPIIO": 2}
FIXED = {"POSIX": 4, "MPI-IO": 3, "STDIO": 2}


def convert(*words):
    return run(*words, program="darshan-convert")


def merge(*words):
    return run(*words, program="darshan-merge")


def read(path):
    log, damage, header = decoder.decode(path.read_bytes())
    assert not damage
    return log, header


def written(done, path):
    """What a run that must succeed has written, by the independent decoder."""
    assert done.returncode == 0 and not done.stdout, done.stderr
    return read(path)[0]


@pytest.fixture
def one_log(tmp_path):
    log = Maker(random.Random(5)).log("3.41", FIXED)
    log.job.update(uid=1001, jobid=77)
    log.metadata = b"lib_ver=3.5.0\nh=romio\n"
    path = tmp_path / "in.darshan"
    path.write_bytes(encoder.encode(log))
    return path


@each(OURS[::4] + REAL[::6])
def test_a_converted_log_has_the_same_records_in_the_newest_form(log, tmp_path):
    out = tmp_path / "out.darshan"
    after = written(convert(log, out), out)
    header = read(out)[1]
    assert header.version == "3.41" and header.codec == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o400
    for ident, module in after.modules.items():
        assert module.version == RELEASED[MODULE_NAMES[ident]]
    assert run("diff", "--segments", log, out).returncode == 0


def test_what_it_writes_is_what_trikal_convert_writes(one_log, tmp_path):
    for theirs, ours in [([], []), (["--bzip2"], ["--bzip2"]), (["--obfuscate"], ["--obfuscate"]),
                         (["--obfuscate", "--key", "7"], ["--obfuscate", "--key", "7"]),
                         (["--annotate", "a=1\tb=2"], ["--annotate", "a=1\tb=2"]),
                         (["--reset-md"], ["--reset-md"])]:
        mine, other = tmp_path / "mine", tmp_path / "other"
        done = convert(*theirs, one_log, mine)
        assert done.returncode == 0, (theirs, done.stderr)
        assert run("convert", "--force", *ours, one_log, other).returncode == 0
        assert mine.read_bytes() == other.read_bytes(), theirs


def test_bzip2(one_log, tmp_path):
    out = tmp_path / "out"
    assert convert("--bzip2", one_log, out).returncode == 0
    after, header = read(out)
    assert header.codec == 1 and after.modules == read(one_log)[0].modules


@pytest.mark.parametrize("option, hidden", [
    ("--obfuscate", {"uid", "jobid", "exe", "names"}), ("--obfuscate_uid", {"uid"}),
    ("--obfuscate_jobid", {"jobid"}), ("--obfuscate_exe", {"exe"}), ("--obfuscate_names", {"names"})])
def test_what_each_kind_of_hiding_hides(one_log, tmp_path, option, hidden):
    def facts(log):
        return {"uid": log.job["uid"], "jobid": log.job["jobid"], "exe": log.text.split(b"\n")[0],
                "names": [name for _, name in log.names]}
    out = tmp_path / "out"
    before, after = facts(read(one_log)[0]), facts(written(convert(option, one_log, out), out))
    assert {what for what in before if before[what] != after[what]} == hidden
    if "uid" in hidden:
        assert 0 <= after["uid"] < 1 << 32
    if "exe" in hidden:
        assert after["exe"].isdigit()
    if "names" in hidden:
        assert all(name.split(b"/")[-1].isdigit() for name in after["names"])
    other = facts(written(convert(option, "--key", "-3", one_log, tmp_path / "key"), tmp_path / "key"))
    assert {what for what in before if after[what] != other[what]} == hidden


def test_metadata(one_log, tmp_path):
    def metadata(*options):
        out = tmp_path / "out"
        return written(convert(*options, one_log, out), out).metadata
    assert metadata("--annotate", "who=me\twhy=test") == b"lib_ver=3.5.0\nh=romio\nwho=me\nwhy=test\n"
    assert metadata("--reset-md") == b""
    assert metadata("--reset-md", "--annotate", "a=b") == b"a=b\n"
    assert metadata("--annotate", "first=1", "--annotate", "last=2") == b"lib_ver=3.5.0\nh=romio\nlast=2\n"


def test_one_record(one_log, tmp_path):
    ident = read(one_log)[0].modules[MODULE_IDS["STDIO"]].records[1]["id"]
    out = tmp_path / "out"
    after = written(convert("--file", ident, one_log, out), out)
    assert [(m, [r["id"] for r in module.records]) for m, module in after.modules.items() if module.records] == [
        (MODULE_IDS["STDIO"], [ident])]
    assert [name[0] for name in after.names] == [ident]
    assert not written(convert("--file", "12345", one_log, out), out).names  # nothing fits: a log without records
    assert written(convert("--file", "0", one_log, out), out).modules == read(one_log)[0].modules


@pytest.mark.parametrize("words, code, said", [
    ([], 1, b"IN OUT expected"), (["in.darshan"], 1, b"IN OUT expected"),
    (["in.darshan", "b", "c"], 1, b"IN OUT expected"), (["--nonsense", "in.darshan", "out"], 1, b"nonsense"),
    (["--key", "x", "in.darshan", "out"], 1, b"--key"), (["--file", "12x", "in.darshan", "out"], 1, b"--file"),
    (["--file", "", "in.darshan"], 1, b"IN OUT"), (["missing", "out"], 255, b"missing"),
    (["text", "out"], 255, b"not a Darshan log"), (["short", "out"], 255, b"short"),
    (["in.darshan", "no/such/folder"], 255, b"no/such/folder"), (["in.darshan", "."], 255, b"regular file"),
    (["--help"], 0, b"Usage: darshan-convert"), (["--version"], 0, b"darshan-convert of trikal")])
def test_convert_ends(one_log, tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("no log " * 500)
    (tmp_path / "short").write_bytes(one_log.read_bytes()[:-40])
    done = convert(*words)
    assert done.returncode == code and said in done.stdout + done.stderr, done
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob("*.partial-*"))


def test_an_existing_output_is_replaced_and_may_be_the_input(one_log, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    assert read(one_log)[0].modules == written(convert(one_log, out), out).modules
    before = read(one_log)[0].modules
    assert written(convert(one_log, one_log), one_log).modules == before


@pytest.fixture
def ranks(tmp_path):
    """Logs of four ranks of one job: one POSIX file they all use, one STDIO file each."""
    def one(rank):
        maker = Maker(random.Random(40 + rank), nprocs=4)
        log = maker.log("3.41", FIXED, count=1)
        log.job.update(nprocs=4, start_sec=1000 + rank, end_sec=2000 + rank, jobid=9)
        for module in log.modules.values():
            for record in module.records:
                record["rank"] = rank
        shared = log.modules[MODULE_IDS["POSIX"]].records[0]
        log.names = [entry for entry in log.names if entry[0] != shared["id"]] + [(4711, b"/scratch/shared")]
        shared["id"] = 4711
        shared["counters"].update(POSIX_OPENS=1 + rank, POSIX_BYTES_READ=100, POSIX_F_OPEN_START_TIMESTAMP=5.0)
        path = tmp_path / f"rank-{rank}.darshan"
        path.write_bytes(encoder.encode(log))
        return path
    return [one(rank) for rank in range(4)]


def records_of(log, module):
    return log.modules[MODULE_IDS[module]].records


def test_merged_logs_follow_one_another(ranks, tmp_path):
    out = tmp_path / "out"
    after = written(merge("--output", out, *ranks), out)
    single = [read(path)[0] for path in ranks]
    for module in FIXED:
        assert records_of(after, module) == [r for log in single for r in records_of(log, module)]
    assert after.job["start_sec"] == 1000 and after.job["end_sec"] == 2003 and after.job["nprocs"] == 4
    exe, *mounts = single[0].text.split(b"\n")
    assert after.text.split(b"\n")[0] == exe and sorted(after.text.split(b"\n")[1:]) == sorted(mounts)
    assert set(after.names) == {entry for log in single for entry in log.names}
    assert after.partial == 0  # so that a parser shows it without being told to
    assert run(out, program="darshan-parser").returncode == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o400


def test_shared_files_become_one_record(ranks, tmp_path):
    out = tmp_path / "out"
    after = written(merge("--shared-redux", "--output", out, *ranks), out)
    shared, *rest = records_of(after, "POSIX")
    assert (shared["id"], shared["rank"], rest) == (4711, -1, [])
    assert shared["counters"]["POSIX_OPENS"] == 1 + 2 + 3 + 4
    assert shared["counters"]["POSIX_BYTES_READ"] == 400
    assert shared["counters"]["POSIX_F_OPEN_START_TIMESTAMP"] == 5.0
    assert len(records_of(after, "STDIO")) == 4


def test_the_end_of_the_job_can_be_given(ranks, tmp_path):
    out = tmp_path / "out"
    assert written(merge("--job-end-time", "5000", "--output", out, *ranks), out).job["end_sec"] == 5000
    assert written(merge("--job-end-time", "0", "--output", out, *ranks), out).job["end_sec"] == 2003


@pytest.mark.parametrize("words, code, said", [
    ([], 1, b"LOG..."), (["--output", "out"], 1, b"LOG..."), (["rank-0.darshan"], 1, b"--output"),
    (["--output", "out", "--job-end-time", "soon", "rank-0.darshan"], 1, b"--job-end-time"),
    (["--output", "out", "--shared", "rank-0.darshan", "missing"], 255, b"missing"),
    (["--output", "out", "rank-0.darshan", "text"], 255, b"text: "),
    (["--output", "out", "rank-0.darshan", "short"], 255, b"short: "),
    (["--output", "out", "rank-0.darshan", "named"], 255, b"named: "),
    (["--output", "no/such/folder", "rank-0.darshan"], 255, b"no/such/folder"),
    (["--help"], 0, b"Usage: darshan-merge"), (["--version"], 0, b"darshan-merge of trikal")])
def test_merge_ends(ranks, tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("no log " * 500)
    (tmp_path / "short").write_bytes(ranks[1].read_bytes()[:-40])
    named = read(ranks[1])[0]
    named.names = [(ident, b"/another/name") for ident, _ in named.names]
    (tmp_path / "named").write_bytes(encoder.encode(named))
    done = merge(*words)
    assert done.returncode == code and said in done.stdout + done.stderr, done
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob("*.partial-*"))
