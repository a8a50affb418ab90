"""The law of an output, as the prover has it, is the distribution that running the program's text shows.

So is what is lost beyond e^ε, summed up over all outputs, for any two inputs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.normal_form.decision_trees import Fork, Intractable, Tree
from synth.trusted.normal_form.output_distribution import OutputLaw, losses, lost, output_law
from synth.trusted.program import syntax as ir
from tests.support.finite_programs import Distribution, Undefined, loaded
from tests.support.sized_programs import sized_program

Values = Mapping[str, Any]
PROGRAMS = 40
VALUES: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "int": (-1, 0, 1, 2),
    "list[int]": tuple(product((-1, 0, 1), repeat=2)),
    "list[bool]": tuple(product((False, True), repeat=2)),
}
NEAR = 1e-9


# --- evaluation -----------------------------------------------------------------------------


def value(expression: ir.Expression, values: Values) -> Any:
    """The value of an expression, in floating point where it is real."""
    match expression:
        case ir.Constant(value=exact):
            return exact
        case ir.Variable(name=name):
            return values[name]
        case ir.Length(sequence=sequence):
            return len(values[sequence])
        case ir.Read(source=source, index=(index,)):
            place = value(index, values)
            return values[source][place] if 0 <= place < len(values[source]) else 0
        case ir.Operation(operator=operator, operands=operands):
            return _applied(operator, [value(item, values) for item in operands], operands[0].sort)
    raise AssertionError(expression)


def _applied(operator: ir.Operator, parts: list[Any], sort: ir.Sort) -> Any:
    match operator, parts:
        case ir.Operator.ADD, [a, b]:
            return a + b
        case ir.Operator.SUBTRACT, [a, b]:
            return a - b
        case ir.Operator.MULTIPLY, [a, b]:
            return a * b
        case ir.Operator.DIVIDE, [a, b]:
            return float(a) / float(b) if b else 0.0
        case ir.Operator.FLOOR_DIVIDE, [a, b]:
            return a // b if b else 0
        case ir.Operator.NEGATE, [a]:
            return -a
        case ir.Operator.EQUAL, [a, b]:
            return a == b if sort is not ir.Sort.REAL else math.isclose(a, b, abs_tol=NEAR)
        case ir.Operator.LESS, [a, b]:
            return a < b
        case ir.Operator.LESS_EQUAL, [a, b]:
            return a <= b
        case ir.Operator.NOT, [a]:
            return not a
        case ir.Operator.AND, _:
            return all(parts)
        case ir.Operator.OR, _:
            return any(parts)
        case ir.Operator.IF, [a, b, c]:
            return b if a else c
        case ir.Operator.TO_REAL, [a]:
            return a
        case ir.Operator.MINIMUM, _:
            return min(parts)
        case ir.Operator.MAXIMUM, _:
            return max(parts)
        case ir.Operator.EXPONENTIAL, [a]:
            return math.exp(a)
        case ir.Operator.LOGARITHM, [a]:
            return math.log(a)
    raise AssertionError(operator)


def at(tree: Tree, values: Values) -> Any:
    """The value of a tree."""
    while isinstance(tree, Fork):
        tree = tree.then if value(tree.atom, values) else tree.otherwise
    return value(tree.value, values)


def place(law: OutputLaw, values: Values) -> int:
    """The outcome that values belong to; the number of outcomes if they belong to none."""
    found = [number for number, (condition, _) in enumerate(law.outcomes) if value(condition, values)]
    assert len(found) <= 1
    return found[0] if found else len(law.outcomes)


# --- programs -------------------------------------------------------------------------------


def flat(output: Any, law: OutputLaw) -> tuple[Any, ...]:
    """An output of plain Python as the flat values that are returned."""
    if len(law.values) == 2 and not isinstance(output, tuple):  # a tag says whether it is a number
        output = (0, 0) if output is None else (1, output)
    parts = tuple(_leaves(output))
    assert len(parts) == len(law.values)
    sorts = {ir.Sort.BOOL: bool, ir.Sort.INT: int, ir.Sort.REAL: float}
    return tuple(sorts[item.sort](part) for item, part in zip(law.values, parts, strict=True))


def _leaves(output: Any) -> Iterator[Any]:
    if isinstance(output, tuple):
        for part in output:
            yield from _leaves(part)
    elif output is not None:  # what is always None has no values
        yield output


class Case:
    """A program with its law, and the exact distribution on each of its inputs."""

    def __init__(self, text: str) -> None:
        (of,) = read_source(text, "sized.py")
        self.text = text
        self.mechanism: ir.Mechanism = canonical(of)
        self.law = output_law(self.mechanism)
        self.laws = [
            (inputs, {flat(output, self.law): chance for output, chance in found.items()})
            for inputs, found in distributions(text)
        ]

    def named(self, output: tuple[Any, ...]) -> dict[str, Any]:
        return {item.name: part for item, part in zip(self.law.values, output, strict=True)}


def distributions(text: str) -> Iterator[tuple[dict[str, Any], Distribution]]:
    """The exact law on each input.  Raises Undefined."""
    program = loaded(text)
    for chosen in product(*(VALUES[sort] for sort in program.sorts.values())):
        inputs = dict(zip(program.sorts, chosen, strict=True))
        if eval(program.requires, {"len": len, **inputs}):
            yield inputs, program.distribution(inputs)


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """So many of the programs that have a law."""
    while count:
        text = sized_program(random.Random(f"{seed}"))
        seed += 1
        try:
            yield Case(text)
        except (ProgramError, Intractable, Undefined):
            continue
        count -= 1


# --- tests ----------------------------------------------------------------------------------


def check_law(case: Case) -> None:
    """Each output that occurs has its probability, and others, near them, have none."""
    for inputs, exact in case.laws:
        for output, chance in exact.items():
            found = at(case.law.tree, {**inputs, **case.named(output)})
            assert math.isclose(found, chance, abs_tol=NEAR), (case.text, inputs, output, found, chance)
            for other in (tuple(_moved(part, by) for part in output) for by in (-1, 1, 5)):
                if other not in exact:
                    assert at(case.law.tree, {**inputs, **case.named(other)}) == 0, (case.text, inputs, other)


def _moved(part: Any, by: int) -> Any:
    return part ^ (by % 2 == 1) if isinstance(part, bool) else part + by


def check_losses(case: Case, epsilon: float, rng: random.Random) -> None:
    """The sum over all outputs of what some pairs of outcomes lose, for any two inputs."""
    last = len(case.law.outcomes)
    every = [(i, j) for i in range(last) for j in range(last + 1)]
    pairs = {pair for pair in every if rng.random() < 0.8}
    try:
        found = losses(case.law, case.mechanism, pairs)
    except Intractable:
        return
    for left, first in case.laws:
        for right, second in case.laws:
            if any(left[name] != right[name] for name in left if name == "n"):
                continue  # a public parameter
            total = 0.0
            values = {**left, **{lost(pair): 0.0 for pair in pairs}}
            for output, chance in first.items():
                names = case.named(output)
                pair = place(case.law, {**left, **names}), place(case.law, {**right, **names})
                excess = max(0.0, chance - math.exp(epsilon) * second.get(output, 0.0))
                if pair in pairs:
                    values[lost(pair)] = excess
                    total += excess
            for item, (one, two) in found.private:
                values[one.name], values[two.name] = value(item, left), value(item, right)
            sum_ = at(found.tree, values)
            assert math.isclose(sum_, total, abs_tol=NEAR), (case.text, left, right, pairs, sum_, total)


@pytest.mark.parametrize("seed", range(0, 100_000, 10_000))
def test_laws_of_random_programs(seed: int) -> None:
    for number, case in enumerate(cases(PROGRAMS // 10, seed)):
        check_law(case)
        check_losses(case, (0.0, 0.5, 1.0)[number % 3], random.Random(number))


# --- sizes that requires fixes --------------------------------------------------------------

COUNTED = """
from synth.lang import *

@mechanism(adjacent={{"q": linf_distance(1)}}, requires="{requires}")
def f(q: list[bool], n: int) -> int:
    s = 0
    for i in range({count}):
        s += 1 if q[i] == bernoulli(3/4) else 0
    return s
"""


def counted(requires: str, count: str) -> OutputLaw:
    (mechanism,) = read_source(COUNTED.format(requires=requires, count=count), "counted.py")
    return output_law(canonical(mechanism))


@pytest.mark.parametrize(
    "requires",
    [
        "len(q) == 3",
        "3 == len(q)",
        "n > 0 and 4 - len(q) == 1",
        "len(q) - 1 == n and n == 2",
        "n == 2 and len(q) == 3",
    ],
)
def test_a_length_that_requires_fixes_is_a_number(requires: str) -> None:
    assert counted(requires, "len(q)").outcomes == counted("len(q) >= 3", "3").outcomes


@pytest.mark.parametrize(
    "requires", ["len(q) >= 3", "len(q) == n", "2*len(q) == 7", "len(q) == 3 or n == 1", "n == 3", "True"]
)
def test_other_lengths_are_none(requires: str) -> None:
    with pytest.raises(Intractable):
        counted(requires, "len(q)")
