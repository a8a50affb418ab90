"""What entries of private lists differ by, where that can be read off the product.

A list of sums, one per cell, is appended to in a loop over the cells.  What each sum differs by is a term of
the cell's number, which is the entry's index, and of the record that changes: that is offered as what holds
of the entries, with what is known of that record.  A list that another one is copied into has the same.
Where the difference is no such term, as of minus the distance of two ranks, it may be at most a small number.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT

from synth.prover.horn.computed import is_constant
from synth.prover.horn.horn import Application, Clause, HornSystem, Predicate
from synth.prover.horn.solvers import GaveUp, Solution, counterexample
from synth.prover.horn.terms import (
    TRUE,
    all_of,
    constant,
    equal,
    free_symbols,
    implies,
    sort_of,
    substitute,
    subtract,
    within,
)

FURTHEST = 4
"""Numbers that are tried for how far entries are apart."""

_OF_ENTRIES = "entries of "


def given_differences(system: HornSystem) -> Solution:
    """Return what may hold of the entries of lists, by predicate."""
    found: Solution = {}
    while True:
        more = dict(_differences(system, found))
        if not more:
            return found
        found |= more


def _differences(system: HornSystem, known: Solution) -> Iterator[tuple[str, FNode]]:
    for predicate in system.predicates:
        if predicate.name.startswith(_OF_ENTRIES) and predicate.name not in known:
            appended = [clause for clause in system.clauses if _appends(clause, predicate)]
            if len(appended) == 1:
                formula = _copied(appended[0], known) or _computed(appended[0]) or _near(appended[0], known)
                if formula is not None:
                    yield predicate.name, formula


def _appends(clause: Clause, predicate: Predicate) -> bool:
    goal = clause.conclusion
    return (
        isinstance(goal, Application)
        and goal.predicate.name == predicate.name
        and not goal.arguments[0].is_false()
    )


def _parts(application: Application) -> tuple[FNode, FNode, tuple[FNode, ...], tuple[FNode, ...]]:
    """Whether an entry is meant, its index, and the entries of the two runs."""
    real, index, *rest = application.arguments[: _size(application.predicate)]
    half = len(rest) // 2
    return real, index, tuple(rest[:half]), tuple(rest[half:])


def _size(predicate: Predicate) -> int:
    """How many arguments are about the entry: the others are the same throughout."""
    return sum(1 for item in predicate.formals if not is_constant(item))


def _formals(predicate: Predicate) -> Application:
    return Application(predicate, predicate.formals)


def _computed(clause: Clause) -> FNode | None:
    """The difference of the two runs' entries, as a term of the index."""
    goal = clause.conclusion
    assert isinstance(goal, Application)
    _, _, left, right = _parts(goal)
    real, index, first, second = _parts(_formals(goal.predicate))
    found = []
    for one, other, entry, its in zip(left, right, first, second, strict=True):
        if sort_of(one) == BOOL:
            return None
        difference = subtract(other, one)
        varying = [item for item in free_symbols([difference]) if not is_constant(item)]
        if len(varying) > 1 or any(sort_of(item) != INT for item in varying):
            return None
        difference = substitute(difference, dict.fromkeys(varying, index))
        found.append(equal(subtract(its, entry), difference))
    return implies(real, all_of((*found, *_about_inputs(clause, found))))


def _near(clause: Clause, known: Solution) -> FNode | None:
    """The least small number that entries differ by at the most, whatever else is known of the loop."""
    goal = clause.conclusion
    assert isinstance(goal, Application)
    real, _, first, second = _parts(_formals(goal.predicate))
    if any(sort_of(item) == BOOL for item in first):
        return None
    trivial = {item.predicate.name: TRUE() for item in clause.premises} | dict(known)
    for most in range(1, FURTHEST + 1):
        near = implies(
            real,
            all_of(
                within(subtract(its, own), constant(most, sort_of(own)))
                for own, its in zip(first, second, strict=True)
            ),
        )
        formula = clause.formula({**trivial, goal.predicate.name: near})
        try:
            if counterexample(formula) is None:
                return near
        except GaveUp:
            return None
    return None


def _about_inputs(clause: Clause, differences: list[FNode]) -> Iterator[FNode]:
    """What the clause assumes of the parts of the inputs that the differences are made of."""
    mentioned = {item for item in free_symbols(differences) if is_constant(item)}
    for fact in clause.assumptions:
        about = free_symbols([fact])
        if mentioned & set(about) and all(map(is_constant, about)):
            yield fact


def _copied(clause: Clause, known: Solution) -> FNode | None:
    """What holds of the entries of the list that is copied."""
    goal = clause.conclusion
    assert isinstance(goal, Application)
    _, _, left, right = _parts(goal)
    for premise in clause.premises:
        if premise.predicate.name in known:
            _, _, one, other = _parts(premise)
            if (one, other) == (left, right):
                formals = _parts(_formals(premise.predicate)), _parts(_formals(goal.predicate))
                renamed = {
                    old: new
                    for old, new in zip(_flat(formals[0]), _flat(formals[1]), strict=True)
                    if sort_of(old) == sort_of(new)
                }
                return substitute(known[premise.predicate.name], renamed)
    return None


def _flat(parts: tuple[FNode, FNode, tuple[FNode, ...], tuple[FNode, ...]]) -> tuple[FNode, ...]:
    real, index, first, second = parts
    return (real, index, *first, *second)
