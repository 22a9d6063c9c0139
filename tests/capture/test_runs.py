"""Accesses that are alike are counted by the run: whatever comes between them, and however the process ends, the counters
are those of a model that looks at one access after the other."""

import collections
import random

import pytest

CLASSES = [100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30]
LABELS = ["0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"]
LENGTH = 1 << 20  # of the file, before the script begins
VALUES_FOLLOWED = 32


class Model:
    """One access after the other, as docs of the format say."""

    def __init__(self, alignment):
        self.alignment, self.counts = alignment, collections.Counter()
        self.sizes, self.strides = collections.Counter(), collections.Counter()
        self.last = {"r": 0, "w": 0}
        self.direction = None

    def sync(self):
        self.counts["POSIX_FSYNCS"] += 1

    def reopen(self):
        self.last = {"r": 0, "w": 0}

    def access(self, what, offset, size, odd):
        verb, done = ("READ", "READ") if what == "r" else ("WRITE", "WRITTEN")
        last = self.last[what]
        self.counts[f"POSIX_{verb}S"] += 1
        self.counts[f"POSIX_BYTES_{done}"] += size
        self.counts[f"POSIX_SEQ_{verb}S"] += offset > last
        self.counts[f"POSIX_CONSEC_{verb}S"] += offset == last + 1
        self.counts[f"POSIX_SIZE_{verb}_{LABELS[sum(size > most for most in CLASSES)]}"] += 1
        self.counts["POSIX_RW_SWITCHES"] += self.direction not in (None, what)
        self.counts["POSIX_FILE_NOT_ALIGNED"] += offset % self.alignment != 0
        self.counts["POSIX_MEM_NOT_ALIGNED"] += odd % 8 != 0
        highest = f"POSIX_MAX_BYTE_{done}"
        self.counts[highest] = max(self.counts[highest], offset + size - 1)
        self.sizes[size] += 1
        self.strides[offset - last - 1 if offset > last and last != 0 else 0] += 1
        self.last[what], self.direction = offset + size - 1, what

    def common(self, values):
        ranked = sorted(((count, value) for value, count in values.items() if value != 0), reverse=True)[:4]
        return [(value, count) for count, value in ranked]


def script(seed):
    """Long and short runs of both directions, broken in every way there is."""
    chance = random.Random(seed)
    at = 0
    for _ in range(chance.randrange(20, 60)):
        what, how, size, odd = chance.choice("rw"), chance.choice(["at", "on"]), chance.choice([64, 512, 4096, 7]), 0
        pattern = chance.choice(["forward", "forward", "same", "back", "gap"])
        for _ in range(chance.choice([1, 2, 7, 8, 9, 10, 40, 200])):
            if chance.random() < 0.01:
                odd = chance.choice([0, 1])
            yield what, how, at, size, odd
            at += {"forward": size, "same": 0, "back": -size, "gap": 2 * size}[pattern]
            if not 0 <= at < LENGTH - 3 * 4096:
                at = 0
        between = chance.random()
        if between < 0.1:
            yield ("sync",)
        elif between < 0.2:
            yield ("reopen",)


@pytest.mark.parametrize("ending", ["exit", "kill"])
@pytest.mark.parametrize("seed", range(12))
def test_runs_of_accesses(tmp_path, program, run, seed, ending):
    file = tmp_path / "data"
    file.write_bytes(bytes(LENGTH))
    lines = list(script(seed))
    (tmp_path / "script").write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))
    done, found = run(program("script"), tmp_path / "script", file, ending)
    assert done.returncode == (0 if ending == "exit" else -9)
    model = Model(found[file, "POSIX_FILE_ALIGNMENT"])
    for line in lines:
        model.access(line[0], *line[2:]) if len(line) > 1 else getattr(model, line[0])()
    for name, count in model.counts.items():
        assert found[file, name] == count, name
    for kind, values in (("ACCESS", model.sizes), ("STRIDE", model.strides)):
        if len(values) > VALUES_FOLLOWED:
            continue
        shown = [(found[file, f"POSIX_{kind}{i}_{kind}"], found[file, f"POSIX_{kind}{i}_COUNT"]) for i in range(1, 5)]
        assert [one for one in shown if one[1] > 0] == model.common(values), kind
