"""What a loop counts in each of its rounds is the number of its rounds, where a scale is made of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.normal_form.known_counts import REASON, with_known_counts
from synth.prover.normal_form.recording import rewriting
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.equivalence import check_equivalent

HEAD = (
    "from synth.lang import change_one_distance, choice, laplace, mechanism\n\n\n"
    "@mechanism(adjacent={'x': change_one_distance(1)}, requires='len(x) >= 1')\n"
    "def f(x: list[float], k: int):\n"
)

COUNTED = {
    "in a for loop": "n = 0\nfor v in x:\n    n += 1\nreturn laplace(0, 1 / n)",
    "in a while loop": (
        "n = 0\ni = 0\nwhile i < len(x):\n    i += 1\n    n = 1 + n\nm = 2 * n\nreturn laplace(0, 1 / m)"
    ),
    "on both sides": (
        "ys = []\nfor v in x:\n    if v > 0:\n        ys.append(v)\n    else:\n        ys.append(0.0)\n"
        "return laplace(sum(ys) / len(ys), 1)"
    ),
    "of ones": "return laplace(0, 1 / sum(1 for v in x))",
    "of a list": "ys = [min(v, 1) for v in x]\nn = len(ys)\nreturn laplace(0, 1 / n)",
    "of outcomes": (
        "ys = []\nfor i in range(k):\n    ys.append(i)\nreturn choice(len(ys), lambda r: min(x[0], 1))"
    ),
    "in rounds": "n = 0\nfor i in range(k):\n    n += 1\nreturn laplace(0, 1 / (1 + n))",
}
NOT_COUNTED = {
    "on one side": "n = 1\nfor v in x:\n    if v > 0:\n        n += 1\nreturn laplace(0, 1 / n)",
    "by 2": "n = 0\nfor v in x:\n    n += 2\nreturn laplace(0, 1 / n)",
    "from 1": "n = 1\nfor v in x:\n    n += 1\nreturn laplace(0, 1 / n)",
    "twice": "n = 0\nfor v in x:\n    n += 1\n    n += 1\nreturn laplace(0, 1 / n)",
    "until an exit": (
        "n = 0\nfor v in x:\n    n += 1\n    if v > 1:\n        break\nreturn laplace(0, 1 / n)"
    ),
    "in an inner loop": "n = 0\nfor v in x:\n    for w in x:\n        n += 1\nreturn laplace(0, 1 / n)",
    "changed behind it": "n = 0\nfor v in x:\n    n += 1\nn += 1\nreturn laplace(0, 1 / n)",
    "not in a scale": "n = 0\nfor v in x:\n    n += 1\nreturn laplace(n, 1)",
    "in a branch": "n = 0\nif k > 0:\n    for v in x:\n        n += 1\nreturn laplace(0, 1 / (1 + n))",
}


def _read(body: str) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (found,) = read_source(HEAD + lines, "p.py")
    return replace(found, body=renumber(found.body))


def _told(mechanism: ir.Mechanism) -> list[ir.Statement]:
    return [
        item
        for item in ir.statements(mechanism.body)
        if isinstance(item, ir.Obligation) and item.reason == REASON
    ]


@pytest.mark.parametrize("name", COUNTED)
def test_it_is_told_and_the_step_is_accepted(name: str) -> None:
    program = _read(COUNTED[name])
    form = with_known_counts(program)
    assert len(_told(form)) == 1
    check_equivalent(program, replace(form, body=renumber(form.body)))
    assert _told(rewriting(program).program)


@pytest.mark.parametrize("name", NOT_COUNTED)
def test_what_may_be_another_number_is_left_alone(name: str) -> None:
    assert not _told(with_known_counts(_read(NOT_COUNTED[name])))
