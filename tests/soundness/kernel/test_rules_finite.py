"""[Chance], [Choice] and [Norm]: forged certificates of draws with known chances are refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID, VALID, check
from tests.support.cores import with_program
from tests.support.proving import proof_of

HEAD = "from synth.lang import *\nfrom math import exp\n\n"
RESPONSE = HEAD + (
    '@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0")\n'
    "def f(bit: bool, eps: float) -> bool:\n"
    "    return randomized_response(bit, eps)\n"
)
BEST = HEAD + (
    '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")\n'
    "def f(q: Callable[[int], int], n: int, eps: float) -> int:\n"
    "    return exponential_mechanism(n, q, eps, 1)\n"
)
NORMAL = HEAD + (
    '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)\n'
    "def f(x: float) -> float:\n"
    "    return gaussian(x, 4)\n"
)
INTEGER = NORMAL.replace("float", "int")
SUM = HEAD + (
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
    "def f(x: int, p: float, eps: float):\n"
    "    k = uniform_int(0, 1) + uniform_int(0, 2)\n"
    "    if bernoulli(0.5 + p - p):\n"
    "        k = 0\n"
    "    if k > 1:\n"
    "        k += laplace(x, 1 / eps)\n"
    "    return k\n"
)
RATED = HEAD + (
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")\n'
    "def f(x: float, n: int, eps: float) -> int:\n"
    "    y = laplace(x, 1 / eps)\n"
    "    return exponential_mechanism(n, lambda r: r, abs(y) + 1, 1)\n"
)
ONE_BIT = HEAD + (
    '@mechanism(adjacent={"x": discrete_distance()})\n'
    "def f(x: float) -> bool:\n"
    "    u = min(max(x, -1), 1)\n"
    "    return bernoulli((2 + u) / 4)\n"
)


FORGED = Path(__file__).parent / "forged"


def _parts(text: str, rule: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The certificate of a program, and the node of a rule in it."""
    certificate: dict[str, Any] = json.loads(proof_of(text))
    (node,) = (item for item in certificate["derivation"]["premises"] if item["rule"] == rule)
    return certificate, node


@pytest.mark.parametrize(
    "text",
    [RESPONSE, BEST, NORMAL, INTEGER, SUM],
    ids=["chance", "choice", "norm", "integers", "chances by the value"],
)
def test_what_is_found_is_valid(text: str) -> None:
    assert check(proof_of(text), ("cvc5", "z3")).verdict == VALID


def _verdict(certificate: dict[str, Any]) -> tuple[str, str | None]:
    verdict = check(json.dumps(certificate))
    return verdict.verdict, verdict.rule


def test_a_pair_that_costs_something_is_not_free() -> None:
    certificate, node = _parts(RESPONSE, "Chance")
    node["free"] += [[i, j] for i, j, *_ in node["pays"]]
    node["pays"] = []
    assert _verdict(certificate) == (INVALID, "Chance")


def test_a_pair_that_occurs_is_not_left_out() -> None:
    certificate, node = _parts(RESPONSE, "Chance")
    node["pays"] = []
    assert _verdict(certificate) == (INVALID, "Chance")


def test_no_outcome_can_be_free() -> None:
    certificate, node = _parts(RESPONSE, "Chance")
    node["free"] += [[0, 4]]
    assert _verdict(certificate) == (INVALID, "Chance")


def test_too_little_is_paid_for_a_chance() -> None:
    certificate, _ = _parts(RESPONSE, "Chance")
    certificate["costs"]["cost#0"]["weight"] = "(* (/ 1.0 2.0) |eps<>|)"
    certificate["proved"]["epsilon"] = "(* (/ 1.0 2.0) |eps<>|)"
    assert _verdict(certificate) == (INVALID, "Chance")


def test_entries_of_another_form() -> None:
    for change in ([0], [0, 1, 2], "x", [0, 1, "cost#9", "1"], [True, False]):
        certificate, node = _parts(RESPONSE, "Chance")
        node["pays"] = [change]
        assert _verdict(certificate)[0] == INVALID


def test_a_pair_pays_once() -> None:
    certificate, node = _parts(RESPONSE, "Chance")
    node["pays"] *= 2
    assert _verdict(certificate) == (INVALID, "Chance")


