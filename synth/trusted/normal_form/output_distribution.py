"""The chances of what a mechanism returns, where finitely many draws of finitely many values decide it.

Such a mechanism has no noise, and loops and lists only of sizes that are numbers.  The names of what
is added here begin with a percent sign, which those of no variable do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from itertools import count

from synth.trusted.normal_form.decision_trees import (
    ONE,
    ZERO,
    Fork,
    Intractable,
    Leaf,
    Tree,
    combined,
    fork,
    rewritten,
    sum_over,
)
from synth.trusted.normal_form.pre_expectations import before, outcomes_of
from synth.trusted.normal_form.unrolling import unfolded
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import is_made_of, length_name, names
from synth.trusted.program.substitution import mapped

MAX_OUTCOMES = 40


@dataclass(frozen=True)
class OutputLaw:
    """The chance that a mechanism returns certain values, as a tree of conditions on these and the inputs.

    ``values`` are variables for what is returned; conditions and chances speak of them and of parameters.
    """

    values: tuple[ir.Variable, ...]
    tree: Tree

    @property
    def outcomes(self) -> tuple[tuple[ir.Expression, ir.Expression], ...]:
        """Conditions, of which at most one holds, with the chances there; elsewhere the chance is 0."""
        return outcomes_of(self.tree)


def output_law(mechanism: ir.Mechanism) -> OutputLaw:
    """The law of a mechanism's output.  Raises Intractable where this module does not find it."""
    if not any(isinstance(item, ir.Choose) for item in ir.statements(mechanism.body)) or mechanism.facts:
        raise Intractable
    body = unfolded(mechanism)
    returned = next(item for item in ir.statements(body) if isinstance(item, ir.Return))
    values = tuple(
        ir.Variable(f"%returned{place}", value.sort) for place, value in enumerate(returned.values)
    )

    def is_it(statement: ir.Return) -> Tree:
        pairs = zip(statement.values, values, strict=True)
        return fork(builders.both(*(builders.equal(left, right) for left, right in pairs)), ONE, ZERO)

    law = OutputLaw(values, before(body, ZERO, ended=is_it))
    if len(law.outcomes) > MAX_OUTCOMES or not _is_about_inputs(law, mechanism):
        raise Intractable
    return law


def lost(pair: tuple[int, int]) -> str:
    """The variable that stands for what is lost where run 1 has one outcome and run 2 another."""
    return f"%lost{pair[0]}.{pair[1]}"


Private = tuple[tuple[ir.Expression, tuple[ir.Variable, ir.Variable]], ...]
"""Run 1's expressions that may differ in run 2, with variables that stand for them in the two runs."""


@dataclass(frozen=True)
class Losses:
    """What is lost in all, over all returned values, as a tree of conditions on both runs' inputs.

    Its values are sums of :func:`lost`.
    """

    tree: Tree
    private: Private


def losses(law: OutputLaw, mechanism: ir.Mechanism, pairs: Collection[tuple[int, int]]) -> Losses:
    """The sum over all values of what is lost there, for pairs of outcomes.  Raises Intractable."""
    numbered = _numbered(law.tree, count(), len(law.outcomes))
    private = _private(law, mechanism)
    runs = (
        rewritten(numbered, partial(mapped, change={item: pair[run] for item, pair in private}.get))
        for run in (0, 1)
    )

    def at(left: ir.Expression, right: ir.Expression) -> ir.Expression:
        assert isinstance(left, ir.Constant) and isinstance(right, ir.Constant)
        pair = int(left.value), int(right.value)
        return ir.Variable(lost(pair), ir.Sort.REAL) if pair in pairs else ZERO.value

    tree = combined(at, *runs)
    for value in law.values:
        tree = sum_over(tree, value)
    return Losses(tree, private)


def counts(value: ir.Expression) -> tuple[ir.Expression, ...]:
    """How many values lose alike, as far as a sum of :func:`losses` has no number for it."""
    found = {
        part: None
        for part in ir.subexpressions(value)
        if isinstance(part, ir.Operation) and part.operator is ir.Operator.TO_REAL
    }
    return tuple(found)


def counted(place: int) -> ir.Variable:
    """The variable that stands for one of :func:`counts`."""
    return ir.Variable(f"%count{place}", ir.Sort.REAL)


def _numbered(tree: Tree, numbers: count[int], none: int) -> Tree:
    """The tree with the number of the outcome at each leaf; ``none`` where there is none."""
    if isinstance(tree, Leaf):
        return Leaf(builders.integer(none if tree == ZERO else next(numbers)))
    sides = (_numbered(side, numbers, none) for side in (tree.then, tree.otherwise))
    return Fork(tree.atom, *sides)


def _private(law: OutputLaw, mechanism: ir.Mechanism) -> Private:
    """The private scalars and entries that conditions speak of.  Raises Intractable for one that depends on
    what is returned.
    """
    hidden = {item.name for item in mechanism.parameters if item.metric is not None}
    returned = {item.name for item in law.values}
    found: dict[ir.Expression, None] = {}

    def note(item: ir.Expression) -> ir.Expression | None:
        match item:
            case ir.Variable(name=name) if name in hidden:
                found[item] = None
            case ir.Read(source=source, index=index) if source in hidden:
                if any(names(place) & returned for place in index):
                    raise Intractable
                found[item] = None
                return item
        return None

    for condition, _ in law.outcomes:
        mapped(condition, note)
    return tuple(
        (item, (ir.Variable(f"%private{place}<1>", item.sort), ir.Variable(f"%private{place}<2>", item.sort)))
        for place, item in enumerate(found)
    )


def _is_about_inputs(law: OutputLaw, mechanism: ir.Mechanism) -> bool:
    """Whether conditions speak of inputs and returned values only, and chances of public numbers."""
    scalars = {item.name for item in mechanism.parameters if item.kind is ir.ParameterKind.SCALAR}
    lengths = {length_name(item.name) for item in mechanism.parameters}
    public = {item.name for item in mechanism.parameters if item.metric is None} & scalars | lengths
    known = scalars | lengths | {item.name for item in law.values}
    return all(names(condition) <= known and is_made_of(chance, public) for condition, chance in law.outcomes)
