"""The output of a mechanism: the values and lists of its returns, in one layout for all."""

from __future__ import annotations

import ast
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arrays,
    dicts,
    infinities,
    layout,
    objects,
    published_prints,
    raised,
    shapes,
    store,
    values,
)
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.shapes import MismatchError
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    ArrayValue,
    GeneratorValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

OUTPUT = "%output"


def give_out(context: Context, node: Located | ir.Span, value: Value) -> None:
    """Return from the mechanism."""
    _check(context, node, value)
    _end(context, node, raised.returned(value) if context.published_raises else value)


def give_raised(context: Context, node: ast.Raise) -> None:
    """Leave the mechanism by an exception that is seen."""
    _end(context, node, raised.raised(context, node))


def _end(context: Context, node: Located | ir.Span, value: Value) -> None:
    value = published_prints.beside(context, infinities.finite(context, _listed(context, value, node), node))
    value = store.materialise(context, value, node)
    try:
        alternatives = context.inference.add_entries(OUTPUT, layout.alternatives_of(value))
        components = layout.encode(value, alternatives)
    except MismatchError:
        kind = shapes.describe_value(layout.unfit(value))
        raise context.error(
            node, Refusal.UNSUPPORTED_OUTPUT, f"returning {kind} here is not supported"
        ) from None
    lists = _lists(context, node, value, alternatives)
    context.emit(ir.Return(components, lists, context.source.place(node)))


def give_nothing(context: Context, span: ir.Span) -> None:
    """Return zeros, which no run comes to, where other returns give something; else end in no way."""
    alternatives = context.inference.entries(OUTPUT)
    components = tuple(builders.zero(sort) for sort in layout.sorts(alternatives))
    names = []
    for slot in range(len(layout_of(context).lists)):
        names.append(context.temporary("list"))
        _share(context, span, _slot(slot), names[-1])
        context.emit(ir.NewList(names[-1], span))
    context.emit(ir.Return(components, tuple(names), span))


def _listed(context: Context, value: Value, node: Located | ir.Span) -> Value:
    """The value with its arrays as lists: an output is what they hold."""
    match value:
        case ArrayValue(length=builders.ONE, mask=None) if arrays.is_only_return(context):
            return TupleValue((ScalarValue(arrays.at(context, value, builders.ZERO)),))
        case ArrayValue():
            return arrays.output(context, value, node)
        case values.DictValue():
            return dicts.as_output(context, node, value)
        case values.ObjectValue():
            return _listed(context, objects.as_output(context, node, value), node)
        case MatrixValue(flat, rows, width):
            size = (TupleValue((ScalarValue(number),)) for number in (rows, width))
            return TupleValue((*size, arrays.output(context, flat, node)))
        case TupleValue(items):
            return replace(value, items=tuple(_listed(context, item, node) for item in items))
        case _:
            return value


def layout_of(context: Context) -> ir.Layout:
    """How the returns that were lowered lay out their values; of a program without an end there are none."""
    alternatives = context.inference.entries(OUTPUT)
    most = max((layout.count_lists(shape) for shape in alternatives), default=0)
    lists = (context.inference.entries(_slot(place)) for place in range(most))
    return ir.Layout(_plain(context, alternatives), tuple(_plain(context, item) for item in lists))


def _plain(context: Context, alternatives: ir.Alternatives) -> ir.Alternatives:
    return tuple(shapes.plain(shape, context.labels) for shape in alternatives)


def _check(context: Context, node: Located | ir.Span, value: Value) -> None:
    match value:
        case ParameterValue(parameter):
            message = "a sequence parameter is returned"
            if parameter.kind is ir.ParameterKind.FUNCTION:
                message = "a function is returned"
            place = node.value if isinstance(node, ast.Return) and node.value else node
            raise context.error(place, Refusal.UNSUPPORTED_OUTPUT, message)
        case GeneratorValue():
            raise context.error(node, Refusal.UNSUPPORTED_OUTPUT, "a generator is returned: return a list")
        case SourceValue():
            raise context.error(node, Refusal.UNSUPPORTED_OUTPUT, "a source of random numbers is returned")
        case RecordsValue():
            place = node.value if isinstance(node, ast.Return) and node.value else node
            raise context.error(place, Refusal.UNSUPPORTED_OUTPUT, "a list of records is returned")
        case values.DataValue() | values.EnumValue() | values.ClassValue():
            raise objects.not_returned(context, node, value)
        case TupleValue((TupleValue((ScalarValue(),)), TupleValue((ScalarValue(),)), items)) if isinstance(
            items, ArrayValue | ListValue | ListLiteral
        ):
            message = "a tuple of this form is returned, which stands for an array of two dimensions"
            raise context.error(node, Refusal.UNSUPPORTED_OUTPUT, message)
        case TupleValue(items):
            for item in items:
                _check(context, node, item)
        case _:
            pass


def _lists(
    context: Context, node: Located | ir.Span, value: Value, alternatives: ir.Alternatives
) -> tuple[str, ...]:
    """The lists that are returned, padded with empty ones where other returns have more."""
    most = max(layout.count_lists(shape) for shape in alternatives)
    names = list(layout.lists_in(value))
    while len(names) < most:
        name = context.temporary("list")
        context.emit(ir.NewList(name, context.source.place(node)))
        names.append(name)
    for slot, name in enumerate(names):
        _share(context, node, _slot(slot), name)
    return tuple(names)


def _slot(place: int) -> str:
    return f"{OUTPUT}.{place}"


def _share(context: Context, node: Located | ir.Span, slot: str, name: str) -> None:
    """Lists that are returned in the same place have entries of the same shapes."""
    try:
        context.inference.share_entries(slot, name)
    except MismatchError:
        raise context.error(
            node, Refusal.UNSUPPORTED_OUTPUT, "the entries of the returned lists differ in shape"
        ) from None
    if any(map(shapes.has_object, context.inference.entries(slot))):
        message = "a list of objects is returned; return their attributes in tuples"
        raise context.error(node, Refusal.UNSUPPORTED_OUTPUT, message)
