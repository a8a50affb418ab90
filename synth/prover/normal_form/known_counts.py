"""Counts of what a loop does in each round, by the number of its rounds.

``n = 0`` before a loop over xs that does ``n += 1`` is ``len(xs)`` behind it; so is the length of a list to
which each round appends one entry.  Where a scale, a divisor or a number of outcomes is made of it, the
program says so itself, as an obligation, and reads the number of rounds behind it: ``1 / n`` is public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    exited,
    expressions,
    is_made_of,
    length_name,
    names,
    public_parameters,
    target,
)
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped, replaced

REASON = "what each round of a loop does once is done as often as it goes round"


def with_known_counts(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the mechanism, with what loops that run in any case count told behind them."""
    body: list[ir.Statement] = []
    empty: dict[str, ir.Expression] = {}
    told: dict[str, ir.Expression] = {}
    for place, statement in enumerate(mechanism.body):
        (statement,) = _reading((statement,), told)
        body.append(statement)
        behind = mechanism.body[place + 1 :]
        for name, rounds, span in _counted(mechanism, statement, empty):
            if name not in assigned(behind) and name in _in_scales(behind):
                told[name] = rounds
                body.append(ir.Obligation("domain", builders.equal(empty[name], rounds), REASON, span))
        for name in assigned((statement,)) & empty.keys():
            del empty[name]
        match statement:
            case ir.Assign(target=name, value=builders.ZERO):
                empty[name] = ir.Variable(name, ir.Sort.INT)
            case ir.NewList(target=entries):
                empty[length_name(entries)] = ir.Length(entries)
    return replace(mechanism, body=tuple(body)) if told else mechanism


def _counted(
    mechanism: ir.Mechanism, statement: ir.Statement, empty: Mapping[str, ir.Expression]
) -> Iterator[tuple[str, ir.Expression, ir.Span]]:
    """Give what a loop counts of what is 0, or empty, before it; the number of its rounds; and its place."""
    match statement:
        case ir.Block(body=(ir.Loop() as loop,)):
            counter = counting(loop)
            if counter is None or exited(loop.body[1:]) or counter[0] not in empty:
                return
            if is_made_of(counter[1], public_parameters(mechanism)):
                rounds = _natural(mechanism, counter[1])
                constants = _constants(loop)
                for name in empty:
                    if name != counter[0] and _steps(loop.body[1:], name, constants) == 1:
                        yield name, rounds, loop.span


def _constants(loop: ir.Loop) -> dict[str, ir.Expression]:
    """Variables that a loop sets to a number in one place, before it reads them, if it is run in any case."""
    times = Counter(target(item) for item in ir.statements(loop.body))
    found: dict[str, ir.Expression] = {}
    read: set[str] = set()
    for item in loop.body:
        match item:
            case ir.Assign(target=name, value=ir.Constant() as value) if (
                times[name] == 1 and name not in read
            ):
                found[name] = value
        read |= {
            name for inner in ir.statements((item,)) for part in expressions(inner) for name in names(part)
        }
    return found


def _steps(body: Body, name: str, constants: Mapping[str, ir.Expression]) -> int | None:
    """How often a body adds 1, or an entry; None where that is not the same on all ways."""
    steps = 0
    for item in body:
        match item:
            case ir.If(then=then, otherwise=otherwise):
                sides = {_steps(side, name, constants) for side in (then, otherwise)}
                step = sides.pop() if len(sides) == 1 else None
            case ir.Append(target=entries) if length_name(entries) == name:
                step = 1
            case ir.Assign(target=changed_name, value=value) if changed_name == name:
                one_more = builders.add(ir.Variable(name, ir.Sort.INT), builders.ONE)
                step = 1 if linear(replaced(value, constants)) == linear(one_more) else None
            case _:
                step = None if name in assigned((item,)) else 0
        if step is None:
            return None
        steps += step
    return steps


def _natural(mechanism: ir.Mechanism, number: ir.Expression) -> ir.Expression:
    """The integer, or 0 if it is less."""
    evident = any(
        isinstance(fact, ir.Operation)
        and fact.operator in (ir.Operator.LESS, ir.Operator.LESS_EQUAL)
        and fact.operands[1] == number
        and isinstance(fact.operands[0], ir.Constant)
        and fact.operands[0].value >= 0
        for fact in builders.conjuncts(mechanism.requires)
    )
    if evident or isinstance(number, ir.Length):
        return number
    return builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, number)


def _reading(body: Body, told: Mapping[str, ir.Expression]) -> Body:
    """The statements, with what is known of counts in place of them."""

    def known(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Variable(name=name):
                return told.get(name)
            case ir.Length(sequence=entries):
                return told.get(length_name(entries))
        return None

    return tuple(
        changed(item, lambda value: mapped(value, known), lambda inner: _reading(inner, told))
        for item in body
    )


def _in_scales(body: Body) -> set[str]:
    """Variables and lengths that divisors, scales, rates, chances and numbers of outcomes are made of."""
    everything = list(ir.statements(body))
    found = {name for item in everything for part in _parameters(item) for name in names(part)}
    while True:
        values = (item.value for item in everything if isinstance(item, ir.Assign) and item.target in found)
        more = {name for value in values for name in names(value)}
        if more <= found:
            return found
        found |= more


def _parameters(statement: ir.Statement) -> Iterator[ir.Expression]:
    match statement:
        case ir.Draw(arguments=(_, scale)):
            yield scale
        case ir.Choose(law=ir.Weights(count=count, rate=rate)):
            yield count
            yield rate
        case ir.Choose(law=ir.Chances()):
            yield from expressions(statement)
    for expression in expressions(statement):
        for part in ir.subexpressions(expression):
            match part:
                case ir.Operation(ir.Operator.DIVIDE, (_, divisor)):
                    yield divisor
