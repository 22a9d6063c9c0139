"""trikal.pydarshan gives what PyDarshan gives: the same values in the same shapes."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")

import package_tree
import package
import trikal
import trikal.pydarshan
from log_files import each, reads_logs, wrong_in_the_original

LOGS = package.logs()
# What the original computes wrongly in a log, or what it must be asked for in a process of its own, is in tests/pydarshan.
from_pydarshan = pytest.mark.skipif(package.bundled() is None, reason="PyDarshan with its own library is not installed")


def dump(paths):
    """What the real PyDarshan finds, with its own library."""
    script = package_tree.ROOT / "tests" / "pydarshan" / "dump.py"
    done = subprocess.run([sys.executable, str(script), *map(str, paths)], env=package.environment(), capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


@pytest.fixture(scope="module")
def theirs():
    """The original takes the AutoPerf header of a second log for a record: such logs get a process each."""
    alone = [path for path in LOGS if "APMPI" in trikal.open(path).modules]
    together = [path for path in LOGS if path not in alone]
    found = dict(zip(together, dump(together), strict=True))
    found.update((path, dump([path])[0]) for path in alone)
    return found


def comparable(value, skipped):
    """Without counters that are wrong; an empty trace has no columns there, and empty ones here."""
    if isinstance(value, dict):
        pairs = {key: comparable(item, skipped) for key, item in value.items() if key not in skipped}
        return {key: {} if key.endswith("_segments") and not any(item.values()) else item for key, item in pairs.items()}
    return [comparable(item, skipped) for item in value] if isinstance(value, list) else value


def by_position(columns):
    counters = [name for name in columns if name not in ("id", "rank")]
    return {**{str(i): columns[name] for i, name in enumerate(counters)}, "id": columns["id"], "rank": columns["rank"]}


@from_pydarshan
@each(LOGS, argument="path")
def test_values(path, theirs):
    from pydarshan_dump import contents
    skipped = wrong_in_the_original(path)
    mine, expected = comparable(contents(path), skipped), comparable(theirs[path], skipped)
    if mine["records"].get("BG/Q"):  # its columns have no names there, only numbers
        for side in (mine, expected):
            for kind, columns in side["records"]["BG/Q"].items():
                side["records"]["BG/Q"][kind] = by_position(columns)
    if not mine["mounts"]:  # the original does not find the command of such logs (defect 9 of the specification)
        assert mine["metadata"].pop("exe") and not expected["metadata"].pop("exe")
    if any(counter.endswith("_META_TIME") for counter in skipped):  # what is made from a wrong time is wrong too
        for side in (mine, expected):
            side["accumulated"].pop("POSIX", None)
    for part in mine:
        assert mine[part] == expected[part], part


@from_pydarshan
@reads_logs
def test_something_was_compared(theirs):
    modules = {module for log in theirs.values() for module in log["records"]}
    assert modules >= {"POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "LUSTRE", "DXT_POSIX",
                       "DXT_MPIIO", "APMPI", "APXC", "DFS", "DAOS", "BG/Q"}
    assert any(log["heatmaps"] for log in theirs.values())
    assert {module for log in theirs.values() for module in log["accumulated"]} == {"POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"}


def attributes(report):
    """What a script touches, with the types of what it finds."""
    frames = report.records["POSIX"].to_df()
    return {"metadata": sorted(report.metadata["job"]), "module": sorted(report.modules["POSIX"]),
            "counters": [list(report.counters["POSIX"][kind]) for kind in ("counters", "fcounters")],
            "columns": {kind: list(frame.columns) for kind, frame in frames.items()},
            "dtypes": {kind: sorted(set(map(str, frame.dtypes)) - {"uint64"}) for kind, frame in frames.items()},
            "bare": list(report.records["POSIX"].to_df(attach=None)["counters"].columns)[:2],
            "record": {key: type(value).__name__ for key, value in report.records["POSIX"].to_numpy()[0].items()},
            "listed": report.records["POSIX"].to_list(), "json": json.loads(report.records["POSIX"].to_json()),
            "dict": [{key: value if isinstance(value, int) else {name: float(number) for name, number in value.items()}
                      for key, value in record.items()} for record in report.records["POSIX"].to_dict()],
            "first": report.records["POSIX"][0]["counters"].tolist(), "length": len(report.records["POSIX"]),
            "times": [report.start_time.isoformat(), report.end_time.isoformat()],
            "heat": sorted((name, list(map(str, heatmap.to_df(["write"]).columns)), heatmap.to_df(["write"]).index.name,
                            heatmap.to_df(["read", "write"], interval_index=False).to_numpy().tolist())
                           for name, heatmap in report.heatmaps.items())}


@from_pydarshan
def test_shapes(observed):
    """The same script on both, on a log of ours."""
    darshan = pytest.importorskip("darshan")
    assert pathlib.Path(darshan.__file__).parent == package.installed()
    real = attributes(darshan.DarshanReport(str(observed[-1]), read_all=True))
    assert attributes(trikal.pydarshan.DarshanReport(str(observed[-1]), read_all=True)) == real
    assert real["length"] > 3 and real["heat"]


@from_pydarshan
def test_filters(observed):
    darshan = pytest.importorskip("darshan")
    for mode in ("exclude", "include"):
        real = darshan.DarshanReport(str(observed[0]), filter_patterns=[r"mesh\.dat$", "run"], filter_mode=mode)
        mine = trikal.to_darshan_report(trikal.open(observed[0]), filter_patterns=[r"mesh\.dat$", "run"], filter_mode=mode)
        assert mine.name_records == real.name_records
        assert mine.records["POSIX"].to_list() == real.records["POSIX"].to_list() != []
    with pytest.raises(ValueError, match="exclude or include"):
        trikal.to_darshan_report(trikal.open(observed[0]), filter_mode="both")


def reads(report, patterns, mode):
    """A script that reads module by module: what it holds after each step."""
    steps = [lambda: report.mod_read_all_records("POSIX", filter_patterns=patterns, filter_mode=mode),
             lambda: report.mod_read_all_records("STDIO", filter_patterns=["nothing"], filter_mode="include"),
             lambda: report.mod_read_all_records("STDIO", filter_patterns=["stdout"], filter_mode="include", refresh_names=True)]
    for step in steps:
        step()
        yield (report.name_records, {mod: found.to_list() for mod, found in report.records.items()},
               {mod: report.modules[mod].get("num_records") for mod in report.records})


@from_pydarshan
@pytest.mark.parametrize("mode", ["exclude", "include"])
def test_filters_of_single_reads(observed, mode):
    """The first read decides about names, later ones only if they are told to read them again."""
    darshan = pytest.importorskip("darshan")
    patterns = [r"mesh\.dat$", "run"]
    real = darshan.DarshanReport(str(observed[0]), read_all=False)
    mine = trikal.pydarshan.DarshanReport(str(observed[0]), read_all=False)
    for step, (ours, theirs) in enumerate(zip(reads(mine, patterns, mode), reads(real, patterns, mode), strict=True)):
        ours[1].update({mod: [] for mod in theirs[1].keys() - ours[1].keys()})
        assert ours == theirs, step


def filtered(observed, method, *names, **filters):
    report = trikal.pydarshan.DarshanReport(observed[0], read_all=False)
    getattr(report, method)(*names, **filters)
    return report


def test_every_way_to_read_takes_filters(observed):
    """The program reads all of mesh.dat once, and its four workers write checkpoint.dat."""
    mesh = observed[0].parent / "data" / "mesh.dat"
    for method, names in (("mod_read_all_records", ["POSIX"]), ("read_all_generic_records", []), ("read_all", [])):
        alone = filtered(observed, method, *names, filter_patterns=[r"mesh\.dat$"], filter_mode="include")
        (record,) = alone.records["POSIX"].to_dict()
        assert record["counters"]["POSIX_BYTES_READ"] == mesh.stat().st_size > 0
        assert list(alone.name_records.values()) == [str(mesh)] and alone.modules["POSIX"]["num_records"] == 1
        others = filtered(observed, method, *names, filter_patterns=[r"mesh\.dat$"])
        kept = [others.name_records[record["id"]] for record in others.records["POSIX"]]
        assert kept == 4 * [str(mesh.with_name("checkpoint.dat"))]
    with pytest.raises(ValueError, match="exclude or include"):
        filtered(observed, "mod_read_all_records", "POSIX", filter_patterns=["a"], filter_mode="both")


def test_patterns_of_the_constructor_hold_until_a_read_names_others(observed):
    for given, names in ({}, {"mesh.dat"}), ({"filter_patterns": ["checkpoint"], "filter_mode": "include"}, {"checkpoint.dat"}):
        report = trikal.pydarshan.DarshanReport(observed[0], read_all=False, filter_patterns=["mesh"], filter_mode="include")
        report.mod_read_all_records("POSIX", **given)
        assert {pathlib.Path(report.name_records[record["id"]]).name for record in report.records["POSIX"]} == names


@pytest.mark.parametrize("mod,method", [("DXT_POSIX", "mod_read_all_dxt_records"), ("LUSTRE", "mod_read_all_lustre_records")])
def test_filters_of_traces_and_layouts(everything, mod, method):
    log = trikal.open(everything)
    named = {ident: log.names[ident] for ident in log.table(mod, names=False).arrow().column("record_id").to_pylist()}
    one = min(named)
    for mode, expected in (("include", {one}), ("exclude", named.keys() - {one})):
        report = trikal.pydarshan.DarshanReport(everything, read_all=False)
        getattr(report, method)(mod, filter_patterns=[f"^{re.escape(named[one])}$"], filter_mode=mode)
        assert {record["id"] for record in report.records[mod]} == expected, mode


def test_reading_by_module(observed):
    report = trikal.to_darshan_report(trikal.open(observed[0]), read_all=False)
    assert report.records == {} and report.heatmaps == {}
    report.mod_read_all_records("POSIX")
    assert list(report.records) == ["POSIX"] and report.modules["POSIX"]["num_records"] == len(report.records["POSIX"])
    report.read_all_heatmap_records()
    assert set(report.heatmaps) == {"POSIX", "STDIO"}
    with pytest.raises(ValueError, match="no module MPI-IO; there are POSIX, STDIO, HEATMAP"):
        report.mod_read_all_records("MPI-IO")
    with pytest.raises(ValueError, match="to_df"):
        trikal.pydarshan.DarshanReport(observed[0], dtype="pandas")
    with pytest.raises(ValueError, match="not nothing|append"):
        report.heatmaps["POSIX"].to_df(["append"])


def test_frames_may_be_changed(observed):
    frame = trikal.to_darshan_report(trikal.open(observed[0])).records["POSIX"].to_df()["counters"]
    frame.loc[0, "POSIX_OPENS"] = 12345
    assert frame.loc[0, "POSIX_OPENS"] == 12345


def test_every_module_of_a_synthetic_log(everything):
    report = trikal.to_darshan_report(trikal.open(everything))
    assert len(report.records) > 10
    for module, records in report.records.items():
        assert len(records) == len(records.to_numpy()) == len(records.to_list()), module
        records.to_df()
        json.loads(records.to_json())


def report_of(observed):
    return trikal.pydarshan.DarshanReport(observed[-1])


def test_a_report_as_a_dictionary(observed):
    report = report_of(observed)
    held = json.loads(report.to_json())
    assert held["records"]["POSIX"] == report.to_dict()["records"]["POSIX"] == report.records["POSIX"].to_list()
    assert held["metadata"]["job"]["nprocs"] == report.metadata["job"]["nprocs"] and set(held["records"]) == set(report.records)


def test_records_one_by_one(observed):
    report = trikal.pydarshan.DarshanReport(observed[-1], read_all=False)
    records = list(report.mod_records("POSIX", dtype="dict"))
    assert sum(record["counters"]["POSIX_WRITES"] for record in records) == int(package_tree.totals(observed[-1])["POSIX_WRITES"])
    assert len(list(report.mod_records("POSIX"))) == len(records)


def test_timestamps_of_another_time(observed):
    import datetime
    report = report_of(observed)
    name = "POSIX_F_WRITE_START_TIMESTAMP"
    at = report.counters["POSIX"]["fcounters"].index(name)
    before = [record["fcounters"][at] for record in report.records["POSIX"]]
    hour = report.start_time - datetime.timedelta(hours=1)
    later = [record["fcounters"][at] for record in report.rebase_timestamps(report.records["POSIX"], timebase=hour)]
    assert any(before) and all((old == 0 and new == 0) or 3600 <= new - old < 3601 for old, new in zip(before, later, strict=True))
    assert [record["fcounters"][at] for record in report.records["POSIX"]] == before  # a copy was changed
    report.rebase_timestamps(inplace=True, timebase=hour)
    assert [record["fcounters"][at] for record in report.records["POSIX"]] == later
