"""Which parameters say how often a drawing loop runs.

In the tests they are as large as sequences are long.  With two iterations, paying in each of them
costs no more than paying twice in all, and the search could not tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, length_name, names, target

Body = tuple[ir.Statement, ...]
COMPARISONS = (ir.Operator.EQUAL, ir.Operator.LESS, ir.Operator.LESS_EQUAL)
DIFFERENCES = (ir.Operator.SUBTRACT, ir.Operator.DIVIDE, ir.Operator.FLOOR_DIVIDE, *COMPARISONS)
UP, DOWN = 1, -1
Way = tuple[str, int]
"""A name, and whether the loop runs longer the larger (UP) or the smaller (DOWN) its value is."""


def loop_limits(mechanism: ir.Mechanism) -> set[str]:
    """Public numbers that are large where an innermost drawing loop runs often.

    Real ones are limits of integers alone: what counts in reals is a budget, which must stay small.
    """
    integral = _limits(mechanism, frozenset()) & _public(mechanism, ir.Sort.INT)
    real = _limits(mechanism, _locals_of(mechanism, ir.Sort.REAL)) & _public(mechanism, ir.Sort.REAL)
    return integral | real


def _limits(mechanism: ir.Mechanism, ignored: frozenset[str]) -> set[str]:
    """What the counters that are not ``ignored`` are compared with."""
    flags = _locals_of(mechanism, ir.Sort.BOOL)

    def of_loop(loop: ir.Loop) -> set[Way]:
        counting = _Counting(loop, flags, _restarted(mechanism.body, loop), ignored)
        return _origins(mechanism.body, loop, counting.limits())

    pending, seen, found = list(_innermost(mechanism.body)), set[int](), set[str]()
    while pending:
        loop = pending.pop()
        seen.add(loop.loop)
        longer = {name for name, way in of_loop(loop) if way == UP}
        pending += [item for item in _appending(mechanism.body, longer) if item.loop not in seen]
        found |= longer
    return found


def _locals_of(mechanism: ir.Mechanism, wanted: ir.Sort) -> frozenset[str]:
    return frozenset(name for name, sort in mechanism.variables.items() if sort is wanted)


def _public(mechanism: ir.Mechanism, wanted: ir.Sort) -> set[str]:
    return {
        item.name
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SCALAR and item.sort is wanted and item.metric is None
    }


def _innermost(body: Body) -> Iterator[ir.Loop]:
    """Loops that draw, and none of whose inner loops does."""
    for item in ir.statements(body):
        if isinstance(item, ir.Loop) and _draws(item):
            if not any(isinstance(inner, ir.Loop) and _draws(inner) for inner in ir.statements(item.body)):
                yield item


def _appending(body: Body, lengths: set[str]) -> Iterator[ir.Loop]:
    """Loops in which lists of these lengths grow, of loops in one another the inner ones."""

    def appends(loop: ir.Loop) -> bool:
        return any(
            isinstance(item, ir.Append) and length_name(item.target) in lengths
            for item in ir.statements(loop.body)
        )

    for item in ir.statements(body):
        if isinstance(item, ir.Loop) and appends(item):
            if not any(isinstance(inner, ir.Loop) and appends(inner) for inner in ir.statements(item.body)):
                yield item


def _draws(loop: ir.Loop) -> bool:
    return any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(loop.body))


def _restarted(body: Body, loop: ir.Loop) -> set[str]:
    """What the loops around a loop assign outside of it: what it counts anew in each of their rounds."""
    inside = {id(item) for item in ir.statements(loop.body)}
    return {
        name
        for outer in ir.statements(body)
        if isinstance(outer, ir.Loop) and any(item is loop for item in ir.statements(outer.body))
        for item in ir.statements(outer.body)
        if id(item) not in inside and (name := target(item)) is not None
    }


def _origins(body: Body, loop: ir.Loop, wanted: set[Way]) -> set[Way]:
    """The names, and those that their values before the loop were computed from."""
    inside = {id(item) for item in ir.statements(loop.body)}
    before = [item for item in ir.statements(body) if isinstance(item, ir.Assign) and id(item) not in inside]
    found = set(wanted)
    while True:
        more = {
            way
            for name, sign in found
            for item in before
            if item.target == name
            for way in _ways(item.value, sign)
        }
        if more <= found:
            return found
        found |= more


def _ways(expression: ir.Expression, sign: int = UP) -> Iterator[Way]:
    """Which variables make the expression larger; of a comparison, its left side less its right one."""
    match expression:
        case ir.Variable(name=name):
            yield name, sign
        case ir.Length(sequence=sequence):
            yield length_name(sequence), sign
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(operand,)):
            yield from _ways(operand, -sign)
        case ir.Operation(operator=operator, operands=(left, right)) if operator in DIFFERENCES:
            yield from (*_ways(left, sign), *_ways(right, -sign))
        case ir.Operation(operator=operator, operands=operands):
            for operand in operands[1:] if operator is ir.Operator.IF else operands:
                yield from _ways(operand, sign)


@dataclass(frozen=True)
class _Counting:
    """What one loop counts with, and what it compares that with before it ends.

    A ``for`` is a ``while`` here, with a hidden variable that counts.  ``booleans`` are the locals
    of that sort; ``restarted`` is what loops around this one set; what is ``ignored`` counts nothing.
    """

    loop: ir.Loop
    booleans: frozenset[str]
    restarted: set[str]
    ignored: frozenset[str] = frozenset()

    def limits(self) -> set[Way]:
        """All that comparisons that involve a counter and may end the loop compare it with.

        Where a counter goes on from round to round of a loop around this one, its limit is how often
        this loop runs in all; what is counted anew is only how the whole is cut into rounds.
        """
        going_on = self._compared(self._counters - self.restarted)
        return going_on or self._compared(self._counters)

    def _compared(self, counters: set[str]) -> set[Way]:
        return {
            (name, sign * far)
            for condition in self._ending()
            for part in ir.subexpressions(condition)
            if _is_linear_comparison(part)
            for counter, side in _ways(part)
            if counter in counters
            for far in self._far(counter, side)
            for name, sign in _ways(part)
        }

    def _far(self, counter: str, side: int) -> Iterator[int]:
        """By what the signs in a comparison are turned: of what is counted up, a low start is far away."""
        ways = {
            _direction(item.value, counter)
            for item in ir.statements(self.loop.body)
            if isinstance(item, ir.Assign) and item.target == counter
        }
        for way in (UP, DOWN):
            if ways <= {way, None}:
                yield -side * way

    @cached_property
    def _counters(self) -> set[str]:
        """Variables that change every time round, by amounts that no draw and no input decides.

        What counts events (``count += above``, or an addition under a branch) is none: its limit
        is what makes paying per event cheap, and must stay small.
        """
        outside = {name for item in ir.statements(self.loop.body) for name in _undecided(item)}
        changed = assigned(self.loop.body)
        found = {
            name for name in changed - outside - self.ignored if None not in _leaving(self.loop.body, name)
        }
        while True:
            kept = {name for name in found if self._counts(name, found, changed)}
            if kept == found:
                return found
            found = kept

    def _counts(self, name: str, counters: set[str], changed: set[str]) -> bool:
        """Whether all that it becomes in the loop is computed from counters and what stays the same."""
        values = [
            names(item.value)
            for item in ir.statements(self.loop.body)
            if isinstance(item, ir.Assign) and item.target == name
        ]
        return all(value & counters and value & changed <= counters for value in values)

    def _ending(self) -> Iterator[ir.Expression]:
        """What decides whether the loop ends: conditions, and the values of flags in them."""
        inside = {item.label for item in ir.statements(self.loop.body) if isinstance(item, ir.Block)}
        flags: set[str] = set()
        seen: set[int] = set()
        grown = True
        while grown:
            grown = False
            for item in ir.statements(self.loop.body):
                condition = _deciding(item, inside, flags)
                if condition is not None and id(item) not in seen:
                    seen.add(id(item))
                    flags |= names(condition) & self.booleans
                    grown = True
                    yield condition


def _deciding(statement: ir.Statement, inside: set[str], flags: set[str]) -> ir.Expression | None:
    """The condition of a branch that leaves the loop or sets a flag at once; a flag's value."""
    match statement:
        case ir.Assign(target=name, value=value) if name in flags:
            return value
        case ir.If(condition=condition):
            ends = any(_ends(item, inside, flags) for side in ir.blocks(statement) for item in side)
            return condition if ends else None
        case _:
            return None


