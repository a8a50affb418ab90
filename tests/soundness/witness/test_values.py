"""Ends and truth values of the check of witnesses: total, exact, and never a float."""

from __future__ import annotations

import ast
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import synth.trusted.witness as witness
from synth.trusted.program import syntax as ir
from synth.trusted.witness.boxes import Incomplete, Scope, Undefined, evaluate
from synth.trusted.witness.check import INVALID, VALID, check_witness
from synth.trusted.witness.values import Box, Infinity, Truth, conjunction, equal, hull, less, plus, simplest

BELOW, ABOVE = Infinity
FALSE, TRUE, UNKNOWN = Truth
LARGE = 10**400
ENDS = (BELOW, -LARGE, -2, Fraction(-1, LARGE), 0, Fraction(1, LARGE), 1, LARGE, ABOVE)
BOXES = [
    Box(low, high, apart)
    for low, high, apart in product(ENDS, ENDS, (False, True))
    if low is not ABOVE and high is not BELOW and (low < high or (low == high and not apart))
]
WITH = {FALSE: {False}, TRUE: {True}, UNKNOWN: {False, True}}


def inside(box: Box) -> list[Fraction]:
    """Some numbers of a box, near its ends too."""
    low = -2 * LARGE if isinstance(box.low, Infinity) else box.low
    high = 2 * LARGE if isinstance(box.high, Infinity) else box.high
    places = [Fraction(part, 8) for part in ((1, 4, 7) if box.open else (0, 1, 4, 7, 8))]
    return [low + place * (high - low) for place in places]


def holds(value: Any, number: Fraction) -> bool:
    """Whether a number is in a box."""
    if not isinstance(value, Box):
        return bool(value == number)
    return value.low < number < value.high or (not value.open and number in (value.low, value.high))


def test_ends_are_in_order_whatever_their_size() -> None:
    for (place, one), (other, two) in product(enumerate(ENDS), repeat=2):
        assert (one < two, one <= two, one > two, one >= two, one == two) == (
            place < other, place <= other, place > other, place >= other, place == other
        )  # fmt: skip


def test_infinities_stay_what_they_are() -> None:
    assert -BELOW is ABOVE and -ABOVE is BELOW
    for end in ENDS[1:-1]:
        assert end + BELOW is BELOW is BELOW + end and end + ABOVE is ABOVE is ABOVE + end
    for end, infinity in product(ENDS, Infinity):
        same = infinity if end > 0 else -infinity if end < 0 else 0
        assert infinity * end == same == end * infinity
    assert BELOW + BELOW is BELOW and ABOVE + ABOVE is ABOVE
    for infinity in Infinity:
        with pytest.raises(AssertionError):
            infinity + -infinity


@pytest.mark.parametrize(
    ("low", "high", "apart"),
    [(1, 0, False), (0, 0, True), (BELOW, BELOW, False), (ABOVE, ABOVE, False), (ABOVE, 0, False)],
)
def test_no_box_is_empty(low: Any, high: Any, apart: bool) -> None:
    with pytest.raises(AssertionError):
        Box(low, high, apart)


def test_boxes_hold_what_is_computed_from_their_numbers() -> None:
    for left, right in product(BOXES[::3], BOXES[::2]):
        total, around = plus(left, right), hull(left, right)
        strictly, at_most, same = less(left, right, False), less(left, right, True), equal(left, right)
        for one, two in product(inside(left), inside(right)):
            assert holds(total, one + two) and holds(around, one) and holds(around, two)
            assert (one < two) in WITH[strictly] and (one <= two) in WITH[at_most]
            assert (one == two) in WITH[same]


@pytest.mark.parametrize("operator", ["*", "/", "min", "max", "-"])
def test_operations_hold_what_is_computed(operator: str) -> None:
    of = {
        "*": lambda one, two: one * two,
        "/": lambda one, two: one / Fraction(two),
        "min": min,
        "max": max,
        "-": lambda one, two: one - two,
    }[operator]
    left, right = (ir.Variable(name, ir.Sort.REAL) for name in "ab")
    expression = ir.Operation(ir.Operator(operator), (left, right), ir.Sort.REAL)
    for one, two in product(BOXES, ENDS[1:-1]):
        if operator == "/" and two == 0:
            continue
        found = evaluate(expression, Scope({"a": simplest(one), "b": two}, {}, {}, {}))
        assert all(holds(found, of(number, two)) for number in inside(one))


def test_truth_values_are_not_taken_for_pythons() -> None:
    for truth in Truth:
        with pytest.raises(AssertionError):
            bool(truth)
    assert [truth.negated() for truth in (FALSE, TRUE, UNKNOWN)] == [TRUE, FALSE, UNKNOWN]


def test_truth_values_that_are_unknown_stay_so() -> None:
    def may(truths: set[bool]) -> Truth:
        return UNKNOWN if len(truths) == 2 else Truth(*truths)

    for one, two in product(Truth, repeat=2):
        pairs = set(product(WITH[one], WITH[two]))
        assert conjunction((one, two)) is may({first and second for first, second in pairs})
        assert equal(one, two) is may({first == second for first, second in pairs})
        assert hull(one, two) is may(WITH[one] | WITH[two])
    assert conjunction(()) is TRUE


