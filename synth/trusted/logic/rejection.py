"""What can be wrong with a certificate: where, and for which of the reasons that ``codes`` lists."""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.reasons import Reason


@dataclass
class Rejected(Exception):
    """The certificate proves nothing: the rule that is applied wrongly, the place, and why.

    ``place`` is a path into the certificate, such as ``derivation.2.0``.
    """

    rule: str
    place: str
    why: Reason

    @property
    def reason(self) -> str:
        """The text."""
        return str(self.why)

    def __str__(self) -> str:
        return f"[{self.rule}] at {self.place}: {self.why}"
