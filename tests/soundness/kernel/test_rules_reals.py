"""[Chance] and [Safe] over the reals: what is given is shown of both runs, and what follows of all reals."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID, VALID, check
from tests.support.cores import with_program
from tests.support.proving import proof_of

HEAD = "from synth.lang import *\nfrom math import exp\n\n"
MEAN = HEAD + (
    '@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0")\n'
    "def f(x: float, eps: float) -> bool:\n"
    "    u = min(max(x, -1), 1)\n"
    "    return bernoulli(1 / 2 + u * (exp(eps) - 1) / (2 * (exp(eps) + 1)))\n"
)
LOGISTIC = HEAD + (
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
    "def f(x: float, eps: float) -> bool:\n"
    "    return bernoulli(1 / (1 + exp(-eps * x)))\n"
)
ENTRIES = HEAD + (
    '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2")\n'
    "def f(q: list[float], eps: float) -> bool:\n"
    "    return bernoulli(exp(eps * q[0] / 2) / (exp(eps * q[0] / 2) + exp(eps * q[1] / 2)))\n"
)
RELEASED = HEAD + (
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and m > 0")\n'
    "def f(x: float, m: float, eps: float) -> bool:\n"
    "    u = min(max(x, 0), m)\n"
    "    p = 1 / (exp(eps) + 1) + (u / m) * (exp(eps) - 1) / (exp(eps) + 1)\n"
    "    return bernoulli(p)\n"
)
BOTH = ("cvc5", "z3")
ALL = {"mean": MEAN, "logistic": LOGISTIC, "entries": ENTRIES, "released": RELEASED}


@cache
def _text(program: str) -> str:
    return proof_of(program)


def _proof(program: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The certificate that is found of a program, and its node of [Chance]."""
    certificate: dict[str, Any] = json.loads(_text(program))
    (node,) = (item for item in certificate["derivation"]["premises"] if item["rule"] == "Chance")
    return certificate, node


def _verdict(certificate: dict[str, Any]) -> tuple[str, str | None]:
    verdict = check(json.dumps(certificate), milliseconds=2000)
    return verdict.verdict, verdict.rule


def _of_program(certificate: dict[str, Any], text: str) -> dict[str, Any]:
    """The certificate with another program."""
    program = certificate["program"]
    program["text"], program["sha256"] = text, hashlib.sha256(text.encode()).hexdigest()
    return with_program(certificate, program)


@pytest.mark.parametrize(
    ("program", "solvers"),
    [(MEAN, BOTH), (LOGISTIC, BOTH), (ENTRIES, ("either",)), (RELEASED, ("either",))],
    ids=ALL,
)
def test_what_is_found_is_valid(program: str, solvers: tuple[str, ...]) -> None:
    certificate, node = _proof(program)
    assert node["given"] and certificate["by_reals"] and certificate["proved"]["epsilon"] == "|eps<>|"
    assert check(json.dumps(certificate), solvers).verdict == VALID


# --- what is given --------------------------------------------------------------------------


@pytest.mark.parametrize("program", ALL.values(), ids=ALL)
def test_each_fact_is_needed(program: str) -> None:
    """Without one of them the price is not shown."""
    _, node = _proof(program)
    assert len(set(node["given"])) == len(node["given"])
    needless = []
    for place, fact in enumerate(node["given"]):
        certificate, other = _proof(program)
        del other["given"][place]
        if _verdict(certificate)[0] == VALID:
            needless.append(fact)
    assert not needless


