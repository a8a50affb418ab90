"""``raise``: runs that raise are not considered where public data alone decide it.

A raise is read as an assertion of what is false, which this file makes one of what must hold instead.  What
is asserted of public parameters, before anything else may end a run, is a precondition of the mechanism.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks
from synth.trusted.program.flow import finish_block, runs_on

Body = tuple[ir.Statement, ...]

MAX_PRECONDITION = 100
"""Subexpressions of what is made a precondition."""


def asserted(body: Body) -> Body:
    """Return the statements with ``if c: raise`` as an assertion of ``not c``, wherever it stands."""
    found: list[ir.Statement] = []
    for statement in body:
        match with_blocks(statement, asserted):
            case ir.If(condition=condition, then=then, otherwise=otherwise) if _raises(then):
                found += _other_asserted(builders.negate(condition), then, otherwise)
            case ir.If(condition=condition, then=then, otherwise=otherwise) if _raises(otherwise):
                found += _other_asserted(condition, otherwise, then)
            case ir.Assume(condition=builders.FALSE) as end:
                found = _without_fall(found, end)
            case ir.Block(label=label, body=inner):
                found += finish_block(label, inner)
            case other:
                found.append(other)
        if not runs_on(found):
            break
    return tuple(found)


def _raises(body: Body) -> bool:
    """Whether all runs of the statements raise, if they end."""
    ends = (ir.Return, ir.Exit)
    return (
        bool(body)
        and isinstance(body[-1], ir.Assume)
        and body[-1].condition == builders.FALSE
        and not any(isinstance(item, ends) for item in ir.statements(body))
    )


def _other_asserted(condition: ir.Expression, raising: Body, other: Body) -> Body:
    """What is asserted where one side of a branch raises, and then the other side.

    What the raising side asks for is kept: else it would raise something else.
    """
    *before, end = raising
    assert isinstance(end, ir.Assume)
    asks = any(isinstance(item, ir.Obligation) for item in ir.statements(tuple(before)))
    kept = (ir.If(0, builders.negate(condition), tuple(before), (), end.span),) if asks else ()
    return (*kept, _assertion(condition, end.span), *other)


def _assertion(condition: ir.Expression, span: ir.Span) -> ir.Assume:
    return ir.Assume(builders.both(*builders.conjuncts(condition)), span)


def _without_fall(before: Sequence[ir.Statement], end: ir.Assume) -> list[ir.Statement]:
    """``if c: return e`` before a raise is an assertion of ``c``."""
    match before:
        case (*rest, ir.If(condition=condition, then=then, otherwise=())) if not runs_on(then):
            return [*rest, _assertion(condition, end.span), *then]
        case _:
            return [*before, end]


def preconditions(body: Body, public: Collection[str]) -> tuple[ir.Assume, ...]:
    """Return what is asserted of public parameters alone, where each run comes first."""
    found = []
    for statement in body:
        match statement:
            case ir.Assume(condition=condition):
                if not (_is_of(condition, public) and builders.is_small(condition, MAX_PRECONDITION)):
                    break
                found.append(statement)
            case ir.If():
                if any(isinstance(item, _ENDS) for item in ir.statements((statement,))):
                    break
            case ir.Block() | ir.Loop() | ir.Exit() | ir.Return():
                break
    return tuple(found)


_ENDS = (ir.Return, ir.Exit, ir.Loop, ir.Assume)


def _is_of(condition: ir.Expression, public: Collection[str]) -> bool:
    """Whether an expression is about these parameters, and about lengths of parameters."""
    for part in ir.subexpressions(condition):
        match part:
            case ir.Variable(name) | ir.Length(name) if name not in public:
                return False
            case ir.Read() | ir.Element():
                return False
    return True


def without(body: Body, conditions: Collection[ir.Assume]) -> Body:
    """Return the statements without these assertions at their top."""
    return tuple(item for item in body if not (isinstance(item, ir.Assume) and item in conditions))


# --- what decides a raise ---------------------------------------------------------------


def undecided(body: Body, private: Collection[str], raises: Collection[ir.Span]) -> Iterator[ir.Span]:
    """Give the places of raises that more than public data decide: private data, or noise.

    Over-approximated: whatever is assigned or comes behind a branch that they decide counts as decided so.
    """
    yield from sorted(_influence(body, private, raises).places)


def influenced(body: Body, private: Collection[str]) -> set[str]:
    """Return the names of all that private data or noise decide, and of these data."""
    return {*private, *_influence(body, private, ()).names}


def _influence(body: Body, private: Collection[str], raises: Collection[ir.Span]) -> _Influence:
    influence = _Influence(frozenset(private), frozenset(raises))
    size = -1
    while size != len(influence.names):
        size = len(influence.names)
        influence.places.clear()
        influence.body(body, False)
    return influence


@dataclass
class _Influence:
    """Names of private data, and of what they and noise decide; places of raises that these decide."""

    private: frozenset[str]
    raises: frozenset[ir.Span]
    names: set[str] = field(default_factory=set)
    places: set[ir.Span] = field(default_factory=set)

    def body(self, body: Body, influenced: bool) -> bool:
        """Follow the statements; give whether private data or noise decide that they are left at the end."""
        for statement in body:
            influenced = self._statement(statement, influenced)
        return influenced

    def _statement(self, statement: ir.Statement, influenced: bool) -> bool:
        match statement:
            case ir.Assign(target=target, value=value):
                self._write(target, influenced or self._reads(value))
            case ir.Draw(target=target) | ir.Choose(target=target):
                self.names.add(target)
            case ir.NewList(target=target):
                self._write(target, influenced)
            case ir.Append(target=target, values=values):
                self._write(target, influenced or any(map(self._reads, values)))
            case ir.Assume(condition=condition, span=span):
                influenced = influenced or self._reads(condition)
                if influenced and span in self.raises:
                    self.places.add(span)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                if influenced or self._reads(condition):
                    self.body((*then, *otherwise), True)
                    return influenced or any(isinstance(item, _ENDS) for item in ir.statements((statement,)))
                sides = [self.body(then, False), self.body(otherwise, False)]
                return any(sides)
            case ir.Block(body=inner):
                return self.body(inner, influenced)
            case ir.Loop(body=inner):
                return self.body(inner, self.body(inner, influenced))
        return influenced

    def _write(self, name: str, influenced: bool) -> None:
        if influenced:
            self.names.add(name)

    def _reads(self, expression: ir.Expression) -> bool:
        for part in ir.subexpressions(expression):
            match part:
                case ir.Variable(name) | ir.Read(source=name) | ir.Element(source=name):
                    if name in self.private or name in self.names:
                        return True
                case ir.Length(name):
                    if name in self.names:
                        return True
        return False


def obliged(body: Body, places: Collection[ir.Span], reason: str) -> Body:
    """Return the statements with obligations for these assertions: what they say has to be shown."""
    found: list[ir.Statement] = []
    for statement in body:
        match with_blocks(statement, lambda inner: obliged(inner, places, reason)):
            case ir.Assume(condition=condition, span=span) as end if span in places:
                found.append(ir.Obligation("domain", condition, reason, span))
                found += [end] if condition == builders.FALSE else []
            case other:
                found.append(other)
    return tuple(found)


def with_ends(body: Body, end: Body) -> Body:
    """Return the statements with an end behind each raise that nothing else made one of the others."""
    found: list[ir.Statement] = []
    for statement in body:
        found.append(with_blocks(statement, lambda inner: with_ends(inner, end)))
        if isinstance(statement, ir.Assume) and statement.condition == builders.FALSE:
            found += end
    return tuple(found)
