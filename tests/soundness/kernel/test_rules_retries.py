"""[Until]: a loop that is left with what its last round gives costs twice one round, and nothing less."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import INVALID, VALID, Verdict, check
from tests.support.handmade import check_text, program, rule, seq
from tests.support.proving import proof_of

Json = dict[str, Any]
HEAD = (
    "from synth.lang import *\n\n"
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
    "def f(x: int, eps: float):\n"
)
LOOP = "    while True:\n        y = laplace(x, 2 / eps)\n        if y > 3:\n            return y\n"
ONCE = "    y = laplace(x, 2 / eps)\n    return y > 3, y\n"
SEQUENCE = (
    "    y = laplace(x, 2 / eps)\n"
    "    while y < 0:\n"
    "        y = laplace(x, 2 / eps)\n"
    "    return y, laplace(x, 1 / eps)\n"
)
COUNTED = (
    "    n = 0\n"
    "    while True:\n"
    "        n = n + 1\n"
    "        y = laplace(0, 2 / eps)\n"
    "        if y > 3:\n"
    "            return n\n"
)


def _data(body: str) -> Json:
    found: Json = json.loads(proof_of(HEAD + body))
    return found


def _verdict(data: Json) -> Verdict:
    return check(json.dumps(data))


def test_a_loop_costs_twice_its_round() -> None:
    data = _data(LOOP)
    (part,) = data["parts"]
    assert part["retried"] is True
    assert data["proved"]["epsilon"] == f"(* 2.0 {part['proved']['epsilon']})"
    assert _verdict(data).verdict == VALID


def _set(*place: str | int, value: object) -> Callable[[Json], None]:
    def change(data: Json) -> None:
        found: Any = data
        for part in place[:-1]:
            found = found[part]
        found[place[-1]] = value

    return change


def _drop(*place: str | int) -> Callable[[Json], None]:
    def change(data: Json) -> None:
        found: Any = data
        for part in place[:-1]:
            found = found[part]
        del found[place[-1]]

    return change


HALF = "(/ |eps<>| 2.0)"
LIES: dict[str, Callable[[Json], None]] = {
    "paid once": _set("proved", "epsilon", value=HALF),
    "a little less than twice": _set("proved", "epsilon", value=f"(* 1.99 {HALF})"),
    "not said": _drop("parts", 0, "retried"),
    "false": _set("parts", 0, "retried", value=False),
    "a number": _set("parts", 0, "retried", value=1),
    "with a delta": _set("parts", 0, "proved", "delta", value="0.1"),
    "of the whole": _set("retried", value=True),
    "a round that costs less": _set("parts", 0, "proved", "epsilon", value="(/ |eps<>| 3.0)"),
    "noise for the whole to pay": _set("parts", 0, "gaussian", value={"square": "0.0"}),
    "the core of one round": _set("core", value=json.dumps(ONCE)),
}


@pytest.mark.parametrize("name", LIES)
def test_lies_are_refused(name: str) -> None:
    data = _data(LOOP)
    LIES[name](data)
    assert _verdict(data).verdict == INVALID


def test_what_follows_the_loop_is_a_part_of_its_own_that_is_not_retried() -> None:
    data = _data(SEQUENCE)
    assert [part.get("retried") for part in data["parts"]] == [True, None]
    assert _verdict(data).verdict == VALID
    data["parts"][1]["retried"] = True
    found = _verdict(data)
    assert (found.verdict, found.rule, found.place) == (INVALID, "Until", "parts.1.retried")


OTHERS = {
    "rounds that are counted": (COUNTED, "depends on those before"),
    "a threshold for all rounds": (
        "    t = laplace(0, 1)\n"
        "    while True:\n"
        "        y = laplace(x, 2 / eps)\n"
        "        if y > t:\n"
        "            return y\n",
        "drawn before the loop",
    ),
    "no loop": ("    return laplace(x, 2 / eps)\n", "no loop draws anew"),
    "a round that may not end": (
        "    while True:\n"
        "        y = laplace(x, 2 / eps)\n"
        "        while y > 9:\n"
        "            y = y + 0\n"
        "        if y > 3:\n"
        "            return y\n",
        "may not end",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs_have_no_round(name: str) -> None:
    body, reason = OTHERS[name]
    data = {**_data(LOOP), "program": program(HEAD.partition("\n\n")[2] + body)}
    del data["core"]
    found = check_text(data)
    assert (found.verdict, found.rule, found.place) == (INVALID, "Until", "parts.0.retried")
    assert reason in (found.reason or "")


ONE_WAY = (
    "from synth.lang import *\n\n"
    '@mechanism(adjacent={"q": linf_distance(1)}, facts=["two(q(i)) <= one(q(i))"], requires="eps > 0")\n'
    "def f(q: Callable[[int], int], eps: float) -> int:\n"
    "    while True:\n"
    "        y = exponential(q(0), 1 / eps)\n"
    "        if y <= 5:\n"
    "            return y\n"
)
"""Where q(0) is 5 and then 4, y is 5 for sure, and then with the chance 1/(1 + exp(eps)): not exp(-2*eps)."""


def test_a_fact_about_two_runs_makes_adjacency_one_sided() -> None:
    """A round is private for q above and then below; how often rounds end is another thing the other way."""
    part = {
        "proved": {"epsilon": "|eps<>|", "delta": "0"},
        "costs": {"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}},
        "events": {},
        "entries": {},
        "derivation": seq(
            rule("OneLapGen", k="0", within="1.0", cost="cost#0", amount="1"),
            rule("Cond", seq(rule("Return")), seq()),
            rule("Return"),
        ),
        "retried": True,
    }
    data = _data(LOOP) | {"program": program(ONE_WAY.partition("\n\n")[2]), "parts": [part]}
    del data["core"]
    data["proved"] = {"epsilon": "(* 2.0 |eps<>|)", "delta": "0"}
    found = check_text(data)
    assert (found.verdict, found.rule, found.place) == (INVALID, "Until", "parts.0.retried")
    assert "two runs" in (found.reason or "")
    each = ONE_WAY.replace("two(q(i)) <= one(q(i))", "q(i) <= 5").replace("exponential", "laplace")
    (mechanism,) = read_source(each, "f.py")
    assert isinstance(prove(mechanism, load_templates()), Proved)
