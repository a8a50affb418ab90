"""``print``, ``logging`` and ``warnings``: what is shown there must be public, or returned anyway.

Then it is dropped.  A print is read as an assertion of what always holds, about all that is shown: so what
decides whether it is reached, and what it shows, is followed like what decides a raise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    array_types,
    caught,
    dict_displays,
    flattening,
    null_divisors,
    published_prints,
    raising,
    shapes,
    values,
    vocabulary,
)
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import Value
from synth.trusted.frontend.vocabulary import Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks

MESSAGE = "private data or noise are printed: return them instead, or leave the print out"

_REPR = re.compile(r"%(\([^)]*\))?[-#0 +*.\dhlL]*[ra]")
"""What shows a repr in a text with ``%``."""

_MEMBER = re.compile(r"\{[^{}:!]*[.\[]")
"""What shows an attribute or an entry in a text with ``{}``."""


def is_print(context: Context, node: ast.Call) -> bool:
    """Whether a call only shows its arguments to somebody."""
    if is_local(context, node.func) or context.module.obstacle(node.func) is not None:
        return False
    known = context.module.known(node.func)
    return known is not None and known.role is Role.SHOWING


def logger(context: Context, node: ast.Call) -> Value:
    """``logging.getLogger(…)``, with a name that is the same whatever the data are: it is shown."""
    caught.check_unread(context, node, "a logger's name")
    names = [_fixed(context, item) for item in node.args]
    if node.keywords or None in names:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, "this logger is not supported")
    return values.LoggerValue(f"{context.source.path}: {names}")


def _fixed(context: Context, node: ast.expr) -> str | None:
    """What a name is that evidently says nothing, as ``self.__class__.__name__``; None for others."""
    match node:
        case ast.Constant(value=str(text)):
            return repr(text)
        case ast.Name(id="__name__") if not is_local(context, node):
            return "__name__"
        case ast.Attribute(ast.Attribute(ast.Name() as owner, "__class__"), "__name__"):
            value = context.expression(context, owner)
            return value.kind.name if isinstance(value, values.ObjectValue) else None
        case _:
            return None


def note(context: Context, node: ast.Call) -> None:
    """Read what is shown, and remember it.  Raises ProgramError."""
    caught.check_unread(context, node, "how this is shown")
    given = (*node.args, *(word.value for word in node.keywords))
    texts = [item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    made = [item for item in node.args[:-1] if not isinstance(item, ast.Constant)]
    in_made = [getattr(part, "value", None) for item in made for part in ast.walk(item)]
    is_form = context.module.known(node.func) != vocabulary.builtin_names()["print"]
    by_form = any(map(_REPR.search, texts)) or (is_form and any(isinstance(item, str) for item in in_made))
    shown = [part for item in given for part in _shown(context, item, by_form)]
    found: list[ir.Expression] = []
    given_values = context.ordered([part for part, _ in shown])
    for (part, by_repr), value in zip(shown, given_values, strict=True):
        numbers = list(_scalars(context, part, value))
        found += numbers
        is_real = any(number.sort is ir.Sort.REAL for number in numbers)
        with_entries = isinstance(value, values.TupleValue | values.ListLiteral | values.ListValue)
        if not array_types.is_told(context, part, by_repr or with_entries, is_real):
            message = "what is shown may be a number of either of two types, which tells about the data"
            raise context.error(part, Refusal.MIXED_TYPES, message)
        if context.module.has_named_tuples and _has_tuple(context, value):
            message = "what is shown may be a tuple or a named tuple, which tells about the data"
            raise context.error(part, Refusal.MIXED_TYPES, message)
    span = context.source.span(node)
    if span in context.published_prints:
        published_prints.show(context, node, given_values)
        return
    context.prints[span] = None
    context.emit(ir.Assume(_always(found), span))


def _shown(context: Context, node: ast.expr, by_repr: bool = False) -> Iterator[tuple[ast.expr, bool]]:
    """Give the expressions of which values are shown, and whether by their repr, as in tuples."""
    match node:
        case ast.Constant():
            return
        case ast.Name(id="__name__") if not is_local(context, node):
            return
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _shown(context, part)
        case ast.FormattedValue(value=value, conversion=conversion, format_spec=spec):
            yield from _shown(context, value, conversion in map(ord, "ra"))
            if spec is not None:
                yield from _shown(context, spec)
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=right):
            for part in right.elts if isinstance(right, ast.Tuple) else (right,):
                yield from _shown(context, part, _REPR.search(form) is not None)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _shown(context, part, True)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format")) if (
            _MEMBER.search(form)
        ):
            message = "a text that shows an attribute or an entry is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format")):
            for part in (*node.args, *(word.value for word in node.keywords)):
                yield from _shown(context, part, "!" in form)
        case ast.Call(func=ast.Name(id="str" | "repr" as name) as called, args=[value], keywords=[]) if (
            dict_displays.is_python(context, called, name)
        ):
            yield from _shown(context, value, name == "repr")
        case _:
            yield node, by_repr


def _scalars(context: Context, node: ast.expr, value: Value) -> Iterator[ir.Expression]:
    """Give expressions that tell of all that is shown of a value."""
    match value:
        case values.ListValue(name):
            yield ir.Length(name)
        case values.ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            yield ir.Read(parameter.name, (builders.ZERO,), parameter.sort)
        case values.ArrayValue():
            yield from flattening.parts(value)
        case values.NoneValue() | values.ScalarValue() | values.OptionalValue():
            yield from flattening.expressions(value)
        case values.TupleValue(items) | values.ListLiteral(items):
            for item in items:
                yield from _scalars(context, node, item)
        case _:
            kind = shapes.describe_value(value)
            raise context.error(node, Refusal.UNSUPPORTED_CALL, f"printing {kind} is not supported")


def _has_tuple(context: Context, value: Value) -> bool:
    """Whether a value, or an entry of it, is a tuple that may be a named one, or one of another class."""
    match value:
        case values.NamedTupleValue(items) | values.ListLiteral(items):
            return any(_has_tuple(context, item) for item in items)
        case values.ListValue(name):
            return any(map(_is_tuple, context.inference.entries(name)))
        case _:
            return isinstance(value, values.TupleValue)


def _is_tuple(shape: ir.Shape) -> bool:
    if isinstance(shape, shapes.NamedTupleShape):
        return any(map(_is_tuple, shape.items))
    return isinstance(shape, ir.TupleShape)


def _always(found: Collection[ir.Expression]) -> ir.Expression:
    """A condition that always holds, and mentions all these expressions."""
    same = tuple(ir.Operation(ir.Operator.EQUAL, (item, item), ir.Sort.BOOL) for item in found)
    return ir.Operation(ir.Operator.AND, (builders.TRUE, builders.TRUE, *same), ir.Sort.BOOL)


def undecided(
    body: tuple[ir.Statement, ...], private: Collection[str], prints: Collection[ir.Span]
) -> list[ir.Span]:
    """Return the places where something is shown that isn't public, and not returned anyway."""
    if not prints:
        return []
    given = frozenset[str]() if _may_end(body, prints) else _given_out(body)
    return list(raising.undecided(_without_given(body, prints, given), private, prints))


