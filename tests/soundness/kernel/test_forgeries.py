"""Certificates that an adversary made for false claims; each was accepted once, or stopped the kernel."""

from __future__ import annotations

import pytest

from synth.trusted.kernel.check import INVALID
from tests.support.handmade import Data, certificate, check_text, rule, seq

RELEASE = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def release(x: int, eps: float) -> int:
        return laplace(x, scale=1 / eps)
"""
SHARED_NAME = """
    @mechanism(adjacent={"cost": l1_distance(1)}, requires="eps > 0 and len(cost) > 1")
    def release(cost: list[int], eps: float) -> int:
        y = laplace(cost[0], scale=1 / eps)
        z = cost[1]
        return y
"""
EVENT_NAME = """
    @mechanism(adjacent={"next": l1_distance(1)}, requires="eps > 0 and len(next) > 0")
    def release(next: list[int], eps: float) -> int:
        return laplace(next[0], scale=1 / eps)
"""
WIDE = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="a > 0 and b > 0 and c > 0 and d > 0")
    def release(x: int, a: float, b: float, c: float, d: float) -> int:
        return laplace(x, scale=1 / a)
"""
INJECTION = 'cost#a| () Int)(assert false)(set-info :x ") (declare-fun |!5| () Int) (assert (or true (= |'


def shifted(cost: str, amount: str = "1") -> Data:
    return rule("LapGen", k="0", within="1.0", cost=cost, amount=amount)


def priced(cost: str, sort: str = "Int", weight: str = "|eps<>|", bound: str = "0") -> Data:
    return {cost: {"sort": sort, "weight": weight, "bound": bound}}


def release(draw: Data, **parts: object) -> Data:
    return certificate(RELEASE, rule("Skip"), rule("Skip"), draw, rule("Return"), **parts)  # type: ignore[arg-type]


THIN = priced("cost#spent", "Real", "(/ |eps<>| 1000.0)", "1.0")
SUM = "(+ |a<>| |b<>| |c<>| |d<>|)"
FORGED = {
    "a cost that starts below 0": release(shifted("cost#latest"), costs=priced("cost#latest")),
    "a cost whose name ends and goes on": release(shifted(INJECTION), costs=priced(INJECTION)),
    "a cost that is an l1 budget too": certificate(
        SHARED_NAME,
        rule("Skip"), rule("Skip"), rule("Skip"), shifted("cost#spent", "1000.0"), rule("Skip"), rule("Assn"),
        rule("Return"),
        costs=THIN,
        epsilon="(/ |eps<>| 1000.0)",
    ),
    "an event that is an l1 budget too": certificate(
        EVENT_NAME,
        rule("Skip"), rule("Skip"), rule("Skip"), shifted("cost#0"), rule("Return"),
        costs=priced("cost#0", bound="1"),
        events={"next#spent": "Int"},
        epsilon="|eps<>|",
    ),
    "a number of 5,000 digits": release(rule("LapGen", k="null"), epsilon="1" * 5000 + ".0"),
    "a weight that multiplies out": certificate(
        WIDE,
        rule("Skip"), rule("Skip"), shifted("cost#0"), rule("Return"),
        costs=priced("cost#0", weight=f"(* {' '.join([SUM] * 30)})", bound="1"),
    ),
    "thousands of cases": release(
        rule("Case", *[rule("LapGen", k="null")] * 3000, shifted("cost#0"), when=["(< |x<1>| 5)"] * 3000),
        costs=priced("cost#0"),
    ),
    "an invariant of a loop that isn't there": release(rule("LapGen", k="null"), safety={"7": "false"}),
}  # fmt: skip


HEAVY = frozenset({"thousands of cases"})


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name, marks=[pytest.mark.slow] if name in HEAVY else [])
        for name, data in FORGED.items()
    ],
)
def test_is_invalid(data: Data) -> None:
    assert check_text(data).verdict == INVALID


def test_a_value_that_doubles_with_each_assignment_is_no_public_value() -> None:
    doubling = "\n".join("        s = s * s" for _ in range(60))
    text = f"""
    @mechanism(adjacent={{"x": absolute_distance(1)}}, requires="eps > 0")
    def release(x: int, eps: float) -> int:
        s = eps
{doubling}
        return laplace(x, scale=s)
"""
    rules = [rule("Assn")] * 61 + [rule("Skip"), shifted("cost#0"), rule("Return")]
    found = check_text(certificate(text, *rules, costs=priced("cost#0"), epsilon="|eps<>|"))
    assert found.verdict == INVALID and "no function of the public inputs" in (found.reason or "")


