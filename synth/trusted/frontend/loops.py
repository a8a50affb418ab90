"""Loops: ``while`` and ``for`` as endless loops that an exit leaves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    arguments,
    array_changes,
    arrays,
    dicts,
    element_loops,
    entries,
    fixed_lists,
    matrices,
    records,
    store,
    targets,
    values,
)
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.scoping import own_names
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

Test = Callable[[Context, ast.expr], ir.Expression]
Entry = Callable[[], Value]
Body = Callable[[Entry], None]
"""Emits what is done with an entry, which may not be known yet (UnresolvedError)."""


@dataclass(frozen=True)
class Iteration:
    """What a loop runs over, by the counter of the iterations done.

    ``going`` says whether another one follows, ``entry`` gives its value; ``count`` is their
    number at the most, and unless the loop is left.  ``lists`` are the local lists that are read.  Where
    there is a ``size``, it is the number of iterations, if there are any; else Python can't reverse it.
    ``bounds`` are those of a range with the step 1.  A loop that is ``unrolled`` is written out, with so many
    copies of its body.
    """

    going: Callable[[ir.Expression], ir.Expression]
    entry: Callable[[ir.Expression], Value]
    count: ir.Expression
    lists: tuple[str, ...] = ()
    size: ir.Expression | None = None
    bounds: tuple[ir.Expression, ir.Expression] | None = None
    unrolled: int | None = None


@dataclass(frozen=True)
class Stream:
    """What a loop runs over, as loops that take the body into them; they read these local ``lists``."""

    run: Callable[[Body, str], tuple[ir.Statement, ...]]
    lists: tuple[str, ...] = ()


Iterable = Iteration | Stream


def while_loop(context: Context, node: ast.While, test: Test) -> None:
    """``while test: ...``"""
    labels = _labels(context)
    with context.nested() as inside, _deeper(context):
        going = test(context, node.test)
        _leave_unless(context, going, _exit_label(node, labels), node)
        _body(context, node, labels)
    _finish(context, node, (ir.Loop(0, tuple(inside), context.source.span(node)),), labels)


def for_loop(context: Context, node: ast.For) -> None:
    """``for target in ...: ...``"""
    with context.writing_out(dicts.mentioned(context, node.body)):
        found = _iterable_or_none(context, node)
    iterable = written_out(context, found, node.body)
    labels = _labels(context)
    read = iterable.lists if isinstance(iterable, Iteration) else ()
    cells = element_loops.begin(context, node, _indices(context, node, iterable), labels[0], read)

    def each(entry: Entry) -> None:
        unrolled = isinstance(iterable, Iteration) and iterable.unrolled is not None
        value = _assign_target(context, node, entry, unrolled)
        if value is not None:
            element_loops.enter(context, cells, _first(value), node)
        _body(context, node, labels, unrolled and _runs_through(node))
        if runs_on(context.body):
            element_loops.leave(context, cells, node)

    loop = run(context, node, node.target, iterable, each, _exit_label(node, labels))
    _finish(context, node, loop, labels)
    element_loops.finish(context, node, cells)


def _first(value: Value) -> Value:
    """The number of an iteration over a range or an enumeration."""
    return value.items[0] if isinstance(value, TupleValue) else value


def _indices(
    context: Context, node: ast.For, iterable: Iterable
) -> tuple[ir.Expression, ir.Expression] | None:
    """The bounds of the numbers that a loop over ``range`` or ``enumerate`` counts; None of another one."""
    if isinstance(iterable, Iteration) and isinstance(node.iter, ast.Call):
        if _is_builtin(context, node.iter.func, "range"):
            return iterable.bounds
        if _is_builtin(context, node.iter.func, "enumerate"):
            return builders.ZERO, iterable.count
    return None


def run(
    context: Context, node: ast.stmt | ast.expr, target: ast.expr, iterable: Iterable, body: Body, label: str
) -> tuple[ir.Statement, ...]:
    """The loops over something; what comes before them is emitted.  Their end leaves the label."""
    if isinstance(iterable, Stream):
        return iterable.run(body, label)
    if iterable.unrolled is not None:
        return _unrolled(context, node, iterable, iterable.unrolled, body, label)
    name = target.id if isinstance(target, ast.Name) else "loop"
    counter = context.temporary(context.scope.prefix + name)
    variable = ir.Variable(counter, ir.Sort.INT)
    span = context.source.span(node)
    context.emit(ir.Assign(counter, builders.ZERO, span))
    with context.nested() as inside, _deeper(context, iterable.lists):
        _leave_unless(context, iterable.going(variable), label, node)
        body(partial(iterable.entry, variable))
        if runs_on(context.body):
            context.emit(ir.Assign(counter, builders.add(variable, builders.ONE), span))
    return (ir.Loop(0, tuple(inside), span, counter, iterable.count),)


def _unrolled(
    context: Context, node: ast.stmt | ast.expr, iteration: Iteration, times: int, body: Body, label: str
) -> tuple[ir.Statement, ...]:
    outer = context.known
    context.known = dict(outer)
    straight = _runs_through(node) and isinstance(iteration.count, ir.Constant)
    with context.nested(straight) as copies, _deeper(context, iteration.lists):
        for place in map(builders.integer, range(times)):
            if runs_on(context.body):
                _leave_unless(context, iteration.going(place), label, node)
                body(partial(iteration.entry, place))
                context.known = dict(outer)
        if runs_on(context.body):
            context.exit(label, node)
    context.known = outer
    return tuple(copies)


def remember(context: Context, target: ast.expr, value: Value, own: bool = False) -> None:
    """Let a target of a loop that is written out stand for its number, until the next copy of the body.

    It must be assigned nowhere else; ``own`` says that it is a variable of a comprehension.
    """
    match target, value:
        case (
            ast.Name(id=name),
            (ScalarValue(ir.Constant() as number) | LabelValue(code=ir.Constant() as number)),
        ):
            local = context.scope.local(name)
            if local is not None and (own or _stored_once(context, name)):
                context.known[local] = number
        case ast.Tuple(elts=targets), TupleValue(items):
            for part, item in zip(targets, items, strict=True):
                remember(context, part, item, own)


def _stored_once(context: Context, name: str) -> bool:
    function = context.scope.function
    assert function is not None
    parts = list(ast.walk(function.node))
    inner = {id(part) for node in parts for part in own_names(node)}
    names = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    return sum(not isinstance(part.ctx, ast.Load) and id(part) not in inner for part in names) == 1


def written_out(context: Context, iterable: Iterable, nodes: Sequence[ast.AST]) -> Iterable:
    """The same, unrolled if few entries of lists of a fixed size are read or changed in the body."""
    match iterable:
        case Iteration(count=ir.Constant(value=count), unrolled=None) if 0 < count <= fixed_lists.MOST:
            if fixed_lists.mentioned(context, nodes) or dicts.mentioned(context, nodes):
                return replace(iterable, unrolled=int(count))
    return iterable


def exit_label(context: Context) -> str:
    """A label for the end of a loop."""
    return f"break%{context.number()}"


@contextmanager
def _deeper(context: Context, lists: tuple[str, ...] = ()) -> Iterator[None]:
    """Inside of one more loop, which runs over these lists."""
    outer = context.iterating
    context.iterating = [*outer, *lists]
    context.depth += 1
    context.loops += 1
    context.around.append(context.loops)
    try:
        yield
    finally:
        context.iterating = outer
        context.depth -= 1
        context.around.pop()


def _labels(context: Context) -> tuple[str, str, str]:
    number = context.number()
    return f"break%{number}", f"continue%{number}", f"else%{number}"


def _exit_label(node: ast.For | ast.While, labels: tuple[str, str, str]) -> str:
    return labels[2] if node.orelse else labels[0]


def _leave_unless(context: Context, going: ir.Expression, label: str, node: ast.stmt | ast.expr) -> None:
    if going != builders.TRUE:
        span = context.source.span(node)
        context.emit(ir.If(0, builders.negate(going), (ir.Exit(label, span),), (), span))


def _runs_through(node: ast.stmt | ast.expr) -> bool:
    """Whether nothing leaves a loop, or an iteration of it, early."""
    leaving = (ast.Break, ast.Continue, ast.Return)
    return isinstance(node, ast.For) and not any(isinstance(part, leaving) for part in ast.walk(node))


def _body(
    context: Context, node: ast.For | ast.While, labels: tuple[str, str, str], straight: bool = False
) -> None:
    context.scope.loops.append(labels[:2])
    with context.nested(straight) as body:
        context.execute(context, node.body)
    context.scope.loops.pop()
    context.body.extend(finish_block(labels[1], body))


def _finish(
    context: Context, node: ast.For | ast.While, body: tuple[ir.Statement, ...], labels: tuple[str, str, str]
) -> None:
    if node.orelse:
        with context.nested() as after:
            context.body.extend(finish_block(labels[2], body))
            context.execute(context, node.orelse)
        body = tuple(after)
    context.body.extend(finish_block(labels[0], body))


def _assign_target(context: Context, node: ast.For, entry: Entry, unrolled: bool) -> Value | None:
    """Assign an entry to the target; None if there is something in the way."""
    try:
        value = entry()
        if isinstance(value, ArrayValue) and _is_only_read(context, node, value):
            value = replace(value, owner="")
        targets.assign(context, node.target, value)
        if unrolled:
            remember(context, node.target, value)
        return value
    except UnresolvedError as unresolved:
        context.unresolved.append(unresolved.error)
    except ProgramError as error:
        context.hinder(error)
    return None


def _is_only_read(context: Context, node: ast.For, row: ArrayValue) -> bool:
    """Whether rows that a loop runs over are used in it only, and neither they nor the array change there."""
    function, target = context.scope.function, node.target
    if function is None or not isinstance(target, ast.Name):
        return False
    owner = row.owner.removeprefix(context.scope.prefix)
    uses, inside = (
        sum(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(tree))
        for tree in (function.node, node)
    )
    changed = array_changes.is_changed_in_place(function, target.id) or any(
        array_changes.changes(node, owner)
    )
    return uses == inside and not changed


def collect(context: Context, node: ast.expr, iterable: Iterable) -> Value:
    """A new list of what a loop runs over."""
    name = context.temporary("list")
    store.make_list(context, name, (), node)
    copy_into(context, name, node, iterable)
    return ListValue(name, fresh=True)


def copy_into(context: Context, name: str, node: ast.expr, iterable: Iterable) -> None:
    """Append what a loop runs over to a list."""
    end = exit_label(context)

    def each(entry: Entry) -> None:
        store.append(context, name, entry(), node)

    emitted = run(context, node, node, iterable, each, end)
    context.body.extend(finish_block(end, emitted))


# --- what a loop runs over --------------------------------------------------------------


def _iterable_or_none(context: Context, node: ast.For) -> Iterable:
    try:
        return iterable(context, node.iter)
    except UnresolvedError as unresolved:
        error = unresolved.error
        context.unresolved.append(error)
    except ProgramError as obstacle:
        error = obstacle
        context.hinder(error)

    def unknown(counter: ir.Expression) -> Value:
        raise UnresolvedError(error)

    return Iteration(lambda counter: builders.FALSE, unknown, builders.ZERO)


def iterable(context: Context, node: ast.expr) -> Iterable:
    """What a loop over an expression runs over; what it needs first is emitted.  Raises ProgramError."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="keys" | "values" | "items" as what), args=[]):
            found = _dict(context, owner)
            if found is not None:
                return of_dict(context, node, found, what)
    if isinstance(node, ast.Call):
        for name, read in _ITERATORS.items():
            if _is_builtin(context, node.func, name):
                return read(context, node)
    if isinstance(node, ast.Name) and fixed_lists.is_fixed_list(context, node.id):
        return _fixed(context, node)
    value = context.expression(context, node)
    if isinstance(value, TupleValue | ListLiteral) and _display(context, value.items) is not None:
        return over(context, node, value)
    return over(context, node, store.materialise(context, value, node))


