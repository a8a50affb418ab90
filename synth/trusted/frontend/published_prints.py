"""What is shown where private data or noise decide it: an output like any other.

Then each output is a pair: what is returned, or raised, and the list of what was shown on the way.  An entry
of it is a number for the text, and the numbers that stand in it.  Equal texts have one number.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from synth.trusted.errors import Refusal
from synth.trusted.frontend import dict_displays, null_divisors, raising, store, vocabulary
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import ListValue, ScalarValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, mentioned, target

MESSAGE = (
    "private data or noise decide what is printed here, in a form that can't be part of the output: "
    "show numbers as they are, as by '%s', return them instead, or leave the print out"
)

_ZERO = "what is printed here may be 0.0 or -0.0, as private data or noise decide: these are equal outputs"
_ENDS = "what is printed before is seen, and a run may end here without output: print nothing before"

_PRINT = "print"

_GAP, _OPEN, _CLOSE = "\0", "\1", "\2"
"""Where a number stands in a text; and what is around the form in which an integer does, which tells it."""

_NUMBERS = re.compile(f"{_GAP}|{_OPEN}[^{_CLOSE}]*{_CLOSE}|\\d+")
_TOUCHING = re.compile(f"[{_GAP}{_CLOSE}][{_GAP}{_OPEN}\\d]|\\d[{_GAP}{_OPEN}]")
"""A number at the end of another one: together they may look like two others."""

_MARK = re.compile(r"%(.)?")
_WHOLE_FORM = re.compile(r"[<>^=]?\+?0?\d*[,_]?")


def begin(context: Context, node: Located) -> None:
    """Make the list of what is shown, if there is one."""
    if context.published_prints:
        context.shown = context.temporary("shown")
        context.emit(ir.NewList(context.shown, context.source.place(node)))


def beside(context: Context, value: Value) -> Value:
    """An output, together with what was shown before it."""
    return TupleValue((value, ListValue(context.shown))) if context.shown else value


def show(context: Context, node: ast.Call, given: Sequence[Value]) -> None:
    """Note that a text with some values in it is shown.  Raises ProgramError."""
    text = None if any(word.arg != "flush" for word in node.keywords) else _text(context, node)
    channel = _channel(context, node)
    if text is None or channel is None or _TOUCHING.search(text):
        raise context.error(node, Refusal.PRIVATE_PRINT, MESSAGE)
    form, sorts, numbers = _numbered(context, node, text, given)
    integers = tuple(item for item in numbers if item.expression.sort is not ir.Sort.REAL)
    reals = tuple(item for item in numbers if item.expression.sort is ir.Sort.REAL)
    key, place = "\n".join((channel, form, *sorts)), context.source.span(node)
    if channel != _PRINT and context.shown_places.setdefault(key, place) != place:
        raise context.error(node, Refusal.PRIVATE_PRINT, MESSAGE)  # a log may have lines or not
    code = ScalarValue(builders.integer(context.shown_texts.setdefault(key, len(context.shown_texts))))
    entry = TupleValue((code, TupleValue(integers), TupleValue(reals)))
    store.append(context, context.shown, entry, node)


def _numbered(
    context: Context, node: ast.Call, text: str, given: Sequence[Value]
) -> tuple[str, list[str], list[ScalarValue]]:
    """A text without its numbers, their sorts, and the numbers, also those that are written out.

    Raises ProgramError.
    """
    values, sorts, numbers = iter(given), list[str](), list[ScalarValue]()

    def taken(found: re.Match[str]) -> str:
        written = found[0]
        is_written, is_formed = written.isdigit(), written[0] == _OPEN
        if is_written and str(int(written)) != written:
            return written
        value = ScalarValue(builders.integer(int(written))) if is_written else next(values, None)
        if not isinstance(value, ScalarValue) or (is_formed and value.expression.sort is not ir.Sort.INT):
            raise context.error(node, Refusal.PRIVATE_PRINT, MESSAGE)
        sorts.append(value.expression.sort.value)
        numbers.append(ScalarValue(builders.numeric(value.expression)))
        return written if is_formed and len(written) > len(_OPEN + _CLOSE) else _GAP

    form = _NUMBERS.sub(taken, text)
    if any(item.expression == builders.zero(ir.Sort.REAL) for item in numbers):  # 0.0 or -0.0
        raise context.error(node, Refusal.PRIVATE_PRINT, MESSAGE)
    if next(values, None) is not None:
        raise context.error(node, Refusal.PRIVATE_PRINT, MESSAGE)
    return form, sorts, numbers


def _channel(context: Context, node: ast.Call) -> str | None:
    """Where a text is shown: by Python's print, or by a function of logging or a logger of the module.

    None for others: loggers that are handed on, tracebacks, and warnings, which are shown once or each time.
    """
    if dict_displays.is_python(context, node.func, _PRINT):
        return _PRINT
    known = None if is_local(context, node.func) else context.module.known(node.func)
    if known is None or known.name in (vocabulary.WARN, vocabulary.TRACEBACK):
        return None
    return "\n".join((context.module.place, context.source.path, known.name, ast.unparse(node.func)))


def _text(context: Context, node: ast.Call) -> str | None:
    """What a call shows, with gaps for what isn't written out, in order; None where that isn't known."""
    if dict_displays.is_python(context, node.func, _PRINT):
        return _joined(" ", [_part(context, item) for item in node.args])
    match node.args:
        case [ast.Constant(value=str(form)), *given]:
            return _filled(context, form, given) if given else _plain(form)
        case [ast.JoinedStr() as form]:
            return _part(context, form)
        case _:
            return None


def _part(context: Context, node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str() | int() as written):
            return _plain(str(written))
        case ast.Constant():
            return None
        case ast.JoinedStr(values=parts):
            return _joined("", [_part(context, item) for item in parts])
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _part(context, value)
        case ast.FormattedValue(
            conversion=-1, format_spec=ast.JoinedStr(values=[ast.Constant(value=str(form))])
        ) if _WHOLE_FORM.fullmatch(form.removesuffix("d")):
            return f"{_OPEN}{form.removesuffix('d')}{_CLOSE}"
        case ast.FormattedValue() | ast.Tuple() | ast.List():
            return None
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=right):
            return _filled(context, form, right.elts if isinstance(right, ast.Tuple) else [right])
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return None
        case ast.Call(func=ast.Name(id="str") as called, args=[value], keywords=[]) if (
            dict_displays.is_python(context, called, "str")
        ):
            return _part(context, value)
        case ast.Call(func=ast.Name(id="repr")):
            return None
        case _:
            return _GAP


def _plain(text: str) -> str | None:
    """A text that is written out; None for one that has what stands for numbers, or can't be shown."""
    return text if text.isprintable() else None


