"""Orders and signs that hold at all heads of loops: found by leaving out what a clause doesn't keep.

Flanagan & Leino 2001, *Houdini, an annotation assistant for ESC/Java*: begin with all candidates, and drop
those that some clause breaks, until none does.  What is left is the strongest invariant made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

from pysmt.exceptions import PysmtException
from pysmt.fnode import FNode
from pysmt.logics import QF_LIRA
from pysmt.typing import BOOL, INT, REAL

from synth.prover.horn.horn import Application, Clause, HornSystem, Predicate
from synth.prover.horn.sessions import opened
from synth.prover.horn.solvers import GaveUp, Solution, solve_horn
from synth.prover.horn.terms import (
    add,
    all_of,
    any_of,
    constant,
    equal,
    implies,
    less,
    less_equal,
    negate,
    sort_of,
)
from synth.support.statistics import asked

MAX_INTEGERS = 10
"""Of the integers at one head, as many are compared with each other."""

MAX_NUMBERS = 3
"""Numbers of the program with which they are compared."""

STEPS_PER_QUESTION = 200_000
"""z3's resource units."""


Candidates = Callable[[Predicate, Sequence[FNode]], Iterator[FNode]]
"""What may hold of the formals of a predicate, with some numbers of the program."""


def solve_from_simple(system: HornSystem, milliseconds: int) -> Solution | None:
    """As :func:`solve_horn`, with the orders and signs that hold for granted.  Raises GaveUp."""
    return _solve_from(simple_invariants(system), system, milliseconds)


def solve_from_lengths(system: HornSystem, milliseconds: int) -> Solution | None:
    """The same, also with how long lists are from which entries are taken.  Raises GaveUp."""
    return _solve_from(simple_invariants(system, _with_lengths), system, milliseconds)


def _solve_from(known: Solution, system: HornSystem, milliseconds: int) -> Solution | None:
    clauses = tuple(
        replace(clause, assumptions=(*clause.assumptions, *(item.under(known) for item in clause.premises)))
        for clause in system.clauses
    )
    found = solve_horn(replace(system, clauses=clauses), milliseconds)
    return None if found is None else {name: all_of((known[name], found[name])) for name in known}


def simple_invariants(system: HornSystem, candidates: Candidates | None = None) -> Solution:
    """Per predicate, all candidates that hold together.  Raises GaveUp."""
    numbers = _numbers(system)
    left = {item.name: list((candidates or _orders_and_signs)(item, numbers)) for item in system.predicates}
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            goal = clause.conclusion
            if isinstance(goal, Application) and left[goal.predicate.name]:
                kept = _kept(clause, goal, left)
                changed |= len(kept) < len(left[goal.predicate.name])
                left[goal.predicate.name] = kept
    return {name: all_of(items) for name, items in left.items()}


def _numbers(system: HornSystem) -> list[FNode]:
    """The smallest integers from 2 on that the clauses mention."""
    waiting = [item for clause in system.clauses for item in _terms(clause)]
    seen: set[FNode] = set()
    while waiting:
        item = waiting.pop()
        if item not in seen:
            seen.add(item)
            waiting += item.args()
    found = {item.constant_value() for item in seen if item.is_int_constant()}
    return [constant(int(value), INT) for value in sorted(found) if value >= 2][:MAX_NUMBERS]


def _terms(clause: Clause) -> Iterator[FNode]:
    yield from clause.assumptions
    for goal in (*clause.premises, clause.conclusion):
        yield from goal.arguments if isinstance(goal, Application) else (goal,)


def _orders_and_signs(predicate: Predicate, numbers: Sequence[FNode]) -> Iterator[FNode]:
    """Signs of numbers, and orders of integers; of an entry only where it is real."""
    zero = {INT: constant(0, INT), REAL: constant(0, REAL)}
    truths, integers, reals = (
        [item for item in predicate.formals if sort_of(item) == sort] for sort in (BOOL, INT, REAL)
    )
    guard = [negate(item) for item in truths if item.symbol_name().endswith("#real")]
    integers = integers[:MAX_INTEGERS]
    for item in (*integers, *reals):
        yield any_of((*guard, less_equal(zero[sort_of(item)], item)))
    for item in reals:
        yield any_of((*guard, less(zero[REAL], item)))
    if guard:
        return
    for one, other in combinations(integers, 2):
        yield equal(one, other)
    for one, other in permutations(integers, 2):
        yield less_equal(one, other)
    for one, number in product(integers, numbers):
        yield less_equal(one, number)
        yield less_equal(number, one)
    for count in integers:
        for item in reals:
            yield any_of((less_equal(count, zero[INT]), less(zero[REAL], item)))


def _with_lengths(predicate: Predicate, numbers: Sequence[FNode]) -> Iterator[FNode]:
    """Besides, that a length and a counter come to a number, as where each round takes an entry off.

    That a length is how many entries were looked at, but for one that is left out.
    Of integers, also of entries, that one is below another.
    """
    yield from _orders_and_signs(predicate, numbers)
    integers = [item for item in predicate.formals if sort_of(item) == INT]
    real = [item for item in predicate.formals if item.symbol_name().endswith("#real")]
    for one, other in permutations(integers[:MAX_INTEGERS], 2):
        yield implies(all_of(real), less(one, other))
    lengths = [] if real else [item for item in integers if "#len" in item.symbol_name()]
    step = constant(1, INT)
    for length, one, other in permutations(integers[:MAX_INTEGERS], 3):
        if length in lengths:
            yield equal(add(length, one), other)
            yield equal(add(length, one, step), other)
            yield implies(less_equal(one, other), equal(length, one))
            yield implies(less(other, one), equal(add(length, step), one))


def _kept(clause: Clause, goal: Application, left: Mapping[str, Sequence[FNode]]) -> list[FNode]:
    """The candidates for the conclusion that the clause keeps."""
    known = {name: all_of(items) for name, items in left.items()}
    kept = list(left[goal.predicate.name])
    with opened("z3", QF_LIRA, {"rlimit": STEPS_PER_QUESTION}) as solver:
        for premise in (*(item.under(known) for item in clause.premises), *clause.assumptions):
            solver.add_assertion(premise)
        while kept:
            meant = [goal.under({goal.predicate.name: item}) for item in kept]
            asked("z3")
            solver.push()
            try:
                solver.add_assertion(negate(all_of(meant)))
                if not solver.solve():
                    return kept
                model = solver.get_model()
                holds = [model.get_value(item, model_completion=True).is_true() for item in meant]
            except PysmtException as error:
                raise GaveUp(f"z3 gave up: {error}") from error
            solver.pop()
            if all(holds):
                raise GaveUp("z3 has no counterexample")
            kept = [item for item, held in zip(kept, holds, strict=True) if held]
    return kept
