"""Programs as Debian has them, unmodified: predicted, compiled and run; every counter of every file must be the same.
Their sources are fetched as source packages, so this is part of scripts/test --full only."""

import os
import shutil
import subprocess

import pytest

from conftest import HERE, side_by_side

FULL = os.environ.get("TRIKAL_FULL") == "1"
ZLIB = "adler32 compress crc32 deflate gzclose gzlib gzread gzwrite infback inffast inflate inftrees trees uncompr zutil".split()
BZIP2 = "blocksort huffman crctable randtable compress decompress bzlib bzip2".split()
# package, sources, options, what it is run with; {text}: some text
PROGRAMS = [
    ("bzip2", [f"{name}.c" for name in BZIP2], [], ["-k", "{text}"]),
    ("bzip2", [f"{name}.c" for name in BZIP2], [], ["-k", "-1", "{text}"]),
    ("zlib", ["test/minigzip.c", *[f"{name}.c" for name in ZLIB]], ["-I."], ["{text}"]),
    ("zlib", ["test/minigzip.c", *[f"{name}.c" for name in ZLIB]], ["-I."], ["-d", "{compressed}"]),
    ("lz4", ["programs/lz4cli.c", "programs/lz4io.c", "programs/bench.c", "programs/datagen.c", "lib/lz4.c",
             "lib/lz4file.c", "lib/lz4frame.c", "lib/lz4hc.c", "lib/xxhash.c"], ["-Ilib"], ["-f", "{text}", "out.lz4"]),
]


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """name -> folder of its source"""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "lists").mkdir()
    (folder / "sources").mkdir()
    for listed in os.scandir("/etc/apt/sources.list.d"):
        text = open(listed).read()
        if listed.name.endswith(".sources") and "bookworm" in text:
            (folder / "sources" / listed.name).write_text(text.replace("Types: deb\n", "Types: deb-src\n"))
    (folder / "apt.conf").write_text(f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{folder}/sources";\n'
                                     f'Dir::State::lists "{folder}/lists";\nDir::Cache "{folder}";\nAPT::Sandbox::User "root";\n')
    environment = {**os.environ, "APT_CONFIG": str(folder / "apt.conf")}
    subprocess.run(["apt-get", "update"], check=True, env=environment, capture_output=True)
    found = {}
    for name in {*(program[0] for program in PROGRAMS), "sqlite3"}:
        target = folder / name
        target.mkdir()
        subprocess.run(["apt-get", "source", "--download-only", name], check=True, env=environment, cwd=target,
                       capture_output=True)
        archive = next(one for one in target.iterdir() if ".orig.tar." in one.name and not one.name.endswith(".asc"))
        subprocess.run(["tar", "xf", archive.name], check=True, cwd=target)
        found[name] = next(one for one in target.iterdir() if one.is_dir())
    return found


def compare(source, cache, tmp_path, sources, flags, words, text=None):
    def prepare(folder):
        if text:
            (folder / "text").write_text(text)
            subprocess.run(["gzip", "-k", "-n", "text"], cwd=folder, check=True)
            shutil.move(folder / "text.gz", folder / "other.gz")

    subprocess.run(["gcc", "-w", "-O1", *flags, "-o", tmp_path / "program", *sources, "-lm"], check=True)
    told, predicted, measured, done = side_by_side(tmp_path, cache, [tmp_path / "program"], sources, words,
                                                   *[f"--flag={flag}" for flag in flags], prepare=prepare)
    assert done.returncode == 0, done.stderr
    assert predicted == measured
    assert not told["predictions"][0]["notes"], told["predictions"][0]["notes"]


if FULL:
    @pytest.mark.parametrize("package,sources,options,arguments", PROGRAMS,
                             ids=[f"{one[0]}-{one[3][0].strip('-{}')}-{len(one[3])}" for one in PROGRAMS])
    def test_program(packages, cache, tmp_path, package, sources, options, arguments):
        source = packages[package]
        text = "".join(f"line {i} of {i * i % 97} words and {i * 7919 % 1009} more\n" for i in range(400))
        compare(source, cache, tmp_path, [source / one for one in sources],
                [option.replace("-I", f"-I{source}/") for option in options],
                [word.format(text="text", compressed="other.gz") for word in arguments], text)

    @pytest.fixture(scope="session")
    def amalgamation(packages):
        """SQLite is compiled as one file of 240,000 lines, which it makes of its own."""
        subprocess.run("./configure && make sqlite3.c", shell=True, check=True, cwd=packages["sqlite3"], capture_output=True)
        return packages["sqlite3"]

    @pytest.mark.parametrize("arguments", [["10"], ["300"], ["5", "apart"]], ids=" ".join)
    def test_sqlite(amalgamation, cache, tmp_path, arguments):
        compare(amalgamation, cache, tmp_path, [HERE / "programs" / "sqlite" / "rows.c", amalgamation / "sqlite3.c"],
                [f"-I{amalgamation}", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"], arguments)
