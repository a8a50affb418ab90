"""What has no form in Rocq yet."""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.errors import SynthError


@dataclass
class Inexpressible(SynthError):
    """A program or proof that the theories can't express; the message says what of it."""
