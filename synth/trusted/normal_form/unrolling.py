"""A program without loops and lists, where their sizes are plain numbers.

Each round of a loop is written out, each entry of a list becomes a variable.  A loop of which the rounds are
not known stays, if the lists have as many entries behind each of its rounds as before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from synth.trusted.normal_form.decision_trees import ONE, ZERO, Intractable, Tree, fork
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    expressions,
    mentioned,
    names,
    names_in_use,
    returned_lists,
)
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped

MAX_STATEMENTS = 800
"""Statements that are written out, at the most."""

MAX_OPEN = 32
"""Rounds in a row, at the most, which the first test of a loop may leave or not."""

_MAKES = ir.NewList | ir.Append

MAX_CHOSEN = 16
"""Entries of a list that is read where the index is no number, at the most."""


@dataclass(frozen=True)
class _Known:
    """What is known on the way to a statement: variables that are constants, and the lengths of lists."""

    numbers: Mapping[str, ir.Constant]
    lengths: Mapping[str, int]

    def setting(self, name: str, value: ir.Constant | None) -> _Known:
        rest = self.without((name,))
        return rest if value is None else replace(rest, numbers={**rest.numbers, name: value})

    def without(self, changed: Collection[str]) -> _Known:
        kept = {name: item for name, item in self.numbers.items() if name not in changed}
        return replace(self, numbers=kept)

    def joined(self, other: _Known | None) -> _Known:
        """What is known where two ways meet.  Raises Intractable for lists of different lengths."""
        if other is None:
            return self
        both = self.lengths.keys() & other.lengths.keys()
        if any(self.lengths[name] != other.lengths[name] for name in both):
            raise Intractable
        same = {name: value for name, value in self.numbers.items() if other.numbers.get(name) == value}
        return _Known(same, {name: self.lengths[name] for name in both})

    def length(self, name: str) -> int:
        """The length of a list.  Raises Intractable where it isn't known."""
        if name not in self.lengths:
            raise Intractable
        return self.lengths[name]


def unfolded(mechanism: ir.Mechanism) -> Body:
    """The body without lists, and without the loops of which the rounds are known.

    What is returned of a list are its entries.  Raises Intractable where sizes are no numbers, or there are
    too many statements.
    """
    unfolder = _Unfolder(mechanism.lists, lambda loop: True, "%{}[{}].{}")
    body = unfolder.all(mechanism)
    if len(unfolder.shapes) > 1 or unfolder.demands:
        raise Intractable
    return body


def written_out(mechanism: ir.Mechanism, lists: Collection[str]) -> ir.Mechanism:
    """The mechanism with a variable for each entry of these lists, up to where it returns them.

    Loops that mention one of them are written out, if their rounds are known.  Raises Intractable.

    *Theorem.* On each input that satisfies ``requires`` both have the same distribution of outputs, if no run
    of the new one violates an obligation; and then none of the old one does.  The proof is in
    docs/certificates.md, "Lists that are written out".
    """
    own = {name: kind for name, kind in mechanism.lists.items() if name in lists}
    unfolder = _Writer(own, lambda loop: not _mentioned((loop,)).isdisjoint(own), "{}.at{}.{}")
    body = unfolder.all(mechanism)
    kept = returned_lists(mechanism)
    rest = {name: kind for name, kind in mechanism.lists.items() if name not in own or name in kept}
    return replace(mechanism, body=body, variables={**mechanism.variables, **unfolder.entries}, lists=rest)


def _mentioned(body: Body) -> set[str]:
    """What statements make, append to or read."""
    items = list(ir.statements(body))
    made = {item.target for item in items if isinstance(item, _MAKES)}
    return made.union(*(mentioned(value) for item in items for value in expressions(item)))


def _fixed(mechanism: ir.Mechanism) -> _Known:
    """The lengths and integer parameters that ``requires`` says are numbers: no other inputs count."""
    public = {item.name for item in mechanism.parameters if item.metric is None}
    known = _Known({}, {})
    for item in tuple(builders.conjuncts(mechanism.requires)) * 2:
        if isinstance(item, ir.Operation) and item.operator is ir.Operator.EQUAL:
            left, right = (linear(_Reading(known).value(side)) for side in item.operands)
            gap = left.plus(right, -1)
            match [*gap.parts.items()]:
                case [(ir.Length(sequence=name), 1 | -1 as times)] if name not in mechanism.lists:
                    known = replace(known, lengths={**known.lengths, name: -gap.constant * times})
                case [(ir.Variable(name=name, sort=ir.Sort.INT), 1 | -1 as times)] if name in public:
                    known = known.setting(name, builders.integer(-gap.constant * times))
    return known


