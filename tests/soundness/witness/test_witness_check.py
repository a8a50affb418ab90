"""The independent check: it confirms witnesses, rejects wrong ones, and agrees with the engine."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from synth.refuter.exact.distribution import COARSE, probability
from synth.refuter.exact.events import Event
from synth.refuter.exact.inputs import Inputs, families, lengths
from synth.refuter.exact.laws import law_of
from synth.refuter.exact.laws import mass as engine_mass
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.program import syntax as ir
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.chances import mass
from synth.trusted.witness.check import INVALID, VALID, check_witness
from synth.trusted.witness.codes import Code
from tests.support import hostile_witnesses
from tests.support.refuting import SAFE, box_of, chance, from_suite, mechanism, scalar
from tests.unit.refuter.test_distribution import enumerate_all, random_program

NOISY = (
    ("benchmarks/refuted/laplace.py", "laplace_half"),
    ("benchmarks/refuted/laplace.py", "laplace_half_real"),
    ("benchmarks/refuted/sparse_vector.py", "svt_3"),
    ("benchmarks/refuted/sparse_vector.py", "svt_4_claim_eps"),
    ("benchmarks/refuted/sparse_vector.py", "svt_5"),
    ("tests/soundness/programs/broken/releases.py", "second_release_free"),
    ("tests/soundness/programs/broken/releases.py", "length_is_secret"),
    ("tests/soundness/programs/broken/sums.py", "average_by_exact_count"),
    ("tests/soundness/programs/broken/noisy_max.py", "one_sided_scale_halved"),
)


def document(path: str, name: str) -> dict[str, Any]:
    of = from_suite(path, name)
    witness = refute(of, seconds=SAFE)
    assert witness is not None
    read: dict[str, Any] = json.loads(json.dumps(document_of(of, witness)))
    return read


@pytest.mark.parametrize(("path", "name"), NOISY)
def test_witnesses_are_confirmed(path: str, name: str) -> None:
    assert check_witness(document(path, name)).verdict == VALID


def change(place: tuple[str | int, ...], value: object) -> Callable[[dict[str, Any]], None]:
    def apply(content: dict[str, Any]) -> None:
        target: Any = content
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = value

    return apply


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (change(("witness", "left", "x"), 2), "differs by more"),
        (change(("witness", "right", "x"), 1), "wrong"),
        (change(("witness", "parameters", "eps"), -1), "requires"),
        (change(("witness", "left", "x"), 0.5), "no integer"),
        (change(("witness", "probability_left"), [0.9, 0.95]), "wrong"),
        (change(("witness", "events"), []), "disjoint"),
        (change(("witness", "left"), {}), "not a witness: 'left' has no 'x'"),
        (change(("witness",), None), "not a witness: 'witness' is no object"),
        (change(("witness", "right"), []), "not a witness: 'right' is no object"),
        (change(("witness", "probability_left"), [0.9, True]), "an end of a probability is no number"),
        (change(("witness", "probability_left"), [0.9]), "a probability is no pair of numbers"),
        (change(("witness", "epsilon_at_least"), "1"), "'epsilon_at_least' is no number"),
        (change(("witness", "epsilon_at_least"), True), "'epsilon_at_least' is no number"),
        (change(("witness", "events"), {}), "'events' is no list"),
        (change(("witness", "events"), [None]), "an event is no object"),
        (change(("witness", "events", 0, "values"), "0"), "an entry of an output is no list"),
        (change(("witness", "events", 0, "values"), [{"from": 1}]), "a range has no 'to'"),
        (change(("witness", "events", 0, "values"), [0, 1]), "the form of the program's"),
        (change(("witness", "events", 0, "lists"), ["12"]), "a list of an output is no list"),
        (change(("epsilon",), "3*eps"), "do not violate"),
        (change(("mechanism",), "other"), "no mechanism"),
        (change(("program",), "import os\n"), "can't be read"),
    ],
)
def test_wrong_witnesses_are_rejected(what: Callable[[dict[str, Any]], None], reason: str) -> None:
    content = copy.deepcopy(document("benchmarks/refuted/laplace.py", "laplace_half"))
    what(content)
    verdict = check_witness(content)
    assert verdict.verdict == INVALID and verdict.reason is not None
    assert reason in verdict.reason


PLAIN: str = hostile_witnesses.witness(["return x"])["program"]
LISTS: str = (
    hostile_witnesses.witness(["return len(x)"], x=[0])["program"]
    .replace('"x": absolute_distance(1)', '"x": linf_distance(1)')
    .replace("x: int", "x: list[int]")
)
FACTS = LISTS.replace("epsilon=1", 'facts=["x(i) >= 0"], epsilon=1')
FACTS = FACTS.replace("list[int]", "Callable[[int], int]")


WRONG: dict[Code, dict[tuple[str | int, ...], object]] = {
    Code.WITNESS_UNPRINTABLE: {("epsilon",): "1\x1b"},
    Code.WITNESS_NUMBER_MALFORMED: {("witness", "events", 0, "values"): ["one"]},
    Code.WITNESS_NUMBER_TOO_LARGE: {("witness", "left", "x"): "9" * 5000},
    Code.WITNESS_OF_FACTS: {("program",): FACTS.replace("len(x)", "x(0)")},
    Code.WITNESS_WITHOUT_CLAIM: {("program",): PLAIN.replace(", epsilon=1", "")},
    Code.WITNESS_LENGTHS_DIFFER: {
        ("program",): LISTS,
        ("witness", "left", "x"): [0],
        ("witness", "right", "x"): [0, 0],
    },
    Code.WITNESS_UNDEFINED: {("program",): PLAIN.replace("return x", "return 1 // x")},
}


@pytest.mark.parametrize("code", WRONG, ids=lambda code: code.id)
def test_other_wrong_witnesses_are_rejected(code: Code) -> None:
    content = hostile_witnesses.witness(["return x"])
    for place, value in WRONG[code].items():
        change(place, value)(content)
    assert check_witness(content).code is code


def test_a_loss_that_is_overstated_is_rejected() -> None:
    content = document("benchmarks/refuted/laplace.py", "laplace_half")
    content["witness"]["epsilon_at_least"] = 99
    assert check_witness(content).code is Code.WITNESS_LOSS_OVERSTATED


@pytest.mark.parametrize(
    "name",
    ("parameters", "left", "right", "events", "probability_left", "probability_right", "epsilon_at_least"),
)
def test_missing_fields_are_named(name: str) -> None:
    content = document("benchmarks/refuted/laplace.py", "laplace_half")
    del content["witness"][name]
    assert check_witness(content).reason == f"not a witness: 'witness' has no '{name}'"
    del content["witness"]
    assert check_witness(content).reason == "not a witness: the document has no 'witness'"


@pytest.mark.parametrize("parameters", (None, 1, []))
def test_parameters_are_an_object_also_where_there_are_none(parameters: object) -> None:
    content = hostile_witnesses.power(3)
    content["witness"]["parameters"] = parameters
    assert check_witness(content).reason == "not a witness: 'parameters' is no object"


def test_outputs_counted_twice_are_rejected() -> None:
    content = document("benchmarks/refuted/laplace.py", "laplace_half")
    content["witness"]["events"] *= 2
    assert check_witness(content).verdict == INVALID


def test_a_witness_of_another_program_is_rejected() -> None:
    content = document("benchmarks/refuted/laplace.py", "laplace_half")
    content["program"] = content["program"].replace("1 / (2 * eps)", "1 / eps")
    assert check_witness(content).verdict == INVALID


@pytest.mark.parametrize("seed", range(20))
def test_both_methods_agree_on_random_programs(seed: int) -> None:
    rng = random.Random(1000 + seed)
    of = mechanism(random_program(rng))
    inputs: dict[str, object] = {"x": rng.randint(-2, 2)}
    fineness = Fineness(Fraction(1, 4), Decimal("1e-12"), math.inf)
    expected = enumerate_all(of, inputs, 2)
    for event in sorted(expected, key=lambda item: -expected[item])[:3]:
        wish = TargetOutput(event.values, event.lists)  # type: ignore[arg-type]
        other = Backward(of, wish, {}, {}, fineness).chance(inputs)  # type: ignore[arg-type]
        low, high = chance(of, event, **inputs).floats()
        assert float(other.low) <= high and low <= float(other.high)
        assert other.high - other.low < Decimal("1e-6")


@pytest.mark.parametrize("event", [scalar(0), scalar(1)])
def test_both_methods_agree_on_reals(event: Event) -> None:
    of = from_suite("benchmarks/programs/noisy_max.py", "report_noisy_max_real")
    inputs: Inputs = {"q": (Fraction(1, 2), 0), "eps": 2}
    engine = probability(of, inputs, event, COARSE)
    fineness = Fineness(Fraction(1, 2), Decimal("1e-3"), math.inf)
    wish = TargetOutput(event.values, ())  # type: ignore[arg-type]
    other = Backward(of, wish, families(of, inputs), lengths(of, inputs), fineness).chance({"eps": 2})
    low, high = engine.floats()
    assert float(other.low) <= high and low <= float(other.high)
    assert high - low < 0.1 and other.high - other.low < Decimal("0.2")


def test_noise_equals_its_copy() -> None:
    same = mechanism(
        "@mechanism()\ndef f(x: float, s: float) -> int:\n    a = laplace(x, s)\n    b = a\n"
        "    if a - b == 0 and a == b:\n        return 1\n    return 0\n"
    )
    assert chance(same, scalar(1), x=0, s=1).floats()[0] > 0.999
    fineness = Fineness(Fraction(1, 2), Decimal("1e-3"), math.inf)
    assert Backward(same, TargetOutput((1,), ()), {}, {}, fineness).chance({"x": 0, "s": 1}).high > Decimal(
        "0.999"
    )


def test_masses_agree() -> None:
    rng = random.Random(1)
    for _ in range(300):
        law, integer = rng.choice(("laplace", "exponential")), rng.random() < 0.5
        scale = Fraction(rng.randint(1, 9), rng.randint(1, 5))
        low: Any = rng.randint(0 if law == "exponential" else -30, 30)
        high: Any = rng.choice((math.inf, low + rng.randint(0 if integer else 1, 20)))
        ours = mass(law, integer, scale, box_of(low, high))
        theirs = engine_mass(law_of(law, ir.Sort.INT if integer else ir.Sort.REAL, scale), low, high)
        middle = float(theirs.mid())
        assert float(ours.low) <= middle * (1 + 1e-12) and middle * (1 - 1e-12) <= float(ours.high)
        assert ours.high - ours.low < Decimal("1e-30")


@pytest.mark.parametrize("scaled", ["-c * y", "y * -c", "y / -d", "0 - c * y"])
def test_noise_without_end_times_a_tiny_number_keeps_its_sign(scaled: str) -> None:
    text = (
        'from synth.lang import *\n\n\n@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1")\n'
        "def f(x: float, c: float, d: float) -> bool:\n"
        f"    y = laplace(x, 1)\n    z = {scaled}\n    return z < 0\n"
    )
    witness = {
        "parameters": {"c": "1e-400", "d": "1" + "0" * 400},
        "left": {"x": "0"},
        "right": {"x": "-1"},
        "events": [{"values": [True], "lists": []}],
        "probability_left": [0, 1],
        "probability_right": [0, 1],
        "epsilon_at_least": 1,
    }
    false = {"kind": "witness", "program": text, "mechanism": "f", "epsilon": None, "delta": None}
    assert check_witness({**false, "witness": witness}).verdict != VALID
    true = check_witness({**false, "epsilon": "0.9", "witness": {**witness, "epsilon_at_least": 0.9}})
    assert true.verdict == VALID and true.found is not None
    half, less = Decimal("0.5"), Decimal(-1).exp() / 2
    assert abs(true.found.left.low - half) < Decimal("1e-6") > abs(true.found.right.high - less)


@pytest.mark.parametrize(
    ("test", "then", "otherwise"),
    [("b", "z > 3", "z > 0"), ("not b", "z > 0", "z > 3"), ("b and z < 9", "z > 3", "z > 0")],
)
def test_a_truth_value_that_noise_chooses_is_not_known(test: str, then: str, otherwise: str) -> None:
    text = (
        'from synth.lang import *\n\n\n@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1")\n'
        "def f(x: int) -> bool:\n    y = laplace(0.0, 1)\n    z = laplace(0.0, 1)\n"
        f"    b = x < 0 if y > 0 else x > 5\n    if {test}:\n        return {then}\n    return {otherwise}\n"
    )
    false = {
        "parameters": {},
        "left": {"x": 0},
        "right": {"x": -1},
        "events": [{"values": [True], "lists": []}],
        "probability_left": [0, 1],
        "probability_right": [0, 1],
        "epsilon_at_least": 1,
    }
    document = {"kind": "witness", "program": text, "mechanism": "f", "epsilon": None, "delta": None}
    assert check_witness({**document, "witness": false}).verdict == INVALID