def _joined(between: str, parts: Sequence[str | None]) -> str | None:
    found = [part for part in parts if part is not None]
    return between.join(found) if len(found) == len(parts) else None


def _filled(context: Context, form: str, given: Sequence[ast.expr]) -> str | None:
    """A form with ``%s``, or ``%d`` for what is no text, for each part; None for another one."""
    parts = [_part(context, item) for item in given]
    marks = [found[1] for found in _MARK.finditer(form)]
    if len(marks) != len(parts) or not set(marks) <= {"s", "d"}:
        return None
    filled = [
        part if mark == "s" else _whole(context, item, part)
        for mark, item, part in zip(marks, given, parts, strict=True)
    ]
    pieces = [_plain(piece) for piece in re.split("%[sd]", form)]
    between = (text for pair in zip(pieces, [*filled, ""], strict=True) for text in pair)
    return _joined("", list(between))


def _whole(context: Context, node: ast.expr, part: str | None) -> str | None:
    """What stands for an integer with ``%d``; None for what may be a text."""
    match node:
        case ast.Constant(value=value):
            return part if type(value) is int else None
        case ast.Call(func=called) if not dict_displays.is_python(context, called, "len"):
            return None
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            return _OPEN + _CLOSE if part == _GAP else None
        case _:
            return None


def unsure(
    context: Context, body: tuple[ir.Statement, ...], private: Collection[str]
) -> Iterator[tuple[ir.Span, str]]:
    """Give the places where more may be seen than the output has, and why.

    A real that is 0 is shown as ``0.0`` or ``-0.0``, always as the same one where one place shows one value
    that never changes; and a run that ends without output has shown something.
    """
    decided = raising.influenced(body, private)
    changing = _changing(body)
    shown = list(null_divisors.perhaps_zero(body, context.shown))
    several = len(context.inference.entries(context.shown)) > 1
    codes = [item.values[: 2 if several else 1] for item, _ in shown]
    for code, (item, numbers) in zip(codes, shown, strict=True):
        is_alone = codes.count(code) == 1
        for number in numbers:
            is_given = number != builders.zero(ir.Sort.REAL)  # others fill entries up
            if is_given and (not is_alone or _read(number) & (decided | changing)):
                yield item.span, _ZERO
    yield from ((span, _ENDS) for span in _without_output(body, context.shown))


def _changing(body: tuple[ir.Statement, ...]) -> set[str]:
    """What may have one value and later another one."""
    written = Counter(target(item) for item in ir.statements(body))
    loops = (item for item in ir.statements(body) if isinstance(item, ir.Loop))
    return {name for name, times in written.items() if name is not None and times > 1} | assigned(loops)


def _read(number: ir.Expression) -> set[str]:
    """All that an expression mentions, and the inputs of which it reads entries."""
    parts = ir.subexpressions(number)
    return mentioned(number) | {part.source for part in parts if isinstance(part, ir.Read)}


def _without_output(body: tuple[ir.Statement, ...], name: str) -> Iterator[ir.Span]:
    is_shown = False
    for item in ir.statements(body):
        if isinstance(item, ir.Assume | ir.Loop):
            may_end = isinstance(item, ir.Assume) or item.count is None
            inside = [part for part in ir.statements((item,)) if _shows(part, name)]
            is_shown = is_shown or bool(inside)
            if is_shown and may_end:
                yield item.span
        is_shown = is_shown or _shows(item, name)


def _shows(item: ir.Statement, name: str) -> bool:
    return isinstance(item, ir.Append) and item.target == name


def lines(spans: Collection[ir.Span]) -> tuple[int, ...]:
    """The lines of what is shown."""
    return tuple(sorted({span.line for span in spans}))
