"""What a run that raises tells, where private data or noise decide whether it does: an output like any other.

Then each output is a pair.  Its first component says whether the run raised; the second is what is returned,
or what is raised: a number for the exception with its text and its place, which a traceback shows, and the
numbers that it is given.
"""

from __future__ import annotations

import ast
import builtins as python
import re

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_types, source
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import ScalarValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_TWO_NAMES = ("EnvironmentError", "IOError", "OSError")
"""Exceptions of Python that have several names."""

_ENDS_ITERATION = "StopIteration"

_ENDED = rf"\b(map|filter|iter|next|itertools|__next__|__getitem__)\b|{_ENDS_ITERATION}"
"""What such an exception may end; one that isn't read may be one."""


def check(context: Context, node: ast.Raise) -> None:
    """Refuse what ends an iteration of Python's without a word, as in ``map``.  Raises ProgramError."""
    func = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    module = context.module
    texts = [context.source.text, *(module.others.files.texts.values() if module.others is not None else ())]
    if isinstance(func, ast.Name) and is_python(context, func) and func.id != _ENDS_ITERATION:
        return
    ending = _ENDS_ITERATION if _is_read(context, func) else _ENDED
    if any(re.search(ending, text) for text in texts):
        message = f"what is raised may be a '{_ENDS_ITERATION}', which may end a loop and not the run"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)


def _is_read(context: Context, func: ast.expr | None) -> bool:
    """Whether a name is that of a class of this file whose bases are such, or exceptions of Python."""
    if not isinstance(func, ast.Name) or is_local(context, func):
        return False
    tree = list(ast.walk(source.parse_module(context.source)))
    nodes = [node for node in tree if isinstance(node, ast.ClassDef)]
    assigned = {node.id for node in tree if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    pending, seen = [func], set[str]()
    while pending:
        name = pending.pop()
        if name.id in seen or is_python(context, name):
            continue
        seen.add(name.id)
        found = [node for node in nodes if node.name == name.id]
        bound = assigned | context.module.names.keys()
        if len(found) != 1 or name.id in bound or found[0].keywords or found[0].decorator_list:
            return False
        bases = [base for base in found[0].bases if isinstance(base, ast.Name)]
        if len(bases) != len(found[0].bases):
            return False
        pending += bases
    return True


def is_python(context: Context, func: ast.Name) -> bool:
    """Whether a name is that of an exception of Python."""
    module = context.module
    bound = (
        module.names,
        module.functions,
        module.classes,
        module.constant_nodes,
        module.literals,
        module.blocked,
    )
    found = getattr(python, func.id, None)
    exception = isinstance(found, type) and issubclass(found, BaseException)
    return exception and not is_local(context, func) and not any(func.id in names for names in bound)


def _of(context: Context, func: ast.Name | ast.Attribute) -> str:
    """A text that tells exceptions apart: that of another file is another one, whatever its name."""
    if isinstance(func, ast.Name) and is_python(context, func):
        return func.id
    return f"{context.module.place}|{context.source.path}|{ast.unparse(func)}"


def returned(value: Value) -> Value:
    """Return the output of a run that does not raise."""
    return TupleValue((ScalarValue(builders.FALSE), value))


def raised(context: Context, node: ast.Raise) -> Value:
    """Return the output of a run that raises here.  Raises ProgramError for what may be anything."""
    if node.cause is not None and not _is_none(node.cause):
        raise _refused(context, node.cause)
    match node.exc:
        case ast.Call(func=func, args=given, keywords=[]):
            pass
        case ast.expr() as func:
            given = []
        case None:
            raise _refused(context, node)
    if not isinstance(func, ast.Name | ast.Attribute) or is_local(context, func):
        raise _refused(context, func)
    if ast.unparse(func) in _TWO_NAMES:
        raise _refused(context, func)
    steps: list[ast.expr | ast.stmt] = [*context.scope.path, node]
    places = [(item.lineno, item.col_offset) for item in steps]
    texts, numbers = [_of(context, func), f"{context.module.place} {places}"], list[ast.expr]()
    for item in given:
        text, inside = _parts(context, item)
        texts.append(text)
        numbers += inside
    values = context.ordered(numbers)
    for value, number in zip(values, numbers, strict=True):
        if not isinstance(value, ScalarValue) or _may_have_sign(context, value.expression):
            raise _refused(context, number)
        is_real = value.expression.sort is ir.Sort.REAL
        by_repr = number in given  # as a KeyError shows it
        if not array_types.is_told(context, number, by_repr, is_real):
            raise _refused(context, number)
        texts.append(value.expression.sort.value)
    code = context.exceptions.setdefault("\n".join(texts), len(context.exceptions))
    flag, place = ScalarValue(builders.TRUE), ScalarValue(builders.integer(code))
    return TupleValue((flag, TupleValue((place, *values))))


def _parts(context: Context, node: ast.expr) -> tuple[str, list[ast.expr]]:
    """A text that is the same wherever two arguments are, but for the values of some expressions."""
    match node:
        case ast.Constant(value=str()):
            return ast.dump(node), []
        case ast.JoinedStr(values=parts):
            inside = [item for item in parts if isinstance(item, ast.FormattedValue)]
            if len(inside) > 1 or any(item.format_spec or item.conversion != -1 for item in inside):
                raise _refused(context, node)
            texts = [ast.dump(item) if isinstance(item, ast.Constant) else "{}" for item in parts]
            return "".join(texts), [item.value for item in inside]
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"), args=[given], keywords=[]
        ):
            if "{}" not in text or text.count("{") + text.count("}") > 2:
                raise _refused(context, node)
            texts = [ast.dump(ast.Constant(item)) if item else "" for item in text.split("{}")]
            return "{}".join(texts), [given]
        case _:
            return "number", [node]


def _may_have_sign(context: Context, number: ir.Expression) -> bool:
    """Whether a number that is 0 may be shown as ``0.0`` or ``-0.0``, as private data decide."""
    parts = set(ir.subexpressions(number))
    read = {part for part in parts if isinstance(part, ir.Variable | ir.Read | ir.Element)}
    public = all(isinstance(part, ir.Variable) and part.name in context.public_parameters for part in read)
    return number.sort is ir.Sort.REAL and (not public or number == builders.zero(ir.Sort.REAL))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _refused(context: Context, node: ast.expr | ast.stmt) -> Exception:
    message = (
        "private data or noise decide whether this is raised, so what is raised is published: "
        "it must be an exception with texts and numbers, each of one type whatever the data are"
    )
    return context.error(node, Refusal.PRIVATE_RAISE, message)
