"""What a proof of a mechanism assumes, in one sentence."""

from __future__ import annotations

from synth.language.syntax import Draw, Mechanism, statements
from synth.report.termination import NOT_OBSERVED, may_not_end

_IDEALIZED = "exact arithmetic (ideal reals, unbounded integers) and exact sampling"
_TAILS = "the tails of normal noise as in Balle & Wang 2018, Thm. 8, and CertiPriv [norm]"


def assumptions(mechanism: Mechanism) -> str:
    """The sentence; whether it ends may still be shown, see :mod:`synth.report.termination`."""
    parts = [_IDEALIZED]
    if any(isinstance(item, Draw) and item.distribution == "gaussian" for item in statements(mechanism.body)):
        parts.append(_TAILS)
    if may_not_end(mechanism):
        parts.append(NOT_OBSERVED)
    stated = "; ".join(dict.fromkeys(fact.text for fact in mechanism.facts))
    parts += [f"of its functions, for all integers: {stated}"] if stated else []
    return f"The proof assumes {', and '.join(parts)}."
