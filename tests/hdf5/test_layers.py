"""How long each layer takes, of a file and of a rank: in the summary, in the page's data and in the comparison of two runs."""

import json
import subprocess

from conftest import ROOT, TRIKAL, observe


def page_of(log):
    text = subprocess.run([TRIKAL, "report", "-o", "-", str(log)], check=True, capture_output=True, text=True).stdout
    start = text.index('id="trikal-data">') + len('id="trikal-data">')
    return json.loads(text[start:text.index("\n-->", start)])


def test_time_above_posix_is_told_by_file_and_rank(parallel, tmp_path):
    program = parallel.compile(ROOT / "examples" / "hdf5_antipatterns.c")
    log, _ = observe(tmp_path, *parallel.launch(2), program, "hdf5-independent", "bad", tmp_path)
    page = page_of(log.path)
    file = next(one for one in page["files"] if one["name"].endswith("/records.h5"))
    layers = {layer["name"]: layer["seconds"] for layer in file["layers"]}
    assert set(layers) == {"HDF5", "MPI-IO", "POSIX"} and all(seconds > 0 for seconds in layers.values())
    assert abs(sum(layers.values()) - file["seconds"]) < 1e-9 * len(layers) + 0.01 * file["seconds"]
    assert sum(rank["library_seconds"] for rank in page["ranks"]) >= layers["HDF5"]
    text = subprocess.run([TRIKAL, "summary", str(log.path)], check=True, capture_output=True, text=True).stdout
    line = next(line for line in text.splitlines() if "/records.h5, of it " in line)
    assert " in HDF5" in line and " in MPI-IO" in line

    (tmp_path / "after").mkdir()
    after, _ = observe(tmp_path / "after", *parallel.launch(2), program, "hdf5-independent", "good", tmp_path)
    answer = subprocess.run([TRIKAL, "diff", "--runs", "--json", str(log.path), str(after.path)], capture_output=True, text=True).stdout
    assert '"own_seconds"' in answer and '"above_posix_seconds"' in answer and '"HDF5"' in answer
