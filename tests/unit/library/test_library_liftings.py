"""synth.lifting: decisions with their evidence, of mechanisms and of mappings."""

from __future__ import annotations

import pickle
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest

import synth
from tests import ROOT
from tests.unit.app.invocation import Write, invoke_apart

pytestmark = pytest.mark.usefixtures("loaded_hosts")

K_RR = f"{ROOT / 'benchmarks/programs/finite.py'}::k_rr"
GIVEN = {"secret": 0, "k": 3, "eps": Fraction(1, 3)}
HALF = Fraction(1, 2)


def test_a_mechanism_is_decided_as_by_the_command() -> None:
    inputs = ("--input", "secret=0", "--input", "k=3", "--input", "eps=1/3", "--neighbour", "secret=1")
    for epsilon, verdict in (("eps", "related"), ("eps/2", "not related")):
        found = synth.lifting(K_RR, input=GIVEN, neighbour={"secret": 1}, epsilon=epsilon)
        (row,) = invoke_apart("lifting", K_RR, *inputs, "--epsilon", epsilon, "--json").results()
        assert found.verdict == row["verdict"] == verdict
        assert (found.mechanism, found.adjacent, str(found.bound)) == ("k_rr", True, f"({epsilon}, 0)")
        assert found.inputs == (GIVEN, {**GIVEN, "secret": 1})
        if found.coupling is not None:
            assert [pair.left for pair in found.coupling] == [pair["left"] for pair in row["coupling"]]
            assert found.separating_set is None and found.missing == 0
        else:
            assert found.separating_set is not None and found.missing is None
            assert list(found.separating_set.left) == row["cut"]["left"] == [0]
            assert list(found.separating_set.mass_left) == row["cut"]["mass_left"]  # type: ignore[arg-type]


def test_the_sides_are_not_exchanged() -> None:
    """What is related to something on the left only is lost in one direction alone."""
    assert synth.lifting({"a": 1}, {"a": HALF, "b": HALF}, epsilon="log(2)").verdict == "related"
    found = synth.lifting({"a": HALF, "b": HALF}, {"a": 1}, epsilon="log(2)", delta="0.499")
    assert found.separating_set is not None
    assert (found.separating_set.left, found.separating_set.right) == (("b",), ())
    assert found.separating_set.mass_left == HALF and found.separating_set.mass_right == 0
    assert found.separating_set.allowed == Fraction(499, 1000)


def test_the_coupling_is_one() -> None:
    """Values are whatever a mapping can hold: they come back themselves."""
    place = Path("x")
    left, right = {(1, 2): "1/3", None: "1/3", "c": "1/3"}, {place: 0.5, 7: "1/6"}
    pairs = [((1, 2), place), (None, place), (None, 7), ("c", 7)]
    found = synth.lifting(left, right, relation=iter(pairs), epsilon=0.5, delta="0.06")
    assert found.verdict == "related" and found.coupling is not None and found.mechanism is None
    sent: dict[Any, Fraction] = dict.fromkeys([*left, *right], Fraction(0))
    for pair in found.coupling:
        assert (pair.left, pair.right) in pairs
        assert isinstance(pair.mass_left, Fraction) and isinstance(pair.mass_right, Fraction)
        assert pair.mass_left <= Fraction(exp(0.5)) * pair.mass_right
        sent[pair.left] += pair.mass_left
        sent[pair.right] += pair.mass_right
    assert all(sent[value] <= Fraction(mass) for value, mass in [*left.items(), *right.items()])
    assert 1 - sum(sent[value] for value in left) == found.missing
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(TypeError, match=r"Lifting\.verdict"):
        bool(found)


@pytest.mark.parametrize(
    ("left", "right", "epsilon", "delta", "verdict"),
    [
        ({}, {}, 0, None, "related"),
        ({1: HALF}, {}, 0, HALF, "related"),
        ({1: 1}, {}, 5, "0.999", "not related"),
        ({1: "1/3"}, {1: Fraction(1, 3)}, 0, None, "related"),
        ({1: "1/3"}, {1: 0.3333333333333333}, 0, None, "not related"),
        ({1: 0.1}, {1: "1/10"}, 0, None, "related"),
        ({1: 1}, {"1": 1}, 0, None, "not related"),
    ],
)
def test_numbers_are_exact(left: Any, right: Any, epsilon: Any, delta: Any, verdict: str) -> None:
    assert synth.lifting(left, right, epsilon=epsilon, delta=delta).verdict == verdict


def test_noise_at_the_least_epsilon_is_undecided(write: Write) -> None:
    path = write(
        "p.py",
        "from synth.lang import *\n\n\n"
        '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")\n'
        "def above(x: int, eps: float) -> bool:\n    return laplace(x, 1 / eps) > 0\n",
    )
    found = synth.lifting(path, input={"x": 0, "eps": 1}, neighbour={"x": 1})
    assert found.verdict == "undecided" and found.coupling is None and found.separating_set is None
    assert isinstance(found.missing, tuple) and 0 < found.missing[0] <= found.missing[1] < 1e-30


@pytest.mark.parametrize(
    ("given", "options", "says"),
    [
        (({}, {}), {}, "epsilon is needed"),
        (({}, {}), {"epsilon": -1}, "epsilon is negative"),
        (({}, {}), {"epsilon": 1, "delta": "-1"}, "delta"),
        (({}, {}), {"epsilon": "x"}, "epsilon x: "),
        (
            ({}, []),
            {"epsilon": 1},
            "right is a mapping from values to probabilities, not a value of type list",
        ),
        (({1: -1}, {}), {"epsilon": 1}, "left: 1: a probability is between 0 and 1"),
        (({1: True}, {}), {"epsilon": 1}, "left: 1: a probability is needed"),
        (({1: "1/0"}, {}), {"epsilon": 1}, "left: 1: a division by 0"),
        (({1: "x"}, {}), {"epsilon": 1}, "left: 1: a probability is needed"),
        (({1: [1]}, {}), {"epsilon": 1}, "left: 1: a probability is needed"),
        (({1: None}, {}), {"epsilon": 1}, "left: 1 is a number"),
        (({}, {1: 0.5, 2: "0.6"}), {"epsilon": 1}, "right: the probabilities sum to more than 1"),
        (({1: 1}, {1: 1}), {"epsilon": 1, "relation": "order"}, "relation is 'equality' or pairs"),
        (({1: 1}, {1: 1}), {"epsilon": 1, "relation": {1: 1}}, "relation is 'equality' or pairs"),
        (({1: 1}, {1: 1}), {"epsilon": 1, "relation": [(1, 1), (1, 2)]}, "relation: pair 2: "),
        (({1: 1}, {1: 1}), {"epsilon": 1, "relation": [([], 1)]}, "relation: pair 1: "),
        (({"a": 1}, {"b": 1}), {"epsilon": 1, "relation": ["ab"]}, "relation: pair 1: "),
        (({}, {}), {"epsilon": 1, "input": {}}, "input and neighbour are for mechanisms"),
        ((K_RR,), {"epsilon": 1}, "a mechanism needs input and neighbour"),
        ((K_RR,), {"input": GIVEN, "neighbour": {"secret": 1}, "relation": []}, "its relation is equality"),
        ((K_RR,), {"input": GIVEN, "neighbour": {"other": 1}}, "no such parameter 'other'"),
    ],
)
def test_wrong_calls(given: tuple[Any, ...], options: dict[str, Any], says: str) -> None:
    with pytest.raises(synth.UsageError) as error:
        synth.lifting(*given, **options)
    assert says in str(error.value) and not str(error.value).startswith("--")
