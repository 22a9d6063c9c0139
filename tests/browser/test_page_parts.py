"""Where findings lead to, the time line, and what sums the page has of files, processes and libraries."""

import sample
from test_page import names, said


def test_a_finding_leads_to_its_file_and_is_copied(show):
    data = sample.checkpoint()
    opened = show(data)
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first = page.locator(".finding").first
    first.locator("summary").first.click()
    link = first.locator("button.link").first
    name = said(link)
    link.click()
    assert page.locator(".detail-row").count() == 1 and page.locator("#file-search").input_value().endswith(name.split("/")[-1])
    first.locator("button.copy").click()
    page.wait_for_function("document.querySelector('.finding .copy').textContent === 'Copied'")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith(f"{data['findings'][0]['code']} [{data['findings'][0]['severity']}]") and "Do this: " in text


def test_a_finding_leads_to_its_ranks_and_lines(show):
    data = sample.checkpoint()
    data["ranks"] = [sample.rank(number, 100 - number) for number in range(100)]
    data["findings"][0]["evidence"] = ["rank 99 waits for rank 3, not for rank 1000"]
    data["findings"][0]["files"][0]["sites"] = [sample.site("solver.c:120 (write_rows)")]
    page = show(data).page
    first = page.locator(".finding").first
    assert first.locator(".evidence button").all_inner_texts() == ["rank 99", "rank 3"]
    for rank in (99, 3):  # one that was drawn, and one that was not
        first.get_by_role("button", name=f"rank {rank}", exact=True).click()
        assert said(page.locator("#ranks .chosen")).startswith(f"rank {rank}\n")
        assert page.evaluate("document.activeElement.className") == "bar-row chosen"
    first.get_by_role("button", name="solver.c:120 (write_rows)").click()
    assert "/scratch/run/out.dat" in said(page.locator("tr.file")) and page.locator(".detail-row").count() == 1


def test_the_contents_stay_in_sight(show):
    page = show(sample.checkpoint()).page
    page.locator("section").last.scroll_into_view_if_needed()
    box = page.locator("nav").bounding_box()
    assert 0 <= box["y"] < 50


def test_a_time_line_stands_beside_the_verdict(show):
    page = show(sample.checkpoint()).page
    line, verdict = page.locator(".time-line").bounding_box(), page.locator("#verdict").bounding_box()
    assert line["x"] > verdict["x"] + verdict["width"] and line["y"] < verdict["y"] + verdict["height"]
    assert "Bytes moved in " in said(page.locator(".time-line")) and "12.4 s" in said(page.locator(".time-line .ends"))
    assert page.locator(".time-line rect.read").count() > 5 < page.locator(".time-line rect.write").count()
    assert not show({**sample.checkpoint(), "heat": []}).page.locator(".time-line").count()


def test_the_axis_ends_with_the_run(show):
    """Slices of a tenth of a second: the last one begins within the run and ends behind it."""
    data = sample.checkpoint()
    data["job"]["seconds"] = 1.23
    data["phases"] = []
    rows = [{"rank": rank, "read": [0] * 20, "written": [1] * 13 + [0] * 7} for rank in range(4)]
    data["heat"] = [{"interface": "POSIX", "width": 0.1, "ranks_a_row": 1, "rows": rows}]
    page = show(data).page
    assert "0 s to 1.23 s, 4 rows" in said(page.locator(".readout"))
    page.locator("canvas.heat").focus()
    box = page.locator("canvas.heat").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 90)
    assert "1.20 s to 1.23 s: read 0 B, wrote 1 B" in said(page.locator(".readout"))


def test_ranks_are_called_ranks_only_with_mpi(show):
    data = sample.checkpoint()
    data["job"]["mpi"] = False
    page = show(data).page
    assert said(page.locator("#ranks h2")) == "I/O by process" and "process 0" in said(page.locator("#ranks"))
    for part in ("#ranks", "#split", "#heat", "#layer-times", "#processes"):
        assert "rank" not in said(page.locator(part)).lower(), part


def test_files_and_processes_are_summed_up(show):
    data = sample.checkpoint()
    page = show(data).page
    files = said(page.locator("#files"))
    assert "Of 4,012 files, 40 were read and 3,900 written" in files and "120 slowest of 4,012 files are listed" in files
    kinds = [row.split("\t") for row in said(page.get_by_role("region", name="Files by use").locator("tbody")).splitlines()]
    assert kinds[0][:4] == ["only read", "40", "1.50 KiB", "9 MiB"]
    page.get_by_text("By directory: 2 rows").click()
    assert "/scratch/run/\t4,000\t8,000\t8.10 s" in said(page.get_by_role("region", name="Files by directory"))
    programs = said(page.get_by_role("region", name="Programs", exact=True))
    assert "4 processes took part" in said(page.locator("#processes .sentence")) and "/apps/checkpoint" in programs


def test_files_of_mpi_are_left_out(show):
    data = sample.checkpoint()
    own = "/tmp/ompi.node.1000/pid.17/sh_cid.sm"
    data["files"].insert(0, {**sample.file_row(own, 9.0), "internal": True})
    data["files_internal"] = 1
    page = show(data).page
    assert own not in names(page) and "1 more file is MPI's own or trikal's and left out." in said(page.locator("#files .sentence").first)
    assert "out.dat takes" in said(page.locator("#files .sentence").first)
    page.get_by_label("MPI's own files, too").check()
    assert names(page)[0] == own


def test_libraries_have_sections(show):
    data = sample.checkpoint()
    data["messages"] = {"ranks": 4, "seconds": 8.0, "slowest": 3.1, "slowest_rank": 2}
    data["layers"].append(sample.layer("MPI-IO", sample.flow(), sample.flow(100, 4096, 2.0)))
    data["counters"].append({"module": "MPI-IO", "values": {"MPIIO_INDEP_WRITES": 75, "MPIIO_COLL_WRITES": 25, "MPIIO_COLL_OPENS": 4}})
    data["libraries"].append({**data["libraries"][0], "name": "PNETCDF_VAR", "collective": {"reads": 0, "writes": 4096},
                              "nonblocking": {"reads": 12, "writes": 128}})
    page = show(data).page
    assert "The slowest rank spends 5.20 s (42 % of the run) in HDF5. 12 datasets" in said(page.locator("#hdf5"))
    assert "2 KiB" in said(page.locator("#hdf5 tbody")) and "none" in said(page.locator("#hdf5 tbody"))
    calls = [said(row).split() for row in page.locator("#pnetcdf tbody tr").all()]
    assert calls == [["collective", "0", "4,096"], ["nonblocking", "12", "128"]]
    assert "25 % of 100 reads and writes through MPI-IO are collective." in said(page.locator("#mpi"))
    assert "3.10 s (25 % of the run) of rank 2, the slowest" in said(page.locator("#mpi"))
    assert "in PnetCDF" in said(page.locator("#pnetcdf"))
    assert not show(sample.empty()).page.locator("#hdf5, #mpi, #pnetcdf").count()
