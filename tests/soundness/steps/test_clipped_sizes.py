"""What is clipped by its own size is at most the bound; what looks like it may be larger is no such step."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Different
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, requires="eps > 0")
def f(x: float, y: float, c: float, t: float, eps: float):
"""
BOUNDED = (
    "x / max(1, abs(x) / c)",
    "x / max(abs(x) / c, t)",
    "-x / max(1, abs(x) / c)",
    "x * min(1, c / max(abs(x), 0.5))",
    "x * min(1, c / (abs(x) + 0.25))",
    "min(c / (0.25 + abs(x)), 0.5) * x",
    "x * c / max(abs(x), t)",
    "c * (x / max(c, abs(x)))",
    "x * (c / (abs(x) + 1))",
    "(x * y) / max(1, abs(x * y) / c)",
)
UNBOUNDED = (
    "x / max(1, x / c)",
    "x / max(1, abs(y) / c)",
    "x / max(1, abs(x) * c)",
    "x / min(1, abs(x) / c)",
    "x / (1 + abs(x) / c - 1.5)",
    "x * min(-8, c / max(abs(x), 1))",
    "x * min(t, c / max(abs(x), 1))",
    "x * max(1, c / max(abs(x), 1))",
    "x * min(1, c / (abs(x) + -0.5))",
    "x * min(1, c / max(abs(y), 1))",
    "x * min(1, 2 * c / max(abs(x), 1))",
    "x * c / max(abs(y), 1)",
    "y * x * c / max(abs(x), 1)",
    "2 * (x / max(1, abs(x) / c))",
)


def number(text: str) -> ir.Expression:
    return ir.Variable(text, ir.Sort.REAL) if text.isalpha() else ir.Constant(Fraction(text), ir.Sort.REAL)


def accepted(value: str, bound: str = "c", above: str | None = "0", of: str = "c") -> bool:
    """Whether the value may be clipped to the bound, where ``of`` is above a number."""
    program = mechanism(f"{HEAD}    return laplace({value}, 1.0)\n")
    (draw,) = (item for item in program.body if isinstance(item, ir.Draw))
    whole, most = draw.arguments[0], number(bound)
    below = ir.Operation(ir.Operator.MINIMUM, (whole, most), ir.Sort.REAL)
    clipped = ir.Operation(ir.Operator.MAXIMUM, (builders.opposite(most), below), ir.Sort.REAL)
    if above is not None:
        condition = builders.less(number(above), number(of))
        clipped = ir.Operation(ir.Operator.IF, (condition, clipped, whole), ir.Sort.REAL)
    changed = replace(draw, arguments=(clipped, *draw.arguments[1:]))
    body = tuple(changed if item is draw else item for item in program.body)
    try:
        check_equivalent(program, replace(program, body=body))
    except Different:
        return False
    return True


def sizes(value: str) -> list[tuple[float, float]]:
    """The size of the value and c, for some numbers, of c above 0."""
    found = []
    for x, y, c, t in product(
        (-8.0, -1.0, -0.25, 0.0, 2.0), (-2.0, 0.0, 4.0), (0.25, 1.0, 3.0), (-1.0, 0.5, 9.0)
    ):
        try:
            found.append((abs(eval(value, {"x": x, "y": y, "c": c, "t": t})), c))
        except ZeroDivisionError:
            continue
    return found


@pytest.mark.parametrize("value", BOUNDED)
def test_what_is_clipped_by_its_size_may_be_clipped(value: str) -> None:
    assert all(size <= bound + 1e-9 for size, bound in sizes(value))
    assert accepted(value)


@pytest.mark.parametrize("value", UNBOUNDED)
def test_what_may_be_larger_is_not_clipped(value: str) -> None:
    assert any(size > bound + 1e-9 for size, bound in sizes(value))
    assert not accepted(value)


@pytest.mark.parametrize(
    ("bound", "above", "of"),
    [("c", None, "c"), ("c", "0", "t"), ("c", "-1", "c"), ("t", "0", "t"), ("t", "0", "c")],
)
def test_the_bound_is_above_zero_where_it_is_clipped(bound: str, above: str | None, of: str) -> None:
    assert not accepted("x / max(1, abs(x) / c)", bound, above, of)


def test_a_number_is_a_bound_if_it_is_above_zero() -> None:
    assert accepted("x / max(1, abs(x) / 3)", "3", None)
    assert not accepted("x / max(1, abs(x) / 3)", "2", None)
    assert not accepted("x * min(1, 0 / max(t, abs(x)))", "0", None)
