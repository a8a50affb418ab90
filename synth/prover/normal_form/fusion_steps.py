"""The sums behind a fused draw in closed form, so that they can be checked without being computed again."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.normal_form.decision_trees import (
    ONE,
    ZERO,
    Fork,
    Intractable,
    Leaf,
    Tree,
    fork,
    solved,
    sum_over,
    times,
    with_values,
)
from synth.trusted.normal_form.pre_expectations import chance_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body
from synth.trusted.program.fused_draws import Sums, Total

BELOW = ir.Variable("below%new", ir.Sort.INT)
"""What the sum is below of; no program has such a name."""


DRAWN = "drawn%new"
"""The index of a law, where the outcome has its name."""


def sums_of(window: Body, one: ir.Choose) -> tuple[Sums, ...]:
    """The sums of a window's draws, in their order, where it becomes one draw.  Raises Intractable."""
    found: list[Sums] = []
    ends = builders.equal(ir.Variable(one.target, one.sort), ir.Variable(one.index, one.sort))
    _before(window, fork(ends, ONE, ZERO), found)
    return tuple(reversed(found))


def sums_of_law(one: ir.Choose, mass: Tree | None) -> Sums:
    """The sums of a draw that gets another law; ``mass`` are the weights that it had.  Raises Intractable."""
    assert isinstance(one.law, ir.Chances)
    index, outcome = ir.Variable(DRAWN, one.sort), ir.Variable(one.index, one.sort)
    chance = with_values(chance_of(one.law), {one.index: index})
    term = times(chance, fork(builders.equal(index, outcome), ONE, ZERO))
    return Sums(
        total(term, index, sum_over(term, index)) if one.sort is ir.Sort.INT else None,
        None if mass is None else total(mass, outcome, sum_over(mass, outcome)),
    )


def _before(body: Body, after: Tree, found: list[Sums]) -> Tree:
    """As ``pre_expectations.before``; the sums are found from the last draw to the first one."""
    for statement in reversed(body):
        match statement:
            case ir.Assign(target=name, value=value):
                after = with_values(after, {name: value})
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                other = _before(otherwise, after, found)
                after = fork(condition, _before(then, after, found), other)
            case ir.Choose(target=name, index=index, law=ir.Chances() as law, sort=sort):
                outcome = ir.Variable(index, sort)
                term = times(chance_of(law), with_values(after, {name: outcome}))
                after = sum_over(term, outcome)
                found.append(Sums(total(term, outcome, after) if sort is ir.Sort.INT else None))
            case ir.Obligation():
                pass
            case _:
                raise Intractable
    return after


def total(term: Tree, variable: ir.Variable, value: Tree) -> Total:
    """The closed form of a sum over all integers, which is ``value``.  Raises Intractable."""
    below = sum_over(fork(builders.less(variable, BELOW), term, ZERO), variable)
    bounds = dict.fromkeys(_bounds(term, variable))
    return Total(BELOW.name, expression(below), expression(value), tuple(bounds))


def _bounds(tree: Tree, variable: ir.Variable) -> Iterator[ir.Expression]:
    if isinstance(tree, Fork):
        place = solved(tree.atom, variable)
        if place is not None:
            yield place[1].expression()
        yield from _bounds(tree.then, variable)
        yield from _bounds(tree.otherwise, variable)


def expression(tree: Tree) -> ir.Expression:
    """A tree of numbers as a conditional expression."""
    if isinstance(tree, Leaf):
        return tree.value
    sides = expression(tree.then), expression(tree.otherwise)
    return ir.Operation(ir.Operator.IF, (tree.atom, *sides), ir.Sort.REAL)
