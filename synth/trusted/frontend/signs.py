"""The sign of a uniform draw around 0 as conditions write it: ``1 if u > 0 else -1``, or such a function.

That the draw is just 0 has no chance.  It is read so where the text asks for the magnitude of the draw, too:
elsewhere the conditions are coins.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from synth.trusted.frontend import uniforms
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import UniformValue, Value

_MAGNITUDES = ("abs", "fabs", "absolute")


def of_expression(context: Context, node: ast.IfExp) -> Value | None:
    """The sign of a draw that a conditional expression gives; None for other expressions."""
    names = [part for part in ast.walk(node.test) if isinstance(part, ast.Name)]
    if len(names) != 1 or not _factor(node, names[0].id) or not is_local(context, names[0]):
        return None
    value = context.expression(context, names[0])
    known = isinstance(value, UniformValue) and _is_asked_for(context, names[0].id)
    return _sign(context, node, node, names[0].id, value) if known else None


def of_call(context: Context, node: ast.expr, function: Function, given: Mapping[str, Value]) -> Value | None:
    """The sign of a draw that a function of the user gives; None for other functions."""
    match node, list(given.items()):
        case ast.Call(args=[ast.Name(id=name)]), [(parameter, UniformValue() as value)]:
            body = _as_expression(function.node.body)
            known = body is not None and _is_asked_for(context, name)
            return _sign(context, node, body, parameter, value) if body is not None and known else None
        case _:
            return None


def _is_asked_for(context: Context, name: str) -> bool:
    """Whether the function that is read asks for the magnitude of what a name stands for, or a product."""
    function = context.scope.function
    for part in ast.walk(function.node) if function is not None else ():
        match part:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Name(id=asked)]):
                if called in _MAGNITUDES and asked == name:
                    return True
            case ast.BinOp(left=ast.Name(id=one), op=ast.Mult(), right=ast.Name(id=other)):
                if name in (one, other):
                    return True
    return False


def _sign(context: Context, node: ast.expr, body: ast.expr, name: str, value: Value) -> Value | None:
    factor = _factor(body, name)
    if not factor or not isinstance(value, UniformValue) or not uniforms.is_around_zero(value):
        return None
    sign = uniforms.sign(context, node, value)
    return sign if factor > 0 else uniforms.negative(sign)


def _factor(node: ast.expr, name: str) -> int:
    """By which number an expression is the sign of a number with a name: 1 or -1; 0 if it is none."""
    above, below = _at(node, name, 1), _at(node, name, -1)
    return above if above is not None and below is not None and above + below == 0 else 0


def _as_expression(body: Sequence[ast.stmt]) -> ast.expr | None:
    """What a function returns that does nothing else than to choose it."""
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return _as_expression(rest)
        case [ast.Return(value=ast.expr() as value), *_]:
            return value
        case [ast.If(test=test, body=then, orelse=otherwise), *rest]:
            left, right = _as_expression(then), _as_expression([*otherwise, *rest])
            return None if left is None or right is None else ast.IfExp(test, left, right)
        case _:
            return None


def _at(node: ast.expr, name: str, sign: int) -> int | None:
    """Which of -1, 0 and 1 an expression is where a number has this sign; None for other expressions."""
    match node:
        case ast.IfExp(test=test, body=then, orelse=otherwise):
            holds = _holds(test, name, sign)
            return None if holds is None else _at(then if holds else otherwise, name, sign)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1 | 1.0)):
            return -1
        case ast.Constant(value=0 | 0.0):
            return 0
        case ast.Constant(value=1 | 1.0):
            return 1
        case _:
            return None


def _holds(test: ast.expr, name: str, sign: int) -> bool | None:
    match test:
        case ast.Compare(
            left=ast.Name(id=asked), ops=[operator], comparators=[ast.Constant(value=0 | 0.0)]
        ) if asked == name:
            above = sign > 0
        case ast.Compare(
            left=ast.Constant(value=0 | 0.0), ops=[operator], comparators=[ast.Name(id=asked)]
        ) if asked == name:
            above = sign < 0
        case _:
            return None
    match operator:
        case ast.Gt() | ast.GtE():
            return above
        case ast.Lt() | ast.LtE():
            return not above
        case ast.Eq() | ast.NotEq():
            return isinstance(operator, ast.NotEq)
        case _:
            return None
