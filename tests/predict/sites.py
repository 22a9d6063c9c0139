"""Predicted lines against measured ones: counts and bytes of every operation, file and line of the source."""

import collections
import pathlib

# The runtime has no words for these in a prediction: they are left out on the measuring side.
UNPREDICTED = {"other"}
NEAR = 0.05


def last_name(path):
    return pathlib.PurePath(path).name


def sums(rows, whole):
    """{(file, operation, line): [count, bytes]}; with `whole` all files are one: a loop opens many that are alike."""
    out = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        key = ("" if whole else last_name(row["file"]), row["operation"], row["line"])
        out[key][0] += row["count"]
        out[key][1] += row["bytes"]
    return out


def near(one, other):
    return all(abs(a - b) <= NEAR * max(abs(b), 1e-9) for a, b in zip(one, other))


def compare(predicted, measured, whole):
    """{(file, operation, line): what came of it}: equal, near (within 5 %), flagged (the prediction said that it assumed),
    library (the call is made in a library on the program's behalf, so the run has no line for it), or wrong."""
    measured = [row for row in measured if row["operation"] not in UNPREDICTED]
    # Descriptors that a program is started with are watched as streams only: Fortran writes to them without one.
    predicted = [row for row in predicted if not row["file"].startswith("<STD") or "stream" in row["operation"] or row["operation"] == "flush"]
    ours = sums(predicted, whole)
    theirs = sums([row for row in measured if row["line"]], whole)
    inside = {key[:2] for key in sums([row for row in measured if not row["line"]], whole)}
    doubtful = {("" if whole else last_name(row["file"]), row["operation"], row["line"]) for row in predicted
                if row["certainty"] == "assumed"}
    out = {}
    for key in ours.keys() | theirs.keys():
        one, other = ours.get(key, [0, 0]), theirs.get(key, [0, 0])
        if one == other:
            out[key] = "equal"
        elif near(one, other):
            out[key] = "near"
        elif key[:2] in inside:
            out[key] = "library"
        else:
            out[key] = "flagged" if key in doubtful else "wrong"
    return out
