"""Roulette wheels: uniform draws that are only compared with sums of the first weights, as draws by weights.

Let w be positive numbers, S(k) the sum of the first k of them, n their number, and u uniform on 0..1.  The
first i with u * S(n) < S(i + 1) is i with chance w[i] / S(n), and u * S(n) < S(k) just if that i is below k;
so is u * S(n) <= S(k), but for a set of draws without chance.  So that i is drawn, where u was, and each
comparison asks for it, whatever else the program does: how it walks, from where, and when it stops.

Turned round, 1 - u is a uniform draw, too, and w may be the weights from the last to the first: of each draw
all comparisons must be read in one way.

What makes this the same program is asked of each comparison:

- It says how a multiple F of u and such a sum of k entries compare, by how variables were assigned.
- F is the sum of all n entries, or the entries are divided by their sum and F is 1.
- Nothing that the entries and n are made of was assigned since u was drawn: the chances don't depend on u.
- Where k may exceed n, the entries behind n are positive, too.

That there is an entry, and that all are positive, has to be shown.  No other statement may depend on u.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.known_entries import Known, rounds_of
from synth.trusted.frontend.obstacles import ObstructedError
from synth.trusted.frontend.values import INDEX, ScalarValue, Value
from synth.trusted.frontend.written_weights import Bounds
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    expressions,
    length_name,
    names,
    target,
    with_blocks,
)
from synth.trusted.program.flow import leaves
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped, replaced

UNIT = "uniform"
"""The law of a number between 0 and 1, which is in no program that has been read."""

_ZERO = builders.zero(ir.Sort.REAL)
_ONE = builders.convert(builders.ONE, ir.Sort.REAL)


@dataclass(frozen=True)
class _Share:
    """A uniform draw times a number."""

    unit: str
    factor: ir.Expression


@dataclass(frozen=True)
class _Sum:
    """The sum of entries, over :data:`~values.INDEX`, from ``low`` to before ``high``, which isn't below."""

    entry: ir.Expression
    low: ir.Expression
    high: ir.Expression

    def mentioned(self) -> set[str]:
        return names(self.entry) | names(self.low) | names(self.high)

    def to(self, name: str, value: ir.Expression) -> _Sum:
        """The sum of as many entries, with an integer put in the place of a variable in this number."""
        return replace(self, high=linear(replaced(self.high, {name: value})).expression())

    def backwards(self) -> _Sum:
        """The same number, of all entries, as the sum from the last one to the first."""
        place = builders.subtract(builders.subtract(self.high, builders.ONE), INDEX)
        return replace(self, entry=_in_order(replaced(self.entry, {INDEX.name: place})))


@dataclass(frozen=True)
class _Reached:
    """Whether the sum of the ``first`` entries is ``above`` a share of the whole sum, or whether it is below.

    The share is the uniform draw ``unit``, or what is left of 1 if it is ``turned``.
    """

    unit: str
    turned: bool
    whole: _Sum
    first: ir.Expression
    above: bool


_Term = tuple[int, "_Share | _Sum | ir.Expression"]


@dataclass(frozen=True)
class _Running:
    """A number that a loop adds entries to, or subtracts them from, as ``sign`` says."""

    start: ir.Expression
    sign: int
    sum: _Sum

    def mentioned(self) -> set[str]:
        return names(self.start) | self.sum.mentioned()


