"""What usually holds at the heads of loops for which Spacer finds no invariant, offered to it.

Of sums that forget (windows and decayed sums, which one entry moves for a while, or ever less) the runs
agree up to the entry that changes, and behind it they differ by no more than the entry does, in a window for
as long as the entry is inside.  Where entries differ by much in sum, what is paid is a share of that.  Where
one round alone pays, nothing is paid before it.  What is not kept by each iteration is dropped; the rest is
known to Spacer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL

from synth.prover.horn.encoding import Globals, Names, PathFragment, public_term
from synth.prover.horn.horn import Application, Clause, HornSystem
from synth.prover.horn.solvers import GaveUp, Solution, failing_clauses
from synth.prover.horn.terms import (
    TRUE,
    absolute,
    add,
    all_of,
    constant,
    equal,
    implies,
    less,
    less_equal,
    scaled,
    sort_of,
    subtract,
    symbol,
    to_real,
    within,
)
from synth.prover.product.clause_builder import Head
from synth.prover.product.product import Product
from synth.prover.testing.forgetting import changing, decays, reads_a_window, scales_a_sum, window_sizes
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name
from synth.trusted.program.symbols import Cost, Event, Latest, Spent

STEPS_PER_FACT = 20_000
"""cvc5's resource units for one fact at one clause."""

MANY = 3
"""By so much the entries of a list differ in sum, where Spacer goes through the costs one by one."""

Facts = Mapping[str, tuple[FNode, ...]]


def kept_facts(product: Product, system: HornSystem) -> Solution:
    """Return what each iteration keeps of what usually holds, by predicate."""
    facts: Facts = {
        head.predicate.name: (
            *_usual(product.mechanism, loop, head),
            *_spent(product, loop, head),
            *_left(product, loop, head),
            *_counted(product, loop, head),
        )
        for loop in ir.statements(product.mechanism.body)
        if isinstance(loop, ir.Loop)
        and (_forgets(product.mechanism, loop) or any(_budgets(product)) or any(_shares(product)))
        for head in [product.heads.get(loop.loop)]
        if head is not None
    }
    return _all_kept(system, facts)


def facts_of_rounds(product: Product, system: HornSystem) -> Solution:
    """Return what each iteration keeps of what holds where one round alone pays, by predicate.

    Before the round that run 1 will return nothing is paid; a list has an entry for each round.
    """
    loops = [item for item in ir.statements(product.mechanism.body) if isinstance(item, ir.Loop)]
    if not any(any(_compared(product, loop)) for loop in loops):
        return {}
    facts: Facts = {
        head.predicate.name: tuple(_once(product, loop, head))
        for loop in loops
        for head in [product.heads.get(loop.loop)]
        if head is not None
    }
    return _all_kept(system, facts)


def _all_kept(system: HornSystem, facts: Facts) -> Solution:
    """The most of these facts that hold by one another."""
    kept = _kept(system, facts)
    while kept != facts:
        facts, kept = kept, _kept(system, kept)
    return {name: all_of(items) for name, items in facts.items() if items}


def _once(product: Product, loop: ir.Loop, head: Head) -> Iterator[FNode]:
    """What usually holds at the head of a loop that pays in the round with the number that is returned."""
    carried = dict(head.carried)
    if loop.counter is None or loop.counter not in carried:
        return
    counter, _ = carried[loop.counter]
    for item in ir.statements(loop.body):
        length = carried.get(length_name(item.target)) if isinstance(item, ir.Append) else None
        if length is not None:
            yield equal(length[0], counter)
    for event in _compared(product, loop):
        for ghost, limit in product.accounting.bounds.items():
            if ghost in carried:
                paid = carried[ghost][0]
                later = less_equal(counter, symbol(str(event), INT))
                yield implies(later, less_equal(paid, constant(0, sort_of(paid))))
                yield less_equal(
                    to_real(paid), to_real(public_term(PathFragment(product.mechanism, Names()), limit))
                )


def _compared(product: Product, loop: ir.Loop) -> Iterator[Event]:
    """What the loop's draws compare its counter with."""
    asked = (
        condition.predicate
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Draw)
        for case in product.strategy.cases[item.site]
        for condition in case.conditions
    )
    events = (
        item.event
        for item in asked
        if item.expression == ir.Variable(str(loop.counter), ir.Sort.INT) and isinstance(item.event, Event)
    )
    yield from dict.fromkeys(events)


def knowing(system: HornSystem, facts: Solution) -> HornSystem:
    """Return the system in which these facts about predicates are known."""

    def informed(clause: Clause) -> Clause:
        known = (item.under(facts) for item in clause.premises if item.predicate.name in facts)
        return replace(clause, assumptions=(*known, *clause.assumptions))

    return replace(system, clauses=tuple(map(informed, system.clauses)))


def _forgets(mechanism: ir.Mechanism, loop: ir.Loop) -> bool:
    return scales_a_sum(loop) or reads_a_window(mechanism, loop)