def _dict(context: Context, node: ast.expr) -> DictValue | None:
    """The dict that an expression is, without evaluating another one."""
    if isinstance(node, ast.Name):
        found = context.scope.bindings.get(node.id)
    elif isinstance(node, ast.Attribute | ast.Dict) and not node_is_module(context, node):
        found = context.expression(context, node)
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
    if isinstance(found, Iteration) and _is_builtin(context, node.func, "range"):
        return replace(value, holds=builders.less(builders.ZERO, found.count), bounds=found.bounds)
    return value


def generator_over(context: Context, node: ast.Call, found: Iterable) -> GeneratorValue:
    """What a loop runs over, for a function that uses it up."""

    def run_once(body: Body, label: str) -> tuple[ir.Statement, ...]:
        return run(context, node, node, found, body, label)

    return GeneratorValue(run_once, context.number(), context.depth, lists=found.lists)


def is_iterator(context: Context, node: ast.Call) -> bool:
    """Whether a call gives what only a loop can run over."""
    return any(_is_builtin(context, node.func, name) for name in _ITERATORS)


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
            return _records(context, node, value)
        case GeneratorValue():
            return _begun(context, node, value)
        case _:
            kind = values.describe_value(value)
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


def _records(context: Context, node: ast.expr, value: RecordsValue) -> Iterable:
    """What a loop over records runs over; those that are missing are skipped."""
    places, present = records.places(value), records.presence(value)
    all_records = Iteration(
        lambda counter: builders.less(counter, places),
        lambda counter: records.entry(value, counter),
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

    return Stream(existing)


def _begun(context: Context, node: ast.expr, generator: GeneratorValue) -> Stream:
    """The loops of a generator, which only one loop may run over, and only once."""
    if generator.number in context.begun:
        message = "a generator is used up by the first loop over it: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    if generator.depth != context.depth:
        message = "a loop over a generator inside of another loop is not supported: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    context.begun.add(generator.number)
    return Stream(generator.run, generator.lists)


def _is_builtin(context: Context, node: ast.expr, name: str) -> bool:
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


def _zip(context: Context, node: ast.Call) -> Iteration:
    """``zip``, which ends with the shortest; all that it runs over is evaluated first."""
    strict = _is_strict(context, node)
    if not node.args or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, "'zip' of what isn't listed is not supported")
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


