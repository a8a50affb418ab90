"""``synth lifting``: decisions with their evidence, of mechanisms and of JSON files that anybody wrote."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT
from tests.unit.app.invocation import Run, Write

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def response(bit: bool, eps: float) -> bool:
    return randomized_response(bit, eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def above(x: int, eps: float) -> bool:
    return laplace(x, 1 / eps) > 0


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: int, eps: float) -> int:
    return laplace(x, 1 / eps)
"""

EPSILON = ("--epsilon", "log(3)")


def content(left: Any, right: Any, relation: Any = "equality") -> str:
    return json.dumps({"left": left, "right": right, "relation": relation})


@pytest.fixture
def program(write: Write) -> Path:
    return write("program.py", PROGRAM)


def of(program: Path, name: str, *changes: str) -> tuple[str, ...]:
    """The arguments for a mechanism with two inputs and eps = 1."""
    given = ("bit=True", "bit=False") if name == "response" else ("x=0", "x=1")
    target = f"{program}::{name}"
    return ("lifting", target, "--input", given[0], "--neighbour", given[1], "--input", "eps=1", *changes)


# --- distributions --------------------------------------------------------------------------


def test_equality_at_the_least_epsilon(run: Run, write: Write) -> None:
    """RatioTable of 3 cost ln 3; e^ε = 3 is exact, so this is decided where both sides are equal."""
    file = write("d.json", content({"a": "3/4", "b": "1/4"}, {"a": 0.25, "b": 0.75}))
    assert run("lifting", file, *EPSILON).status == 0
    outcome = run("lifting", file, "--epsilon", "log(2.999)", "--json")
    assert outcome.status == 1
    (result,) = outcome.results()
    assert result["verdict"] == "not related" and result["coupling"] is None
    assert result["cut"]["left"] == result["cut"]["right"] == ["a"]
    assert (result["cut"]["mass_left"], result["cut"]["mass_right"]) == ("3/4", "1/4")
    assert result["cut"]["allowed"] == "2999/4000"
    assert run("lifting", file, "--epsilon", "log(2.999)", "--delta", "1/4000").status == 0
    assert run("lifting", file, "--epsilon", "log(2.999)", "--delta", "1/4001").status == 1


def test_the_coupling_is_one(run: Run, write: Write) -> None:
    left, right = {"a": "1/3", "b": "1/3", "c": "1/3"}, {"x": "1/2", "y": "1/6"}
    pairs = [["a", "x"], ["b", "x"], ["b", "y"], ["c", "y"]]
    file = write("d.json", content(left, right, pairs))
    outcome = run("lifting", file, "--epsilon", "1/2", "--delta", "0.06", "--json")
    (result,) = outcome.results()
    assert outcome.status == 0 and result["verdict"] == "related" and result["cut"] is None
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for pair in result["coupling"]:
        assert [pair["left"], pair["right"]] in pairs
        one, two = Fraction(pair["mass_left"]), Fraction(pair["mass_right"])
        assert one <= Fraction(exp(0.5)) * two
        sums[pair["left"]] += one
        sums[pair["right"]] += two
    assert all(sums[name] <= Fraction(mass) for name, mass in {**left, **right}.items())
    assert 1 - sum(sums[name] for name in left) == Fraction(result["missing"]) <= Fraction(6, 100)


def test_rational_masses_are_always_decided(run: Run, write: Write) -> None:
    """e = 2.718281828459045235360287471352662497757247093699959574966967627724076630353…"""
    digits = "2718281828459045235360287471352662497757247093699959574966967627724076630353"
    for last, status in (("4", 0), ("6", 1)):  # the next digit of e is 5
        left = f"{digits}{last}/1{'0' * (len(digits) + 2)}"
        file = write("d.json", content({"a": left}, {"a": "1/100"}))
        assert run("lifting", file, "--epsilon", "1").status == status


