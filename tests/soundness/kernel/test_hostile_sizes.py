"""Small documents that would take the kernel exponentially long: a verdict each, and the limit that it names.

How long that takes is not measured; a class that explodes again is ended by a safety limit, and fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count

import pytest

from synth.app.alone import ended
from synth.app.workers import Channel, Finished, restrict
from synth.trusted.kernel.check import INCOMPLETE, INVALID, VALID, Verdict, check, parse, side_conditions
from synth.trusted.kernel.solvers import SHARED, script
from synth.trusted.kernel.symbolic_state import State, joined
from synth.trusted.logic.terms import Term
from tests.support import hostile_documents as hostile
from tests.support.cores import with_core
from tests.support.handmade import COST, Data, accepted, certificate, rule

SAFE = 120.0
"""Seconds of processor time; each document takes less than one."""

MEMORY = 1 << 30


def verdict(data: Data) -> Verdict:
    """What the kernel says, with the memory and a multiple of the time that a check has."""
    text = json.dumps(with_core(data))

    def job(channel: Channel) -> Verdict:
        restrict(SAFE, MEMORY)
        return check(text)

    found = ended(job, "check", 10 * SAFE)
    assert isinstance(found, Finished), found
    return found.value


Case = tuple[Callable[[], Data], str, str]

CASES: dict[str, Case] = {
    "max": (lambda: hostile.nested_extremes(90, "max(x, {})"), INVALID, "publish the same"),
    "min": (lambda: hostile.nested_extremes(90, "min({}, n, x)"), INVALID, "publish the same"),
    "abs": (lambda: hostile.nested_extremes(40, "abs({} - 1)"), INVALID, "publish the same"),
    "public extremes": (lambda: hostile.extremes_in_a_scale(100), INVALID, "or too large a one"),
    "conditionals in a term": (lambda: hostile.extremes_in_a_term(100), VALID, ""),
    "equal truth values": (lambda: hostile.equal_booleans(2, True), VALID, ""),
    "many, to the left": (lambda: hostile.equal_booleans(80, True), INVALID, "needs [Seq]"),
    "many, to the right": (lambda: hostile.equal_booleans(80, False), INVALID, "needs [Seq]"),
    "orders": (lambda: hostile.many_orders(3), VALID, ""),
    "many orders": (lambda: hostile.many_orders(60), INVALID, "for more than 8 parameters"),
    "loops on one side": (lambda: hostile.loops_on_one_side(3), VALID, ""),
    "many loops on one side": (lambda: hostile.loops_on_one_side(60), VALID, ""),
    "payments behind loops": (lambda: hostile.payments_behind_loops(5, 5), VALID, ""),
    "one payment less": (lambda: hostile.payments_behind_loops(5, 4), INVALID, "cost#0 is within its bound"),
    "private data behind loops": (
        lambda: hostile.payments_behind_loops(5, 5, "s + x"),
        INVALID,
        "publish the same",
    ),
    "squares": (lambda: hostile.squares(40), INVALID, "more than 8,192 bits"),
    "public squares": (lambda: hostile.squares_in_public(40), INVALID, "or too large a one"),
    "long products": (lambda: hostile.squares_in_a_term(2000), INVALID, "more than 8,192 bits"),
    "numbers": (lambda: hostile.squares_in_a_term(20), VALID, ""),
    "a power": (lambda: hostile.power_in_the_program("20000000"), VALID, ""),
    "exponentials": (lambda: hostile.exponents(300), INCOMPLETE, "more than 200 exponentials"),
    "an exponent": (lambda: hostile.large_exponent("20000000.0"), INCOMPLETE, "too large a multiple"),
    "a logarithm": (lambda: hostile.large_logarithm("20000000.0"), INVALID, "not shown"),
    "powers of sums": (lambda: hostile.powers_of_sums(100), INVALID, "polynomials are too large"),
    "a long sum": (lambda: hostile.long_sum(1000), VALID, ""),
    "a column that is given": (lambda: hostile.given_of_a_column(1), VALID, ""),
    "no such column": (lambda: hostile.given_of_a_column(2), INVALID, "not about public scalars"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_comes_and_has_a_reason(name: str) -> None:
    make, expected, reason = CASES[name]
    found = verdict(make())
    assert found.verdict == expected, found
    assert reason in (found.reason or "")


class Fresh:
    """Names for what is merged."""

    def __init__(self) -> None:
        self.numbers = count(100)

    def named(self, hint: str, term: Term) -> tuple[Term, Term]:
        constant = f"|{hint}!{next(self.numbers)}|"
        return constant, ("=", constant, term)


def way(segment: int, value: str, *path: Term) -> State:
    return State(segment, (), path, {"y": (value, value)}, {}, {}, {})


def test_ways_meet_that_part_at_a_condition() -> None:
    ways = [way(1, "1", "|a|", "|b|"), way(2, "2", "|a|", ("not", "|b|")), way(3, "3", ("not", "|a|"))]
    (found,) = joined(ways, Fresh())
    assert found.path == () and found.segment not in (1, 2, 3)
    assert found.facts == (
        ("=", "|y<1>!100|", ("ite", "|b|", "1", "2")),
        ("=", "|y<1>!102|", ("ite", "|a|", "|y<1>!100|", "3")),
    )


@pytest.mark.parametrize("other", [(), ("|b|",), ("|a|",), ("|a|", "|b|"), (("or", "|b|", "|c|"),)])
def test_ways_stay_apart_that_part_at_no_condition(other: tuple[Term, ...]) -> None:
    ways = (way(1, "1", "|a|"), way(2, "2", *other))
    assert joined(ways, Fresh()) == ways


def test_shared_parts_have_names_only_in_long_scripts() -> None:
    short, long = (
        [
            script(item)
            for item in side_conditions(
                parse(json.dumps(with_core(hostile.nested_extremes(depth, "max(x, {})"))))
            )
        ]
        for depth in (3, 60)
    )
    assert not any(SHARED in text for text in short)
    assert any(f"|{SHARED}0|" in text for text in long)
    assert max(map(len, long)) < 100 * max(map(len, short))


def test_no_name_of_a_program_is_taken_for_a_shared_part() -> None:
    """The budget of an l1 distance is called after its parameter: ``shared#spent``."""
    text = """
    @mechanism(adjacent={"shared": l1_distance(1)}, requires="eps > 0 and len(shared) > 1")
    def release(shared: list[int], eps: float) -> int:
        return laplace(shared[0] + shared[1], scale=1 / eps)
    """
    paid = rule("LapGen", k="0", within="1.0", cost="cost#0", amount="1")
    skipped = [rule("Skip")] * 4
    document = certificate(text, *skipped, paid, rule("Return"), costs=COST, epsilon="|eps<>|")
    accepted(document)
