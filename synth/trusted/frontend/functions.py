"""The built-in functions: ``len``, ``abs``, ``exp``, ``int`` and so on."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    argument_types,
    arguments,
    arithmetic,
    array_calls,
    array_items,
    arrays,
    caught,
    dicts,
    entrywise,
    infinities,
    iterables,
    logarithms,
    loops,
    records,
    reductions,
    shapes,
    type_tests,
    uniforms,
    values,
    wheels,
)
from synth.trusted.frontend.branching import condition
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.labels import STRINGS
from synth.trusted.frontend.values import ListLiteral, ScalarValue, Value
from synth.trusted.frontend.vocabulary import (
    ARRAY_PRIMITIVES,
    COSINE,
    PLAIN,
    SHOWN,
    SOUGHT,
    TYPED,
    UNIFORM,
    UNTRIED,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_ROUNDING = {
    "round": ir.Operator.ROUND,
    "floor": ir.Operator.FLOOR,
    "ceil": ir.Operator.CEILING,
    "int": ir.Operator.TRUNCATE,
}
_REAL = {
    "exp": ir.Operator.EXPONENTIAL,
    "log": ir.Operator.LOGARITHM,
    "sqrt": ir.Operator.SQUARE_ROOT,
}
_EXTREMES = {"min": ir.Operator.MINIMUM, "max": ir.Operator.MAXIMUM}
_MANY = 10_000


def call(context: Context, node: ast.Call, name: str) -> Value:
    """A call of a built-in function."""
    if name in ("range", "enumerate", "zip", "reversed"):
        if context.where:
            raise context.error(
                node, Refusal.UNSUPPORTED_CALL, f"'{name}' in {context.where} is not supported"
            )
        return iterables.as_generator(context, node)
    if name == "isinstance":
        return ScalarValue(type_tests.is_instance(context, node))
    if name in ARRAY_PRIMITIVES:
        return array_calls.primitive(context, node, name)
    if name == TYPED:
        return argument_types.typed(context, node)
    if name == PLAIN:
        return argument_types.plain(context, node)
    if name == UNTRIED:
        caught.check_unread(context, node, "what a library needs")
        return values.NoneValue()
    if name == "list":
        return _list(context, node)
    if name in _EXTREMES:
        if len(node.args) == 1:
            return dicts.extreme(context, node, name) or reductions.extreme(context, node, name)
        return _extreme(context, node, name)
    if name == UNIFORM:
        arguments.positional(context.source, node, name, 0, 0)
        if context.inference.walks:
            return ScalarValue(wheels.made(context, context.source.span(node)))
        return uniforms.make(context)
    if name == "copysign":
        return _copied_sign(context, node)
    if name == "log" and len(node.args) == 2:
        return _logarithm(context, node)
    if name == "round" and len(node.args) == 2:
        return _rounded(context, node)
    (argument,) = arguments.positional(context.source, node, name, 1, 1)
    infinite = infinities.written(argument.value) if isinstance(argument, ast.Constant) else None
    if name == "float" and infinite is not None:
        return infinite
    if name == "bool":
        return ScalarValue(condition(context, argument))
    if name == SOUGHT:
        wheels.seek(context, node, context.expression(context, argument))
        return values.NoneValue()
    if name == SHOWN:
        needed, said = condition(context, argument), _said(context, argument)
        if needed == builders.FALSE:
            raise context.error(node, Refusal.WRONG_TYPE, f"this raises, since it needs {said}")
        reason = f"{said}, which the stub {context.source.stub}:{node.lineno} needs"
        context.require("domain", needed, reason, node)
        return values.NoneValue()
    value = context.expression(context, argument)
    if name == "str":
        return _string(context, node, value)
    if isinstance(value, values.UniformValue) and name in _OF_UNIFORM:
        return _OF_UNIFORM[name](context, node, value)
    if name == COSINE:
        message = "a cosine is only supported of pi times a uniform draw"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
    if name == "abs" and isinstance(value, values.ArrayValue):
        arithmetic.check_number(context, node, value.entry)
        return entrywise.combined(
            context, node, (value,), lambda entries: _number(context, node, name, *entries)
        )
    if name == "len":
        return ScalarValue(_length(context, node, value))
    if name in ("abs", "round"):
        _check_number(context, value, argument)
    return ScalarValue(_number(context, node, name, context.numeric(value, argument)))


def _said(context: Context, node: ast.expr) -> str:
    """A condition of a stub in words, if it is a call of a function whose docstring has some."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    function = context.module.functions.get(name)
    return (function and ast.get_docstring(function.node)) or f"'{ast.unparse(node)}'"


