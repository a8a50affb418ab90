"""Sums of entries, and entries divided by their sum: such probabilities add up to 1.

``w = [exp(s) for s in xs]; t = sum(w); choice(n, p=[v / t for v in w])`` asks that t is not 0, that each
probability is positive, and that they add up to 1.  All of this holds if there is an entry.  What a list or a
sum is made of is read off the loop that makes it, however it is written, and is forgotten where anything that
it is made of may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from synth.trusted.frontend import logarithms
from synth.trusted.frontend.values import INDEX
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name, names, target, with_blocks
from synth.trusted.program.flow import runs_through
from synth.trusted.program.substitution import mapped, replaced

Body = tuple[ir.Statement, ...]

MAX_PARTS = 60
"""How many parts an expression may have that is remembered."""

MAX_VALUES = 200
"""How many variables are remembered; the oldest are forgotten."""


@dataclass(frozen=True)
class Entries:
    """So many numbers; ``entry`` is each of them, over :data:`~values.INDEX`, None if that is not known."""

    count: ir.Expression
    entry: ir.Expression | None

    def mentioned(self) -> set[str]:
        return names(self.count) | (set() if self.entry is None else names(self.entry))


@dataclass(frozen=True)
class Known:
    """What is known at a place of the program.

    ``values`` are expressions that variables are equal to, ``lists`` the entries of local lists of numbers,
    ``sums`` what variables are the sums of.
    """

    values: Mapping[str, ir.Expression] = field(default_factory=dict)
    lists: Mapping[str, Entries] = field(default_factory=dict)
    sums: Mapping[str, Entries] = field(default_factory=dict)

    def without(self, body: Iterable[ir.Statement]) -> Known:
        """What is still known when these statements may have been run."""
        gone = {name for item in ir.statements(tuple(body)) if (name := target(item)) is not None}
        if not gone:
            return self
        return Known(
            {n: e for n, e in self.values.items() if n not in gone and not names(e) & gone},
            {n: e for n, e in self.lists.items() if length_name(n) not in gone and not e.mentioned() & gone},
            {n: e for n, e in self.sums.items() if n not in gone and not e.mentioned() & gone},
        )

    def and_then(self, statement: ir.Statement) -> Known:
        """What is known behind a statement."""
        left = self.without((statement,))
        match statement:
            case ir.Assign(name, value) if name not in names(value):
                value = left.resolved(value)
                if builders.is_small(value, MAX_PARTS):
                    latest = [*left.values.items()][1 - MAX_VALUES :]
                    return replace(left, values={**dict(latest), name: value})
            case ir.NewList(name):
                empty = Entries(builders.ZERO, builders.zero(ir.Sort.REAL))
                return replace(left, lists={**left.lists, name: empty})
            case ir.Block(label, (ir.Loop() as loop,)):
                return left.and_made(self, _made(self, label, loop))
        return left

    def and_made(self, before: Known, made: tuple[str, bool, Entries] | None) -> Known:
        """What is known behind a loop that has made a list, or a sum."""
        if made is None:
            return self
        name, is_list, entries = made
        if is_list and name in before.lists and before.lists[name].count == builders.ZERO:
            return replace(self, lists={**self.lists, name: entries})
        start = before.values.get(name)
        if not is_list and isinstance(start, ir.Constant) and start.value == 0:
            return replace(self, sums={**self.sums, name: entries})
        return self

    def resolved(self, expression: ir.Expression) -> ir.Expression:
        """The same value, with entries of lists and variables written out as far as they are known."""

        def change(part: ir.Expression) -> ir.Expression | None:
            match part:
                case ir.Variable(name) if name in self.values:
                    return self.values[name]
                case ir.Length(name) if name in self.lists:
                    return self.lists[name].count
                case ir.Element(source=name, index=index) if name in self.lists:
                    entry = self.lists[name].entry
                    return None if entry is None else replaced(entry, {INDEX.name: self.resolved(index)})
                case ir.Operation(ir.Operator.ABSOLUTE, (inner,)):
                    found = self.resolved(inner)
                    positive = isinstance(found, ir.Operation) and found.operator is ir.Operator.EXPONENTIAL
                    return found if positive else replace(part, operands=(found,))
                case _:
                    return None

        return mapped(expression, change)

    def positive(self, expression: ir.Expression) -> frozenset[ir.Expression] | None:
        """Counts of which all must be positive so that the number is; None if it isn't known to be then."""
        match expression:
            case ir.Constant(value=value) if value > 0:
                return frozenset()
            case ir.Operation(ir.Operator.EXPONENTIAL):
                return frozenset()
            case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE, parts):
                one, other = map(self.positive, parts)
                return None if one is None or other is None else one | other
            case ir.Variable(name) if name in self.sums:
                of = self.sums[name]
                each = None if of.entry is None else self.positive(of.entry)
                return None if each is None else each | {of.count}
            case _:
                return None

    def is_whole(self, name: str) -> ir.Expression | None:
        """Of a sum of entries that are all divided by their sum: that one."""
        match self.sums.get(name):
            case Entries(count, ir.Operation(ir.Operator.DIVIDE, (part, ir.Variable(total) as whole))):
                return whole if self.sums.get(total) == Entries(count, part) else None
            case _:
                return None


