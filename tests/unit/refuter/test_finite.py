"""Draws with finitely many outcomes: engine and check against closed forms, enumeration and each other."""

from __future__ import annotations

import copy
import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.choosing import UnsupportedError
from synth.refuter.exact.collecting import Collecting, Detail
from synth.refuter.exact.distribution import MEDIUM, machine, start
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Range
from synth.refuter.exact.inputs import families, lengths, scalars
from synth.refuter.exact.work import Work
from synth.refuter.output_table import distribution
from synth.refuter.search.search import lower_bound, refute
from synth.refuter.witness import Witness, document_of
from synth.trusted.program import syntax as ir
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.check import INVALID, VALID, check_witness
from synth.trusted.witness.functions import exp, log, sqrt
from tests.support.refuting import (
    SAFE,
    assert_close,
    chance,
    end_after_rounds,
    for_check,
    from_suite,
    listed,
    mechanism,
    scalar,
)

FINITE = "benchmarks/refuted/finite.py"
FALSE = (
    "k_rr_swapped",
    "rappor_whole_budget_per_bit",
    "randomized_response_double",
    "exponential_mechanism_double",
    "biased_coin",
    "fixed_point_scaling",
)

RESPONSE = """
@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def response(bit: bool, eps: float) -> bool:
    return randomized_response(bit, eps)
"""
K_RESPONSE = """
from math import exp

@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def k_response(secret: int, k: int, eps: float) -> int:
    p = k / (k - 1 + exp(eps))
    if bernoulli(p):
        return uniform_int(0, k - 1)
    return secret % k
"""
RAPPOR = """
@mechanism(adjacent={"bits": l1_distance(2)}, requires="eps > 0", epsilon="eps")
def rappor(bits: list[bool], eps: float) -> list[bool]:
    out = []
    for bit in bits:
        out.append(randomized_response(bit, eps / 2))
    return out
"""
EXPONENTIAL = """
@mechanism(
    adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and n > 0 and Delta > 0", epsilon="eps"
)
def exponential_choice(score: Callable[[int], int], n: int, Delta: int, eps: float) -> int:
    return exponential_mechanism(n, score, eps, Delta)
"""
WEIGHED = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def weighed(q: list[float], eps: float) -> int:
    return choice(len(q), lambda r: eps * q[r] / 2)