@pytest.mark.parametrize(
    ("left", "right", "epsilon", "delta", "status"),
    [
        ({}, {}, "0", "0", 0),
        ({"a": 0}, {}, "0", "0", 0),
        ({"a": 1}, {}, "10000", "0.999", 1),
        ({"a": "1e-999"}, {}, "10000", "0", 1),
        ({"a": "1e-999"}, {"a": "1e-999"}, "0", "0", 0),
        ({"a": "1e-999"}, {"a": f"1/{'9' * 400}"}, "0", "0", 0),
        ({"a": 1}, {"a": "1e-999"}, "2300", "0", 1),
        ({"a": 1}, {"a": "1e-999"}, "2301", "0", 0),
        ({"a": "1/3"}, {"a": "1/3"}, "0", "0", 0),
        ({"a": "1/3"}, {"a": "0.3333333333333333333333"}, "0", "0", 1),
        ({"a": "1/3"}, {"a": "0.3333333333333333333333"}, "1e-18", "0", 0),
    ],
)
def test_tiny_and_huge(
    run: Run, write: Write, left: Any, right: Any, epsilon: str, delta: str, status: int
) -> None:
    outcome = run("lifting", write("d.json", content(left, right)), "--epsilon", epsilon, "--delta", delta)
    assert outcome.status == status and not outcome.err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"left": {}, "right": {}}',
        '{"left": {}, "right": {}, "relation": "equality", "more": 1}',
        '{"left": {"a": 1, "a": 0}, "right": {}, "relation": "equality"}',
        '{"left": {"a": NaN}, "right": {}, "relation": "equality"}',
        '{"left": {"a": 1e-9999}, "right": {}, "relation": "equality"}',
        '{"left": {"\\u001b[2J": 1}, "right": {}, "relation": "equality"}',
        "[" * 100_000,
        content([], {}),
        content({"a": True}, {}),
        content({"a": None}, {}),
        content({"a": "1/0"}, {}),
        content({"a": "1/-3"}, {}),
        content({"a": " 1/3"}, {}),
        content({"a": "1_0/30"}, {}),
        content({"a": "٣/٤"}, {}),
        content({"a": "inf"}, {}),
        content({"a": f"1/{'9' * 401}"}, {}),
        content({"a": -0.5}, {}),
        content({"a": "3/2"}, {}),
        content({"a": "2/3", "b": "1/2"}, {}),
        content({}, {"a": 0.5, "b": 0.500001}),
        content({"a": 1}, {"a": 1}, "order"),
        content({"a": 1}, {"a": 1}, {"a": "a"}),
        content({"a": 1}, {"a": 1}, [["a"]]),
        content({"a": 1}, {"a": 1}, [["a", "b"]]),
        content({"a": 1}, {"a": 1}, [["a", 1]]),
        content({"a": 1}, {"a": 1}, ["aa"]),
    ],
)
def test_other_documents_are_refused(run: Run, write: Write, text: str) -> None:
    outcome = run("lifting", write("d.json", text), *EPSILON)
    assert outcome.status == 4 and outcome.out == ""
    (line,) = outcome.err.splitlines()
    assert line.startswith("synth: error: ") and "d.json: " in line and line.isprintable()


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"left": {"\xe9": 1}, "right": {}, "relation": "equality"}')
    for name in ("none.json", "latin.json", "folder.json"):
        if name == "folder.json":
            (tmp_path / name).mkdir()
        outcome = run("lifting", tmp_path / name, *EPSILON)
        assert outcome.status == 4 and "can't be read" in outcome.err and len(outcome.err.splitlines()) == 1


def test_names_are_shown_escaped(run: Run, write: Write) -> None:
    """Blank letters and commands to a CI can't be control characters, but aren't shown as they are either."""
    name = "::error::\u2800\u202e"
    for masses in ({name: 1}, {name: 0}):
        text = json.dumps({"left": {name: 1}, "right": masses, "relation": "equality"}, ensure_ascii=True)
        outcome = run("lifting", write("d.json", text), *EPSILON)
        assert outcome.status in (0, 1, 4)
        assert "\u202e" not in outcome.out + outcome.err and "\n::error::" not in outcome.out + outcome.err


# --- mechanisms -----------------------------------------------------------------------------


def test_a_mechanism(run: Run, program: Path) -> None:
    outcome = run(*of(program, "response", "--epsilon", "1.01"))
    assert outcome.status == 0 and "True   True   0.731059  0.268941" in outcome.out
    outcome = run(*of(program, "response", "--epsilon", "eps/2", "--json"))
    (result,) = outcome.results()
    assert outcome.status == 1 and result["mechanism"] == "response" and result["adjacent"] is True
    assert result["cut"]["left"] == [True] and result["epsilon"] == "eps/2"
    low, high = result["cut"]["mass_left"]
    assert low <= exp(1) / (1 + exp(1)) <= high
    assert run(*of(program, "response", "--epsilon", "eps/2", "--delta", "0.288")).status == 0
    assert run(*of(program, "response", "--epsilon", "eps/2", "--delta", "0.287")).status == 1