def _usual(mechanism: ir.Mechanism, loop: ir.Loop, head: Head) -> Iterator[FNode]:
    """What usually holds at the head of a loop that forgets."""
    carried = dict(head.carried)
    if loop.counter is None or loop.counter not in carried:
        return
    counter, _ = carried[loop.counter]
    known = Globals(mechanism)
    sizes = [symbol(name, INT) for name in sorted(window_sizes(mechanism))]
    for source in sorted(changing(mechanism)):
        place, change = known.changed_index(source), known.change(source)
        for first, second in carried.values():
            if first is second or sort_of(first) == BOOL:
                continue
            apart, moved = to_real(subtract(second, first)), to_real(change)
            yield implies(less_equal(counter, place), equal(first, second))
            yield within(apart, absolute(moved))
            for size in sizes:
                yield implies(less(add(place, size), counter), equal(first, second))
                inside = all_of((less(place, counter), less_equal(counter, add(place, size))))
                yield implies(inside, equal(apart, moved))


def _spent(product: Product, loop: ir.Loop, head: Head) -> Iterator[FNode]:
    """What distances come to that fade, if each is paid for as it is.

    Of a distance d that is multiplied by a in each iteration, a·d + a²·d + … = d·a/(1 − a) is still to come.
    """
    carried = dict(head.carried)
    bounds = product.accounting.bounds
    summed = {
        account.ghost for account in product.accounting.accounts.values() if account.amount is None
    } & bounds.keys()
    if loop.counter not in carried:
        return
    counter, _ = carried[loop.counter]
    for ghost in summed & carried.keys():
        paid, most = carried[ghost][0], public_term(PathFragment(product.mechanism, Names()), bounds[ghost])
        for source in sorted(changing(product.mechanism)):
            place = Globals(product.mechanism).changed_index(source)
            yield implies(less_equal(counter, place), less_equal(paid, constant(0, REAL)))
        for name, factor in decays(loop).items():
            if name in carried:
                first, second = carried[name]
                left = scaled(factor / (1 - factor), absolute(to_real(subtract(second, first))))
                yield less_equal(add(paid, left), to_real(most))


def _budgets(product: Product) -> Iterator[tuple[Cost, Fraction, str]]:
    """Counters that uses pay a multiple of a variable into, with that."""
    for account in product.accounting.accounts.values():
        match account.amount:
            case (factor, ir.Variable(name=name)):
                yield account.ghost, factor, name
            case _:
                pass


def _left(product: Product, loop: ir.Loop, head: Head) -> Iterator[FNode]:
    """What is paid from a budget that the program carries, and what is left of it, come to the bound.

    Of a budget v that is multiplied by a in each iteration, in which c·v is paid, c·v/(1 − a) is still to
    come, or a·c·v/(1 − a) if that is multiplied first.
    """
    carried, shrinking = dict(head.carried), decays(loop)
    for ghost, part, name in dict.fromkeys(_budgets(product)):
        if name not in carried or ghost not in carried or ghost not in product.accounting.bounds:
            continue
        (left, _), (paid, _) = carried[name], carried[ghost]
        most = public_term(PathFragment(product.mechanism, Names()), product.accounting.bounds[ghost])
        yield less(constant(0, REAL), left)
        factor = shrinking.get(name, Fraction(1, 2))
        for rest in dict.fromkeys((Fraction(1), part / (1 - factor), part * factor / (1 - factor))):
            yield less_equal(add(paid, scaled(rest, left)), to_real(most))


def _counted(product: Product, loop: ir.Loop, head: Head) -> Iterator[FNode]:
    """What is paid is a share of what the entries differ by that were read: those before this iteration."""
    carried = dict(head.carried)
    if loop.counter not in carried:
        return
    for ghost, share, source in _shares(product):
        if ghost in carried and Spent(source) in carried:
            (paid, _), (spent, _), (latest, _) = (
                carried[item] for item in (ghost, Spent(source), Latest(source))
            )
            yield less(latest, carried[loop.counter][0])
            yield less_equal(to_real(paid), scaled(share, spent))


def _shares(product: Product) -> Iterator[tuple[Cost, Fraction, str]]:
    """Counters, and lists whose entries differ by many in sum, with the share of one in the other.

    Spacer goes through what is paid so far, number by number.
    """
    for parameter in product.mechanism.parameters:
        match parameter.metric:
            case ir.Metric(kind=ir.MetricKind.L1, bound=ir.Constant(value=apart)) if apart >= MANY:
                for ghost, bound in product.accounting.bounds.items():
                    if isinstance(bound, ir.Constant):
                        yield ghost, Fraction(bound.value) / Fraction(apart), parameter.name


def _kept(system: HornSystem, facts: Facts) -> Facts:
    """The facts that hold wherever their predicate is concluded, if all facts hold where it is assumed."""
    known = {item.name: all_of(facts.get(item.name, (TRUE(),))) for item in system.predicates}
    return {
        name: tuple(item for item in items if _follows(system, known, name, item))
        for name, items in facts.items()
    }


def _follows(system: HornSystem, known: Solution, name: str, fact: FNode) -> bool:
    concluding = tuple(
        replace(clause, conclusion=clause.conclusion.under({name: fact}))
        for clause in system.clauses
        if isinstance(clause.conclusion, Application) and clause.conclusion.predicate.name == name
    )
    try:
        return next(failing_clauses(concluding, known, STEPS_PER_FACT), None) is None
    except GaveUp:
        return False
