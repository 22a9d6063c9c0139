"""What is made from the table of verbs: man pages, the manual, completion in three shells."""

import os
import pathlib
import pty
import re
import select
import subprocess
import time

import pytest

from tool import BIN, ROOT, run

KINDS = {"man": "man/man1", "bash": "bash-completion/completions", "zsh": "zsh/site-functions",
         "fish": "fish/vendor_completions.d"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Everything `trikal generate` makes, laid out as installed, the manual in markdown/."""
    folder = tmp_path_factory.mktemp("share")
    for kind, folder_of_kind in {**KINDS, "markdown": "markdown"}.items():
        done = run("generate", kind, "-o", folder / folder_of_kind)
        assert done.returncode == 0, done.stderr
    return folder


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def verbs():
    return re.findall(r"^  ([a-z+]+)  ", run("help").stdout.decode(), re.MULTILINE)


def test_the_build_made_the_same(made):
    built = contents(BIN.parent / "share")
    built.pop("made")
    built = {name: data for name, data in built.items() if not name.startswith("trikal/")}  # models and training programs
    assert built == {name: data for name, data in contents(made).items() if not name.startswith("markdown/")}


def test_the_manual_in_the_tree_is_up_to_date(made):
    kept = contents(ROOT / "docs" / "manual")
    new = contents(made / "markdown")
    stale = sorted(name for name in kept.keys() | new.keys() if kept.get(name) != new.get(name))
    assert not stale, f"run: trikal generate markdown -o docs/manual (and remove what is no longer made): {stale}"


def test_links_of_the_manual_lead_somewhere(made):
    pages = contents(made / "markdown")
    for name, text in pages.items():
        for target in re.findall(rb"\]\(([^)]+)\)", text):
            assert target.decode() in pages, (name, target)


def test_there_is_a_man_page_for_every_verb(made):
    assert {path.name for path in (made / "man/man1").iterdir()} == {"trikal.1", *(f"trikal-{v}.1" for v in verbs())}


def test_man_pages_have_nothing_to_complain_of(made):
    for page in (made / "man/man1").iterdir():
        for command in (["mandoc", "-Tlint", page], ["man", "--warnings=all", "-l", page]):
            done = subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
                                  check=False)
            assert done.returncode == 0 and not done.stderr, (command, done.stderr)
            if command[0] == "mandoc":
                assert not done.stdout, done.stdout.decode()


def test_a_man_page_says_what_help_says(made):
    def words(text):
        return re.sub(r"\s+", " ", text.replace("\u2010\n", "").replace("\u2010", "-"))
    for verb in verbs():
        done = subprocess.run(["mandoc", "-Tascii", "-Owidth=500", made / f"man/man1/trikal-{verb}.1"],
                              capture_output=True, check=True)
        page = words(re.sub(r".\x08", "", done.stdout.decode()))
        help_text = run("help", verb).stdout.decode()
        options = re.findall(r"^  ((?:-\w, )?--[a-z0-9-]+)", help_text, re.MULTILINE)
        assert options and all(option in page for option in options)
        description = help_text.split("\n\n")[1]
        assert words(description).strip() in page


def test_several_files_need_a_folder():
    done = run("generate", "man")
    assert done.returncode == 2 and b"-o DIR" in done.stderr
    assert run("generate", "poem").returncode == 2
    assert run("generate", "man", "-o", "/dev/null/x").returncode == 3


def test_shells_accept_the_completions(made):
    for command in (["bash", "-n", made / KINDS["bash"] / "trikal"], ["zsh", "-n", made / KINDS["zsh"] / "_trikal"],
                    ["fish", "--no-execute", made / KINDS["fish"] / "trikal.fish"]):
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0 and not done.stderr, (command, done.stderr)


def in_bash(made, *words):
    """What bash offers for the last word."""
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              '_trikal "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", script, "-", made / KINDS["bash"] / "trikal", BIN / "trikal", *words],
                          capture_output=True, check=True)
    assert not done.stderr, done.stderr
    return set(done.stdout.decode().split())


def in_fish(made, home, line):
    done = subprocess.run(["fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"',
                           made / KINDS["fish"] / "trikal.fish", line], capture_output=True, check=True, cwd=home,
                          env={"HOME": str(home), "PATH": f"{BIN}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    return {row.split("\t")[0] for row in done.stdout.decode().splitlines()}


def test_bash_completes(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.darshan").touch()
    (tmp_path / "jobs").mkdir()
    assert in_bash(made, "") == {*verbs(), "--help", "--version"}
    assert in_bash(made, "ex") == {"export", "explain"}
    assert in_bash(made, "parse", "--to") == {"--total"}
    options = set(re.findall(r"--[a-z-]+", run("help", "parse").stdout.decode().split("Examples:")[0]))
    assert in_bash(made, "parse", "--") == options
    assert in_bash(made, "parse", "jo") == {"job.darshan", "jobs"}
    assert in_bash(made, "export", "job.darshan", "--format", "") == {"csv", "json", "sqlite", "arrow", "perfetto",
                                                                      "openmetrics", "ldms-json", "ldms-csv"}
    assert in_bash(made, "export", "job.darshan", "--format", "=") >= {"csv", "json"}
    assert in_bash(made, "export", "job.darshan", "--format", "=", "c") == {"csv"}
    assert in_bash(made, "export", "-f", "s") == {"sqlite"}
    assert in_bash(made, "explain", "POSIX_SEEK") == {"POSIX_SEEKS"}
    assert in_bash(made, "explain", "posix_seek") == {"POSIX_SEEKS"}
    assert "HEATMAP" in in_bash(made, "explain", "HE")
    assert in_bash(made, "diff", "--module", "dxt_p") == {"DXT_POSIX"}
    assert in_bash(made, "help", "m") == {"merge"}
    assert in_bash(made, "info", "--limit", "") == set()
    assert in_bash(made, "nonsense", "") == set()


def test_fish_completes(made, tmp_path):
    (tmp_path / "job.darshan").touch()
    assert in_fish(made, tmp_path, "trikal ") >= set(verbs())
    assert in_fish(made, tmp_path, "trikal expl") == {"explain"}
    assert in_fish(made, tmp_path, "trikal parse --to") == {"--total"}
    assert in_fish(made, tmp_path, "trikal parse jo") == {"job.darshan"}
    assert in_fish(made, tmp_path, "trikal export -f ") == {"csv", "json", "sqlite", "arrow", "perfetto", "openmetrics",
                                                            "ldms-json", "ldms-csv"}
    assert in_fish(made, tmp_path, "trikal explain POSIX_SEEK") == {"POSIX_SEEKS"}
    assert in_fish(made, tmp_path, "trikal diff --module DXT_P") == {"DXT_POSIX"}


class Zsh:
    """An interactive zsh on a terminal of its own, with only our completion."""

    def __init__(self, functions, home):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            os.execve("/usr/bin/zsh", ["zsh", "-f", "-i"],
                      {"PATH": f"{BIN}:/usr/bin:/bin", "TERM": "dumb", "HOME": str(home), "ZDOTDIR": str(home),
                       "LC_ALL": "C.UTF-8", "PS1": "ready> "})
        self.read_until("ready> ")
        self.write(f"unsetopt zle_bracketed_paste; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; "
                   "show() { print -r -- \"<<$BUFFER>>\" }; zle -N show; bindkey '^X' show; echo set-up\"-done\"\n")
        self.read_until("set-up-done")

    def write(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, wanted):
        seen, end = "", time.monotonic() + 30
        while wanted not in seen:
            assert select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0], (wanted, seen)
            seen += os.read(self.terminal, 65536).decode(errors="replace")
        return seen

    def completes(self, line, wanted):
        """Types a line and a tab, and has the line shown that came of it. Then it is thrown away."""
        self.write(line + "\t\x18")
        seen = self.read_until(">>")
        assert f"<<{wanted}>>" in seen, (wanted, seen)
        self.write("\x15")

    def close(self):
        self.write("\x15exit\n")
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def test_zsh_completes(made, tmp_path):
    pathlib.Path(tmp_path / "job.darshan").touch()
    zsh = Zsh(made / KINDS["zsh"], tmp_path)
    try:
        zsh.completes("trikal expl", "trikal explain ")
        zsh.completes("trikal parse --tot", "trikal parse --total ")
        zsh.completes("trikal parse jo", "trikal parse job.darshan ")
        zsh.completes("trikal export --format=sq", "trikal export --format=sqlite ")
        zsh.completes("trikal explain posix_see", "trikal explain POSIX_SEEKS ")
        zsh.completes("trikal diff --module=dxt_po", "trikal diff --module=DXT_POSIX ")
        zsh.completes("trikal help mer", "trikal help merge ")
    finally:
        zsh.close()
