"""``synth show``: a mechanism's text and its core program, for people and as JSON."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from synth.trusted.core.comparison import same_program
from synth.trusted.core.reader import read_core
from synth.trusted.frontend.reader import read_file
from synth.views.console.programs import numbered, write_compared
from tests.unit.app.invocation import PROVED, Run, Write

HOSTILE = PROVED.replace(
    "    return laplace", '    """\x1b[2J \u202e ::error::"""\n    # \x1b]0;title\x07\n    return laplace'
)


def test_both_texts_are_shown_with_the_numbers_of_their_lines(run: Run, write: Write) -> None:
    file = write("program.py", PROVED)
    done = run("show", f"{file}::noisy")
    assert done.status == 0
    assert f"{file}::noisy" in done.out and "core program" in done.out
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "6 return laplace(x, scale=1 / eps)" in lines
    assert "4 def noisy(x: int, eps: real) -> output(int):" in lines


def test_json_holds_a_core_program_that_is_read_as_the_mechanism(run: Run, write: Write) -> None:
    file = write("program.py", PROVED)
    (row,) = json.loads(run("show", f"{file}::noisy", "--json").out)["results"]
    assert row["mechanism"] == "noisy" and row["file"] == str(file)
    assert same_program(read_core(row["core"]), read_file(file)[0])


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_others_wrote_is_escaped(run: Run, write: Write, options: tuple[str, ...]) -> None:
    file = write("program.py", HOSTILE)
    done = run("show", f"{file}::noisy", *options)
    assert done.status == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(done.out)
    assert not any(line.lstrip().startswith("::error") for line in done.out.splitlines())


def test_a_program_that_is_refused_is_one_message(run: Run, write: Write) -> None:
    file = write("program.py", PROVED.replace("laplace", "cauchy"))
    done = run("show", f"{file}::noisy")
    assert done.status == 4 and done.out == ""
    assert "Traceback" not in done.err and done.err.count("error") == 1


@pytest.mark.parametrize(("width", "rows"), [(60, 3), (10, 7)])
def test_side_by_side_where_both_fit(width: int, rows: int) -> None:
    target = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    write_compared(target, ("left", "right"), numbered("a\nb\n"), numbered("c\nd\n", (5, 7)))
    written = target.file.getvalue().rstrip("\n").split("\n")  # type: ignore[attr-defined]
    assert len(written) == rows
    assert ("a" in written[1] and "c" in written[1]) == (width == 60)