@dataclass(frozen=True)
class _State:
    """What is known at a place of the program.

    ``running`` are numbers that are sums, ``lists`` have sums as entries, over :data:`~values.INDEX`.
    ``since`` is what has been assigned since a uniform draw was made, and the draw itself.
    """

    known: Known
    running: Mapping[str, _Running] = field(default_factory=dict)
    lists: Mapping[str, _Sum] = field(default_factory=dict)
    since: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def without(self, body: Body) -> _State:
        """What is still known when these statements may have been run."""
        gone = assigned(body)
        running = {
            name: item
            for name, item in self.running.items()
            if name not in gone and not item.mentioned() & gone
        }
        since = {name: names | gone for name, names in self.since.items() if name not in gone}
        lists = {
            name: item
            for name, item in self.lists.items()
            if not (item.mentioned() | {length_name(name)}) & gone
        }
        return _State(self.known.without(body), running, lists, since)

    def and_then(self, statement: ir.Statement) -> _State:
        """What is known behind a statement."""
        left = replace(self.without((statement,)), known=self.known.and_then(statement))
        match statement:
            case ir.Draw(target=name, distribution=law) if law == UNIT:
                return replace(left, since={**left.since, name: frozenset({name})})
            case ir.Assign(name, value) if name in self.running:
                item, step = self.running[name], self.step(name, value)
                if step == (item.sign, self.at(item.sum.entry, item.sum.high)):
                    longer = replace(item.sum, high=_next(item.sum.high))
                    return replace(left, running={**left.running, name: replace(item, sum=longer)})
            case ir.Block(label, (ir.Loop() as loop,)):
                running = {**left.running, **self.ended(label, loop)}
                return replace(left, running=running, lists={**left.lists, **self.made(loop)})
            case ir.Assign(name, value) if (by := _counted(name, value)) is not None:
                before = builders.subtract(ir.Variable(name, ir.Sort.INT), by)
                kept = {
                    other: replace(item, sum=item.sum.to(name, before))
                    for other, item in self.running.items()
                    if name not in names(item.start) | names(item.sum.entry) | names(item.sum.low)
                }
                return replace(left, running={**left.running, **kept})
        return left

    def at_head(self, loop: ir.Loop) -> _State:
        """What is known at the head of a loop, in each round.

        A variable that each round adds one entry to, at the index that it counts to, is a sum.
        """
        inside, rounds = self.without(loop.body), _Rounds(loop)
        state, found = inside, dict(inside.running)
        for place, statement in enumerate(rounds.sure):
            if isinstance(statement, ir.Assign) and rounds.once(statement.target):
                step = state.step(statement.target, statement.value)
                start = self.known.values.get(statement.target)
                for counter, by in rounds.counters(place):
                    first = self.known.values.get(counter.name)
                    if step is None or start is None or first is None or counter.name not in names(step[1]):
                        continue
                    entry = replaced(step[1], {counter.name: INDEX})
                    if not (names(start) | names(first) | names(entry)) & rounds.times.keys():
                        summed = _Sum(entry, _plus(first, by), _plus(counter, by))
                        found[statement.target] = _Running(start, step[0], summed)
            state = state.and_then(statement)
        return replace(inside, running=found)

    def ended(self, label: str, loop: ir.Loop) -> Mapping[str, _Running]:
        """The sums that a loop has made which counts, and isn't left early."""
        rounds, gone = rounds_of(self.known, label, loop), assigned(loop.body)
        if rounds is None:
            return {}
        made = {
            name: replace(item, sum=item.sum.to(rounds.counter, rounds.count))
            for name, item in self.at_head(loop).running.items()
        }
        return {name: item for name, item in made.items() if not item.mentioned() & gone}

    def made(self, loop: ir.Loop) -> Mapping[str, _Sum]:
        """The lists that a loop has made, to which each round appended the sum that it had.

        What the first round appends may be told apart: it is the first entry.
        """
        state, rounds = self.at_head(loop), _Rounds(loop)
        found = {}
        for place, statement in enumerate(rounds.sure):
            match statement:
                case ir.Append(name, (value,)) if rounds.times[length_name(name)] == 1 and self.is_empty(
                    name
                ):
                    alone, value = _cases(name, value)
                    item = state.as_sum(value)
                    for counter, by in rounds.counters(place):
                        first = self.known.values.get(counter.name)
                        if item is not None and first is not None:
                            start = _plus(first, by)
                            item = item.to(counter.name, builders.add(INDEX, start))
                            alone = alone and replaced(state.resolved(alone), {counter.name: start})
                    used = set() if item is None else item.mentioned() | names(alone or builders.ZERO)
                    if item is not None and not used & rounds.times.keys():
                        if alone is None or self.resolved(alone) == self.at(item.entry, builders.ZERO):
                            found[name] = item
            state = state.and_then(statement)
        return found

    def is_empty(self, name: str) -> bool:
        """Whether a list surely has no entries."""
        known = self.known.lists.get(name)
        return known is not None and known.count == builders.ZERO

    def as_sum(self, number: ir.Expression) -> _Sum | None:
        """The sum of the first entries that a number is."""
        match self.terms(number):
            case ((1, _Sum(low=builders.ZERO) as item),):
                return item
            case _:
                return None

    def step(self, name: str, value: ir.Expression) -> tuple[int, ir.Expression] | None:
        """What an assignment adds to a variable, with its sign."""
        match value:
            case ir.Operation(ir.Operator.ADD, (ir.Variable(old), by)) if old == name:
                return 1, self.resolved(by)
            case ir.Operation(ir.Operator.ADD, (by, ir.Variable(old))) if old == name:
                return 1, self.resolved(by)
            case ir.Operation(ir.Operator.SUBTRACT, (ir.Variable(old), by)) if old == name:
                return -1, self.resolved(by)
            case _:
                return None

    def at(self, entry: ir.Expression, index: ir.Expression) -> ir.Expression:
        """One of the entries."""
        return self.resolved(replaced(entry, {INDEX.name: index}))

    def resolved(self, number: ir.Expression) -> ir.Expression:
        """What a number is made of, as far as it is known, with sums of integers in one form."""
        return _in_order(self.known.resolved(number))

    def terms(self, number: ir.Expression, sign: int = 1) -> tuple[_Term, ...]:
        """What a number is the sum of."""
        match number:
            case ir.Constant(value=value) if value == 0:
                return ()
            case ir.Operation(ir.Operator.ADD, (left, right)):
                return (*self.terms(left, sign), *self.terms(right, sign))
            case ir.Operation(ir.Operator.SUBTRACT, (left, right)):
                return (*self.terms(left, sign), *self.terms(right, -sign))
            case ir.Operation(ir.Operator.TO_REAL, (inner,)):
                return tuple((times, _real(item)) for times, item in self.terms(inner, sign))
            case ir.Operation(ir.Operator.MULTIPLY, (left, right)):
                for one, factor in ((left, right), (right, left)):
                    match self.terms(one, sign):
                        case ((times, _Share(unit, known)),) if known == _ONE:
                            return ((times, _Share(unit, factor)),)
                        case ((times, whole), (other, _Share(unit, known))) if whole == known == _ONE:
                            return (*self.terms(factor, times), (other, _Share(unit, factor)))
            case ir.Operation(ir.Operator.DIVIDE, (part, whole)):
                whole = self.resolved(whole)
                return tuple((times, _divided(item, whole)) for times, item in self.terms(part, sign))
            case ir.Variable(name) if name in self.since:
                return ((sign, _Share(name, _ONE)),)
            case ir.Element(source=name, index=index) if name in self.lists:
                item = self.lists[name]
                return (
                    (sign, replace(item, high=linear(replaced(item.high, {INDEX.name: index})).expression())),
                )
            case ir.Variable(name) if name in self.running:
                running = self.running[name]
                return (*self.terms(running.start, sign), (sign * running.sign, running.sum))
        known = self.resolved(number)
        return ((sign, known),) if known == number else self.terms(known, sign)

    def reached(self, low: ir.Expression, high: ir.Expression) -> Iterator[_Reached | str]:
        """What it says of a uniform draw that a number is below another one, or equal to it.

        Where a draw is compared with sums, but it says nothing: what such a comparison needs.
        """
        found = (*self.terms(high), *self.terms(low, -1))
        drawn = [item for item in found if self._is_drawn(item[1])]
        rest = [item for item in found if item not in drawn]
        needed = "one uniform draw in each comparison, times a number"
        match drawn:
            case [(sign, _Share(unit, factor))] if names(self.resolved(factor)).isdisjoint(self.since):
                needed = "the sum of all weights times the uniform draw, or weights divided by their sum"
                plain = [(-sign * times, item) for times, item in rest]
                turned = [*self.terms(factor), *((-times, item) for times, item in plain)]
                for is_turned, terms in enumerate((plain, turned)):
                    left = [*(Counter(terms) - Counter((-times, item) for times, item in terms)).elements()]
                    for whole, entry in self._wholes(factor, left):
                        first = self._first(entry, left)
                        if first is None:
                            needed = "sums from the first weight, or the last one, on, with each weight once"
                        elif whole.mentioned() & self.since[unit]:
                            needed = "weights that stay what they are once the uniform draw is made"
                        else:
                            yield _Reached(unit, bool(is_turned), whole, first, (sign < 0) != is_turned)
        if drawn and any(isinstance(item, _Sum) for _, item in rest):
            yield needed

    def _is_drawn(self, item: _Share | _Sum | ir.Expression) -> bool:
        """Whether a number is made of a uniform draw."""
        return isinstance(item, _Share) or not (isinstance(item, _Sum) or names(item).isdisjoint(self.since))

    def _first(self, entry: ir.Expression, rest: list[_Term]) -> ir.Expression | None:
        """The number of first entries of which a sum is that; None if it is none."""
        count: ir.Expression = builders.ZERO
        while rest:
            following, end = self._following(entry, count, rest)
            if not following or Counter(following) - Counter(rest):
                return None
            rest = list((Counter(rest) - Counter(following)).elements())
            count = end
        return count

    def _wholes(self, factor: ir.Expression, rest: list[_Term]) -> Iterator[tuple[_Sum, ir.Expression]]:
        """The sum of all weights that a number is, in both orders, and what is added up of each of them."""
        if factor == _ONE:
            yield from self._shares(rest)
        elif (whole := self.as_sum(factor)) is not None:
            yield from ((item, item.entry) for item in (whole, whole.backwards()))

    def _following(
        self, entry: ir.Expression, count: ir.Expression, rest: list[_Term]
    ) -> tuple[tuple[_Term, ...], ir.Expression]:
        """The sum of entries behind the first ``count``, or the next entry, and the number behind."""
        for times, item in rest:
            if times == 1 and isinstance(item, _Sum) and item.entry == entry:
                if linear(item.low) == linear(count):
                    return ((times, item),), item.high
        return self.terms(self.at(entry, count)), _next(count)

    def _shares(self, rest: list[_Term]) -> Iterator[tuple[_Sum, ir.Expression]]:
        """The sums of which the entries, divided by them, are added up, and these quotients."""
        for _, item in rest:
            match item:
                case _Sum(ir.Operation(ir.Operator.DIVIDE, (part, total)) as entry):
                    whole = self.as_sum(total)
                    for order in () if whole is None else (whole, whole.backwards()):
                        if order.entry == part:
                            yield order, entry


