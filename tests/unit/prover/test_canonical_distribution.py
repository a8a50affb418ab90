"""The canonical form of a program gives each output the probability that the program itself gives it.

Both are computed by the refuter, which otherwise never looks at canonical forms.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.refuter.output_table import distribution
from synth.trusted.errors import ProgramError
from synth.trusted.program import syntax as ir
from tests.support.branching_programs import branching_program
from tests.support.refuting import mechanism

PROGRAMS = {
    "one side": """
        y = 5
        if x > 0:
            y = laplace(x, 1)
        return y
    """,
    "early return": """
        if x <= 0:
            return 7
        y = laplace(x, 1)
        if y > 1:
            return y
        return 7
    """,
    "both sides alike": """
        if x > 0:
            y = laplace(x, 1)
        else:
            y = laplace(2, 1)
        return y
    """,
    "two against one": """
        if x > 0:
            y = laplace(x, 1)
            z = laplace(y, 2)
        else:
            z = laplace(1, 1)
            y = 3
        return y + z if y > z else z
    """,
    "other scales": """
        if x > 1:
            return laplace(x, 1)
        return laplace(x, 2)
    """,
    "values on the way": """
        c = 1
        if x > 0:
            c = c + x
            y = laplace(c, 1)
            c = y
        else:
            c = 4
        return c
    """,
    "nested": """
        y = 0
        if x > 0:
            if x > 1:
                y = laplace(x, 1)
            else:
                y = exponential(0, 1)
        return y
    """,
    "a branch before": """
        c = x
        if x > 0:
            if x > 1:
                c = 5
            y = laplace(1, 1)
            return y if y > c else c
        return 0
    """,
    "appended": """
        out = []
        for i in range(2):
            if x > i:
                out.append(laplace(x, 1))
            else:
                out.append(laplace(i, 1))
        return out[0] + out[1] if out[0] > out[1] else 9
    """,
    "one after the other": """
        a = 0
        if x > 0:
            a = laplace(0, 1)
        if x > 1:
            a = a + laplace(0, 1)
        return a
    """,
    "drawn again": """
        y = laplace(x, 1)
        if x > 0:
            y = laplace(x, 2)
        return y
    """,
    "an index carried along": """
        noisy = []
        for i in range(2):
            noisy.append(laplace(x * i, 1))
        best = 0
        for i in range(len(noisy)):
            if noisy[i] > noisy[best]:
                best = i
        return noisy[best]
    """,
    "an index from nowhere": """
        noisy = []
        for i in range(2):
            noisy.append(laplace(x, 1))
        best = -1
        for i in range(len(noisy)):
            if best < 0 or noisy[i] > noisy[best]:
                best = i
            elif noisy[best] > 4:
                best = -1
        return noisy[best] if best >= 0 else 100
    """,
    "kept for the head": """
        found = False
        i = 0
        while i < 3 and not found:
            found = laplace(x, 1) > i
            i = i + 1
        return i if found else -i
    """,
    "a number for the head": """
        state = 0
        for i in range(2):
            if state > 0:
                break
            state = i + 1 if laplace(x, 1) > 0 else -1
        return state
    """,
}


def _read(name: str) -> ir.Mechanism:
    lines = PROGRAMS[name].strip("\n").splitlines()
    body = "\n".join(line[4:] for line in lines)
    return mechanism(f'@mechanism(adjacent={{"x": absolute_distance(1)}})\ndef f(x: int) -> int:\n{body}\n')


def _points(of: ir.Mechanism, x: int) -> dict[str, tuple[float, float]]:
    inputs: dict[str, Any] = {"x": x}
    return {repr(line.output): line.probabilities[0] for line in distribution(of, [inputs])}


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_distribution(name: str) -> None:
    of = _read(name)
    form = canonical(of)
    for x in (-1, 0, 1, 2, 3):
        before, after = _points(of, x), _points(form, x)
        common = before.keys() & after.keys()
        assert len(common) > 5 or before.keys() == after.keys()
        for output in common:
            assert before[output][0] <= after[output][1] + 1e-12, (x, output)
            assert after[output][0] <= before[output][1] + 1e-12, (x, output)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - {"nested", "a branch before"}))
def test_no_draw_is_left_in_a_branch(name: str) -> None:
    for item in ir.statements(canonical(_read(name)).body):
        if isinstance(item, ir.If):
            assert not any(isinstance(inner, ir.Draw) for inner in ir.statements((item,)))


# --- random programs ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(500))
def test_same_distribution_of_random_programs(seed: int) -> None:
    text = branching_program(random.Random(seed))
    try:
        of = mechanism(text)
    except ProgramError:
        return
    form = canonical(of)
    for x in (0, 1, 2):
        before, after = _points(of, x), _points(form, x)
        for output in before.keys() & after.keys():
            assert before[output][0] <= after[output][1] + 1e-9, (text, x, output)
            assert after[output][0] <= before[output][1] + 1e-9, (text, x, output)
