"""What was proved of an earlier text is checked of the new one, not searched for, and never believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from synth.app.documents import shown_as_before
from synth.prover.earlier_proof import proved_as_before
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.support.statistics import Stopwatch
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import VALID, check
from synth.trusted.program import syntax as ir

UNCLAIMED = """
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above(q: list[float], t: float, eps: float) -> int:
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    return result
"""

CLAIMED = UNCLAIMED.replace('requires="eps > 0"', 'requires="eps > 0", epsilon="eps"')


def read(text: str) -> ir.Mechanism:
    (mechanism,) = read_source(text, "p.py")
    return mechanism


@cache
def certificate(text: str) -> str:
    """The certificate of a proof from scratch."""
    found = prove(read(text), load_templates())
    assert isinstance(found, Proved)
    return found.certificate


def changed(text: str, *edits: tuple[str, str]) -> str:
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return text


REMARK = ("    result = len(q)\n    for", "    # none yet\n    result = len(q)\n\n    for")


RENAMED = [("threshold", "limit"), ("range(len(q))", "range(len(queries))"), ("q[i]", "queries[place]")]
RENAMED += [("for i", "for place"), ("len(q)", "len(queries)"), ("q: ", "queries: "), ('"q"', '"queries"')]
RENAMED += [("result = i", "result = place"), ("result", "rule")]


def test_other_names_change_nothing() -> None:
    new = changed(UNCLAIMED, *RENAMED)
    found = proved_as_before(read(new), certificate(UNCLAIMED))
    assert found is not None and found.same_core
    assert found.text == certificate(new)


def test_names_that_are_exchanged_are_another_program() -> None:
    text = changed(
        CLAIMED, ("t: float, eps: float", "eps: float, t: float"), ("eps > 0", "eps > 0 and t > 0")
    )
    assert proved_as_before(read(text), certificate(CLAIMED)) is None


@pytest.mark.parametrize("text", [UNCLAIMED, CLAIMED])
def test_it_is_the_proof_of_the_same_core_program(text: str) -> None:
    new = changed(text, REMARK)
    found = proved_as_before(read(new), certificate(text))
    assert found is not None and found.same_core
    assert found.text == certificate(new)


LINGERING = """
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def any_above(q: list[float], t: float, eps: float) -> bool:
    threshold = laplace(t, scale=1 / eps)
    return any(laplace(x, scale=1 / eps) >= threshold for x in q)
"""

SAMPLED = """
from synth.lang import *


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0", epsilon="log(1 + (exp(eps) - 1) / 2)")
def sampled_count(q: list[int], eps: float) -> float:
    count = 0
    for x in q:
        if bernoulli(0.5):
            count += 1
    return laplace(count, scale=1 / eps)
"""


@pytest.mark.parametrize("text", [LINGERING, SAMPLED], ids=["loops-that-linger", "of-a-sample"])
def test_a_proof_about_the_program_behind_other_steps_stays_one(text: str) -> None:
    new = changed(text, ("    return", "    # to be released\n    return"))
    found = proved_as_before(read(new), certificate(text))
    assert found is not None and found.same_core
    assert found.text == certificate(new)


def test_nothing_is_asked_but_what_the_check_asks_and_nothing_is_searched_for() -> None:
    new, earlier = read(changed(CLAIMED, REMARK)), certificate(CLAIMED)
    watch = Stopwatch("all")
    found = proved_as_before(new, earlier)
    effort = watch.effort()
    assert found is not None and effort.search == {}
    calls = check(found.text).calls
    about_requires = 1
    assert effort.solver_calls == {**calls, "z3": calls.get("z3", 0) + about_requires}


def test_another_core_program_that_costs_what_is_claimed_is_proved_by_it() -> None:
    new = read(changed(CLAIMED, ('requires="eps > 0"', 'requires="eps > 0 and t > 0"')))
    found = proved_as_before(new, certificate(CLAIMED))
    assert found is not None and not found.same_core and check(found.text).verdict == VALID


@pytest.mark.parametrize(
    "edit",
    [
        ("scale=4 /", "scale=3 /"),
        ("scale=2 /", "scale=1 /"),
        (" and result == len(q)", ""),
        ("linf_distance(1)", "linf_distance(2)"),
        ("return result", "return result if threshold > 0 else 0"),
        ('epsilon="eps"', 'epsilon="eps / 2"'),
        ('requires="eps > 0"', 'requires="eps >= 0"'),
    ],
)
def test_what_is_no_longer_true_is_not_proved(edit: tuple[str, str]) -> None:
    new = read(changed(CLAIMED, edit))
    assert proved_as_before(new, certificate(CLAIMED)) is None


def test_of_an_unclaimed_mechanism_the_least_bound_is_wanted() -> None:
    new = read(changed(UNCLAIMED, ("scale=4 /", "scale=8 /")))
    assert proved_as_before(new, certificate(UNCLAIMED)) is None


def test_of_a_loose_claim_the_least_bound_is_wanted() -> None:
    loose = changed(CLAIMED, ('epsilon="eps"', 'epsilon="3*eps"'))
    assert shown_as_before(certificate(loose), read(changed(loose, ("scale=4 /", "scale=8 /")))) is None
    assert shown_as_before(certificate(loose), read(changed(loose, REMARK))) is not None


def test_requirements_that_nothing_satisfies_are_no_proof() -> None:
    new = changed(CLAIMED, ('"eps > 0"', '"eps > 0 and eps < 0"'))
    assert shown_as_before(certificate(CLAIMED), read(new)) is None


# --- forged ---------------------------------------------------------------------------------

FALSE = changed(CLAIMED, ("scale=4 /", "scale=2 /"))
Forge = Callable[[dict[str, Any]], object]


FORGED: dict[str, Forge] = {
    "as it is": lambda data: None,
    "with a bound of nothing": lambda data: data["proved"].update(epsilon="0.0"),
    "with a lower bound": lambda data: data["costs"]["cost#0"].update(bound="1"),
    "with a cheaper weight": lambda data: data["costs"]["cost#0"].update(weight="0.0"),
    "without costs": lambda data: data.update(costs={}),
    "without a derivation": lambda data: data.update(derivation={"rule": "Skip"}),
    "of nothing": lambda data: data["derivation"].update(premises=[]),
    "of a sample": lambda data: data.update(sampled=data["proved"]),
    "with steps": lambda data: data.update(steps=[{"step": "Stream"}]),
    "with the core of another program": lambda data: data.update(core="def f() -> output():\n    return\n"),
    "without a claim": lambda data: data.update(claim={"epsilon": None, "delta": None}),
    "with a claim of another kind": lambda data: data.update(claim={"gdp": 1}),
    "with a text that is none": lambda data: data["program"].update(text=3),
    "without a program": lambda data: data.pop("program"),
    "in parts": lambda data: data.update(cuts=[1], parts=[]),
    "with lines that are none": lambda data: data["derivation"].update(line={"rule": "line"}),
    "with events of any name": lambda data: data.update(events={"next#branch.9.9": "Bool"}),
    "with noise that pays": lambda data: data.update(gaussian={"square": "0.0"}),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_a_forged_one_proves_nothing_false(forge: Forge) -> None:
    data = json.loads(certificate(CLAIMED))
    forge(data)
    assert shown_as_before(json.dumps(data), read(FALSE)) is None


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "3", "{}", "[" * 100_000, '{"claim": {}, "core": 3}'])
def test_what_is_no_certificate_proves_nothing(text: str) -> None:
    assert shown_as_before(text, read(CLAIMED)) is None
