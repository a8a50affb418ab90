"""Gaussian noise: engine and check against closed forms and each other; claims that are nearly true."""

from __future__ import annotations

import copy
import json
import math
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.forms import Range
from synth.refuter.exact.gaussian import Gaussian
from synth.refuter.exact.laws import Enclosure, law_of, mass, to_arb
from synth.refuter.output_table import distribution
from synth.refuter.search.search import refute
from synth.refuter.witness import Witness, document_of
from synth.trusted.program import syntax as ir
from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.chances import mass as check_mass
from synth.trusted.witness.check import INVALID, VALID, Verdict, check_witness
from synth.trusted.witness.values import Box
from tests.support.refuting import (
    SAFE,
    assert_close,
    box_of,
    chance,
    end_after_rounds,
    from_suite,
    mechanism,
    scalar,
)


def phi(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def weights(sigma: float) -> dict[int, float]:
    reach = range(-math.ceil(40 * sigma), math.ceil(40 * sigma) + 1)
    found = {value: math.exp(-value * value / (2 * sigma**2)) for value in reach}
    total = math.fsum(found.values())
    return {value: weight / total for value, weight in found.items()}


# --- probabilities --------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [Fraction(1, 3), Fraction(1), Fraction(37, 10), Fraction(50)])
def test_integers(sigma: Fraction) -> None:
    release = mechanism("@mechanism()\ndef f(x: int, s: float) -> int:\n    return gaussian(x, s)\n")
    expected = weights(float(sigma))
    for value in (-3, 0, 1, 4):
        assert_close(chance(release, scalar(value), x=1, s=sigma), expected.get(value - 1, 0.0))
    above = math.fsum(weight for value, weight in expected.items() if value >= 2)
    assert_close(chance(release, scalar(Range(3, math.inf)), x=1, s=sigma), above)
    inside = math.fsum(weight for value, weight in expected.items() if -3 <= value < 4)
    assert_close(chance(release, scalar(Range(-2, 5)), x=1, s=sigma), inside)


@pytest.mark.parametrize("sigma", [Fraction(1, 3), Fraction(2), Fraction(100)])
def test_reals(sigma: Fraction) -> None:
    release = mechanism("@mechanism()\ndef f(x: float, s: float) -> float:\n    return gaussian(x, s)\n")
    s = float(sigma)
    assert_close(chance(release, scalar(Range(-1, 3)), x=1, s=sigma), phi(2 / s) - phi(-2 / s))
    assert_close(chance(release, scalar(Range(2, 3)), x=1, s=sigma), phi(2 / s) - phi(1 / s))
    assert_close(chance(release, scalar(Range(-math.inf, 0)), x=Fraction(1, 2), s=sigma), phi(-0.5 / s))


def test_irrational_sigma() -> None:
    release = mechanism("@mechanism()\ndef f(x: float, k: int) -> float:\n    return gaussian(x, sqrt(k))\n")
    assert_close(chance(release, scalar(Range(1, 2)), x=0, k=2), phi(math.sqrt(2)) - phi(math.sqrt(0.5)))


def test_tails_far_out() -> None:
    law = law_of("gaussian", ir.Sort.REAL, Fraction(1))
    ratio = mass(law, 30, math.inf) / (arb(-450).exp() / (30 * (2 * arb.pi()).sqrt()))
    assert arb("0.9988") < ratio < arb("0.9990")  # Mills' ratio: 1/x - 1/x³ + 3/x⁵ …
    integers = law_of("gaussian", ir.Sort.INT, Fraction(1))
    assert mass(integers, 40, math.inf) > mass(integers, 40, 40) > 0


@pytest.mark.parametrize("start", [0, 1, 500, 3000, 10_000])
def test_integrals_hold_the_sums(start: int) -> None:
    noise = Gaussian(arb(1000))
    summed, integrated = noise._from(start), noise._integrated(start)
    assert integrated.contains(summed)
    assert integrated.rad() < summed * arb("1e-4")


def test_a_very_large_sigma() -> None:
    law = law_of("gaussian", ir.Sort.INT, Fraction(10**7))
    assert float(mass(law, 0, 10**7 - 1).mid()) == pytest.approx(phi(1) - 0.5, abs=1e-7)
    assert float(mass(law, 5, 9).mid()) == pytest.approx(5 / (10**7 * math.sqrt(2 * math.pi)), rel=1e-6)


def test_sigma_must_be_positive() -> None:
    release = mechanism("@mechanism()\ndef f(x: int, s: float) -> int:\n    return gaussian(x, s)\n")
    with pytest.raises(UndefinedError):
        chance(release, scalar(0), x=0, s=0)


def test_comparisons_of_noise() -> None:
    greater = mechanism(
        "@mechanism()\ndef f(x: int, s: float) -> bool:\n    return gaussian(x, s) > gaussian(0, s)\n"
    )
    single = weights(2.0)
    expected = math.fsum(one * two for a, one in single.items() for b, two in single.items() if a + 1 > b)
    assert_close(chance(greater, scalar(True), x=1, s=2), expected)


def test_noise_and_an_irrational_threshold() -> None:
    above = mechanism(
        "@mechanism()\ndef f(x: float, k: int) -> bool:\n    return sqrt(k) <= gaussian(x, 1)\n"
    )
    assert_close(chance(above, scalar(True), x=0, k=2), phi(-math.sqrt(2)))
    assert_close(chance(above, scalar(False), x=0, k=2), phi(math.sqrt(2)))


def test_table_of_outputs() -> None:
    release = mechanism("@mechanism()\ndef f(x: int, s: float) -> int:\n    return gaussian(x, s)\n")
    lines = distribution(release, [{"x": 0, "s": 3}, {"x": 1, "s": 3}])
    assert sum(line.probabilities[0][0] for line in lines) == pytest.approx(1, abs=1e-9)
    (line,) = [line for line in lines if line.output == 2]
    assert line.loss is not None and line.loss[0] == pytest.approx((1 - 4) / 18)


# --- both methods ---------------------------------------------------------------------------


def agree(theirs: arb, low: Decimal, high: Decimal) -> bool:
    one, two = arb(str(low)), arb(str(high))
    return low <= high and not theirs < one and not theirs > two


@pytest.mark.slow
def test_both_methods_agree_on_masses() -> None:
    rng = random.Random(3)
    for _ in range(400):
        integer = rng.random() < 0.5
        sigma = Fraction(rng.randint(1, 60), rng.choice((1, 2, 7, 30)))
        low: Any = rng.randint(-60, 60) if integer else Fraction(rng.randint(-400, 400), 7)
        width = rng.randint(0, 20) if integer else Fraction(rng.randint(1, 60), 11)
        high: Any = rng.choice((math.inf, low + width))
        ours = check_mass("gaussian", integer, sigma, box_of(low, high))
        theirs = mass(law_of("gaussian", ir.Sort.INT if integer else ir.Sort.REAL, sigma), low, high)
        assert agree(theirs, ours.low, ours.high)
        assert ours.high - ours.low < Decimal("1e-30")


@pytest.mark.parametrize("distribution", ["laplace", "exponential", "gaussian"])
@pytest.mark.parametrize("integer", [False, True])
def test_irrational_scales_in_both(distribution: str, integer: bool) -> None:
    between = Enclosure.of(arb(2).sqrt())
    scale = Box(between.low, between.high)
    for low, high in ((0, 1), (2, math.inf), (0, math.inf), (1, 30)):
        ours = check_mass(distribution, integer, scale, box_of(low, high))
        law = law_of(distribution, ir.Sort.INT if integer else ir.Sort.REAL, between)
        assert agree(mass(law, low, high), ours.low, ours.high)
        assert ours.high - ours.low < Decimal("1e-30")


def test_the_check_refuses_a_very_large_sigma() -> None:
    with pytest.raises(Incomplete):
        check_mass("gaussian", True, Fraction(10**6), Box(1, 2))


def test_a_wide_box_of_sigmas_holds_all() -> None:
    outer = check_mass("gaussian", False, Box(1, 3), Box(-1, 2))
    for sigma in (1, 2, 3):
        inner = check_mass("gaussian", False, Fraction(sigma), Box(-1, 2))
        assert outer.low <= inner.low and inner.high <= outer.high
    assert to_arb(Fraction(1, 2)) == arb("0.5")


# --- claims ---------------------------------------------------------------------------------


def least_delta(sort: str, sigma: float, epsilon: float, distance: int) -> float:
    """Balle & Wang 2018, Theorem 8, on the reals; the sum over the integers."""
    if sort == "float":
        middle, shift = distance / (2 * sigma), epsilon * sigma / distance
        return phi(middle - shift) - math.exp(epsilon) * phi(-middle - shift)
    single = weights(sigma)
    values = range(min(single) - distance, max(single) + distance + 1)
    return math.fsum(
        max(0.0, single.get(v, 0.0) - math.exp(epsilon) * single.get(v - distance, 0.0)) for v in values
    )


def release(sort: str, sigma: float, epsilon: float, distance: int, delta: float) -> ir.Mechanism:
    return mechanism(
        f'@mechanism(adjacent={{"x": absolute_distance({distance})}}, epsilon="{epsilon}",\n'
        f'    delta="{delta!r}")\n'
        f"def f(x: {sort}) -> {sort}:\n    return gaussian(x, {sigma})\n"
    )


def checked(of: ir.Mechanism, witness: Witness) -> Verdict:
    return check_witness(json.loads(json.dumps(document_of(of, witness))))


RELEASES = [
    (sort, *numbers)
    for sort in ("float", "int")
    for numbers in (
        (3.73, 1, 1),
        (1, 1, 1),
        (0.5, 2, 1),
        (100, 0.05, 1),
        (10, 0.5, 3),
        (2, 8, 5),
        (5, 3, 1),
        (7, 0, 1),
    )
]


@pytest.mark.parametrize(("sort", "sigma", "epsilon", "distance"), RELEASES)
def test_deltas_slightly_too_small(sort: str, sigma: float, epsilon: float, distance: int) -> None:
    delta = 0.98 * least_delta(sort, sigma, epsilon, distance)
    of = release(sort, sigma, epsilon, distance, delta)
    witness = refute(of, seconds=SAFE)
    assert witness is not None
    left, right = witness.probability_left, witness.probability_right
    assert left[0] > math.exp(witness.epsilon) * right[1] + witness.delta
    assert left[1] - math.exp(epsilon) * right[0] <= delta / 0.98 * (1 + 1e-6)
    assert checked(of, witness).verdict == VALID


@pytest.mark.parametrize(("sort", "sigma", "epsilon", "distance"), RELEASES)
def test_deltas_slightly_larger_than_needed(
    sort: str, sigma: float, epsilon: float, distance: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_after_rounds(monkeypatch, 8)
    delta = 1.0001 * least_delta(sort, sigma, epsilon, distance)
    assert refute(release(sort, sigma, epsilon, distance, delta), seconds=SAFE) is None


GAUSSIAN = "benchmarks/refuted/gaussian.py"
FALSE = (
    "gaussian_half",
    "gaussian_usual_any_eps",
    "gaussian_slightly_too_small",
    "gaussian_vector",
    "laplace_small_delta",
    "histogram_low_threshold",
    "histogram_low_threshold_real",
    "response_with_a_leak",
)


@pytest.mark.parametrize("name", FALSE)
def test_benchmarks_have_a_witness(name: str) -> None:
    of = from_suite(GAUSSIAN, name)
    witness = refute(of, seconds=SAFE)
    assert witness is not None
    assert checked(of, witness).verdict == VALID


TRUE = (
    (
        "usual",
        '@mechanism(adjacent={"x": absolute_distance("b")}, requires="b > 0 and eps > 0 and eps < 1 and '
        'delta > 0 and delta < 1", epsilon="eps", delta="delta")\n'
        "def f(x: float, b: float, eps: float, delta: float) -> float:\n"
        "    return gaussian(x, b * sqrt(2 * log(1.25 / delta)) / eps)\n",
    ),
    (
        "histogram",
        '@mechanism(adjacent={"count": absolute_distance(1)}, epsilon="eps", delta="delta",\n'
        '    requires="eps > 0 and delta > 0 and delta < 1")\n'
        "def f(count: float, eps: float, delta: float) -> float:\n"
        "    noisy = laplace(count, 1 / eps)\n"
        "    return noisy if noisy >= 1 + log(1 / (2 * delta)) / eps else 0.0\n",
    ),
    (
        "leak",
        '@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0",\n'
        '    epsilon="eps", delta="1/100")\n'
        "def f(bit: bool, eps: float) -> bool:\n"
        "    if bernoulli(0.01):\n        return bit\n"
        "    return randomized_response(bit, eps)\n",
    ),
    (
        "composed",
        '@mechanism(adjacent={"q": l1_distance(1)}, epsilon="1", delta="1/1000")\n'
        "def f(q: list[int]) -> list[int]:\n"
        "    return_value = []\n"
        "    for x in q:\n        return_value.append(gaussian(x, 4))\n"
        "    return return_value\n",
    ),
)


@pytest.mark.parametrize("text", [text for _, text in TRUE], ids=[name for name, _ in TRUE])
def test_true_claims_have_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end_after_rounds(monkeypatch, 8)
    assert refute(mechanism(text), seconds=SAFE) is None


# --- forged witnesses -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    of = release("float", 3.7, 1, 1, 1e-5)
    witness = refute(of, seconds=SAFE)
    assert witness is not None
    found: dict[str, Any] = json.loads(json.dumps(document_of(of, witness)))
    assert check_witness(found).verdict == VALID
    return found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("epsilon", "1.01"),
        ("delta", "2/100000"),
        ("program", ("3.7)", "3.75)")),
        ("program", ("gaussian(x", "laplace(x")),
    ],
)
def test_wrong_witnesses_are_rejected(document: dict[str, Any], field: str, value: Any) -> None:
    content = copy.deepcopy(document)
    content[field] = content[field].replace(*value) if isinstance(value, tuple) else value
    assert check_witness(content).verdict == INVALID


def test_other_outputs_are_rejected(document: dict[str, Any]) -> None:
    content = copy.deepcopy(document)
    (event,) = content["witness"]["events"]
    event["values"] = [{"from": None, "to": None}]
    assert check_witness(content).verdict == INVALID
