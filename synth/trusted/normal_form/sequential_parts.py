"""A mechanism cut into mechanisms that run one after the other, each on what those before it published.

What control leaves behind a cut is published there: the scalars and local lists that were assigned before
and may be read later.  To the parts behind it these are public parameters.  A list that grows further
begins empty, since only what a part adds to it is its own output.  The output of the whole is a function of
what the parts publish, so their privacy losses add up (sequential composition).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Analysis,
    Body,
    assigned,
    changed,
    expressions,
    is_made_of,
    length_name,
    names,
    public_parameters,
    target,
    without_obligations,
)
from synth.trusted.program.substitution import mapped


class NoCut(Exception):
    """The program can't be cut there; the message says why."""


def parts(mechanism: ir.Mechanism, cuts: Sequence[int]) -> tuple[ir.Mechanism, ...]:
    """The mechanisms between cuts; a cut is the number of the body's statements that are before it.

    They claim nothing, and have no obligations: these are shown for the whole.  Raises NoCut.
    """
    ends = (*cuts, len(mechanism.body))
    if list(ends) != sorted(set(ends)) or ends[0] < 1:
        raise NoCut("cuts lie behind one another, inside of the program")
    if assigned(mechanism.body) & {item.name for item in mechanism.parameters}:
        raise NoCut("a parameter is assigned")
    if len({item.lists for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)}) > 1:
        raise NoCut("returns of different lists")  # no part would publish which list is returned
    return tuple(_part(mechanism, (0, *ends), place) for place in range(len(ends)))


def _part(mechanism: ir.Mechanism, places: Sequence[int], number: int) -> ir.Mechanism:
    """The part between two of the places where the program begins, is cut, and ends."""
    start, end = places[number : number + 2]
    before, body, rest = mechanism.body[:start], mechanism.body[start:end], mechanism.body[end:]
    body = without_obligations(body)
    if rest and any(isinstance(item, ir.Return) for item in ir.statements(body)):
        raise NoCut("a return before a cut")
    old = {name for name in mechanism.lists if length_name(name) in assigned(before)}
    grown = {name for name in mechanism.lists if length_name(name) in assigned(body)}
    _check_old(body, old & grown)
    news = tuple(ir.NewList(name, mechanism.span) for name in sorted(old & grown))
    if rest:
        body = (*body, _published(mechanism, body, places[number + 1 : -1]))
    body = (*news, *_settled(mechanism, before), *body)
    mentioned = {name for item in ir.statements(body) for each in expressions(item) for name in names(each)}
    older = {name for name in old - grown if length_name(name) in mentioned}
    if not all(mechanism.lists[name].components for name in older):
        raise NoCut("a list of entries that hold nothing")
    body = _Change(frozenset(grown), frozenset(older)).body(body)
    given = Analysis(mechanism).live_before(body) & assigned(before) & mechanism.variables.keys()
    if mentioned & mechanism.variables.keys() & assigned(before) - given - assigned(body):
        raise NoCut("a variable is read behind a cut that is not handed on")
    scalars = [
        ir.Parameter(name, ir.ParameterKind.SCALAR, mechanism.variables[name], 0, None, mechanism.span, True)
        for name in sorted(given)
    ]
    sequences = [
        ir.Parameter(column(name, place), ir.ParameterKind.SEQUENCE, sort, 1, None, mechanism.span, True)
        for name in sorted(older)
        for place, sort in enumerate(mechanism.lists[name].components)
    ]
    return replace(
        mechanism,
        parameters=(*mechanism.parameters, *scalars, *sequences),
        epsilon=None,
        delta=None,
        divergence=None,
        body=body,
        variables={name: sort for name, sort in mechanism.variables.items() if name not in given},
        lists={name: kind for name, kind in mechanism.lists.items() if name in grown},
        output=None,
    )


def _check_old(body: Body, grown: set[str]) -> None:
    """To a list that is older than its part and changes there, entries may be appended, no more.

    Emptying it would show in the output of the whole, and not in the part's.
    """
    lengths = {length_name(name) for name in grown}
    for item in ir.statements(body):
        if isinstance(item, ir.NewList) and item.target in grown:
            raise NoCut(f"'{item.target}' is emptied behind a cut")
        if any(names(expression) & (grown | lengths) for expression in expressions(item)):
            raise NoCut("a list that still grows is read behind a cut")


def column(name: str, component: int) -> str:
    """The public sequence of one component of the entries of a list; no variable has a name like this."""
    return f"{name}[{component}]"


def rename_to_interface(expression: ir.Expression, part: ir.Mechanism) -> ir.Expression:
    """An expression over variables of the whole, as a part sees it: of lists it is handed it has columns."""
    columns = {item.name for item in part.parameters if item.published}

    def read(item: ir.Expression) -> ir.Expression | None:
        known = isinstance(item, ir.Length) and column(item.sequence, 0) in columns
        return ir.Length(column(item.sequence, 0)) if known and isinstance(item, ir.Length) else None

    return mapped(expression, read)


def _published(mechanism: ir.Mechanism, body: Body, cuts: Sequence[int]) -> ir.Return:
    """What a body assigns, where it may be read behind the first cut, and not all parts there compute it."""
    own = assigned(body) & Analysis(mechanism).live_before(mechanism.body[cuts[0] :])
    computed = [{item.target for item in _settled(mechanism, mechanism.body[:cut])} for cut in cuts]
    settled = set.intersection(*computed)
    scalars = [ir.Variable(name, sort) for name, sort in mechanism.variables.items() if name in own - settled]
    lists = tuple(name for name in mechanism.lists if length_name(name) in own)
    return ir.Return(tuple(scalars), lists, mechanism.span)


def _settled(mechanism: ir.Mechanism, body: Body) -> tuple[ir.Assign, ...]:
    """Locals that a body assigns once, whatever happens, from public parameters and other such locals.

    They have the same value in every run, and can be computed again behind the cut.
    """
    known = set(public_parameters(mechanism))
    times = Counter(target(item) for item in ir.statements(body))
    found = []
    for item in body:
        if isinstance(item, ir.Assign) and times[item.target] == 1 and is_made_of(item.value, known):
            known.add(item.target)
            found.append(item)
    return tuple(found)


@dataclass(frozen=True)
class _Change:
    """A part's statements: they return only lists that are ``own``, and read ``older`` ones as sequences."""

    own: frozenset[str]
    older: frozenset[str]

    def body(self, body: Body) -> Body:
        return tuple(self._statement(item) for item in body)

    def _statement(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Return(lists=lists):
                kept = tuple(name for name in lists if name in self.own)
                return changed(replace(statement, lists=kept), self.expression, self.body)
            case ir.Obligation():
                return statement
            case _:
                return changed(statement, self.expression, self.body)

    def expression(self, expression: ir.Expression) -> ir.Expression:
        return mapped(expression, self._read)

    def _read(self, item: ir.Expression) -> ir.Expression | None:
        match item:
            case ir.Element(source=name, index=index, component=place, sort=sort) if name in self.older:
                return ir.Read(column(name, place), (self.expression(index),), sort)
            case ir.Length(sequence=name) if name in self.older:
                return ir.Length(column(name, 0))
        return None
