"""Holds what was predicted against what was measured, counter by counter: right, flagged, or wrong and called certain."""

import re

OPERATIONS = [("READ", r"read"), ("WRIT", r"write"), ("OPEN", r"open|duplicate"), ("SEEK", r"seek"), ("STAT", r"stat"),
              ("SYNC", r"sync"), ("FLUSH", r"flush"), ("VIEW", r"view")]

BENEATH = ("POSIX_", "STDIO_")  # what MPI-IO does to a file is its own: the prediction says that it leaves it out


def flagged_rows(told):
    """[(file, operation)] of what is assumed."""
    return [(row["file"], row["operation"]) for one in told["predictions"] for row in one["accesses"] if row["certainty"] == "assumed"]


def is_flagged(name, counter, rows, incomplete):
    kind = next((pattern for word, pattern in OPERATIONS if word in counter), "")
    return incomplete or any(re.search(kind, operation) for file, operation in rows if file == name or file.startswith("<unknown"))


def judge(told, predicted, measured, folders=("", "")):
    """{"right": n, "flagged": [...], "wrong": [...]} of all counters; `folders`: where each of the two was."""
    rows = [(file.replace(str(folders[0]), ".") if folders[0] else file, operation) for file, operation in flagged_rows(told)]
    incomplete = not all(one["complete"] for one in told["predictions"])
    strangers = {file for file, _ in rows} - set(measured)  # of a name that is not certain
    out = {"right": 0, "flagged": [], "wrong": []}
    for name in sorted(set(predicted) | set(measured)):
        before, after = predicted.get(name, {}), measured.get(name, {})
        by_mpi = any(key.startswith("MPIIO_") for key in after) and not any(key.startswith(BENEATH) for key in before)
        for counter in sorted(set(before) | set(after)):
            if by_mpi and counter.startswith(BENEATH):
                continue
            pair = (before.get(counter, 0), after.get(counter, 0))
            if pair[0] == pair[1]:
                out["right"] += 1
                continue
            sure = not is_flagged(name, counter, rows, incomplete) and not (name not in predicted and strangers)
            out["wrong" if sure else "flagged"].append((name, counter, *pair))
    return out
