"""Bytes over time and rank as arrays."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from . import _picture
from ._needs import need

if TYPE_CHECKING:
    import numpy
    import pandas

    from .log import Log


@dataclasses.dataclass(frozen=True, eq=False)
class Heatmap:
    """How many bytes every rank moved in every slice of time. Row i of `read` and `write` is `ranks[i]`."""

    interface: str
    bin_seconds: float
    ranks: numpy.ndarray[Any, Any]
    read: numpy.ndarray[Any, Any]  #: int64, ranks x slices
    write: numpy.ndarray[Any, Any]

    @property
    def edges(self) -> numpy.ndarray[Any, Any]:
        """Where slices begin and end, in seconds since the job began: one more than there are slices."""
        import numpy
        slices = self.read.shape[1]
        edges: numpy.ndarray[Any, Any] = numpy.linspace(0, slices * self.bin_seconds, slices + 1)
        return edges

    @property
    def total(self) -> numpy.ndarray[Any, Any]:
        total: numpy.ndarray[Any, Any] = self.read + self.write
        return total

    def df(self, what: str = "total") -> pandas.DataFrame:
        """`read`, `write` or `total`: a row for each rank, a column for each slice by the second it begins."""
        pandas = need("pandas", "a DataFrame of pandas")
        if what not in ("read", "write", "total"):
            raise ValueError(f"a heatmap has read, write and total, not '{what}'")
        return pandas.DataFrame(getattr(self, what), index=pandas.Index(self.ranks, name="rank"),
                                columns=pandas.Index(self.edges[:-1], name="second"))

    def plot(self, ax: Any = None) -> Any:
        """Draws `total` with matplotlib; the axes it is drawn on, or new ones."""
        from . import plot
        return plot.heat(self, ax)

    def __repr__(self) -> str:
        ranks, slices = self.read.shape
        return f"<trikal.Heatmap {self.interface}: {ranks} ranks, {slices} slices of {self.bin_seconds:g} s>"

    def _repr_html_(self) -> str:
        return _picture.heat(self)


def heatmaps_of(log: Log) -> dict[str, Heatmap]:
    """Every heatmap of a log, from its tables heatmap and heatmap_bins."""
    if "heatmap_bins" not in log.tables:
        return {}
    numpy = need("numpy", "a heatmap")
    bins, records = log.table("heatmap_bins").arrow(), log.table("heatmap").arrow()
    columns = {name: bins.column(name).to_numpy() for name in ("record_id", "rank", "bin", "read_bytes", "write_bytes")}
    widths = dict(zip(records.column("record_id").to_pylist(), records.column("bin_width_seconds").to_pylist()))
    found = {}
    for record, width in widths.items():
        # Records are called heatmap:POSIX and the like.
        name = log.names.get(record, str(record)).rpartition(":")[2]
        mine = columns["record_id"] == record
        ranks = numpy.unique(columns["rank"][mine])
        slices = int(columns["bin"][mine].max()) + 1 if mine.any() else 0
        cells = (numpy.searchsorted(ranks, columns["rank"][mine]), columns["bin"][mine])
        arrays = []
        for column in ("read_bytes", "write_bytes"):
            array = numpy.zeros((len(ranks), slices), dtype=numpy.int64)
            array[cells] = columns[column][mine]
            arrays.append(array)
        found[name] = Heatmap(name, width, ranks, *arrays)
    return found