def test_numbers_and_truth_values_are_told_apart() -> None:
    x, y = ir.Variable("x", ir.Sort.BOOL), ir.Variable("y", ir.Sort.INT)
    scope = Scope({"x": UNKNOWN, "y": Box(0, 1)}, {}, {}, {})
    wrong = (
        ir.Operation(ir.Operator.ADD, (x, y), ir.Sort.INT),
        ir.Operation(ir.Operator.LESS, (x, y), ir.Sort.BOOL),
        ir.Operation(ir.Operator.NOT, (y,), ir.Sort.BOOL),
        ir.Operation(ir.Operator.AND, (x, y), ir.Sort.BOOL),
        ir.Operation(ir.Operator.IF, (y, y, y), ir.Sort.INT),
    )
    for expression in wrong:
        with pytest.raises(Incomplete):
            evaluate(expression, scope)
    with pytest.raises(Incomplete):  # a truth value of Python's where one of ours belongs
        evaluate(wrong[2], Scope({"y": True}, {}, {}, {}))


FILES = sorted(Path(witness.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_there_is_no_float(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=float() | complex()):
                raise AssertionError(f"line {node.lineno}: a float")
            case (
                ast.Call(func=ast.Name(id="float"))
                | ast.Attribute(value=ast.Name(id="math"), attr="inf" | "nan")
            ):
                raise AssertionError(f"line {node.lineno}: a float")
            case ast.ImportFrom(module="math"):
                raise AssertionError(f"line {node.lineno}: name what of math is used where it is")


@pytest.mark.parametrize("metric", ["absolute_distance", "linf_distance", "change_one_distance"])
def test_no_inputs_are_at_a_negative_distance(metric: str) -> None:
    scalar = metric == "absolute_distance"
    text = (
        "from synth.lang import *\n\n\n"
        f'@mechanism(adjacent={{"x": {metric}("c"), "y": absolute_distance(1)}}, epsilon=1)\n'
        f"def f(x: {'int' if scalar else 'list[int]'}, y: int, c: int) -> bool:\n    return y > 0\n"
    )
    for x in [0] if scalar else [[0], []]:
        document = {
            "kind": "witness",
            "program": text,
            "mechanism": "f",
            "epsilon": None,
            "delta": None,
            "witness": {
                "parameters": {"c": -1},
                "left": {"x": x, "y": 1},
                "right": {"x": x, "y": 0},
                "events": [{"values": [True], "lists": []}],
                "probability_left": [0, 1],
                "probability_right": [0, 1],
                "epsilon_at_least": None,
            },
        }
        found = check_witness(document)
        assert found.verdict == INVALID and "x differs" in str(found.reason)
        document["witness"]["parameters"]["c"] = 0  # type: ignore[index]
        assert check_witness(document).verdict == VALID


def test_what_is_not_evaluated_need_not_be_defined() -> None:
    """As in the core language; where it is unknown whether it is evaluated, so is the value."""
    true, n = ir.Constant(True, ir.Sort.BOOL), ir.Variable("n", ir.Sort.INT)
    quotient = ir.Operation(ir.Operator.FLOOR_DIVIDE, (ir.Constant(6, ir.Sort.INT), n), ir.Sort.INT)
    undefined = ir.Operation(ir.Operator.LESS, (n, quotient), ir.Sort.BOOL)
    guard = ir.Variable("b", ir.Sort.BOOL)

    def of(operator: ir.Operator, *operands: ir.Expression, b: Truth) -> Any:
        scope = Scope({"n": 0, "b": b}, {}, {}, {})
        return evaluate(ir.Operation(operator, operands, ir.Sort.BOOL), scope)

    assert of(ir.Operator.AND, guard, undefined, b=FALSE) is FALSE
    assert of(ir.Operator.OR, guard, undefined, b=TRUE) is TRUE
    assert of(ir.Operator.IF, guard, true, undefined, b=TRUE) is TRUE
    for operator, evaluated in ((ir.Operator.AND, TRUE), (ir.Operator.OR, FALSE)):
        with pytest.raises(Undefined):
            of(operator, guard, undefined, b=evaluated)
        with pytest.raises(Undefined):
            of(operator, undefined, guard, b=FALSE)
        with pytest.raises(Incomplete):
            of(operator, guard, undefined, b=UNKNOWN)
    with pytest.raises(Incomplete):
        of(ir.Operator.IF, guard, true, undefined, b=UNKNOWN)
    with pytest.raises(Undefined):
        of(ir.Operator.IF, guard, true, undefined, b=FALSE)


@pytest.mark.parametrize("operator", [ir.Operator.AND, ir.Operator.OR])
def test_connectives_of_what_may_be_unknown(operator: ir.Operator) -> None:
    combine = {ir.Operator.AND: all, ir.Operator.OR: any}[operator]
    names = ("a", "b", "c")
    operands = tuple(ir.Variable(name, ir.Sort.BOOL) for name in names)
    for values in product(Truth, repeat=3):
        found = evaluate(
            ir.Operation(operator, operands, ir.Sort.BOOL),
            Scope(dict(zip(names, values, strict=True)), {}, {}, {}),
        )
        assert isinstance(found, Truth)
        assert WITH[found] == {combine(choice) for choice in product(*(WITH[value] for value in values))}
