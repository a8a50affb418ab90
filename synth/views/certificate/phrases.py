"""Sentences that hold mathematics and code, for a terminal or for LaTeX."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Math:
    """A formula, as :mod:`synth.views.certificate.infix` writes it."""

    text: str


@dataclass(frozen=True)
class Code:
    """A piece of the program."""

    text: str


Phrase = tuple[str | Math | Code, ...]


def plain(phrase: Phrase) -> str:
    """The sentence for a terminal."""
    return "".join(part if isinstance(part, str) else part.text for part in phrase)
