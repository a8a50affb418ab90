"""Rewritings that keep a mechanism's meaning and bring it closer to what couplings can relate.

- What ``requires`` says is not asserted (:mod:`synth.prover.normal_form.known_assumptions`).
- A public function that a scale is made of is called as soon as its arguments are there
  (:mod:`synth.prover.normal_form.early_calls`).
- What both sides of a branch in a loop assign last is assigned behind it
  (:mod:`synth.prover.normal_form.shared_ends`).
- An assignment of what the variable holds already is left out, and what a list gets before it is emptied; a
  variable that gets several values is several; noise that is changed later keeps its name
  (:mod:`synth.prover.normal_form.repeated_assignments`).
- Branches that only compute and then both return become one return of chosen values.
- Noise around ``e / n`` is noise around ``e``, of n times the scale, divided by n (on the reals; but see
  :mod:`synth.prover.normal_form.relative_noise`), and noise around ``n * e`` is n times noise around ``e``.
- A draw whose scale is chosen by a condition becomes a branch with one draw on each side.
- Of a public obligation under a private guard only the obligation is left, and where private data choose
  between public values, one for each of them.  A chance that has a name of its own is put in its place.
- A test of noise that a later exit from a loop asks for becomes a branch: couplings can ask for it, too.
- A function is called before the loop that leaves its arguments alone
  (:mod:`synth.prover.normal_form.invariant_calls`).
- What a loop counts is the number of its rounds (:mod:`synth.prover.normal_form.known_counts`).
- An entry of a local list whose index a loop carries along is remembered
  (:mod:`synth.prover.normal_form.scalar_replacement`).
- A test of a number that was chosen between constants is one of what chose it
  (:mod:`synth.prover.normal_form.decided_tests`).
- A number that has a name is read as the number, where draws of finitely many values decide
  (:mod:`synth.prover.normal_form.named_numbers`).
- What a loop divides by, and a variable is assigned of parameters, stands where it divides.
- A number that coins choose between two constants is a truth value first
  (:mod:`synth.prover.normal_form.two_values`), and one that they choose between whole numbers an integer
  (:mod:`synth.prover.normal_form.whole_numbers`).
- In a private branch, one that appends or returns on both of its sides does so once
  (:mod:`synth.prover.normal_form.nested_ends`).
- What a test of noise decides in a private branch is decided behind it
  (:mod:`synth.prover.normal_form.nested_tests`).
- Noise that is drawn on one side of a private branch is drawn before it
  (:mod:`synth.prover.normal_form.draw_hoisting`).
- Draws of finitely many values that only serve to compute one value become one draw
  (:mod:`synth.prover.normal_form.draw_fusion`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from synth.prover.normal_form.decided_tests import without_decided_tests
from synth.prover.normal_form.draw_fusion import computes, mixed
from synth.prover.normal_form.draw_hoisting import Hoister, hoisted
from synth.prover.normal_form.early_calls import called_early
from synth.prover.normal_form.invariant_calls import called_before
from synth.prover.normal_form.known_assumptions import unasserted
from synth.prover.normal_form.known_counts import with_known_counts
from synth.prover.normal_form.known_names import public_names
from synth.prover.normal_form.loop_scoping import scoped
from synth.prover.normal_form.named_numbers import divisors_in_place, numbers_in_place
from synth.prover.normal_form.nested_ends import ended_once
from synth.prover.normal_form.nested_tests import tested_behind
from synth.prover.normal_form.relative_noise import meets_other_noise, relative_draws
from synth.prover.normal_form.repeated_assignments import (
    apart,
    apart_from_noise,
    apart_inside,
    apart_on_sides,
    once,
    without_lost_entries,
)
from synth.prover.normal_form.scalar_replacement import remembered
from synth.prover.normal_form.shared_ends import shared
from synth.prover.normal_form.structured_exits import normalize
from synth.prover.normal_form.two_values import two_valued
from synth.prover.normal_form.whole_numbers import with_whole_numbers
from synth.trusted.normal_form.decision_trees import Intractable, leaves, tree_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Analysis,
    assigned,
    expressions,
    is_made_of,
    is_pure,
    names,
    with_blocks,
)
from synth.trusted.program.substitution import mapped, replaced

Body = tuple[ir.Statement, ...]


def canonical(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism in the form that the prover works on."""
    for rewrite in PASSES:
        mechanism = rewrite(mechanism)
    return mechanism


