"""What can be wrong with a certificate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Rejected(Exception):
    """The certificate proves nothing: the rule that is applied wrongly, the place, and why.

    ``place`` is a path into the certificate, such as ``derivation.2.0``.
    """

    rule: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"[{self.rule}] at {self.place}: {self.reason}"
