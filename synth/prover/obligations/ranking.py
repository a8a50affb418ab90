"""Loops that end in every run: a measure falls in each iteration, and is not negative before.

The measure is read off a comparison that decides whether the loop goes on: ``i < n`` gives n − i.  That it
falls is an obligation put at the end of the body, and shown as obligations are: for all inputs and all noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from synth.prover.horn.solvers import GaveUp, check_solution
from synth.prover.obligations.single_run import shown_together
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, exited, length_name, names, with_blocks
from synth.trusted.program.flow import runs_on

MAX_MEASURES = 8
MILLISECONDS = 1500
"""For each measure, as z3 counts them."""

_BEFORE = "measure%before"
_COMPARISONS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL)


def always_ends(mechanism: ir.Mechanism, loop: ir.Loop) -> bool:
    """Whether a solver shows that the loop ends wherever it begins, if loops in it end."""
    if loop.count is not None or not runs_on(loop.body):
        return True
    measures = dict.fromkeys(_measures(loop))
    return any(_falls(mechanism, loop, item) for item in list(measures)[:MAX_MEASURES])


def leaving(loop: ir.Loop) -> Iterator[tuple[ir.If, ir.Expression]]:
    """The branches of a loop, not of loops in it, that may leave it, each with when it stays."""
    inside = {item.label for item in ir.statements(loop.body) if isinstance(item, ir.Block)}
    for branch in _branches(loop.body):
        leaves = [_leaves(side, inside) for side in (branch.then, branch.otherwise)]
        if leaves[0]:
            yield branch, builders.negate(branch.condition)
        elif leaves[1]:
            yield branch, branch.condition


def _branches(body: Body) -> Iterator[ir.If]:
    for statement in body:
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                yield statement
                yield from _branches((*then, *otherwise))
            case ir.Block(body=inner):
                yield from _branches(inner)


def _leaves(side: Body, inside: set[str]) -> bool:
    """Whether a side of a branch in a loop leaves the loop, whatever happens in it."""
    loops = any(isinstance(item, ir.Loop) for item in ir.statements(side))
    return not loops and not runs_on(side) and not exited(side) & inside


def _measures(loop: ir.Loop) -> Iterator[ir.Expression]:
    """What may fall: first by what decides whether the loop goes on, then by what else it compares."""
    changed = assigned(loop.body)
    stays = [list(conjuncts(condition)) for _, condition in leaving(loop)]
    others = [list(conjuncts(item)) for item in _conditions(loop.body)]
    for parts in (*stays, *others):
        for left, right in (pair for part in parts for pair in _sides(part)):
            measure = builders.subtract(right, left)
            if names(measure) & changed:
                yield measure
    flags = [_as_number(part) for parts in stays for part in parts if _is_flag(part)]
    if flags:
        for left, right in (pair for parts in stays for part in parts for pair in _sides(part)):
            yield reduce(builders.add, flags, builders.subtract(right, left))


def _conditions(body: Body) -> Iterator[ir.Expression]:
    """The conditions that a body computes or branches on, without those of loops in it."""
    for statement in body:
        match statement:
            case ir.Assign(value=value) if value.sort is ir.Sort.BOOL:
                yield value
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from _conditions((*then, *otherwise))
            case ir.Block(body=inner):
                yield from _conditions(inner)


def _is_flag(condition: ir.Expression) -> bool:
    match condition:
        case ir.Variable() | ir.Operation(ir.Operator.NOT, (ir.Variable(),)):
            return True
        case _:
            return False


def _as_number(condition: ir.Expression) -> ir.Expression:
    """1 where a condition holds, else 0: a flag that is put out makes a measure fall."""
    return builders.convert(condition, ir.Sort.INT)


def conjuncts(condition: ir.Expression) -> Iterator[ir.Expression]:
    """The conditions that all hold where a condition does."""
    match condition:
        case ir.Operation(ir.Operator.AND, parts):
            for part in parts:
                yield from conjuncts(part)
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.OR, parts),)):
            for part in parts:
                yield from conjuncts(builders.negate(part))
        case _:
            yield condition


def _sides(condition: ir.Expression) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    """The smaller and the larger side; both ways round where they only differ."""
    match condition:
        case ir.Operation(operator, (left, right)) if operator in _COMPARISONS:
            yield left, right
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.EQUAL, (left, right)),)) if (
            left.sort is not ir.Sort.BOOL
        ):
            yield left, right
            yield right, left


def _falls(mechanism: ir.Mechanism, loop: ir.Loop, measure: ir.Expression) -> bool:
    """Whether each iteration that is repeated is shown to make the measure fall, from 0 at the least."""
    before = ir.Variable(_BEFORE, measure.sort)
    step = _step(loop) if measure.sort is ir.Sort.REAL else builders.ONE
    fallen = builders.less_equal(builders.add(measure, step), before)
    condition = builders.both(builders.less_equal(builders.zero(measure.sort), before), fallen)
    wanted = ir.Obligation("ranking", condition, "the loop may not end", loop.span)
    watched = replace(loop, body=(ir.Assign(_BEFORE, measure, loop.span), *loop.body, wanted))
    body = (*_given(mechanism, measure, loop), *_with(mechanism.body, loop, watched))
    variables = {**mechanism.variables, _BEFORE: measure.sort}
    try:
        found = shown_together(replace(mechanism, body=body, variables=variables), [wanted], MILLISECONDS)
        return found is not None and not check_solution(found.system, found.solution)
    except GaveUp:
        return False


def _step(loop: ir.Loop) -> ir.Expression:
    """By how much a real measure may be hoped to fall: the least number that the loop computes with."""
    found = [
        abs(Fraction(part.value))
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Assign)
        for part in ir.subexpressions(item.value)
        if isinstance(part, ir.Constant) and part.sort is not ir.Sort.BOOL and part.value != 0
    ]
    return ir.Constant(min((Fraction(1), *found)), ir.Sort.REAL)


def _given(mechanism: ir.Mechanism, measure: ir.Expression, loop: ir.Loop) -> Body:
    """A first value for what the measure reads: it is read a little earlier than in the program."""
    mentioned = names(measure)
    values: list[ir.Statement] = [
        ir.Assign(name, builders.zero(sort), loop.span)
        for name, sort in mechanism.variables.items()
        if name in mentioned
    ]
    lists = [ir.NewList(name, loop.span) for name in mechanism.lists if length_name(name) in mentioned]
    return (*values, *lists)


def _with(body: Body, old: ir.Loop, new: ir.Loop) -> Body:
    """The body with a loop replaced."""
    return tuple(
        new if item is old else with_blocks(item, lambda inner: _with(inner, old, new)) for item in body
    )
