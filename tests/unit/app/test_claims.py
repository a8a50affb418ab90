"""Claims and values that mean nothing: one message each, and no search."""

from __future__ import annotations

import pytest

from tests.unit.app.invocation import PROVED, Run, Write

UNDEFINED = [
    ("1/0", "division by zero, in epsilon"),
    ("eps % 0", "division by zero, in epsilon"),
    ("1/(eps - eps)", "division by zero, in epsilon"),
    ("log(0)", "the logarithm of a number that isn't positive, in epsilon"),
    ("sqrt(-1)", "the square root of a negative number, in epsilon"),
    ("1 - 2", "epsilon is negative"),
    ("nan", "unknown name 'nan'"),
    ("inf", "unknown name 'inf'"),
    ("1e999", "the number is too large"),
    ("True", "epsilon must be a number, not a truth value"),
]


@pytest.mark.parametrize(("claim", "message"), UNDEFINED)
def test_a_claim_without_a_meaning(run: Run, write: Write, claim: str, message: str) -> None:
    """Wrong usage on the command line, unless it takes algebra to see; else the program can't be read."""
    path, other = write("p.py", PROVED), write("q.py", PROVED.replace("3*eps", claim))
    for command in ("prove", "refute"):
        done = run(command, path, "--epsilon", claim)
        assert (done.status, done.out) == (4 if "eps - eps" in claim else 2, "")
        assert message in done.err
        done = run(command, other)
        assert (done.status, done.out) == (4, "")
        assert message in done.err


@pytest.mark.parametrize(
    ("delta", "message"),
    [
        ("2", "delta is at least 1, with which every program is private"),
        ("1", "delta is at least 1"),
        ("-0.1", "delta is negative"),
        ("1/0", "division by zero, in delta"),
    ],
)
def test_a_delta_without_a_meaning(run: Run, write: Write, delta: str, message: str) -> None:
    done = run("prove", write("p.py", PROVED), "--delta", delta)
    assert (done.status, done.out) == (2, "") and message in done.err
    done = run("prove", write("q.py", PROVED.replace('3*eps"', f'eps", delta="{delta}"')))
    assert (done.status, done.out) == (4, "") and message in done.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("eps > 0", "1/0 > eps", "4:59: division by zero, in requires"),
        ("distance(1)", "distance(1/0)", "division by zero, in the bound of absolute_distance"),
        ("distance(1)", 'distance("1/(eps - eps)")', "division by zero, in the distance of 'x'"),
    ],
)
def test_what_is_stated_without_a_meaning(run: Run, write: Write, old: str, new: str, message: str) -> None:
    done = run("prove", write("p.py", PROVED.replace(old, new)))
    assert (done.status, done.out) == (4, "") and message in done.err


def test_a_negative_claim_that_depends_on_parameters_is_refuted(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", PROVED), "--epsilon", "-eps")
    assert done.status == 1 and "the claim is epsilon -1 at eps = 1" in done.out


def test_a_delta_alone_asks_for_the_least_epsilon(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", PROVED.replace(', epsilon="3*eps"', "")), "--delta", "0.1")
    assert done.status == 0
    assert done.out.splitlines()[1] == (
        "  claim delta = 1/10, without an epsilon: proved with the least one found"
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("nan", "'nan' is not a number, a bool, a string or a list"),
        ("1/0", "'1/0' is not a number, a bool, a string or a list: division by zero"),
        ("1e999", "the number is too large"),
        ("1e999999999", "the number is too large"),
        ("9**99999999", "is not a number, a bool, a string or a list"),
        ("(" * 5000, "is not a number, a bool, a string or a list"),
        ("'a'", "eps: a number is needed, not 'a'"),
        ("[1]", "eps: a number is needed, not [1]"),
        ("0", "--set: 'requires' of noisy does not hold for these values"),
        ("-1", "--set: 'requires' of noisy does not hold for these values"),
    ],
)
def test_values_that_are_none(run: Run, write: Write, value: str, message: str) -> None:
    done = run("refute", write("p.py", PROVED), "--set", f"eps={value}")
    assert (done.status, done.out) == (2, "")
    assert message in done.err or len(value) > 1000


@pytest.mark.parametrize("command", ["prove", "refute"])
def test_names_of_the_file_in_a_claim(run: Run, write: Write, command: str) -> None:
    """Also those that the mechanism doesn't use; of the mechanism that is meant only."""
    other = (
        '\n\n@mechanism(adjacent={"y": absolute_distance(1)})\ndef other(y: int):\n    return laplace(y, 1)\n'
    )
    path = write("p.py", f"import math\n{PROVED}{other}\nTHIRD = 1 / 3\n")
    done = run(command, f"{path}::noisy", "--epsilon", "THIRD * eps * math.sqrt(1)", "--json")
    (row,) = done.results()
    assert (done.status, row["verdict"], row["claim_of"]) == (
        int(command == "prove"),
        "refuted",
        "command line",
    )
    done = run(command, path, "--epsilon", "THIRD * eps")
    assert done.status == 2 and "--epsilon for other: unknown name 'eps'" in done.err


NORMAL = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, gdp="1/10")
def noisy(x: float) -> float:
    return gaussian(x, 10)
"""


def test_a_claim_of_the_command_line_takes_the_place_of_one_of_another_notion(run: Run, write: Write) -> None:
    path, document = write("p.py", NORMAL), write("p.json", "")
    done = run("prove", path, "--epsilon", "1/2", "--delta", "1/1000")
    assert done.status == 0 and "\n  claim (1/2, 1/1000) (of the command line): proved\n" in done.out
    assert run("prove", path, "--certificate", document).status == 0
    for delta, status in (("1/1000", 0), ("1/10**9", 1)):
        done = run("check", document, "--epsilon", "1/2", "--delta", delta)
        assert (done.status, done.err) == (status, "") and "not the program's claim" in done.out
    done = run("check", document, "--epsilon", "1/2")
    assert (done.status, done.err) == (1, "")
