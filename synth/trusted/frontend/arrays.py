"""Arrays of one dimension: what their entries are, without a list of them where none is needed.

An array is a length and an expression for its entries, over the index :data:`~values.INDEX`.  What the
expression reads never changes: parameters, hidden variables that are assigned where the array is made, and
hidden lists that are filled there.  So it means the same wherever the array is used later.  Noise is drawn
where its entries are used, and each entry is used once: draws are independent of each other, so it makes no
difference when they are made.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import flattening, layout, records, store
from synth.trusted.frontend.context import Context, Hidden
from synth.trusted.frontend.fixed_lists import MOST
from synth.trusted.frontend.folding import folded
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    GUMBEL,
    INDEX,
    UNIFORM_NOISE,
    ArrayValue,
    ListLiteral,
    ListValue,
    Noise,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    Value,
    unset,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block
from synth.trusted.program.substitution import mapped, replaced

MAX_ENTRY = 100
"""How many parts the expression of an entry may have before a list is made of the array."""


def from_value(context: Context, value: Value, node: Located) -> ArrayValue | None:
    """A sequence as an array; None for what is no sequence.

    Raises ProgramError if its entries are no numbers or truth values.
    """
    match value:
        case ArrayValue():
            return value
        case ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            return of_parameter(parameter)
        case RecordsValue():
            return of_records(value)
        case ListLiteral(()):
            return ArrayValue(builders.ZERO, builders.zero(ir.Sort.REAL))
        case ListLiteral(items):
            name = context.temporary(Hidden.ARRAY)
            store.make_list(context, name, _of_one_sort(context, items, node), node)
            return replace(_of_list(context, name, node), length=builders.integer(len(items)))
        case ListValue(name):
            return _of_list(context, name, node)
        case _:
            return None


def of_parameter(parameter: ir.Parameter) -> ArrayValue:
    """The array that a sequence parameter is."""
    return ArrayValue(ir.Length(parameter.name), ir.Read(parameter.name, (INDEX,), parameter.sort))


def of_records(value: RecordsValue) -> ArrayValue | None:
    """The array of a list of numbers, of which some may be missing; None for other records."""
    entry = records.entry(value, INDEX)
    if not isinstance(entry, ScalarValue):
        return None
    present = records.presence(value)
    return ArrayValue(records.places(value), entry.expression, mask=present and present(INDEX))


def _of_one_sort(context: Context, items: Sequence[Value], node: Located) -> list[Value]:
    """The entries of a display as an array has them: all truth values, integers or reals."""
    scalars = [item.expression for item in items if isinstance(item, ScalarValue)]
    if len(scalars) < len(items):
        message = "an array of a list of these entries is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    sort = scalars[0].sort
    for scalar in scalars:
        sort = builders.join(sort, scalar.sort)
    return [ScalarValue(builders.convert(scalar, sort)) for scalar in scalars]


def _of_list(context: Context, name: str, node: Located) -> ArrayValue:
    alternatives = context.inference.entries(name)
    if not alternatives:
        message = "nothing is ever appended to this list"
        raise UnresolvedError(context.error(node, Refusal.TYPE_UNKNOWN, message))
    value = layout.decode(name, INDEX, alternatives)
    if not isinstance(value, ScalarValue):
        message = "an array of a list whose entries are no numbers is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    return ArrayValue(ir.Length(name), value.expression)


def entry_value(context: Context, value: ListValue | RecordsValue) -> Value | None:
    """What an entry of a list is, at :data:`~values.INDEX`; None where nothing is known yet."""
    if isinstance(value, RecordsValue):
        return records.entry(value, INDEX)
    alternatives = context.inference.entries(value.name)
    return layout.decode(value.name, INDEX, alternatives) if alternatives else None


# --- entries ----------------------------------------------------------------------------


def at(context: Context, array: ArrayValue, index: ir.Expression) -> ir.Expression:
    """An entry; its noise is drawn.  It belongs to the array even if its mask fails."""
    entry = _at(array.entry, index)
    return entry if array.noise is None else _drawn(context, array.noise, entry, index)


def demand(context: Context, array: ArrayValue, demands: Iterable[ir.Obligation], node: Located) -> None:
    """Show what all entries demand: where it fails numpy warns, or raises, also of one that nobody uses."""
    span, of_each = context.source.place(node), list[ir.Obligation]()
    for item in demands:
        if array.mask is not None or INDEX in ir.subexpressions(item.condition):
            of_each.append(item)
        else:
            none = builders.less_equal(array.length, builders.ZERO)
            context.emit(replace(item, condition=builders.either(none, item.condition)))

    def ask(index: ir.Expression) -> None:
        with where(context, array, index, span):
            for item in of_each:
                condition = _at(item.condition, index)
                if condition != builders.TRUE:
                    context.emit(replace(item, condition=condition))

    if of_each and few(array) is None:
        each(context, array.length, ask, span)
    for place in range(few(array) or 0) if of_each else ():
        ask(builders.integer(place))


def _at(expression: ir.Expression, index: ir.Expression) -> ir.Expression:
    found = replaced(expression, {INDEX.name: index})
    return folded(found) if isinstance(index, ir.Constant) else found


def _drawn(context: Context, noise: Noise, center: ir.Expression, index: ir.Expression) -> ir.Expression:
    if noise.distribution == UNIFORM_NOISE:
        message = "an array of uniform draws is only supported in a comparison, once"
        raise context.error(noise.span, Refusal.UNIFORM_IN_FORMULA, message)
    if noise.distribution == GUMBEL:
        message = "Gumbel noise is only supported in argmax(x + noise), once"
        raise context.error(noise.span, Refusal.UNSUPPORTED_ARRAY, message)
    scale = _at(noise.scale, index)
    positive = builders.less(builders.zero(ir.Sort.REAL), scale)
    if positive != builders.TRUE:
        reason = f"the scale of {noise.distribution} must be positive"
        context.emit(ir.Obligation("scale", positive, reason, noise.span))
    name = context.temporary("draw")
    context.emit(ir.Draw(0, name, noise.distribution, (center, scale), center.sort, noise.span))
    context.unnamed_draws.add(name)
    return ir.Variable(name, center.sort)


@contextmanager
def where(context: Context, array: ArrayValue, index: ir.Expression, span: ir.Span) -> Iterator[None]:
    """Emit statements for an entry only if the array has it."""
    if array.mask is None:
        yield
        return
    with context.nested() as inside:
        yield
    condition = builders.negate(is_left_out(array, index))
    context.emit(ir.If(0, condition, tuple(inside), (), span))


def is_left_out(array: ArrayValue, index: ir.Expression) -> ir.Expression:
    """Whether the mask of an array leaves out the entry at an index."""
    assert array.mask is not None
    return builders.negate(replaced(array.mask, {INDEX.name: index}))


# --- arrays in lists --------------------------------------------------------------------


def filled(context: Context, array: ArrayValue, node: Located | ir.Span) -> ArrayValue:
    """The array with its entries in a hidden list, or its only one in a variable; noise is drawn."""
    if array.length == builders.ONE and array.mask is None:
        (saved,) = flattening.expressions(
            context.save(ScalarValue(at(context, array, builders.ZERO)), node, Hidden.NUMBER)
        )
        return flattening.written_out([saved], "")
    name = context.temporary(Hidden.ARRAY)
    fill(context, name, array, node)
    return of_list(context, name, array.length if array.mask is None else ir.Length(name))


def collected(
    context: Context,
    length: ir.Expression,
    entry: Callable[[ir.Expression], ir.Expression],
    node: Located | ir.Span,
) -> ArrayValue:
    """An array whose entries are computed by statements, one after the other."""
    name = context.temporary(Hidden.ARRAY)
    span = context.source.place(node)

    def append(index: ir.Expression) -> None:
        store.append(context, name, ScalarValue(entry(index)), node)

    context.emit(ir.NewList(name, span))
    each(context, length, append, span)
    return of_list(context, name, length)


def of_list(context: Context, name: str, length: ir.Expression) -> ArrayValue:
    """The array whose entries a list has, of which something has been appended."""
    value = layout.decode(name, INDEX, context.inference.entries(name))
    assert isinstance(value, ScalarValue)
    array = ArrayValue(length, value.expression)
    context.filled[name] = array
    return array


def output(context: Context, array: ArrayValue, node: Located | ir.Span) -> ListValue:
    """A list of the entries that nobody changes.

    Where there are several returns, it is a new one: entries that are returned in one place get one type.
    """
    plain = replace(array, owner="", whole=None)
    match array.entry:
        case ir.Element(source=name) if is_only_return(context) and plain == context.filled.get(name):
            return ListValue(name)
        case _:
            return as_list(context, array, node)


def is_only_return(context: Context) -> bool:
    """Whether the function has one ``return``, so that all outputs have the form of one.

    In a loop that is written out there are several.
    """
    function = context.scope.function
    if function is None:
        return False
    parts = list(ast.walk(function.node))
    loops = [inner for part in parts if isinstance(part, ast.For | ast.While) for inner in ast.walk(part)]
    found = [part for part in parts if isinstance(part, ast.Return)]
    return len(found) == 1 and found[0] not in loops


def as_list(context: Context, array: ArrayValue, node: Located | ir.Span) -> ListValue:
    """A new list of the entries."""
    name = context.temporary("list")
    fill(context, name, array, node)
    return ListValue(name, fresh=True)


def fill(context: Context, name: str, array: ArrayValue, node: Located | ir.Span) -> None:
    """Make a local list of the entries of an array."""
    span = context.source.place(node)

    def append(index: ir.Expression) -> None:
        with where(context, array, index, span):
            store.append(context, name, ScalarValue(at(context, array, index)), node)

    store.check_not_iterating(context, name, node, "reassigned")
    context.emit(ir.NewList(name, span))
    many = few(array)
    if many is None or (many > 1 and not _is_written_out(array)):
        each(context, array.length, append, span)
        return
    for place in range(many):
        append(builders.integer(place))


def few(array: ArrayValue) -> int | None:
    """The number of entries, if it is small and known, so that there may be a variable for each."""
    match array.length:
        case ir.Constant(value=value) if 0 < value <= MOST:
            return int(value)
        case _:
            return None


def _is_written_out(array: ArrayValue) -> bool:
    """Whether the entries of an array are told apart by their indices, one by one."""
    return any(
        isinstance(part, ir.Operation) and part.operator is ir.Operator.EQUAL and INDEX in part.operands
        for part in ir.subexpressions(array.entry)
    )


def each(
    context: Context,
    length: ir.Expression,
    body: Callable[[ir.Expression], None],
    span: ir.Span,
    first: ir.Expression = builders.ZERO,
) -> None:
    """A loop over the indices of an array, from the first one on."""
    label, counter = f"break%{context.number()}", ir.Variable(context.temporary("loop"), ir.Sort.INT)
    context.emit(ir.Assign(counter.name, first, span))
    with context.nested() as inside:
        ended = builders.negate(builders.less(counter, length))
        context.emit(ir.If(0, ended, (ir.Exit(label, span),), (), span))
        body(counter)
        context.emit(ir.Assign(counter.name, builders.add(counter, builders.ONE), span))
    loop = ir.Loop(0, tuple(inside), span, counter.name, context.natural(length))
    context.body.extend(finish_block(label, (loop,)))


# --- what may be written down -----------------------------------------------------------


def is_frozen(context: Context, name: str) -> bool:
    """Whether a list is the hidden one of an array."""
    return context.is_made_as(name, Hidden.ARRAY)


def is_stable(context: Context, array: ArrayValue) -> bool:
    """Whether nothing that an array reads changes later: parameters, and what is made with the array."""
    return all(
        _is_stable(context, part)
        for expression in flattening.parts(array)
        for part in ir.subexpressions(expression)
    )


def _is_stable(context: Context, part: ir.Expression) -> bool:
    match part:
        case ir.Variable(name):
            never_changes = part in (INDEX, unset(part.sort)) or context.is_made_as(name, Hidden.NUMBER)
            return never_changes or name in context.parameters
        case ir.Element(source=name) | ir.Length(sequence=name):
            return name in context.parameters or is_frozen(context, name) or name in context.unnamed_lists
        case _:
            return True


def kept(context: Context, array: ArrayValue, node: Located) -> ArrayValue:
    """The array in a form that stays true when variables change, and that isn't too long to be repeated."""
    is_short = all(builders.is_small(part, MAX_ENTRY) for part in flattening.parts(array))
    if is_short and is_stable(context, array):
        return array
    array = replace(array, length=number(context, array.length, node))
    many = few(array)
    source = _only_source(context, array)
    if is_short and many is None and source is not None and source != array.entry:
        copied = filled(context, ArrayValue(array.length, source), node)
        entry = mapped(array.entry, lambda part: copied.entry if part == source else None)
        return ArrayValue(copied.length, entry, owner=array.owner)
    if many is None or array.noise is not None or array.mask is not None or not _is_written_out(array):
        return replace(filled(context, array, node), owner=array.owner)
    entries = [number(context, at(context, array, builders.integer(place)), node) for place in range(many)]
    return flattening.written_out(entries, array.owner)


def _only_source(context: Context, array: ArrayValue) -> ir.Expression | None:
    """The entry of a list that is all that may change of the entries; None if there is more, or noise."""
    changing = {part for part in ir.subexpressions(array.entry) if not _is_stable(context, part)}
    if array.noise is not None or array.mask is not None or len(changing) != 1:
        return None
    (found,) = changing
    return found if isinstance(found, ir.Element) and found.index == INDEX else None


def number(context: Context, value: ir.Expression, node: Located) -> ir.Expression:
    """A number that the expressions of an array may read: it never changes."""
    if context.is_fixed(value):
        return value
    if isinstance(value, ir.Variable) and context.is_made_as(value.name, Hidden.NUMBER):
        return value
    (saved,) = flattening.expressions(context.save(ScalarValue(value), node, Hidden.NUMBER))
    return saved