class _Rounds:
    """What each round of a loop does for sure, in order, and how often its text assigns each variable."""

    def __init__(self, loop: ir.Loop) -> None:
        self.sure = tuple(_sure(loop.body))
        self.times = Counter(name for item in ir.statements(loop.body) if (name := target(item)) is not None)

    def once(self, name: str) -> bool:
        """Whether a variable is assigned in one place."""
        return self.times[name] == 1

    def counters(self, place: int) -> Iterator[tuple[ir.Variable, ir.Expression]]:
        """The integers that each round adds 1 to, with what it has added before one of its statements."""
        for number, item in enumerate(self.sure):
            match item:
                case ir.Assign(name, value) if self.once(name) and _counted(name, value) == builders.ONE:
                    yield ir.Variable(name, ir.Sort.INT), builders.integer(int(number < place))


def _sure(body: Body) -> Iterator[ir.Statement]:
    """The statements that each round runs which comes to the end of a loop's body, as far as is evident."""
    for statement in body:
        match statement:
            case ir.Block(label, inner):
                exits = [place for place, item in enumerate(inner) if leaves(label, (item,))]
                sure = exits[0] if exits else len(inner)
                yield from _sure(inner[:sure])
                yield ir.Block(label, inner[sure:])
            case _:
                yield statement


