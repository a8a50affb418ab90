"""Walking through the statements of a program: the ways out of a body, and where ways meet again.

What a statement does is said by the caller, who executes one run or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, Self, TypeVar

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body

RETURNED = "%return"
"""The label of the way out by a return; no block has a label like this."""


class Point(Protocol):
    """A place that control has reached; two places in one fragment can be one."""

    @property
    def fragment(self) -> object: ...

    def merge(self, other: Self) -> Self: ...


Reached = TypeVar("Reached", bound=Point)
Outcomes = dict[str | None, list[Reached]]
"""Where control ends, per label of the block that it leaves; None if it goes on with what follows."""


def through(
    body: Body, start: Reached, statement: Callable[[ir.Statement, Reached], Outcomes[Reached]]
) -> Outcomes[Reached]:
    """The outcomes of a body, by those of its statements."""
    outcomes: Outcomes[Reached] = {None: [start]}
    for item in body:
        for current in outcomes.pop(None, []):
            _extend(outcomes, statement(item, current))
        if None not in outcomes:
            break
        outcomes[None] = merged(outcomes[None])
    return outcomes


def either(ways: Iterable[Outcomes[Reached]]) -> Outcomes[Reached]:
    """The outcomes of ways that exclude each other."""
    outcomes: Outcomes[Reached] = {}
    for way in ways:
        _extend(outcomes, way)
    return {label: merged(reached) for label, reached in outcomes.items()}


def behind(label: str, outcomes: Outcomes[Reached]) -> Outcomes[Reached]:
    """The outcomes of a block, by those of its body: leaving the block is going on behind it."""
    rest = merged([*outcomes.pop(None, []), *outcomes.pop(label, [])])
    return {**outcomes, None: rest} if rest else outcomes


def merged(points: list[Reached]) -> list[Reached]:
    """Points in one fragment, merged into one."""
    result: list[Reached] = []
    for point in points:
        for place, other in enumerate(result):
            if other.fragment is point.fragment:
                result[place] = other.merge(point)
                break
        else:
            result.append(point)
    return result


def _extend(outcomes: Outcomes[Reached], more: Outcomes[Reached]) -> None:
    for label, reached in more.items():
        outcomes.setdefault(label, []).extend(reached)
