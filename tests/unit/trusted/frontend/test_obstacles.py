"""A function that can't be read costs only itself, and all of its obstacles are told at once."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import File, read_file, read_program, read_source

HEAD = "from synth.lang import *\n\n"
MECHANISM = "@mechanism(adjacent={'x': absolute_distance(1)}, requires='eps > 0', epsilon='eps')\n"
GOOD = MECHANISM + "def good(x: int, eps: float):\n    return laplace(x, 1 / eps)\n\n"


def written(tmp_path: Path, text: str) -> File:
    path = tmp_path / "p.py"
    path.write_text(HEAD + text)
    return read_program(path)


def obstacles(file: File, name: str = "bad") -> list[tuple[int | None, int | None, Refusal]]:
    return [(item.line, item.column, item.code) for item in file.refused if item.function == name]


def bad(*lines: str) -> str:
    return (
        MECHANISM
        + "def bad(x: int, q: list[int], eps: float):\n"
        + "".join(f"    {line}\n" for line in lines)
    )


def test_a_function_that_can_t_be_read_costs_only_itself(tmp_path: Path) -> None:
    file = written(tmp_path, bad("return {*q}") + "\n" + GOOD + GOOD.replace("good", "better"))
    assert [item.name for item in file.mechanisms] == ["good", "better"]
    assert obstacles(file) == [(5, 13, Refusal.UNSUPPORTED_CONSTRUCT)]


def test_the_others_are_read_as_without_it(tmp_path: Path) -> None:
    alone = written(tmp_path, GOOD).mechanisms
    beside = written(tmp_path, GOOD + bad("return unknown(x)")).mechanisms
    assert alone == beside


def test_all_obstacles_are_told_by_place(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        bad(
            "try:",
            "    y = unknown(x)",
            "except* ValueError:",
            "    q[0] = 1",
            "for z in x.items():",
            "    w = {z for z in q}",
            "    if unheard(w):",
            "        break",
            "return y + z + laplace(x, 1 / eps) + another(w)",
        ),
    )
    places = [(line, column) for line, column, _ in obstacles(file)]
    assert places == [(5, 5), (6, 13), (8, 9), (9, 14), (10, 13), (11, 12), (13, 42)]


def test_what_only_follows_from_an_obstacle_is_not_told(tmp_path: Path) -> None:
    file = written(
        tmp_path, bad("y = unknown(x)", "z = y + 1", "out = [z]", "out.append(y)", "return out, z, len(out)")
    )
    assert obstacles(file) == [(5, 9, Refusal.UNKNOWN_NAME)]


def test_every_private_bound_of_a_draw_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, bad("y = uniform_int(0, x)", "return y, uniform_int(x, 9)"))
    assert [(line, code) for line, _, code in obstacles(file)] == [
        (5, Refusal.PRIVATE_SCALE),
        (6, Refusal.PRIVATE_SCALE),
    ]


def test_a_helper_that_can_t_be_read_is_an_obstacle_of_each_mechanism_that_calls_it(tmp_path: Path) -> None:
    helper = "def helper(y):\n    while y > 0:\n        with y:\n            y -= 1\n    return y\n\n"
    calls = "".join(
        MECHANISM + f"def {name}(x: int, eps: float):\n    return laplace(helper(x), 1 / eps)\n\n"
        for name in ("first", "second")
    )
    file = written(tmp_path, helper + GOOD + calls)
    assert [item.name for item in file.mechanisms] == ["good"]
    assert obstacles(file, "first") == obstacles(file, "second") == [(5, 9, Refusal.UNSUPPORTED_CONSTRUCT)]


def test_only_a_text_that_is_no_python_is_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(ProgramError) as caught:
        written(tmp_path, GOOD + "def f(:\n")
    assert caught.value.function is None


def test_two_mechanisms_of_one_name_cost_both(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD + GOOD + GOOD.replace("good", "better"))
    assert [item.name for item in file.mechanisms] == ["better"]
    assert obstacles(file, "good") == [(8, 1, Refusal.DEFINED_TWICE)]


def test_a_text_is_read_as_a_whole_where_a_verdict_rests_on_it(tmp_path: Path) -> None:
    text = HEAD + GOOD + bad("return unknown(x)")
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py")
    assert (caught.value.line, caught.value.function) == (9, "bad")
    path = tmp_path / "p.py"
    path.write_text(text)
    with pytest.raises(ProgramError, match="unknown"):
        read_file(path)


def test_errors_are_pickled_with_all_fields() -> None:
    error = ProgramError("no", "p.py", 1, 2, code=Refusal.UNKNOWN_NAME, function="f")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), vars(again)) == (ProgramError, vars(error))
