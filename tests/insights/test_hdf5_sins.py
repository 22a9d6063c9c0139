"""Findings that need HDF5: of examples/hdf5_sins.c, built with the parallel HDF5 of MPICH."""

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
SINS = re.findall(r'\{"([a-z0-9-]+)", ', (ROOT / "examples" / "hdf5_sins.c").read_text())
RANKS = {"hdf5-independent": 4, "hdf5-metadata-reads": 4}  # the others are the work of one
EVIDENCE = {"small-chunks": "64.0 MiB in chunks of 2.00 KiB", "many-datasets": "3,000 HDF5 datasets of 512 B on average",
            "scattered-selections": "2,000 of 2,000 accesses", "hdf5-independent": "1,600 independent calls by 4 ranks",
            "hdf5-metadata-reads": "by 4 ranks"}


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    if shutil.which("h5pcc.mpich") is None:
        pytest.skip("no h5pcc.mpich: scripts/install-deps installs it")
    target = tmp_path_factory.mktemp("bin") / "hdf5_sins"
    source = ROOT / "examples" / "hdf5_sins.c"
    subprocess.run(["h5pcc.mpich", "-shlib", "-O1", "-Wall", "-Wextra", "-Werror", source, "-o", target], check=True,
                   cwd=target.parent)
    return target


def observe(program, sin, how, folder):
    (folder / "files").mkdir()
    log = folder / "sin.darshan"
    words = ["mpirun.mpich", "-n", str(RANKS.get(sin, 1)), program, sin, how, folder / "files"]
    subprocess.run([TRIKAL, "run", "--quiet", "--log", log, "--", *words], check=True, timeout=300)
    done = subprocess.run([TRIKAL, "insights", "--json", log], check=True, capture_output=True)
    return {finding["code"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_there_are_sins():
    assert set(SINS) == set(EVIDENCE)


@pytest.mark.parametrize("sin", SINS)
def test_sin_is_found(program, tmp_path, sin):
    found = observe(program, sin, "bad", tmp_path)
    assert sin in found, sorted(found)
    assert found[sin]["seconds"] > 0
    assert EVIDENCE[sin] in json.dumps(found[sin])


@pytest.mark.parametrize("sin", SINS)
def test_work_done_well_is_not_blamed(program, tmp_path, sin):
    found = observe(program, sin, "good", tmp_path)
    assert sin not in found, found[sin]
