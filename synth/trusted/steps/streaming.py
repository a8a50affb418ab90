"""Streamed lists: what a loop does with each entry of a list is done where the entry is appended.

*Theorem.* If :func:`streamed` or :func:`counted` accepts the step from P to P', both have the same
distribution of outputs on each input; and if no run of P' violates an obligation, then none of P does.  The
proof is in docs/certificates.md, "Streamed lists"; in short:

- Of what the statements since ``xs = []`` assign, the loop reads nothing but the entry.  These statements
  don't mention what the loop computes.  So an iteration does the same behind the append of its entry, and
  the iterations come in the same order.
- A counter that is 0 where a list is made, and grows where something is appended to it, is its length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import rounds_of, surely_ends
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    exited,
    expressions,
    length_name,
    names,
    names_in_use,
    with_blocks,
)
from synth.trusted.program.substitution import mapped
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at

Change = Callable[[ir.Expression], ir.Expression | None]

_ENDS = ir.Return | ir.Assume


@dataclass(frozen=True)
class _Reader:
    """A loop over all entries of a list: what it does with each, and what it counts with."""

    list: str
    index: ir.Variable
    body: Body

    def is_entry(self, part: ir.Expression) -> bool:
        """Whether an expression is a component of the entry that an iteration is about."""
        return isinstance(part, ir.Element) and (part.source, part.index) == (self.list, self.index)

    def reads(self) -> set[str]:
        """What the loop reads besides the entry."""

        def hidden(part: ir.Expression) -> ir.Expression | None:
            return builders.zero(part.sort) if self.is_entry(part) else self._inside(part)

        return mentions(_mapped(self.body, hidden))

    def behind(self, append: ir.Append) -> Body:
        """The append, and what the loop does with this entry."""

        def put(part: ir.Expression) -> ir.Expression | None:
            if isinstance(part, ir.Element) and self.is_entry(part):
                return append.values[part.component]
            return self._inside(part)

        return (append, *_mapped(self.body, put))

    def _inside(self, part: ir.Expression) -> ir.Expression | None:
        """That the index is inside of the list, which it is in each iteration."""
        return builders.TRUE if part == builders.less(self.index, ir.Length(self.list)) else None


def streamed(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program without the loop at a place, whose body stands behind the appends to its list.

    Raises Different or Rejected where that may be another program.
    """

    def change(body: Body, start: int) -> Body:
        reader = _reader(body[start : start + 1])
        own, length = assigned(reader.body), length_name(reader.list)
        made = [number for number, item in enumerate(body[:start]) if _makes(item, reader.list)]
        if not made:
            raise Different(Code.NOT_STREAMED())
        first = body[: made[-1] + 1]
        between = body[made[-1] + 1 : start]
        begins = tuple(item for item in between if begins_with(item, own))
        others = tuple(item for item in between if not begins_with(item, own))
        changes = assigned(others) | {length}
        begun = [
            item.value for item in begins if isinstance(item, ir.Assign) and item.target == reader.index.name
        ]
        if (
            begun != [builders.ZERO]
            or length in own
            or own & (assigned(others) | mentions(others))
            or (reader.reads() | mentions(begins)) & changes
            or exited(others)
            or any(_makes(item, reader.list) for item in ir.statements(others))
            or any(length in mentions((item,)) for item in _appends(others, reader.list))
        ):
            raise Different(Code.NOT_STREAMED())
        return (*first, *begins, *_behind_appends(others, reader), *body[start + 1 :])

    after = changed_at(mechanism.body, place, change)
    if repeats_label(after, frozenset()):
        raise Different(Code.NOT_STREAMED())
    return replace(mechanism, body=after)


def counted(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program with a counter in place of the length of the list that is made at a place.

    Raises Different or Rejected where no list is made, or where the counter's name is taken.
    """
    found: list[str] = []

    def look(body: Body, start: int) -> Body:
        found.extend(item.target for item in body[start : start + 1] if isinstance(item, ir.NewList))
        return body

    changed_at(mechanism.body, place, look)
    if not found or counter_name(found[0]) in names_in_use(mechanism):
        raise Different(Code.NOT_COUNTED())
    counter = ir.Variable(counter_name(found[0]), ir.Sort.INT)

    def put(part: ir.Expression) -> ir.Expression | None:
        return counter if part == ir.Length(found[0]) else None

    body = _with_counter(_mapped(mechanism.body, put), found[0], counter)
    return replace(mechanism, body=body, variables={**mechanism.variables, counter.name: ir.Sort.INT})


def counter_name(sequence: str) -> str:
    """The variable that counts the entries of a list."""
    return f"{sequence}.len"


def _reader(found: Body) -> _Reader:
    """The loop over all entries of a list.  Raises Different for anything else."""
    rounds = rounds_of(found)
    if (
        rounds is None
        or not isinstance(rounds.end, ir.Length)
        or any(isinstance(item, _ENDS) for item in ir.statements(rounds.each))
        or not surely_ends(rounds.each)
    ):
        raise Different(Code.NOT_STREAMED())
    return _Reader(rounds.end.sequence, rounds.index, (*rounds.each, rounds.step))


def repeats_label(body: Body, around: frozenset[str]) -> bool:
    """Whether a block stands inside of another one of its label."""
    return any(
        (isinstance(item, ir.Block) and item.label in around)
        or any(
            repeats_label(inner, around | {item.label} if isinstance(item, ir.Block) else around)
            for inner in ir.blocks(item)
        )
        for item in body
    )


def _behind_appends(body: Body, reader: _Reader) -> Body:
    result: list[ir.Statement] = []
    for item in body:
        if isinstance(item, ir.Append) and item.target == reader.list:
            result += reader.behind(item)
        else:
            result.append(with_blocks(item, lambda inner: _behind_appends(inner, reader)))
    return tuple(result)


def _with_counter(body: Body, sequence: str, counter: ir.Variable) -> Body:
    values = {ir.NewList: builders.ZERO, ir.Append: builders.add(counter, builders.ONE)}
    result: list[ir.Statement] = []
    for item in body:
        result.append(with_blocks(item, lambda inner: _with_counter(inner, sequence, counter)))
        if isinstance(item, ir.NewList | ir.Append) and item.target == sequence:
            result.append(ir.Assign(counter.name, values[type(item)], item.span))
    return tuple(result)


def _mapped(body: Body, put: Change) -> Body:
    """The body with parts of its expressions changed."""
    return tuple(
        changed(item, lambda value: mapped(value, put), lambda inner: _mapped(inner, put)) for item in body
    )


def begins_with(item: ir.Statement, own: set[str]) -> bool:
    return isinstance(item, ir.Assign | ir.NewList) and assigned((item,)) <= own


def _makes(item: ir.Statement, name: str) -> bool:
    return isinstance(item, ir.NewList) and item.target == name


def _appends(body: Body, name: str) -> Body:
    return tuple(item for item in ir.statements(body) if isinstance(item, ir.Append) and item.target == name)


def mentions(body: Body) -> set[str]:
    """Variables, and lengths of lists, in a body's expressions, counts of loops and returns."""
    found: set[str] = set()
    for item in ir.statements(body):
        for value in expressions(item):
            found |= names(value)
        if isinstance(item, ir.Loop) and item.count is not None:
            found |= names(item.count)
        if isinstance(item, ir.Return):
            found |= {length_name(name) for name in item.lists}
    return found
