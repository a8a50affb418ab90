"""Outputs are equal if Python's ``==`` says so, however written: to reader, proofs and witnesses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from textwrap import dedent, indent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.refuter.exact.events import Event
from synth.refuter.exact.outputs import readable
from synth.refuter.output_table import Line, distribution
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.kernel.check import VALID as PROOF_VALID
from synth.trusted.kernel.check import check
from synth.trusted.program import syntax as ir
from synth.trusted.witness.check import INVALID, VALID, check_witness
from tests.support.proving import from_text
from tests.support.typed_runs import Run

# --- values ---------------------------------------------------------------------------------

LARGE = 2**60
EQUALS: tuple[tuple[Any, ...], ...] = (
    (None,),
    (False, 0, 0.0),
    (True, 1, 1.0),
    (2, 2.0),
    (0.5,),
    (-1, -1.0),
    (LARGE, float(LARGE)),
    (LARGE + 1,),
)
"""Scalars, those that are equal to Python together; all floats are exact."""

Drawn = Any


@st.composite
def _alike(draw: Drawn, depth: int = 2, lists: bool = True) -> tuple[Any, Any]:
    """Two values of one shape, mostly equal ones of unlike types."""
    kind = draw(st.sampled_from(("scalar", "scalar", "tuple", "list")))
    if kind == "scalar" or depth == 0 or (kind == "list" and not lists):
        group = draw(st.sampled_from(EQUALS))
        other = group if draw(st.integers(0, 5)) else draw(st.sampled_from(EQUALS))
        return draw(st.sampled_from(group)), draw(st.sampled_from(other))
    inside = _alike(depth - 1, lists=lists and kind == "tuple")
    pairs = draw(st.lists(inside, max_size=3))
    left, right = [item for item, _ in pairs], [item for _, item in pairs]
    return (left, right) if kind == "list" else (tuple(left), tuple(right))


@st.composite
def _values(draw: Drawn) -> tuple[Any, Any]:
    """Two values, sometimes of unlike shapes."""
    left, right = draw(_alike())
    return (left, right) if draw(st.integers(0, 3)) else (left, draw(_alike())[0])


def _text(value: Any) -> str:
    """The value in Python, with all digits of its floats."""
    match value:
        case float():
            return f"{value:.1f}"
        case list():
            return f"[{', '.join(map(_text, value))}]"
        case tuple():
            return f"({''.join(_text(item) + ', ' for item in value)})" if value else "()"
    return repr(value)


def _plain(value: Any) -> Any:
    """The value as JSON."""
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


@given(_values())
def test_flat_outputs_are_equal_as_in_python(pair: tuple[Any, Any]) -> None:
    left, right = pair
    mechanism = from_text(
        f"@mechanism()\ndef f(n: int):\n"
        f"    if n > 0:\n        return {_text(left)}\n    return {_text(right)}\n"
    )
    one, two = (Run(mechanism, {"n": n}, iter(())).output() for n in (1, 0))
    assert (one == two) == (left == right)
    values = len(mechanism.output.values) if mechanism.output else 0
    assert values in (1, 2)
    for value, flat in ((left, one), (right, two)):
        scalars = tuple(part for part in flat if not isinstance(part, tuple))
        lists = tuple(part for part in flat if isinstance(part, tuple))
        assert readable(mechanism, Event(scalars, lists)) == _plain(value)


@given(st.lists(_alike(depth=1, lists=False), min_size=1, max_size=3))
def test_entries_are_equal_as_in_python(pairs: list[tuple[Any, Any]]) -> None:
    """Entries that are appended on the way, to one list or to two that are returned in one place."""
    text = "@mechanism()\ndef f(n: int):\n    xs, ys = [], []\n    if n > 0:\n"
    text += "".join(f"        xs.append({_text(left)})\n" for left, _ in pairs)
    text += "        return xs, n - n\n"
    text += "".join(f"    ys += [{_text(right)}]\n" for _, right in pairs)
    text += "    return ys, False\n"
    mechanism = from_text(text)
    one, two = (Run(mechanism, {"n": n}, iter(())).output() for n in (1, 0))
    assert (one == two) == all(left == right for left, right in pairs)


# --- verdicts -------------------------------------------------------------------------------

SPELLINGS: dict[str, str] = {
    "two returns": """
        if CONDITION:
            return A
        return B
    """,
    "both sides": """
        if CONDITION:
            return A
        else:
            return B
    """,
    "conditional expression": "return A if CONDITION else B",
    "variable": """
        y = A
        if not CONDITION:
            y = B
        return y
    """,
    "real variable": """
        y: float = B
        if CONDITION:
            y = A
        return y
    """,
    "helper": "return branching(A, B, CONDITION)",
    "helper of a choice": "return choosing(A, B, CONDITION)",
    "append": """
        xs = []
        if CONDITION:
            xs.append(A)
        else:
            xs.append(B)
        return xs
    """,
    "appended choice": """
        xs = [B]
        xs += [A if CONDITION else B]
        return xs, xs[1]
    """,
    "tuple": """
        if CONDITION:
            return A, n
        return B, n
    """,
    "tuple of one": """
        if CONDITION:
            return (A,)
        return (B,)
    """,
    "tuple in a variable": """
        pair = None, B
        if CONDITION:
            pair = None, A
        return pair
    """,
    "nested": """
        if CONDITION:
            return n, (A, (None, 1.0))
        return n, (B, (None, True))
    """,
    "None before": """
        if n > 3:
            return None
        if CONDITION:
            return A
        return B
    """,
    "pair before": """
        if n > 3:
            return n, None
        if CONDITION:
            return A
        return B
    """,
    "before a loop": """
        y = B
        if CONDITION:
            y = A
        for i in range(n):
            n += i
        return y
    """,
    "behind a loop": """
        for i in range(n):
            n += i
        if CONDITION:
            return A
        return B
    """,
    "in a loop": """
        y = B
        for i in range(3):
            if i == n and CONDITION:
                y = A
        return y
    """,
    "appended in a loop": """
        ys = []
        for i in range(2):
            if CONDITION:
                ys.append(A)
            else:
                ys.append(B)
        return ys
    """,
}
"""The same function: A under a condition, otherwise B."""

HELPERS = """
def branching(a, b, first):
    if first:
        return a
    return b