def test_chances_by_the_value_that_differ_are_not_free() -> None:
    """What is the chance of each value, while it is public, says nothing once it is private."""
    certificate = json.loads(proof_of(SUM))
    private = SUM.replace('{"x"', '{"p": absolute_distance(1), "x"').replace("p - p", "p")
    program = certificate["program"]
    program["text"], program["sha256"] = private, hashlib.sha256(private.encode()).hexdigest()
    assert _verdict(with_program(certificate, program)) == (INVALID, "Chance")


# --- private chances ------------------------------------------------------------------------


def test_private_chances_that_are_found_are_valid() -> None:
    certificate, node = _parts(ONE_BIT, "Chance")
    assert node["times"] == [[0, 0, "3.0"], [1, 1, "3.0"]]
    assert check(json.dumps(certificate), ("cvc5", "z3")).verdict == VALID


@pytest.mark.parametrize(
    "most", ["2.9", "3.1", "(- 3.0)", "0.0", "(/ 3.0 0.0)", "|x<1>|", "|u<2>|", "(+ 3.0 0.0)", "true"]
)
def test_another_number_for_private_chances(most: str) -> None:
    """It is at least the ratio of the chances, at most what is paid, and a number."""
    certificate, node = _parts(ONE_BIT, "Chance")
    node["times"][0][2] = most
    assert _verdict(certificate)[0] == INVALID


def test_private_chances_need_a_number() -> None:
    certificate, node = _parts(ONE_BIT, "Chance")
    del node["times"][1]
    assert _verdict(certificate) == (INVALID, "Chance")


def test_private_chances_are_not_free() -> None:
    certificate, node = _parts(ONE_BIT, "Chance")
    node["free"], node["pays"] = [[0, 0], [1, 1]], []
    assert _verdict(certificate) == (INVALID, "Chance")


def test_too_little_is_paid_for_private_chances() -> None:
    certificate, _ = _parts(ONE_BIT, "Chance")
    (cost,) = certificate["costs"].values()
    cost["weight"] = certificate["proved"]["epsilon"] = "(|log:Real| 2.9)"
    assert _verdict(certificate) == (INVALID, "Chance")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(2 + u) / 4", "(2 + u) / 3.5"),
        ("(2 + u) / 4", "(2 + x - x) / 4 + u / 3"),
        ("-1), 1", "-2), 1"),
        (", 1)", ", 2)"),
    ],
)
def test_chances_of_a_wider_range_need_more(old: str, new: str) -> None:
    certificate, _ = _parts(ONE_BIT, "Chance")
    other = ONE_BIT.replace(old, new)
    program = certificate["program"]
    program["text"], program["sha256"] = other, hashlib.sha256(other.encode()).hexdigest()
    assert _verdict(with_program(certificate, program))[0] == INVALID


def test_the_count_of_private_chances_is_bounded() -> None:
    """Where run 1's chance is larger, the cost grows: a bound of 0 is not shown."""
    certificate, _ = _parts(ONE_BIT, "Chance")
    (cost,) = certificate["costs"].values()
    cost["bound"], certificate["proved"]["epsilon"] = "0", "0.0"
    assert _verdict(certificate) == (INVALID, "Return")


def test_a_choice_is_not_free() -> None:
    certificate, node = _parts(BEST, "Choice")
    for field in ("cost", "within", "amount"):
        del node[field]
    assert _verdict(certificate) == (INVALID, "Choice")


def test_scores_change_more() -> None:
    certificate, node = _parts(BEST, "Choice")
    node["within"] = "1.0"
    assert _verdict(certificate) == (INVALID, "Choice")


def test_too_little_is_paid_for_a_choice() -> None:
    certificate, _ = _parts(BEST, "Choice")
    certificate["costs"]["cost#0"]["weight"] = "(* (/ 1.0 2.0) |eps<>|)"
    certificate["proved"]["epsilon"] = "(* (/ 1.0 2.0) |eps<>|)"
    assert _verdict(certificate) == (INVALID, "Choice")


