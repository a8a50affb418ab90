"""Claims of GDP and zCDP: noise whose squares are summed up."""

from __future__ import annotations

import pytest

from synth.prover.acceptance import Unknown
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source

HEAD = "from math import log, sqrt\n\nfrom synth.lang import *\n\n"
NUMBER = 'adjacent={"q": absolute_distance(1)}, requires="s > 0 and b > 0"'
ENTRIES = 'adjacent={"q": linf_distance(1)}, requires="s > 0 and b > 0"'
SUM_OF_SQUARES = 'adjacent={"q": l2_distance("b")}, requires="s > 0 and b > 0"'
ONE_ENTRY = 'adjacent={"q": change_one_distance(1)}, requires="s > 0 and b > 0"'


def _found(head: str, body: str) -> Proved | Unknown:
    (mechanism,) = read_source(f"{HEAD}@mechanism({head})\ndef f{body}", "f.py")
    return prove(mechanism, load_templates())


def _is_proved(found: Proved | Unknown) -> bool:
    return isinstance(found, Proved) and found.checked.within_claim


VECTOR = "(q: list[float], s: float, b: float) -> list[float]:\n    return [gaussian(x, s) for x in q]\n"
APPENDED = (
    "(data: list[float], s: float, b: float) -> list[float]:\n"
    "    noisy = []\n"
    "    for entry in data:\n"
    "        noisy.append(gaussian(entry, s))\n"
    "    return noisy\n"
)
COUNTS = "(q: list[int], s: float, b: float) -> list[int]:\n    return [laplace(x, b) for x in q]\n"
MIXED = (
    "(q: float, r: float, s: float, b: float) -> tuple[float, float]:\n"
    "    first = laplace(q, b)\n"
    "    second = gaussian(r, s)\n"
    "    return first, second\n"
)
EARLY = (
    "(q: float, s: float, b: float) -> float:\n"
    "    a = gaussian(q, s)\n"
    "    if a > 0:\n"
    "        return gaussian(q + a, s)\n"
    "    return gaussian(2 * q, s)\n"
)
CALIBRATED = "(q: float, s: float, b: float) -> float:\n    return gaussian(q, 1 / sqrt(2 * b))\n"
SPLIT = (
    "(q: list[float], rho: float, k: int) -> list[float]:\n"
    "    out = []\n"
    "    for i in range(k):\n"
    "        if i < len(q):\n"
    "            out.append(gaussian(q[i], sqrt(k / (2 * rho))))\n"
    "    return out\n"
)
WHOLE = "(q: int, s: float, b: float) -> int:\n    return gaussian(q, s)\n"
BEST = "(q: list[float], s: float, b: float) -> int:\n    return choice(len(q), lambda r: b * q[r] / 2)\n"
BEST_AND_ITS_VALUE = (
    "(q: list[float], s: float, b: float) -> tuple[int, float]:\n"
    "    best = choice(len(q), lambda r: b * q[r])\n"
    "    return best, gaussian(q[best], 1 / b)\n"
)
RESPONSE = "(q: bool, b: float) -> bool:\n    return randomized_response(q, b)\n"
RESPONSE_AND_NOISE = (
    "(q: bool, r: float, s: float, b: float) -> tuple[bool, float]:\n"
    "    answer = randomized_response(q, b)\n"
    "    return answer, gaussian(r, s)\n"
)
FIRST_ABOVE = (
    "(q: list[float], t: float, s: float, b: float) -> int:\n"
    "    threshold = laplace(t, 2 / b)\n"
    "    for i in range(len(q)):\n"
    "        if laplace(q[i], 4 / b) >= threshold:\n"
    "            return i\n"
    "    return -1\n"
)
RESPONDENT = 'adjacent={"q": discrete_distance()}, requires="b > 0"'
CANDIDATES = 'adjacent={"q": linf_distance(1)}, requires="s > 0 and b > 0 and len(q) >= 1"'
TWO = NUMBER.replace(")}", '), "r": absolute_distance(1)}')


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f'{ENTRIES}, gdp="sqrt(len(q)) / s"', VECTOR),
        (f'{ENTRIES.replace("q", "data", 1)}, zcdp="len(data) / (2 * s**2)"', APPENDED),
        (f'{ENTRIES}, zcdp="len(q) / (2 * b**2)"', COUNTS),
        (f'{ONE_ENTRY}, zcdp="1 / (2 * b**2)"', COUNTS),
        (f'{SUM_OF_SQUARES}, gdp="b / s"', VECTOR),
        (f'{SUM_OF_SQUARES.replace("q", "data", 1)}, zcdp="b**2 / (2 * s**2)"', APPENDED),
        (f'{SUM_OF_SQUARES.replace("l2", "l1")}, gdp="b / s"', VECTOR),
        (f'{SUM_OF_SQUARES.replace("l2", "l1")}, zcdp="1 / 2"', COUNTS),
        (f'{TWO}, zcdp="1 / (2 * b**2) + 1 / (2 * s**2)"', MIXED),
        (f'{NUMBER}, gdp="sqrt(5) / s"', EARLY),
        (f'{NUMBER}, zcdp="b"', CALIBRATED),
        ('adjacent={"q": linf_distance(1)}, requires="rho > 0 and k > 0", zcdp="rho"', SPLIT),
        (f'{CANDIDATES}, zcdp="b**2 / 8"', BEST),
        (f'{CANDIDATES.replace("1)", "1, monotone=True)")}, zcdp="b**2 / 32"', BEST),
        (f'{CANDIDATES}, zcdp="b**2"', BEST_AND_ITS_VALUE),
        (f'{RESPONDENT}, zcdp="b**2 / 2"', RESPONSE),
        (
            'adjacent={"q": discrete_distance(), "r": absolute_distance(1)}, requires="s > 0 and b > 0",'
            ' zcdp="b**2 / 2 + 1 / (2 * s**2)"',
            RESPONSE_AND_NOISE,
        ),
        (f'{ENTRIES}, zcdp="b**2 / 2"', FIRST_ABOVE),
    ],
)
def test_the_least_claim_is_proved_and_less_is_not(head: str, body: str) -> None:
    assert _is_proved(_found(head, body))
    assert not _is_proved(_found(f'{head[:-1]}*0.99"', body))


