"""What our shared libraries export and what they need, against the lists in symbols/.

symbols/NAME.so.txt has a section [exports] (names, patterns with *, or @files that list names), a section [needed]
(libraries) and, for a library that lives in other people's processes, [imports] (names, each with the reason for it).
"""

import fnmatch
import re
import subprocess

import project

LISTS = {path.stem: project.table_sections(path) for path in sorted((project.HERE / "symbols").glob("*.so.txt"))}
FOLDER = project.BUILD / "lib"
LINKER_NAMES = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def exported(library):
    """Names with default or protected visibility; the version nodes of a version script are no symbols."""
    rows = [line.split() for line in lines_of("nm", "-D", "--defined-only", str(library))]
    return {row[-1].split("@")[0] for row in rows if row[-2] != "A"} - LINKER_NAMES


def needed(library):
    found = (re.search(r"\(NEEDED\).*\[(.*)\]", line) for line in lines_of("readelf", "-dW", str(library)))
    return {match.group(1) for match in found if match}


def imported(library):
    rows = lines_of("nm", "-D", "--undefined-only", "--format=just-symbols", str(library))
    return {row.split("@")[0] for row in rows}


def reasons(table):
    """{name: why it is imported}"""
    return {name: why.strip() for name, _, why in (line.strip().partition(" ") for line in table["imports"])}


def unlisted(names, patterns):
    return sorted(name for name in names if not any(fnmatch.fnmatchcase(name, one) for one in patterns))


def words(table, section):
    named = {word for line in table[section] for word in line.split()}
    lists = {word for word in named if word.startswith("@")}
    for pattern in lists:
        for path in project.ROOT.glob(pattern[1:]):
            named |= {line for line in path.read_text().split("\n") if line and not line.startswith("#")}
    return named - lists


def test_every_library_has_a_list_and_every_list_a_library():
    built = {path.name for path in FOLDER.glob("*.so")}
    assert built == set(LISTS), f"built: {sorted(built)}, listed: {sorted(LISTS)}"


def test_exports_are_exactly_the_list():
    wrong = []
    for name, table in LISTS.items():
        names, patterns = exported(FOLDER / name), words(table, "exports")
        wrong += [f"{name} exports {symbol}, which is not listed" for symbol in unlisted(names, patterns)]
        wrong += [f"{name} does not export {one}" for one in sorted(patterns) if not fnmatch.filter(names, one)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_libraries_need_only_what_is_listed():
    wrong = [f"{name} needs {library}, which is not listed" for name, table in LISTS.items()
             for library in unlisted(needed(FOLDER / name), words(table, "needed"))]
    assert not wrong, "\n" + "\n".join(wrong)


def test_imports_are_listed_with_their_reasons():
    assert "imports" in LISTS["libtrikal.so"]
    for name, table in LISTS.items():
        if "imports" not in table:
            continue
        why, found = reasons(table), imported(FOLDER / name)
        assert found, "nothing was found: is this the right file?"
        assert not found - set(why), f"{name} imports without a reason: {sorted(found - set(why))}"
        # The compiler's own and those of one architecture may be absent.
        gone = {one for one in set(why) - found if not why[one].startswith(("weak", "zlib", "data"))}
        assert not gone, f"{name} does not import {sorted(gone)} any more"
        assert all(why.values()), "a name without its reason"


HEAP = {"malloc", "calloc", "realloc", "reallocarray", "free", "posix_memalign", "aligned_alloc", "_Znwm", "_ZdlPv", "_ZdlPvm"}


def test_nothing_of_ours_uses_the_heap():
    """In the library itself these names are gone (process/no_heap.cpp), so the objects are looked at."""
    objects = sorted((project.BUILD / "src" / "capture" / "CMakeFiles" / "trikal-runtime.dir").rglob("*.o"))
    assert objects
    rows = lines_of("gcc-nm", "--undefined-only", "--print-file-name", *map(str, objects))
    assert any(row.endswith(" dl_iterate_phdr") for row in rows), "nm does not see into these objects"
    users = [row for row in rows if row.split()[-1] in HEAP]
    assert not users, "\n" + "\n".join(users)


def test_the_tools_read_a_library(tmp_path):
    """nm and readelf are understood: a library made here shows its one name and its one need."""
    source, library = tmp_path / "one.c", tmp_path / "libone.so"
    source.write_text("#include <stdio.h>\nstatic int hidden(void) { return puts(\"\"); }\nint shown(void) { return hidden(); }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    assert exported(library) == {"shown"}
    assert needed(library) == {"libc.so.6"}
    assert "puts" in imported(library)
