"""Inputs by which a text goes ways that none of its runs has gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from synth.validation.branches import Branch, Branches
from synth.validation.descent import Descent, Move
from synth.validation.inputs import Input

_RUNS, _LONGER = 200, 2
"""So many runs are for one branch; where they lead nowhere, they begin anew with so many entries more."""


@dataclass
class Search:
    """Looks for inputs; ``tried`` are those that were run, with how near each came to which branch.

    ``run`` gives the branches of an input, or None when enough was run.
    """

    moves: Sequence[Move[Input]]
    run: Callable[[Input], Branches | None]
    met: Branches = field(default_factory=Branches)
    tried: list[tuple[Input, Branches]] = field(default_factory=list)

    def note(self, item: Input, branches: Branches) -> None:
        """Note what was met where text and core program were compared."""
        self.met.add(branches)
        self.tried.append((item, branches))

    def inputs(self) -> Iterator[Input]:
        """Give inputs that go ways that are not met yet, while there is one to look for."""
        looked_for: set[Branch] = set()
        while left := [branch for branch in self.met.unmet if branch not in looked_for]:
            looked_for.add(left[0])
            found = self._going(left[0])
            if found is not None:
                yield found

    def _going(self, branch: Branch) -> Input | None:
        """An input that goes a way, from the one on that came nearest to it, or from a longer one."""

        def distance(item: Input) -> float | None:
            found = self.run(item)
            return None if found is None else found.distance(branch)

        start, branches = min(self.tried, key=lambda item: item[1].distance(branch))
        descent = Descent(self.moves, distance, start, branches.distance(branch), _RUNS)
        if descent.is_met() or descent.is_met_from(self.moves[0](descent.at, _LONGER)):
            return descent.at
        return None
