"""A shard of the search for a proof: several of them together try what one search alone tries.

Nothing is told from one to another.  Each looks for all strategies, and tries to prove its own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Shard:
    """That of a ``number`` among ``count``, which try the strategies of a list in turn; one of one tries all.

    ``left`` says that something was left to others, so that a search alone may have found another proof
    before.  Once a proof has been found behind that, the shard is on its ``own``: others don't have it, and
    may not come to what follows from it.
    """

    number: int = 0
    count: int = 1
    left: bool = False
    own: bool = False

    def for_a_list(self) -> Shard:
        """What tries the strategies of another list."""
        return Shard() if self.own else self

    def takes(self, place: int) -> bool:
        """Whether the strategy at this place of a list is tried, and not left to others."""
        taken = place % self.count == self.number
        self.left |= not taken
        return taken

    def found(self) -> None:
        """A proof has been found."""
        self.own |= self.left