def _may_end(body: tuple[ir.Statement, ...], prints: Collection[ir.Span]) -> bool:
    """Whether a run that shows something may end without output, or never: it returns nothing then."""
    shown = False
    for item in ir.statements(body):
        if isinstance(item, ir.Assume | ir.Loop):
            ends = isinstance(item, ir.Assume) or item.count is None
            shown = shown or any(_is_made(part, prints) for part in ir.statements((item,)))
            if shown and ends and not _is_made(item, prints):
                return True
    return False


def dropped(body: tuple[ir.Statement, ...], prints: Collection[ir.Span]) -> tuple[ir.Statement, ...]:
    """Return the statements without the prints."""
    return tuple(
        with_blocks(item, lambda inner: dropped(inner, prints)) for item in body if not _is_made(item, prints)
    )


def _is_made(item: ir.Statement, prints: Collection[ir.Span]) -> bool:
    """Whether a statement is a print: in another file, assertions may have the same place."""
    if not isinstance(item, ir.Assume) or item.span not in prints:
        return False
    return ir.children(item.condition)[:2] == (builders.TRUE, builders.TRUE)


def _given_out(body: tuple[ir.Statement, ...]) -> frozenset[str]:
    """The variables that get a value once, outside of loops, and that each return gives out in one place.

    A real that may be 0 is shown as ``0.0`` or ``-0.0``, which are equal outputs.
    """
    nonzero = null_divisors.almost_never_zero(body)
    returns = [
        {
            (place, part.name)
            for place, part in enumerate(item.values)
            if isinstance(part, ir.Variable) and (part.sort is not ir.Sort.REAL or part in nonzero)
        }
        for item in ir.statements(body)
        if isinstance(item, ir.Return)
    ]
    written = [
        item.target for item in ir.statements(body) if isinstance(item, ir.Assign | ir.Draw | ir.Choose)
    ]
    in_loops = {
        item.target
        for loop in ir.statements(body)
        if isinstance(loop, ir.Loop)
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose)
    }
    once = {name for name in written if written.count(name) == 1} - in_loops
    given = {name for _, name in set.intersection(*returns)} if returns else set()
    return frozenset(given & once)


def _without_given(
    body: tuple[ir.Statement, ...], prints: Collection[ir.Span], given: Collection[str]
) -> tuple[ir.Statement, ...]:
    found: list[ir.Statement] = []
    for statement in body:
        match with_blocks(statement, lambda inner: _without_given(inner, prints, given)):
            case ir.Assume(ir.Operation(operands=(*parts,))) as item if _is_made(item, prints):
                kept = [part for part in parts if not _is_of(part, given)]
                condition = ir.Operation(ir.Operator.AND, (builders.TRUE, builders.TRUE, *kept), ir.Sort.BOOL)
                found.append(ir.Assume(condition, item.span))
            case other:
                found.append(other)
    return tuple(found)


def _is_of(part: ir.Expression, given: Collection[str]) -> bool:
    match part:
        case ir.Operation(operands=(ir.Variable(name), _)):
            return name in given
        case _:
            return False
