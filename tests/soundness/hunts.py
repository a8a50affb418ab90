"""The hunts, by name."""

from __future__ import annotations

from . import certificates, reader, rewritings
from .hunting import Hunt

HUNTS = {
    hunt.name: hunt
    for hunt in (
        Hunt("reader", "the typed program of a text does what the text does under CPython", reader.attempt),
        Hunt(
            "rewritings",
            "a rewriting keeps the law of the output, and what it reads is assigned",
            rewritings.attempt,
        ),
        Hunt(
            "certificates",
            "a false certificate is not valid, whatever is changed about a rule",
            certificates.attempt,
        ),
    )
}