def _ends(statement: ir.Statement, inside: set[str], flags: set[str]) -> bool:
    match statement:
        case ir.Exit(label=label):
            return label not in inside
        case ir.Assign(target=name):
            return name in flags
        case _:
            return isinstance(statement, ir.Return)


def _direction(value: ir.Expression, counter: str) -> int | None:
    """Whether a counter is counted up or down; None for one that is computed from another one."""
    if counter not in names(value):
        return None
    match value:
        case ir.Operation(operator=operator) if operator in DIFFERENCES:
            return DOWN
        case ir.Operation(operator=ir.Operator.ADD, operands=operands):
            negative = any(isinstance(item, ir.Constant) and item.value < 0 for item in operands)
            return DOWN if negative else UP
        case _:
            return UP


def _is_linear_comparison(expression: ir.Expression) -> bool:
    """A remainder says where in a period a loop is, not how far it has come; an entry says neither."""
    return (
        isinstance(expression, ir.Operation)
        and expression.operator in COMPARISONS
        and not any(
            isinstance(part, ir.Read | ir.Element)
            or (isinstance(part, ir.Operation) and part.operator is ir.Operator.MODULO)
            for part in ir.subexpressions(expression)
        )
    )


def _undecided(statement: ir.Statement) -> Iterable[str]:
    """What a statement gives a value from outside of the program's own arithmetic."""
    name = target(statement)
    if name is None:
        return ()
    if isinstance(statement, ir.Assign):
        read = any(isinstance(part, ir.Read | ir.Element) for part in ir.subexpressions(statement.value))
        return (name,) if read else ()
    return (name,)


def _leaving(body: Body, name: str) -> set[str | None]:
    """How control may leave a body without giving the name a value: labels, and None for its end."""
    ways: set[str | None] = set()
    for statement in body:
        ends: set[str | None] = {None}
        match statement:
            case ir.Exit(label=label):
                ends = {label}
            case ir.Return():
                ends = set()
            case ir.Block(label=label, body=inner):
                ends = {None if way == label else way for way in _leaving(inner, name)}
            case ir.Loop(body=inner):
                ends = _leaving(inner, name) - {None}
            case ir.If(then=then, otherwise=otherwise):
                ends = _leaving(then, name) | _leaving(otherwise, name)
            case _ if target(statement) == name:
                ends = set()
        ways |= ends - {None}
        if None not in ends:
            return ways
    return ways | {None}