SHORTENED = """
    @mechanism(adjacent={"q": absolute_distance(1)})
    def leak(q: int, x: float) -> int:
        y = 0
        z = x
        if x == 0:
            y = q
        return y
"""
NOISED = """
    @mechanism(adjacent={"q": absolute_distance(1)})
    def leak(q: int, x: float) -> int:
        y = 0
        if x == 0:
            y = laplace(q, scale=1)
        return y
"""
PRICED = """
    @mechanism(
        adjacent={"q": absolute_distance(1)},
        requires="n >= 0 and eps > 0 and (n == 0 or exp(n*eps/n) > 1) and (n == 0 or exp(2*n*eps/n) > 1)",
    )
    def leak(q: int, n: int, eps: float) -> int:
        y = 0
        if n == 0:
            y = laplace(q, scale=1 / (3*eps))
        return y
"""
ONE, TWO = "(/ |x<>| |x<>|)", "(/ (* 2.0 |x<>|) |x<>|)"
OPAQUE_ONE, OPAQUE_TWO = "(|/:Real,Real| |x<>| |x<>|)", "(|/:Real,Real| (* 2.0 |x<>|) |x<>|)"


@pytest.mark.parametrize(("one", "two"), [(ONE, TWO), (OPAQUE_ONE, OPAQUE_TWO)])
@pytest.mark.parametrize("name", ["log", "exp"])
def test_a_quotient_is_shortened_only_where_it_is_defined(name: str, one: str, two: str) -> None:
    """x/x and 2·x/x are equal at x = 0, and so are their logarithms: there every fact would follow."""
    fact = f"(< (|{name}:Real| {one}) (|{name}:Real| {two}))"
    branch = rule("Cond", seq(rule("Assn")), seq())
    found = check_text(
        certificate(SHORTENED, rule("Assn"), rule("Assn", facts=[fact]), branch, rule("Return"))
    )
    assert (found.verdict, found.rule) == (INVALID, "Assn")


@pytest.mark.parametrize("name", ["log", "exp"])
def test_what_is_given_is_not_false_where_a_divisor_is_0(name: str) -> None:
    fact = f"(= (|{name}:Real| {ONE}) (|{name}:Real| {TWO}))"
    draw = rule("LapGen", k="0", within="1.0", cost="cost#0", amount="0", given=[fact])
    costs = priced("cost#0", weight="0.0")
    found = check_text(
        certificate(NOISED, rule("Assn"), rule("Cond", seq(draw), seq()), rule("Return"), costs=costs)
    )
    assert (found.verdict, found.rule) == (INVALID, "LapGen")


def test_a_precondition_is_not_false_where_a_divisor_is_0() -> None:
    draw = rule("LapGen", k="0", within="1.0", cost="cost#0", amount="0")
    branch = rule("Cond", seq(rule("Skip"), rule("Skip"), draw), seq())
    costs = priced("cost#0", weight="0.0")
    found = check_text(certificate(PRICED, rule("Assn"), branch, rule("Return"), costs=costs))
    assert (found.verdict, found.rule) == (INVALID, "LapGen")


LEAK = """
    @mechanism(adjacent={"x": absolute_distance(1)}, epsilon=0)
    def release(x: int, c: int) -> int:
        i = 0
        if c > 0:
            while i < c:
                i = i + 1
        z = 0
        if c <= 0:
            z = 1 // x
        return 0
"""


def test_an_invariant_of_a_loop_that_is_not_entered_says_nothing() -> None:
    turn = rule("Cond", rule("Seq", rule("Exit")), seq())
    loop = rule("While", rule("Seq", turn, rule("Assn")), equal=["i"])
    first = rule("Cond", seq(rule("Block", seq(loop))), seq())
    second = rule("Cond", seq(rule("Skip"), rule("Assn")), seq())
    found = check_text(
        certificate(
            LEAK, rule("Assn"), first, rule("Assn"), second, rule("Return"), safety={"0": "(< 0 |c<>|)"}
        )
    )
    assert (found.verdict, found.rule) == (INVALID, "Safe")


READ_IN_A_THIRD_LOOP = """
    @mechanism(adjacent={"s": discrete_distance()}, requires="k > 0")
    def leak(s: bool, k: int) -> int:
        while True:
            x = 0
            if x == 0:
                break
        while True:
            x = k if s else 0
            if x >= 0:
                break
        r = 0
        i = 0
        while i < 1:
            r = x
            i += 1
        return r
"""


def test_a_name_that_two_loops_assign_and_a_third_reads_keeps_its_value() -> None:
    """The bit was once taken for a name that nothing assigns, with one value in both runs."""
    once = rule("Block", seq(rule("While", seq(rule("Assn"), rule("Cond", seq(rule("Exit")), seq())))))
    turn = seq(rule("Cond", seq(rule("Exit")), seq()), rule("Assn"), rule("Assn"))
    last = rule("Block", seq(rule("While", turn, equal=["i", "r"])))
    rules = (once, once, rule("Assn"), rule("Assn"), last, rule("Return"))
    found = check_text(certificate(READ_IN_A_THIRD_LOOP, *rules))
    assert (found.verdict, found.rule) == (INVALID, "While")