def _string(context: Context, node: ast.Call, value: Value) -> Value:
    """``str(s)`` of a string, which it is."""
    if isinstance(value, values.LabelValue) and value.kind is STRINGS and value.none == builders.FALSE:
        return value
    message = f"'str' is only supported of a string, not of {shapes.describe_value(value)}"
    raise context.error(node, Refusal.UNSUPPORTED_CALL, message)


_OF_UNIFORM = {
    "abs": uniforms.magnitude,
    "log": uniforms.logarithm,
    "sign": uniforms.sign,
    "float": uniforms.as_real,
    "floor": uniforms.floor,
    "int": uniforms.truncated,
    COSINE: uniforms.cosine,
}


def _rounded(context: Context, node: ast.Call) -> Value:
    """``round(x, n)``: the nearest multiple of a power of ten, the even one of two."""
    nodes = arguments.positional(context.source, node, "round", 2, 2)
    of, places = context.ordered(nodes)
    _check_number(context, of, nodes[0])
    value = context.numeric(of, nodes[0])
    if isinstance(places, values.NoneValue):
        digits: ir.Expression = builders.ZERO
    else:
        digits = context.whole(places, nodes[1], "a number of digits")
    if value.sort is ir.Sort.INT:
        if not isinstance(digits, ir.Constant) or digits.value < 0:
            message = "an integer is only rounded to a number of digits that is written out, and not below 0"
            raise context.error(nodes[1], Refusal.UNSUPPORTED_CALL, message)
        return ScalarValue(value)
    if isinstance(places, values.NoneValue):
        return ScalarValue(builders.to_integer(ir.Operator.ROUND, value))
    unit = arithmetic.numbers(context, node, ast.Pow(), builders.integer(10), digits)
    unit = builders.convert(unit, ir.Sort.REAL)
    scaled = arithmetic.numbers(context, node, ast.Mult(), value, unit)
    whole = builders.convert(builders.to_integer(ir.Operator.ROUND, scaled), ir.Sort.REAL)
    return ScalarValue(arithmetic.numbers(context, node, ast.Div(), whole, unit))


def _copied_sign(context: Context, node: ast.Call) -> Value:
    """``copysign(1, u)`` of a uniform draw."""
    of, signed = context.ordered(arguments.positional(context.source, node, "copysign", 2, 2))
    if isinstance(of, values.UniformValue) and isinstance(signed, values.UniformValue):  # of log(1 - abs(v))
        return arithmetic.binary(context, node, ast.Mult(), of, uniforms.sign(context, node, signed))
    size = context.numeric(of, node)
    if not isinstance(signed, values.UniformValue):
        plain = _number(context, node, "abs", builders.convert(size, ir.Sort.REAL))
        sign = arrays.number(context, context.numeric(signed, node), node)
        if sign.sort is ir.Sort.REAL:
            nonzero = builders.negate(builders.equal(sign, builders.zero(ir.Sort.REAL)))
            context.require("domain", nonzero, "the sign of a zero is not known", node)
        positive = builders.less_equal(builders.ZERO, sign)
        return ScalarValue(builders.choose(positive, plain, builders.opposite(plain)))
    if not isinstance(size, ir.Constant) or size.value <= 0:
        message = "'copysign' is only supported with a positive number and a uniform draw"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
    return arithmetic.binary(context, node, ast.Mult(), of, uniforms.sign(context, node, signed))


def _logarithm(context: Context, node: ast.Call) -> Value:
    """``log(x, base)``: the quotient of two logarithms, which Python computes."""
    found = context.ordered(arguments.positional(context.source, node, "log", 2, 2))
    over, under = (
        _number(context, node, "log", context.numeric(value, part))
        for value, part in zip(found, node.args, strict=True)
    )
    return ScalarValue(arithmetic.numbers(context, node, ast.Div(), over, under))


def _list(context: Context, node: ast.Call) -> Value:
    """``list()``, or a new list of what a loop would run over."""
    given = arguments.positional(context.source, node, "list", 0, 1)
    if context.where and given:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"a list in {context.where} is not supported")
    return loops.collect(context, node, iterables.iterable(context, given[0])) if given else ListLiteral(())


