"""Findings that need HDF5: of examples/hdf5_antipatterns.c, built with the parallel HDF5 of MPICH."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
FIX = {"small-chunks": "H5Pset_chunk(list, 2, (hsize_t[]){256, 512})"}  # worked out from the record
SOURCE = ROOT / "examples" / "hdf5_antipatterns.c"
ANTIPATTERNS = re.findall(r'\{"([a-z0-9-]+)", ', SOURCE.read_text())
RANKS = {"hdf5-independent": 4, "hdf5-metadata-reads": 4}  # the others are the work of one
EVIDENCE = {"small-chunks": "64.0 MiB in chunks of 2.00 KiB", "many-datasets": "3,000 HDF5 datasets of 512 B on average",
            "scattered-selections": "2,000 of 2,000 accesses", "hdf5-independent": "1,600 independent calls by 4 ranks",
            "hdf5-metadata-reads": "by 4 ranks"}
CALLS = {"small-chunks": ("H5Dwrite", "H5Dread"), "many-datasets": ("H5Dcreate2", "H5Dwrite", "H5Dclose"), "scattered-selections": ("H5Dwrite",),
         "hdf5-independent": ("H5Dwrite",), "hdf5-metadata-reads": ("H5Dopen2", "H5Fopen", "H5Fclose")}  # on the line that is named


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    if shutil.which("h5pcc.mpich") is None:
        pytest.skip("no h5pcc.mpich: scripts/install-deps installs it")
    target = tmp_path_factory.mktemp("bin") / "hdf5_antipatterns"
    subprocess.run(["h5pcc.mpich", "-shlib", "-g", "-O1", "-Wall", "-Wextra", "-Werror", SOURCE, "-o", target], check=True,
                   cwd=target.parent)
    return target


def observe(program, antipattern, how, folder):
    (folder / "files").mkdir()
    log = folder / "antipattern.darshan"
    words = ["mpirun.mpich", "-n", str(RANKS.get(antipattern, 1)), program, antipattern, how, folder / "files"]
    subprocess.run([TRIKAL, "run", "--quiet", "--call-sites", "--log", log, "--", *words], check=True, timeout=300)
    done = subprocess.run([TRIKAL, "insights", "--json", log], check=True, capture_output=True)
    return {finding["code"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_there_are_antipatterns():
    assert set(ANTIPATTERNS) == set(EVIDENCE)


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_antipattern_is_found(program, tmp_path, antipattern):
    found = observe(program, antipattern, "bad", tmp_path)
    assert antipattern in found, sorted(found)
    assert found[antipattern]["seconds"] > 0
    assert EVIDENCE[antipattern] in json.dumps(found[antipattern])
    assert FIX.get(antipattern, "") in found[antipattern]["fix"]
    sites = [site for file in found[antipattern]["files"] for site in file.get("sites", [])]
    assert sites and {site["source"] for site in sites} == {str(SOURCE)}, found[antipattern]
    lines = SOURCE.read_text().splitlines()
    for site in sites:
        assert any(call in lines[site["line"] - 1] for call in CALLS[antipattern]), (site, lines[site["line"] - 1])


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_work_done_well_is_not_blamed(program, tmp_path, antipattern):
    found = observe(program, antipattern, "good", tmp_path)
    assert antipattern not in found, found[antipattern]
