"""Private data may choose the chance of a coin, however that is written; the coin's law is what counts."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from tests.support.proving import assert_bound, from_text, prove_apart

HEAD = """
@mechanism(
    adjacent={"x": discrete_distance()},
    requires="0 <= x and x < k and k >= 2 and epsilon > 0",
)
def f(x: int, k: int, epsilon: float) -> list[bool]:
    p = exp(EXPONENT) / (exp(EXPONENT) + 1)
    q = 1 - p
    released = []
    for i in range(k):
"""
STYLES = {
    "variable": """
        chance = p if i == x else q
        bit = bernoulli(chance)
    """,
    "branch": """
        if i == x:
            bit = bernoulli(p)
        else:
            bit = bernoulli(q)
    """,
    "named in the branch": """
        if i != x:
            other = q
            bit = bernoulli(other)
        else:
            chance = p
            bit = bernoulli(chance)
    """,
}


def _text(style: str, exponent: str = "epsilon / 2") -> str:
    inside = indent(dedent(STYLES[style]).strip(), " " * 8)
    head = HEAD.replace("EXPONENT", exponent)
    return f"{head}{inside}\n        released.append(bit)\n    return released\n"


@pytest.mark.parametrize("style", STYLES)
def test_it_becomes_one_coin_whose_obligations_are_public(style: str) -> None:
    form = rewriting(from_text(_text(style))).program
    (loop,) = [item for item in ir.statements(form.body) if isinstance(item, ir.Loop)]
    inside = list(ir.statements(loop.body))
    assert sum(isinstance(item, ir.Choose) for item in inside) == 1
    demanded = [text(item.condition) for item in inside if isinstance(item, ir.Obligation)]
    assert demanded
    assert not any(name in condition for condition in demanded for name in ("chance", "other", "x,"))


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("exponent", "least"), [("epsilon / 2", "epsilon"), ("epsilon", "2 * epsilon")])
def test_two_coins_are_paid_for(style: str, exponent: str, least: str) -> None:
    of = from_text(_text(style, exponent))
    assert_bound(of, prove_apart(of), least)


def test_a_side_without_a_coin_is_sure_of_its_value() -> None:
    """What is False without a coin has the chance 1 there, and no other."""
    text_ = _text("branch").replace("bit = bernoulli(q)", "bit = False")
    form = rewriting(from_text(text_)).program
    (coin,) = [item for item in ir.statements(form.body) if isinstance(item, ir.Choose)]
    assert isinstance(coin.law, ir.Chances)
    sure = [chance for _, chance in coin.law.outcomes if chance == ir.Constant(1, ir.Sort.REAL)]
    assert len(sure) == 1


# --- chances that grow with private data ----------------------------------------------------

AFFINE = {
    "one bit": (
        """
        @mechanism(adjacent={"x": discrete_distance()})
        def f(x: float) -> int:
            u = min(max(x, -1), 1)
            return bernoulli((2 + u) / 4)
        """,
        "log(3)",
    ),
    "one bit of each, written otherwise": (
        """
        @mechanism(adjacent={"records": change_one_distance()}, epsilon="log(3)")
        def f(records: list[int]) -> list[bool]:
            said = []
            for i in range(len(records)):
                share = max(0, min(records[i], 10)) / 20
                said.append(not bernoulli(3/4 - share))
            return said
        """,
        "log(3)",
    ),
    "a neighbour is near": (
        """
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="0 <= x and x <= 10", epsilon="log(2)")
        def f(x: int) -> bool:
            if bernoulli((x + 1) / 13):
                return True
            return False
        """,
        "log(2)",
    ),
    "numbers that variables stand for": (
        """
        @mechanism(
            adjacent={"v": discrete_distance()}, requires="-1 <= v <= 1 and epsilon > 0", epsilon="epsilon"
        )
        def f(v: float, epsilon: float) -> float:
            a, b = -1, 1
            p = exp(epsilon) / (exp(epsilon) + 1)
            chance = ((1 - 2 * p) * v + (a * p + b * p - a)) / (b - a)
            bit = bernoulli(chance)
            return (a if bit else b) / (2 * p - 1)
        """,
        "epsilon",
    ),
    "two coins": (
        """
        @mechanism(adjacent={"x": discrete_distance()}, epsilon="log(9)")
        def f(x: float) -> tuple[bool, bool]:
            p = (2 + min(max(x, -1), 1)) / 4
            return bernoulli(p), bernoulli(1 - p)
        """,
        "2*log(3)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", AFFINE)
def test_chances_that_grow_with_private_data(name: str) -> None:
    text_, least = AFFINE[name]
    of = from_text(text_)
    assert_bound(of, prove_apart(of), least)


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["log(2)", "log(29/10)", "1"])
def test_a_claim_below_the_ratio_is_not_proved(claim: str) -> None:
    of = from_text(
        AFFINE["one bit"][0].replace("discrete_distance()}", f'discrete_distance()}}, epsilon="{claim}"')
    )
    assert prove_apart(of).verdict == "unknown"


def test_an_outcome_without_chance_beside_a_claim_of_0() -> None:
    of = from_text(
        """
        import math, random
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="0")
        def early(x: int, eps: float) -> int:
            w = [math.exp(eps * k) for k in range(5)]
            total, i = 0.0, 0
            while i < 4:
                total += w[i]
                i += 1
                if i > x:
                    u = random.random() * total
                    return int(u <= w[0])
            return 2
        """
    )
    assert prove_apart(of).verdict == "unknown"
