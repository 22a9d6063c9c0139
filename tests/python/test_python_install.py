"""`pip install ./python` into an environment of its own, without a network; types and versions."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

import package_tree
import trikal

PACKAGE = package_tree.ROOT / "python"
SCRIPT = """
import trikal
log = trikal.open({log!r})
print(trikal.library_path(), trikal.tool_path())
print(trikal.__file__)
print(log.job.nprocs, list(log.modules), len(log.names) > 3, log.findings[0].code != "", "POSIX" in log._repr_html_())
try:
    log.df("POSIX")
except ImportError as error:
    print(error)
"""


def clean_environment(**more):
    """Nothing that would help the package to find anything."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("TRIKAL_", "PYTHON", "PIP_"))}
    return {**env, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def make_venv(folder):
    subprocess.run(["/usr/bin/python3", "-m", "venv", folder], check=True, capture_output=True)
    return folder / "bin"


def pip_install(folder, *words):
    done = subprocess.run([folder / "pip", "install", *words], env=clean_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def tree_with(folder):
    """A source tree as a user has it: the package, and a build in build/release."""
    shutil.copytree(PACKAGE, folder / "python", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(package_tree.BUILD)
    return folder


def run(python, code, **env):
    return subprocess.run([python, "-c", code], env=clean_environment(**env), capture_output=True, text=True, cwd="/")


def test_installed_package(observed, tmp_path):
    tree, bin_folder = tree_with(tmp_path / "tree"), make_venv(tmp_path / "venv")
    pip_install(bin_folder, str(tree / "python"))
    assert not list(tree.glob("python/*.egg-info")) and not (tree / "python" / "build").exists()
    done = run(bin_folder / "python", SCRIPT.format(log=str(observed[0])))
    assert done.returncode == 0, done.stderr
    found, path, facts, needs = done.stdout.splitlines()
    release = tree / "build" / "release"
    assert found == f"{release}/lib/libtrikal-log.so.1 {release}/bin/trikal"
    assert path.startswith(str(tmp_path / "venv")) and facts == "5 ['POSIX', 'STDIO', 'HEATMAP'] True True True"
    assert needs.startswith("a DataFrame of pandas needs pandas, which is not there")
    # Once the tree is gone, the error says where it was.
    shutil.rmtree(tree)
    gone = run(bin_folder / "python", SCRIPT.format(log=str(observed[0])))
    last = gone.stderr.splitlines()[-1]
    assert last.startswith("trikal.errors.LibraryError: cannot load libtrikal-log.so.1: ")
    assert f"{release}/lib and asked the system's loader" in last and "TRIKAL_LIB" in last
    by_loader = run(bin_folder / "python", SCRIPT.format(log=str(observed[0])), LD_LIBRARY_PATH=str(package_tree.BUILD / "lib"),
                    PATH=str(package_tree.BUILD / "bin"))
    assert by_loader.stdout.startswith("libtrikal-log.so.1 "), by_loader.stderr


def test_editable(observed, tmp_path):
    tree, bin_folder = tree_with(tmp_path / "tree"), make_venv(tmp_path / "venv")
    (tree / "include" / "trikal").mkdir(parents=True)
    shutil.copy(package_tree.ROOT / "include" / "trikal" / "trikal.h", tree / "include" / "trikal")
    pip_install(bin_folder, "-e", str(tree / "python"))
    done = run(bin_folder / "python", SCRIPT.format(log=str(observed[0])))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == str(tree / "python" / "trikal" / "__init__.py")


def test_wheel_and_sdist(tmp_path):
    code = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import build_backend as b; " \
           f"print(b.build_wheel({str(tmp_path)!r}), b.build_sdist({str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    wheel, sdist = done.stdout.split()
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        names = archive.namelist()
        record = archive.read(f"trikal-{trikal.__version__}.dist-info/RECORD").decode()
    sources = {str(path.relative_to(PACKAGE)) for path in (PACKAGE / "trikal").rglob("*.py")} | {"trikal/py.typed"}
    assert sources | {"trikal/_source_tree.py"} <= set(names) and len(record.splitlines()) == len(names)
    with tarfile.open(tmp_path / sdist) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames()}
    assert sources | {"PKG-INFO", "pyproject.toml", "build_backend.py", "metadata.txt", "README.md"} == held


def test_one_version():
    printed = subprocess.run([package_tree.TRIKAL, "--version"], capture_output=True, text=True, check=True).stdout
    assert printed.split()[1] == trikal.__version__


def test_types(tmp_path):
    """mypy --strict, as python/pyproject.toml says."""
    pytest.importorskip("mypy", reason="mypy is not installed (scripts/install-deps)")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import trikal\nname: int = trikal.open('x').job.exe\n")
    seen = subprocess.run([*command, "--config-file", str(PACKAGE / "pyproject.toml"), str(wrong)], cwd=tmp_path,
                          capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE)})
    assert re.search(r'wrong.py:2: error: .*"str".*"int"', seen.stdout), seen.stdout + seen.stderr
