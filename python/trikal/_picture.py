"""A heatmap as a picture for notebooks: SVG with a sentence for those who do not see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._html import bytes_text, cell

if TYPE_CHECKING:
    from .heatmap import Heatmap

MOST_ROWS, MOST_COLUMNS = 64, 128
CELL_WIDTH, CELL_HEIGHT = 5, 8


def _joined(array: Any, most: int, axis: int) -> Any:
    """At most `most` rows or columns: neighbours are added."""
    import numpy
    step = max(1, -(-array.shape[axis] // most))
    return numpy.add.reduceat(array, numpy.arange(0, array.shape[axis], step), axis=axis)


def heat(heatmap: Heatmap) -> str:
    total = heatmap.total
    words = (f"{heatmap.interface}: {bytes_text(int(heatmap.read.sum()))} read and "
             f"{bytes_text(int(heatmap.write.sum()))} written by {total.shape[0]} ranks in {total.shape[1]} slices of "
             f"{heatmap.bin_seconds:g} s")
    if total.size == 0:
        return f"<p>{cell(words)}</p>"
    small = _joined(_joined(total, MOST_ROWS, 0), MOST_COLUMNS, 1)
    most = max(1, int(small.max()))
    rows, columns = small.shape
    boxes = [f'<rect x="{x * CELL_WIDTH}" y="{y * CELL_HEIGHT}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" '
             f'fill="#b03a00" fill-opacity="{0.15 + 0.85 * int(small[y, x]) / most:.2f}"/>'
             for y in range(rows) for x in range(columns) if small[y, x] > 0]
    width, height = columns * CELL_WIDTH, rows * CELL_HEIGHT
    return (f'<figure><svg role="img" aria-label="{cell(words)}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#f4f1ec"/>{"".join(boxes)}'
            f"</svg><figcaption>{cell(words)}; time runs to the right, ranks downwards</figcaption></figure>")
