"""Mistakes of the first hour: each is told the line, what is wrong there, and what to do."""

from __future__ import annotations

import pytest

from synth.app.documents import unproved
from synth.app.nearby import advised
from synth.prover.acceptance import Unknown
from synth.prover.obligations.observations import observations
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

NUMBER = '@mechanism(epsilon="eps", adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
LIST = '@mechanism(epsilon="eps", adjacent={"x": change_one_distance(1)}, requires="eps > 0")\n'
RECORDS = '@mechanism(epsilon="eps", adjacent={"x": add_remove_distance()}, requires="eps > 0")\n'
COUNTS = '@mechanism(epsilon="eps", adjacent={"x": linf_distance(1)}, requires="eps > 0")\n'

MISTAKES = {
    "eps may be 0": (
        NUMBER.replace(', requires="eps > 0"', "")
        + "def f(x: float, eps: float) -> float:\n    return laplace(x, 1 / eps)\n",
        (6, 23),
        "divisor-may-be-zero",
        'it is ruled out if requires says "eps > 0"',
    ),
    "an empty list": (
        LIST
        + """def f(x: list[float], eps: float) -> float:
    return laplace(sum(x) / len(x), 1 / (len(x) * eps))
""",
        (6, 20),
        "divisor-may-be-zero",
        'it is ruled out if requires says "len(x) >= 1"',
    ),
    "w*x": (
        NUMBER + "def f(x: float, w: float, eps: float) -> float:\n    return laplace(w * x, 1 / eps)\n",
        (6, 12),
        "distance-unbounded",
        "provable with w * laplace(x, 1 / eps) in line 6",
    ),
    "the noisy average": (
        RECORDS
        + """def f(x: list[float], eps: float) -> float:
    total = 0.0
    for v in x:
        total += min(max(v, 0), 1)
    mean = total / len(x)
    return laplace(mean, 1 / eps)
""",
        (9, 12),
        "divisor-may-be-zero",
        "the divisor in line 9 depends on private data (x): add noise to what is divided and to the divisor",
    ),
    "a draw behind a private return": (
        NUMBER
        + """def f(x: float, eps: float) -> float:
    if x < 0:
        return 0.0
    return laplace(x, 1 / eps)
""",
        (6, 5),
        "output-not-matched",
        "the condition in line 6 depends on private data (x) and on no noise: draw before it",
    ),
    "noise that is never used": (
        NUMBER
        + """def f(x: float, eps: float) -> float:
    noise = laplace(0.0, 1 / eps)
    return x
""",
        (7, 5),
        "private-output",
        "the noise that line 6 draws is never used",
    ),
    "the scale upside down": (
        NUMBER + "def f(x: float, eps: float) -> float:\n    return laplace(x, eps)\n",
        (6, 12),
        "bound-misses-claim",
        "provable with scale 1/eps in line 6",
    ),
    "counts that change by 1": (
        COUNTS
        + """def f(x: list[int], eps: float) -> int:
    total = 0
    for v in x:
        total += v
    return laplace(total, 1 / eps)
""",
        (9, 12),
        "distance-unbounded",
        "provable if at most one entry of x differs",
    ),
    "a comparison without noise": (
        NUMBER
        + """def f(x: float, eps: float) -> bool:
    noisy = laplace(x, 1 / eps)
    if x > 10:
        return True
    return noisy > 12
""",
        (7, 5),
        "not-shown-for-all",
        "the condition in line 7 depends on private data (x) and on no noise",
    ),
}


@pytest.mark.parametrize(("text", "place", "code", "advice"), MISTAKES.values(), ids=MISTAKES)
def test_the_mistake_is_told(text: str, place: tuple[int, int], code: str, advice: str) -> None:
    (mechanism,) = read_source(f"from synth.lang import *\n\n\n{text}", "program.py")
    found = prove(mechanism, load_templates())
    assert isinstance(found, Unknown)
    *_, told = advised(mechanism, unproved(mechanism, found), _is_proved)
    assert (told.code, told.reason_line, told.reason_column) == (code, *place)
    assert any(item.startswith(advice) for item in told.hints), told.hints
    assert told.matters and told.advice


def test_a_branch_is_no_mistake_where_a_bound_is_proved() -> None:
    """A count with a test in its line, of which only the scale is too small for the claim."""
    text = """def f(x: list[int], eps: float) -> float:
    return sum(1 for v in x if v > 3) + laplace(0.0, 0.5 / eps)
"""
    (mechanism,) = read_source(f"from synth.lang import *\n\n\n{RECORDS}{text}", "program.py")
    line = mechanism.lines[-1] if mechanism.lines else 6
    assert any("depends on private data" in item for item in observations(mechanism, "private-branch", line))
    assert not list(observations(mechanism, "bound-misses-claim", line))


@pytest.mark.parametrize(
    "body",
    [
        "    out = []\n    for v in x:\n        out.append(laplace(v, 1 / eps))\n    return out\n",
        "    out = []\n    t = laplace(0, 1 / eps)\n    for _ in x:\n        out.append(t)\n    return out\n",
        "    out = []\n    if laplace(0, 1 / eps) > 1:\n        out.append(1)\n    return out\n",
    ],
    ids=["in a list", "in a test", "in a length"],
)
def test_noise_that_lists_hold_is_used(body: str) -> None:
    (mechanism,) = read_source(
        f"from synth.lang import *\n\n\n{COUNTS}def f(x: list[int], eps: float):\n{body}", "program.py"
    )
    assert not list(observations(mechanism, None, None))


def _is_proved(mechanism: ir.Mechanism) -> bool:
    found = prove(mechanism, load_templates())
    return isinstance(found, Proved) and found.checked.within_claim