def rewritten(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with its returns, obligations, tests and draws as this module's text says."""
    rewriter = _Rewriter(mechanism)
    body = rewriter.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **rewriter.variables})


KEEPING_NOISE: tuple[Callable[[ir.Mechanism], ir.Mechanism], ...] = (
    unasserted,
    called_early,
    normalize,
    shared,
    once,
    without_lost_entries,
    apart,
    apart_inside,
    apart_from_noise,
    apart_on_sides,
    scoped,
    called_before,
    with_known_counts,
    remembered,
    without_decided_tests,
    numbers_in_place,
    divisors_in_place,
    two_valued,
    with_whole_numbers,
    ended_once,
    tested_behind,
    hoisted,
    rewritten,
)
"""Each leaves the draws that are made as they are, and what is made of them."""

PASSES = (*KEEPING_NOISE, mixed)
"""What makes the canonical form, in this order; each keeps the distribution of the output."""


@dataclass
class _Rewriter:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)

    def __post_init__(self) -> None:
        everything = list(ir.statements(self.mechanism.body))
        self.numbers = count()
        self.branches = count(1 + max((s.branch for s in everything if isinstance(s, ir.If)), default=-1))
        self.sites = count(
            1 + max((s.site for s in everything if isinstance(s, ir.Draw | ir.Choose)), default=-1)
        )
        self.outcomes = _derived(everything, ir.Choose)
        self.noisy = _derived(everything, ir.Draw) - self.outcomes
        self.chances = {
            name
            for item in everything
            if isinstance(item, ir.Choose)
            for part in expressions(item)
            for name in names(part)
        }
        self.exits = self._exits()
        self.hoister = Hoister(self.mechanism)
        self.public = public_names(self.mechanism)
        self.positive = set(_positive_parameters(self.mechanism))
        self.fixed = self._fixed()
        self.chosen = dict(self._chosen())
        self.relative = relative_draws(self.mechanism)

    def _fixed(self) -> frozenset[str]:
        """Parameters, and locals that are assigned once and outside of loops: they never change."""
        times: dict[str, int] = {}
        for item in ir.statements(self.mechanism.body):
            if isinstance(item, (ir.Assign, ir.Draw, ir.Choose)):
                times[item.target] = times.get(item.target, 0) + 1
        looped = {
            name
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Loop)
            for name in assigned(item.body)
        }
        public = {item.name for item in self.mechanism.parameters if item.metric is None}
        return frozenset(public | {name for name, number in times.items() if number == 1} - looped)

    def _exits(self) -> set[str]:
        """Locals that an exit from a loop asks for, as an iteration before has left them."""
        live = Analysis(self.mechanism).live_at_loop
        return {
            name
            for loop in ir.statements(self.mechanism.body)
            if isinstance(loop, ir.Loop)
            for item in ir.statements(loop.body)
            if isinstance(item, ir.If) and any(isinstance(part, ir.Exit) for part in ir.statements((item,)))
            for name in names(item.condition) & live[loop.loop]
        }

    def _chosen(self) -> Iterator[tuple[str, ir.Expression]]:
        """Locals whose value is a choice: assigned one, or on the two sides of one branch."""
        for item in ir.statements(self.mechanism.body):
            if isinstance(item, ir.Assign) and item.target in self.fixed:
                if _is_choice(item.value) and names(item.value) <= self.fixed:
                    yield item.target, item.value
            if isinstance(item, ir.If) and names(item.condition) <= self.fixed:
                then, otherwise = _assignments(item.then), _assignments(item.otherwise)
                for name in then.keys() & otherwise.keys():
                    values = (then[name], otherwise[name])
                    inside = sum(_assigns(other, name) for other in ir.statements(self.mechanism.body))
                    if inside == 2 and all(names(value) <= self.fixed for value in values):
                        yield name, ir.Operation(ir.Operator.IF, (item.condition, *values), values[0].sort)

    # --- bodies -----------------------------------------------------------------------------

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        for statement in self._joined(body):
            match statement:
                case ir.If():
                    result += self._if(with_blocks(statement, self.body))
                case ir.Draw():
                    result.extend(self._draw(statement, result))
                case ir.Assign():
                    result.append(self._tested(statement))
                case ir.Choose(law=ir.Chances(outcomes=outcomes)):
                    known = {name: v for name, v in _values(result).items() if _is_choice(v)}
                    chosen = tuple((replaced(test, known), replaced(v, known)) for test, v in outcomes)
                    result.append(replace(statement, law=ir.Chances(chosen)))
                case ir.Obligation():
                    result += self._obligations(statement, _values(result))
                case _:
                    result.append(with_blocks(statement, self.body))
        return tuple(result)

    def _tested(self, statement: ir.Assign) -> ir.Statement:
        """A branch where what an exit from a loop asks for is decided by a test of noise."""
        match statement.value:
            case ir.Operation(operator=ir.Operator.IF, operands=(condition, *values)):
                pass
            case ir.Operation(sort=ir.Sort.BOOL) as condition:
                values = [builders.TRUE, builders.FALSE]
            case _:
                return statement
        if statement.target not in self.exits or not names(condition) & self.noisy:
            return statement
        then, otherwise = ((replace(statement, value=value),) for value in values)
        return ir.If(next(self.branches), condition, then, otherwise, statement.span)

    def _joined(self, body: Body) -> Body:
        """What follows a branch that returns on one side, on the other side, if the runs may part there."""
        for place, statement in enumerate(body):
            rest = body[place + 1 :]
            if not isinstance(statement, ir.If) or not rest or not self._decides(statement.condition):
                continue
            sides = (statement.then, statement.otherwise)
            returns = [bool(part) and isinstance(part[-1], ir.Return) for part in sides]
            if sum(returns) == 1:
                then, otherwise = (
                    part if ends else (*part, *rest) for part, ends in zip(sides, returns, strict=True)
                )
                return (*body[:place], replace(statement, then=then, otherwise=otherwise))
        return body

    def _decides(self, condition: ir.Expression) -> bool:
        """Whether the runs may part at a branch, or a draw of finitely many values decides about it."""
        return bool(names(condition) & self.outcomes) or self.hoister.parts(condition)

    def _if(self, statement: ir.If) -> Body:
        """[Cond-L], [Cond-R] need the runs to meet again: one return instead of two.

        Of two ends that append to one list, too, where the runs may part or a draw of finitely many values
        decides.
        """
        sides = (statement.then, statement.otherwise)
        ends = [part[-1] if part else None for part in sides]
        match ends:
            case [ir.Return() as first, ir.Return() as second] if first.lists == second.lists:
                pass
            case [ir.Append() as first, ir.Append() as second] if (
                first.target == second.target and self._decides(statement.condition)
            ):
                pass
            case _:
                return (statement,)
        if not all(computes(part[:-1]) or is_pure(part[:-1]) for part in sides) or not first.values:
            return (statement,)
        targets = [f"returned%new{next(self.numbers)}.{place}" for place in range(len(first.values))]
        self.variables.update({name: value.sort for name, value in zip(targets, first.values, strict=True)})
        bodies = [
            (
                *part[:-1],
                *(ir.Assign(name, value, end.span) for name, value in zip(targets, end.values, strict=True)),
            )
            for part, end in zip(sides, (first, second), strict=True)
        ]
        values = tuple(ir.Variable(name, self.variables[name]) for name in targets)
        branch = replace(statement, then=bodies[0], otherwise=bodies[1])
        return branch, replace(first, values=values, span=statement.span)

    def _obligations(
        self, statement: ir.Obligation, known: Mapping[str, ir.Expression]
    ) -> Iterator[ir.Obligation]:
        """Where private data choose between public values, the condition has to hold of each of them.

        ``known`` are the values of variables: a chance may stand for such a choice, or for another one.
        """
        condition = statement.condition
        chance = isinstance(condition, ir.Operation) and condition.operator is ir.Operator.AND
        if statement.kind == "scale":
            condition = replaced(
                condition,
                {name: v for name, v in known.items() if _is_short(v) or (chance and self._is_small(v))},
            )
        try:
            sides = list(leaves(tree_of(condition)))
        except Intractable:
            sides = []
        if len(sides) <= 1 or not all(is_made_of(value, self.public) for _, value in sides):
            if is_made_of(condition, self.public):
                statement = replace(statement, condition=condition)
            yield self._obligation(statement)
            return
        for path, value in sides:
            guards = (
                builders.negate(item) for item in builders.conjuncts(path) if is_made_of(item, self.public)
            )
            yield replace(statement, condition=builders.either(*guards, value))

    def _is_small(self, expression: ir.Expression) -> bool:
        return builders.is_small(expression, 4) and is_made_of(expression, self.public)

    def _obligation(self, statement: ir.Obligation) -> ir.Obligation:
        """Of a public condition that private data guard, the condition alone: it holds always or never.

        Guards stand before what they guard.
        """
        parts = builders.disjuncts(statement.condition)
        if not parts or not is_made_of(parts[-1], self.public):
            return statement
        public = (part for part in parts if is_made_of(part, self.public))
        return replace(statement, condition=builders.either(*public))

    # --- draws ------------------------------------------------------------------------------

    def _draw(self, statement: ir.Draw, before: list[ir.Statement]) -> Body:
        center, scale = statement.arguments
        scale = replaced(scale, self.chosen)
        choice = next((part for part in ir.subexpressions(scale) if _is_choice(part)), None)
        if choice is not None and names(choice) <= self.fixed:
            _drop_scale_obligation(before, statement)
            return (self._split(replace(statement, arguments=(center, scale)), choice, _values(before)),)
        return self._unscaled(statement, _values(before))

    def _split(self, statement: ir.Draw, choice: ir.Expression, known: Mapping[str, ir.Expression]) -> ir.If:
        assert isinstance(choice, ir.Operation)
        condition, then, otherwise = choice.operands
        center, scale = statement.arguments
        sides = []
        for place, value in enumerate((then, otherwise)):
            chosen = _substituted(scale, choice, value)
            site = statement.site if place == 0 else next(self.sites)
            draw = replace(statement, site=site, arguments=(center, chosen))
            sides.append((_positive(chosen, statement), *self._unscaled(draw, known)))
        return ir.If(next(self.branches), condition, sides[0], sides[1], statement.span)

    def _unscaled(self, statement: ir.Draw, known: Mapping[str, ir.Expression]) -> Body:
        """Laplace(e/n, s) = Laplace(e, n·s)/n, and Laplace(n·e, s) = n·Laplace(e, s/n), for n > 0.

        ``known`` are the values of variables.
        """
        center, scale = statement.arguments
        while isinstance(center, ir.Variable) and center.name in known:
            center = known[center.name]
        if statement.sort is not ir.Sort.REAL or not isinstance(center, ir.Operation):
            return (statement,)
        if statement.site in self.relative and meets_other_noise(self.mechanism, statement.target):
            return (statement,)
        match center:
            case ir.Operation(ir.Operator.DIVIDE, (inner, size)) if self._is_public(_known(size, known)):
                size, inverse = _known(size, known), ir.Operator.MULTIPLY
            case ir.Operation(ir.Operator.MULTIPLY, factors) if (place := self._size_of(factors)) is not None:
                size, inner, inverse = factors[place], factors[1 - place], ir.Operator.DIVIDE
            case _:
                return (statement,)
        own_scale = ir.Operation(inverse, (scale, size), ir.Sort.REAL)
        name = f"unscaled%new{next(self.numbers)}"
        self.variables[name] = ir.Sort.REAL
        back = _with_operand(center, inner, ir.Variable(name, ir.Sort.REAL))
        draw = replace(statement, target=name, arguments=(inner, own_scale))
        known_positive = (_positive(size, statement),) if inverse is ir.Operator.DIVIDE else ()
        demands = (*known_positive, _positive(own_scale, statement))
        return *demands, draw, ir.Assign(statement.target, back, statement.span)

    def _size_of(self, factors: tuple[ir.Expression, ...]) -> int | None:
        """The place of a parameter beside a private factor, if ``requires`` says that it is positive."""
        for place, factor in enumerate(factors):
            if factor in self.positive and not is_made_of(factors[1 - place], self.public):
                return place
        return None

    def _is_public(self, expression: ir.Expression) -> bool:
        scalars = {
            item.name
            for item in self.mechanism.parameters
            if item.metric is None and item.kind is ir.ParameterKind.SCALAR
        }
        mentioned = {part.name for part in ir.subexpressions(expression) if isinstance(part, ir.Variable)}
        if any(isinstance(part, (ir.Read, ir.Element)) for part in ir.subexpressions(expression)):
            return False
        return mentioned <= scalars and not isinstance(expression, ir.Constant)


