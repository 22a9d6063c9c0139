"""Pictures, pages, and the small things people expect of a table."""

import pytest

import package_tree  # noqa: F401: makes the package of this tree the one that is imported
import trikal
import trikal.plot

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed (scripts/install-deps)")
pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
matplotlib.use("Agg")


@pytest.fixture
def log(observed):
    return trikal.open(observed[-1])


def test_rows_and_columns(log):
    table = log.table("POSIX")
    frame = table.pandas()
    assert len(table) == len(frame) > 0 and table.columns == list(frame.columns)


def test_a_heatmap_as_a_frame(log):
    heat = log.heatmap("POSIX")
    assert heat.df("write").to_numpy().sum() == heat.write.sum() > 0
    assert (heat.df("read") + heat.df("write")).equals(heat.df())
    with pytest.raises(ValueError, match="not 'sum'"):
        heat.df("sum")


def test_a_heatmap_drawn(log):
    heat = log.heatmap("POSIX")
    axes = heat.plot()
    assert axes.images[0].get_array().sum() == heat.total.sum() and axes.get_xlabel() == "seconds"
    assert heat.plot(axes) is axes


def test_sizes_drawn(log):
    axes = trikal.plot.sizes(log)
    writes = log.df("POSIX")["POSIX_WRITES"].sum()
    assert sum(bar.get_height() for bar in axes.containers[1]) == writes
    with pytest.raises(trikal.NotInLog, match="does not count sizes"):
        trikal.plot.sizes(log, "STDIO")


def test_findings_drawn(log):
    axes = trikal.plot.findings(log)
    costly = [one for one in log.findings if one.seconds]
    assert len(axes.patches) == len(costly) > 0
    assert axes.patches[-1].get_width() == costly[0].seconds  # the largest on top


def test_a_page(log, tmp_path):
    page = tmp_path / "page.html"
    assert log.report(page) == str(page) and page.read_text().rstrip().endswith("</html>")
    before = page.stat().st_mtime_ns
    with pytest.raises(trikal.TrikalError, match="page.html"):
        log.report(page)
    assert page.stat().st_mtime_ns == before
    log.report(page, replace=True)
    assert page.stat().st_mtime_ns != before
