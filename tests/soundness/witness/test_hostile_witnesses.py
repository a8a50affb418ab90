"""Small witnesses that ask for long arithmetic: a verdict each, and what was too large.

How long that takes is not measured; a class that explodes again is ended by a safety limit, and fails.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from synth.app.alone import ended
from synth.app.workers import Channel, Finished, restrict
from synth.trusted.witness.check import INCOMPLETE, INVALID, Verdict, check_witness
from tests.support import hostile_witnesses as hostile
from tests.support.hostile_witnesses import Document

SAFE = 120.0
LONG = "more than 20,000 bits"
LARGE = "too large for this method"
FALSE = "do not violate"


def verdict(document: Document) -> Verdict:
    """What the check says, with the memory and a multiple of the time that it has."""

    def job(channel: Channel) -> Verdict:
        restrict(SAFE, 1 << 30)
        return check_witness(document, seconds=SAFE)

    found = ended(job, "check", 10 * SAFE)
    assert isinstance(found, Finished), found
    return found.value


CASES: dict[str, tuple[Callable[[], Document], str, str]] = {
    "squares": (lambda: hostile.squares(60), INCOMPLETE, LONG),
    "few squares": (lambda: hostile.squares(3), INVALID, FALSE),
    "squares in a loop": (lambda: hostile.squares_in_a_loop(1000), INCOMPLETE, LONG),
    "a power": (lambda: hostile.power(20_000_000), INCOMPLETE, LONG),
    "a huge power": (lambda: hostile.power(10**40), INCOMPLETE, LONG),
    "a small power": (lambda: hostile.power(3), INVALID, FALSE),
    "a tower": (lambda: hostile.power_of_powers(4), INCOMPLETE, LONG),
    "doubled": (lambda: hostile.doubled(10**6), INCOMPLETE, LONG),
    "a numeral": (lambda: hostile.numeral("1e20000000"), INVALID, "a number that is none"),
    "a long numeral": (lambda: hostile.numeral("9" * 5000), INVALID, "more than 4,096 bits"),
    "no number": (lambda: hostile.numeral("1/0"), INVALID, "a number that is none"),
    "a number": (lambda: hostile.numeral("12e2"), INVALID, FALSE),
    "endless": (hostile.endless, INCOMPLETE, "too many steps"),
    "a large exponential": (lambda: hostile.exponential("10**18"), INCOMPLETE, LARGE),
    "a small exponential": (lambda: hostile.exponential("-10**18"), INCOMPLETE, "too close"),
    "a wide scale": (lambda: hostile.wide_noise("10**300"), INCOMPLETE, "too close"),
    "a narrow scale": (lambda: hostile.wide_noise("1 / 10**300"), INVALID, FALSE),
    "a wide sigma": (lambda: hostile.wide_gaussian("10**300"), INCOMPLETE, "very large sigma"),
    "a narrow sigma": (lambda: hostile.wide_gaussian("1 / 10**300"), INVALID, FALSE),
}


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_comes_and_has_a_reason(name: str) -> None:
    make, expected, reason = CASES[name]
    found = verdict(make())
    assert found.verdict == expected, found
    assert reason in (found.reason or "")


def test_past_its_deadline_the_check_gives_up() -> None:
    found = check_witness(hostile.draws_in_a_loop(60), seconds=0.0)
    assert (found.verdict, found.reason) == (INCOMPLETE, "it takes too long")
