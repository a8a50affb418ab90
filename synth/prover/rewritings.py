"""How a mechanism is rewritten before it is proved, as its text and what is stated beside it say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from synth.prover.normal_form.recording import Rewriting, crossing, lingering, rewriting, with_same_noise
from synth.prover.scaled_noise import rescaled
from synth.trusted.core.writer import Unwritable
from synth.trusted.normal_form.sampling import every_record
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification
from synth.trusted.reading import program_in


@dataclass(frozen=True)
class Told:
    """What a certificate tells of a mechanism: its text, name and lines, and what is stated beside it."""

    text: str
    name: str
    lines: tuple[int, ...] = ()
    specification: Specification | None = None

    @classmethod
    def of(cls, mechanism: ir.Mechanism) -> Told:
        """What is told of a mechanism that was read."""
        return cls(mechanism.source, mechanism.name, mechanism.lines, mechanism.specification)

    def core(self) -> ir.Mechanism:
        """The core program.  Raises Unwritable, ProgramError."""
        core = program_in(self.text, self.name, self.lines, self.specification)
        if core is None:
            raise Unwritable(f"the text of '{self.name}' holds no such mechanism")
        return core


@lru_cache(maxsize=8)
def recorded(told: Told) -> Rewriting:
    """How a mechanism is rewritten.  Raises Unwritable, ProgramError."""
    return _rescaled(rewriting(told.core()))


@lru_cache(maxsize=8)
def recorded_lingering(told: Told) -> Rewriting | None:
    """The same with loops that go on where noise leaves them; None if there are none.

    Raises Unwritable, ProgramError.
    """
    found = lingering(told.core())
    return None if found is None else _rescaled(found)


def recorded_crossing(told: Told, wanted: Callable[[ir.Expression], bool]) -> Rewriting | None:
    """The same with coins as noise of which one side has a wanted chance; None if there are none.

    Raises Unwritable, ProgramError.
    """
    found = crossing(told.core(), wanted)
    return None if found is None else _rescaled(found)


@dataclass(frozen=True)
class OfEveryRecord:
    """A mechanism that takes each of its records with a ``chance``.

    The ``rewriting`` is that of the program that takes every record, from the mechanism's own core program.
    """

    rewriting: Rewriting
    chance: ir.Expression


@lru_cache(maxsize=8)
def recorded_of_every_record(told: Told) -> OfEveryRecord:
    """How the program is rewritten that takes every record.  Raises NotSampled, Unwritable, ProgramError."""
    core = told.core()
    found = every_record(core)
    return OfEveryRecord(replace(_rescaled(rewriting(found.every)), core=core), found.chance)


def _rescaled(found: Rewriting) -> Rewriting:
    return with_same_noise(found, rescaled(found.program)) or found
