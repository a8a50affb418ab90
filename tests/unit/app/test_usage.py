"""Wrong usage and unreadable programs: one message on standard error, and the right status."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import dedent

import pytest

import synth.app.commands.version
from tests.unit.app.invocation import PROVED, UNREADABLE, Run, Write


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prove"], "missing argument 'FILE|DIR[::NAME]'"),
        (["prove", "P", "--timout", "3"], "no such option '--timout'; did you mean '--timeout'?"),
        (["prove", "P", "--cluster"], "option '--cluster' requires an argument"),
        (
            ["prove", "P", "--cluster", "x:1", "--workers", "2"],
            "--workers is for this machine: a cluster has the workers that were started",
        ),
        (["show", "P", "Q"], "got unexpected extra argument (Q)"),
        (
            ["prove", "P", "P", "--adjacent", "x=absolute_distance(1)"],
            "--type, --adjacent, --requires and the like are about one function: FILE::NAME",
        ),
        (
            ["prove", "P", "--timeout", "soon"],
            "invalid value for '--timeout': 'soon' is not a number of seconds",
        ),
        (
            ["prove", "P", "--timeout", "0"],
            "invalid value for '--timeout': 0 is not a positive number of seconds",
        ),
        (
            ["prove", "P", "--timeout", "nan"],
            "invalid value for '--timeout': nan is not a positive number of seconds",
        ),
        (["prove", "P", "--workers", "0"], "invalid value for '--workers': 0 is not in the range x>=1"),
        (["prove", "P::nosy"], "no mechanism 'nosy' in P; did you mean 'noisy'?"),
        (["prove", "P::other"], "no mechanism 'other' in P; there is noisy"),
        (["prove", ""], "the name of the program file is empty"),
        (["prove", "P::"], "'P::' ends in '::' without the name of a mechanism"),
        (
            ["prove", "P", "--epsilon", "2*esp"],
            "--epsilon for noisy: unknown name 'esp'; did you mean 'eps'?",
        ),
        (
            ["prove", "P", "--epsilon", "x"],
            "--epsilon for noisy: the private parameter 'x' is used in epsilon",
        ),
        (["prove", "P", "--epsilon", "-1"], "--epsilon for noisy: epsilon is negative"),
        (["prove", "P", "--epsilon", ""], "--epsilon for noisy: epsilon is an empty string"),
        (
            ["prove", "P", "--epsilon", "eps >"],
            "--epsilon for noisy: syntax error: invalid syntax, in 'eps >'",
        ),
        (
            ["prove", "P", "--epsilon", "eps > 1"],
            "--epsilon for noisy: epsilon must be a number, not a truth value",
        ),
        (["prove", "P", "--delta", "x"], "--delta for noisy: the private parameter 'x' is used in delta"),
        (["prov", "P"], "no such command 'prov'; did you mean 'prove'?"),
        (["bench", "nowhere.toml"], "nowhere.toml: can't be read: No such file or directory"),
        (
            ["bench", "P"],
            "P: not a TOML file: Expected '=' after a key in a key/value pair (at line 1, column 3)",
        ),
    ],
)
def test_wrong_usage(run: Run, write: Write, arguments: list[str], message: str) -> None:
    path = str(write("p.py", '"""A program."""\n' + PROVED))
    arguments = [item.replace("P", path) if item.startswith("P") else item for item in arguments]
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    expected = re.sub(r"\bP(?=:|;|$)", path, message)
    assert done.err.splitlines()[0] == f"synth: error: {expected}"
    as_json = run(*arguments, "--json")
    assert as_json.status == 2
    assert as_json.results() == []
    assert len(as_json.err.splitlines()) == 1


def test_no_command_prints_the_help(run: Run) -> None:
    done = run()
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: synth")


def test_help(run: Run) -> None:
    for arguments in (["--help"], ["prove", "-h"], ["bench", "--help"], ["templates", "--help"]):
        done = run(*arguments)
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("Usage: synth")


@pytest.mark.parametrize(
    ("content", "message", "excerpt"),
    [
        (UNREADABLE, "6:33: unknown name 'epsilon'; did you mean 'exponential'?", True),
        ("def f(:\n", "1:7: syntax error: invalid syntax", True),
        ("", " the file is empty", False),
        ("x = 1\n", " no mechanism in the file: no function has '@mechanism'", False),
        ("import os\n", " no mechanism in the file: no function has '@mechanism'", False),
    ],
)
def test_unreadable_programs(run: Run, write: Write, content: str, message: str, excerpt: bool) -> None:
    path = write("p.py", content)
    done = run("prove", path)
    assert (done.status, done.out) == (4, "")
    first, *rest = done.err.splitlines()
    assert first.split("; did")[0] == f"synth: error: {path}:{message}".split("; did")[0]
    assert len(rest) == (2 if excerpt else 0)
    as_json = run("prove", path, "--json")
    assert (as_json.status, as_json.results()) == (4, [])
    assert as_json.err.splitlines() == [first]


def test_the_caret_stands_below_the_place(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", UNREADABLE))
    assert done.err.splitlines()[1:] == [
        "      return laplace(x, scale=1 / epsilon)",
        "                                  ^",
    ]


def test_files_that_are_none(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing.py"
    assert run("prove", missing).err == f"synth: error: {missing}: no such file\n"
    binary = tmp_path / "binary.py"
    binary.write_bytes(b"\xff\xfe@mechanism")
    done = run("prove", binary)
    assert (done.status, done.err) == (4, f"synth: error: {binary}:1: the file is not UTF-8 text\n")
    document = tmp_path / "proof.json"
    document.write_text("{}")
    said = "a JSON document, not a program: certificates and witnesses are for 'synth check'"
    done = run("prove", document)
    assert (done.status, done.err) == (4, f"synth: error: {document}: {said}\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    done = run("prove", empty)
    assert (done.status, done.err) == (
        4,
        f"synth: error: {empty}: no file in this folder has a mechanism\n",
    )


def test_an_impossible_precondition(run: Run, write: Write) -> None:
    text = PROVED.replace("eps > 0", "eps > 0 and eps < 0")
    path = write("p.py", text)
    done = run("prove", path)
    assert (done.status, done.out) == (4, "")
    assert done.err.splitlines()[0].endswith(": no parameters satisfy 'requires'")


def test_a_template_file_that_is_none(run: Run, write: Write, tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    for arguments in (["prove", write("p.py", PROVED), "--template", missing], ["templates", missing]):
        done = run(*arguments)
        assert (done.status, done.out) == (4, "")
        assert done.err == f"synth: error: {missing}: can't be read: No such file or directory\n"


def test_messages_are_one_line_each(run: Run, write: Write) -> None:
    path = write("p.py", dedent(UNREADABLE))
    assert all(line for line in run("prove", path, "--json").err.splitlines())


def test_the_version(run: Run) -> None:
    done = run("--version")
    assert (done.status, done.out, done.err) == (0, f"synth {version('synth')}\n", "")


def test_the_version_with_all_that_it_rests_on(run: Run) -> None:
    done = run("--version", "--verbose")
    assert (done.status, done.err) == (0, "") and done.out.startswith(f"synth {version('synth')}\n")
    assert all(f"{name:<13} {version(name)}" in done.out for name in ("z3-solver", "cvc5", "click"))
    assert run("--verbose", "--version").out == done.out
    extras = done.out.split("Extras:\n")[1].split("What")[0].splitlines()
    assert "sampling" in [line.split()[0] for line in extras]
    assert all("not installed" not in line or ": pip install " in line for line in extras)


def test_an_extra_that_is_missing_is_told_with_how_to_get_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(name: str) -> str:
        if name == "opendp":
            raise PackageNotFoundError
        return version(name)

    monkeypatch.setattr(synth.app.commands.version, "version", found)
    assert "sampling      not installed: pip install opendp" in run("--version", "--verbose").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_a_shell(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.status == 0 and f"_SYNTH_COMPLETE={shell}_complete" in done.out


def test_completion_knows_commands_and_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SYNTH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_CWORD", "1")
    monkeypatch.setenv("COMP_WORDS", "synth pro")
    assert run().out.splitlines() == ["plain,probability", "plain,prove"]
    monkeypatch.setenv("COMP_CWORD", "2")
    monkeypatch.setenv("COMP_WORDS", "synth check --pro")
    assert run().out.splitlines() == ["plain,--program"]
