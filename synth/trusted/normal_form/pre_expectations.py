"""Weakest pre-expectations: the chance of what is so at the end, as a tree over what is known before.

Computed backwards over statements that compute and draw values of known chances (McIver & Morgan 2005).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from synth.trusted.normal_form.decision_trees import (
    ZERO,
    Intractable,
    Tree,
    fork,
    leaves,
    sum_over,
    times,
    tree_of,
    with_values,
)
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body

Ended = Callable[[ir.Return], Tree]


def _never(statement: ir.Return) -> Tree:
    raise Intractable


def before(body: Body, after: Tree, exits: Mapping[str, Tree] | None = None, ended: Ended = _never) -> Tree:
    """The expectation of ``after``, before the body; ``exits`` and ``ended`` are what is expected where it
    is left.  Raises Intractable.
    """
    ways = exits or {}
    for statement in reversed(body):
        match statement:
            case ir.Assign(target=name, value=value):
                after = with_values(after, {name: value})
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                sides = (before(side, after, ways, ended) for side in (then, otherwise))
                after = fork(condition, *sides)
            case ir.Choose(target=name, index=index, law=ir.Chances() as law, sort=sort):
                outcome = ir.Variable(index, sort)
                after = sum_over(times(chance_of(law), with_values(after, {name: outcome})), outcome)
            case ir.Block(label=label, body=inner):
                after = before(inner, after, {**ways, label: after}, ended)
            case ir.Exit(label=label) if label in ways:
                after = ways[label]
            case ir.Return():
                after = ended(statement)
            case ir.Obligation():
                pass
            case _:
                raise Intractable
    return after


def chance_of(law: ir.Chances) -> Tree:
    """The chance of the outcome that the law's index names."""
    tree: Tree = ZERO
    for condition, probability in reversed(law.outcomes):
        tree = fork(condition, tree_of(probability), tree)
    return tree


def outcomes_of(tree: Tree) -> tuple[tuple[ir.Expression, ir.Expression], ...]:
    """The leaves with a chance, each with its condition."""
    return tuple((condition, value) for condition, value in leaves(tree) if value != ZERO.value)
