"""The text rules with literal results: decoder and corpus share that code, so nothing else
would notice a mistake in it where no real logs are at hand."""

import math

from ground import text
from ground.model import Log, Module
from ground.synth import text_of
from ground.tables import APMPI_GLOBAL, APMPI_INTS, APMPI_SYNC, APMPI_TIMES

COMP = {"STRIPE_SIZE": 1 << 20, "STRIPE_COUNT": 2, "STRIPE_PATTERN": 4, "FLAGS": 0x11,
        "EXT_START": 0, "EXT_END": -1, "MIRROR_ID": 0, "POOL_NAME": b"", "OST_IDS": [7, 9]}


def lines(ident, *records, mounts=False, names=(), mount_list=()):
    log = Log(names=list(names), text=text_of(b"./a", mount_list),
              modules={ident: Module(1, list(records))})
    return list(text.base_lines(log, mounts))


def record(**more):
    return {"id": 5, "rank": -1, "counters": {"X": 1}, **more}


def test_lustre():
    second = {**COMP, "STRIPE_PATTERN": 3, "FLAGS": -1, "POOL_NAME": b"p", "STRIPE_COUNT": 0,
              "OST_IDS": []}
    third = {**second, "FLAGS": 0, "STRIPE_PATTERN": 2}
    found = lines(8, {"id": 5, "rank": 0, "components": [COMP, second, third]}, names=[(5, b"f")])
    shown = [line.split(b"\t")[3:5] for line in found]
    assert [line.split(b"\t")[5] for line in found] == [b"f"] * len(found)
    assert [b"=".join(pair).decode() for pair in shown] == """LUSTRE_NUM_COMPONENTS=3
LUSTRE_NUM_STRIPES=2
LUSTRE_COMP1_STRIPE_SIZE=1048576
LUSTRE_COMP1_STRIPE_COUNT=2
LUSTRE_COMP1_STRIPE_PATTERN=raid0,overstriped
LUSTRE_COMP1_FLAGS=stale,init
LUSTRE_COMP1_EXT_START=0
LUSTRE_COMP1_EXT_END=-1
LUSTRE_COMP1_MIRROR_ID=0
LUSTRE_COMP1_POOL_NAME=N/A
LUSTRE_COMP1_OST_ID_0=7
LUSTRE_COMP1_OST_ID_1=9
LUSTRE_COMP2_STRIPE_SIZE=1048576
LUSTRE_COMP2_STRIPE_COUNT=0
LUSTRE_COMP2_STRIPE_PATTERN=N/A
LUSTRE_COMP2_FLAGS=N/A
LUSTRE_COMP2_EXT_START=0
LUSTRE_COMP2_EXT_END=-1
LUSTRE_COMP2_MIRROR_ID=0
LUSTRE_COMP2_POOL_NAME=p
LUSTRE_COMP3_STRIPE_SIZE=1048576
LUSTRE_COMP3_STRIPE_COUNT=0
LUSTRE_COMP3_STRIPE_PATTERN=mdt
LUSTRE_COMP3_FLAGS=0
LUSTRE_COMP3_EXT_START=0
LUSTRE_COMP3_EXT_END=-1
LUSTRE_COMP3_MIRROR_ID=0
LUSTRE_COMP3_POOL_NAME=p""".splitlines()


def test_heatmap_shows_reads_first():
    found = lines(15, {"id": 5, "rank": 3, "bin_width": 0.1, "writes": [10, 20], "reads": [1, 2]})
    assert found == [b"HEATMAP\t3\t5\tHEATMAP_F_BIN_WIDTH_SECONDS\t0.100000\t(null)"] + [
        b"HEATMAP\t3\t5\tHEATMAP_%s_BIN_%d\t%d\t(null)" % cell for cell in (
            (b"READ", 0, 1), (b"READ", 1, 2), (b"WRITE", 0, 10), (b"WRITE", 1, 20))]


def test_first_name_that_is_not_empty_wins():
    assert lines(1, record(), names=[(5, b""), (5, b"b"), (5, b"c")])[0].endswith(b"\tb")
    assert lines(1, record(), names=[(5, b"")])[0].endswith(b"\t")


def test_missing_names():
    assert lines(1, record()) == [b"POSIX\t-1\t5\tX\t1\t(null)"]
    assert lines(7, record()) == [b"BG/Q\t-1\t5\tX\t1\tdarshan-bgq-record"]


def test_longest_mount_wins_and_is_a_plain_prefix():
    mounts = [(b"/", b"ext4"), (b"/s", b"one"), (b"/s/deep", b"two"), (b"/t", b"x"), (b"/t", b"y")]
    for name, tail in ((b"/s/deep/f", b"/s/deep\ttwo"), (b"/slow/f", b"/s\tone"),
                       (b"/other", b"/\text4"), (b"/t/f", b"/t\tx"), (b"f", b"UNKNOWN\tUNKNOWN")):
        found, = lines(1, record(), mounts=True, names=[(5, name)], mount_list=mounts)
        assert found == b"POSIX\t-1\t5\tX\t1\t" + name + b"\t" + tail


