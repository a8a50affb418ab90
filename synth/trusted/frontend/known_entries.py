"""What lists, sums and variables are known to be made of, statement by statement.

It is read off the loop that makes them, however that is written, and is forgotten where anything that they
are made of may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.trusted.frontend import logarithms, written_weights
from synth.trusted.frontend.values import INDEX
from synth.trusted.frontend.written_weights import Bounds, Cases
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name, names, target
from synth.trusted.program.flow import runs_through
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped, replaced

Body = tuple[ir.Statement, ...]


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
                said = about_one(condition)
                cases = None if said is None else self.cases_of_sum(said[0])
                return self if cases is None else replace(self, whole=(*self.whole, cases))
            case ir.Assume(condition=condition):
                found = (about_one(part) for part in builders.conjuncts(condition))
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
                case ir.Operation(ir.Operator.IF, (asked, number, zero)) if is_number(zero, 0):
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


def _count_of(choice: ir.Choose) -> ir.Expression | None:
    """The integer below which, from 0 on, all outcomes of a draw are."""
    match choice.law, laws.arguments_of(choice):
        case ir.Weights(count=count), _:
            return count
        case _, ("uniform_int", (low, high)) if is_number(low, 0):
            return linear(builders.add(high, builders.ONE)).expression()
        case _:
            return None


def about_one(condition: ir.Expression) -> tuple[str, Fraction] | None:
    """The variable of which a condition asks that it is 1, or no further from 1 than that number."""
    match condition:
        case ir.Operation(ir.Operator.EQUAL, (ir.Variable(name), one)) if is_number(one, 1):
            return name, Fraction(0)
        case ir.Operation(
            ir.Operator.LESS | ir.Operator.LESS_EQUAL,
            (
                ir.Operation(ir.Operator.ABSOLUTE, (ir.Operation(ir.Operator.SUBTRACT, (number, other)),)),
                ir.Constant(value=by),
            ),
        ) if by > 0:
            match (other, number) if isinstance(number, ir.Constant) else (number, other):
                case ir.Variable(name, ir.Sort.REAL), one if is_number(one, 1):
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


def is_number(expression: ir.Expression, number: int) -> bool:
    """Whether an expression is that constant."""
    return isinstance(expression, ir.Constant) and expression.value == number


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
        ) if left == label and stepped == old == counter and is_number(one, 1):
            pass
        case _:
            return None
    around = known.without(loop.body)
    count = around.resolved(count)
    targets = Counter(name for item in ir.statements(loop.body) if (name := target(item)) is not None)
    start = known.values.get(counter)
    counts = start is not None and is_number(start, 0) and targets[counter] == 1
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
            ) if name == other and is_number(zero, 0) and rounds.targets[name] == 1:
                start = known.values.get(name)
                index = {rounds.counter: INDEX}
                place = written_weights.place_of(replaced(around.resolved(asked), index), INDEX)
                if (
                    start is None
                    or not is_number(start, -1)
                    or replaced(around.resolved(number), index) != INDEX
                ):
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
