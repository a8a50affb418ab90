"""Where the search for a coupling fails: the first place in the program that tests or solvers blame.

Nothing here decides a verdict.  It is asked once no proof was found, and says only what was computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from synth.prover.codes import Code
from synth.prover.horn.horn import Application, HornSystem, Purpose
from synth.prover.horn.solvers import GaveUp, solve_horn
from synth.prover.product.product import Product
from synth.prover.product.strategy import Shift
from synth.prover.search.choices import Choices, observable_families
from synth.prover.search.coupled_runs import Prepared, prepare
from synth.prover.search.iterations import Iterations
from synth.prover.search.synthesis import Exhausted, Family, Problem
from synth.prover.testing.recording import Step
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from synth.trusted.program.symbols import Event, Kind
from synth.trusted.reasons import Reason

_COPY = re.compile(r"%%?\d+(?=\W|$)")

MAX_GOALS = 24
MILLISECONDS = 1000

Obstacle = tuple[Reason, ir.Span]
End = tuple[ir.Span, str, str, int]
"""What is published last: its place, its kind, its source, and the component."""


# --- on small inputs ------------------------------------------------------------------------


def unmatched(problem: Problem) -> Obstacle | None:
    """Find the first thing published that no strategy makes the same in both runs, on the tests.

    "First" counts what runs publish, one thing after the other: of all runs on small inputs the shortest
    beginnings are taken for which the search finds no strategy, and of what stands at their end what comes
    first in the program.  As few branches as possible are published.
    """
    choices = Choices(
        problem.mechanism, problem.analysis, min(observable_families(problem.analysis), key=len)
    )
    returned = problem.analysis.returned_lists
    family = Family(choices, problem)
    iterations = Iterations.of(choices)
    tests = [
        prepare(run, choices.observable_branches, returned, choices.predicates, iterations)
        for run in problem.runs
    ]
    try:
        end = _first_end(problem, family, tests)
    except Exhausted:
        return None
    return None if end is None else _described(problem, choices, end)


def _first_end(problem: Problem, family: Family, tests: Sequence[Prepared]) -> End | None:
    """Raises Exhausted."""

    def fails(shortened: Iterator[Prepared]) -> bool:
        return not family.matches(list(shortened))

    length = _first(
        max(map(_published, tests), default=0),
        lambda count: fails(_beginning(test, count) for test in tests),
    )
    if length is None:
        return None
    ends = sorted({end for test in tests for end in _ends(problem, test, length)})
    place = _first(
        len(ends), lambda count: fails(_up_to(problem, test, length, ends[:count]) for test in tests)
    )
    return None if place is None else ends[place - 1]


def _first(most: int, fails: Callable[[int], bool]) -> int | None:
    """The least number from 1 on that fails, where all larger ones fail as well."""
    if not most or not fails(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) else (middle, high)
    return high


def _published(test: Prepared) -> int:
    return sum(step.observable is not None for step in test.steps)


def _beginning(test: Prepared, count: int, components: int | None = None) -> Prepared:
    """The test up to so many things published, of the last one so many components."""
    places = [place for place, step in enumerate(test.steps) if step.observable is not None]
    if components is None and len(places) <= count:
        return test
    end = places[count - 1] + 1 if count else 0
    steps = list(test.steps[:end])
    if components is not None:
        steps[-1] = replace(steps[-1], values=steps[-1].values[:components])
    return replace(test, steps=tuple(steps), keys=test.keys[:end], whole=False)


def _last(test: Prepared, count: int) -> Step | None:
    """What a run publishes as number ``count``."""
    published = [step for step in test.steps if step.observable is not None]
    return published[count - 1] if len(published) >= count else None


def _ends(problem: Problem, test: Prepared, count: int) -> Iterator[End]:
    step = _last(test, count)
    if step is not None and step.observable is not None:
        for component in range(len(step.values)):
            yield _span(problem, step), step.observable.value, str(step.source), component


def _up_to(problem: Problem, test: Prepared, count: int, ends: Sequence[End]) -> Prepared:
    """The test up to the end that it has among these, else without what it publishes last."""
    own = [end for end in _ends(problem, test, count) if end in ends]
    return _beginning(test, count, len(own)) if own else _beginning(test, count - 1)


def _span(problem: Problem, step: Step) -> ir.Span:
    """Where a step stands; of several statements that append to one list, the first."""
    if step.observable is Kind.BRANCH:
        return problem.analysis.branches[int(step.source)].span
    wanted = ir.Append if step.observable is Kind.APPEND else ir.Return
    return min(
        item.span
        for item in ir.statements(problem.mechanism.body)
        if isinstance(item, wanted) and (not isinstance(item, ir.Append) or item.target == step.source)
    )


def _described(problem: Problem, choices: Choices, end: End) -> Obstacle:
    span, kind, source, component = end
    event = Event(Kind(kind), source, component)
    noisy = any(event == known for events in choices.influence.values() for known, _ in events)
    if event.kind is Kind.BRANCH:
        return (Code.BRANCH_NOT_MATCHED if noisy else Code.PRIVATE_BRANCH)(), span
    name = source.rpartition(".")[2]
    named = "a list" if "%" in name else name  # the reader made it
    what = "what is returned" if event.kind is Kind.RETURN else f"what is appended to {named}"
    parts = _components(problem, event)
    if parts > 1:
        what = f"value {component + 1} of the {parts} in {what}"
    return (Code.OUTPUT_NOT_MATCHED if noisy else Code.PRIVATE_OUTPUT)(what=what), span


def _components(problem: Problem, event: Event) -> int:
    return max(
        len(item.values)
        for item in ir.statements(problem.mechanism.body)
        if isinstance(item, ir.Return | ir.Append)
        and isinstance(item, ir.Return) == (event.kind is Kind.RETURN)
        and (isinstance(item, ir.Return) or item.target == event.source)
    )


# --- on all inputs --------------------------------------------------------------------------


def unshown(product: Product) -> Obstacle | None:
    """Find the first goal, in the order of the program, that solvers can't show for all inputs by itself.

    The invariants are still free: what is asked is whether there are any that show this goal.
    """
    system = product.system()
    definitions = tuple(item for item in system.clauses if isinstance(item.conclusion, Application))
    goals = [item for item in system.clauses if not isinstance(item.conclusion, Application)]
    purposes = sorted({item.purpose for item in goals}, key=lambda it: (it.span, it.kind, it.text))
    for purpose in purposes[:MAX_GOALS]:
        alone = tuple(item for item in goals if item.purpose == purpose)
        try:
            shown = solve_horn(HornSystem(system.predicates, (*definitions, *alone)), MILLISECONDS)
        except GaveUp:
            shown = None
        if shown is None:
            return _unshown(product, purpose), purpose.span
    return None


def _unshown(product: Product, purpose: Purpose) -> Reason:
    if purpose.kind != "cost":
        return Code.NOT_SHOWN_FOR_ALL(what=purpose.text)
    for site, draw in product.analysis.sites.items():
        if draw.span != purpose.span:
            continue
        if isinstance(draw, ir.Choose):
            return Code.NOT_SHOWN_FOR_ALL(what=purpose.text)
        cases = product.strategy.cases.get(site, ())
        if len(cases) == 1:
            coupling, bound = cases[0].coupling, cases[0].bound
            if coupling == Shift() and bound is not None:
                unit = _paid(*bound)
                return Code.DISTANCE_UNBOUNDED(center=_as_written(draw.arguments[0]), bound=unit)
    return Code.SHIFT_NOT_PAID()


def _as_written(expression: ir.Expression) -> str:
    """In Python's syntax, with the names of the program: numbers of copies mean nothing to its reader."""
    return _COPY.sub("", text(expression))


def _paid(factor: Fraction, unit: ir.Expression) -> str:
    """A distance, as it is written."""
    if factor == 1:
        return text(unit)
    if isinstance(unit, ir.Constant):
        return text(ir.Constant(factor * Fraction(unit.value), ir.Sort.REAL))
    number = ir.Constant(factor, ir.Sort.REAL)
    return text(ir.Operation(ir.Operator.MULTIPLY, (number, unit), ir.Sort.REAL))