def test_a_mechanism_that_decides_by_noise(run: Run, program: Path) -> None:
    assert run(*of(program, "above", "--epsilon", "1.001")).status == 0
    outcome = run(*of(program, "above", "--epsilon", "0.2"))
    assert outcome.status == 1 and "X = {False}, related to {False}" in outcome.out


def test_what_is_undecided_says_which_delta_is_enough(run: Run, program: Path) -> None:
    """The claim is the least ε, and the chances are irrational: both sides are equal."""
    outcome = run(*of(program, "above", "--json"))
    (result,) = outcome.results()
    assert outcome.status == 3 and result["verdict"] == "undecided" and result["epsilon"] == "eps"
    assert result["coupling"] is None and result["cut"] is None
    assert 0 < result["missing"][0] <= result["missing"][1] < 1e-30
    assert run(*of(program, "above", "--delta", "1e-30")).status == 0


def test_draws_of_finitely_many_values_are_decided_where_both_sides_are_equal(
    run: Run, program: Path
) -> None:
    assert run(*of(program, "response")).status == 0
    least = "(exp(eps) - exp(eps/2))/(1 + exp(eps))"
    for delta, status in ((least, 0), (f"{least} - 1e-60", 1), (f"{least} + 1e-60", 0)):
        outcome = run(*of(program, "response", "--epsilon", "eps/2", "--delta", delta))
        assert outcome.status == status
    for epsilon, status in (("log(exp(1))", 0), ("log(exp(1) - 1e-60)", 1), ("eps - 1e-60", 1)):
        assert run(*of(program, "response", "--epsilon", epsilon)).status == status


def test_k_ary_responses(run: Run) -> None:
    target = f"{ROOT / 'benchmarks/programs/finite.py'}::k_rr"
    given = ("--input", "secret=0", "--input", "k=3", "--input", "eps=1/3", "--neighbour", "secret=1")
    assert run("lifting", target, *given).status == 0
    assert run("lifting", target, *given, "--epsilon", "eps - 1e-60").status == 1


def test_inputs_that_are_not_adjacent(run: Run, program: Path) -> None:
    command = ("lifting", f"{program}::above", "--input", "x=0", "--input", "eps=1", "--neighbour", "x=5")
    outcome = run(*command)
    assert outcome.status == 1 and "the two inputs are not adjacent" in outcome.out


def test_infinitely_many_outputs_are_refused(run: Run, program: Path) -> None:
    outcome = run(*of(program, "noisy", "--epsilon", "1"))
    assert outcome.status == 4 and "not finitely many" in outcome.err and not outcome.out


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (("--epsilon", "1 +"), "--epsilon for response: syntax error"),
        (("--epsilon", "other"), "other"),
        (("--epsilon", "bit"), "bit"),
        (("--epsilon", "-1"), "negative"),
        (("--epsilon", "eps - 2"), "epsilon is negative"),
        (("--epsilon", "log(eps/2)"), "epsilon is negative"),
        (("--epsilon", "1/(eps - 1)"), "not defined"),
        (("--epsilon", "10001"), "larger than 10,000"),
        (("--epsilon", "1e400"), "the number is too large"),
        (("--delta", "2"), "delta"),
        (("--delta", "-eps"), "delta is negative"),
        (("--input", "more=1"), "more"),
    ],
)
def test_wrong_usage_of_mechanisms(run: Run, program: Path, changes: tuple[str, ...], said: str) -> None:
    outcome = run(*of(program, "response", *changes))
    assert outcome.status == 2 and said in outcome.err and not outcome.out


def test_wrong_usage(run: Run, write: Write, program: Path) -> None:
    file = write("d.json", content({}, {}))
    for command, said in (
        ((file,), "--epsilon is needed"),
        ((file, "--epsilon", "x"), "x"),
        ((file, *EPSILON, "--input", "x=1"), "for mechanisms"),
        ((f"{program}::above", "--input", "x=0", "--input", "eps=1"), "--neighbour is needed"),
        ((program, "--neighbour", "x=0"), "which mechanism"),
        ((f"{program}::noisy", "--neighbour", "x=0"), "--epsilon is needed: noisy claims none"),
    ):
        outcome = run("lifting", *command)
        assert outcome.status == 2 and said in outcome.err and not outcome.out
