"""Real Gaussian noise: squares of distance/sigma are counted, summed up over parts, and paid for at once; or
each use pays its own ε and δ.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID, VALID, check
from tests.support.cores import with_program
from tests.support.handmade import edited
from tests.support.proving import proof_of

Json = dict[str, Any]
HEAD = (
    'from synth.lang import *\n\n@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)\n'
)
LOOP = HEAD + (
    "def f(x: float) -> list[float]:\n"
    "    out = []\n"
    "    for i in range(2):\n"
    "        out.append(gaussian(x, 5.28))\n"
    "    return out\n"
)
"""The least sigma is 5.2759."""
PARTS = HEAD + (
    "def f(x: float) -> tuple[float, float]:\n"
    "    y = gaussian(x, 5.28)\n"
    "    z = gaussian(x, 5.28)\n"
    "    return y, z\n"
)
COIN = HEAD.replace("epsilon=1", "epsilon=2") + (
    "def f(x: float, t: float) -> list[float]:\n"
    "    out = []\n"
    "    for i in range(2):\n"
    "        c = bernoulli(1 / 2)\n"
    "        l = laplace(t, 1)\n"
    "        out.append(gaussian(x, 5.28))\n"
    "    return out\n"
)
PAIRS = """from math import log, sqrt

from synth.lang import *


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < a <= 1 and 0 < b <= 1 and 0 < c < 1 and 0 < d < 1 and n >= 0",
    epsilon="a + n * b",
    delta="c + n * d",
)
def f(x: float, n: int, a: float, b: float, c: float, d: float) -> list[float]:
    out = [gaussian(x, sqrt(2 * log(1.25 / c)) / a)]
    for i in range(n):
        out.append(gaussian(x, sqrt(2 * log(1.25 / d)) / b))
    return out
