"""Draws of which nothing is left when an iteration ends: their guards ask no further than to its end.

What a branch does next says nothing of use where it is not reached before; so tests that differ in that
ask for one choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from synth.prover.product.strategy import GuardPredicate
from synth.prover.search.choices import Choices
from synth.prover.testing.recording import Step
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, expressions, names, target
from synth.trusted.program.symbols import Event, Kind, Upward


@dataclass(frozen=True)
class Iterations:
    """Where draws and branches stand in the program, by their numbers; ``forgotten`` are such draws.

    ``soon`` are the guards that ask for nothing in another iteration, or in a loop that is still to come.
    """

    forgotten: frozenset[int]
    soon: Mapping[int, tuple[GuardPredicate, ...]]
    draws: Mapping[int, int]
    branches: Mapping[int, int]

    @staticmethod
    def of(choices: Choices) -> Iterations:
        """Those of a mechanism, of which some branches are published."""
        sites, branches, places = choices.analysis.sites, choices.analysis.branches, choices.places
        forgotten = frozenset(site for site, draw in sites.items() if _is_forgotten(choices, draw))
        return Iterations(
            forgotten,
            {site: _soon(choices, site, asked, forgotten) for site, asked in choices.predicates.items()},
            {site: places[id(draw)].number for site, draw in sites.items()},
            {number: places[id(branch)].number for number, branch in branches.items()},
        )

    def place(self, step: Step) -> int | None:
        """Where a draw or branch stands; None of any other step."""
        if not isinstance(step.source, int):
            return None
        return (self.branches if step.observable is Kind.BRANCH else self.draws)[step.source]


def _soon(
    choices: Choices, site: int, asked: tuple[GuardPredicate, ...], forgotten: frozenset[int]
) -> tuple[GuardPredicate, ...]:
    if choices.places[id(choices.analysis.sites[site])].loops:
        return asked if site in forgotten else ()
    return tuple(item for item in asked if not _is_repeated(choices, item.event))


def _is_repeated(choices: Choices, event: Event | Upward) -> bool:
    """Whether it is a branch in a loop."""
    if not isinstance(event, Event) or event.kind is not Kind.BRANCH:
        return False
    return bool(choices.places[id(choices.analysis.branches[int(event.source)])].loops)


def _is_forgotten(choices: Choices, draw: ir.Draw | ir.Choose) -> bool:
    """Whether nothing that knows of the draw outlives an iteration, but for what is published.

    Where there is no loop, nothing outlives the run.
    """
    loops = choices.places[id(draw)].loops
    if not loops or choices.is_collected(draw):
        return not loops
    inside = next(
        item.body
        for item in ir.statements(choices.mechanism.body)
        if isinstance(item, ir.Loop) and item.loop == loops[-1]
    )
    knowing = {draw.target}
    known = 0
    while known < len(knowing):
        known = len(knowing)
        _spread(choices, inside, False, knowing)
    return not knowing & choices.analysis.live_at_loop[loops[-1]]


def _spread(choices: Choices, body: Body, under: bool, knowing: set[str]) -> None:
    """Add what is computed from what knows of a draw, or under branches on it that aren't published."""
    for statement in body:
        asks = any(names(item) & knowing for item in expressions(statement))
        public = isinstance(statement, ir.If) and statement.branch in choices.observable_branches
        name = target(statement)
        if (under or asks) and name is not None:
            knowing.add(name)
        for part in ir.blocks(statement):
            _spread(choices, part, under or (asks and not public), knowing)


@dataclass
class Soon:
    """What happens before the iteration of a draw ends; steps are gone through from the last one on."""

    iterations: Iterations
    branches: dict[int, set[Event]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.branches = {site: set() for site in self.iterations.forgotten}

    def matters(self, site: int, event: Event | Upward) -> bool:
        """Whether an event says something of use at a draw."""
        if not isinstance(event, Event) or event.kind is not Kind.BRANCH or site not in self.branches:
            return True
        return event in self.branches[site]

    def happens_before(self, step: Step) -> None:
        """Go on with the step before.  What stands no later than a draw is of another iteration."""
        place = self.iterations.place(step)
        if place is None:
            return
        for site, events in self.branches.items():
            if place <= self.iterations.draws[site]:
                events.clear()
            elif step.observable is Kind.BRANCH:
                events.add(Event(Kind.BRANCH, str(step.source)))
