"""Makes the wheel that pip installs. It needs nothing but Python, so pip has nothing to fetch before it.

pip calls the functions that begin with build_ in this folder. A wheel is a zip file: the package, what it is called, and
a list of its files. Into the package goes one module that says which tree it came from, so that it finds the library
that was built there.
"""

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
WHEEL = "Wheel-Version: 1.0\nGenerator: trikal\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def version():
    namespace = {}
    exec((HERE / "trikal" / "_version.py").read_text(), namespace)
    return namespace["VERSION"]


def metadata():
    return (HERE / "metadata.txt").read_text().format(version=version()) + (HERE / "README.md").read_text()


def dist_info():
    return f"trikal-{version()}.dist-info"


def source_tree():
    return f'"""Written when the package was installed."""\n\nSOURCE_TREE = {str(HERE.parent)!r}\n'


def package_files():
    """{path in the wheel: bytes}"""
    files = sorted(path for path in (HERE / "trikal").rglob("*") if path.suffix == ".py" or path.name == "py.typed")
    return {str(path.relative_to(HERE)): path.read_bytes() for path in files}


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(folder, files):
    name = f"trikal-{version()}-py3-none-any.whl"
    files = {**files, f"{dist_info()}/METADATA": metadata().encode(), f"{dist_info()}/WHEEL": WHEEL.encode()}
    record = "".join(record_line(*item) for item in files.items()) + f"{dist_info()}/RECORD,,\n"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in {**files, f"{dist_info()}/RECORD": record.encode()}.items():
            wheel.writestr(path, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {**package_files(), "trikal/_source_tree.py": source_tree().encode()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """pip install -e: a file that points here."""
    return write_wheel(wheel_directory, {"trikal.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    root = f"trikal-{version()}"
    files = {**package_files(), "PKG-INFO": metadata().encode()}
    for name in ("build_backend.py", "metadata.txt", "pyproject.toml", "README.md"):
        files[name] = (HERE / name).read_bytes()
    with tarfile.open(pathlib.Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{root}.tar.gz"
