"""What ``requires`` lacks is said only if it was shown to be enough."""

from __future__ import annotations

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.prover.obligations.preconditions import sufficient_precondition
from synth.prover.obligations.single_run import discharge
from tests.support.proving import from_text

HEAD = """
@mechanism(adjacent={"q": linf_distance(1)}%s)
def f(q: list[int], n: int, eps: float):
    return %s
"""
NEEDED = {
    "positive epsilon": ("", "laplace(0, 1 / eps)", "eps > 0"),
    "an entry": ('requires="eps > 0"', "laplace(q[0], 1 / eps)", "len(q) >= 1"),
    "both": ("", "laplace(q[0], 1 / eps)", "len(q) >= 1 and eps > 0"),
    "an integer": ('requires="eps > 0"', "laplace(0, n / eps)", "n > 0"),
    "a length as divisor": ('requires="eps > 0"', "laplace(0, 1 / (eps * len(q)))", "len(q) >= 1"),
    "more entries": ('requires="eps > 0"', "laplace(q[2], 1 / eps)", None),
    "private": ('requires="eps > 0"', "laplace(0, 1 / eps) // q[n]", None),
    "contradiction": ('requires="eps < 0"', "laplace(0, 1 / eps)", None),
    "no parameter's fault": ('requires="eps > 0"', "laplace(0, -1 / eps)", None),
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_needed(name: str) -> None:
    """The condition in words, or nothing if none that is tried is enough."""
    requires, returned, expected = NEEDED[name]
    mechanism = canonical(from_text(HEAD % (requires and f", {requires}", returned)))
    missing = discharge(mechanism).missing
    assert missing
    assert sufficient_precondition(mechanism, missing) == expected
