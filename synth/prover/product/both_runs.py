"""Expressions as both runs evaluate them, and what is learned on the way about the entries they read."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL

from synth.prover.horn.encoding import (
    LEFT,
    RIGHT,
    Environment,
    Evaluator,
    as_real,
    no_element,
    public_term,
)
from synth.prover.horn.horn import Application, Clause, Predicate, Purpose
from synth.prover.horn.terms import (
    SORTS,
    absolute,
    add,
    all_of,
    choose,
    constant,
    implies,
    less,
    less_equal,
    subtract,
    symbol,
)
from synth.prover.product.clause_builder import ClauseBuilder
from synth.prover.product.run_states import Entry, State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name, names
from synth.trusted.program.symbols import Latest, Spent, Version


def both(builder: ClauseBuilder, state: State, expression: ir.Expression) -> tuple[FNode, FNode]:
    """The value in each of the runs; one term twice where they are known to agree."""
    return one(builder, state, LEFT, expression), one(builder, state, RIGHT, expression)


def one(
    builder: ClauseBuilder,
    state: State,
    side: int,
    expression: ir.Expression,
    values: Environment | None = None,
) -> FNode:
    """The value in one run, in which the variables may be given other ``values``."""

    def on_pair(source: str, index: FNode, left: FNode, right: FNode) -> None:
        if state.knows(Spent(source)):
            _spend(builder, state, source, index, left, right)

    def element(which: int, expression: ir.Element, index: FNode) -> FNode:
        return _entry(builder, state, expression.source, index)[which][expression.component]

    chosen = state.values[side] if values is None else values
    return Evaluator(state.fragment, side, chosen, on_pair, element).term(expression)


def assume_facts(builder: ClauseBuilder, state: State) -> None:
    """What has been shown of locals, as far as they have been assigned."""
    for fact in builder.problem.facts:
        if names(fact) <= state.values[LEFT].keys():
            state.fragment.assume(one(builder, state, LEFT, fact))


def _spend(
    builder: ClauseBuilder, state: State, source: str, index: FNode, left: FNode, right: FNode
) -> None:
    """l1_distance as a budget: entries read in increasing order differ by at most the bound in sum.

    Under l2_distance the parts of its square that they differ by come to at most 1.
    """
    metric = builder.problem.mechanism.parameter(source).metric
    assert metric is not None and metric.bound is not None
    spent, latest = state.value(Spent(source)), state.value(Latest(source))
    new = less(latest, index)
    if metric.kind is ir.MetricKind.L2:
        change, bound = share(state, source, index), constant(1, REAL)
        state.fragment.assume(less_equal(constant(0, REAL), change))
    else:
        change = absolute(subtract(as_real(right), as_real(left)))
        bound = public_term(state.fragment, metric.bound)
    total = add(spent, change)
    state.fragment.assume(implies(all_of((state.path, new)), less_equal(total, bound)))
    state.set_both(Spent(source), choose(new, total, spent))
    state.set_both(Latest(source), choose(new, index, latest))


def share(state: State, source: str, index: FNode) -> FNode:
    """The part of the square of an l2 distance that an entry differs by."""
    return state.fragment.opaque_value(f"{source}#share", (index,), REAL)


def last_read(state: State, source: str) -> tuple[FNode, tuple[FNode, FNode]]:
    """The index of the entry that was read last, and its values."""
    index = state.value(Latest(source))
    left, right = (
        Evaluator(state.fragment, side, state.values[side], lambda *_: None, no_element).entry(source, index)
        for side in (LEFT, RIGHT)
    )
    return index, (left, right)


# --- local lists ----------------------------------------------------------------------------


def _entry(builder: ClauseBuilder, state: State, name: str, index: FNode) -> tuple[Entry, Entry]:
    """An entry of a local list: published ones agree; of others the element predicate tells."""
    sorts = builder.problem.mechanism.lists[name].components
    key = (name, state.value(Version(name)), index)
    known = state.fragment.elements
    if key in known:
        return known[key]
    if name in builder.problem.analysis.returned_lists:
        entry = tuple(builder.names.fresh(name, SORTS[sort]) for sort in sorts)
        known[key] = entry, entry
    else:
        left, right = (
            tuple(builder.names.fresh(f"{name}<{run}>", SORTS[sort]) for sort in sorts) for run in (1, 2)
        )
        known[key] = left, right
        predicate = entry_predicate(builder, name)
        arguments = (_is_entry(state, name, index), index, *left, *right)
        state.fragment.premises.append(Application(predicate, arguments))
    return known[key]


def _is_entry(state: State, name: str, index: FNode) -> FNode:
    """Whether control is here and the list has that entry; else nothing may be said of it."""
    length = state.values[LEFT][length_name(name)]
    inside = (less_equal(constant(0, INT), index), less(index, length))
    return all_of((state.path, *inside))


def entry_predicate(builder: ClauseBuilder, name: str) -> Predicate:
    """What is known of a pair of entries: it holds trivially where ``real`` is false."""
    title, mechanism = f"entries of {name}", builder.problem.mechanism
    if title not in builder.predicates:
        sorts = [SORTS[sort] for sort in mechanism.lists[name].components]
        pair = [symbol(f"{name}[{place}]<{run}>", sort) for run in (1, 2) for place, sort in enumerate(sorts)]
        formals = (symbol(f"{name}#real", BOOL), symbol(f"{name}#index", INT), *pair)
        predicate = builder.predicates[title] = Predicate(title, formals)
        purpose = Purpose("entries", mechanism.span, "no entry is read")
        idle = (constant(False, BOOL), *formals[1:])
        builder.clauses.append((None, Clause((), (), Application(predicate, idle), purpose)))
    return builder.predicates[title]