def _counted(name: str, value: ir.Expression) -> ir.Expression | None:
    """What an assignment adds to an integer variable, if that is a constant."""
    if value.sort is not ir.Sort.INT:
        return None
    by = linear(builders.subtract(value, ir.Variable(name, ir.Sort.INT)))
    return None if by.parts else builders.integer(by.constant)


def _cases(name: str, value: ir.Expression) -> tuple[ir.Expression | None, ir.Expression]:
    """What is appended to an empty list, if that is told apart, and what is appended to others."""
    match value:
        case ir.Operation(ir.Operator.IF, (condition, later, first)):
            if condition == builders.less(builders.ZERO, ir.Length(name)):
                return first, later
    return None, value


def _in_order(number: ir.Expression) -> ir.Expression:
    """The same number of the same names, with sums of integers in one form."""

    def change(part: ir.Expression) -> ir.Expression | None:
        if part.sort is not ir.Sort.INT or not isinstance(part, ir.Operation):
            return None
        found = linear(part).expression()
        return None if found == part or names(found) != names(part) else found

    return mapped(number, change)


def _plus(number: ir.Expression, by: ir.Expression) -> ir.Expression:
    return linear(builders.add(number, by)).expression()


def _next(number: ir.Expression) -> ir.Expression:
    return _plus(number, builders.ONE)


