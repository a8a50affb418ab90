"""What a loop over an expression runs over."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    arrays,
    dicts,
    entries,
    fixed_lists,
    matrices,
    record_positions,
    records,
    shapes,
    store,
)
from synth.trusted.frontend.context import Context, Position, is_local
from synth.trusted.frontend.iterations import (
    Body,
    Entry,
    Iterable,
    Iteration,
    Stream,
    backwards,
    exit_label,
    run,
)
from synth.trusted.frontend.ranges import _bound, read_range, steps
from synth.trusted.frontend.values import (
    ArrayValue,
    DictValue,
    EnumValue,
    GeneratorValue,
    LabelValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block, runs_on


def iterable(context: Context, node: ast.expr, mapping: bool = True) -> Iterable:
    """What a loop over an expression runs over; what it needs first is emitted.  Raises ProgramError.

    Without ``mapping`` a dict is refused, of which something else than its keys counts.
    """
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="keys" | "values" | "items" as what), args=[]):
            found = _dict(context, owner)
            if found is not None:
                return of_dict(context, node, found, what)
    if isinstance(node, ast.Call):
        for name, read in _ITERATORS.items():
            if is_builtin(context, node.func, name):
                return read(context, node)
        for name, read in _OF_ITERTOOLS.items():
            if _is_of_itertools(context, node.func, name):
                return read(context, node)
    if isinstance(node, ast.Name) and fixed_lists.is_fixed_list(context, node.id):
        return _fixed(context, node)
    value = context.expression(context, node)
    if isinstance(value, DictValue) and not mapping:
        message = "a dict of counts is not supported here: count a list"
        raise context.error(node, Refusal.UNSUPPORTED_DICT, message)
    if isinstance(value, TupleValue | ListLiteral) and _display(context, value.items) is not None:
        return over(context, node, value)
    return over(context, node, store.materialise(context, value, node))


def _dict(context: Context, node: ast.expr) -> DictValue | None:
    """The dict that an expression is; what another one emits is left out, as it is evaluated again."""
    if isinstance(node, ast.Name):
        found = context.scope.bindings.get(node.id)
    elif isinstance(node, ast.Attribute | ast.Dict) and not node_is_module(context, node):
        with context.nested(True) as emitted:
            found = context.expression(context, node)
        context.body.extend(emitted if isinstance(found, DictValue) else ())
    else:
        found = None
    return found if isinstance(found, DictValue) else None


def node_is_module(context: Context, node: ast.expr) -> bool:
    """Whether an expression is known by the file's imports."""
    return context.module.known(node) is not None and not is_local(context, node)


def of_dict(context: Context, node: ast.expr, whole: DictValue, what: str) -> Iteration:
    """What a loop over the entries of a dict runs over; each is read in its turn."""
    size = len(context.keys_of(whole, node))

    def entry(counter: ir.Expression) -> Value:
        assert isinstance(counter, ir.Constant)
        return list(dicts.pairs_of(context, whole, what, node))[int(counter.value)]

    return _written(size, entry, (whole.place,))


def _written(size: int, entry: Callable[[ir.Expression], Value], lists: tuple[str, ...] = ()) -> Iteration:
    """What a loop runs over that is written out."""
    count = builders.integer(size)
    return Iteration(lambda counter: builders.less(counter, count), entry, count, lists, count, unrolled=size)


def _display(context: Context, items: Sequence[Value]) -> Iteration | None:
    """What a loop over constants runs over, if it is to be written out; None if it isn't."""
    labels = any(isinstance(part, LabelValue) for item in items for part in _parts(item))
    if not items or len(items) > dicts.MOST or not all(map(dicts.is_constant, items)):
        return None
    if not (context.writes_out or (labels and len(items) <= fixed_lists.MOST)):
        return None

    def entry(counter: ir.Expression) -> Value:
        assert isinstance(counter, ir.Constant)
        return items[int(counter.value)]

    return _written(len(items), entry)


def _parts(value: Value) -> Sequence[Value]:
    return value.items if isinstance(value, TupleValue) else (value,)