def test_the_rate_is_the_same_in_both_runs() -> None:
    """A choice by public scores is free only if their weight is public, too."""
    certificate = json.loads(proof_of(BEST))
    program = certificate["program"]
    program["text"], program["sha256"] = RATED, hashlib.sha256(RATED.encode()).hexdigest()
    certificate = with_program(certificate, program)
    certificate["costs"], certificate["proved"]["epsilon"] = {}, "0.0"
    rules = ["Skip", "Skip", "LapGen", "Skip", "Skip", "Choice", "Return"]
    premises = [{"rule": rule, **({"k": "null"} if rule == "LapGen" else {})} for rule in rules]
    certificate["derivation"] = {"rule": "Seq", "premises": premises}
    verdict = check(json.dumps(certificate))
    assert (verdict.verdict, verdict.rule) == (INVALID, "Choice")
    assert verdict.reason is not None and "alike" in verdict.reason


@pytest.mark.parametrize(
    ("field", "value"), [("delta", "0.000009"), ("weight", "0.9")], ids=["delta", "epsilon"]
)
def test_too_little_is_paid_for_integer_noise(field: str, value: str) -> None:
    certificate, _ = _parts(INTEGER.replace("(x, 4)", "(x, 3.75)"), "Norm")
    certificate["costs"]["cost#0"][field] = value
    if field == "weight":
        certificate["proved"]["epsilon"] = value
    else:
        certificate["proved"]["delta"] = value
    assert _verdict(certificate) == (INVALID, "Norm")


def test_integer_noise_without_delta() -> None:
    certificate, _ = _parts(INTEGER, "Norm")
    del certificate["costs"]["cost#0"]["delta"]
    assert _verdict(certificate) == (INVALID, "Norm")


def test_delta_is_within_the_claim() -> None:
    certificate, _ = _parts(NORMAL, "Norm")
    certificate["claim"]["delta"] = "0.000001"
    assert _verdict(certificate) == (INVALID, "Conseq")


def test_no_guard_beside_delta() -> None:
    """What is lost must not depend on the output."""
    certificate, node = _parts(NORMAL, "Norm")
    inner = dict(node)
    del inner["line"]
    node.clear()
    node |= {"rule": "Case", "when": ["true"], "premises": [inner, inner]}
    assert _verdict(certificate) == (INVALID, "Case")


STABLE = HEAD.replace("exp", "log") + (
    '@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2",\n'
    '           epsilon="eps", delta="delta")\n'
    "def f(count: int, eps: float, delta: float) -> int:\n"
    "    noisy = laplace(count, 1 / eps)\n"
    "    if count > 0 and noisy > 1 + log(1 / delta) / eps:\n"
    "        return noisy\n"
    "    return 0\n"
)


def _tail() -> tuple[dict[str, Any], dict[str, Any]]:
    certificate: dict[str, Any] = json.loads(proof_of(STABLE))
    (node,) = (item for item in certificate["derivation"]["premises"] if "tail" in item)
    return certificate, node


def test_a_tail_is_given_up() -> None:
    assert check(proof_of(STABLE)).verdict == VALID


@pytest.mark.parametrize("limit", ["0.0", "(- 1.0)", "(* (/ 1.0 2.0) |eps<>|)"])
def test_a_tail_has_its_price(limit: str) -> None:
    certificate, node = _tail()
    node["tail"] = [node["tail"][0], limit, node["tail"][2]]
    assert _verdict(certificate) in ((INVALID, "Case"), (INVALID, "LapGen"))


def test_a_tail_is_counted() -> None:
    certificate, node = _tail()
    certificate["costs"][node["tail"][2]]["bound"] = "0"
    certificate["proved"]["delta"] = "0"
    assert _verdict(certificate)[0] == INVALID


def test_a_lost_mass_is_declared() -> None:
    certificate, node = _tail()
    del certificate["costs"][node["tail"][2]]["delta"]
    assert _verdict(certificate)[0] == INVALID


def test_a_malformed_tail() -> None:
    for wrong in (
        ["below", "1.0", "cost#0"],
        ["above", "1.0", "cost#7"],
        ["above", "|count<1>|", "cost#0"],
        "x",
    ):
        certificate, node = _tail()
        node["tail"] = wrong
        assert _verdict(certificate)[0] == INVALID


@pytest.mark.parametrize("path", sorted(FORGED.glob("*.json")), ids=lambda path: path.stem)
def test_forged_by_an_adversary(path: Path) -> None:
    assert check(path.read_text(encoding="utf-8")).verdict == INVALID