"""
TRUE = (RESPONSE, K_RESPONSE, RAPPOR, EXPONENTIAL, WEIGHED)


def backward(of: ir.Mechanism, event: Event, inputs: dict[str, Any]) -> tuple[float, float]:
    """The probability of an event by the other method."""
    fineness = Fineness(Fraction(1, 4), Decimal("1e-11"), math.inf)
    wish = TargetOutput(event.values, event.lists)  # type: ignore[arg-type]
    engine = Backward(of, wish, for_check(families(of, inputs)), lengths(of, inputs), fineness)
    found = engine.chance(for_check(scalars(of, inputs)))
    return float(found.low), float(found.high)


def assert_both(of: ir.Mechanism, event: Event, expected: float, **inputs: Any) -> None:
    """Both methods give the expected probability."""
    assert_close(chance(of, event, **inputs), expected)
    low, high = backward(of, event, inputs)
    assert low - 1e-12 <= expected <= high + 1e-12 and high - low < 1e-9


# --- closed forms ---------------------------------------------------------------------------


@pytest.mark.parametrize("eps", [Fraction(1, 2), 1, 3])
def test_randomized_response(eps: Fraction) -> None:
    odds = math.exp(eps)
    for bit in (False, True):
        assert_both(mechanism(RESPONSE), scalar(bit), odds / (1 + odds), bit=bit, eps=eps)
        assert_both(mechanism(RESPONSE), scalar(not bit), 1 / (1 + odds), bit=bit, eps=eps)


@pytest.mark.parametrize(("secret", "k"), [(0, 2), (2, 3), (7, 5), (-1, 4)])
def test_k_ary_response(secret: int, k: int) -> None:
    odds = math.exp(2)
    for answer in range(k):
        expected = (odds if answer == secret % k else 1) / (odds + k - 1)
        assert_both(mechanism(K_RESPONSE), scalar(answer), expected, secret=secret, k=k, eps=2)
    assert chance(mechanism(K_RESPONSE), scalar(k), secret=secret, k=k, eps=2).floats() == (0.0, 0.0)


def test_rappor() -> None:
    flip = 1 / (1 + math.exp(1 / 2))
    for answer in ((True, False, False), (False, False, True), (True, True, True)):
        wrong = sum(one != two for one, two in zip(answer, (False, True, False), strict=True))
        expected = flip**wrong * (1 - flip) ** (3 - wrong)
        assert_both(mechanism(RAPPOR), listed(*answer), expected, bits=(False, True, False), eps=1)


def test_exponential_mechanism() -> None:
    score, delta, eps = (3, -1, 2), 2, 3
    weights = [math.exp(eps * item / (2 * delta)) for item in score]
    for place in range(3):
        expected = weights[place] / sum(weights)
        assert_both(mechanism(EXPONENTIAL), scalar(place), expected, score=score, n=3, Delta=delta, eps=eps)
        real = tuple(Fraction(item, 2) for item in score)
        assert_both(mechanism(WEIGHED), scalar(place), expected, q=real, eps=eps)


def test_weights_far_apart() -> None:
    of = mechanism(WEIGHED)
    for probability in (chance(of, scalar(0), q=(0, 10**5), eps=2), chance(of, scalar(2), q=(0, 0), eps=2)):
        assert probability.floats()[0] == 0.0 and probability.floats()[1] < 1e-300
    assert backward(of, scalar(0), {"q": (0, 10**5), "eps": 2})[1] < 1e-300
    assert chance(of, scalar(0), q=(0, 10**5), eps=2).high > 0


def pmf(value: int, scale: float) -> float:
    q = math.exp(-1 / scale)
    return (1 - q) / (1 + q) * q ** abs(value)


def test_a_coin_that_depends_on_noise() -> None:
    of = mechanism(
        "@mechanism()\ndef f(x: int) -> bool:\n    noisy = laplace(x, 1 / 2)\n"
        "    return bernoulli(1 / 4 if noisy > 0 else 1 / (2 + noisy * noisy))\n"
    )
    expected = sum(pmf(v - 1, 1 / 2) * (1 / 4 if v > 0 else 1 / (2 + v * v)) for v in range(-60, 60))
    assert_both(of, scalar(True), expected, x=1)


def test_a_choice_between_noises() -> None:
    of = mechanism(
        "@mechanism()\ndef f(x: int, s: float) -> int:\n"
        "    if bernoulli(1 / 3):\n        return laplace(x, s)\n    return x\n"
    )
    assert_both(of, scalar(2), 2 / 3 + pmf(0, 2) / 3, x=2, s=2)
    assert_both(of, scalar(3), pmf(1, 2) / 3, x=2, s=2)


def test_the_table_lists_all_outputs() -> None:
    inputs = [{"bits": (True, False), "eps": 2}, {"bits": (False, True), "eps": 2}]
    lines = distribution(mechanism(RAPPOR), inputs)
    assert [line.output for line in lines[:2]] == [[False, True], [True, False]] or len(lines) == 4
    for side in range(2):
        assert sum(line.probabilities[side][0] for line in lines) == pytest.approx(1, abs=1e-12)
    losses = {tuple(line.output): line.loss for line in lines}
    low, high = losses[True, False] or (None, None)
    assert low == pytest.approx(2) and high == pytest.approx(2)


# --- enumeration ----------------------------------------------------------------------------


class Paths:
    """Python's own run of a program text, once for each way that its draws can come out."""

    def __init__(self, text: str) -> None:
        self.script: list[int] = []
        self.open: list[int] = []
        self.weight = 1.0
        names: dict[str, Any] = {
            "mechanism": lambda: lambda function: function,
            "exp": math.exp,
            "bernoulli": lambda p: self.pick([(True, p), (False, 1 - p)]),
            "randomized_response": self.response,
            "uniform_int": lambda lo, hi: self.pick([(v, 1 / (hi - lo + 1)) for v in range(lo, hi + 1)]),
            "choice": self.choice,
            "exponential_mechanism": lambda n, score, epsilon, sensitivity: self.choice(
                n, lambda r: epsilon * score(r) / (2 * sensitivity)
            ),
        }
        exec(text, names)
        self.function = names["f"]

    def response(self, bit: bool, epsilon: float) -> Any:
        odds = math.exp(epsilon)
        return self.pick([(bool(bit), odds / (1 + odds)), (not bit, 1 / (1 + odds))])

    def choice(self, n: int, log_weight: Callable[[int], float]) -> Any:
        weights = [math.exp(log_weight(r)) for r in range(n)]
        return self.pick([(r, weight / sum(weights)) for r, weight in enumerate(weights)])

    def pick(self, options: Sequence[tuple[Any, float]]) -> Any:
        place = len(self.open)
        if place == len(self.script):
            self.script.append(0)
        self.open.append(len(options))
        value, weight = options[self.script[place]]
        self.weight *= weight
        return value

    def all(self, inputs: dict[str, Any]) -> Iterator[tuple[Any, float]]:
        """Outputs with the probabilities of their paths."""
        while True:
            self.open, self.weight = [], 1.0
            yield self.function(**inputs), self.weight
            while self.script and self.script[-1] + 1 == self.open[len(self.script) - 1]:
                self.script.pop()
            if not self.script:
                return
            self.script[-1] += 1


