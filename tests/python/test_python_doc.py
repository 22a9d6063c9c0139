"""docs/python.md is a notebook: its cells run, and print what it shows."""

import os
import re
import shutil

import pytest

import package_tree
import notebook

for needed in ("pandas", "polars", "pyarrow"):
    pytest.importorskip(needed, reason=f"{needed} is not installed (scripts/install-deps)")


def test_cells(observed, tmp_path, monkeypatch):
    for log in observed:
        shutil.copy(log, tmp_path)
    monkeypatch.chdir(tmp_path)
    cells = notebook.BLOCK.findall((package_tree.ROOT / "docs" / "python.md").read_text())
    assert len(cells) >= 12 and sum(bool(shown) for _, shown in cells) >= 12
    namespace = {}
    for code, shown in cells:
        printed = notebook.run(code, namespace)
        assert notebook.same(shown, printed), f"{code}\nshown:\n{shown}\nprinted:\n{printed}"


def test_a_wrong_cell_is_seen():
    assert not notebook.same("3\n", notebook.run("1 + 1", {}))
    assert notebook.same("a ... c\n", notebook.run("print('a b c')", {}))
    with pytest.raises(ZeroDivisionError):
        notebook.run("1 / 0", {})


def test_the_readmes_name_what_there_is():
    import trikal
    for page in ("python/README.md", "docs/python.md"):
        text = (package_tree.ROOT / page).read_text()
        for name in re.findall(r"`trikal\.(\w+)", text):
            assert hasattr(trikal, name) or os.path.exists(package_tree.ROOT / "python" / "trikal" / f"{name}.py"), name
