"""What a run that raises tells, where private data or noise decide whether it does: an output like any other.

Then each output is a pair.  Its first component says whether the run raised; the second is what is returned,
or what is raised: a number for the exception with its text, and the numbers that it is given.
"""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import ScalarValue, TupleValue, Value
from synth.trusted.program import builders

_TWO_NAMES = ("EnvironmentError", "IOError", "OSError")
"""Exceptions of Python that have several names."""


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
    named = isinstance(func, ast.Name | ast.Attribute) and not is_local(context, func)
    if not named or ast.unparse(func) in _TWO_NAMES:
        raise _refused(context, func)
    texts, numbers = [ast.unparse(func)], list[ast.expr]()
    for item in given:
        text, inside = _parts(context, item)
        texts.append(text)
        numbers += inside
    values = context.ordered(numbers)
    for value, number in zip(values, numbers, strict=True):
        if not isinstance(value, ScalarValue):
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
        case _:
            return "number", [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _refused(context: Context, node: ast.expr | ast.stmt) -> Exception:
    message = (
        "private data or noise decide whether this is raised, so what is raised is published: "
        "it must be an exception with texts and numbers"
    )
    return context.error(node, Refusal.PRIVATE_RAISE, message)