@pytest.mark.parametrize(
    "fact",
    [
        "false",
        "(<= |u<1>| 0.5)",
        "(<= |u<2>| 0.5)",
        "(= |u<1>| |u<2>|)",
        "(= |x<1>| |x<2>|)",
        "(<= |x<1>| 1.0)",
        "(<= (|exp:Real| |eps<>|) 1.0)",
        "(<= 2.0 |eps<>|)",
        "(= (|/:Real,Real| 1.0 0.0) (|/:Real,Real| 2.0 0.0))",
        "(= (|*:Real,Real| |u<1>| |eps<>|) (|*:Real,Real| |u<2>| |eps<>|))",
        "(= (|log:Real| |u<1>|) (|log:Real| |u<2>|))",
    ],
)
def test_a_fact_that_does_not_hold_is_not_given(fact: str) -> None:
    certificate, node = _proof(MEAN)
    node["given"].append(fact)
    assert _verdict(certificate) == (INVALID, "Chance")


@pytest.mark.parametrize(
    "fact",
    [
        "",
        "(<= |u<1>| 1.0",
        "|u<1>|",
        "(+ 1.0 1.0)",
        "(<= |u| 1.0)",
        "(<= |draw%2<1>| 1.0)",
        "(<= |entry#0| 1.0)",
        "(<= |u!7<1>| 1.0)",
        "(= (mod 3 0) 1)",
        1,
        None,
        ["true"],
    ],
)
def test_what_is_given_is_a_formula_over_the_state(fact: Any) -> None:
    certificate, node = _proof(MEAN)
    node["given"].append(fact)
    assert _verdict(certificate)[0] == INVALID


@pytest.mark.parametrize("given", [[], None, "true", ["true"], ["(= |u<1>| |u<1>|)"]])
def test_without_what_is_given_private_chances_are_refused(given: Any) -> None:
    certificate, node = _proof(MEAN)
    node["given"] = given
    assert _verdict(certificate)[0] == INVALID


def test_entries_of_the_two_runs_are_other_numbers() -> None:
    """Nor is one entry another one: without a word of their distance nothing is known."""
    certificate, node = _proof(ENTRIES)
    node["given"] = [fact for fact in node["given"] if "(-" not in fact or "exp" in fact]
    assert node["given"]
    assert _verdict(certificate) == (INVALID, "Chance")


# --- what is paid ---------------------------------------------------------------------------


@pytest.mark.parametrize("program", ALL.values(), ids=ALL)
@pytest.mark.parametrize("price", ["0.0", "(/ |eps<>| 2.0)", "(- |eps<>|)", "(- |eps<>| 0.001)"])
def test_too_little_is_paid(program: str, price: str) -> None:
    certificate, _ = _proof(program)
    for cost in certificate["costs"].values():
        cost["weight"] = price
    certificate["proved"]["epsilon"] = price
    assert _verdict(certificate)[0] != VALID


def test_where_it_is_paid_it_is_counted() -> None:
    certificate, _ = _proof(MEAN)
    for cost in certificate["costs"].values():
        cost["bound"] = "0"
    certificate["proved"]["epsilon"] = "0.0"
    assert _verdict(certificate) == (INVALID, "Return")


@pytest.mark.parametrize(
    ("program", "old", "new"),
    [
        (MEAN, "-1), 1)", "-2), 1)"),
        (MEAN, "-1), 1)", "-1), 1.01)"),
        (MEAN, "u = min(max(x, -1), 1)", "u = x"),
        (MEAN, "(2 * (exp(eps) + 1))", "(2 * exp(eps) + 1)"),
        (MEAN, "(2 * (exp(eps) + 1))", "(exp(eps) + 1)"),
        (MEAN, "(2 * (exp(eps) + 1))", "(2 * (exp(eps) - 2))"),
        (MEAN, "1 / 2 + u", "1 / 3 + u"),
        (MEAN, "u * (exp(eps) - 1)", "x * (exp(eps) - 1)"),
        (MEAN, "exp(eps) - 1", "exp(2 * eps) - 1"),
        (LOGISTIC, "absolute_distance(1)", "absolute_distance(2)"),
        (LOGISTIC, "absolute_distance(1)", "discrete_distance()"),
        (LOGISTIC, "-eps * x", "-2 * eps * x"),
        (LOGISTIC, "-eps * x", "-x * x"),
        (LOGISTIC, "1 / (1 + exp(-eps * x))", "exp(-eps * abs(x))"),
        (LOGISTIC, "1 / (1 + exp(-eps * x))", "1 / (1 - exp(-eps * x))"),
        (LOGISTIC, "1 / (1 + exp(-eps * x))", "exp(-eps * x) / 2"),
        (ENTRIES, "linf_distance(1)", "linf_distance(2)"),
        (ENTRIES, "q[1] / 2", "q[1]"),
        (RELEASED, "max(x, 0), m)", "max(x, 0), 2 * m)"),
        (RELEASED, "(u / m)", "(x / m)"),
        (RELEASED, "and m > 0", "and m < 0"),
    ],
)
def test_a_proof_of_one_program_is_none_of_another(program: str, old: str, new: str) -> None:
    """Wider ranges, farther neighbours, chances outside of [0, 1], negative denominators."""
    certificate, _ = _proof(program)
    assert old in program
    assert _verdict(_of_program(certificate, program.replace(old, new)))[0] != VALID