def choosing(a, b, first):
    return a if first else b

"""
EQUAL = (("True", "1"), ("1.0", "True"), ("0", "False"), ("1", "1.0"), ("False", "0.0"))
UNEQUAL = (("True", "0"), ("1", "False"), ("0", "1.0"), ("False", "1"), ("2", "True"))


def _written(spelling: str, values: tuple[str, str], condition: str, adjacent: str) -> ir.Mechanism:
    body = dedent(SPELLINGS[spelling]).strip().replace("CONDITION", f"({condition})")
    for name, value in zip("AB", values, strict=True):
        body = re.sub(rf"\b{name}\b", value, body)
    header = f'@mechanism(adjacent={{"x": {adjacent}}}, epsilon="1")\ndef f(x: int, n: int):\n'
    return from_text(HELPERS + header + indent(body, "    "))


def _each(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, tuple[str, str]]]:
    return [(spelling, pairs[place % len(pairs)]) for place, spelling in enumerate(SPELLINGS)]


def _lines(mechanism: ir.Mechanism) -> tuple[Line, ...]:
    return distribution(mechanism, [{"x": 1, "n": 2}, {"x": 0, "n": 2}])


@pytest.mark.parametrize(("spelling", "values"), _each(EQUAL))
def test_equal_values_tell_nothing(spelling: str, values: tuple[str, str]) -> None:
    mechanism = _written(spelling, values, "x > 0", "discrete_distance()")
    found = prove(replace(mechanism, epsilon=None), load_templates())
    assert isinstance(found, Proved) and found.epsilon.is_zero()
    assert check(found.certificate).verdict == PROOF_VALID
    (line,) = _lines(mechanism)
    assert all(low > 0.999 for low, _ in line.probabilities)


@pytest.mark.parametrize(("spelling", "values"), _each(UNEQUAL))
def test_unequal_values_are_told_apart(spelling: str, values: tuple[str, str]) -> None:
    mechanism = _written(spelling, values, "x > 0", "discrete_distance()")
    assert not isinstance(prove(mechanism, load_templates()), Proved)
    first, second = _lines(mechanism)
    assert first.output != second.output
    witness = refute(mechanism, seconds=60)
    assert witness is not None
    assert check_witness(json.loads(json.dumps(document_of(mechanism, witness)))).verdict == VALID


@pytest.mark.parametrize(
    "values",
    [
        ("None", "False"),
        ("0.0", "None"),
        ("None", "()"),
        ("[]", "None"),
        ("()", "[]"),
        ("1", "(True,)"),
        ("(1, 2)", "[1, 2]"),
        ("[True]", "[1, 1]"),
        ("[0, None]", "[False, 0]"),
        ("((1, 2), 3)", "(1, (2, 3))"),
        ("1152921504606846977", "1152921504606846976.0"),
    ],
)
def test_what_python_tells_apart_is_told_apart(values: tuple[str, str]) -> None:
    mechanism = _written("two returns", values, "x > 0", "discrete_distance()")
    witness = refute(mechanism, seconds=60)
    assert witness is not None and witness.epsilon_at_least is None
    assert check_witness(json.loads(json.dumps(document_of(mechanism, witness)))).verdict == VALID


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([[True]], "wrong"),
        ([[1]], "wrong"),
        ([[0, 1]], "not a witness"),
        ([["1"], [True]], "disjoint"),
        ([[{"from": 1, "to": 2}], [True]], "disjoint"),
    ],
)
def test_no_witness_by_the_type(events: list[list[Any]], reason: str) -> None:
    """Neither by the type of a value in the document, nor by a tag in front of it."""
    told_apart = _written("two returns", ("True", "0"), "x > 0", "discrete_distance()")
    witness = refute(told_apart, seconds=60)
    assert witness is not None
    document = json.loads(json.dumps(document_of(told_apart, witness)))
    assert check_witness(document).verdict == VALID
    document["program"] = _written("two returns", ("True", "1"), "x > 0", "discrete_distance()").source
    document["witness"]["events"] = [{"values": values, "lists": []} for values in events]
    found = check_witness(document)
    assert found.verdict == INVALID and found.reason is not None
    assert reason in found.reason


@pytest.mark.slow
@pytest.mark.parametrize(("spelling", "values"), _each(UNEQUAL))
def test_noise_costs_the_same(spelling: str, values: tuple[str, str]) -> None:
    if spelling == "appended in a loop":
        pytest.skip("two draws")
    mechanism = _written(spelling, values, "laplace(x, 4) > 0", "absolute_distance(1)")
    found = prove(replace(mechanism, epsilon=None), load_templates())
    assert isinstance(found, Proved) and str(found.epsilon) == "1/4"
    assert check(found.certificate).verdict == PROOF_VALID
