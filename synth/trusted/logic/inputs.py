"""The two inputs of a mechanism as constants and functions, and what their adjacency says.

``|x<>|`` is a public input, ``|x#start<1>|`` run 1's private one, ``|q[]<1>|`` its entries as a
function of the index; outside of 0 ≤ i < len(q) both runs may be taken to have the same entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.trusted.logic.terms import BOOL, INT, REAL, Signature, Term, conjunction, number
from synth.trusted.program import syntax as ir

PLAIN = {
    ir.Operator.ADD: "+",
    ir.Operator.SUBTRACT: "-",
    ir.Operator.EQUAL: "=",
    ir.Operator.LESS: "<",
    ir.Operator.LESS_EQUAL: "<=",
    ir.Operator.AND: "and",
    ir.Operator.OR: "or",
    ir.Operator.NOT: "not",
    ir.Operator.IF: "ite",
}
"""Operators that SMT-LIB has, whatever the operands are."""

SORTS = {ir.Sort.INT: INT, ir.Sort.REAL: REAL, ir.Sort.BOOL: BOOL}


def public_name(name: str) -> str:
    return f"|{name}<>|"


def start_name(name: str, run: int) -> str:
    return f"|{name}#start<{run}>|"


def entries_name(source: str, run: int | None) -> str:
    return f"|{source}[]<{run or ''}>|"


def share_name(source: str) -> str:
    """Under l2_distance(c): the square of what an entry differs by, as a part of c², by its index.

    If c is 0 no entry differs, and the parts are 0.  So those of all entries are at least 0, and sum up to at
    most 1.
    """
    return f"|{source}#share|"


def length_of(sequence: str) -> str:
    return f"|len({sequence})|"


def real(term: Term, sort: str) -> Term:
    """A number or truth value as a real; true counts 1."""
    if sort == BOOL:
        return ("ite", term, "1.0", "0.0")
    return ("to_real", term) if sort == INT else term


def within(change: Term, bound: Term) -> Term:
    """abs(change) <= bound."""
    return ("and", ("<=", change, bound), ("<=", ("-", change), bound))


@dataclass(frozen=True)
class Inputs:
    """The parameters of a mechanism; ``bounds`` are their stated distances, as real terms."""

    mechanism: ir.Mechanism
    bounds: dict[str, Term]

    def signatures(self) -> dict[str, Signature]:
        """All symbols of the inputs."""
        return dict(item for parameter in self.mechanism.parameters for item in _symbols(parameter))

    def scalars(self) -> dict[str, Term]:
        """The public scalars, ghosts included."""
        return {
            item.name: public_name(item.name)
            for item in self.mechanism.parameters
            if item.kind is ir.ParameterKind.SCALAR and item.metric is None
        }

    def facts(self) -> Iterator[Term]:
        """What holds of the inputs whatever entries are read."""
        for item in self.mechanism.parameters:
            length, bound = length_of(item.name), self.bounds.get(item.name)
            if item.kind is ir.ParameterKind.SEQUENCE:
                yield ("<=", "0", length)
            if item.kind is ir.ParameterKind.SCALAR and bound is not None:
                yield within(_difference(item, start_name(item.name, 1), start_name(item.name, 2)), bound)
            if _kind(item) is ir.MetricKind.CHANGE_ONE:
                place, change, sort = f"|{item.name}#changed|", f"|{item.name}#change|", _change_sort(item)
                inside: Term = ("and", ("<=", "0", place), ("<", place, length))
                if bound is not None:
                    yield within(real(change, sort), bound)
                yield ("or", inside, ("=", change, number(0, sort)))

    def adjacent(self, source: str, index: tuple[Term, ...]) -> Term | None:
        """How the two runs' entries at one index are related (Barthe et al. 2016, section 3.1)."""
        item = self.mechanism.parameter(source)
        if item.metric is None:
            return None
        left, right = ((entries_name(source, run), *index) for run in (1, 2))
        if item.metric.kind is ir.MetricKind.CHANGE_ONE:
            change, sort = f"|{source}#change|", _change_sort(item)
            step: Term = ("ite", ("=", index[0], f"|{source}#changed|"), change, number(0, sort))
            first, second = (
                ("ite", side, "1", "0") if item.sort is ir.Sort.BOOL else side for side in (left, right)
            )
            return ("=", second, ("+", first, step))
        bound = self.bounds.get(source)
        if bound is None:
            return None
        moved = self.change(source, index)
        if item.metric.monotone:
            up = conjunction([("<=", "0.0", moved), ("<=", moved, bound)])
            down = conjunction([("<=", moved, "0.0"), ("<=", ("-", moved), bound)])
            return ("ite", f"|{source}#upward|", up, down)
        return within(moved, bound)

    def change(self, source: str, index: tuple[Term, ...]) -> Term:
        """By how much run 2's entry at an index is larger, as a real."""
        left, right = ((entries_name(source, run), *index) for run in (1, 2))
        return _difference(self.mechanism.parameter(source), left, right)


def _kind(item: ir.Parameter) -> ir.MetricKind | None:
    return item.metric.kind if item.metric is not None else None


def _change_sort(item: ir.Parameter) -> str:
    return REAL if item.sort is ir.Sort.REAL else INT


def _difference(item: ir.Parameter, left: Term, right: Term) -> Term:
    return ("-", real(right, SORTS[item.sort]), real(left, SORTS[item.sort]))


def _symbols(item: ir.Parameter) -> Iterator[tuple[str, Signature]]:
    sort = SORTS[item.sort]
    if item.kind is ir.ParameterKind.SEQUENCE:
        yield length_of(item.name), ((), INT)
    runs = (1, 2) if item.metric is not None else (None,)
    for run in runs:
        if item.kind is not ir.ParameterKind.SCALAR:
            yield entries_name(item.name, run), ((INT,) * item.arity, sort)
        else:
            yield (start_name(item.name, run) if run else public_name(item.name)), ((), sort)
    if _kind(item) is ir.MetricKind.CHANGE_ONE:
        yield f"|{item.name}#changed|", ((), INT)
        yield f"|{item.name}#change|", ((), _change_sort(item))
    if _kind(item) is ir.MetricKind.L2:
        yield share_name(item.name), ((INT,), REAL)
    if item.metric is not None and item.metric.monotone:
        yield f"|{item.name}#upward|", ((), BOOL)