def backwards(inner: Iteration, size: ir.Expression) -> Iteration:
    """The same entries, the last one first; ``size`` is their number."""

    def entry(counter: ir.Expression) -> Value:
        return inner.entry(builders.subtract(builders.subtract(size, builders.ONE), counter))

    return replace(inner, entry=entry)


def _counted(context: Context, node: ast.expr, what: str) -> Iteration:
    found = iterable(context, node)
    if isinstance(found, Stream):
        message = f"a generator in '{what}' is not supported: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    return found


def _range(context: Context, node: ast.Call) -> Iterable:
    nodes = arguments.positional(context.source, node, "range", 1, 3)
    start: ir.Expression = builders.ZERO
    if len(nodes) > 1:
        start = _bound(context, nodes[0], "start")
    stop = _bound(context, nodes[min(1, len(nodes) - 1)], "stop")
    stride = step(context, nodes[2], "the step of a range") if len(nodes) > 2 else 1
    return steps(context, start, stop, stride)


def _bound(context: Context, node: ast.expr, stem: str) -> ir.Expression:
    """A bound of a range: evaluated once, before the loop."""
    return end(context, ScalarValue(context.integer(node, "a bound of a range")), node, stem)


def end(context: Context, value: ScalarValue, node: ast.expr, stem: str) -> ir.Expression:
    """How far a loop goes, which must be public; a name for it if it may change."""
    bound = value.expression
    span = context.source.span(node)
    context.public.append((bound, span, Refusal.PRIVATE_LOOP_BOUND, "private data in a loop bound"))
    if context.is_fixed(bound):
        return bound
    (saved,) = values.expressions(context.save(ScalarValue(bound), node, stem))
    return saved


