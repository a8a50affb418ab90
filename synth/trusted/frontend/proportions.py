"""Sums of entries, and entries divided by their sum: such probabilities add up to 1.

``w = [exp(s) for s in xs]; t = sum(w); choice(n, p=[v / t for v in w])`` asks that t is not 0, that each
probability is positive, and that they add up to 1.  All of this holds if there is an entry.  What a list or a
sum is made of is read off the loop that makes it, however it is written, and is forgotten where anything that
it is made of may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from synth.trusted.frontend import logarithms, redraws, written_weights
from synth.trusted.frontend.values import INDEX
from synth.trusted.frontend.written_weights import Bounds, Cases
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed, length_name, names, target, with_blocks
from synth.trusted.program.flow import runs_through
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped, replaced

Body = tuple[ir.Statement, ...]

_ONE = builders.convert(builders.ONE, ir.Sort.REAL)

MAX_PARTS = 60
"""How many parts an expression may have that is remembered."""

MAX_VALUES = 200
"""How many variables are remembered; the oldest are forgotten."""


MAX_ENTRY = 24
"""How many parts an entry may have that stands where it is read."""


@dataclass(frozen=True)
class Entries:
    """So many numbers; ``entry`` is each of them, over :data:`~values.INDEX`, None if that is not known.

    The one at the place ``dropped`` is not among them.
    """

    count: ir.Expression
    entry: ir.Expression | None
    dropped: ir.Expression | None = None

    def mentioned(self) -> set[str]:
        return {name for part in (self.count, self.entry, self.dropped) if part for name in names(part)}

    def length(self) -> ir.Expression:
        """How many there are, if the place of the one that is dropped is one of 0 to ``count`` - 1."""
        return self.count if self.dropped is None else builders.subtract(self.count, builders.ONE)

    def at(self, index: ir.Expression) -> ir.Expression | None:
        """The one at an index."""
        place = index if self.dropped is None else written_weights.skipping(index, self.dropped)
        return None if self.entry is None else replaced(self.entry, {INDEX.name: place})


@dataclass(frozen=True)
class Known:
    """What is known at a place of the program.

    ``values`` are expressions that variables are equal to, ``lists`` the entries of local lists of numbers,
    ``sums`` what variables are the sums of; of ``whole`` numbers the sum is 1, of ``near`` ones no
    further from it than what is said.  ``indices`` are from 0 on, and below a count.  ``bounds`` hold
    everywhere, and ``drawn`` are all variables that hold draws of finitely many values.
    """

    values: Mapping[str, ir.Expression] = field(default_factory=dict)
    lists: Mapping[str, Entries] = field(default_factory=dict)
    sums: Mapping[str, Entries] = field(default_factory=dict)
    whole: tuple[Cases, ...] = ()
    near: tuple[tuple[Entries, Fraction], ...] = ()
    bounds: Bounds = field(default_factory=Bounds)
    drawn: frozenset[str] = frozenset()
    indices: Mapping[str, ir.Expression] = field(default_factory=dict)

    def without(self, body: Iterable[ir.Statement]) -> Known:
        """What is still known when these statements may have been run."""
        gone = {name for item in ir.statements(tuple(body)) if (name := target(item)) is not None}
        if not gone:
            return self
        return Known(
            {n: e for n, e in self.values.items() if n not in gone and not names(e) & gone},
            {n: e for n, e in self.lists.items() if length_name(n) not in gone and not e.mentioned() & gone},
            {n: e for n, e in self.sums.items() if n not in gone and not e.mentioned() & gone},
            tuple(item for item in self.whole if not item.mentioned() & gone),
            tuple(item for item in self.near if not item[0].mentioned() & gone),
            self.bounds,
            self.drawn,
            {n: e for n, e in self.indices.items() if n not in gone and not names(e) & gone},
        )

    def and_then(self, statement: ir.Statement) -> Known:
        """What is known behind a statement."""
        left = self.without((statement,))
        match statement:
            case ir.Assign(name, value):
                value = self.resolved(value)
                if name not in names(value) and builders.is_small(value, MAX_PARTS):
                    latest = [*left.values.items()][1 - MAX_VALUES :]
                    return replace(left, values={**dict(latest), name: value})
            case ir.Choose(target=name):
                count = _count_of(statement)
                if count is not None and name not in names(count):
                    return replace(left, indices={**left.indices, name: left.resolved(count)})
            case ir.NewList(name):
                empty = Entries(builders.ZERO, builders.zero(ir.Sort.REAL))
                return replace(left, lists={**left.lists, name: empty})
            case ir.Append(name, (value,)) if name in self.lists:
                return left.and_list(name, _longer(self.lists[name], self.resolved(value), None))
            case ir.If(condition=condition, then=(ir.Append(name, (value,)),), otherwise=()) if (
                name in self.lists
            ):
                kept = self.resolved(condition)
                return left.and_list(name, _longer(self.lists[name], self.resolved(value), kept))
            case ir.Obligation(condition=condition):
                said = _about_one(condition)
                cases = None if said is None else self.cases_of_sum(said[0])
                return self if cases is None else replace(self, whole=(*self.whole, cases))
            case ir.Assume(condition=condition):
                found = (_about_one(part) for part in builders.conjuncts(condition))
                near = ((self.sums[s[0]], s[1]) for s in found if s is not None and s[0] in self.sums)
                return replace(self, near=(*self.near, *near))
            case ir.Block(label, (ir.Loop() as loop,)):
                rounds = rounds_of(self, label, loop)
                if rounds is not None:
                    for made in _made(rounds):
                        left = left.and_made(self, made)
                    return left.and_found(_found(self, rounds))
        return left

    def and_found(self, found: tuple[str, ir.Expression] | None) -> Known:
        """With the value of a variable, if that is known."""
        return self if found is None else replace(self, values={**self.values, found[0]: found[1]})

    def and_list(self, name: str, entries: Entries | None) -> Known:
        """With what a list has, if that is known."""
        return self if entries is None else replace(self, lists={**self.lists, name: entries})

    def and_made(self, before: Known, made: tuple[str, bool, Entries]) -> Known:
        """What is known behind a loop that has made a list, or a sum."""
        name, is_list, entries = made
        if is_list and name in before.lists and before.lists[name].count == builders.ZERO:
            return self.and_list(name, entries)
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
                case ir.Length(name) if self.has(name):
                    return self.lists[name].length()
                case ir.Element(source=name, index=index) if self.has(name):
                    entry = self.lists[name].at(self.resolved(index))
                    return None if entry is None or entry.sort is not part.sort else entry
                case ir.Operation(ir.Operator.IF, (asked, number, zero)) if _is(zero, 0):
                    count = self.resolved(number)
                    above = self.resolved(asked) == builders.less(builders.ZERO, count)
                    return count if above and self.bounds.at_least_zero(count) else None
                case ir.Operation(ir.Operator.ABSOLUTE, (inner,)):
                    found = self.resolved(inner)
                    positive = isinstance(found, ir.Operation) and found.operator is ir.Operator.EXPONENTIAL
                    return found if positive else replace(part, operands=(found,))
                case ir.Operation(ir.Operator.EXPONENTIAL, (inner,)):
                    return logarithms.exponential(self.resolved(inner))
                case _:
                    return None

        return mapped(expression, change)

    def has(self, name: str) -> bool:
        """Whether the entries of a list are known."""
        entries = self.lists.get(name)
        return entries is not None and (
            entries.dropped is None or self.bounds.inside(entries.dropped, entries.count)
        )

    def written(self, expression: ir.Expression) -> ir.Expression:
        """The same value, with entries of lists that are made of few variables written out."""

        def change(part: ir.Expression) -> ir.Expression | None:
            match part:
                case ir.Length(name) if self.has(name) and self._chooses(name):
                    length = self.lists[name].length()
                    lengths = (isinstance(item, ir.Length) for item in ir.subexpressions(length))
                    return None if any(lengths) else length
                case ir.Element(source=name, index=index) if self.has(name):
                    entry = self.lists[name].at(self.written(index))
                    return entry if entry is not None and self._is_plain(entry, part) else None
                case ir.Operation(ir.Operator.EQUAL, (one, ir.Constant() as other)):
                    return _equal(self.written(one), other)
                case _:
                    return None

        return mapped(expression, change)

    def _is_plain(self, entry: ir.Expression, read: ir.Element) -> bool:
        """Whether the entry of a list may stand where it is read."""
        parts = tuple(ir.subexpressions(entry))
        if len(parts) > MAX_ENTRY or entry.sort is not read.sort:
            return False
        if any(isinstance(part, ir.Element) for part in parts):
            return False
        if isinstance(read.index, ir.Variable) and read.index.name in self.drawn:
            return True
        return self._chooses(read.source) and not any(isinstance(part, ir.Read) for part in parts)

    def _chooses(self, name: str) -> bool:
        """Whether the entries of a list differ at one place, or all but one entry of others are in it."""
        entries = self.lists[name]
        parts = () if entries.entry is None else ir.subexpressions(entries.entry)
        choices = sum(isinstance(part, ir.Operation) and part.operator is ir.Operator.IF for part in parts)
        return choices == 1 or (entries.dropped is not None and choices == 0)

    def cases_of_sum(self, name: str) -> Cases | None:
        """What a variable is the sum of, if it is of few different numbers."""
        match self.sums.get(name):
            case Entries(count, entry, None) if entry is not None:
                return written_weights.cases(entry, INDEX, count, self.bounds)
            case _:
                return None

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
            case ir.Operation(ir.Operator.IF, (_, *sides)):
                one, other = map(self.positive, sides)
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


def simplified(body: Body, requires: ir.Expression = builders.TRUE) -> Body:
    """The body with draws by simpler weights, and with conditions that imply those of the body.

    ``requires`` holds of parameters.
    """
    drawn = {item.target for item in ir.statements(body) if isinstance(item, ir.Choose)}
    known = Known(bounds=Bounds(builders.conjuncts(requires)), drawn=frozenset(drawn))
    return _simplified(known, body) if drawn else body


def with_public_sums(body: Body, requires: ir.Expression) -> Body:
    """The body with assertions that a sum is about 1 as ones about what it is the sum of.

    Weights that only private data tell apart have a sum that is public; and shares of a sum add up to 1 if
    there are any.
    """
    return _with_sums(Known(bounds=Bounds(builders.conjuncts(requires))), body)


def _with_sums(known: Known, body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        match statement:
            case ir.Assume(condition=condition):
                parts = list(builders.conjuncts(condition))
                stated = [_of_sum(part, known) for part in parts]
                kept = stated == parts  # what is printed is asserted in a form of its own
                result.append(statement if kept else replace(statement, condition=builders.both(*stated)))
            case ir.Loop(body=again):
                result.append(with_blocks(statement, partial(_with_sums, known.without(again))))
            case _:
                result.append(with_blocks(statement, partial(_with_sums, known)))
        known = known.and_then(statement)
    return tuple(result)


def _of_sum(condition: ir.Expression, known: Known) -> ir.Expression:
    """The condition; if it asks that a sum is about 1, the same of what it is the sum of."""
    said = _about_one(condition)
    if said is None:
        return condition
    name, by = said
    whole, cases = known.is_whole(name), known.cases_of_sum(name)
    if cases is not None:
        return replaced(condition, {name: cases.total()})
    count = known.sums[name].count if name in known.sums else builders.ZERO
    if whole is not None and known.positive(whole) == frozenset({count}) and by < 1:
        return builders.less(builders.ZERO, count)
    return condition


def _simplified(known: Known, body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        draws = redraws.found(statement)
        once = None if draws is None else _drawn_once(draws, known, result)
        if once is not None:
            result += once
            for item in once:
                known = known.and_then(item)
            continue
        match statement:
            case ir.Obligation(kind="scale"):
                condition = _demand(known.written(statement.condition))
                result += () if condition == builders.TRUE else (replace(statement, condition=condition),)
            case ir.Obligation():
                result += _asked(replace(statement, condition=known.written(statement.condition)), known)
            case ir.Choose(law=ir.Weights() as law):
                law = replace(_weights(law, statement.index, known), count=known.written(law.count))
                result += _drawn(replace(statement, law=law), known)
            case ir.Choose(law=ir.Chances()):
                result.append(_with_arguments(statement, known))
            case ir.Loop(body=again):
                inside = known.without(again)
                result.append(changed(statement, known.written, partial(_simplified, inside)))
            case _:
                result.append(changed(statement, known.written, partial(_simplified, known)))
        known = known.and_then(statement)
    return tuple(result)


def _drawn_once(draws: redraws.Redraws, known: Known, before: list[ir.Statement]) -> Body | None:
    """One draw for draws until one is another one; takes the first one from the statements before."""
    once = draws.once(known.bounds, known.resolved)
    if once is None or not draws.before:
        return once
    match before[-1:], _with_arguments(draws.draw, known):
        case [ir.Choose(target=name) as first], ir.Choose() as again if name == again.target:
            if laws.arguments_of(first) == laws.arguments_of(again):
                before.pop()
                return once
    start = known.values.get(draws.draw.target)
    return once if start is not None and start == known.resolved(draws.value) else None


def _demand(condition: ir.Expression) -> ir.Expression:
    """What a draw demands, with comparisons as they are made for a draw."""
    made = {ir.Operator.LESS: builders.less, ir.Operator.LESS_EQUAL: builders.less_equal}

    def one(part: ir.Expression) -> ir.Expression:
        match part:
            case ir.Operation(operator, (left, right)) if operator in made:
                return made[operator](left, right)
            case _:
                return part

    return builders.both(*map(one, builders.conjuncts(condition)))


def _with_arguments(choice: ir.Choose, known: Known) -> ir.Statement:
    """The draw, with entries of lists written out in its arguments."""
    index = ir.Variable(choice.index, choice.sort)
    match laws.arguments_of(choice):
        case "bernoulli", (p,):
            return replace(choice, law=laws.bernoulli(index, known.written(p)))
        case "uniform_int", (low, high):
            return replace(choice, law=laws.uniform_int(index, known.written(low), known.written(high)))
        case _:
            return choice


# --- what is asked ----------------------------------------------------------------------


def _count_of(choice: ir.Choose) -> ir.Expression | None:
    """The integer below which, from 0 on, all outcomes of a draw are."""
    match choice.law, laws.arguments_of(choice):
        case ir.Weights(count=count), _:
            return count
        case _, ("uniform_int", (low, high)) if _is(low, 0):
            return linear(builders.add(high, builders.ONE)).expression()
        case _:
            return None


def _asked(obligation: ir.Obligation, known: Known) -> tuple[ir.Obligation, ...]:
    """The obligation with a condition that implies its own; none where that holds anyway."""
    parts = map(builders.disjuncts, builders.conjuncts(obligation.condition))
    condition = builders.both(*(builders.either(*(_condition(one, known) for one in part)) for part in parts))
    return () if condition == builders.TRUE else (replace(obligation, condition=condition),)


def _condition(condition: ir.Expression, known: Known) -> ir.Expression:
    """The condition, or one that implies it."""
    needed: frozenset[ir.Expression] | None = None
    match condition:
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.EQUAL, (number, zero)),)) | ir.Operation(
            ir.Operator.LESS, (zero, number)
        ) if _is(zero, 0):
            found = known.resolved(number)
            needed = known.positive(found)
            if needed is None and condition.operator is ir.Operator.LESS:
                sides = _sides(found)
                return builders.both(*(builders.less(zero, side) for side in sides)) if sides else condition
        case _ if (said := _about_one(condition)) is not None:
            whole, cases = known.is_whole(said[0]), known.cases_of_sum(said[0])
            needed = None if whole is None else known.positive(whole)
            if needed is None and cases is not None:
                return builders.equal(cases.total(), _ONE)
            if any(known.sums.get(said[0]) == of and by <= said[1] for of, by in known.near):
                return builders.TRUE
        case ir.Operation(ir.Operator.EQUAL, (ir.Length() as one, other)):
            return (
                builders.TRUE if linear(known.resolved(one)) == linear(known.resolved(other)) else condition
            )
        case ir.Operation(ir.Operator.LESS_EQUAL, (zero, number)) if (
            _is(zero, 0) and zero.sort is ir.Sort.INT
        ):
            drawn = isinstance(number, ir.Variable) and number.name in known.indices
            sure = drawn or known.bounds.above_zero(known.resolved(number))
            return builders.TRUE if sure else condition
        case ir.Operation(ir.Operator.LESS, (one, other)) if one.sort is ir.Sort.INT:
            if isinstance(one, ir.Variable) and known.indices.get(one.name) == known.resolved(other):
                return builders.TRUE
        case _:
            pass
    if needed is None:
        return condition
    return builders.both(*(builders.less(builders.ZERO, count) for count in sorted(needed, key=repr)))


def _about_one(condition: ir.Expression) -> tuple[str, Fraction] | None:
    """The variable of which a condition asks that it is 1, or no further from 1 than that number."""
    match condition:
        case ir.Operation(ir.Operator.EQUAL, (ir.Variable(name), one)) if _is(one, 1):
            return name, Fraction(0)
        case ir.Operation(
            ir.Operator.LESS | ir.Operator.LESS_EQUAL,
            (
                ir.Operation(ir.Operator.ABSOLUTE, (ir.Operation(ir.Operator.SUBTRACT, (number, other)),)),
                ir.Constant(value=by),
            ),
        ) if by > 0:
            match (other, number) if isinstance(number, ir.Constant) else (number, other):
                case ir.Variable(name, ir.Sort.REAL), one if _is(one, 1):
                    return name, Fraction(by)
    return None


def _equal(number: ir.Expression, other: ir.Constant) -> ir.Expression:
    """An equation, decided where it chooses between constants."""
    match number:
        case ir.Operation(ir.Operator.IF, (condition, ir.Constant() as one, ir.Constant() as rest)):
            sides = (builders.equal(one, other), builders.equal(rest, other))
            return builders.choose(condition, *sides)
        case _:
            return ir.Operation(ir.Operator.EQUAL, (number, other), ir.Sort.BOOL)


def _sides(number: ir.Expression) -> tuple[ir.Expression, ...]:
    """The numbers of which one is chosen by an equation of integers; none if it is not chosen so."""
    match number:
        case ir.Operation(ir.Operator.IF, (condition, *sides)):
            if isinstance(condition, ir.Operation) and condition.operator is ir.Operator.NOT:
                condition = condition.operands[0]
            match condition:
                case ir.Operation(ir.Operator.EQUAL, (one, _)) if one.sort is ir.Sort.INT:
                    return tuple(part for side in sides for part in _sides(side) or (side,))
    return ()


def _is(expression: ir.Expression, number: int) -> bool:
    return isinstance(expression, ir.Constant) and expression.value == number


def _weights(law: ir.Weights, index: str, known: Known) -> ir.Weights:
    demands = tuple(part for item in law.demands for part in _asked(item, known))
    score = law.score
    match known.resolved(score):
        case ir.Operation(ir.Operator.LOGARITHM, (weight,)) if known.positive(weight) is not None:
            score = _logarithm(weight, index) or score
    return replace(law, demands=demands, score=_moving(_spread(score, index, known), index) or score)


def _spread(score: ir.Expression, index: str, known: Known) -> ir.Expression:
    """The score, with an entry of a list written out if it has a part that is the same for all indices."""
    entry = known.resolved(score)
    return entry if isinstance(score, ir.Element) and _moving(entry, index) not in (None, entry) else score


def _drawn(choice: ir.Choose, known: Known) -> Body:
    """The draw by weights, as coins and a uniform draw if few of them are different."""
    law = choice.law
    index = ir.Variable(choice.index, ir.Sort.INT)
    score = known.resolved(law.score) if isinstance(law, ir.Weights) and _is(law.rate, 1) else None
    match law, score:
        case ir.Weights(), ir.Operation(ir.Operator.LOGARITHM, (weight,)):
            count = known.resolved(law.count)
            cases = written_weights.cases(weight, index, count, known.bounds)
            asked = tuple(builders.conjuncts(builders.both(*(item.condition for item in law.demands))))
            if cases is None or not cases.leave_one_chance():
                return (choice,)
            if all(_is_known(part, index, count, weight, known) for part in asked):
                total = _ONE if cases in known.whole else cases.total()
                return (*_positive(cases, choice, known), *written_weights.drawn(choice, cases, total))
    return (choice,)


def _is_known(
    condition: ir.Expression, index: ir.Variable, count: ir.Expression, weight: ir.Expression, known: Known
) -> bool:
    """Whether a condition says no more than that the index is one, and that its weight is positive."""
    match condition:
        case ir.Operation(ir.Operator.LESS_EQUAL, (low, place)) if place == index:
            return _is(low, 0)
        case ir.Operation(ir.Operator.LESS, (place, end)) if place == index:
            return known.resolved(end) == count
        case ir.Operation(ir.Operator.LESS, (zero, number)) if _is(zero, 0):
            parts = _sides(weight)
            return known.resolved(number) == weight or number in parts
        case _:
            return False


def _positive(cases: Cases, choice: ir.Choose, known: Known) -> Iterator[ir.Obligation]:
    for number in dict.fromkeys(cases.leaves()):
        condition = _condition(builders.less(builders.zero(ir.Sort.REAL), number), known)
        if condition != builders.TRUE:
            yield ir.Obligation("domain", condition, "weights must be positive", choice.span)


def _logarithm(weight: ir.Expression, index: str) -> ir.Expression | None:
    """The logarithm of a positive weight, but for a number that is the same for all indices."""
    match weight:
        case ir.Operation(ir.Operator.DIVIDE, (part, whole)) if index not in names(whole):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (part, factor)) if index not in names(factor):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (factor, part)) if index not in names(factor):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.IF, (condition, left, right)):
            one, other = (logarithms.exponent(side) for side in (left, right))
            return builders.choose(condition, one, other) if one is not None and other is not None else None
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


@dataclass(frozen=True)
class Rounds:
    """A loop with a counter from 0 to ``count`` - 1 that does ``body`` in each round, and isn't left early.

    ``around`` is known in each round; ``targets`` says how often the loop assigns what it does.
    """

    counter: str
    count: ir.Expression
    body: Body
    around: Known
    targets: Counter[str]


def rounds_of(known: Known, label: str, loop: ir.Loop) -> Rounds | None:
    """The rounds of a loop in a block of that label that counts and is not left early; None of others."""
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
    counts = start is not None and _is(start, 0) and targets[counter] == 1
    if not counts or not known.bounds.at_least_zero(count) or names(count) & targets.keys():
        return None
    if not all(map(runs_through, middle)):
        return None
    return Rounds(counter, count, tuple(middle), around, targets)


def _made(rounds: Rounds) -> Iterator[tuple[str, bool, Entries]]:
    """What a loop makes, the lists (True) or sums of these names, and of which entries."""
    targets, index = rounds.targets, {rounds.counter: INDEX}
    for name, is_list, entry, kept in _new_entries(rounds.body, rounds.around):
        if targets[length_name(name) if is_list else name] > 1:
            continue
        entry, dropped = replaced(entry, index), None
        if kept is not None:
            dropped = _dropped(replaced(kept, index))
            if dropped is None or names(dropped) & targets.keys():
                continue
        yield name, is_list, Entries(rounds.count, None if names(entry) & targets.keys() else entry, dropped)


def _found(known: Known, rounds: Rounds) -> tuple[str, ir.Expression] | None:
    """The variable that a loop sets from -1 to the first index of which something holds, and that index."""
    around = rounds.around
    for statement in rounds.body:
        match statement:
            case ir.If(
                condition=ir.Operation(
                    ir.Operator.AND, (ir.Operation(ir.Operator.LESS, (ir.Variable(name), zero)), asked)
                ),
                then=(ir.Assign(other, number),),
                otherwise=(),
            ) if name == other and _is(zero, 0) and rounds.targets[name] == 1:
                start = known.values.get(name)
                index = {rounds.counter: INDEX}
                place = written_weights.place_of(replaced(around.resolved(asked), index), INDEX)
                if start is None or not _is(start, -1) or replaced(around.resolved(number), index) != INDEX:
                    return None
                if place is None or names(place) & rounds.targets.keys():
                    return None
                return (name, place) if known.bounds.inside(place, rounds.count) else None
        around = around.and_then(statement)
    return None


def _new_entries(body: Body, known: Known) -> list[tuple[str, bool, ir.Expression, ir.Expression | None]]:
    """What one round appends to lists (True), or adds to variables, whatever else it does.

    To a list perhaps only if the last expression holds.
    """
    made: list[tuple[str, bool, ir.Expression, ir.Expression | None]] = []
    for statement in body:
        match statement:
            case ir.Append(name, (entry,)):
                made.append((name, True, known.resolved(entry), None))
            case ir.If(condition=condition, then=(ir.Append(name, (entry,)),), otherwise=()):
                made.append((name, True, known.resolved(entry), known.resolved(condition)))
            case ir.Assign(name, ir.Operation(ir.Operator.ADD, (ir.Variable(old), entry))) if name == old:
                made.append((name, False, known.resolved(entry), None))
            case _ if not runs_through(statement):
                return []
        known = known.and_then(statement)
    return made


def _dropped(kept: ir.Expression) -> ir.Expression | None:
    """The one place of which a condition over :data:`~values.INDEX` does not hold."""
    match kept:
        case ir.Operation(ir.Operator.NOT, (condition,)):
            return written_weights.place_of(condition, INDEX)
        case _:
            return None


# --- entries that are written out -------------------------------------------------------


def _longer(entries: Entries, value: ir.Expression, kept: ir.Expression | None) -> Entries | None:
    """Known entries and one more, which is left out where ``kept`` does not hold."""
    count = entries.count
    if not isinstance(count, ir.Constant) or count.value >= written_weights.MAX_WRITTEN:
        return None
    place = int(count.value)
    longer, general = builders.integer(place + 1), _over_index(value, place)
    if kept is not None:
        dropped = _dropped(_over_index(kept, place))
        alike = place == 0 or (entries.entry, entries.dropped) == (general, dropped)
        return Entries(longer, general, dropped) if alike and dropped is not None else None
    if entries.dropped is not None or entries.entry is None:
        return None
    if place == 0 or entries.entry == general:
        return Entries(longer, general)
    first = _at_start(entries.entry) if place == 1 else entries.entry
    if first.sort is not value.sort:
        return None
    return Entries(longer, builders.choose(builders.equal(INDEX, builders.integer(place)), value, first))


def _over_index(value: ir.Expression, place: int) -> ir.Expression:
    """What is the value at that place, with the place's number in it as :data:`~values.INDEX`."""

    def moved(constant: ir.Constant) -> ir.Expression:
        return builders.add(INDEX, builders.integer(int(constant.value) - place))

    def change(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Operation(
                ir.Operator.EQUAL, (ir.Constant(sort=ir.Sort.INT) as one, other)
            ) | ir.Operation(ir.Operator.EQUAL, (other, ir.Constant(sort=ir.Sort.INT) as one)):
                return builders.equal(moved(one), other)
            case _:
                return None

    match value:
        case ir.Constant(sort=ir.Sort.INT):
            return moved(value)
        case _:
            return mapped(value, change)


def _at_start(entry: ir.Expression) -> ir.Expression:
    """The entry at the place 0."""

    def change(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Variable() if part == INDEX:
                return builders.ZERO
            case ir.Operation(ir.Operator.ADD, (ir.Variable() as one, ir.Constant() as other)) if (
                one == INDEX
            ):
                return other
            case _:
                return None

    return mapped(entry, change)