def draw(rng: random.Random, names: list[str], real: list[str], noisy: bool) -> str:
    """A call that draws, as an integer."""
    if noisy and rng.random() < 0.4:
        return f"{rng.choice(('laplace', 'exponential'))}({rng.choice(names)}, 1 / 2)"
    some, other = rng.choice(names), rng.choice(names)
    chance = rng.choice(
        (f"1 / (2 + abs({some}))", "0.3", "exp(-eps)", f"0.8 if {some} > {other} else 1 / 3", *real)
    )
    forms = (
        f"(1 if bernoulli({chance}) else 0)",
        f"({some} if randomized_response({other} > 0, eps) else {rng.randint(0, 2)})",
        "uniform_int(-1, 1)",
        "uniform_int(0, len(q))",
        f"choice(2, lambda r: eps * (r + 1) * {some})",
        f"choice(len(q), lambda r: q[r] * eps - max({some}, r))",
        f"exponential_mechanism(3, lambda r: abs(r - {some}), eps, 2)",
        "exponential_mechanism(2, s, eps, 1)",
    )
    return rng.choice(forms)


def random_program(rng: random.Random, noisy: bool = False) -> str:
    """Some draws on earlier draws (of which noise may be some), a loop, and a list."""
    names = ["x", "q[0]"]
    lines = ["p = 1 / (1 + exp(eps))"]
    for number in range(rng.randint(1, 3)):
        lines.append(f"v{number} = {draw(rng, names, ['p'], noisy)}")
        names.append(f"v{number}")
        if rng.random() < 0.6:
            lines.append(f"if {rng.choice(names)} <= {rng.choice(names)}:")
            lines.append(f"    v{number} = {rng.choice(names)} - {draw(rng, names, ['p'], noisy)}")
            lines.append(f"    out.append({rng.choice(names)})")
    if rng.random() < 0.5:
        lines += ["for y in q:", f"    out.append({draw(rng, [*names, 'y'], ['p'], noisy)})"]
        if rng.random() < 0.3:
            lines += ["    if out[0] > 0:", "        break"]
    result = rng.choice((rng.choice(names), "len(out)", f"{rng.choice(names)} > {rng.choice(names)}"))
    body = "\n".join(f"    {line}" for line in ["out = []", *lines, f"return {result}, out"])
    return (
        "@mechanism()\ndef f(x: int, q: list[int], s: Callable[[int], int], eps: float)"
        f" -> tuple[int, list[int]]:\n{body}\n"
    )


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_against_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    text = random_program(rng)
    of = mechanism("from math import exp\n" + text)
    q = tuple(rng.randint(-2, 2) for _ in range(rng.randint(1, 2)))
    s = tuple(rng.randint(-2, 2) for _ in range(2))
    inputs: dict[str, Any] = {"x": rng.randint(-2, 2), "q": q, "s": s, "eps": rng.choice((1, Fraction(1, 2)))}
    expected: dict[Event, float] = defaultdict(float)
    plain = {**inputs, "q": list(q), "s": s.__getitem__, "eps": float(inputs["eps"])}
    python = text.replace("Callable[[int], int]", "object")
    for (value, out), weight in Paths(python).all(plain):
        expected[Event((value,), (tuple((item,) for item in out),))] += weight
    assert sum(expected.values()) == pytest.approx(1)
    for event in sorted(expected, key=lambda item: -expected[item])[:8]:
        assert_both(of, event, expected[event], **inputs)