"""
"""Each use costs what it was calibrated to."""
EACH = "(/ 1.0 (* 5.28 5.28))"


def _walk(node: Json, rule: str) -> list[Json]:
    inner = [item for part in node.get("premises", []) for item in _walk(part, rule)]
    return [node, *inner] if node["rule"] == rule else inner


def _draw(data: Json, rule: str = "Norm") -> Json:
    (node,) = _walk(data["derivation"], rule)
    return node


def _about(data: Json, text: str) -> Json:
    """The certificate with another program."""
    return with_program(data, edited(data, "program", **_program(text))["program"])


def _verdict(data: Json) -> tuple[str, str | None]:
    found = check(json.dumps(data))
    return found.verdict, found.rule


def _unclaimed(text: str) -> Json:
    """The certificate of a program without its claims, which are at most those of the text."""
    data: Json = json.loads(proof_of(text))
    data["claim"] = {"epsilon": "100", "delta": "0.5"}
    return data


@pytest.mark.parametrize("text", [LOOP, PARTS, COIN], ids=["loop", "parts", "coin"])
def test_what_is_found_is_valid(text: str) -> None:
    data = json.loads(proof_of(text))
    assert "square" in data["gaussian"]
    assert check(json.dumps(data), ("cvc5", "z3")).verdict == VALID


def test_parts_pay_together() -> None:
    data = json.loads(proof_of(PARTS))
    assert [part["proved"] for part in data["parts"]] == [{"epsilon": "0.0", "delta": "0"}] * 2
    assert all("square" in part["gaussian"] for part in data["parts"])


FORGERIES: dict[str, tuple[str, Callable[[Json], object]]] = {
    "one use is not counted": ("Return", lambda data: data["costs"]["cost#0"].update(bound="1")),
    "no use is counted": ("Return", lambda data: data["costs"]["cost#0"].update(bound="0")),
    "a unit is too small": ("Norm", lambda data: data["costs"]["cost#0"].update(square=f"(* 0.99 {EACH})")),
    "a unit is negative": ("Norm", lambda data: data["costs"]["cost#0"].update(square=f"(- {EACH})")),
    "an amount is too small": ("Norm", lambda data: _draw(data).update(amount="0")),
    "an amount is negative": ("Norm", lambda data: _draw(data).update(amount="(- 1)")),
    "the distance is larger": ("Norm", lambda data: _draw(data).update(within="0.9")),
    "the distance is not paid for": ("Norm", lambda data: _draw(data).pop("cost")),
    "the distance is that of the secret": ("Norm", lambda data: _draw(data).update(within="|x<1>|")),
    "the sum is too large": ("Forall-Eq", lambda data: data["gaussian"].update(square=f"(* 1.99 {EACH})")),
    "there is no sum": ("Forall-Eq", lambda data: data.pop("gaussian")),
    "epsilon is too small": (
        "Norm",
        lambda data: (data["gaussian"].update(epsilon="0.99"), data["proved"].update(epsilon="0.99")),
    ),
    "epsilon is negative": (
        "Norm",
        lambda data: (data["gaussian"].update(epsilon="(- 1.0)"), data["proved"].update(epsilon="0.0")),
    ),
    "delta is too small": ("Norm", lambda data: data["gaussian"].update(delta="0.000009")),
    "delta is negative": ("Norm", lambda data: data["gaussian"].update(delta="(- 1.0)")),
    "delta is left out": ("Norm", lambda data: data["gaussian"].pop("delta")),
    "epsilon is not in the bound": ("Forall-Eq", lambda data: data["proved"].update(epsilon="0.99")),
    "delta is not in the bound": ("Forall-Eq", lambda data: data["proved"].update(delta="0.0000099")),
    "noise pays by the use": (
        "Norm",
        lambda data: data["costs"].update(
            {"cost#0": {"sort": "Int", "weight": "0.5", "delta": "0.000005", "bound": "2"}}
        ),
    ),
    "noise pays twice": (
        "Norm",
        lambda data: (
            data["costs"].update({"cost#0": {"sort": "Int", "weight": "50.0", "delta": "0.1", "bound": "2"}}),
            _draw(data).update(amount="2"),
        ),
    ),
    "noise pays nothing": (
        "Norm",
        lambda data: data["costs"].update({"cost#0": {"sort": "Int", "weight": "0.0", "bound": "2"}}),
    ),
    "squares are reals": ("While", lambda data: data["costs"]["cost#0"].update(sort="Real")),
    "squares lose mass, too": ("Schema", lambda data: data["costs"]["cost#0"].update(delta="0.1")),
    "squares have an order": ("Schema", lambda data: data["costs"]["cost#0"].update(order=["x", True])),
    "what is lost depends on the output": (
        "Norm",
        lambda data: data["events"].update({"next#branch.0.0": "Bool"}),
    ),
    "the shift depends on the draw": (
        "Norm",
        lambda data: _draw(data).update(k="(- |draw%1<1>| |draw%1<1>|)"),
    ),
    "the noise has cases": (
        "Case",
        lambda data: _draw(data).update(
            {
                "rule": "Case",
                "when": ["true"],
                "premises": [{"rule": "Norm", "k": "null"}, {"rule": "Norm", "k": "null"}],
            }
        ),
    ),
    "a price per run": ("Norm", lambda data: data["costs"]["cost#0"].update(square="(* |x<1>| |x<1>|)")),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_certificate_is_refused(name: str) -> None:
    """The claim is so weak that it says nothing, so what is refused is the derivation."""
    rule, forge = FORGERIES[name]
    data = _unclaimed(LOOP)
    assert _verdict(data) == (VALID, None)
    forge(data)
    verdict, found = _verdict(data)
    assert verdict == INVALID
    assert found in (rule, "Forall-Eq" if rule == "Norm" else rule, "Case")


@pytest.mark.parametrize("sigma", ["5.27", "0.1"])
def test_less_noise_than_the_certificate_is_for(sigma: str) -> None:
    data = json.loads(proof_of(LOOP))
    data = _about(data, LOOP.replace("5.28", sigma))
    assert _verdict(data) == (INVALID, "Norm")


def test_one_more_round_than_the_certificate_is_for() -> None:
    data = _about(json.loads(proof_of(LOOP)), LOOP.replace("range(2)", "range(3)"))
    assert _verdict(data)[0] == INVALID


def test_integers_have_no_squares() -> None:
    """The sum of squares is shown for real noise only."""
    data = _about(json.loads(proof_of(LOOP)), LOOP.replace("float", "int"))
    (loop,) = _walk(data["derivation"], "While")
    loop["invariant"] = []
    _draw(data).update(k="0")
    found = check(json.dumps(data))
    assert (found.verdict, found.rule) == (INVALID, "Norm")
    assert found.reason is not None and "on the integers" in found.reason


def test_only_noise_pays_squares() -> None:
    """An amount of no nats might be negative, and hide what the noise has added."""
    forgeries: list[tuple[str, Json]] = [
        ("Chance", {"free": [], "pays": [[0, 0, "cost#0", "(- 5)"]]}),
        ("LapGen", {"k": "0", "within": "0.0", "cost": "cost#0", "amount": "(- 5)"}),
        ("LapGen", {"k": "0", "cost": "cost#0", "amount": "distance"}),
        ("LapGen", {"k": "0", "within": "0.0", "tail": ["above", "0.0", "cost#0"]}),
    ]
    for rule, fields in forgeries:
        data = _unclaimed(COIN)
        (square,) = (name for name, cost in data["costs"].items() if "square" in cost)
        assert square == "cost#0"
        wanted = ("Chance", "Choice") if rule == "Chance" else ("LapGen", "LapInt")
        (node,) = [item for name in wanted for item in _walk(data["derivation"], name)]
        line = node.get("line")
        node.clear()
        node.update({"rule": rule, "line": line, **fields})
        assert _verdict(data)[0] == INVALID, rule


def _pairs() -> tuple[Json, str, Json]:
    """The certificate with pairs; the cost of the loop, and the draw that counts in it."""
    data = json.loads(proof_of(PAIRS))
    data["claim"] = {"epsilon": "1 + n", "delta": "1 + n"}
    (looped,) = _walk(data["derivation"], "While")
    (node,) = _walk(looped, "Norm")
    return data, node["cost"], node


def test_each_use_pays_its_own_pair() -> None:
    data, name, _ = _pairs()
    assert "gaussian" not in data
    assert {"weight", "delta"} <= data["costs"][name].keys()
    assert check(json.dumps(data), ("cvc5", "z3")).verdict == VALID


PAIRS_FORGED: dict[str, tuple[str, Callable[[Json, str, Json], object]]] = {
    "epsilon is too small": (
        "weight and delta pay",
        lambda data, name, node: data["costs"][name].update(weight="(* 0.5 |b<>|)"),
    ),
    "delta is too small": (
        "weight and delta pay",
        lambda data, name, node: data["costs"][name].update(delta="(* 0.5 |d<>|)"),
    ),
    "delta is negative": (
        "weight and delta pay",
        lambda data, name, node: data["costs"][name].update(delta="(- |d<>|)"),
    ),
    "nothing is lost": (
        "weight and delta pay",
        lambda data, name, node: data["costs"][name].pop("delta"),
    ),
    "one use is not counted": (
        "within its bound",
        lambda data, name, node: data["costs"][name].update(bound="(- |n<>| 1)"),
    ),
    "uses count nothing": ("counts squares, or 1", lambda data, name, node: node.update(amount="0")),
    "uses count down": ("counts squares, or 1", lambda data, name, node: node.update(amount="(- 1)")),
    "uses add up nats": (
        "",
        lambda data, name, node: data["costs"].update(
            {name: {"sort": "Real", "weight": "|b<>|", "bound": "(to_real |n<>|)"}}
        ),
    ),
    "the distance is larger": (
        "within what is paid for",
        lambda data, name, node: node.update(within="0.5"),
    ),
    "there is no distance": ("", lambda data, name, node: node.update(within="0.0")),
    "the distance is not paid for": ("", lambda data, name, node: node.pop("cost")),
    "there is no such cost": ("", lambda data, name, node: node.update(cost="cost#7")),
    "what is lost depends on the output": (
        "must not depend on the output",
        lambda data, name, node: data["events"].update({"next#branch.0.0": "Bool"}),
    ),
    "what is lost is not in the bound": (
        "",
        lambda data, name, node: data["proved"].update(delta="|c<>|"),
    ),
    "epsilon is not in the bound": (
        "",
        lambda data, name, node: data["proved"].update(epsilon="|a<>|"),
    ),
}


@pytest.mark.parametrize("name", PAIRS_FORGED)
def test_a_forged_pair_is_refused(name: str) -> None:
    said, forge = PAIRS_FORGED[name]
    data, cost, node = _pairs()
    forge(data, cost, node)
    found = check(json.dumps(data))
    assert found.verdict == INVALID
    assert said in (found.reason or "")


@pytest.mark.parametrize(
    "change", [("1.25 / d", "1.01 / d"), (")) / b", ")) / (9 * b)"), ("b <= 1", "b <= 9")]
)
def test_less_noise_than_the_pairs_are_for(change: tuple[str, str]) -> None:
    data, _, _ = _pairs()
    assert _verdict(_about(data, PAIRS.replace(*change))) == (INVALID, "Norm")


def test_a_part_leaves_its_noise_to_the_whole() -> None:
    data = _unclaimed(PARTS)
    for fields in ({"epsilon": "1.0", "delta": "0.00001"}, {"epsilon": "(- 1.0)"}, {"delta": "0.0"}):
        wrong = json.loads(json.dumps(data))
        wrong["parts"][0]["gaussian"] |= fields
        assert _verdict(wrong) == (INVALID, "Schema")


@pytest.mark.parametrize("place", [0, 1])
def test_no_part_is_left_out(place: int) -> None:
    data = _unclaimed(PARTS)
    del data["parts"][place]["gaussian"]
    assert _verdict(data) == (INVALID, "Forall-Eq")


def test_the_whole_pays_for_all_parts() -> None:
    for change, rule in (
        ({"square": EACH}, "Compose"),
        ({"epsilon": "0.9"}, "Norm"),
        ({"delta": "0.000009"}, "Norm"),
    ):
        data = _unclaimed(PARTS)
        data["gaussian"] |= change
        assert _verdict(data) == (INVALID, rule)
    data = _unclaimed(PARTS)
    del data["gaussian"]
    assert _verdict(data) == (INVALID, "Compose")
    data = _unclaimed(PARTS)
    data["proved"]["epsilon"] = "0.5"
    assert _verdict(data) == (INVALID, "Compose")


def test_the_squares_of_a_part_are_public() -> None:
    """What a part costs may not depend on what the parts before it published."""
    data = _unclaimed(PARTS)
    data["parts"][1]["gaussian"]["square"] = "(+ 1.0 (* |y<>| |y<>|))"
    assert _verdict(data)[0] == INVALID


def _program(text: str) -> Json:
    import hashlib

    return {"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
