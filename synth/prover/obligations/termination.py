"""Whether a bound holds, too, where an observer sees that a run does not end.

The proofs are about outputs.  If the chance of an output is the same for both inputs (as where every run
ends), the event "no output" is as likely in both runs, and the bound holds for all sets of outcomes.
Otherwise delta grows by the largest difference of these chances (CertiPriv, Lemma 4.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from synth.prover.obligations.almost_sure_termination import almost_always_ends
from synth.prover.obligations.influence import Stop, decided_by_public_data
from synth.prover.obligations.ranking import always_ends
from synth.trusted.program import syntax as ir


class Ending(Enum):
    """What is shown of whether runs end, the strongest first."""

    ALWAYS = "every run ends"
    ALMOST_ALWAYS = "runs end with probability 1"
    ALIKE = "public data alone decide whether a run ends"
    OPEN = "not shown"


@dataclass(frozen=True)
class Termination:
    """The weakest of what is shown of each loop and assertion; ``span`` and ``what`` say of which one."""

    ending: Ending
    span: ir.Span | None = None
    what: str = ""

    @property
    def observable(self) -> bool:
        """Whether a bound on outputs is one, too, where termination is observed."""
        return self.ending is not Ending.OPEN


def termination(mechanism: ir.Mechanism) -> Termination:
    """What is shown of whether the runs of a mechanism end, for all inputs that satisfy ``requires``.

    Assertions that fail end a run without an output, like a loop that never ends.
    """
    order = list(Ending)
    found = Termination(Ending.ALWAYS)
    for stop in ir.statements(mechanism.body):
        if isinstance(stop, ir.Loop | ir.Assume):
            ending = _ending(mechanism, stop)
            if order.index(ending) > order.index(found.ending):
                found = Termination(ending, stop.span, "loop" if isinstance(stop, ir.Loop) else "assertion")
    return found


def _ending(mechanism: ir.Mechanism, stop: Stop) -> Ending:
    if isinstance(stop, ir.Loop):
        if always_ends(mechanism, stop):
            return Ending.ALWAYS
        if almost_always_ends(mechanism, stop):
            return Ending.ALMOST_ALWAYS
    return Ending.ALIKE if decided_by_public_data(mechanism, stop) else Ending.OPEN
