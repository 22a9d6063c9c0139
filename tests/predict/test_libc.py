"""Functions of libc: what they answer decides how many bytes are written, predicted and measured alike."""

import pytest

from conftest import HERE, compile_c, side_by_side

FOLDER = HERE / "programs" / "libc"


def compared(tmp_path, cache, name, arguments, compiler="gcc", prepare=None):
    """(the prediction, how the run ended); nothing is unknown, and every counter is the same."""
    source = FOLDER / (name if "." in name else f"{name}.c")
    program = compile_c(source, tmp_path / "program", compiler)
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], arguments, prepare=prepare)
    prediction = told["predictions"][0]
    assert predicted == measured
    assert not any("model" in note for note in prediction["notes"]), prediction["notes"]
    assert prediction["complete"] and prediction["unknowns"] == []
    return prediction, done


@pytest.mark.parametrize("days", [3, 2000])
def test_dates(tmp_path, cache, days):
    compared(tmp_path, cache, "dates", [days])


@pytest.mark.parametrize("way, code", [("on", 0), ("err", 3), ("errx", 4), ("verrx", 5), ("error", 6)])
def test_messages(tmp_path, cache, way, code):
    prediction, done = compared(tmp_path, cache, "messages", [way])
    assert prediction["exit_code"] == done.returncode == code


def test_machine(tmp_path, cache):
    compared(tmp_path, cache, "machine", [])


@pytest.mark.parametrize("count", [1, 300])
def test_surroundings(tmp_path, cache, count):
    compared(tmp_path, cache, "surroundings", [count])


@pytest.mark.parametrize("way, lines", [("plain", 3), ("utf8", 1000)])
def test_wide(tmp_path, cache, way, lines):
    compared(tmp_path, cache, "wide", [way, lines])


@pytest.mark.parametrize("count", [1, 20, 1000])
def test_texts(tmp_path, cache, count):
    compared(tmp_path, cache, "texts", [count])


@pytest.mark.parametrize("count", [5, 150])
def test_trees(tmp_path, cache, count):
    compared(tmp_path, cache, "trees", [count])


@pytest.mark.parametrize("jobs", [0, 4, 100])
def test_threads(tmp_path, cache, jobs):
    compared(tmp_path, cache, "threads", [jobs])


@pytest.mark.parametrize("way, code", [("on", 0), ("killed", 130)])
def test_signals(tmp_path, cache, way, code):
    prediction, done = compared(tmp_path, cache, "signals", [way])
    assert prediction["exit_code"] == code and done.returncode in (code, -2)


@pytest.mark.parametrize("arguments", [
    "", "file -a -b value", "-bvalue -c -cx name -a", "--output=x file --verb -a more --level --level=3", "-z -b",
    "--ver", "-output y -verbose -a rest", "-a dashes -b c", "x -a y dashes -b z", "--input"])
def test_options(tmp_path, cache, arguments):
    compared(tmp_path, cache, "options", arguments.split())


@pytest.mark.parametrize("count", [5, 500])
def test_maths(tmp_path, cache, count):
    compared(tmp_path, cache, "maths", [count])


def given(folder):
    """Two files to read: one that a prediction looks into, and one that it does not."""
    (folder / "given.txt").write_text("".join(f"{int(i % 90 in (17, 55))}\n" for i in range(3000)) + "1")
    (folder / "large.txt").write_bytes(b"some text\n" * 150_001)


@pytest.mark.parametrize("source, compiler", [("reading", "gcc"), ("reading.cpp", "g++"), ("reading.f90", "gfortran")])
def test_reading(tmp_path, cache, source, compiler):
    compared(tmp_path, cache, source, ["given.txt", "large.txt"], compiler, given)


@pytest.mark.parametrize("count", [1, 4095, 4096, 4097, 50_000, 5_000_000])
def test_unlocked(tmp_path, cache, count):
    """Counted by the buffer, as the runtime sees them."""
    compared(tmp_path, cache, "unlocked", ["large.txt", count], prepare=given)
