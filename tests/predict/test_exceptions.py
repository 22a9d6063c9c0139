"""Ways out of functions that are no returns: exceptions of C++, and longjmp."""

import pytest

from conftest import HERE, compile_c, predict, side_by_side

PROGRAMS = HERE / "programs" / "exceptions"


@pytest.mark.parametrize("iterations", [1, 10, 20_000])
def test_caught(cache, tmp_path, iterations):
    source = PROGRAMS / "caught.cpp"
    program = compile_c(source, tmp_path / "caught", "g++", "-std=c++17")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [str(iterations)])
    assert predicted == measured and done.returncode == 0
    assert told["predictions"][0]["complete"] and told["predictions"][0]["exit_code"] == 0
    assert told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("count", [2, 5, 100])
def test_kinds(cache, tmp_path, count):
    source = PROGRAMS / "kinds.cpp"
    program = compile_c(source, tmp_path / "kinds", "g++", "-std=c++17")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [str(count)], "--flag=-std=c++17")
    assert predicted == measured
    assert told["predictions"][0]["complete"] and told["predictions"][0]["exit_code"] == done.returncode == (2 if count > 3 else 0)


def test_uncaught(cache, tmp_path):
    source = PROGRAMS / "uncaught.cpp"
    program = compile_c(source, tmp_path / "uncaught", "g++")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [])
    for files in (predicted, measured):
        files.pop("<STDERR>", None)  # the library's last words
    assert predicted == measured
    assert told["predictions"][0]["exit_code"] == 134 and done.returncode in (134, -6)
    assert any("nobody catches std::runtime_error" in note and "uncaught.cpp:20" in note for note in told["predictions"][0]["notes"])


@pytest.mark.parametrize("iterations", [1, 10, 30_000])
def test_jumps(cache, tmp_path, iterations):
    source = PROGRAMS / "jumps.c"
    program = compile_c(source, tmp_path / "jumps")
    told, predicted, measured, _ = side_by_side(tmp_path, cache, [program], [source], [str(iterations)])
    assert predicted == measured
    assert told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []


def test_a_jump_to_a_function_that_has_ended(cache, tmp_path):
    told, _ = predict(tmp_path, cache, [PROGRAMS / "gone.c"], [])
    assert not told["predictions"][0]["complete"]
    assert any("longjmp goes to a function that has ended" in note for note in told["predictions"][0]["notes"])