def simplified(body: Body) -> Body:
    """The body with draws by simpler weights, and with conditions that imply those of the body."""
    draws = (item for item in ir.statements(body) if isinstance(item, ir.Choose))
    return _simplified(Known(), body) if any(isinstance(item.law, ir.Weights) for item in draws) else body


def _simplified(known: Known, body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        match statement:
            case ir.Obligation():
                result += _asked(statement, known)
            case ir.Choose(law=ir.Weights() as law):
                result.append(replace(statement, law=_weights(law, statement.index, known)))
            case ir.Loop(body=again):
                result.append(with_blocks(statement, partial(_simplified, known.without(again))))
            case _:
                result.append(with_blocks(statement, partial(_simplified, known)))
        known = known.and_then(statement)
    return tuple(result)


# --- what is asked ----------------------------------------------------------------------


def _asked(obligation: ir.Obligation, known: Known) -> tuple[ir.Obligation, ...]:
    """The obligation with a condition that implies its own; none where that holds anyway."""
    parts = (_condition(part, known) for part in builders.conjuncts(obligation.condition))
    condition = builders.both(*parts)
    return () if condition == builders.TRUE else (replace(obligation, condition=condition),)


def _condition(condition: ir.Expression, known: Known) -> ir.Expression:
    """The condition, or one that implies it."""
    needed: frozenset[ir.Expression] | None = None
    match condition:
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.EQUAL, (number, zero)),)) | ir.Operation(
            ir.Operator.LESS, (zero, number)
        ) if _is(zero, 0):
            needed = known.positive(known.resolved(number))
        case ir.Operation(ir.Operator.EQUAL, (ir.Variable(name), one)) if _is(one, 1):
            whole = known.is_whole(name)
            needed = None if whole is None else known.positive(whole)
        case ir.Operation(ir.Operator.EQUAL, (ir.Length() as one, other)):
            return builders.TRUE if known.resolved(one) == known.resolved(other) else condition
        case ir.Operation(ir.Operator.LESS, (one, other)) if one.sort is ir.Sort.INT:
            return builders.less(one, known.resolved(other))
        case _:
            pass
    if needed is None:
        return condition
    return builders.both(*(builders.less(builders.ZERO, count) for count in sorted(needed, key=repr)))


def _is(expression: ir.Expression, number: int) -> bool:
    return isinstance(expression, ir.Constant) and expression.value == number


def _weights(law: ir.Weights, index: str, known: Known) -> ir.Weights:
    demands = tuple(part for item in law.demands for part in _asked(item, known))
    score = law.score
    match known.resolved(score):
        case ir.Operation(ir.Operator.LOGARITHM, (weight,)) if known.positive(weight) is not None:
            score = _logarithm(weight, index) or score
    return replace(law, demands=demands, score=_moving(score, index) or score)


