"""``noisy[best]`` in a loop that only moves ``best``: the entry is remembered in a variable of its own.

Couplings relate the entries of a local list at the same index in both runs. Where an index differs between
them, what its entry is has to be carried along; programs that keep the entry beside its index do that
themselves.

An index that a conditional expression moves (``best = i if noisy[i] > noisy[best] else best``) is moved in a
branch first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, assigned, changed, expressions, length_name
from synth.trusted.program.substitution import mapped


def remembered(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with variables for entries whose index a loop carries along."""
    mechanism = _moved_in_branches(mechanism)
    keeper = _Keeper(mechanism)
    body = keeper.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **keeper.variables})


def _moved_in_branches(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with a branch in place of a choice between indices of local lists."""
    indices = {
        part.index.name
        for statement in ir.statements(mechanism.body)
        for whole in expressions(statement)
        for part in ir.subexpressions(whole)
        if isinstance(part, ir.Element) and isinstance(part.index, ir.Variable)
    }
    numbers = count(1 + max((item.branch for item in _branches(mechanism)), default=-1))

    def moved(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(target=name, value=ir.Operation(ir.Operator.IF, (condition, *values))) if (
                name in indices and all(isinstance(value, ir.Variable | ir.Constant) for value in values)
            ):
                then, otherwise = (
                    ()
                    if isinstance(value, ir.Variable) and value.name == name
                    else (replace(statement, value=value),)
                    for value in values
                )
                return ir.If(next(numbers), condition, then, otherwise, statement.span)
            case _:
                return changed(statement, lambda item: item, inside)

    def inside(body: Body) -> Body:
        return tuple(map(moved, body))

    return replace(mechanism, body=inside(mechanism.body))


def _branches(mechanism: ir.Mechanism) -> Iterator[ir.If]:
    return (item for item in ir.statements(mechanism.body) if isinstance(item, ir.If))


@dataclass
class _Keeper:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.analysis = Analysis(self.mechanism)

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        for statement in body:
            if isinstance(statement, ir.Loop):
                entries = dict(self._entries(statement))
                result += [_updated(name, entry, statement.span) for entry, name in entries.items()]
                statement = replace(statement, body=_carried(statement.body, entries))
            result.append(changed(statement, lambda item: item, self.body))
        return tuple(result)

    def _entries(self, loop: ir.Loop) -> Iterator[tuple[ir.Element, str]]:
        """Entries to remember in a loop, with new variables."""
        found: dict[ir.Element, None] = {}
        for statement in ir.statements(loop.body):
            for whole in expressions(statement):
                for part in ir.subexpressions(whole):
                    if isinstance(part, ir.Element) and self._is_kept(part, loop):
                        found[part] = None
        for entry in found:
            assert isinstance(entry.index, ir.Variable)
            name = f"{entry.source}%at{len(self.variables)}%{entry.index.name}"
            self.variables[name] = entry.sort
            yield entry, name

    def _is_kept(self, entry: ir.Element, loop: ir.Loop) -> bool:
        """Whether the list stays as it is, and its index is carried along and moved to other indices."""
        if not isinstance(entry.index, ir.Variable) or entry.source in self.analysis.returned_lists:
            return False
        index = entry.index.name
        sources = [
            item
            for item in ir.statements(loop.body)
            if isinstance(item, ir.Assign | ir.Draw | ir.Choose) and item.target == index
        ]
        return (
            length_name(entry.source) not in assigned(loop.body)
            and index in self.analysis.live_at_loop[loop.loop]
            and bool(sources)
            and all(
                isinstance(item, ir.Assign) and isinstance(item.value, ir.Variable | ir.Constant)
                for item in sources
            )
        )


def _carried(body: Body, entries: dict[ir.Element, str]) -> Body:
    """The body of a loop with variables for entries, which change where their indices do."""

    def variable(item: ir.Expression) -> ir.Expression | None:
        name = entries.get(item) if isinstance(item, ir.Element) else None
        return None if name is None else ir.Variable(name, item.sort)

    result: list[ir.Statement] = []
    for statement in body:
        result.append(
            changed(statement, lambda item: mapped(item, variable), lambda inner: _carried(inner, entries))
        )
        if isinstance(statement, ir.Assign):
            moved = {entry: name for entry, name in entries.items() if entry.index == _assigned(statement)}
            result += [_updated(name, entry, statement.span) for entry, name in moved.items()]
    return tuple(result)


def _assigned(statement: ir.Assign) -> ir.Variable:
    return ir.Variable(statement.target, statement.value.sort)


def _updated(name: str, entry: ir.Element, span: ir.Span) -> ir.Assign:
    """The entry at its index, where there is one."""
    length = ir.Length(entry.source)
    inside = builders.both(
        builders.less_equal(builders.ZERO, entry.index), builders.less(entry.index, length)
    )
    return ir.Assign(name, builders.choose(inside, entry, builders.zero(entry.sort)), span)
