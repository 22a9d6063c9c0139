"""Pictures of a log by matplotlib, for notebooks and papers. Each function draws on the axes it is given, or on new ones,
and returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._needs import need
from .errors import NotInLog

if TYPE_CHECKING:
    from .heatmap import Heatmap
    from .log import Log

SIZES = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS")


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    need("matplotlib", "a plot")
    from matplotlib import pyplot
    return pyplot.subplots()[1]


def heat(heatmap: Heatmap, ax: Any = None) -> Any:
    """Bytes over time and rank."""
    ax = _axes(ax)
    top, bottom = heatmap.ranks[0] - 0.5, heatmap.ranks[-1] + 0.5
    picture = ax.imshow(heatmap.total, aspect="auto", interpolation="nearest",
                        extent=(heatmap.edges[0], heatmap.edges[-1], bottom, top))
    ax.figure.colorbar(picture, ax=ax, label="bytes")
    ax.set(xlabel="seconds", ylabel="rank", title=heatmap.interface)
    return ax


def sizes(log: Log, module: str = "POSIX", ax: Any = None) -> Any:
    """How many reads and writes there are of each size."""
    table = log.table(module)
    prefix = table.module.replace("-", "")
    if f"{prefix}_SIZE_READ_{SIZES[0]}" not in table.columns:
        raise NotInLog(f"{log.path}: {module} does not count sizes of accesses")
    ax = _axes(ax)
    frame = table.pandas()
    for shift, kind in ((-0.2, "READ"), (0.2, "WRITE")):
        counts = [int(frame[f"{prefix}_SIZE_{kind}_{size}"].sum()) for size in SIZES]
        ax.bar([at + shift for at in range(len(SIZES))], counts, width=0.4, label=f"{kind.lower()}s")
    ax.set_xticks(range(len(SIZES)), [size.replace("_", " to ", 1).replace("to PLUS", "and more") for size in SIZES],
                  rotation=45, ha="right")
    ax.set(xlabel="bytes", ylabel="calls", title=table.module)
    ax.legend()
    return ax


def findings(log: Log, ax: Any = None) -> Any:
    """What each finding costs, in seconds."""
    found = [(one.code, one.seconds) for one in log.findings if one.seconds]
    ax = _axes(ax)
    ax.barh([code for code, _ in reversed(found)], [seconds for _, seconds in reversed(found)])
    ax.set(xlabel="seconds", title="findings")
    return ax