def _real(item: _Share | _Sum | ir.Expression) -> _Share | _Sum | ir.Expression:
    match item:
        case _Share():
            return item
        case _Sum(entry):
            return replace(item, entry=builders.convert(entry, ir.Sort.REAL))
        case _:
            return builders.convert(item, ir.Sort.REAL)


def _divided(item: _Share | _Sum | ir.Expression, by: ir.Expression) -> _Share | _Sum | ir.Expression:
    match item:
        case _Share(unit, factor):
            return _Share(unit, builders.divide(factor, by))
        case _Sum(entry):
            return replace(item, entry=builders.divide(entry, by))
        case _:
            return builders.divide(item, by)


# --- the program ------------------------------------------------------------------------


@dataclass
class _Walk:
    """A walk through a program in which comparisons with uniform draws become questions about places.

    ``wholes`` are the entries of which each draw has shown the place, and whether it is turned round;
    ``lacking`` is what keeps comparisons from showing one.
    """

    context: Context
    wholes: dict[str, tuple[_Sum, bool]] = field(default_factory=dict)
    lacking: list[str] = field(default_factory=list)

    def placed(self, state: _State, body: Body) -> Body:
        """The body with comparisons of places."""
        result: list[ir.Statement] = []
        for statement in body:
            inside = state.at_head(statement) if isinstance(statement, ir.Loop) else state
            demands: list[ir.Expression] = []

            def compare(
                number: ir.Expression, state: _State = state, demands: list[ir.Expression] = demands
            ) -> ir.Expression:
                return mapped(number, lambda part: self._compared(state, part, demands))

            def go_on(inner: Body, inside: _State = inside) -> Body:
                return self.placed(inside, inner)

            made = changed(statement, compare, go_on)
            message = "a sum of more entries than there are"
            result += (ir.Obligation("index", demand, message, _span(statement)) for demand in demands)
            result.append(made)
            state = state.and_then(statement)
        return tuple(result)

    def _compared(
        self, state: _State, part: ir.Expression, demands: list[ir.Expression]
    ) -> ir.Expression | None:
        """What a comparison asks of a place; what has to hold then comes to ``demands``."""
        match part:
            case ir.Operation(ir.Operator.LESS | ir.Operator.LESS_EQUAL, (low, high)):
                found = list(state.reached(low, high))
            case ir.Operation(ir.Operator.EQUAL, (number, zero)) if zero == _ZERO:
                whole = state.as_sum(number)
                if whole is not None and state.known.positive(whole.entry) == frozenset():
                    return builders.less_equal(whole.high, builders.ZERO)
                return None
            case _:
                return None
        for item in found:
            if isinstance(item, str):
                self.lacking.append(item)
            elif self.wholes.setdefault(item.unit, (item.whole, item.turned)) == (item.whole, item.turned):
                if state.known.positive(item.whole.entry) is None:
                    demands.append(builders.less_equal(item.first, item.whole.high))
                below = builders.less(_place(item.unit), item.first)
                return below if item.above else builders.negate(below)
            else:
                self.lacking.append("the same weights, in one order, in all comparisons of a uniform draw")
        return None

    def drawn(self, body: Body, tainted: set[str]) -> Body:
        """The body with draws of places, without what else was made of uniform draws."""
        result: list[ir.Statement] = []
        for statement in body:
            if isinstance(statement, ir.Draw) and statement.distribution == UNIT:
                result += self._choice(statement)
            elif not isinstance(statement, ir.Assign) or not names(statement.value) & tainted:
                result.append(with_blocks(statement, lambda inner: self.drawn(inner, tainted)))
        return tuple(result)

    def _choice(self, draw: ir.Draw) -> Iterator[ir.Statement]:
        if draw.target not in self.wholes:
            return
        (whole, _), span = self.wholes[draw.target], draw.span
        message = "private data in the number of candidates"
        self.context.public.append((whole.high, span, Refusal.PRIVATE_SCALE, message))
        some = builders.less_equal(builders.ONE, whole.high)
        yield ir.Obligation("scale", some, "there must be a candidate to choose", span)
        index = ir.Variable(f"{draw.target}.outcome", ir.Sort.INT)
        weight = replaced(whole.entry, {INDEX.name: index})
        positive = ir.Obligation("domain", builders.less(_ZERO, weight), "weights must be positive", span)
        score = ir.Operation(ir.Operator.LOGARITHM, (weight,), ir.Sort.REAL)
        law = ir.Weights(whole.high, score, _ONE, (positive,))
        yield ir.Choose(0, _place(draw.target).name, "choice", index.name, law, ir.Sort.INT, span)


