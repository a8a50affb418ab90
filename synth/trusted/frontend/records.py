"""Lists of records: which parameters of the core program a list of the Python program stands for.

A record is a scalar or a tuple; each of its components is a column.  Where a record may be missing in one of
the runs, flags say which are there, and where a record may be another one, flags say which of two it is.  Why
the core program is private just if the Python program is: docs/certificates.md ("Lists of records").
"""

from __future__ import annotations

from collections.abc import Callable

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.classes import Kind
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    DataValue,
    LabelValue,
    NamedTupleValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block

MOVED = "with a record more, positions move: loop over the records (`for v in {name}`)"


def entry(records: RecordsValue, index: ir.Expression) -> Value:
    """Return the record at an index, whether it is there or not."""
    kinds = records.kinds or (None,) * len(records.columns)
    pairs = zip(_components(records, index), kinds, strict=True)
    items = tuple(
        ScalarValue(component) if kind is None else LabelValue(kind, component) for component, kind in pairs
    )
    if records.named is not None:
        made = NamedTupleValue if records.named.kind is Kind.TUPLE else DataValue
        return made(items, records.named)
    return TupleValue(items) if records.is_tuple else items[0]


def _components(records: RecordsValue, index: ir.Expression) -> list[ir.Expression]:
    found = [_read(column, index) for column in records.columns]
    if records.chosen is not None:
        flag = _read(records.chosen, index)
        others = [_read(column, index) for column in records.others]
        if records.reach is not None:
            others = [_near(other, one, records.reach) for one, other in zip(found, others, strict=True)]
        found = [builders.choose(flag, other, one) for one, other in zip(found, others, strict=True)]
    domains = records.domains or (None,) * len(found)
    return [inside(component, domain) for component, domain in zip(found, domains, strict=True)]


def _near(other: ir.Expression, one: ir.Expression, reach: ir.Expression) -> ir.Expression:
    """The number nearest to another one that is within reach of this one."""
    low, high = builders.subtract(one, reach), builders.add(one, reach)
    return inside(other, ir.Domain("", low, high, ""))


def _read(column: ir.Parameter, index: ir.Expression) -> ir.Expression:
    return ir.Read(column.name, (index,), column.sort)


def places(records: RecordsValue) -> ir.Expression:
    """Return how many indices there are: as many as records, or more if some may be missing."""
    return ir.Length((records.present or records.columns[0]).name)


def presence(records: RecordsValue) -> Callable[[ir.Expression], ir.Expression] | None:
    """Return what tells of an index whether its record is there; None if all are."""
    flags = records.present
    return None if flags is None else lambda index: _read(flags, index)


def length(context: Context, records: RecordsValue, node: Located | ir.Span) -> ir.Expression:
    """Return the number of records, which is private if some may be missing: then it is counted first.

    Raises ProgramError outside of functions.
    """
    present = presence(records)
    if present is None:
        return places(records)
    if context.where:
        raise _private_length(context, records, node)
    span = context.source.place(node)
    total, counter = (ir.Variable(context.temporary("count"), ir.Sort.INT) for _ in range(2))
    label = f"break%{context.number()}"
    context.emit(ir.Assign(total.name, builders.ZERO, span))
    context.emit(ir.Assign(counter.name, builders.ZERO, span))
    one = builders.choose(present(counter), builders.ONE, builders.ZERO)
    behind = builders.less_equal(places(records), counter)
    loop = ir.Loop(
        0,
        (
            ir.If(0, behind, (ir.Exit(label, span),), (), span),
            ir.Assign(total.name, builders.add(total, one), span),
            ir.Assign(counter.name, builders.add(counter, builders.ONE), span),
        ),
        span,
        counter.name,
        places(records),
    )
    context.body.extend(finish_block(label, (loop,)))
    return total


def _private_length(context: Context, records: RecordsValue, node: Located | ir.Span) -> ProgramError:
    place = context.source.place(node)
    message = f"the length of '{records.name}' is private, and can't be used in {context.where}"
    return context.error(place, Refusal.PRIVATE_SPECIFICATION, message)


def moved(context: Context, records: RecordsValue, node: Located) -> ProgramError:
    """Return the error for a position in a list of which a record may be missing."""
    return context.error(node, Refusal.PRIVATE_POSITION, MOVED.format(name=records.name))


def inside(value: ir.Expression, domain: ir.Domain | None) -> ir.Expression:
    """Return the nearest value inside of a domain: the value itself if it is inside."""
    if domain is None:
        return value
    if domain.low is not None:
        value = builders.arithmetic(ir.Operator.MAXIMUM, value, domain.low)
    if domain.high is not None:
        value = builders.arithmetic(ir.Operator.MINIMUM, value, domain.high)
    return value