def _fixed(context: Context, node: ast.Name) -> Iteration:
    """What a loop over a list of a fixed size runs over."""
    items = fixed_lists.read(context, node.id, node).items
    size = builders.integer(len(items))
    local = context.scope.local(node.id)
    assert local is not None

    def entry(counter: ir.Expression) -> Value:
        assert isinstance(counter, ir.Constant)
        return items[int(counter.value)]

    return Iteration(
        lambda counter: builders.less(counter, size), entry, size, (local,), size, unrolled=len(items)
    )


def as_generator(context: Context, node: ast.Call) -> GeneratorValue:
    """A range, or another iterator, for a function that uses it up."""
    found = iterable(context, node)
    value = generator_over(context, node, found)
    if isinstance(found, Iteration) and is_builtin(context, node.func, "range"):
        return replace(value, holds=builders.less(builders.ZERO, found.count), bounds=found.bounds)
    return value


def view(context: Context, node: ast.Call, whole: DictValue, what: str) -> GeneratorValue:
    """What a loop runs over that looks at a dict when it begins, as Python's views do."""

    def run_once(body: Body, label: str) -> tuple[ir.Statement, ...]:
        return run(context, node, node, of_dict(context, node, whole, what), body, label)

    context.keys_of(whole, node)
    return GeneratorValue(run_once, context.number(), context.depth, lists=(whole.place,))


def generator_over(context: Context, node: ast.Call, found: Iterable) -> GeneratorValue:
    """What a loop runs over, for a function that uses it up."""

    def run_once(body: Body, label: str) -> tuple[ir.Statement, ...]:
        return run(context, node, node, found, body, label)

    return GeneratorValue(run_once, context.number(), context.depth, lists=found.lists)


def is_iterator(context: Context, node: ast.Call) -> bool:
    """Whether a call gives what only a loop can run over."""
    return any(is_builtin(context, node.func, name) for name in _ITERATORS) or is_of_itertools(context, node)


def over(context: Context, node: ast.expr, value: Value) -> Iterable:
    """What a loop over a value runs over.  Raises ProgramError."""
    match value:
        case ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            name, sort = parameter.name, parameter.sort
            length = ir.Length(name)
            return Iteration(
                lambda counter: builders.less(counter, length),
                lambda counter: ScalarValue(ir.Read(name, (counter,), sort)),
                length,
                size=length,
            )
        case ListValue(name):
            length = ir.Length(name)
            return Iteration(
                lambda counter: builders.less(counter, length),
                lambda counter: entries.entry(context, node, name, counter),
                length,
                (name,),
                length,
            )
        case ArrayValue():
            return _entries(context, node, value)
        case MatrixValue():
            return _rows(context, node, value)
        case EnumValue():
            return over(context, node, TupleValue(value.members))
        case DictValue():
            return of_dict(context, node, value, "keys")
        case TupleValue(items) | ListLiteral(items) if (found := _display(context, items)) is not None:
            return found
        case TupleValue(items) | ListLiteral(items):
            return over(context, node, store.materialise(context, ListLiteral(items), node))
        case RecordsValue():
            return _records(context, node, value, partial(records.entry, value))
        case GeneratorValue(bounds=(start, stop)):  # a range, which may be run over again
            return steps(context, start, stop, 1)
        case GeneratorValue():
            return _begun(context, node, value)
        case _:
            kind = shapes.describe_value(value)
            raise context.error(node, Refusal.UNSUPPORTED_LOOP, f"a loop over {kind} is not supported")


def _entries(context: Context, node: ast.expr, value: ArrayValue) -> Iterable:
    """What a loop over an array runs over; those over selected entries skip the others."""
    array = arrays.kept(context, value, node)
    all_entries = Iteration(
        lambda counter: builders.less(counter, array.length),
        lambda counter: ScalarValue(arrays.at(context, array, counter)),
        context.natural(array.length),
        (value.owner,) if value.owner else (),
        array.length,
    )
    if array.mask is None:
        return all_entries
    span = context.source.span(node)
    numbered = replace(all_entries, entry=lambda counter: ScalarValue(counter))

    def selected(body: Body, label: str) -> tuple[ir.Statement, ...]:
        def each(number: Entry) -> None:
            counter = context.scalar(number(), node)
            with arrays.where(context, array, counter, span):
                body(partial(all_entries.entry, counter))

        return run(context, node, node, numbered, each, label)

    return Stream(selected)


