"""The build that a benchmark measures."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("bin/trikal", "lib/libtrikal.so")


def the_build(doc, words=None, parts=PARTS):
    """The only word (of the command line), or build/release; ends the benchmark in one line where a part of it is missing."""
    words = sys.argv[1:] if words is None else words
    if words in (["--help"], ["-h"]):
        print(doc.strip())
        sys.exit(0)
    if len(words) > 1:
        sys.exit(f"{sys.argv[0]}: one build at most: {' '.join(words)}")
    return complete(words[0] if words else ROOT / "build" / "release", parts)


def complete(build, parts=PARTS):
    build = pathlib.Path(build).absolute()
    for part in parts:
        if not (build / part).exists():
            sys.exit(f"{sys.argv[0]}: {build / part} is not there (cmake --preset release && cmake --build --preset release)")
    return build