def _with_operand(whole: ir.Operation, old: ir.Expression, new: ir.Expression) -> ir.Operation:
    return replace(whole, operands=tuple(new if item is old else item for item in whole.operands))


def _positive_parameters(mechanism: ir.Mechanism) -> Iterator[ir.Expression]:
    """Real parameters that ``requires`` says to be above 0, or another number from 0 on."""
    for condition in builders.conjuncts(mechanism.requires):
        match condition:
            case ir.Operation(
                ir.Operator.LESS, (ir.Constant(value=low), ir.Variable(sort=ir.Sort.REAL) as parameter)
            ) if low >= 0:
                yield parameter
            case ir.Operation(
                ir.Operator.LESS_EQUAL, (ir.Constant(value=low), ir.Variable(sort=ir.Sort.REAL) as parameter)
            ) if low > 0:
                yield parameter
            case ir.Operation(
                ir.Operator.LESS_EQUAL | ir.Operator.LESS,
                (ir.Constant(value=low), ir.Variable(sort=ir.Sort.INT) as parameter),
            ) if low > 0 or (low == 0 and condition.operator is ir.Operator.LESS):
                yield builders.convert(parameter, ir.Sort.REAL)


def _derived(everything: list[ir.Statement], kind: type[ir.Draw | ir.Choose]) -> set[str]:
    """Variables that hold a draw of that kind, or are computed from one."""
    found = {item.target for item in everything if isinstance(item, kind)}
    while True:
        more = {
            item.target for item in everything if isinstance(item, ir.Assign) and names(item.value) & found
        }
        if more <= found:
            return found
        found |= more


