"""Several runs beside each other, and the HTML that notebooks show."""

import html.parser

import pytest

pandas = pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")

import package_tree
import trikal
from log_files import ALL, reads_logs

COUNTED = {"read_calls": "READS", "write_calls": "WRITES", "read_bytes": "BYTES_READ", "write_bytes": "BYTES_WRITTEN"}


def test_three_runs(observed):
    frame = trikal.compare([observed[0], trikal.open(observed[1]), str(observed[2])])
    assert list(frame.index) == ["checkpoint-1", "checkpoint-2", "checkpoint-4"] and frame.index.name == "run"
    assert frame["job", "nprocs"].to_list() == [5, 9, 17]
    assert frame["POSIX", "write_calls"].to_list() == [8000, 16000, 32000]
    assert (frame["finding", "small-writes"] > 0).all()
    for path, label in zip(observed, frame.index):
        printed = package_tree.totals(path)
        for layer in ("POSIX", "STDIO"):
            for column, counter in COUNTED.items():
                assert frame.loc[label, (layer, column)] == int(printed[f"{layer}_{counter}"])
    assert frame["POSIX", "opens"].dtype == "Int64" and frame["STDIO", "seconds_by_slowest"].dtype == "Float64"


def test_polars(observed):
    polars = pytest.importorskip("polars")
    frame, same = trikal.compare(observed, kind="polars"), trikal.compare(observed)
    assert isinstance(frame, polars.DataFrame) and frame["run"].to_list() == list(same.index)
    assert frame.columns[1:] == [".".join(pair) for pair in same.columns]
    assert frame["POSIX.opens"].to_list() == same["POSIX", "opens"].to_list()


def test_equal_names_are_told_apart(observed):
    assert list(trikal.compare([observed[0], observed[0], observed[1]]).index) == [
        "checkpoint-1 (1)", "checkpoint-1 (2)", "checkpoint-2"]


def test_too_few(observed):
    with pytest.raises(ValueError, match="1 of at least 2 runs"):
        trikal.compare([observed[0]])
    with pytest.raises(ValueError, match="'csv' is not one of pandas, polars"):
        trikal.compare(observed, kind="csv")


@reads_logs
def test_all_logs():
    """All of them at once, whatever they have in common; totals as darshan-parser's."""
    frame = trikal.compare(ALL)
    assert len(frame) == len(ALL) and frame["POSIX", "read_calls"].isna().any()
    for i, path in enumerate(ALL):
        printed = package_tree.totals(path)
        for layer in ("POSIX", "STDIO"):
            for column, counter in COUNTED.items():
                if f"{layer}_{counter}" in printed and not pandas.isna(frame.iloc[i][layer, column]):
                    assert frame.iloc[i][layer, column] == max(0, int(printed[f"{layer}_{counter}"])), (path, counter)


class Reader(html.parser.HTMLParser):
    """Elements and text; complains about elements that are not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_html_of_a_log(observed):
    page = Reader(trikal.open(observed[-1])._repr_html_())
    assert {"./checkpoint 4 data", "POSIX", "small-writes"} <= set(page.text)
    headings = [attrs for tag, attrs in page.seen if tag == "th"]
    assert headings and all(attrs.get("scope") in ("col", "row") for attrs in headings)
    tables = [tag for tag, _ in page.seen].count("table")
    assert tables == [tag for tag, _ in page.seen].count("caption") == 3


def test_hostile_names_are_text(tmp_path):
    """A command line, a file's name and a log's path made of markup stay text."""
    import subprocess
    evil = tmp_path / "<img src=x onerror=alert(1)>&\"'.darshan"
    script = tmp_path / "<script>x"
    command = f'for i in $(seq 3000); do printf x; done > "{script}"'
    subprocess.run([package_tree.TRIKAL, "run", "--quiet", "--log", evil, "--", "sh", "-c", command], check=True)
    log = trikal.open(evil)
    for text in (log._repr_html_(), log.findings._repr_html_(), *(heat._repr_html_() for heat in log.heatmaps.values())):
        page = Reader(text)
        assert {tag for tag, _ in page.seen} <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "figure",
                                                 "figcaption", "svg", "rect"}
    page = Reader(log._repr_html_())
    assert any(str(evil) in text for text in page.text)


def test_html_without_the_program(observed, monkeypatch):
    monkeypatch.setenv("TRIKAL_BIN", "/none")
    page = Reader(trikal.open(observed[0])._repr_html_())
    assert "No findings: TRIKAL_BIN is /none, which is no program" in page.text and "POSIX" in page.text


def test_picture_of_a_heatmap(observed):
    heat = trikal.open(observed[-1]).heatmap("POSIX")
    page = Reader(heat._repr_html_())
    [svg] = [attrs for tag, attrs in page.seen if tag == "svg"]
    assert svg["role"] == "img" and svg["aria-label"].startswith("POSIX: 195 KiB read and 1.95 MiB written by 17 ranks")
    assert len([tag for tag, _ in page.seen if tag == "rect"]) > 1


def test_a_large_heatmap_is_joined():
    numpy = pytest.importorskip("numpy")
    heat = trikal.Heatmap("POSIX", 0.1, numpy.arange(1000), numpy.ones((1000, 999), dtype="int64"),
                          numpy.zeros((1000, 999), dtype="int64"))
    assert len(heat._repr_html_()) < 1_500_000
    empty = trikal.Heatmap("X", 0.1, numpy.arange(0), numpy.zeros((0, 0), dtype="int64"), numpy.zeros((0, 0), dtype="int64"))
    assert empty._repr_html_().startswith("<p>X: 0 B read")