def _logarithm(weight: ir.Expression, index: str) -> ir.Expression | None:
    """The logarithm of a positive weight, but for a number that is the same for all indices."""
    match weight:
        case ir.Operation(ir.Operator.DIVIDE, (part, whole)) if index not in names(whole):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (part, factor)) if index not in names(factor):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (factor, part)) if index not in names(factor):
            return _logarithm(part, index)
        case _:
            return logarithms.exponent(weight)


def _moving(score: ir.Expression, index: str) -> ir.Expression | None:
    """The score but for a number that is the same for all indices; None if nothing is left."""
    if index not in names(score):
        return None
    match score:
        case ir.Operation(ir.Operator.ADD, (left, right)):
            one, other = _moving(left, index), _moving(right, index)
            return builders.add(one, other) if one and other else one or other
        case ir.Operation(ir.Operator.SUBTRACT, (left, right)):
            one, other = _moving(left, index), _moving(right, index)
            if one and other:
                return builders.subtract(one, other)
            return one or (None if other is None else builders.opposite(other))
        case ir.Operation(ir.Operator.NEGATE, (part,)):
            moving = _moving(part, index)
            return None if moving is None else builders.opposite(moving)
        case ir.Operation(ir.Operator.DIVIDE, (part, divisor)) if index not in names(divisor):
            moving = _moving(part, index)
            return None if moving is None else builders.divide(moving, divisor)
        case ir.Operation(ir.Operator.MULTIPLY, (factor, part)) if index not in names(factor):
            moving = _moving(part, index)
            return None if moving is None else builders.arithmetic(ir.Operator.MULTIPLY, factor, moving)
        case ir.Operation(ir.Operator.MULTIPLY, (part, factor)) if index not in names(factor):
            moving = _moving(part, index)
            return None if moving is None else builders.arithmetic(ir.Operator.MULTIPLY, moving, factor)
        case _:
            return score


# --- loops ------------------------------------------------------------------------------


def _made(known: Known, label: str, loop: ir.Loop) -> tuple[str, bool, Entries] | None:
    """What a loop over indices from 0 on makes, the list (True) or sum of that name, and of which entries."""
    match loop.body:
        case (
            ir.If(
                condition=ir.Operation(ir.Operator.LESS_EQUAL, (count, ir.Variable(counter))),
                then=(ir.Exit(left),),
                otherwise=(),
            ),
            *middle,
            ir.Assign(stepped, ir.Operation(ir.Operator.ADD, (ir.Variable(old), one))),
        ) if left == label and stepped == old == counter and _is(one, 1):
            pass
        case _:
            return None
    around = known.without(loop.body)
    count = around.resolved(count)
    targets = Counter(name for item in ir.statements(loop.body) if (name := target(item)) is not None)
    start = known.values.get(counter)
    if start is None or not _is(start, 0) or not _is_size(count) or names(count) & targets.keys():
        return None
    made = _one_entry(tuple(middle), around)
    if made is None or targets[counter] > 1:
        return None
    name, is_list, entry = made
    if targets[length_name(name) if is_list else name] > 1:
        return None
    entry = replaced(entry, {counter: INDEX})
    return name, is_list, Entries(count, None if names(entry) & targets.keys() else entry)


def _is_size(count: ir.Expression) -> bool:
    """Whether a number is evidently at least 0."""
    return isinstance(count, ir.Length) or (isinstance(count, ir.Constant) and count.value >= 0)


def _one_entry(body: Body, known: Known) -> tuple[str, bool, ir.Expression] | None:
    """What one round appends to a list (True), or adds to a variable, once and whatever else it does."""
    made: list[tuple[str, bool, ir.Expression]] = []
    for statement in body:
        match statement:
            case ir.Append(name, (entry,)):
                made.append((name, True, known.resolved(entry)))
            case ir.Assign(name, ir.Operation(ir.Operator.ADD, (ir.Variable(old), entry))) if name == old:
                made.append((name, False, known.resolved(entry)))
            case _ if not runs_through(statement):
                return None
        known = known.and_then(statement)
    return made[0] if len(made) == 1 else None
