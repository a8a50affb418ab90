"""Bounds as plain data, ready for JSON: intervals are pairs of floats, rounded outward."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from synth.precision.bound import Bound
from synth.precision.closeness import Shift
from synth.precision.enclosures import Interval
from synth.precision.noise import NoisedReal
from synth.precision.scaling import Scaling
from synth.support.floats import estimate
from synth.views.precision.curve import Curve


def noise_document(noise: NoisedReal) -> dict[str, Any]:
    """The proved mechanism; ε in nats."""
    return {
        "epsilon": _number(noise.epsilon),
        "scale": _number(noise.scale),
        "sensitivity": _number(noise.sensitivity),
        "sensitivity_source": noise.sensitivity_source,
    }


def bound_document(found: Bound) -> dict[str, Any]:
    """ε' with all that it is made of; null where a condition fails."""
    return {
        **entry_document(found),
        "range": [_number(found.implementation.low), _number(found.implementation.high)],
        "planar": found.implementation.planar,
        "bias": _number(found.implementation.generator_bias),
        "computed_epsilon": _number(found.exact_epsilon),
        "computed_sensitivity": _number(found.sensitivity),
        "k": _pair(found.shift.factor) if found.shift else None,
        "shift": _shift(found.shift),
        "robustness": _pair(found.robustness),
        "printed": {
            "k": _pair(found.shift.printed_factor) if found.shift else None,
            "robustness": _pair(found.printed_robustness),
            "epsilon_prime": _pair(found.printed_epsilon),
        },
        "conditions": [
            {"name": item.name, "status": item.status, "says": item.says} for item in found.conditions
        ],
    }


def _shift(moved: Shift | None) -> dict[str, Any] | None:
    if moved is None:
        return None
    return {
        "total": _pair(moved.total),
        "generator": _pair(moved.generator),
        "noise": _pair(moved.noise),
        "addition": _pair(moved.addition),
    }


def entry_document(found: Bound) -> dict[str, Any]:
    """One entry of a table."""
    cell = found.implementation.cell
    return {
        "format": found.implementation.format.name,
        "bits": found.implementation.format.bits,
        "grid": None if cell is None else _number(cell),
        "epsilon_prime": _pair(found.epsilon),
        "reason": found.reason,
    }


def scaling_document(example: Scaling) -> dict[str, Any]:
    """Example 1.1: two answers, all results, and their exact probabilities."""
    left, right = example.probabilities()
    return {
        "fraction_bits": example.fraction_bits,
        "scale": 2**example.scale_bits,
        "generator_bits": example.generator_bits,
        "left": _number(example.left),
        "right": _number(example.right),
        "last_digits": list(example.digits()),
        "common_results": example.common,
        "probability_left": _number(left),
        "probability_right": _number(right),
        "results": [[_number(item.value), str(item.left), str(item.right)] for item in example.outcomes],
    }


def curves(entries: Sequence[Bound]) -> tuple[Curve, ...]:
    """ε' (the upper end) against L, for each format in the entries; without those that have no ε'."""
    formats = list(dict.fromkeys(item.implementation.format for item in entries))
    return tuple(
        Curve(
            shape.name,
            tuple(
                sorted(
                    (estimate(item.implementation.cell), estimate(item.epsilon.high))
                    for item in entries
                    if item.implementation.format == shape and item.epsilon and item.implementation.cell
                )
            ),
        )
        for shape in formats
    )


def _pair(interval: Interval | None) -> list[float | None] | None:
    """The ends; None for one that no float bounds."""
    if interval is None:
        return None
    return [end if math.isfinite(end) else None for end in interval.floats()]


def _number(exact: Fraction) -> int | float | str:
    """An integer, a float where it is exact, else a fraction as text."""
    if exact.denominator == 1:
        return int(exact)
    try:
        near = float(exact)
    except OverflowError:
        return str(exact)
    return near if Fraction(near) == exact else str(exact)