def step(context: Context, node: ast.expr, what: str) -> int:
    """A step, which must be a nonzero constant.  Raises ProgramError."""
    found = context.integer(node, what)
    if not isinstance(found, ir.Constant) or found.value == 0:
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, f"{what} must be a nonzero constant")
    return int(found.value)


def steps(context: Context, start: ir.Expression, stop: ir.Expression, step: int) -> Iteration:
    """The numbers from one to another one, which is left out."""

    def entry(counter: ir.Expression) -> ir.Expression:
        distance = builders.arithmetic(ir.Operator.MULTIPLY, builders.integer(abs(step)), counter)
        if step in (1, -1):
            distance = counter
        return builders.add(start, distance) if step > 0 else builders.subtract(start, distance)

    def going(counter: ir.Expression) -> ir.Expression:
        if step == 1:
            return builders.less(counter, builders.subtract(stop, start))
        if step > 0:
            return builders.less(entry(counter), stop)
        return builders.less(stop, entry(counter))

    span = builders.subtract(stop, start) if step > 0 else builders.subtract(start, stop)
    count = _count(context, span, abs(step))
    size = span if step in (1, -1) else count
    bounds = (start, stop) if step == 1 else None
    return Iteration(going, lambda counter: ScalarValue(entry(counter)), count, size=size, bounds=bounds)


def _count(context: Context, distance: ir.Expression, step: int) -> ir.Expression:
    """How many steps fit into a distance; none if it is negative."""
    if step > 1:
        padded = builders.add(distance, builders.integer(step - 1))
        operands = (padded, builders.integer(step))
        distance = ir.Operation(ir.Operator.FLOOR_DIVIDE, operands, ir.Sort.INT)
    return context.natural(distance)


_ITERATORS: dict[str, Callable[[Context, ast.Call], Iterable]] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
}