@pytest.mark.parametrize("seed", range(20))
def test_both_methods_agree_on_random_programs_with_noise(seed: int) -> None:
    rng = random.Random(1000 + seed)
    of = mechanism("from math import exp\n" + random_program(rng, noisy=True))
    inputs = {"x": rng.randint(-2, 2), "q": (rng.randint(-2, 2),), "s": (1, 0), "eps": 1}
    output = Collecting(of, Detail())
    engine = machine(of, (inputs,), output, MEDIUM, Work())
    engine.run(start(of, (inputs,)))
    single = [event for event in output.found if not any(isinstance(part, Range) for part in event.parts())]
    for event in sorted(single, key=lambda item: -output.found[item].likely[0])[:3]:
        low, high = chance(of, event, **inputs).floats()
        other = backward(of, event, inputs)
        assert other[0] <= high and low <= other[1]
        assert high - low < 1e-6 and other[1] - other[0] < 1e-6


# --- lists ----------------------------------------------------------------------------------

READ_ONLY_BEFORE = {
    "a loop": """
@mechanism()
def f(a: bool) -> int:
    k = 0
    ys = [1, 3]
    for y in ys:
        k = y + bernoulli(0.5)
    if a:
        ys.append(k)
    return k
""",
    "a branch": """
@mechanism()
def f(a: bool) -> int:
    ys = [3]
    if bernoulli(0.5):
        k = ys[0]
    else:
        k = ys[0] + 1
    ys.append(k)
    return k
""",
    "an element before draws": """
@mechanism()
def f(a: bool) -> int:
    rest = [3]
    k = rest[0] + bernoulli(0.5)
    d = bernoulli(0.25)
    for i in range(2):
        rest.append(k + d)
    return k
""",
}


@pytest.mark.parametrize("name", READ_ONLY_BEFORE)
def test_entries_that_nothing_reads(name: str) -> None:
    of = mechanism(READ_ONLY_BEFORE[name])
    for a in (False, True):
        assert_both(of, scalar(3), 0.5, a=a)
        assert_both(of, scalar(4), 0.5, a=a)
        assert {line.output for line in distribution(of, [{"a": a}])} == {3, 4}


# --- which outcomes there are ---------------------------------------------------------------

INDEX = ir.Variable("r", ir.Sort.INT)


def number(value: int) -> ir.Constant:
    return ir.Constant(value, ir.Sort.INT)


def test_of(operator: ir.Operator, *operands: ir.Expression) -> ir.Operation:
    return ir.Operation(operator, operands, ir.Sort.BOOL)


test_of.__test__ = False  # type: ignore[attr-defined]


