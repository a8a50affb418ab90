"""Noise that is kept and compared with other noise: ranges, thresholds drawn anew, the least and the largest.

Each is proved at its least bound, also with other names and in another order, and not where a threshold has
to move both ways.
"""

from __future__ import annotations

import pytest

from synth.refuter.search.search import refute
from tests.support.proving import assert_bound, from_text, prove_apart

PROVED = {
    "up and down": (
        """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
        def f(q: list[float], eps: float) -> list[bool]:
            answers = []
            limit = laplace(0.0, 2 / eps)
            falling = False
            fresh = False
            for entry in q:
                if fresh:
                    limit = laplace(1.0, 2 / eps)
                    fresh = False
                elif falling:
                    above = laplace(entry, 8 / eps) > limit
                    answers.append(above)
                    if not above:
                        break
                else:
                    below = laplace(entry, 8 / eps) <= limit
                    answers.append(below)
                    if not below:
                        falling = True
                        fresh = True
            return answers
        """,
        "3/2*eps",
    ),
    "the ends of a range, with names of their own for what they are compared with": (
        """
        @mechanism(adjacent={"data": linf_distance(1)}, requires="eps > 0", epsilon="eps")
        def between(data: list[float], eps: float) -> list[int]:
            top = laplace(5.0, 4 / eps)
            bottom = laplace(-5.0, 4 / eps)
            told = []
            for x in data:
                noisy = laplace(x, 4 / eps)
                inside = bottom < noisy < top
                if inside:
                    told.append(0)
                    continue
                told.append(1 if noisy >= top else -1)
                return told
            return told
        """,
        "eps",
    ),
    "between the least and the largest of two": (
        """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
        def f(q: list[float], eps: float) -> list[int]:
            one, other = laplace(q[0], 8 / eps), laplace(q[1], 8 / eps)
            if one < other:
                least, most = one, other
            else:
                least, most = other, one
            out = []
            for i in range(2, len(q)):
                noisy = laplace(q[i], 4 / eps)
                if noisy < least:
                    out.append(-1)
                    break
                if noisy > most:
                    out.append(1)
                    break
                out.append(0)
            return out
        """,
        "eps",
    ),
}

REFUTED = {
    "up and down with one threshold": """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
        def f(q: list[float], eps: float) -> list[bool]:
            answers = []
            limit = laplace(0.0, 2 / eps)
            falling = False
            for entry in q:
                if falling:
                    above = laplace(entry, 2 / eps) > limit
                    answers.append(above)
                    if not above:
                        break
                else:
                    below = laplace(entry, 2 / eps) <= limit
                    answers.append(below)
                    if not below:
                        falling = True
            return answers
        """,
    "a range that is not left": """
        @mechanism(adjacent={"data": linf_distance(1)}, requires="eps > 0", epsilon="eps")
        def between(data: list[float], eps: float) -> list[bool]:
            bottom = laplace(0.0, 4 / eps)
            told = []
            for x in data:
                told.append(bottom < laplace(x, 4 / eps))
            return told
        """,
    "integers, which have ties": """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 2", epsilon="eps")
        def f(q: list[int], eps: float) -> bool:
            one, other = laplace(0, 1 / eps), laplace(0, 1 / eps)
            return one == other and q[0] > q[1]
        """,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_noise_that_is_kept_is_proved(name: str) -> None:
    text, least = PROVED[name]
    mechanism = from_text(text)
    assert_bound(mechanism, prove_apart(mechanism), least)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUTED)
def test_noise_that_has_to_move_both_ways_is_refuted(name: str) -> None:
    mechanism = from_text(REFUTED[name])
    assert prove_apart(mechanism).verdict != "proved"
    assert refute(mechanism, seconds=60, steps=3_000_000) is not None
