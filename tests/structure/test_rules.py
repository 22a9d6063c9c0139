"""Rules see files and datasets through one filter: the record that stands for many files is judged by none."""

import re

from project import ROOT

DIRECT = re.compile(r"\brun\.(files|datasets)\b|\bfor_each_batch\b")


def test_rules_use_the_filter():
    rules = [path for path in (ROOT / "src/analyze/rules").glob("*.[ch]pp")
             if not path.name.endswith("_test.cpp") and path.name != "one_file.hpp"]
    assert len(rules) > 50
    direct = [f"{path.name}:{number}" for path in rules
              for number, line in enumerate(path.read_text().splitlines(), 1) if DIRECT.search(line)]
    assert not direct, "use single_files, single_datasets or for_each_use of analyze/dataset/run.hpp"
