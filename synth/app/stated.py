"""What the command line or a call claims in the place of what programs claim."""

from __future__ import annotations

from dataclasses import dataclass

from synth.app.asker import Asker
from synth.trusted.errors import UsageError


@dataclass(frozen=True)
class Stated:
    """ε (in nats) and δ, or μ of GDP, or ρ of zCDP, with the names of the program files.

    What is None is not stated.  Raises UsageError for notions of privacy that exclude each other.
    """

    epsilon: str | None = None
    delta: str | None = None
    gdp: str | None = None
    zcdp: str | None = None
    asker: Asker = Asker.COMMAND_LINE

    def __post_init__(self) -> None:
        if len(self.bounds) > 1 and not {"epsilon", "delta"}.issuperset(self.bounds):
            names = " and ".join(map(self.asker.option, self.bounds))
            raise UsageError(f"{names} don't go together: each claims another kind of privacy")

    @property
    def bounds(self) -> dict[str, str]:
        """What is stated, by its name."""
        parts = {"epsilon": self.epsilon, "delta": self.delta, "gdp": self.gdp, "zcdp": self.zcdp}
        return {name: bound for name, bound in parts.items() if bound is not None}

    @property
    def nothing(self) -> bool:
        """Whether the mechanisms' own claims are meant."""
        return not self.bounds


NOTHING = Stated()
