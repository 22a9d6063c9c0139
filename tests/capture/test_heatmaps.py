"""Bytes over time, as the runtime counts them."""

import json
import subprocess

import pytest

from conftest import TRIKAL, rows_of

WRITER = """
import os, time
out = os.open('out.dat', os.O_WRONLY | os.O_CREAT)
for step in range(20):
    os.write(out, b'x' * 1000)
    time.sleep({seconds} / 20)
"""


@pytest.mark.parametrize("seconds", [0.1, 1.0])
def test_short_runs_have_fine_slices(run, seconds):
    """A hundred slices or more, whatever the machine is busy with; the original has slices of a tenth of a second."""
    _, log = run("python3", "-c", WRITER.format(seconds=seconds))
    widths = {row["bin_width_seconds"] for row in rows_of(log.path, "heatmap")}
    assert len(widths) == 1
    (width,) = widths
    doublings = [0.1 / 64 * 2**times for times in range(30)]
    assert any(width == pytest.approx(doubled) for doubled in doublings)
    told = subprocess.run([TRIKAL, "summary", "--json", log.path], check=True, capture_output=True).stdout
    assert width == pytest.approx(doublings[0]) or 100 * width <= 1.01 * json.loads(told)["job"]["seconds"]
    bins = rows_of(log.path, "heatmap_bins")
    assert sum(row["write_bytes"] for row in bins) >= 20_000
    assert len([row for row in bins if row["write_bytes"]]) >= 10
