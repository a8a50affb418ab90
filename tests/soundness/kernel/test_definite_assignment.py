"""The kernel judges no program that may read a variable or list before it has a value, whoever made it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from textwrap import dedent

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_as_written
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel import check as kernel_check
from synth.trusted.kernel.check import INVALID
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import Fuse, Step, taken
from tests.support.handmade import certificate, check_text, rule, seq

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def kept(q: list[int], n: int, eps: float) -> list[int]:
    out = []
    seen = []
    total = 0
    for i in range(n):
        y = laplace(0, scale=1 / eps)
        if y > 0:
            z = 1
        elif y < -5:
            break
        else:
            z = 2
        seen.append(z)
        total = total + z + seen[0]
        out.append(total)
    return out
"""


def kept() -> ir.Mechanism:
    return canonical(read_source(dedent(PROGRAM), "kept.py")[0])


def without(mechanism: ir.Mechanism, unwanted: Callable[[ir.Statement], bool]) -> ir.Mechanism:
    """The mechanism without the first such statement."""
    victim = next(item for item in ir.statements(mechanism.body) if unwanted(item))

    def body(items: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        return tuple(inside(item) for item in items if item is not victim)

    def inside(item: ir.Statement) -> ir.Statement:
        match item:
            case ir.If(then=then, otherwise=otherwise):
                return replace(item, then=body(then), otherwise=body(otherwise))
            case ir.Block(body=inner) | ir.Loop(body=inner):
                return replace(item, body=body(inner))
            case _:
                return item

    return replace(mechanism, body=body(mechanism.body))


def test_what_is_assigned_on_every_way_may_be_read() -> None:
    check_definite_assignment(kept())


@pytest.mark.parametrize(
    ("unwanted", "name"),
    [
        (lambda item: isinstance(item, ir.Assign) and item.target == "total", "total"),
        (lambda item: isinstance(item, ir.Draw), "y"),
        (lambda item: isinstance(item, ir.Assign) and item.target == "z", "z"),
        (lambda item: isinstance(item, ir.NewList) and item.target == "seen", "seen"),
        (lambda item: isinstance(item, ir.NewList) and item.target == "out", "out"),
    ],
)
def test_each_missing_assignment_is_found(unwanted: Callable[[ir.Statement], bool], name: str) -> None:
    with pytest.raises(Rejected) as found:
        check_definite_assignment(without(kept(), unwanted))
    assert found.value.reason == f"'{name}' may be read before it is assigned"
    assert found.value.rule == "Program"


@pytest.mark.parametrize("skipped", [True, False])
def test_an_assignment_that_an_exit_skips_does_not_count(skipped: bool) -> None:
    span, one = kept().span, ir.Constant(1, ir.Sort.INT)
    leave = ir.If(0, ir.Constant(True, ir.Sort.BOOL), (ir.Exit("b", span),), (), span)
    assign = ir.Assign("x", one, span)
    block = ir.Block("b", (leave, assign) if skipped else (assign, leave))
    program = replace(kept(), body=(block, ir.Return((ir.Variable("x", ir.Sort.INT),), (), span)))
    if not skipped:
        check_definite_assignment(program)
        return
    with pytest.raises(Rejected, match="'x' may be read"):
        check_definite_assignment(program)


TWO_LOOPS = """
    @mechanism(adjacent={"s": discrete_distance()})
    def leak(s: bool) -> int:
        x = 1 if s else 0
        return x
"""


def test_a_rewriting_that_loses_an_assignment_makes_no_certificate_valid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here a rewriting renames what is assigned, and not what is read."""

    def broken(core: ir.Mechanism, steps: Sequence[Step]) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
        body = tuple(
            replace(item, target=f"{item.target}%in0") if isinstance(item, ir.Assign) else item
            for item in core.body
        )
        variables = {**core.variables, **{f"{name}%in0": sort for name, sort in core.variables.items()}}
        return replace(core, body=body, variables=variables), ()

    document = certificate(TWO_LOOPS, rule("Assn"), rule("Return"))
    assert check_text(document).rule == "Return"
    monkeypatch.setattr(kernel_check, "rewritten", broken)
    found = check_text(document)
    assert (found.verdict, found.rule, found.place) == (INVALID, "Program", "line 7")
    assert found.reason == "'x' may be read before it is assigned"


def test_a_variable_without_a_value_does_not_agree_between_the_runs() -> None:
    """A loop's head may not say that the runs agree on what only the loop assigns."""
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def count(x: int, n: int) -> int:
        i = 0
        while i < n:
            y = i
            i = y + 1
        return i
    """
    turn = seq(rule("Cond", seq(rule("Exit")), seq()), rule("Assn"), rule("Assn"))
    for equal, verdict in ((["i"], "valid"), (["i", "y"], "invalid")):
        loop = rule("Block", seq(rule("While", turn, equal=equal)))
        assert check_text(certificate(text, rule("Assn"), loop, rule("Return"))).verdict == verdict


NAMED = """
@adjacent(x=absolute_distance(1.0))
def f(x: int) -> output(bool):
    b: bool
    T: bool
    T·outcome: list(int)
    T·outcome = []
    T·outcome.append(x)
    b = bernoulli(0.25 if T·outcome[0] < 1 else 0.75)
    T = b
    return T
"""
"""A list has the name of the outcome of a draw into T: the reader makes such a name of ``self.outcome``."""

CAPTURED = "T = bernoulli(0.25 if T·outcome[0] < 1 else 0.75)"


def test_a_draw_whose_outcome_has_the_name_of_a_list_is_not_read() -> None:
    """In its law the list would be the outcome, and what is in the list would not matter."""
    of = read_as_written(NAMED.lstrip())
    before = "b = bernoulli(0.25 if T·outcome[0] < 1 else 0.75)\n    T = b"
    with pytest.raises(CoreError):
        read_as_written(NAMED.lstrip().replace(before, CAPTURED))
    step = Fuse((2,), 2, CAPTURED, ((None, None),), (1,))
    with pytest.raises(Rejected) as error:
        taken(of, step)
    assert error.value.rule == "Fuse"


@pytest.mark.parametrize("name", ["x", "T", "T.outcome"])
def test_an_outcome_has_a_name_of_its_own(name: str) -> None:
    of = read_as_written(NAMED.lstrip())
    body = tuple(replace(item, index=name) if isinstance(item, ir.Choose) else item for item in of.body)
    check_definite_assignment(of)
    with pytest.raises(Rejected) as error:
        check_definite_assignment(replace(of, body=body))
    assert error.value.reason == f"the outcome of a draw has the name of '{name}', which is something else"
