"""What a proof of a mechanism assumes, in one sentence."""

from __future__ import annotations

from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text

NOT_OBSERVED = "that whether a run terminates is not observed"
_IDEALIZED = "exact arithmetic (ideal reals, unbounded integers) and exact sampling"
_TAILS = "the tails of normal noise as in Balle & Wang 2018, Thm. 8, and CertiPriv [norm]"


def assumptions(mechanism: ir.Mechanism) -> str:
    """The sentence; whether it ends may still be shown, see :func:`may_not_end`."""
    parts = [_IDEALIZED]
    if any(
        isinstance(item, ir.Draw) and item.distribution == "gaussian"
        for item in ir.statements(mechanism.body)
    ):
        parts.append(_TAILS)
    if may_not_end(mechanism):
        parts.append(NOT_OBSERVED)
    parts += [
        f"that {text(item.condition)} (line {item.span.line} raises otherwise)"
        for item in mechanism.preconditions
    ]
    parts += [f"that {item}" for item in models(mechanism)]
    stated = "; ".join(dict.fromkeys(fact.text for fact in mechanism.facts))
    parts += [f"of its functions, for all integers: {stated}"] if stated else []
    return f"The proof assumes {', and '.join(parts)}."


def models(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """What is assumed of functions of libraries, one sentence without its end for each of them."""
    return tuple(map(_model, mechanism.models))


def _model(item: ir.Model) -> str:
    floats = "; the real one computes in floating point" if item.floating else ""
    return f"{item.function} {item.says} (stub {item.stub}{floats})"


def may_not_end(mechanism: ir.Mechanism) -> bool:
    """Whether the program has something that may keep a run from an output."""
    return any(
        isinstance(item, ir.Assume) or (isinstance(item, ir.Loop) and item.count is None)
        for item in ir.statements(mechanism.body)
    )