def made(context: Context, span: ir.Span) -> ir.Variable:
    """A uniform draw as a number, of which only the place among sums may be asked."""
    unit = ir.Variable(context.temporary("unit"), ir.Sort.REAL)
    context.emit(ir.Draw(0, unit.name, UNIT, (), ir.Sort.REAL, span))
    return unit


def seek(context: Context, node: ast.expr, value: Value) -> None:
    """Note what is looked for in a list: a uniform draw, among sums.  That these ascend is shown in the stub.

    Raises ProgramError for anything else.
    """
    if not context.inference.walks or not isinstance(value, ScalarValue):
        message = "a list is only searched for a uniform draw, among sums of weights"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    context.sought.append((value.expression, context.source.span(node)))


def _refused(walk: _Walk, span: ir.Span) -> ProgramError | ObstructedError:
    """The error for a uniform draw that more is asked of: an obstacle, where it is hardly one by weights."""
    others = f"no other use of the uniform draw than to compare it with sums of weights (line {span.line})"
    lacking = [*walk.lacking, *([others] if walk.wholes else [])]
    message = f"a draw by weights needs {next(iter(lacking), others)}"
    error = walk.context.error(span, Refusal.UNIFORM_IN_FORMULA, message)
    return error if lacking else ObstructedError([error])


def _span(statement: ir.Statement) -> ir.Span:
    return ir.Span(1, 1) if isinstance(statement, ir.Block) else statement.span


def _place(unit: str) -> ir.Variable:
    return ir.Variable(f"{unit}.place", ir.Sort.INT)


def placed(context: Context, body: Body, requires: ir.Expression) -> Body:
    """The body with draws by weights in the place of uniform draws.

    ``requires`` holds of parameters.  Raises ProgramError if anything else is asked of a uniform draw.
    """
    walk = _Walk(context)
    body = walk.placed(_State(Known(bounds=Bounds(builders.conjuncts(requires)))), body)
    tainted = {
        item.target for item in ir.statements(body) if isinstance(item, ir.Draw) and item.distribution == UNIT
    }
    size = 0
    while size < len(tainted):
        size = len(tainted)
        tainted |= {
            item.target
            for item in ir.statements(body)
            if isinstance(item, ir.Assign) and names(item.value) & tainted
        }
    for number, span in context.sought:
        if not names(number) & tainted:
            raise _refused(walk, span)
    body = walk.drawn(body, tainted)
    for item in ir.statements(body):
        if any(names(part) & tainted for part in expressions(item)):
            raise _refused(walk, _span(item))
    return body
