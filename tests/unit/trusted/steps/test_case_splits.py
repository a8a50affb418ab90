"""Comparison by cases: terms that are said to be equal have one value everywhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from synth.trusted.logic.terms import BOOL, INT, REAL, BadTerm, Signature, Term, read, value
from synth.trusted.steps import case_splits
from synth.trusted.steps.case_splits import Splitter
from synth.trusted.steps.fusion_codes import FusionCode

KNOWN: dict[str, Signature] = {
    **{f"|{name}|": ((), INT) for name in "ijk"},
    **{f"|{name}|": ((), REAL) for name in "xy"},
    **{f"|{name}|": ((), BOOL) for name in "bc"},
    "|f|": ((INT,), INT),
    "|g|": ((INT,), BOOL),
    "|*:Real,Real|": ((REAL, REAL), REAL),
    "|/:Real,Real|": ((REAL, REAL), REAL),
    "|exp:Real|": ((REAL,), REAL),
}


def _open(left: str, right: str) -> list[tuple[str, ...] | None]:
    """The cases that are left, without what they assume."""
    found = Splitter(KNOWN).differing(read(left), read(right))
    return [None if divisors is None else tuple(map(str, divisors)) for _, divisors in found]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(ite |b| 1.0 0.0)", "(- 1.0 (ite |b| 0.0 1.0))"),
        ("(ite (= |b| |c|) |x| |y|)", "(ite |b| (ite |c| |x| |y|) (ite |c| |y| |x|))"),
        ("(ite (< |i| |j|) 1.0 0.0)", "(ite (<= |j| |i|) 0.0 1.0)"),
        ("(ite (< |i| |j|) 1.0 0.0)", "(ite (<= (+ |i| 1) |j|) 1.0 0.0)"),
        ("(ite (> |i| |j|) 1.0 0.0)", "(ite (>= (- |i| |j|) 1) 1.0 0.0)"),
        ("(ite (< |x| |y|) 1.0 0.0)", "(ite (>= |x| |y|) 0.0 1.0)"),
        ("(ite (and (<= 0 |i|) (<= |i| 1) (not (= |i| 0))) (to_real |i|) 1.0)", "1.0"),
        ("(ite (and (<= |j| |i|) (<= |i| |j|)) (to_real (- |i| |j|)) 0.0)", "0.0"),
        ("(* 1.0 (/ |x| (+ |y| 1.0)))", "(* |x| (/ 1.0 (+ 1.0 |y|)))"),
        ("(/ |x| 0.0)", "(* |x| (/ 1.0 0.0))"),
        ("(|exp:Real| (|*:Real,Real| |x| 0.0))", "1.0"),
        ("(|exp:Real| (+ |x| |y|))", "(|exp:Real| (+ |y| |x|))"),
        (
            "(ite (|g| (ite |b| |i| |j|)) 1.0 0.0)",
            "(ite |b| (ite (|g| |i|) 1.0 0.0) (ite (|g| |j|) 1.0 0.0))",
        ),
        ("(ite (=> |b| |c|) 1.0 0.0)", "(ite |b| (ite |c| 1.0 0.0) 1.0)"),
        ("(ite (or |b| (not |b|)) 1.0 0.0)", "1.0"),
        ("(to_real (+ (|f| |i|) (|f| |i|)))", "(* 2.0 (to_real (|f| |i|)))"),
        ("(/ 0.0 0.0)", "(/ 0.0 0.0)"),
    ],
)
def test_equal_terms(left: str, right: str) -> None:
    assert _open(left, right) == []
    assert _open(right, left) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(ite |b| 1.0 0.0)", "(ite |c| 1.0 0.0)"),
        ("(ite (< |i| |j|) 1.0 0.0)", "(ite (<= |i| |j|) 1.0 0.0)"),
        ("(ite (< |x| |y|) 1.0 0.0)", "(ite (<= (+ |x| 1.0) |y|) 1.0 0.0)"),
        ("(ite (and (<= 0 |i|) (<= |i| 2) (not (= |i| 1))) (to_real |i|) 0.0)", "0.0"),
        ("(/ 0.0 0.0)", "5.0"),
        ("(/ |x| 0.0)", "|x|"),
        ("(/ |x| (- |y| |y|))", "1.0"),
        ("(|exp:Real| |x|)", "1.0"),
        ("(|exp:Real| |x|)", "(|exp:Real| |y|)"),
        ("(to_real (|f| |i|))", "(to_real (|f| |j|))"),
        ("(to_real |i|)", "(to_real (+ |i| 1))"),
        ("|x|", "(+ |x| 0.000000000000000000000000000001)"),
    ],
)
def test_other_terms(left: str, right: str) -> None:
    for cases in (_open(left, right), _open(right, left)):
        assert any(item is None or "0.0" in item for item in cases)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(/ |x| |x|)", "1.0"),
        ("(* |x| (/ |y| |x|))", "|y|"),
        ("(|exp:Real| (- (/ |x| |x|) 1.0))", "1.0"),
        ("(|exp:Real| (/ |y| (/ |x| |x|)))", "(|exp:Real| |y|)"),
        ("(/ 1.0 (/ 1.0 |x|))", "|x|"),
        ("(* (/ |y| (- |x| |x|)) (- |x| |x|))", "(- |y| |y|)"),
    ],
)
def test_equal_where_no_divisor_is_zero(left: str, right: str) -> None:
    for item in (*_open(left, right), *_open(right, left)):
        assert item
    assert _open(left, right) or "- |x| |x|" in left


def test_a_divisor_that_the_case_keeps_from_zero() -> None:
    number = "(ite (<= 0 |i|) (/ (+ (to_real |i|) 1.0) (to_real (+ |i| 1))) 1.0)"
    assert _open(number, "1.0") == []
    assert _open(number.replace("(<= 0 |i|)", "(<= (- 1) |i|)"), "1.0") not in ([], [None])


def test_too_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_splits, "MAX_CASES", 10)
    left = "(+ " + " ".join(f"(ite (<= |i| {n}) |x| |y|)" for n in range(20)) + ")"
    with pytest.raises(BadTerm) as refused:
        _open(left, "0.0")
    assert refused.value.why.code is FusionCode.TOO_MANY_CASES


# --- random terms ---------------------------------------------------------------------------------

VALUES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys("ijk", (-1, 0, 1, 2)),
    **dict.fromkeys("xy", (Fraction(-1), Fraction(0), Fraction(1, 2))),
    **dict.fromkeys("bc", (True, False)),
}


def _random(rng: random.Random, sort: str, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(
            {
                INT: ("|i|", "|j|", "|k|", "0", "1", "2"),
                REAL: ("|x|", "|y|", "0.0", "1.0", "0.5", "(to_real |i|)"),
                BOOL: ("|b|", "|c|", "(<= |i| |j|)", "(= |i| |j|)", "(< |i| 1)"),
            }[sort]
        )
    one, two = (_random(rng, sort, depth - 1) for _ in range(2))
    choice = f"(ite {_random(rng, BOOL, depth - 1)} {one} {two})"
    if sort == BOOL:
        kind = rng.choice((INT, INT, INT, REAL))
        left, right = (_random(rng, kind, depth - 1) for _ in range(2))
        compared = f"({rng.choice(('<', '<=', '>', '>=', '='))} {left} {right})"
        return rng.choice((compared, compared, f"(not {one})", f"(and {one} {two})", f"(or {one} {two})"))
    more = [f"(+ {one} {two})", f"(- {one} {two})", choice, choice]
    if sort == REAL:
        more += [f"(* {one} {two})", f"(/ {one} {two})", f"(to_real {_random(rng, INT, depth - 1)})"]
    return rng.choice(more)


def _other(rng: random.Random, text: str) -> str:
    """A term that may be equal: some tokens changed, or parts in another order."""
    parts = text.split(" ")
    place = rng.randrange(len(parts))
    turned = {"(<": "(<=", "(<=": "(<", "(+": "(-", "(and": "(or", "(or": "(and", "|i|": "|j|", "1": "2"}
    parts[place] = turned.get(parts[place], parts[place])
    return " ".join(parts)


def _value(term: Term, at: Mapping[str, Any]) -> Any:
    """The value at a point; x/0 is 0."""
    exact = value(term)
    if exact is not None:
        return exact
    if isinstance(term, str):
        return at.get(term.strip("|"), term == "true")
    head, *parts = (_value(part, at) if number else part for number, part in enumerate(term))
    match head:
        case "ite":
            return parts[1] if parts[0] else parts[2]
        case "and":
            return all(parts)
        case "or":
            return any(parts)
        case "not":
            return not parts[0]
        case "to_real":
            return parts[0]
        case "+":
            return sum(parts)
        case "-":
            return parts[0] - parts[1] if len(parts) > 1 else -parts[0]
        case "*":
            return parts[0] * parts[1]
        case "/":
            return Fraction(parts[0]) / parts[1] if parts[1] else Fraction(0)
        case _:
            left, right = parts
            return {
                "<": left < right,
                "<=": left <= right,
                ">": left > right,
                ">=": left >= right,
                "=": left == right,
            }[str(head)]


def _path_holds(path: tuple[Term, ...], at: Mapping[str, Any]) -> bool:
    return all(_value(item, at) for item in path)


POINTS = [dict(zip(VALUES, point, strict=True)) for point in product(*VALUES.values())]


@pytest.mark.parametrize("seed", range(200))
def test_terms_differ_in_cases_that_are_left_only(seed: int) -> None:
    rng = random.Random(seed)
    text = _random(rng, REAL, 3)
    other = _other(rng, text) if seed % 4 else _random(rng, REAL, 2)
    left, right = read(text), read(other)
    cases = list(Splitter(KNOWN).differing(left, right))
    for at in rng.sample(POINTS, 60):
        if _value(left, at) != _value(right, at):
            here = [divisors for case, divisors in cases if _path_holds(case.path, at)]
            assert any(item is None or any(_value(part, at) == 0 for part in item) for item in here)


def test_most_equal_terms_are_seen_to_be_equal() -> None:
    seen = 0
    for seed in range(100):
        rng = random.Random(seed)
        text = _random(rng, REAL, 3)
        doubled = f"(- (* 2.0 (ite |b| {text} (+ {text} |x|))) (ite |b| {text} (+ (* 2.0 |x|) {text})))"
        seen += not list(Splitter(KNOWN).differing(read(doubled), read(text)))
    assert seen > 97
