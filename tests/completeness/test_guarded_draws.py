"""A read or division that a test of drawn values guards is fine, however written and beside other draws."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from pysmt.shortcuts import reset_env

from synth.prover.normal_form.pipeline import canonical
from synth.prover.obligations.single_run import discharge
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.kernel.check import VALID, check
from tests.support.proving import from_text

HEAD = """
@mechanism(adjacent={"q": linf_distance(1), "b": discrete_distance()}, requires="eps > 0")
def f(q: list[int], w: list[int], b: bool, n: int, eps: float):
"""
DRAWS = {
    "uniform": "k = uniform_int(0, 3)",
    "as many as entries": "k = uniform_int(0, len(w))",
    "choice": "k = choice(4, lambda r: r)",
    "coin": "k = 2 if bernoulli(1 / 2) else 0",
    "private": "k = 3 if randomized_response(b, eps) else 0",
    "two": "k = uniform_int(0, 1) + uniform_int(0, 2)",
}
OPERATIONS = {
    "public list": ("k < len(w)", "w[k]"),
    "private list": ("k < len(q)", "q[k]"),
    "quotient": ("k > 0", "6 // k"),
    "remainder": ("k", "7 % k"),
    "public divisor": ("k > 0 and n > 0", "6 // n"),
    "entry before": ("0 < k <= len(w)", "w[k - 1]"),
}
STYLES = {
    "branch": """
        y = 0
        if GUARD:
            y = VALUE
    """,
    "other side": """
        if not (GUARD):
            y = 0
        else:
            y = VALUE
    """,
    "conditional expression": "y = VALUE if GUARD else 0",
    "and": "y = 1 if (GUARD) and VALUE > 0 else 0",
    "early return": """
        if not (GUARD):
            return 0
        y = VALUE
    """,
    "private test": "y = VALUE if b and (GUARD) else 0",
    "private branch": """
        y = 0
        if b:
            if GUARD:
                y = VALUE
    """,
    "coin in the test": """
        y = 0
        if randomized_response(b, eps) and (GUARD):
            y = VALUE
    """,
    "coin before": """
        c = randomized_response(b, eps)
        y = VALUE if GUARD and c else 0
    """,
    "coin around": """
        y = 0
        if randomized_response(b, eps):
            if not (GUARD):
                return 2
            y = VALUE
    """,
    "or": """
        y = 0
        if not (GUARD) or randomized_response(b, eps):
            y = 1
        else:
            y = VALUE
    """,
}


def _text(draw: str, style: str, guard: str, value: str) -> str:
    body = dedent(STYLES[style]).strip().replace("GUARD", guard).replace("VALUE", value)
    return HEAD.lstrip() + indent(f"{DRAWS[draw]}\n{body}\nreturn randomized_response(y > 1, eps)\n", "    ")


REMEMBERED = ("or", "public divisor")
"""A test of parameters that only a hidden variable remembers, in a draw that stands for several."""


def _shown(text: str) -> bool:
    reset_env()
    return not discharge(canonical(from_text(text))).missing


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("draw", DRAWS)
def test_what_is_tested_is_fine(draw: str, style: str) -> None:
    missed = [
        name
        for name, (guard, value) in OPERATIONS.items()
        if (style, name) != REMEMBERED and not _shown(_text(draw, style, guard, value))
    ]
    assert not missed


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("guard", "value"),
    [
        ("k <= len(w)", "w[k]"),
        ("k < len(w)", "w[k + 1]"),
        ("k >= 0", "6 // k"),
        ("k > 0 or n > 0", "6 // n"),
        ("k > 0 or n > 0", "6 // k"),
    ],
)
def test_what_is_tested_wrongly_is_not(style: str, guard: str, value: str) -> None:
    assert not _shown(_text("uniform", style, guard, value))


@pytest.mark.parametrize(
    "body",
    [
        # The test is of another value than the one that is used.
        "k = uniform_int(0, 3)\nif k < len(w) and randomized_response(b, eps):\n    k += 1\n    n = w[k]",
        "g = n > 0\nif randomized_response(b, eps):\n    g = True\nif g:\n    return 6 // n\nreturn 0",
        "k = 1 if randomized_response(b, eps) else 0\nif k < 2 and n > 5:\n    return 6 // (n - 6)",
        "if randomized_response(b, eps) or n > 0:\n    return 6 // n\nreturn 0",
        "if not (randomized_response(b, eps) and n > 0):\n    return 6 // n\nreturn 0",
        "if randomized_response(b, eps) and n > 0:\n    return 6\nreturn 6 // n",
    ],
)
def test_what_a_draw_may_undo_is_not(body: str) -> None:
    assert not _shown(HEAD.lstrip() + indent(body, "    "))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "style", "operation"),
    [
        ("uniform", "coin in the test", "public list"),
        ("two", "coin before", "quotient"),
        ("choice", "coin in the test", "public divisor"),
        ("coin", "coin around", "entry before"),
    ],
)
def test_the_kernel_agrees(draw: str, style: str, operation: str) -> None:
    found = prove(from_text(_text(draw, style, *OPERATIONS[operation])), load_templates())
    assert isinstance(found, Proved)
    assert check(found.certificate).verdict == VALID