# --- single runs ----------------------------------------------------------------------------


def test_obligations_over_the_reals_need_what_is_given() -> None:
    certificate, _ = _proof(MEAN)
    ((number, facts),) = certificate["by_reals"]
    for place in range(len(facts)):
        certificate["by_reals"] = [[number, facts[:place] + facts[place + 1 :]]]
        assert _verdict(certificate) == (INVALID, "Safe")
    certificate["by_reals"] = []
    assert _verdict(certificate)[0] != VALID


@pytest.mark.parametrize(
    "fact", ["false", "(<= |u<1>| 0.0)", "(= |u<1>| |x<1>|)", "(<= |eps<>| 1.0)", "|u<1>|", "(<= |v<1>| 1.0)"]
)
def test_obligations_over_the_reals_are_shown_of_what_holds(fact: str) -> None:
    certificate, _ = _proof(MEAN)
    certificate["by_reals"][0][1].append(fact)
    assert _verdict(certificate) == (INVALID, "Safe")


@pytest.mark.parametrize(
    "entries",
    [
        [[9, ["false"]]],
        [[-1, []]],
        [["0", []]],
        [[0]],
        [[0, ["true"], 1]],
        [0],
        {"0": []},
        None,
        [[0, "true"]],
    ],
)
def test_obligations_over_the_reals_of_another_form(entries: Any) -> None:
    certificate, _ = _proof(MEAN)
    certificate["by_reals"] = entries
    assert _verdict(certificate)[0] == INVALID


# --- against the definition -----------------------------------------------------------------


def _mean(eps: float, u: float) -> float:
    return 1 / 2 + u * (math.exp(eps) - 1) / (2 * (math.exp(eps) + 1))


def _logistic(eps: float, x: float) -> float:
    return 1 / (1 + math.exp(-eps * x))


@pytest.mark.parametrize(
    ("chance", "inputs", "apart", "is_reached"),
    [
        (_mean, [-1 + k / 8 for k in range(17)], 2, True),
        (_logistic, [k / 4 for k in range(-16, 17)], 1, False),
    ],
    ids=["mean", "logistic"],
)
@pytest.mark.parametrize("eps", [0.01, 0.5, 1, 3])
def test_what_is_paid_is_the_largest_ratio(
    chance: Callable[[float, float], float], inputs: list[float], apart: float, is_reached: bool, eps: float
) -> None:
    """Of both outcomes and all neighbours; logistic chances come near to it where they are small."""
    worst = 0.0
    for left, right in product(inputs, repeat=2):
        if abs(left - right) <= apart:
            one, two = chance(eps, left), chance(eps, right)
            worst = max(worst, math.log(one / two), math.log((1 - one) / (1 - two)))
    assert worst <= eps + 1e-9
    assert worst >= eps * (1 - 1e-9) if is_reached else worst > eps / 2