def _rows(context: Context, node: ast.expr, value: MatrixValue) -> Iteration:
    """What a loop over an array of two dimensions runs over."""
    matrix = replace(value, flat=arrays.kept(context, value.flat, node))
    return Iteration(
        lambda counter: builders.less(counter, matrix.rows),
        lambda counter: matrices.row(context, node, matrix, counter),
        context.natural(matrix.rows),
        (value.flat.owner,) if value.flat.owner else (),
        matrix.rows,
    )


def _records(
    context: Context, node: ast.expr, value: RecordsValue, entry: Callable[[ir.Expression], Value]
) -> Iterable:
    """What a loop over records runs over; those that are missing are skipped."""
    places, present = records.places(value), records.presence(value)
    all_records = Iteration(
        lambda counter: builders.less(counter, places),
        entry,
        places,
        size=places,
    )
    if present is None:
        return all_records
    span = context.source.span(node)
    numbered = replace(all_records, entry=lambda counter: ScalarValue(counter))

    def existing(body: Body, label: str) -> tuple[ir.Statement, ...]:
        def each(number: Entry) -> None:
            counter = context.scalar(number(), node)
            with context.nested() as inside:
                body(partial(all_records.entry, counter))
            if inside:
                context.emit(ir.If(0, present(counter), tuple(inside), (), span))

        return run(context, node, node, numbered, each, label)

    return Stream(existing, lasting=True)


def _begun(context: Context, node: ast.expr, generator: GeneratorValue) -> Stream:
    """The loops of a generator, which only one loop may run over, and only once."""
    if generator.number in context.begun:
        message = "a generator is used up by the first loop over it: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    if generator.depth != context.depth:
        message = "a loop over a generator inside of another loop is not supported: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    context.begun.add(generator.number)

    def run(body: Body, label: str) -> tuple[ir.Statement, ...]:
        context.used_up.add(generator.number)
        return generator.run(body, label)

    return Stream(run, generator.lists)


def is_of_itertools(context: Context, node: ast.Call) -> bool:
    """Whether a call makes an iterator of which the loops are made here."""
    return any(_is_of_itertools(context, node.func, name) for name in _OF_ITERTOOLS)


def _is_of_itertools(context: Context, node: ast.expr, name: str) -> bool:
    return context.module.known(node) == Known(Role.STUB, f"itertools.{name}") and not is_local(context, node)


def is_builtin(context: Context, node: ast.expr, name: str) -> bool:
    known = context.module.known(node)
    return known == Known(Role.FUNCTION, name) and not is_local(context, node)


@contextmanager
def _unchanged(context: Context, node: ast.expr, before: Sequence[Iterable]) -> Iterator[None]:
    """Read an argument that may not change the lists of iterators before it, which know their lengths."""
    start = len(context.changed_lists)
    yield
    context.check_unchanged(node, (name for part in before for name in part.lists), start)


def _enumerate(context: Context, node: ast.Call) -> Iterable:
    bound = arguments.bind(context.source, node, "enumerate", ("iterable", "start"), optional=("start",))
    start: ir.Expression = builders.ZERO
    before: list[Iterable] = []
    for name, argument in bound.items():  # in the order of the call
        if name == "start":
            with _unchanged(context, argument, before):
                start = _bound(context, argument, "start")
        else:
            inner = iterable(context, argument)
            before = [inner]
    if isinstance(inner, Stream):
        return _numbered(context, node, inner, start)
    entries = inner.entry

    def entry(counter: ir.Expression) -> Value:
        position = ScalarValue(builders.add(start, counter))
        return TupleValue((position, entries(counter)))

    return replace(inner, entry=entry, size=None)


