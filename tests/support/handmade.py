"""Small certificates by hand, changed in one place, and what the kernel must say of them."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping
from textwrap import dedent
from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID, VALID, Verdict, check
from tests.support.cores import with_core

Data = dict[str, Any]
DROPPED = object()
"""As a new value: the field goes."""

SEQ: Data = {"rule": "Seq", "premises": []}
COST: Data = {"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}}


def rule(name: str, *premises: Data, **fields: Any) -> Data:
    """One application of a rule."""
    return {"rule": name, **fields, **({"premises": list(premises)} if premises else {})}


def seq(*premises: Data) -> Data:
    return {"rule": "Seq", "premises": list(premises)}


def program(text: str) -> Data:
    """The part of a certificate that holds the program, a single mechanism."""
    whole = "from synth.lang import *\n\n\n" + dedent(text).lstrip("\n")
    name = whole.split("def ")[1].split("(")[0]
    return {"text": whole, "sha256": hashlib.sha256(whole.encode()).hexdigest(), "mechanism": name}


def certificate(text: str, *rules: Data, epsilon: str = "0.0", **parts: Any) -> Data:
    """A certificate of the program; ``rules`` are the premises of the outermost [Seq]."""
    return {
        "format": "synth coupling proof",
        "version": 2,
        "tools": {},
        "program": program(text),
        "claim": {"epsilon": None, "delta": None},
        "proved": {"epsilon": epsilon, "delta": "0"},
        "costs": {},
        "events": {},
        "entries": {},
        "safety": {},
        "derivation": seq(*rules),
        **parts,
    }


def edited(data: Data, place: str, **fields: Any) -> Data:
    """A copy with some fields of one object changed; the place is written as in the kernel's messages."""
    result = copy.deepcopy(data)
    found = result
    for part in place.split(".") if place else []:
        found = found["premises"][int(part)] if part.isdigit() else found[part]
    found.update(fields)
    for name in [name for name, item in fields.items() if item is DROPPED]:
        del found[name]
    return result


def check_text(data: Data) -> Verdict:
    return check(json.dumps(with_core(data)))


def accepted(data: Data) -> None:
    found = check_text(data)
    assert found.verdict == VALID, f"[{found.rule}] at {found.place}: {found.reason}"


def rejected(data: Data, name: str, place: str, reason: str) -> None:
    """By that rule, at that place, for a reason with these words."""
    found = check_text(data)
    assert found.verdict == INVALID, found.verdict
    assert (found.rule, found.place) == (name, place), found.reason
    assert reason in (found.reason or "")


Refusal = tuple[str, Mapping[str, Any], str, str, str]


def refusals(base: Data, table: Mapping[str, Refusal]) -> Any:
    """Parameters for a test that calls :func:`rejected`: per reason the place and fields of an edit, and the
    rule, place and words of the answer.
    """
    cases = [
        pytest.param(edited(base, place, **fields), *answer, id=name)
        for name, (place, fields, *answer) in table.items()
    ]
    return pytest.mark.parametrize(("data", "name", "place", "reason"), cases)


def program_edited(data: Data, old: str, new: str) -> Data:
    """The certificate with another program; its hash fits."""
    text = data["program"]["text"]
    assert old in text
    return {**data, "program": program(text.split("\n\n\n")[1].replace(old, new))}


PAID: Data = {"within": "1.0", "cost": "cost#0", "amount": "1"}
NOISY = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def noisy(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        return y
    """,
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0", **PAID),
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
)
"""The noisy value of a private number."""


SCALED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance("c")}, requires="eps > 0 and c >= 0")
    def noisy(x: int, c: float, eps: float) -> int:
        y = laplace(x, scale=c / eps + 1 / eps)
        return y
    """,
    rule("Skip"),
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0", within="|c<>|", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
    claim={"epsilon": "eps", "delta": None},
)
"""The same with noise for any distance c."""
