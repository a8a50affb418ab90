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
from synth.trusted.program.dataflow import Body, assigned, exited, length_name, names
from synth.trusted.program.flow import runs_on
from synth.trusted.program.syntax import (
    Assign,
    Block,
    Constant,
    Expression,
    If,
    Loop,
    Mechanism,
    NewList,
    Obligation,
    Operation,
    Operator,
    Sort,
    Statement,
    Variable,
    statements,
    subexpressions,
)

MOST_MEASURES = 8
MILLISECONDS = 1500
"""For each measure, as z3 counts them."""

_BEFORE = "measure%before"
_COMPARISONS = (Operator.LESS, Operator.LESS_EQUAL)


def always_ends(mechanism: Mechanism, loop: Loop) -> bool:
    """Whether a solver shows that the loop ends wherever it begins, if loops in it end."""
    if loop.count is not None or not runs_on(loop.body):
        return True
    measures = dict.fromkeys(_measures(loop))
    return any(_falls(mechanism, loop, item) for item in list(measures)[:MOST_MEASURES])


def leaving(loop: Loop) -> Iterator[tuple[If, Expression]]:
    """The branches of a loop, not of loops in it, that may leave it, each with when it stays."""
    inside = {item.label for item in statements(loop.body) if isinstance(item, Block)}
    for branch in _branches(loop.body):
        leaves = [_leaves(side, inside) for side in (branch.then, branch.otherwise)]
        if leaves[0]:
            yield branch, builders.negate(branch.condition)
        elif leaves[1]:
            yield branch, branch.condition


def _branches(body: Body) -> Iterator[If]:
    for statement in body:
        match statement:
            case If(then=then, otherwise=otherwise):
                yield statement
                yield from _branches((*then, *otherwise))
            case Block(body=inner):
                yield from _branches(inner)


def _leaves(side: Body, inside: set[str]) -> bool:
    """Whether a side of a branch in a loop leaves the loop, whatever happens in it."""
    loops = any(isinstance(item, Loop) for item in statements(side))
    return not loops and not runs_on(side) and not exited(side) & inside


def _measures(loop: Loop) -> Iterator[Expression]:
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


def _conditions(body: Body) -> Iterator[Expression]:
    """The conditions that a body computes or branches on, without those of loops in it."""
    for statement in body:
        match statement:
            case Assign(value=value) if value.sort is Sort.BOOL:
                yield value
            case If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from _conditions((*then, *otherwise))
            case Block(body=inner):
                yield from _conditions(inner)


def _is_flag(condition: Expression) -> bool:
    match condition:
        case Variable() | Operation(Operator.NOT, (Variable(),)):
            return True
        case _:
            return False


def _as_number(condition: Expression) -> Expression:
    """1 where a condition holds, else 0: a flag that is put out makes a measure fall."""
    return builders.convert(condition, Sort.INT)


def conjuncts(condition: Expression) -> Iterator[Expression]:
    """The conditions that all hold where a condition does."""
    match condition:
        case Operation(Operator.AND, parts):
            for part in parts:
                yield from conjuncts(part)
        case Operation(Operator.NOT, (Operation(Operator.OR, parts),)):
            for part in parts:
                yield from conjuncts(builders.negate(part))
        case _:
            yield condition


def _sides(condition: Expression) -> Iterator[tuple[Expression, Expression]]:
    """The smaller and the larger side; both ways round where they only differ."""
    match condition:
        case Operation(operator, (left, right)) if operator in _COMPARISONS:
            yield left, right
        case Operation(Operator.NOT, (Operation(Operator.EQUAL, (left, right)),)) if (
            left.sort is not Sort.BOOL
        ):
            yield left, right
            yield right, left


def _falls(mechanism: Mechanism, loop: Loop, measure: Expression) -> bool:
    """Whether each iteration that is repeated is shown to make the measure fall, from 0 at the least."""
    before = Variable(_BEFORE, measure.sort)
    step = _step(loop) if measure.sort is Sort.REAL else builders.ONE
    fallen = builders.less_equal(builders.add(measure, step), before)
    condition = builders.both(builders.less_equal(builders.zero(measure.sort), before), fallen)
    wanted = Obligation("ranking", condition, "the loop may not end", loop.span)
    watched = replace(loop, body=(Assign(_BEFORE, measure, loop.span), *loop.body, wanted))
    body = (*_given(mechanism, measure, loop), *_with(mechanism.body, loop, watched))
    variables = {**mechanism.variables, _BEFORE: measure.sort}
    try:
        found = shown_together(replace(mechanism, body=body, variables=variables), [wanted], MILLISECONDS)
        return found is not None and not check_solution(found.system, found.solution)
    except GaveUp:
        return False


def _step(loop: Loop) -> Expression:
    """By how much a real measure may be hoped to fall: the least number that the loop computes with."""
    found = [
        abs(Fraction(part.value))
        for item in statements(loop.body)
        if isinstance(item, Assign)
        for part in subexpressions(item.value)
        if isinstance(part, Constant) and part.sort is not Sort.BOOL and part.value != 0
    ]
    return Constant(min((Fraction(1), *found)), Sort.REAL)


def _given(mechanism: Mechanism, measure: Expression, loop: Loop) -> Body:
    """A first value for what the measure reads: it is read a little earlier than in the program."""
    mentioned = names(measure)
    values: list[Statement] = [
        Assign(name, builders.zero(sort), loop.span)
        for name, sort in mechanism.variables.items()
        if name in mentioned
    ]
    lists = [NewList(name, loop.span) for name in mechanism.lists if length_name(name) in mentioned]
    return (*values, *lists)


def _with(body: Body, old: Loop, new: Loop) -> Body:
    """The body with a loop replaced."""
    result: list[Statement] = []
    for statement in body:
        match statement:
            case Loop() if statement is old:
                result.append(new)
            case If(then=then, otherwise=otherwise):
                sides = _with(then, old, new), _with(otherwise, old, new)
                result.append(replace(statement, then=sides[0], otherwise=sides[1]))
            case Block(body=inner) | Loop(body=inner):
                result.append(replace(statement, body=_with(inner, old, new)))
            case _:
                result.append(statement)
    return tuple(result)
