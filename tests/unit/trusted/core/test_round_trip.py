"""What is written as core text is read back as the same program."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.core.comparison import bare, same_program
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from tests.support.branching_programs import branching_program
from tests.support.finite_programs import any_program
from tests.support.looping_programs import looping_program
from tests.support.noise_programs import random_mechanism
from tests.support.random_programs import programs

ROOT = Path(__file__).parents[4]
QUICK = sorted(ROOT.glob("benchmarks/*/*.py"))
SLOW = sorted(ROOT.glob("tests/*/programs/*/*.py"))
HEADER = "from synth.lang import *\n\n"


def mechanisms_of(path: Path) -> tuple[ir.Mechanism, ...]:
    """The mechanisms of a file; none if it is refused."""
    try:
        return read_program(path).mechanisms
    except ProgramError:
        return ()


def is_demand(body: tuple[ir.Statement, ...], place: int) -> bool:
    """Whether a statement is what the next one, a draw, demands."""
    match body[place : place + 2]:
        case [ir.Obligation(condition=condition), ir.Draw() | ir.Choose() as draw]:
            return laws.demand(draw) == condition
    return False


def without_demands(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """The statements without what draws demand, wherever it stands directly before them."""
    kept: list[ir.Statement] = []
    for place, statement in enumerate(body):
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                sides = without_demands(then), without_demands(otherwise)
                kept.append(replace(statement, then=sides[0], otherwise=sides[1]))
            case ir.Loop(body=inner) | ir.Block(body=inner):
                kept.append(replace(statement, body=without_demands(inner)))
            case _ if not is_demand(body, place):
                kept.append(statement)
    return tuple(kept)


def assert_kept(mechanism: ir.Mechanism) -> None:
    """A program that the reader of Python made is the same again."""
    found = read_core(write_core(mechanism))
    assert bare(found) == bare(mechanism)
    assert list(found.variables) == list(mechanism.variables)


def assert_completed(mechanism: ir.Mechanism) -> None:
    """A rewritten program is the same again, numbered by position, and with the demands of all its draws."""
    mechanism = replace(mechanism, body=renumber(mechanism.body))
    found = read_core(write_core(mechanism))
    assert replace(bare(found), body=()) == replace(bare(mechanism), body=())
    assert without_demands(bare(found).body) == without_demands(bare(mechanism).body)
    assert write_core(found) == write_core(read_core(write_core(found)))


@pytest.mark.parametrize(
    "path",
    [*QUICK, *(pytest.param(path, marks=pytest.mark.slow) for path in SLOW)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_programs_of_files(path: Path) -> None:
    for mechanism in mechanisms_of(path):
        assert_kept(mechanism)
        assert_completed(canonical(mechanism))


def test_parts_with_what_is_published() -> None:
    cut = 0
    for path in QUICK:
        for mechanism in map(canonical, mechanisms_of(path)):
            for place in range(1, len(mechanism.body)):
                try:
                    found = parts(mechanism, (place,))
                except NoCut:
                    continue
                if any(item.published for item in found[1].parameters) and cut < 12:
                    cut += 1
                    for part in found:
                        assert_completed(part)
    assert cut == 12


@settings(max_examples=25, deadline=None)
@given(programs())
def test_random_texts(text: str) -> None:
    try:
        mechanisms = read_source(text, "program")
    except ProgramError:
        return
    for mechanism in mechanisms:
        assert_kept(mechanism)
        assert_completed(canonical(mechanism))


@pytest.mark.parametrize("make", [branching_program, looping_program, random_mechanism, any_program])
def test_random_programs(make: Callable[[random.Random], str]) -> None:
    found = 0
    for seed in range(12):
        text = make(random.Random(seed))
        try:
            mechanisms = read_source(text if HEADER.strip() in text else HEADER + text, "program")
        except ProgramError:
            continue
        for mechanism in mechanisms:
            found += 1
            assert_kept(mechanism)
            assert_completed(canonical(mechanism))
    assert found > 5


def test_another_program_is_another_one() -> None:
    for path in QUICK[:3]:
        for mechanism in mechanisms_of(path):
            text = write_core(mechanism)
            for old, new in ((" < ", " <= "), ("+ 1", "- 1"), ("1.0", "2.0")):
                if old in text:
                    assert not same_program(read_core(text.replace(old, new, 1)), mechanism)


def test_noise_of_an_array_whose_scale_is_a_number() -> None:
    text = """import numpy as np
import numpy.typing as npt

from synth.lang import mechanism, linf_distance


@mechanism(adjacent={"x": linf_distance(1)})
def noisy(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return x + np.random.laplace(0.0, 4.0, size=x.shape)
"""
    (mechanism,) = read_source(text, "p.py")
    assert_kept(mechanism)
