"""Of the programs made by one change, the step "same noise" accepts none with another distribution."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from synth.prover.normal_form.pipeline import PASSES
from synth.trusted.core.expressions import Malformed
from synth.trusted.core.interpreter import Distribution, Output, Undefined, Violated, distribution
from synth.trusted.errors import ProgramError
from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Different
from tests.support.branching_programs import branching_program
from tests.support.core_mutants import Mutant, mutants
from tests.support.looping_programs import looping_program
from tests.support.refuting import mechanism

FUEL = 4_000
INPUTS: tuple[dict[str, Any], ...] = tuple(
    {"x": x, "q": q} for x, q in ((0, ()), (1, (1,)), (2, (0, 2)), (-1, (2, 1)))
)

PROGRAMS = {
    "two draws": """
        a = uniform_int(0, 2)
        b = uniform_int(0, 2)
        if a < b:
            return a
        return b + 10
    """,
    "noise on one side": """
        y = 5
        if x > 0:
            y = laplace(x, 1)
        z = laplace(y, 2)
        return y + z
    """,
    "noise on both sides": """
        if x > 0:
            y = laplace(x, 1)
        else:
            y = laplace(2, 1)
        if y > x:
            return y
        return 7
    """,
    "early exits": """
        found = 0
        for i in range(len(q)):
            if q[i] > uniform_int(0, 2):
                found = i + 1
                break
            if x == i:
                return -1
        return found
    """,
    "a list": """
        noisy = []
        for i in range(len(q)):
            noisy.append(q[i] + uniform_int(0, 1))
        best = 0
        for i in range(len(noisy)):
            if noisy[i] > noisy[best]:
                best = i
        return best
    """,
    "two loops": """
        total = 0
        for i in range(len(q)):
            d = uniform_int(0, 1)
            total = total + d * q[i]
        for i in range(2):
            d = uniform_int(0, 2)
            if d > total:
                total = d
        return total
    """,
    "carried draws": """
        a = 0
        b = 1
        for i in range(2):
            c = a
            a = b
            b = uniform_int(0, 1) + c
        return a - b
    """,
    "asserted": """
        assert len(q) < 2
        if bernoulli(0.25) and x > 0:
            return 10 // (len(q) + 1)
        return x
    """,
}


@cache
def _read(name: str) -> ir.Mechanism:
    lines = PROGRAMS[name].strip("\n").splitlines()
    body = "\n".join(line[4:] for line in lines)
    head = '@mechanism(adjacent={"x": absolute_distance(1), "q": linf_distance(1)})\n'
    return mechanism(f"{head}def f(x: int, q: list[int]) -> int:\n{body}\n")


def _forms(of: ir.Mechanism) -> Iterator[ir.Mechanism]:
    """The program, and the last of what the passes make of it, but for fused draws."""
    yield of
    form = of
    for rewrite in PASSES[:-1]:
        form = rewrite(form)
    if form.body != of.body:
        yield form


def _accepts(first: ir.Mechanism, second: ir.Mechanism) -> bool:
    try:
        check_equivalent(first, second)
    except Different:
        return False
    return True


def _law(of: ir.Mechanism, inputs: dict[str, Any]) -> Distribution:
    visible = {item.name for item in of.visible}
    return distribution(of, {name: item for name, item in inputs.items() if name in visible}, 2, FUEL)


def _is_justified(first: ir.Mechanism, second: ir.Mechanism, inputs: dict[str, Any]) -> bool:
    """Whether on these inputs the first program does what the second does, if the second is safe."""
    one, other = _law(first, inputs), _law(second, inputs)
    if any(isinstance(item, Violated | Undefined) for item in other.outcomes):
        return True
    if any(isinstance(item, Violated | Undefined) for item in one.outcomes):
        return False
    rest = [item.beyond + item.unfinished for item in (one, other)]
    ends = {item for item in (*one.outcomes, *other.outcomes) if isinstance(item, Output)}
    chances = [(one.outcomes.get(item, Fraction(0)), other.outcomes.get(item, Fraction(0))) for item in ends]
    return all(a <= b + rest[1] and b <= a + rest[0] for a, b in chances)


def _is_wrong(first: ir.Mechanism, mutant: Mutant) -> bool:
    try:
        return not all(_is_justified(first, mutant.mechanism, inputs) for inputs in INPUTS)
    except (Malformed, AssertionError):
        return True


SLOW = ("a list", "two loops")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in PROGRAMS]
)
def test_accepted_mutants_have_the_same_distribution(name: str) -> None:
    of = _read(name)
    refused = 0
    for form in _forms(of):
        assert _accepts(of, form)
        for mutant in mutants(form):
            if not _accepts(of, mutant.mechanism):
                refused += 1
                continue
            assert not _is_wrong(of, mutant), mutant.kind
    assert refused > 30


def _random(seed: int) -> ir.Mechanism | None:
    rng = random.Random(seed)
    try:
        if seed % 2:
            return mechanism(branching_program(rng))
        return mechanism(looping_program(rng).removeprefix("from synth.lang import *\n\n\n"))
    except ProgramError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_accepted_mutants_of_random_programs(seed: int) -> None:
    of = _random(seed)
    if of is None:
        return
    for form in _forms(of):
        assert _accepts(of, form)
        found = list(mutants(form))
        for mutant in random.Random(seed).sample(found, min(40, len(found))):
            assert not _accepts(of, mutant.mechanism) or not _is_wrong(of, mutant), mutant.kind
