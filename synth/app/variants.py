"""Program files with another text: read and proved in the place of a file, and not written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.jobs import Options, job
from synth.app.stated import NOTHING, Stated
from synth.app.targets import claimed
from synth.app.workers import Channel, Job
from synth.trusted.errors import ProgramError, Refusal
from synth.views.results import Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir
    from synth.trusted.program.beside import Specification


@dataclass(frozen=True)
class Variant:
    """A mechanism of a file that held this text, and what is claimed of it instead of what it claims."""

    path: Path
    text: str
    name: str
    specification: Specification | None = None
    stated: Stated = NOTHING

    def mechanism(self) -> ir.Mechanism:
        """Read the mechanism as from a file.  Raises ProgramError, UsageError."""
        from synth.trusted.frontend.reader import read_program

        specified = {} if self.specification is None else {self.name: self.specification}
        file = read_program(self.path, specified, self.text.encode())
        if not self.stated.nothing:
            file = claimed(file, self.name, self.stated)
        found = file.mechanism(self.name)
        if found is not None:
            return found
        refused = (error for error in file.refused if error.function in (None, self.name))
        missing = ProgramError(f"no mechanism '{self.name}'", str(self.path), code=Refusal.NO_MECHANISM)
        raise next(refused, missing)


def proof_of(variant: Variant, options: Options) -> Job[Result]:
    """Return the work of proving a variant, like that on a file's mechanism."""

    def work(channel: Channel) -> Result:
        return job(variant.mechanism(), options)(channel)

    return work
