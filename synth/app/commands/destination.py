"""Where certificates go: one file for one mechanism, a folder for several."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from synth.support.files import file_name, unwritten, write_output
from synth.trusted.errors import UsageError
from synth.views.results import Result


@dataclass(frozen=True)
class Destination:
    """A file, or a folder in which each mechanism gets a file of its name."""

    path: Path
    is_folder: bool
    taken: set[str] = field(default_factory=set)

    @staticmethod
    def of(path: Path | None, several: bool) -> Destination | None:
        """None if no certificate is wanted.  Raises UsageError where one file can't be enough."""
        if path is None:
            return None
        if several and os.path.isfile(path):
            raise UsageError(f"there are several mechanisms: {path} must be a folder for their certificates")
        if several and path.suffix == ".json" and not os.path.isdir(path):
            raise UsageError(
                f"there are several mechanisms: name one as FILE::NAME, or a folder instead of {path}"
            )
        return Destination(path, several)

    def write(self, result: Result) -> Path:
        """Write the certificate of a proved mechanism, whole or not at all.  Raises OutputError."""
        assert result.proof is not None
        target = self._free(result.mechanism) if self.is_folder else self.path
        if self.is_folder:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritten(self.path, error) from None
        write_output(target, result.proof)
        return target

    def _free(self, name: str) -> Path:
        """A file in the folder that no other mechanism of this call has got, in whatever case of letters."""
        name, number = file_name(name), 2
        target = self.path / f"{name}.json"
        while target.name.casefold() in self.taken:
            target, number = self.path / f"{name}-{number}.json", number + 1
        self.taken.add(target.name.casefold())
        return target
