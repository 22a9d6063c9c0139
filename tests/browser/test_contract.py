"""The program makes web/src/data.ts and prediction_data.ts of the tables that its documents are written by; tsc holds documents
to the types.

A field that is missing, that nobody described or that has another type is an error of TypeScript's.
"""

import json
import re
import subprocess
import sys

import pytest

from pages import BUILD, ROOT
from log_files import OWN, REAL, by_name  # behind the path that pages extends

TRIKAL = BUILD / "bin" / "trikal"
LARGEST = sorted(REAL, key=lambda log: -log.stat().st_size)[:5]
LOGS = OWN + LARGEST + [by_name(name) for name in ("job-3.5.0-le", "job-3.1.3-be", "job-nothing")]
MOST = 10  # items of a list: tsc compares each with all others


def document(page):
    found = re.search(r'id="trikal-data"[^>]*>(?:\s*<!--)?(.*?)(?:-->)?\s*</script>', page.read_text(), re.DOTALL)
    return shortened(json.loads(found[1]))


def shortened(value):
    """As readData makes it: what was no number is 0."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shortened(part) for part in value[:MOST]]
    return 0 if value is None else value


def complaints(folder, documents, module, kind):
    """What tsc says of documents that are named."""
    for source in (ROOT / "web" / "src").glob("*data.ts"):
        (folder / source.name).write_text(source.read_text())
    for name, data in documents.items():
        text = json.dumps(data)
        (folder / f"{name}.ts").write_text(f'import {{ {kind} }} from "./{module}";\nexport const data: {kind} = {text};\n')
    options = {**json.loads((ROOT / "web" / "tsconfig.json").read_text()), "include": ["*.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(options))
    return subprocess.run(["tsc"], cwd=folder, capture_output=True, text=True, check=False).stdout


def reported(folder, log):
    page = folder / "page.html"
    subprocess.run([TRIKAL, "report", "--force", log, "-o", page], check=True, capture_output=True)
    return document(page)


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("types")
    subprocess.run([TRIKAL, "generate", "page-types", "-o", folder], check=True)
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_types_in_the_tree_are_up_to_date(generated):
    kept = {path.name: path.read_text() for path in (ROOT / "web" / "src").glob("*data.ts") if path.name != "read_data.ts"}
    assert kept == generated, "run: trikal generate page-types -o web/src"


@pytest.mark.parametrize("types, page, beside", [("data.ts", "run-json.md", {"run_seconds", "io_seconds"}),
                                                 ("prediction_data.ts", "prediction-json.md", set())])
def test_the_format_page_names_every_field(generated, types, page, beside):
    described = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "formats" / page).read_text()))
    fields = set(re.findall(r"^  (\w+)\??: ", generated[types], re.MULTILINE)) | beside
    assert len(fields) > 50
    assert sorted(fields - described) == []


def test_reports_of_logs(tmp_path):
    example = tmp_path / "example.darshan"
    subprocess.run([sys.executable, ROOT / "examples" / "checkpoint_log.py", example], check=True, capture_output=True)
    documents = {f"log{number}": reported(tmp_path, log) for number, log in enumerate([example, *LOGS])}
    assert complaints(tmp_path, documents, "data", "Data") == ""


def test_predictions(tmp_path):
    (tmp_path / "data").mkdir()
    page, source = tmp_path / "page.html", ROOT / "examples" / "heat" / "heat.c"
    done = subprocess.run([TRIKAL, "predict", "--html", page, source, "--", "40", "data"], capture_output=True, text=True,
                          cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = document(page)
    assert data["predictions"][0]["accesses"] and data["predictions"][0]["findings"]
    assert complaints(tmp_path, {"predicted": data}, "prediction_data", "PredictionPage") == ""


def test_what_is_not_described_is_found(tmp_path):
    data = reported(tmp_path, by_name("job-3.5.0-le"))
    missing = {key: value for key, value in data.items() if key != "files_total"}
    other = {**data, "files_total": "many"}
    more = {**data, "riddle": 1}
    expected = ("'files_total' is missing", "'string' is not assignable to type 'number'", "'\"riddle\"' does not exist")
    documents = {f"wrong{number}": wrong for number, wrong in enumerate((missing, other, more))}
    said = complaints(tmp_path, documents, "data", "Data")
    for name, why in zip(documents, expected):
        found = re.search(rf"^{name}\.ts.*: error TS\d+: .*(?:\n .*)*", said, re.MULTILINE)
        assert found and why in found[0], said
