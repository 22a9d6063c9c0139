"""Programs that nobody wrote (csmith makes them): every variable ends in a checksum, and so many bytes are written as it says.
A prediction is right only if the machine computed each of them rightly and forgot nothing where it skipped iterations of loops."""

import os
import shutil
import subprocess

import pytest

from conftest import predict, totals

FULL = os.environ.get("TRIKAL_FULL") == "1"
SEEDS = range(1, 301 if FULL else 21)
WRITES = """
#include <stdio.h>
static void write_checksum(unsigned sum) {
  FILE* out = fopen("sum", "w");
  for (unsigned i = 0; i < sum % 1000003; i++) fputc('x', out);
  fclose(out);
}
"""
LAST = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);"
FLAGS = ["-w", "-I/usr/include/csmith", "-include", "writes.h"]


def make(folder, seed):
    """The source; nothing where the program does not end soon."""
    text = subprocess.run(["csmith", "--seed", str(seed), "--no-packed-struct"], cwd=folder, capture_output=True,
                          check=True).stdout.decode()
    assert text.count(LAST) == 1
    (folder / "writes.h").write_text(WRITES)
    (folder / "random.c").write_text(text.replace(LAST, "write_checksum(crc32_context ^ 0xFFFFFFFFUL);"))
    subprocess.run(["gcc", "-O0", *FLAGS, "-o", "random", "random.c"], cwd=folder, check=True)
    try:
        subprocess.run(["./random"], cwd=folder, check=True, timeout=2)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return folder / "random.c"


@pytest.mark.parametrize("seeds", [SEEDS[i:i + 10] for i in range(0, len(SEEDS), 10)], ids=lambda seeds: f"from-{seeds[0]}")
def test_every_variable_is_computed(tmp_path, cache, seeds):
    assert shutil.which("csmith"), "csmith is missing: scripts/install-deps"
    tried, unknown = 0, []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        source = make(folder, seed)
        if source is None:
            continue
        want = (folder / "sum").stat().st_size
        (folder / "sum").unlink()
        told, counters = predict(folder, cache, [source], [], *[f"--flag={flag}" for flag in FLAGS])
        tried += 1
        if any(row["certainty"] == "assumed" for row in told["predictions"][0]["accesses"]):
            unknown.append(seed)  # not told, and it says so
        else:
            assert totals(counters).get("STDIO_BYTES_WRITTEN", 0) == want, seed
    assert tried >= 5 and len(unknown) <= 1, (tried, unknown)
