"""Invariants of outer and of long loops, where they can be read off the program and the bound.

Between two rounds of a loop around another one, the runs often agree on everything that is still
needed; all that is to be known then is what was paid, so much per round.  Given that, the inner
loops are solved by themselves ([Seq] and [While] with a cost per round), which is far easier than
all loops at once.  Where the number of rounds is a number, Spacer looks at one round after the other, and
a hundred are too many.
"""

from __future__ import annotations

from collections.abc import Mapping

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.costs.accounting import Accounting
from synth.prover.horn.encoding import Names, PathFragment, as_real, public_term
from synth.prover.horn.terms import (
    add,
    all_of,
    constant,
    less_equal,
    linear_combination,
    sort_of,
    subtract,
    to_real,
    within,
)
from synth.prover.product.product import Product
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned
from synth.trusted.program.symbols import Name

MANY_ROUNDS = 12


def given_invariants(product: Product, accounting: Accounting) -> dict[str, FNode]:
    """Per predicate of an outer or long ``for`` loop that changes nothing unlike, what each round pays."""
    found = {}
    for loop in ir.statements(product.mechanism.body):
        if isinstance(loop, ir.Loop) and loop.loop in product.heads and (_is_outer(loop) or _is_long(loop)):
            carried = dict(product.heads[loop.loop].carried)
            inputs = _adjacent(product, loop, carried)
            paid = None if inputs is None else _by_rounds(product, loop, carried, accounting)
            if inputs is not None and paid is not None:
                found[product.heads[loop.loop].predicate.name] = all_of((*inputs, paid))
    return found


def _adjacent(
    product: Product, loop: ir.Loop, carried: Mapping[Name, tuple[FNode, FNode]]
) -> list[FNode] | None:
    """What holds of the private inputs that are carried; None if something else differs between the runs."""
    parameters = {item.name: item for item in product.mechanism.parameters}
    unlike = {name: pair for name, pair in carried.items() if pair[0] is not pair[1]}
    if unlike.keys() - parameters.keys() or unlike.keys() & assigned(loop.body):
        return None
    fragment = PathFragment(product.mechanism, Names())
    bounds = {name: metric.bound for name in unlike if (metric := parameters[str(name)].metric) is not None}
    return [
        within(subtract(*map(as_real, unlike[name])), public_term(fragment, bound))
        for name, bound in bounds.items()
        if bound is not None
    ]


def _is_outer(loop: ir.Loop) -> bool:
    return any(
        isinstance(inner, ir.Loop)
        and any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(inner.body))
        for inner in ir.statements(loop.body)
    )


def _is_long(loop: ir.Loop) -> bool:
    return isinstance(loop.count, ir.Constant) and loop.count.value > MANY_ROUNDS


def _by_rounds(
    product: Product, loop: ir.Loop, carried: Mapping[Name, tuple[FNode, FNode]], accounting: Accounting
) -> FNode | None:
    if loop.counter is None or loop.counter not in carried or loop.count is None:
        return None
    fragment = PathFragment(product.mechanism, Names())
    rounds, _ = carried[loop.counter]
    parts = [
        less_equal(constant(0, INT), rounds),
        less_equal(rounds, public_term(fragment, loop.count)),
    ]
    for ghost, limit in accounting.bounds.items():
        paid, _ = carried[ghost]
        allowed = _per_round(fragment, limit, loop.count, rounds)
        if allowed is None:
            return None
        if sort_of(allowed) != sort_of(paid):
            allowed, paid = to_real(allowed), to_real(paid)
        parts.append(less_equal(paid, allowed))
    return all_of(parts)


def _per_round(
    fragment: PathFragment, limit: ir.Expression, count: ir.Expression, rounds: FNode
) -> FNode | None:
    """The bound with the number of rounds so far for the number of all rounds; None if it has none."""
    total = None
    per_round = False
    for factor, term in _addends(limit):
        factor, term = _in_rounds(factor, term, count)
        same = term == count or term in (ir.Operation(ir.Operator.TO_REAL, (count,), ir.Sort.REAL),)
        per_round = per_round or same
        value = (
            (to_real(rounds) if limit.sort is ir.Sort.REAL else rounds)
            if same
            else public_term(fragment, term)
        )
        part = linear_combination([(factor, value)], sort_of(value))
        total = part if total is None else add(total, part)
    return total if per_round else None


def _in_rounds(factor: int, term: ir.Expression, count: ir.Expression) -> tuple[int, ir.Expression]:
    """A number as a multiple of the number of rounds, if it is one."""
    match term, count:
        case ir.Constant(value=int(number)), ir.Constant(value=int(rounds)) if (
            rounds and number % rounds == 0
        ):
            return factor * (number // rounds), count
    return factor, term


def _addends(limit: ir.Expression) -> list[tuple[int, ir.Expression]]:
    if isinstance(limit, ir.Operation) and limit.operator is ir.Operator.ADD:
        return [item for operand in limit.operands for item in _addends(operand)]
    if isinstance(limit, ir.Operation) and limit.operator is ir.Operator.MULTIPLY:
        first, second = limit.operands
        if isinstance(first, ir.Constant) and isinstance(first.value, int):
            return [(int(first.value), second)]
    return [(1, limit)]
