"""A document as a program: its blocks are run, written and applied in order, in a copy of the tree."""

import pathlib
import re
import subprocess

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document):
    """(language, file or None, text) of each block that is fenced."""
    return [(kind, file or None, text) for kind, file, text in BLOCK.findall(pathlib.Path(document).read_text())]


def hunks(diff):
    """(file, old text, new text) of each hunk. Hunks have no line numbers: a document cannot know them."""
    file = None
    for part in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = part.splitlines()
        header = next((number for number, line in enumerate(lines) if line.startswith("--- a/")), len(lines))
        body = lines[:header]
        if file is not None and body:
            yield (file, "".join(line[1:] + "\n" for line in body if line[0] in " -"),
                   "".join(line[1:] + "\n" for line in body if line[0] in " +"))
        for line in lines[header:]:
            if line.startswith("+++ b/"):
                file = line.removeprefix("+++ b/")


def apply(tree, diff):
    for file, old, new in hunks(diff):
        path = tree / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} has this {text.count(old)} times:\n{old}"
        path.write_text(text.replace(old, new))


def run(tree, script):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=tree, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, f"{script}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def follow(tree, block):
    """Does what a block says; answers with what its commands print."""
    kind, file, text = block
    if kind == "sh":
        return run(tree, text)
    if kind == "diff":
        apply(tree, text)
    elif kind == "text":
        assert text in (tree / file).read_text(), f"{file} does not have\n{text}"
    else:
        (tree / file).write_text(text)
    return ""


def builds(block):
    return block[0] == "sh" and "cmake --build" in block[2]
