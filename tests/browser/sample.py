"""Data documents ("trikal-report 1") as the verb report writes them, made small enough to reason about."""

import json
import math

NO_CALLS = {kind: {"reads": 0, "writes": 0} for kind in ("independent", "collective", "nonblocking")}
MIB = 1 << 20


def flow(calls=0, size=0, seconds=0.0, size_class=0, consecutive=None):
    sizes = [0] * 10
    sizes[size_class] = calls
    consecutive = calls if consecutive is None else consecutive
    return {"calls": calls, "bytes": calls * size, "sequential": calls, "consecutive": consecutive,
            "seconds": seconds, "first": 0.5 if calls else 0, "last": 0.5 + 2 * seconds if calls else 0, "sizes": sizes}


def use(read=None, write=None, **more):
    return {"opens": 1, "stats": 2, "seeks": 0, "syncs": 0, "switches": 3, "misaligned": 7, "read": read or flow(),
            "write": write or flow(), "meta_seconds": 0.1, "slowest_rank": 2, "slowest_seconds": 1.5,
            "fastest_seconds": 0.5, "common_sizes": [[64, 900], [1048576, 4]], **more}


def layer(name, read, write, **more):
    return {"name": name, "files": 4, "opens": 4012, "stats": 12, "seeks": 900, "syncs": 3, "read": read,
            "write": write, "meta_seconds": 1.9, "seconds_by_slowest": 4.7, "mib_per_s_by_slowest": 255.3,
            "common_sizes": [[64, 1200000], [1048576, 40]], **more}


def finding(code, severity, seconds, title, files=(), **more):
    return {"code": code, "severity": severity, "seconds": seconds, "least": seconds / 2, "most": 2 * seconds,
            "share": seconds / 12.4, "title": title, "files_total": len(files), "overlaps": [],
            "evidence": [f"evidence of {code}", "4 ranks do it"], "formula": "calls x (latency - bytes / bandwidth)",
            "files": [{"name": name, "seconds": seconds, "text": "written by all ranks"} for name in files],
            "fix": f"fix {code}:\n  setvbuf(file, NULL, _IOFBF, 1 << 20);", "why": f"why {code} costs time", **more}


def site(location):
    return {"location": location, "source": "/src/solver.c", "line": 120, "function": "write_rows", "object": "/apps/solver", "through": "",
            "interface": "POSIX", "operation": "write", "count": 1200000, "bytes": 76800000, "seconds": 2.6}


