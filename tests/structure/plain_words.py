"""Words that this project once used for things the field has names for, counted as whole words.

A word counts in prose, in names of files and as a part of an identifier (`TRIKAL_X`, `kXOf`, `x_of`).
`python tests/structure/plain_words.py` prints how often each is left.
"""

import collections
import re

import project

# What to write instead is in CONTRIBUTING.md.
GONE = ("door doors room rooms turn turns place places letter letters lap laps tie ties lens lenses census patience "
        "culprit culprits yardstick yardsticks sin sins").split()
ALLOWED = "tests/structure/plain_words.txt"
OWN = {"tests/structure/plain_words.py", ALLOWED, "tests/structure/test_plain_words.py"}
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
NOT_OURS = re.compile(r"std::tie\b|std::in_place|omp_get_\w*place\w*")


def words_of(text):
    return [part.lower() for part in PARTS.findall(NOT_OURS.sub(" ", text))]


def counts():
    """How often each word is in which file: {word: Counter}."""
    found = collections.defaultdict(collections.Counter)
    listed = set(GONE)
    for name in project.tracked_files():
        if name in OWN:
            continue
        with (project.ROOT / name).open("rb") as file:
            text = file.read()
        if b"\0" in text[:4096]:
            text = b""
        for word in words_of(name + "\n" + text.decode(errors="replace")):
            if word in listed:
                found[word][name] += 1
    return found


def allowed():
    """(word, file) pairs where a word means itself."""
    lines = (line.split("#")[0].split() for line in project.text_of(ALLOWED).splitlines())
    return {(line[0], line[1]) for line in lines if line}


def left(found, permitted):
    return [f"{word}: {name} ({count})" for word in GONE for name, count in sorted(found[word].items())
            if (word, name) not in permitted]


if __name__ == "__main__":
    FOUND, PERMITTED = counts(), allowed()
    for one in GONE:
        itself = sum(count for name, count in FOUND[one].items() if (one, name) in PERMITTED)
        print(f"{one:<12} {sum(FOUND[one].values()) - itself:>5} left, {itself} where it means itself")
