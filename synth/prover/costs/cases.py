"""What draws pay for: the cases of their couplings, tails that are given up, intervals that get narrower."""

from __future__ import annotations

from enum import Enum


class Share(Enum):
    """What a draw pays for beside the cases of its couplings; these come before the cases in any order."""

    CONTRACTION = "intervals that are narrower in run 2"
    TAIL = "a tail of the noise that is given up"

    def __lt__(self, other: Share | int) -> bool:
        return isinstance(other, int) or self.name < other.name

    def __gt__(self, other: Share | int) -> bool:
        return isinstance(other, Share) and self.name > other.name


CaseKey = tuple[int, int | Share]
"""A sampling site, and the number of a case there, or a share."""