def _numbered(context: Context, node: ast.Call, stream: Stream, start: ir.Expression) -> Stream:
    """``enumerate`` around a generator."""
    number = ir.Variable(context.temporary("number"), ir.Sort.INT)
    span = context.source.span(node)

    def run(body: Body, label: str) -> tuple[ir.Statement, ...]:
        def numbered(entry: Entry) -> None:
            body(lambda: TupleValue((ScalarValue(number), entry())))
            if runs_on(context.body):
                context.emit(ir.Assign(number.name, builders.add(number, builders.ONE), span))

        context.emit(ir.Assign(number.name, start, span))
        return stream.run(numbered, label)

    return Stream(run, stream.lists)


def _beside(lists: Sequence[RecordsValue], index: ir.Expression) -> TupleValue:
    return TupleValue(tuple(records.entry(item, index) for item in lists))


def _together(context: Context, node: ast.Call) -> list[RecordsValue]:
    """The parameters that ``zip`` runs over, if records are missing in all of them at once; else none."""
    if not all(isinstance(argument, ast.Name) for argument in node.args):
        return []
    found = [context.expression(context, argument) for argument in node.args]
    lists = [item for item in found if isinstance(item, RecordsValue) and item.present is not None]
    return lists if len(lists) == len(found) and len({item.present for item in lists}) == 1 else []


def _zip(context: Context, node: ast.Call) -> Iterable:
    """``zip``, which ends with the shortest; all that it runs over is evaluated first."""
    strict = _is_strict(context, node)
    if not node.args or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, "'zip' of what isn't listed is not supported")
    together = _together(context, node)
    if together:
        return _records(context, node, together[0], lambda counter: _beside(together, counter))
    parts: list[Iteration] = []
    for argument in node.args:
        with _unchanged(context, argument, parts):
            part = _counted(context, argument, "zip")
        parts.append(part)
    counts = list(dict.fromkeys(part.count for part in parts))
    count = counts[0]
    for other in counts[1:]:
        if strict:
            same = builders.equal(count, other)
            context.require("domain", same, "zip with strict=True over different lengths", node)
        else:
            count = builders.arithmetic(ir.Operator.MINIMUM, count, other)
    steps = parts[:1] if strict else parts

    def going(counter: ir.Expression) -> ir.Expression:
        return builders.both(*dict.fromkeys(part.going(counter) for part in steps))

    def entry(counter: ir.Expression) -> Value:
        return TupleValue(tuple(part.entry(counter) for part in parts))

    copies = [part.unrolled for part in parts if part.unrolled is not None]
    unrolled = min(copies) if copies else None
    lists = tuple(name for part in parts for name in part.lists)
    return Iteration(going, entry, count, lists, unrolled=unrolled)


def _range(context: Context, node: ast.Call) -> Iterable:
    counted = record_positions.counted(context, node)
    return read_range(context, node) if counted is None else _positions(context, node, counted)


def _positions(context: Context, node: ast.Call, value: RecordsValue) -> Stream:
    """What a loop over the positions of records runs over: of each, how many were there before."""
    number = ir.Variable(context.temporary("number"), ir.Sort.INT)
    span = context.source.span(node)
    assert value.present is not None
    present = value.present.name

    def position(counter: ir.Expression) -> Value:
        context.positions[number.name] = Position(number.name, present, counter)
        return ScalarValue(number)

    stream = _records(context, node, value, position)
    assert isinstance(stream, Stream)

    def run(body: Body, label: str) -> tuple[ir.Statement, ...]:
        def counted(entry: Entry) -> None:
            body(entry)
            record_positions.forget(context, number.name)
            if runs_on(context.body):
                context.emit(ir.Assign(number.name, builders.add(number, builders.ONE), span))

        context.emit(ir.Assign(number.name, builders.ZERO, span))
        return stream.run(counted, label)

    return Stream(run, stream.lists)


def _parts_of(context: Context, node: ast.Call, what: str) -> list[Iterable]:
    """What ``chain`` or ``product`` is made of; no generators, which are evaluated when they are come to."""
    if node.keywords or not node.args or any(isinstance(item, ast.Starred) for item in node.args):
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, f"'{what}' of what isn't listed is not supported")
    parts: list[Iterable] = []
    for argument in node.args:
        with _unchanged(context, argument, parts):
            part = iterable(context, argument)
        if isinstance(part, Stream) and not part.lasting:
            message = f"a generator in '{what}' is not supported: use a list"
            raise context.error(argument, Refusal.UNSUPPORTED_LOOP, message)
        parts.append(part)
    return parts


