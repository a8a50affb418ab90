"""Draws by weights that differ between the runs: by how much each, and how many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.horn.encoding import Environment, Evaluator, Globals, Names, PathFragment, no_element
from synth.prover.horn.solvers import GaveUp, counterexample
from synth.prover.horn.terms import SORTS, all_of, any_of, equal, implies, less_equal, negate
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.weights import weighed

OWN, TOTAL = 0, 1
"""The numbers of the two parts of the price: of the weight that is drawn, and of the sum of all."""

MAX_FEW = 4
Pair = tuple[FNode, FNode]


@dataclass(frozen=True)
class Weighing:
    """The weight of an index: an entry of the private function ``source``, and ``floor``, alike in both runs.

    An entry is at least 0 and differs by at most ``gain``; at most ``few`` weights are larger in run 2.
    With ``monotone`` none is larger in run 2 if run 1's entries are the larger ones.  ``count`` is how many
    there are to choose from.
    """

    weight: ir.Expression
    floor: ir.Expression
    source: str
    gain: ir.Expression
    monotone: bool
    few: int
    count: ir.Expression

    def order(self, number: int) -> tuple[str, bool] | None:
        """In which order of the entries a part of the price can be due: whether run 2 has the larger ones."""
        return (self.source, number == TOTAL) if self.monotone else None

    def price(self) -> ir.Expression:
        """What it costs that the weight drawn is larger in run 1, in nats."""
        return builders.divide(self.gain, self.floor)

    def price_of_all(self) -> ir.Expression:
        """What it costs that the sum of the weights is larger in run 2, in nats."""
        few = ir.Constant(Fraction(self.few), ir.Sort.REAL)
        sum_ = builders.arithmetic(
            ir.Operator.MULTIPLY, builders.convert(self.count, ir.Sort.REAL), self.floor
        )
        return builders.divide(builders.arithmetic(ir.Operator.MULTIPLY, few, self.gain), sum_)


def weighings(mechanism: ir.Mechanism, draws: Sequence[ir.Choose]) -> Iterator[tuple[int, Weighing]]:
    """The draws that choose by logarithms of such weights, by site."""
    for draw in draws:
        found = _weighing(mechanism, draw)
        if found is not None:
            yield draw.site, found


def _weighing(mechanism: ir.Mechanism, draw: ir.Choose) -> Weighing | None:
    weight = weighed(draw.law) if isinstance(draw.law, ir.Weights) else None
    if weight is None or not isinstance(draw.law, ir.Weights):
        return None
    parts = list(_addends(weight))
    moving = [part for part in parts if _private(mechanism, part) or draw.index in names(part)]
    match moving:
        case [
            ir.Operation(operator=ir.Operator.TO_REAL, operands=(ir.Read(source=source),))
            | ir.Read(source=source)
        ]:
            metric = mechanism.parameter(source).metric
        case _:
            return None
    rest = [part for part in parts if part is not moving[0]]
    if metric is None or metric.bound is None or not rest:
        return None
    few = _few(mechanism, draw, weight)
    if few is None:
        return None
    floor = rest[0]
    for part in rest[1:]:
        floor = builders.add(floor, part)
    return Weighing(weight, floor, source, metric.bound, metric.monotone, few, draw.law.count)


def _addends(expression: ir.Expression) -> Iterator[ir.Expression]:
    match expression:
        case ir.Operation(operator=ir.Operator.ADD, operands=operands):
            for operand in operands:
                yield from _addends(operand)
        case ir.Operation(
            operator=ir.Operator.TO_REAL,
            operands=(ir.Operation(operator=ir.Operator.ADD, operands=operands),),
        ):
            for operand in operands:
                yield from _addends(builders.convert(operand, ir.Sort.REAL))
        case _:
            yield expression


def _private(mechanism: ir.Mechanism, expression: ir.Expression) -> bool:
    return any(
        isinstance(part, ir.Read) and mechanism.parameter(part.source).metric is not None
        for part in ir.subexpressions(expression)
    )


def only_few(picked: Sequence[tuple[FNode, Pair]]) -> FNode:
    """Of any so many different indices, one has a weight that is not larger in run 2."""
    apart = all_of(negate(equal(first, second)) for (first, _), (second, _) in combinations(picked, 2))
    return implies(apart, any_of(less_equal(right, left) for _, (left, right) in picked))


def _few(mechanism: ir.Mechanism, draw: ir.Choose, weight: ir.Expression) -> int | None:
    """How many weights may be larger in run 2, by what is stated of the functions."""
    for few in range(MAX_FEW + 1):
        fragment = PathFragment(mechanism, Names(), mechanism.facts)
        values = dict(Globals(mechanism).names())
        for name in names(weight) - values.keys() - {draw.index}:
            values[name] = fragment.names.fresh(name, SORTS[mechanism.variables[name]])
        picked = []
        for _ in range(few + 1):
            index = fragment.names.fresh(draw.index, INT)
            inside = {**values, draw.index: index}
            left, right = (_evaluated(fragment, side, inside)(weight) for side in (0, 1))
            picked.append((index, (left, right)))
        try:
            goal = implies(all_of(fragment.assumptions), only_few(picked))
            if counterexample(goal, "z3", milliseconds=2000) is None:
                return few
        except GaveUp:
            return None
    return None


def _evaluated(fragment: PathFragment, side: int, values: Environment) -> Callable[[ir.Expression], FNode]:
    return Evaluator(fragment, side, values, lambda *_: None, no_element).term


def functions_in_facts(mechanism: ir.Mechanism) -> tuple[ir.Parameter, ...]:
    """Public functions of one argument that facts speak of."""
    spoken = {
        ir.without_run(part.source)[0]
        for fact in mechanism.facts
        for part in ir.subexpressions(fact.condition)
        if isinstance(part, ir.Read)
    }
    return tuple(
        item
        for item in mechanism.parameters
        if item.name in spoken
        and item.kind is ir.ParameterKind.FUNCTION
        and item.metric is None
        and item.arity == 1
        and item.sort is not ir.Sort.REAL
    )
