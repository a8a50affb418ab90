"""Strategies: per sampling site and guard, by how much run 2's draw is shifted.

A strategy is data.  The concrete runs, the coupled product and the report all read the same
objects, so that they can't disagree about what a coupling is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.language.syntax import Expression


@dataclass(frozen=True, order=True)
class Event:
    """Something that run 1 will publish, and that a guard may ask about beforehand (a prophecy).

    ``branch``: which way branch ``source`` goes.  ``append`` and ``return``: one component of the
    next entry of list ``source``, or of the returned value.  ``upward``: whether the monotone
    sequence ``source`` is the larger one in run 2; that is known from the start.

    A mechanism that also publishes branches is no less private than its proof says, and dropping
    them again is post-processing.
    """

    kind: str
    source: str
    component: int = 0

    @property
    def name(self) -> str:
        """The ghost variable that holds the event's next value."""
        return f"next#{self.kind}.{self.source}.{self.component}"


@dataclass(frozen=True)
class Feature:
    """What a site's guard looks at: a boolean event, or how ``expression`` compares to an integer one."""

    event: Event
    expression: Expression | None = None


@dataclass(frozen=True)
class Condition:
    """A feature with its value: True/False, or the sign -1, 0, 1 of ``expression - event``."""

    feature: Feature
    value: bool | int


@dataclass(frozen=True)
class Offset:
    """The shift k in v⟨2⟩ = v⟨1⟩ + k, known before the draw.

    k = (e⟨2⟩ − e⟨1⟩ if ``null``) + Σ factor·unit + Σ sign·(x⟨2⟩ − x⟨1⟩ for x in ``differences``)
    + Σ sign·(the change of the one entry that differs, for sequences in ``changes``), with units
    over public parameters.
    """

    null: bool = False
    units: tuple[tuple[Fraction, Expression], ...] = ()
    differences: tuple[tuple[int, Expression], ...] = ()
    changes: tuple[tuple[int, str], ...] = ()

    @property
    def is_null(self) -> bool:
        """Whether this is the null coupling: same noise, free."""
        return self.null and not (self.units or self.differences or self.changes)


@dataclass(frozen=True)
class Case:
    """Under all ``conditions``, the draws are coupled by ``offset``.

    ``bound`` is the most that one use of the case moves the noise, as factor and unit: the
    distance \\|k + e⟨1⟩ − e⟨2⟩\\| stays at or below factor·unit.  It is None where the distance is
    summed up as it comes.
    """

    conditions: tuple[Condition, ...]
    offset: Offset
    bound: tuple[Fraction, Expression] | None


TAIL = -1
"""The number of the case in which a draw's tail is paid for, beside the cases of its couplings."""


@dataclass(frozen=True)
class Tail:
    """Run 1's noise is taken to be below ``limit``, with ``both`` also above -``limit``."""

    limit: Expression
    both: bool


@dataclass(frozen=True)
class Strategy:
    """The branches published and the cases per sampling site; the first that holds is used.

    ``tails`` are given up at some sites: what lies there is lost, at the price of a delta.
    """

    published: frozenset[int]
    cases: dict[int, tuple[Case, ...]]
    tails: Mapping[int, Tail] = field(default_factory=dict)

    def with_bounds(self, bounds: Mapping[tuple[int, int], tuple[Fraction, Expression]]) -> Strategy:
        """The same couplings, with what one use of a case costs at the most, by site and number."""
        cases = {
            site: tuple(replace(case, bound=bounds.get((site, number))) for number, case in enumerate(cases))
            for site, cases in self.cases.items()
        }
        return replace(self, cases=cases)