def _chain(context: Context, node: ast.Call) -> Stream:
    """``itertools.chain``: one loop after the other; none of the lists changes before the last one ends."""
    parts = _parts_of(context, node, "chain")
    lists = tuple(name for part in parts for name in part.lists)

    def run_all(body: Body, label: str) -> tuple[ir.Statement, ...]:
        outer = context.iterating
        context.iterating = [*outer, *lists]
        with context.nested() as loops:
            for part in parts[:-1]:
                end = exit_label(context)
                context.body.extend(finish_block(end, run(context, node, node, part, body, end)))
            context.body.extend(run(context, node, node, parts[-1], body, label))
        context.iterating = outer
        return tuple(loops)

    return Stream(run_all, lists, lasting=True)


def _product(context: Context, node: ast.Call) -> Iterable:
    """``itertools.product``: loops within loops; written out where keys of dicts are."""
    parts = _parts_of(context, node, "product")
    if any(isinstance(part, Iteration) and part.unrolled is not None and part.lists for part in parts):
        message = (
            "'product' of a dict, or of a list that the program changes, is not supported: use nested loops"
        )
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    written = _combined(parts)
    if written is not None and context.writes_out:
        return written

    def run_inner(before: tuple[Entry, ...], body: Body, label: str) -> tuple[ir.Statement, ...]:
        part = parts[len(before)]
        if len(before) + 1 == len(parts):
            return run(context, node, node, part, lambda last: body(_tuple_of((*before, last))), label)

        def each(entry: Entry) -> None:
            end = exit_label(context)
            context.body.extend(finish_block(end, run_inner((*before, entry), body, end)))

        return run(context, node, node, part, each, label)

    lists = tuple(name for part in parts for name in part.lists)
    return Stream(partial(run_inner, ()), lists, lasting=True)


def _tuple_of(entries: Sequence[Entry]) -> Entry:
    return lambda: TupleValue(tuple(entry() for entry in entries))


def _combined(parts: Sequence[Iterable]) -> Iteration | None:
    """All combinations of a number of entries that is known, and small, the last part moving fastest."""
    counted = [part for part in parts if isinstance(part, Iteration)]
    counts = [int(part.count.value) for part in counted if isinstance(part.count, ir.Constant)]
    if len(counts) < len(parts) or math.prod(counts) > dicts.MOST:
        return None
    places = list(itertools.product(*map(range, counts)))

    def entry(counter: ir.Expression) -> Value:
        assert isinstance(counter, ir.Constant)
        chosen = zip(counted, places[int(counter.value)], strict=True)
        return TupleValue(tuple(part.entry(builders.integer(place)) for part, place in chosen))

    return _written(len(places), entry, tuple(name for part in counted for name in part.lists))


def _is_strict(context: Context, node: ast.Call) -> bool:
    match node.keywords:
        case []:
            return False
        case [ast.keyword(arg="strict", value=ast.Constant(value=bool(strict)))]:
            return strict
        case _:
            message = "'zip' takes only 'strict', True or False, by name"
            raise context.error(node.keywords[0], Refusal.WRONG_CALL, message)


def _reversed(context: Context, node: ast.Call) -> Iteration:
    (argument,) = arguments.positional(context.source, node, "reversed", 1, 1)
    inner = _counted(context, argument, "reversed")
    if inner.size is None:
        raise context.error(argument, Refusal.UNSUPPORTED_LOOP, "this can't be reversed: use a list")
    return replace(backwards(inner, inner.size), size=None)


def _counted(context: Context, node: ast.expr, what: str) -> Iteration:
    found = iterable(context, node)
    if isinstance(found, Stream):
        message = f"a generator in '{what}' is not supported: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    return found


_ITERATORS: dict[str, Callable[[Context, ast.Call], Iterable]] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
}
_OF_ITERTOOLS: dict[str, Callable[[Context, ast.Call], Iterable]] = {"chain": _chain, "product": _product}