def file_row(name, seconds, read=0, written=0, opens=1):
    calls = max(1, written // 64)
    return {"name": name, "mount": "/scratch", "fs": "lustre", "seconds": seconds, "bytes_read": read,
            "bytes_written": written, "opens": opens, "ranks": 4,
            "stripes": {"components": 1, "count": 2, "size": MIB, "targets": [3, 17]},
            "uses": {"POSIX": use(write=flow(calls, 64, seconds)), "STDIO": use(read=flow(3, 5000, 0.1, 2))}}


def heat(ranks=8, slices=100):
    rows = []
    for rank in range(ranks):
        wave = [max(0.0, math.sin(slice_ / 9 + rank / 3)) for slice_ in range(slices)]
        rows.append({"rank": rank, "read": [int(value * 3 * MIB) if at < 20 else 0 for at, value in enumerate(wave)],
                     "written": [int(value * MIB) if at >= 20 else 0 for at, value in enumerate(wave)]})
    return {"interface": "POSIX", "width": 12.4 / slices, "rows": rows}


def trace(ranks=4, calls=50):
    """Each rank writes its file call after call, then reads it once; through MPI-IO one row of many calls."""
    lanes = []
    for number in range(ranks):
        spans = [[0.1 * at, 0.1 * at + 0.05, 1, MIB, at * MIB] for at in range(calls)]
        lanes.append({"interface": "POSIX", "rank": number, "file": f"/scratch/run/part.{number}", "direction": "write",
                      "calls": calls, "seconds": 0.05 * calls, "spans": spans})
        lanes.append({"interface": "POSIX", "rank": number, "file": f"/scratch/run/part.{number}", "direction": "read",
                      "calls": 1, "seconds": 1, "spans": [[6.0, 7.0, 1, 5 * MIB, 0]]})
    lanes.append({"interface": "MPI-IO", "rank": 0, "file": "/scratch/run/shared", "direction": "write", "calls": 9000, "seconds": 3,
                  "spans": [[1, 4, 9000, 9000 * 64, -1]]})
    return {"trace": lanes, "trace_total": len(lanes), "trace_calls": sum(lane["calls"] for lane in lanes)}


def rank(number, scale=1.0):
    return {"rank": number, "bytes_read": 4 * MIB, "bytes_written": 300 * MIB, "calls": 300000, "files": 3,
            "read_seconds": 0.2 * scale, "write_seconds": 1.6 * scale, "meta_seconds": 0.3 * scale, "mpiio_seconds": 2.4 * scale}


def process(pid, parent, exe, start, end, status=0):
    return {"pid": pid, "parent": parent, "rank": -1, "start": start, "end": end, "exe": exe, "status": status,
            "command": f"{exe} --steps 200", "ended": "exit"}


def program(exe, processes, seconds, failed=0):
    return {"exe": exe, "processes": processes, "failed": failed, "seconds": seconds, "longest": seconds / processes, "first": 0.0, "last": 12.4}


def directory(path, files, seconds):
    return {"path": path, "files": files, "opens": 2 * files, "bytes_read": 4096 * files, "bytes_written": 64 * files, "seconds": seconds}


def dataset(name, chunk=2048, collective=False):
    return {"name": name, "elements": MIB, "element_bytes": 8, "chunk_bytes": chunk, "scattered": 0, "collective": collective, "reads": 2,
            "writes": 400, "bytes_read": 4 * MIB, "bytes_written": 600 * MIB, "seconds": 4.1}


def kind(use, files, **more):
    return {"use": use, "files": files, "bytes_read": 0, "bytes_written": 0, "seconds": 1.0, "mean_size": 1536.0, "largest_size": 9 * MIB, **more}


def empty():
    """A log in which nothing happened: every list empty, every number 0."""
    return {
        "schema": "trikal-report 1", "version": "0.1.0", "log": {"path": "empty.darshan", "bytes": 0, "modules": []},
        "job": {"program": "", "exe": "", "command": "", "job_id": 0, "uid": 0, "nprocs": 0, "start": 0, "seconds": 0, "mpi": False, "metadata": {}},
        "io": {"seconds": 0, "share": 0, "bytes_read": 0, "bytes_written": 0, "files": 0, "meta_seconds": 0},
        **{name: [] for name in ("layers", "libraries", "time_by_layer", "findings", "files", "ranks", "heat", "trace", "processes", "phases", "unseen",
                                 "errors", "mounts", "warnings", "targets", "counters", "file_kinds", "directories", "datasets", "programs")},
        **{f"{name}_total": 0 for name in ("files", "targets", "datasets", "processes", "trace")}, "files_internal": 0, "process_count": 0, "trace_calls": 0}


def checkpoint(files=120):
    """A run of four ranks with something to show in every section."""
    many = [file_row(f"/scratch/run/part-{number:04}.h5", 0.001 * (files - number), read=number * 4096,
                     written=64 * number, opens=number) for number in range(3, files)]
    return {**empty(), "log": {"path": "/logs/checkpoint-20261115.darshan", "bytes": 14336,
                               "modules": ["POSIX", "STDIO", "HEATMAP"]},
            "job": {"program": "checkpoint", "exe": "/apps/checkpoint", "command": "/apps/checkpoint 200 --out /scratch/run", "job_id": 4711,
                    "uid": 1000, "nprocs": 4, "start": 1794712325, "seconds": 12.4, "mpi": True, "metadata": {"h": "romio_no_indep_rw=1"}},
            "io": {"seconds": 4.7, "share": 0.38, "bytes_read": 4 * MIB, "bytes_written": 1200 * MIB, "files": 4012,
                   "meta_seconds": 1.9},
            "layers": [layer("POSIX", flow(4000, 1024, 0.4, 2), flow(1200000, 1000, 6.4, 1)),
                       layer("STDIO", flow(), flow(4000, 40, 0.2, 0))],
            "libraries": [{"name": "H5D", "records": 12, "bytes_read": 4 * MIB, "bytes_written": 1200 * MIB, "read_seconds": 0.5,
                           "write_seconds": 8.1, "meta_seconds": 0.2, "slowest_seconds": 5.2, **NO_CALLS}],
            "time_by_layer": [{"name": "HDF5", "seconds": 1.2, "slowest": 5.2}, {"name": "POSIX", "seconds": 8.7, "slowest": 4.7}],
            "findings": [finding("small-writes", "high", 2.6, "1.2 M writes of 64 B to out.dat by all ranks",
                                 ["/scratch/run/out.dat"]),
                         finding("reopen", "medium", 1.4, "log.txt opened and closed 4,000 times",
                                 ["/scratch/run/log.txt"]),
                         finding("serial-rank", "low", 0.4, "rank 0 writes the header alone"),
                         finding("no-collective", "info", 0.0, "MPI-IO is not used")],
            "files": [file_row("/scratch/run/out.dat", 6.5, written=1200 * MIB),
                      file_row("/scratch/run/log.txt", 1.6, written=160000, opens=4000),
                      file_row("/home/u/mesh.bin", 0.4, read=4 * MIB), *many], "files_total": 4012,
            "file_kinds": [kind("only read", 40, bytes_read=4 * MIB), kind("only written", 3900, bytes_written=1200 * MIB, seconds=7.5), kind("no data moved", 72)],
            "directories": [directory("/scratch/run/", 4000, 8.1), directory("/home/u/", 12, 0.4)],
            "datasets": [dataset("/scratch/run/part-0003.h5:/field"), dataset("/scratch/run/part-0003.h5:/mesh", 0, True)], "datasets_total": 12,
            "programs": [program("/apps/checkpoint", 2, 24.0, 1), program("/usr/bin/mpirun", 1, 12.4), program("/bin/sh", 1, 0.1)],
            "processes_total": 4, "process_count": 4,
            "ranks": [rank(-1, 0.5), rank(0, 2.2), rank(1), rank(2), rank(3)], "heat": [heat()],
            "processes": [process(100, 1, "/usr/bin/mpirun", 0, 12.4), process(101, 100, "/apps/checkpoint", 0.2, 12.3),
                          process(102, 100, "/apps/checkpoint", 0.2, 12.1, status=1), process(103, 101, "/bin/sh", 3, 3.1)],
            "phases": [{"name": "setup", "begin": 0, "end": 2.1, "rank": -1},
                       {"name": "steps", "begin": 2.1, "end": 12.0, "rank": -1}],
            "unseen": [{"exe": "/usr/bin/su", "why": "set-user-id program", "count": 2}],
            "errors": [{"file": "/etc/checkpoint.conf", "what": "ENOENT", "count": 17}],
            "mounts": [{"path": "/scratch", "type": "lustre"}, {"path": "/", "type": "ext4"}],
            "targets": [{"id": 3, "files": 118, "bytes_read": 3 * MIB, "bytes_written": 900 * MIB},
                        {"id": 17, "files": 118, "bytes_read": MIB, "bytes_written": 300 * MIB}], "targets_total": 2,
            "counters": [{"module": "POSIX", "values": {"POSIX_OPENS": 4012, "POSIX_MMAPS": 0, "POSIX_F_READ_TIME": 0.4}}],
            "warnings": ["the log is partial: 3 files were not recorded"]}


HOSTILE = ["<img src=x onerror=window.hurt=1>", "</script><script>window.hurt=1</script>", "<!--<script>",
           "]]>\u2028\"'`${window.hurt=1}", "javascript:window.hurt=1", "\udcff\udc80bytes", "line\nbreak",
           "\u202etxt.exe", "=HYPERLINK(1)", "x" * 3000]


def hostile():
    """Every text of the log is somebody's attempt to become a part of the page."""
    data = checkpoint(files=4)
    bad = "".join(HOSTILE[:4])
    data["job"].update(program=bad, exe=bad, command=bad, metadata={bad: bad})
    data["log"].update(path=bad, modules=[bad])
    data["files"] = [{**file_row(name, 1.0 + at), "mount": bad, "fs": bad} for at, name in enumerate(HOSTILE)]
    data["findings"] = [{**finding("small-writes", "high", 1.0, bad, HOSTILE), "evidence": [bad], "fix": bad, "why": bad, "overlaps": [bad],
                         "formula": bad, "code": bad}]
    data["errors"] = [{"file": bad, "what": bad, "count": 1}]
    data["unseen"] = [{"exe": bad, "why": bad, "count": 1}]
    data["processes"] = [{**process(1, 2, bad, 0, 1), "ended": bad}, process(2, 1, bad, 0, 1), process(3, 3, bad, 0, 1)]
    data["phases"] = [{"name": bad, "begin": 0, "end": 1, "rank": 0}]
    data["libraries"][0]["name"] = data["time_by_layer"][0]["name"] = bad
    data["warnings"] = [bad]
    data["directories"] = [directory(bad, 1, 1), directory(bad + "/", 1, 1)]
    data["datasets"] = [dataset(bad)]
    data["programs"], data["processes_total"], data["process_count"] = [], 3, 3
    data["counters"] = [{"module": bad, "values": {bad: 1}}]
    data["layers"][0]["name"] = data["heat"][0]["interface"] = bad
    data.update(trace())
    data["trace"][0].update(interface=bad, file=bad)
    return data


def embedded(data):
    """As the verb writes it: "</" cannot occur, nothing else is promised."""
    return json.dumps(data).replace("</", "<\\/")