@dataclass
class _Unfolder:
    """``lists`` are those that are written out, and ``wanted`` are the loops that are, if they can.  ``form``
    is what a variable for a component of an entry is called: of its list, its place and the component.

    ``exits`` is what is known where blocks are left, ``shapes`` are the lengths of returned lists,
    ``entries`` the variables for entries, and ``demands`` what must hold of indices.
    """

    lists: Mapping[str, ir.ListType]
    wanted: Callable[[ir.Loop], bool]
    form: str
    exits: dict[str, _Known] = field(default_factory=dict)
    shapes: set[tuple[int, ...]] = field(default_factory=set)
    entries: dict[str, ir.Sort] = field(default_factory=dict)
    demands: set[ir.Expression] = field(default_factory=set)
    written: int = 0

    def all(self, mechanism: ir.Mechanism) -> Body:
        """The body of a mechanism.  Raises Intractable also where a name is taken."""
        body, _ = self.body(mechanism.body, _fixed(mechanism))
        if not names_in_use(mechanism).isdisjoint(self.entries):
            raise Intractable
        return body

    def body(self, body: Body, known: _Known | None) -> tuple[Body, _Known | None]:
        """The statements up to where control can't come; what is known behind them, None if it can't."""
        result: list[ir.Statement] = []
        for statement in body:
            if known is None:
                break
            self.written += 1
            if self.written > MAX_STATEMENTS:
                raise Intractable
            more, known = self._statement(statement, known)
            result += more
        return tuple(result), known

    def _statement(self, statement: ir.Statement, known: _Known) -> tuple[Body, _Known | None]:
        match statement:
            case ir.NewList(target=target) if target in self.lists:
                return (), replace(known, lengths={**known.lengths, target: 0})
            case ir.Block(label=label, body=inner):
                around = self.exits.pop(label, None)
                inner, behind = self.body(inner, known)
                left = self.exits.pop(label, None)
                if around is not None:
                    self.exits[label] = around
                after = behind if left is None else left.joined(behind)
                return (replace(statement, body=inner),), after
            case ir.Loop():
                return self._loop(statement, known)
            case ir.Exit(label=label):
                self.exits[label] = known.joined(self.exits.get(label))
                return (statement,), None
        reading = _Reading(known, self.lists, self.form)
        read = changed(statement, reading.value, lambda inner: inner)
        assert not isinstance(read, ir.Block)
        index = {read.index} if isinstance(read, ir.Choose) else set()
        if any(names(item) & index for item in reading.demands):
            raise Intractable
        self.demands.update(reading.demands)
        demands = tuple(
            ir.Obligation("index", item, "index out of range", read.span) for item in reading.demands
        )
        more, after = self._read(read, known)
        return (*demands, *more), after

    def _read(self, statement: ir.Statement, known: _Known) -> tuple[Body, _Known | None]:
        """A statement of which its own expressions are written out."""
        match statement:
            case ir.If():
                return self._branch(statement, known)
            case ir.Append(target=target) if target in self.lists:
                return self._append(statement, known)
            case ir.Return():
                return self._returned(statement, known), None
            case ir.Assign(target=target, value=value):
                return (statement,), known.setting(target, _constant(value))
            case ir.Draw(target=target) | ir.Choose(target=target):
                return (statement,), known.setting(target, None)
            case _:
                return (statement,), known

    def _append(self, statement: ir.Append, known: _Known) -> tuple[Body, _Known]:
        name, place = statement.target, known.length(statement.target)
        named = [
            (self.form.format(name, place, component), value)
            for component, value in enumerate(statement.values)
        ]
        self.entries |= {entry: value.sort for entry, value in named}
        assignments = tuple(ir.Assign(entry, value, statement.span) for entry, value in named)
        for entry, value in named:
            known = known.setting(entry, _constant(value))
        return assignments, replace(known, lengths={**known.lengths, name: place + 1})

    def _returned(self, statement: ir.Return, known: _Known) -> Body:
        self.shapes.add(tuple(map(known.length, statement.lists)))
        entries = (item for name in statement.lists for entry in self._entries(name, known) for item in entry)
        return (replace(statement, values=(*statement.values, *entries), lists=()),)

    def _entries(self, name: str, known: _Known) -> tuple[tuple[ir.Expression, ...], ...]:
        kinds = [*enumerate(self.lists[name].components)]
        return tuple(
            tuple(ir.Variable(self.form.format(name, place, component), sort) for component, sort in kinds)
            for place in range(known.length(name))
        )

    def _branch(self, statement: ir.If, known: _Known) -> tuple[Body, _Known | None]:
        decided = _decided(statement)
        if decided in (ONE, ZERO):
            return self.body(statement.then if decided == ONE else statement.otherwise, known)
        then, first = self.body(statement.then, known)
        otherwise, second = self.body(statement.otherwise, known)
        after = second if first is None else first.joined(second)
        return (replace(statement, then=then, otherwise=otherwise),), after

    # --- loops ------------------------------------------------------------------------------

    def _loop(self, statement: ir.Loop, known: _Known) -> tuple[Body, None]:
        exits, shapes, entries, written = dict(self.exits), set(self.shapes), dict(self.entries), self.written
        try:
            if self.wanted(statement):
                return self._rounds(statement, known), None
        except Intractable:
            self.exits, self.shapes, self.entries, self.written = exits, shapes, entries, written
        return (self._kept(statement, known),), None

    def _rounds(self, statement: ir.Loop, known: _Known | None) -> Body:
        """Rounds until one is left for sure."""
        result: list[ir.Statement] = []
        open_rounds = 0
        while known is not None:
            before = known
            open_rounds = open_rounds + 1 if self._may_be_left(statement, known) else 0
            inner, known = self.body(statement.body, known)
            result += inner
            if open_rounds > MAX_OPEN or (known is not None and known.numbers == before.numbers):
                raise Intractable
        return tuple(result)

    def _may_be_left(self, statement: ir.Loop, known: _Known) -> bool:
        match statement.body:
            case (ir.If() as test, *_):
                condition = _Reading(known, self.lists, self.form).value(test.condition)
                return _decided(replace(test, condition=condition)) not in (ONE, ZERO)
        return False

    def _kept(self, statement: ir.Loop, known: _Known) -> ir.Loop:
        """The loop itself, of which each round begins with what holds before all of them."""
        made = {item.target for item in ir.statements(statement.body) if isinstance(item, _MAKES)}
        entries = () if made.isdisjoint(self.lists) else self.entries
        head = known.without({*assigned(statement.body), *entries})
        inner, back = self.body(statement.body, head)
        if back is not None and any(back.lengths.get(name) != size for name, size in head.lengths.items()):
            raise Intractable
        reading = _Reading(head, self.lists, self.form)
        count = None if statement.count is None else reading.value(statement.count)
        if reading.demands:
            raise Intractable
        return replace(statement, body=inner, count=count)