def _values(before: Sequence[ir.Statement]) -> dict[str, ir.Expression]:
    """What variables are equal to behind these statements, as far as it can be seen."""
    known: dict[str, ir.Expression] = {}
    for statement in before:
        gone = assigned((statement,))
        known = {name: value for name, value in known.items() if not ({name} | names(value)) & gone}
        if isinstance(statement, ir.Assign) and statement.target not in names(statement.value):
            known[statement.target] = statement.value
    return known


def _known(expression: ir.Expression, values: Mapping[str, ir.Expression]) -> ir.Expression:
    """The expression without variables that only stand for another one, or for a number of it."""
    while (names(expression) & values.keys()) and builders.is_small(expression, 8):
        expression = replaced(expression, values)
    return expression


def _assignments(body: Body) -> dict[str, ir.Expression]:
    return {item.target: item.value for item in body if isinstance(item, ir.Assign)} if is_pure(body) else {}


def _assigns(statement: ir.Statement, name: str) -> bool:
    return isinstance(statement, (ir.Assign, ir.Draw, ir.Choose)) and statement.target == name


def _is_choice(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Operation) and expression.operator is ir.Operator.IF


def _is_short(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Variable) or _is_choice(expression)


def _positive(scale: ir.Expression, draw: ir.Draw) -> ir.Obligation:
    zero = ir.Constant(0, ir.Sort.REAL)
    condition = ir.Operation(ir.Operator.LESS, (zero, scale), ir.Sort.BOOL)
    return ir.Obligation("scale", condition, f"the scale of {draw.distribution} must be positive", draw.span)


def _drop_scale_obligation(before: list[ir.Statement], draw: ir.Draw) -> None:
    """The obligation of the whole scale, for which each side has its own instead."""
    for place in range(len(before) - 1, -1, -1):
        item = before[place]
        if not isinstance(item, ir.Obligation):
            return
        if item.kind == "scale" and draw.arguments[1] in ir.subexpressions(item.condition):
            del before[place]
            return


def _substituted(expression: ir.Expression, old: ir.Expression, new: ir.Expression) -> ir.Expression:
    return mapped(expression, lambda item: new if item is old else None)