def with_law(*outcomes: tuple[ir.Expression, ir.Expression]) -> ir.Mechanism:
    """A mechanism that draws an integer with these chances, and returns it."""
    of = mechanism("@mechanism()\ndef f(x: int) -> int:\n    return uniform_int(0, 1)\n")
    body = tuple(
        replace(item, index="r", law=ir.Chances(outcomes)) if isinstance(item, ir.Choose) else item
        for item in of.body
    )
    return replace(of, body=body)


def test_outcomes_of_merged_draws() -> None:
    half = ir.Constant(Fraction(1, 2), ir.Sort.REAL)
    sixth = ir.Constant(Fraction(1, 6), ir.Sort.REAL)
    secret = test_of(ir.Operator.EQUAL, ir.Variable("x", ir.Sort.INT), INDEX)
    inside = test_of(
        ir.Operator.AND,
        test_of(ir.Operator.LESS, number(-1), INDEX),
        test_of(ir.Operator.LESS, INDEX, number(4)),
        test_of(ir.Operator.NOT, secret),
    )
    of = with_law((secret, half), (inside, sixth))
    assert_both(of, scalar(2), 1 / 2, x=2)
    assert_both(of, scalar(3), 1 / 6, x=2)
    assert_both(of, scalar(-1), 0, x=2)
    assert_both(of, scalar(9), 1 / 2, x=9)


def test_outcomes_without_bounds_are_not_guessed() -> None:
    of = with_law((test_of(ir.Operator.LESS, INDEX, number(4)), ir.Constant(Fraction(1), ir.Sort.REAL)))
    with pytest.raises(UnsupportedError, match="no bounds"):
        chance(of, scalar(0), x=0)
    with pytest.raises(Incomplete):
        backward(of, scalar(0), {"x": 0})


def test_too_many_outcomes_are_not_guessed() -> None:
    of = mechanism("@mechanism()\ndef f(n: int) -> int:\n    return uniform_int(1, n)\n")
    with pytest.raises(UnsupportedError, match="more than"):
        chance(of, scalar(1), n=10**9)
    with pytest.raises(Incomplete):
        backward(of, scalar(1), {"n": 10**9})


@pytest.mark.parametrize(
    ("call", "n"),
    [
        ("uniform_int(1, n)", 0),
        ("choice(n, lambda r: r)", 0),
        ("bernoulli(n)", 2),
        ("choice(n, lambda r: 1 / r)", 2),
    ],
)
def test_draws_that_are_not_defined(call: str, n: int) -> None:
    of = mechanism(f"@mechanism()\ndef f(n: int) -> float:\n    return {call} + 0.0\n")
    with pytest.raises(UndefinedError):
        chance(of, scalar(1), n=n)


# --- the search -----------------------------------------------------------------------------


@cache
def witness_of(name: str) -> tuple[ir.Mechanism, Witness]:
    of = from_suite(FINITE, name)
    found = refute(of, seconds=SAFE)
    assert found is not None
    return of, found


def document(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(document_of(*witness_of(name))))
    return read


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_have_a_witness_that_is_confirmed(name: str) -> None:
    assert check_witness(document(name)).verdict == VALID


def test_low_digits_are_given_away() -> None:
    _, found = witness_of("fixed_point_scaling")
    assert found.probability_right == (0.0, 0.0) and found.epsilon_at_least is None


@pytest.mark.parametrize("text", TRUE)
def test_true_claims_have_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end_after_rounds(monkeypatch, 100)
    assert refute(mechanism(text), seconds=SAFE) is None


@pytest.mark.parametrize("text", [RESPONSE, K_RESPONSE, RAPPOR])
def test_the_bound_is_needed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end_after_rounds(monkeypatch, 8)
    found = lower_bound(mechanism(text), seconds=SAFE)
    assert found is not None
    assert found.epsilon == pytest.approx(1, abs=1e-9) and found.epsilon <= 1


