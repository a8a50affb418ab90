"""What a proof of a mechanism assumes, in one sentence."""

from __future__ import annotations

from synth.trusted.program.syntax import Assume, Draw, Loop, Mechanism, statements

NOT_OBSERVED = "that whether a run terminates is not observed"
_IDEALIZED = "exact arithmetic (ideal reals, unbounded integers) and exact sampling"
_TAILS = "the tails of normal noise as in Balle & Wang 2018, Thm. 8, and CertiPriv [norm]"


def assumptions(mechanism: Mechanism) -> str:
    """The sentence; whether it ends may still be shown, see :func:`may_not_end`."""
    parts = [_IDEALIZED]
    if any(isinstance(item, Draw) and item.distribution == "gaussian" for item in statements(mechanism.body)):
        parts.append(_TAILS)
    if may_not_end(mechanism):
        parts.append(NOT_OBSERVED)
    stated = "; ".join(dict.fromkeys(fact.text for fact in mechanism.facts))
    parts += [f"of its functions, for all integers: {stated}"] if stated else []
    return f"The proof assumes {', and '.join(parts)}."


def may_not_end(mechanism: Mechanism) -> bool:
    """Whether the program has something that may keep a run from an output."""
    return any(
        isinstance(item, Assume) or (isinstance(item, Loop) and item.count is None)
        for item in statements(mechanism.body)
    )