@pytest.mark.parametrize(
    ("head", "body", "bound"),
    [
        (ENTRIES, VECTOR, {"gdp": "sqrt(len(q))/s"}),
        (TWO, MIXED, {"zcdp": "(b**2 + s**2)/(2*b**2*s**2)"}),
        (NUMBER, WHOLE, {"zcdp": "1/(2*s**2)"}),
    ],
)
def test_gaussian_noise_without_a_claim(head: str, body: str, bound: dict[str, str]) -> None:
    found = _found(head, body)
    assert isinstance(found, Proved) and found.checked.states.stated == bound


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f'{TWO}, gdp="1 / b + 1 / s"', MIXED),
        (f'{CANDIDATES}, gdp="b"', BEST),
        (f'{NUMBER}, zcdp="1"', "(q: float, s: float, b: float) -> float:\n    return exponential(q, b)\n"),
        (
            'adjacent={"q": discrete_distance()}, requires="b > 0", gdp="b"',
            "(q: bool, b: float) -> bool:\n    return randomized_response(q, b)\n",
        ),
        (f'{NUMBER}, zcdp="1"', "(q: float, s: float, b: float) -> float:\n    return q\n"),
    ],
)
def test_other_noise_has_no_squares(head: str, body: str) -> None:
    assert isinstance(_found(head, body), Unknown)


ROUNDS = (
    "(q: int, s: float, b: float) -> list[int]:\n"
    "    out = []\n"
    "    for i in range(100):\n"
    "        out.append(laplace(q, 10))\n"
    "    return out\n"
)
TWO_SIGMAS = "(q: int, s: float, b: float) -> tuple[int, int]:\n    return gaussian(q, 4), gaussian(q, 2.3)\n"
ADVANCED = (
    "(q: int, k: int, eps: float, delta: float) -> list[int]:\n"
    "    out = []\n"
    "    for i in range(k):\n"
    "        out.append(laplace(q, 1 / eps))\n"
    "    return out\n"
)
ADVANCED_CHOICES = (
    "(q: list[float], k: int, eps: float, delta: float) -> list[int]:\n"
    "    return [exponential_mechanism(len(q), lambda r: q[r], eps, 1) for _ in range(k)]\n"
)
GUARDED = (
    "(q: float, s: float, b: float) -> tuple[bool, list[float]]:\n"
    "    threshold = laplace(0, 2 / b)\n"
    "    above = q + laplace(0, 4 / b) > threshold\n"
    "    out = []\n"
    "    for i in range(20):\n"
    "        out.append(laplace(q, 10.0))\n"
    "    return above, out\n"
)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f"{NUMBER}, epsilon=5, delta=0.00001", ROUNDS),
        (f"{NUMBER}, epsilon=3, delta=0.00001", TWO_SIGMAS),
        (
            'adjacent={"q": absolute_distance(1)}, requires="eps > 0 and k > 0 and 0 < delta and delta < 1",'
            ' epsilon="k*eps**2/2 + sqrt(2*k*log(1/delta))*eps", delta="delta"',
            ADVANCED,
        ),
        (
            'adjacent={"q": linf_distance(1)}, requires="eps > 0 and k > 0 and 0 < delta < 1 and len(q) > 0",'
            ' epsilon="k*eps**2/8 + sqrt(k*log(1/delta)/2)*eps", delta="delta"',
            ADVANCED_CHOICES,
        ),
        (
            'adjacent={"q": absolute_distance(1)}, requires="s > 0 and b > 0", epsilon="b + 2", delta=0.001',
            GUARDED,
        ),
    ],
    ids=["a hundred rounds", "unlike sigmas", "advanced composition", "of choices", "sparse vector first"],
)
def test_an_epsilon_and_a_delta_by_squares(head: str, body: str) -> None:
    assert _is_proved(_found(head, body))


def test_less_than_the_squares_are_worth_is_not_proved() -> None:
    assert isinstance(_found(f"{NUMBER}, epsilon=4.5, delta=0.00001", ROUNDS), Unknown)
