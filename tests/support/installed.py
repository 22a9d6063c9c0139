"""What tests of the libraries share: an installed tree."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()


class Installed:
    """A library of the tree that `cmake --install` leaves, found the way its users find it: by pkg-config."""

    package = ""  # as pkg-config knows it
    file = ""
    options = ()  # of cmake --install

    def __init__(self, prefix):
        self.use(prefix, os.environ)

    @classmethod
    def install(cls, prefix):
        command = ["cmake", "--install", str(BUILD), "--prefix", str(prefix), *cls.options]
        subprocess.run(command, check=True, capture_output=True)

    def use(self, prefix, env):
        self.prefix = prefix
        self.library = next(prefix.glob(f"**/{self.file}"))
        self.env = dict(env, PKG_CONFIG_PATH=str(self.library.parent / "pkgconfig"),
                        LD_LIBRARY_PATH=str(self.library.parent))

    def flags(self, *what):
        command = ["pkg-config", *what, self.package]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.env).stdout.split()

    def compile(self, source, program, *command):
        command = [*command, "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-o", str(program), str(source)]
        subprocess.run([*command, *self.flags("--cflags", "--libs")], check=True)
        return program

    def run(self, program, *words, code=0, **env):
        done = subprocess.run([str(program), *map(str, words)], env={**self.env, **env}, capture_output=True,
                              timeout=120, check=False)
        assert done.returncode == code, (done.returncode, done.stderr.decode(errors="replace"))
        return done
