"""Which inputs are adjacent, to kernel, check of witnesses and refuter: just those of the definition."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from synth.refuter.exact.inputs import is_adjacent
from synth.trusted.logic.inputs import Inputs, entries_name, length_of
from synth.trusted.program import syntax as ir
from synth.trusted.witness.check import _Bad, _Input, _require_adjacent
from tests.support.handmade import COST, Data, accepted, certificate, rejected, rule
from tests.support.refuting import mechanism

Values = Sequence[int]
BOUND = 2

METRICS: dict[str, Callable[[Values, Values], bool]] = {
    "linf_distance(2)": lambda u, v: all(abs(a - b) <= BOUND for a, b in zip(u, v, strict=True)),
    "linf_distance(0)": lambda u, v: u == v,
    "change_one_distance(2)": lambda u, v: (
        _changed(u, v) <= 1 and all(abs(a - b) <= BOUND for a, b in zip(u, v, strict=True))
    ),
    "change_one_distance()": lambda u, v: _changed(u, v) <= 1,
}
"""What each metric means for sequences of one length."""


IN_SUM: dict[str, Callable[[Values, Values], bool]] = {
    "l1_distance(2)": lambda u, v: sum(abs(a - b) for a, b in zip(u, v, strict=True)) <= BOUND,
    "l2_distance(2)": lambda u, v: sum((a - b) ** 2 for a, b in zip(u, v, strict=True)) <= BOUND**2,
}
"""Of these the kernel knows less by entries: each differs by at most the bound."""


def _changed(u: Values, v: Values) -> int:
    return sum(a != b for a, b in zip(u, v, strict=True))


ENTRIES = {"int": (-3, 0, 1, 5), "bool": (False, True)}


def _pairs(sort: str) -> list[tuple[Values, Values]]:
    return [
        pair
        for length in range(4 if sort == "bool" else 3)
        for pair in product(product(ENTRIES[sort], repeat=length), repeat=2)
    ]


def _mechanism(metric: str, sort: str) -> ir.Mechanism:
    return mechanism(
        f'@mechanism(adjacent={{"x": {metric}}})\ndef f(x: list[{sort}], eps: float) -> int:\n    return 0\n'
    )


# --- the kernel's relation, evaluated -----------------------------------------------------------

_MEANING: dict[str, Callable[..., Any]] = {
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": operator.not_,
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    "+": lambda *parts: sum(parts),
    "-": lambda first, *rest: first - rest[0] if rest else -first,
    "to_real": Fraction,
    "ite": lambda test, one, other: one if test else other,
}


def _value(term: Any, symbols: dict[str, Any]) -> Any:
    if isinstance(term, str):
        return symbols[term] if term in symbols else Fraction(term)
    head, *parts = term
    found = [_value(part, symbols) for part in parts]
    return symbols[head][int(found[0])] if head in symbols else _MEANING[head](*found)


def _is_related(of: ir.Mechanism, left: Values, right: Values) -> bool:
    """Whether some values of the kernel's ghosts make true all that it says of the two inputs."""
    inputs = Inputs(of, {})
    metric = of.parameter("x").metric
    assert metric is not None
    if metric.bound is not None:
        assert isinstance(metric.bound, ir.Constant)
        inputs.bounds["x"] = f"{int(metric.bound.value)}.0"
    length = len(left)
    said = [*inputs.facts(), *(inputs.adjacent("x", (str(place),)) for place in range(length))]
    symbols = {entries_name("x", 1): left, entries_name("x", 2): right, length_of("x"): length}
    return any(
        all(_value(item, symbols | {"|x#changed|": place, "|x#change|": change}) for item in said if item)
        for place in range(-1, length + 1)
        for change in range(-8, 9)
    )


# --- the others -----------------------------------------------------------------------------------


def _is_witnessed(of: ir.Mechanism, left: Values, right: Values) -> bool:
    document = {"parameters": {"eps": 1}, "left": {"x": list(left)}, "right": {"x": list(right)}}
    try:
        _require_adjacent(of, *(_Input.of(of, document, side) for side in ("left", "right")))
    except _Bad:
        return False
    return True


def _is_searched(of: ir.Mechanism, left: Values, right: Values) -> bool:
    return is_adjacent(of, {"x": tuple(left), "eps": 1}, {"x": tuple(right), "eps": 1})


@pytest.mark.parametrize("relation", [_is_related, _is_witnessed, _is_searched])
@pytest.mark.parametrize("sort", ENTRIES)
@pytest.mark.parametrize("metric", METRICS)
def test_adjacency_is_that_of_the_definition(metric: str, sort: str, relation: Callable[..., bool]) -> None:
    of = _mechanism(metric, sort)
    for left, right in _pairs(sort):
        assert relation(of, left, right) == METRICS[metric](left, right), (left, right)


@pytest.mark.parametrize("sort", ENTRIES)
@pytest.mark.parametrize("metric", IN_SUM)
def test_what_is_bounded_in_sum(metric: str, sort: str) -> None:
    of = _mechanism(metric, sort)
    for left, right in _pairs(sort):
        near = IN_SUM[metric](left, right)
        assert _is_witnessed(of, left, right) == near and _is_searched(of, left, right) == near
        assert _is_related(of, left, right) or not near


@pytest.mark.parametrize("metric", METRICS)
def test_lists_of_two_lengths_are_not_adjacent(metric: str) -> None:
    of = _mechanism(metric, "int")
    assert not _is_witnessed(of, (0,), (0, 0)) and not _is_searched(of, (0,), (0, 0))


# --- certificates -----------------------------------------------------------------------------------

_RELEASE = """
    @mechanism(adjacent={"x": METRIC}, requires="eps > 0 and len(x) > 0")
    def release(x: list[int], eps: float) -> int:
        y = laplace(VALUE, scale=2 / eps)
        return y
    """


def _release(metric: str, value: str) -> Data:
    text = _RELEASE.replace("METRIC", metric).replace("VALUE", value)
    paid = rule("LapGen", k="0", cost="cost#0", within="2.0", amount="1")
    return certificate(text, *[rule("Skip")] * 3, paid, rule("Return"), epsilon="|eps<>|", costs=COST)


def test_a_change_of_any_size_is_not_within_a_distance() -> None:
    accepted(_release("change_one_distance(2)", "x[0]"))
    rejected(_release("change_one_distance()", "x[0]"), "LapGen", "derivation.3", "within")


def test_a_change_of_any_size_is_within_what_it_is_clipped_to() -> None:
    accepted(_release("change_one_distance()", "min(max(x[0], 3), 5)"))
    rejected(_release("change_one_distance()", "min(max(x[0], 3), 6)"), "LapGen", "derivation.3", "within")