def test_exclusive_or_of_two_secrets() -> None:
    # Only one of the two bits may change, else nothing does.
    of = mechanism(
        '@mechanism(adjacent={"a": discrete_distance(), "b": discrete_distance()}, epsilon="1")\n'
        "def f(a: bool, b: bool) -> bool:\n    return randomized_response(a != b, 2)\n"
    )
    found = refute(of, seconds=SAFE)
    assert found is not None and found.epsilon_at_least == pytest.approx(2)


def test_secrets_beyond_the_range_are_tried() -> None:
    of = mechanism(
        '@mechanism(adjacent={"x": discrete_distance()}, requires="k >= 3", epsilon="0.1")\n'
        "def f(x: int, k: int) -> bool:\n    return bernoulli(0.75 if x > k else 0.5)\n"
    )
    found = refute(of, seconds=SAFE)
    assert found is not None and found.left["x"] != found.right["x"]


def test_an_irrational_claim() -> None:
    of = mechanism(
        "from math import log\n\n"
        '@mechanism(adjacent={"bit": discrete_distance()}, epsilon="log(8)")\n'
        "def f(bit: bool) -> bool:\n    return bernoulli(0.9 if bit else 0.1)\n"
    )
    found = refute(of, seconds=SAFE)
    assert found is not None
    assert check_witness(document_of(of, found)).verdict == VALID
    assert (
        refute(of, seconds=1, epsilon=ir.Operation(ir.Operator.LOGARITHM, (real(9),), ir.Sort.REAL)) is None
    )


def real(value: int) -> ir.Constant:
    return ir.Constant(Fraction(value), ir.Sort.REAL)


# --- witnesses that are wrong ---------------------------------------------------------------


def changed(name: str, place: tuple[str | int, ...], value: object) -> dict[str, Any]:
    content = copy.deepcopy(document(name))
    target: Any = content
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = value
    return content


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("biased_coin", ("witness", "right", "bit"), True),
        ("biased_coin", ("witness", "left", "bit"), 1),
        ("biased_coin", ("witness", "probability_right"), [0.05, 0.06]),
        ("biased_coin", ("epsilon",), "2.2"),
        ("k_rr_swapped", ("witness", "parameters", "k"), 1),
        ("k_rr_swapped", ("witness", "events", 0, "values"), [7]),
        ("rappor_whole_budget_per_bit", ("witness", "left", "bits"), [True, True, True]),
        ("exponential_mechanism_double", ("witness", "right", "score"), [-2, 1, -1]),
        ("exponential_mechanism_double", ("epsilon",), "2*eps"),
        ("fixed_point_scaling", ("witness", "right", "x"), 2 + 16),
    ],
)
def test_tampered_witnesses_are_rejected(name: str, place: tuple[str | int, ...], value: object) -> None:
    assert check_witness(changed(name, place, value)).verdict == INVALID


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("biased_coin", "0.9 if bit else 0.1", "0.8 if bit else 0.2"),
        ("exponential_mechanism_double", "eps * score(r))", "eps * score(r) / 2)"),
        ("randomized_response_double", "2 * eps", "eps"),
        ("fixed_point_scaling", "2**DIGITS * laplace(0, scale=1 / eps)", "laplace(0, scale=16 / eps)"),
    ],
)
def test_a_witness_of_another_program_is_rejected(name: str, old: str, new: str) -> None:
    content = document(name)
    assert old in content["program"]
    content["program"] = content["program"].replace(old, new)
    assert check_witness(content).verdict == INVALID


def test_enclosures_of_the_check() -> None:
    for value in (Fraction(1, 7), Fraction(-5, 3), Fraction(40), Fraction(1000)):
        low, high = map(Fraction, exp(value))
        assert 0 < low < high <= low * (1 + Fraction(1, 10**38))
        assert log(low)[0] < value < log(high)[1]
    assert exp(Fraction(0)) == (1, 1) and log(Fraction(1)) == (0, 0)
    low, high = map(Fraction, sqrt(Fraction(2)))
    assert low**2 < 2 < high**2