@dataclass
class _Writer(_Unfolder):
    """Lists that are returned are made at the end."""

    def _returned(self, statement: ir.Return, known: _Known) -> Body:
        made: list[ir.Statement] = []
        for name in statement.lists:
            if name in self.lists:
                made.append(ir.NewList(name, statement.span))
                made += (ir.Append(name, entry, statement.span) for entry in self._entries(name, known))
        return (*made, statement)


def _constant(value: ir.Expression) -> ir.Constant | None:
    return value if isinstance(value, ir.Constant) else None


def _decided(statement: ir.If) -> Tree | None:
    """What a condition is for sure; None if it isn't known."""
    try:
        return fork(statement.condition, ONE, ZERO)
    except Intractable:
        return None


@dataclass
class _Reading:
    """Expressions with numbers in place of what is known, and entries of lists as variables.

    ``demands`` are the conditions under which they have the same values.
    """

    known: _Known
    lists: Mapping[str, ir.ListType] = field(default_factory=dict)
    form: str = ""
    demands: list[ir.Expression] = field(default_factory=list)

    def value(self, expression: ir.Expression) -> ir.Expression:
        return _folded(mapped(expression, self._change))

    def _change(self, item: ir.Expression) -> ir.Expression | None:
        match item:
            case ir.Variable(name=name):
                return self.known.numbers.get(name)
            case ir.Length(sequence=name) if name in self.lists or name in self.known.lengths:
                return builders.integer(self.known.length(name))
            case ir.Element(source=name, index=index) if name in self.lists:
                return self._entry(item, self.value(index))
            case _:
                return None

    def _entry(self, item: ir.Element, index: ir.Expression) -> ir.Expression:
        size, place = self.known.length(item.source), linear(index)
        called = [self.form.format(item.source, number, item.component) for number in range(size)]
        entries = [self.known.numbers.get(name, ir.Variable(name, item.sort)) for name in called]
        if not place.parts and 0 <= place.constant < size:
            return entries[int(place.constant)]
        if not place.parts or not 0 < size <= MAX_CHOSEN:
            raise Intractable
        inside = builders.less_equal(builders.ZERO, index), builders.less(index, builders.integer(size))
        if builders.both(*inside) not in self.demands:
            self.demands.append(builders.both(*inside))
        chosen: ir.Expression = entries[-1]
        for number in reversed(range(size - 1)):
            chosen = builders.choose(builders.equal(index, builders.integer(number)), entries[number], chosen)
        return chosen


def _folded(expression: ir.Expression) -> ir.Expression:
    if expression.sort is not ir.Sort.INT or isinstance(expression, ir.Constant | ir.Variable):
        return expression
    found = linear(expression)
    return expression if found.parts else builders.integer(int(found.constant))
