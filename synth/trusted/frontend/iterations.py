"""Loops over what has a counter: as endless loops that an exit leaves, or written out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from synth.trusted.frontend import dicts, fixed_lists
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.scoping import own_names
from synth.trusted.frontend.values import LabelValue, ScalarValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import runs_on

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
    """What a loop runs over, as loops that take the body into them; they read these local ``lists``.

    What is ``lasting`` may be run over later, and again; of a generator that is seen when it is begun.
    """

    run: Callable[[Body, str], tuple[ir.Statement, ...]]
    lists: tuple[str, ...] = ()
    lasting: bool = False


Iterable = Iteration | Stream


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
    with context.nested() as inside, deeper(context, iterable.lists):
        leave_unless(context, iterable.going(variable), label, node)
        body(partial(iterable.entry, variable))
        if runs_on(context.body):
            context.emit(ir.Assign(counter, builders.add(variable, builders.ONE), span))
    return (ir.Loop(0, tuple(inside), span, counter, iterable.count),)


def _unrolled(
    context: Context, node: ast.stmt | ast.expr, iteration: Iteration, times: int, body: Body, label: str
) -> tuple[ir.Statement, ...]:
    outer = context.known
    context.known = dict(outer)
    straight = runs_through(node) and isinstance(iteration.count, ir.Constant)
    with context.nested(straight) as copies, deeper(context, iteration.lists):
        for place in map(builders.integer, range(times)):
            if runs_on(context.body):
                leave_unless(context, iteration.going(place), label, node)
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
        case ast.Name(id=name), (ScalarValue() | LabelValue() | TupleValue()):
            local = context.scope.local(name)
            if local is not None and (own or _stored_once(context, name)):
                parts = enumerate(value.items) if isinstance(value, TupleValue) else ()
                named = {local: value, **{f"{local}.{place}": item for place, item in parts}}
                numbers = ((part, _code(item)) for part, item in named.items())
                context.known |= {part: code for part, code in numbers if isinstance(code, ir.Constant)}
        case ast.Tuple(elts=targets), TupleValue(items):
            for part, item in zip(targets, items, strict=True):
                remember(context, part, item, own)


def _code(value: Value) -> ir.Expression | None:
    """The number that a scalar or a label is."""
    match value:
        case ScalarValue(number) | LabelValue(code=number):
            return number
        case _:
            return None


def _stored_once(context: Context, name: str) -> bool:
    function = context.scope.function
    assert function is not None
    parts = list(ast.walk(function.node))
    inner = {id(part) for node in parts for part in own_names(node)}
    names = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    return sum(not isinstance(part.ctx, ast.Load) and id(part) not in inner for part in names) == 1


def written_out(context: Context, iterable: Iterable, nodes: Sequence[ast.AST]) -> Iterable:
    """The same, unrolled if the body has few entries of lists of a fixed size, or ``2 ** level``."""
    match iterable:
        case Iteration(count=ir.Constant(value=count), unrolled=None) if 0 < count <= fixed_lists.MOST:
            parts = [part for node in nodes for part in ast.walk(node)]
            named = fixed_lists.mentioned(context, nodes) or dicts.mentioned(context, nodes)
            if named or any(map(_is_power_of_integer, parts)):
                return replace(iterable, unrolled=int(count))
    return iterable


def _is_power_of_integer(node: ast.AST) -> bool:
    """Whether it is ``2 ** level``, ``1 << level`` or ``x >> level``: integers where the level is known."""
    match node:
        case (
            ast.BinOp(left=ast.Constant(value=int()), op=ast.Pow(), right=exponent)
            | ast.BinOp(op=ast.LShift() | ast.RShift(), right=exponent)
        ):
            return any(isinstance(part, ast.Name) for part in ast.walk(exponent))
        case _:
            return False


def exit_label(context: Context) -> str:
    """A label for the end of a loop."""
    return f"break%{context.number()}"


@contextmanager
def deeper(context: Context, lists: tuple[str, ...] = ()) -> Iterator[None]:
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


def leave_unless(context: Context, going: ir.Expression, label: str, node: ast.stmt | ast.expr) -> None:
    if going != builders.TRUE:
        span = context.source.span(node)
        context.emit(ir.If(0, builders.negate(going), (ir.Exit(label, span),), (), span))


def runs_through(node: ast.stmt | ast.expr) -> bool:
    """Whether nothing leaves a loop, or an iteration of it, early."""
    leaving = (ast.Break, ast.Continue, ast.Return)
    return isinstance(node, ast.For) and not any(isinstance(part, leaving) for part in ast.walk(node))


def backwards(inner: Iteration, size: ir.Expression) -> Iteration:
    """The same entries, the last one first; ``size`` is their number."""

    def entry(counter: ir.Expression) -> Value:
        return inner.entry(builders.subtract(builders.subtract(size, builders.ONE), counter))

    return replace(inner, entry=entry)