def _number(context: Context, node: ast.Call, name: str, value: ir.Expression) -> ir.Expression:
    if name in _ROUNDING:
        return builders.to_integer(_ROUNDING[name], value)
    if name == "float":
        return builders.convert(value, ir.Sort.REAL)
    if name == "abs":
        if isinstance(value, ir.Constant):
            return builders.magnitude(value)
        if isinstance(value, ir.Operation) and value.operator is ir.Operator.EXPONENTIAL:
            return value
        return ir.Operation(ir.Operator.ABSOLUTE, (value,), value.sort)
    if name == "log" and context.module.stub is not None:
        exponent = logarithms.exponent(value)
        if exponent is not None:
            return exponent
    if name == "log" and isinstance(value, ir.Operation) and value.operator is ir.Operator.EXPONENTIAL:
        return value.operands[0]
    whole = _WHOLE.get((name, Fraction(value.value))) if isinstance(value, ir.Constant) else None
    if whole is not None:
        return ir.Constant(Fraction(whole), ir.Sort.REAL)
    _require_domain(context, node, name, value)
    return ir.Operation(_REAL[name], (builders.convert(value, ir.Sort.REAL),), ir.Sort.REAL)


_WHOLE: dict[tuple[str, Fraction], int] = {
    ("log", Fraction(1)): 0,
    ("exp", Fraction(0)): 1,
    ("sqrt", Fraction(0)): 0,
    ("sqrt", Fraction(1)): 1,
}
"""Values of functions that are integers."""


def _require_domain(context: Context, node: ast.Call, name: str, value: ir.Expression) -> None:
    zero = builders.zero(value.sort)
    if name == "log":
        reason = "the logarithm of a number that isn't positive"
        context.require("domain", builders.less(zero, value), reason, node)
    if name == "sqrt":
        reason = "the square root of a negative number"
        context.require("domain", builders.less_equal(zero, value), reason, node)


def _extreme(context: Context, node: ast.Call, name: str) -> Value:
    nodes = arguments.positional(context.source, node, name, 2, _MANY)
    found = context.ordered(nodes)
    if any(isinstance(value, ScalarValue) and value.expression.sort is ir.Sort.BOOL for value in found):
        context.inference.note_mixed()  # Python gives back a truth value
    if infinities.is_one(*found):
        value = found[0]
        for other in found[1:]:
            value = infinities.extreme(context, node, name == "max", value, other)
        return value
    numbers = _numbers(context, nodes, found)
    if len({context.scalar(value, item).sort for value, item in zip(found, nodes, strict=True)}) > 1:
        context.inference.note_mixed()
    result = numbers[0]
    for number in numbers[1:]:
        result = builders.arithmetic(_EXTREMES[name], result, number)
    return ScalarValue(result)


def _numbers(context: Context, nodes: Sequence[ast.expr], found: Sequence[Value]) -> list[ir.Expression]:
    pairs = list(zip(found, nodes, strict=True))
    for value, node in pairs:
        _check_number(context, value, node)
    return [context.numeric(value, node) for value, node in pairs]


def _check_number(context: Context, value: Value, node: ast.expr) -> None:
    """Refuse a truth value that may be numpy's where Python gives back what it was given."""
    if isinstance(value, ScalarValue):
        arithmetic.check_number(context, node, value.expression)


def _length(context: Context, node: ast.Call, value: Value) -> ir.Expression:
    match value:
        case values.ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            return ir.Length(parameter.name)
        case values.RecordsValue():
            return records.length(context, value, node)
        case values.ListValue(name):
            return ir.Length(name)
        case values.ArrayValue():
            return array_items.length(context, node, value)
        case values.MatrixValue(rows=rows):
            return rows
        case values.TupleValue(items) | ListLiteral(items) | values.SetValue(items):
            return builders.integer(len(items))
        case values.DictValue():
            return builders.integer(len(context.keys_of(value, node)))
        case values.EnumValue(kind):
            return builders.integer(len(kind.members))
        case values.GeneratorValue(bounds=(start, stop)):
            return context.natural(builders.subtract(stop, start))
        case _:
            raise context.error(node, Refusal.WRONG_TYPE, f"{shapes.describe_value(value)} has no length")
