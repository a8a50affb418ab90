"""What both runs publish, and the foreseen events that guards ask about: b determines both."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.horn.encoding import LEFT, RIGHT, public_term
from synth.prover.horn.horn import Application, Purpose
from synth.prover.horn.terms import (
    add,
    choose,
    constant,
    equal,
    implies,
    less_equal,
    sort_of,
    symbol,
    to_real,
)
from synth.prover.product.both_runs import both, entry_predicate
from synth.prover.product.clause_builder import ClauseBuilder
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name
from synth.trusted.program.symbols import Cost, Event, Kind, Version


def is_event(statement: ir.Statement, event: Event) -> bool:
    """Whether the event happens at this statement."""
    match statement:
        case ir.If(branch=number):
            return event.kind is Kind.BRANCH and event.source == str(number)
        case ir.Append(target=target):
            return event.kind is Kind.APPEND and event.source == target
        case ir.Return():
            return event.kind is Kind.RETURN
        case _:
            return False


def declare_prophecies(builder: ClauseBuilder, state: State) -> None:
    """Give every event that a guard asks about a next value, which b determines."""
    for event, kind in builder.problem.used_events.items():
        if not state.knows(event):
            once = event.kind is Kind.RETURN
            value = symbol(str(event), kind) if once else builder.names.fresh(str(event), kind)
            state.set_both(event, value)


def relate_observables(
    builder: ClauseBuilder, state: State, event: Event, pair: tuple[FNode, FNode], span: ir.Span
) -> None:
    """Both runs publish the same here, and run 1 what b says."""
    left, right = pair
    if event in builder.problem.used_events:
        value, _ = state.pair(event)
        state.fragment.matches.append(implies(state.path, equal(left, value)))
        for side in (LEFT, RIGHT):
            del state.values[side][event]
        declare_prophecies(builder, state)
    text = f"both runs publish the same at this {event.kind.value}"
    builder.require(state, equal(left, right), Purpose("publish", span, text))


def new_list(builder: ClauseBuilder, state: State, statement: ir.NewList) -> None:
    """An empty list, of whose entries nothing older is known."""
    state.set_both(length_name(statement.target), constant(0, INT))
    _renew(builder, state, Version(statement.target))


def _renew(builder: ClauseBuilder, state: State, version: Version) -> None:
    """The list is another one from here on."""
    state.set_both(version, builder.names.fresh(str(version), INT))


def append(builder: ClauseBuilder, state: State, statement: ir.Append) -> None:
    """An entry of a list: published if the list is returned, else related by the element predicate."""
    name = length_name(statement.target)
    length, other = state.pair(name)
    entries = [both(builder, state, value) for value in statement.values]
    if statement.target in builder.problem.analysis.returned_lists:
        for component, pair in enumerate(entries):
            relate_observables(
                builder, state, Event(Kind.APPEND, statement.target, component), pair, statement.span
            )
    else:
        alike = Purpose("entries", statement.span, "lists grow alike")
        builder.require(state, equal(length, other), alike)
        arguments = (state.path, length, *(pair[0] for pair in entries), *(pair[1] for pair in entries))
        predicate = entry_predicate(builder, statement.target)
        purpose = Purpose("entries", statement.span, f"entries of {statement.target}")
        builder.conclude(state, Application(predicate, arguments), purpose)
    one = constant(1, INT)
    state.set(name, add(length, one), add(other, one))
    _renew(builder, state, Version(statement.target))


def end(builder: ClauseBuilder, state: State, statement: ir.Return) -> None:
    """The output is published, and the costs are within their bounds."""
    for component, value in enumerate(statement.values):
        event = Event(Kind.RETURN, "", component)
        relate_observables(builder, state, event, both(builder, state, value), statement.span)
    for name in statement.lists:
        lengths = state.pair(length_name(name))
        purpose = Purpose("publish", statement.span, "lists have one length")
        builder.require(state, equal(*lengths), purpose)
    for ghost, limit in builder.problem.accounting.bounds.items():
        within = _within(builder, state, ghost, limit)
        builder.conclude(state, within, Purpose("cost", statement.span, str(ghost)))


def _within(builder: ClauseBuilder, state: State, ghost: Cost, limit: ir.Expression) -> FNode:
    """The counter is at most its bound; one that counts in one order of the entries is 0 in the other."""
    total, bound = state.value(ghost), public_term(state.fragment, limit)
    if sort_of(bound) != sort_of(total):
        total, bound = to_real(total), to_real(bound)
    orders = builder.problem.accounting.orders
    if ghost in orders:
        source, up = orders[ghost]
        upward, zero = builder.globals.upward(source), constant(0, sort_of(bound))
        bound = choose(upward, bound, zero) if up else choose(upward, zero, bound)
    return less_equal(total, bound)