def test_records_with_a_containing_file():
    for ident, module in ((4, b"H5D"), (6, b"PNETCDF_VAR")):
        found = lines(ident, record(file_rec_id=(1 << 64) - 1))
        assert found[-1] == module + b"\t-1\t5\t" + module + (
            b"_FILE_REC_ID\t18446744073709551615\t(null)")


def test_daos_and_dfs():
    ids = {"pool_uuid": bytes(range(16)), "cont_uuid": b"\xff" * 16, "oid_hi": 12, "oid_lo": 34}
    pair = b"00010203-0405-0607-0809-0a0b0c0d0e0f:ffffffff-ffff-ffff-ffff-ffffffffffff"
    assert lines(17, record(**ids), mounts=True) == [b"DAOS\t-1\t5\tX\t1\t12.34\t" + pair + b"\tN/A"]
    assert lines(16, record(**ids), mounts=True, names=[(5, b"n")]) == [
        b"DFS\t-1\t5\tX\t1\tn\t" + pair + b"\tN/A"]
    ids["cont_uuid"] = bytes(16)
    assert lines(16, record(**ids), mounts=True)[0].endswith(b"(null)\tUNKNOWN\tN/A")


def test_mdhim_prints_its_servers_only():
    for servers, histogram in ((0, [9]), (1, [9]), (3, [7, 8, 9])):
        counters = {"MDHIM_SERVERS": servers}
        found = lines(12, record(counters=counters, histogram=histogram))
        assert [line.split(b"\t")[3] for line in found[1:]] == [
            b"MDHIM_SERVER_%d" % i for i in range(servers)]


def test_apmpi_shows_sync_times_when_flagged():
    names = APMPI_INTS + APMPI_TIMES + APMPI_SYNC + APMPI_GLOBAL
    perf = {"id": 6, "rank": 1, "kind": "perf", "node": b"nid1", "counters": {
        name: (1 << 64) - 1 if name in APMPI_INTS else 0.5 for name in names}}
    for sync, header_lines, perf_names in ((0, 1, APMPI_INTS + APMPI_TIMES + APMPI_GLOBAL[:1]),
                                           (1, 2, names)):
        header = {"id": 5, "rank": 0, "kind": "header", "sync_flag": sync, "variance_time": 1.0,
                  "variance_sync": 2.0}
        found = lines(14, header, perf, mounts=True)
        assert found[:2][-1 if header_lines == 2 else 0] == (
            b"APMPI\t0\t5\tMPI_TOTAL_COMM_SYNC_TIME_VARIANCE\t2.000000\t\t\t" if sync else
            b"APMPI\t0\t5\tMPI_TOTAL_COMM_TIME_VARIANCE\t1.000000\t\t\t")
        assert found[header_lines] == b"APMPI\t1\t6\tMPI_PROCESSOR_NAME\tnid1\t\t\t"
        assert [line.split(b"\t")[3].decode() for line in found[header_lines + 1:]] == perf_names
        assert found[header_lines + 1].split(b"\t")[4] == b"18446744073709551615"


def test_dxt_lines():
    trace = {"id": 5, "rank": 2, "host": b"h", "writes": [(0, 10, 0.00004, 0.00006, None)],
             "reads": [(-1, 5, 1.0, 2.5, 77)]}
    log = Log(modules={11: Module(2, [trace])}, names=[(5, b"/f")])
    assert list(text.dxt_lines(log)) == [
        b"X_MPIIO\t5\t2\th\twrite\t0\t0\t10\t0.0000\t0.0001\t/f",
        b"X_MPIIO\t5\t2\th\tread\t0\t-1\t5\t1.0000\t2.5000\t/f"]
    assert list(text.base_lines(log)) == []


def test_numbers():
    shown = {0.1: b"0.100000", -0.0: b"-0.000000", math.inf: b"inf", -math.inf: b"-inf",
             1e22: b"10000000000000000000000.000000"}
    assert {value: text.number(value) for value in shown} == shown
    assert (text.number(math.nan), text.number(-math.nan)) == (b"nan", b"-nan")
    assert text.number(-5) == b"-5"


def test_run_time_and_text():
    log = Log(job={"start_sec": 10, "end_sec": 12, "start_nsec": 5 * 10**8, "end_nsec": 0})
    assert log.runtime == 1.5
    log.version = "3.21"
    assert log.runtime == 3.0
    log.text = b"exe only"
    assert (log.exe, log.mounts) == (b"exe only", [])
    log.metadata = b"a=b=c\nnothing\nd=\n"
    assert log.meta_pairs() == [(b"a", b"b=c"), (b"d", b"")]
