"""The kernel's answer to the most that a certificate by chances can say, against the exact δ.

Every pair of outcomes is listed as what its chances allow, and every sum that δ is enough for as reached.  If
that is no proof, no other choice is; so just below the exact δ it must be invalid.
"""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction

import pytest

from synth.trusted.kernel.check import INVALID, VALID, check
from synth.trusted.normal_form.output_distribution import losses, lost
from synth.trusted.normal_form.pre_expectations import outcomes_of
from tests.support.cores import fields_of
from tests.support.finite_programs import are_near, loaded
from tests.unit.trusted.normal_form.test_output_laws import Case, cases, value

PROGRAMS = 4
SMALL = 1e-6


def exact_delta(case: Case, epsilon: float) -> float:
    """The least δ for the pairs of small inputs that are adjacent."""
    adjacent = loaded(case.text).adjacent
    found = 0.0
    for left, first in case.laws:
        for right, second in case.laws:
            if are_near(adjacent, left, right):
                excess = (p - math.exp(epsilon) * second.get(b, 0.0) for b, p in first.items())
                found = max(found, sum(max(0.0, item) for item in excess))
    return found


def most(case: Case, epsilon: Fraction, delta: Fraction) -> str:
    """The certificate that lists all that the chances allow."""
    factor = math.exp(epsilon)
    chances = [value(chance, {}) for _, chance in case.law.outcomes]
    last = len(chances)
    excess = {
        (i, j): chances[i] - (factor * chances[j] if j < last else 0)
        for i in range(last)
        for j in range(last + 1)
    }
    free = [pair for pair, over in excess.items() if over <= 0 and pair[1] < last]
    gone = {pair: over for pair, over in excess.items() if over > 0 or pair[1] == last}
    sums = outcomes_of(losses(case.law, case.mechanism, gone).tree)
    values = {lost(pair): over for pair, over in gone.items()}
    reached = [[place] for place, (_, total) in enumerate(sums) if value(total, values) <= delta + SMALL]
    source = case.mechanism.source
    digest = hashlib.sha256(source.encode()).hexdigest()
    program = {"text": source, "sha256": digest, "mechanism": case.mechanism.name}
    return json.dumps(
        {
            "format": "synth coupling proof",
            "version": 2,
            "tools": {},
            "program": program,
            **fields_of(program),
            "claim": {"epsilon": None, "delta": None},
            "proved": {"epsilon": _term(epsilon), "delta": _term(delta)},
            "costs": {},
            "events": {},
            "entries": {},
            "safety": {},
            "derivation": {"rule": "Lift", "free": free, "lost": list(gone), "reached": reached},
        }
    )


def _term(exact: Fraction) -> str:
    size = f"(/ {abs(exact.numerator)}.0 {exact.denominator}.0)"
    return f"(- {size})" if exact < 0 else size


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 2), Fraction(-1, 2)], ids=str)
@pytest.mark.parametrize("seed", range(200_000, 230_000, 10_000))
def test_just_the_exact_delta_is_enough(seed: int, epsilon: Fraction) -> None:
    for case in cases(PROGRAMS, seed):
        if any(name == "n" for inputs, _ in case.laws for name in inputs):
            continue  # its chances are functions of n
        exact = Fraction(exact_delta(case, float(epsilon)))
        if exact > 1000 * SMALL:
            below = most(case, epsilon, Fraction(exact * Fraction(999, 1000)).limit_denominator(10**6))
            assert check(below).verdict == INVALID, (case.text, below)
        above = Fraction(exact + Fraction(1, 10**5)).limit_denominator(10**7)
        found = check(most(case, epsilon, above))
        assert found.verdict == VALID or found.rule == "Safe", (case.text, found.reason)
