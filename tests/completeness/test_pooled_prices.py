"""Of uses that exclude each other the dearest is paid, not the sum; of uses that don't, both."""

from __future__ import annotations

import pytest

from tests.support.proving import assert_bound, from_text, prove_apart

CASES = {
    "unlike prices of one coin": (
        """
        @mechanism(adjacent={"x": change_one_distance(1)}, epsilon="log(8/3)")
        def f(x: list[int]) -> list[bool]:
            out = []
            for v in x:
                out.append(bernoulli(3/4 if v > 0 else 1/3))
            return out
        """,
        "log(8/3)",
    ),
    "the same for two entries": (
        """
        @mechanism(adjacent={"x": linf_distance(1)}, requires="len(x) == 2")
        def f(x: list[int]) -> tuple[bool, bool]:
            return bernoulli(3/4 if x[0] > 0 else 1/3), bernoulli(3/4 if x[1] > 0 else 1/3)
        """,
        "log(64/9)",
    ),
    "disjoint pieces": (
        """
        @mechanism(adjacent={"q": change_one_distance(1)}, requires="0 < b <= a and len(q) == 2", epsilon="a")
        def f(q: list[float], a: float, b: float) -> tuple[float, float]:
            low = laplace(q[1], 1/b)
            return laplace(q[0], 1/a), low
        """,
        "a",
    ),
    "pieces that overlap": (
        """
        @mechanism(adjacent={"q": change_one_distance(1)}, requires="0 < b and b <= a and len(q) == 2")
        def f(q: list[float], a: float, b: float) -> tuple[float, float]:
            low = laplace(q[1], 1/b)
            return laplace(q[0] + q[1], 1/a), low
        """,
        "a + b",
    ),
    "pieces of which none is the dearest": (
        """
        @mechanism(adjacent={"q": change_one_distance(1)}, requires="0 < b and 0 < a and len(q) == 2")
        def f(q: list[float], a: float, b: float) -> tuple[float, float]:
            low = laplace(q[1], 1/b)
            return laplace(q[0], 1/a), low
        """,
        "a + b",
    ),
    "two sums in one loop": (
        """
        @mechanism(
            adjacent={"q": change_one_distance(1)},
            requires="0 < e2 and e2 <= e1 and 0 <= m and m <= len(q)",
            epsilon="e1",
        )
        def f(q: list[int], m: int, e1: float, e2: float) -> tuple[int, int]:
            early, late = 0, 0
            for i in range(len(q)):
                if i < m:
                    early += q[i]
                else:
                    late += q[i]
            return laplace(early, 1/e1), laplace(late, 1/e2)
        """,
        "e1",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_dearest_is_paid(name: str) -> None:
    text, least = CASES[name]
    of = from_text(text)
    assert_bound(of, prove_apart(of), least)


def test_a_claim_that_forgets_one_of_two_prices_is_not_proved() -> None:
    text, _ = CASES["pieces that overlap"]
    of = from_text(text.replace('len(q) == 2"', 'len(q) == 2", epsilon="a"'))
    assert prove_apart(of).verdict == "unknown"
