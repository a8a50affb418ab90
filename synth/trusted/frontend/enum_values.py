"""What programs do with an Enum and its members: each member is the code that counts it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, branching, shapes
from synth.trusted.frontend.classes import Class
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.labels import STRINGS, Given, LabelType
from synth.trusted.frontend.values import EnumValue, LabelValue, ScalarValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def of_class(context: Context, node: ast.Attribute, kind: LabelType) -> Value:
    """``Color.RED``.  Raises ProgramError."""
    _check_unchanged(context, node.attr)
    if node.attr not in kind.members:
        message = f"'{node.attr}' is no member of '{kind.name}'"
        raise context.error(node, Refusal.UNKNOWN_NAME, message)
    return EnumValue(kind).members[kind.members.index(node.attr)]


def attribute(context: Context, node: ast.Attribute, member: LabelValue) -> Value:
    """``name`` or ``value`` of a member.  Raises ProgramError."""
    _check_unchanged(context, node.attr)
    kind = member.kind
    if not kind.is_enumeration or node.attr not in ("name", "value"):
        message = f"the attribute '{node.attr}' of {shapes.describe_value(member)} is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    context.require("domain", builders.negate(member.none), f"None has no '{node.attr}'", node)
    return _chosen(context, node, member.code, _of_members(context, kind, node.attr))


def looked_up(context: Context, node: ast.expr, kind: LabelType, what: str, sought: Value) -> LabelValue:
    """``Color(value)`` or ``Color["name"]``; that there is such a member is an obligation."""
    found = [branching.equality(context, node, item, sought) for item in _of_members(context, kind, what)]
    message = f"'{kind.name}' has no member of that {what}"
    if builders.either(*found) == builders.FALSE:
        raise context.error(node, Refusal.WRONG_TYPE, message)
    context.require("domain", builders.either(*found), message, node)
    code: ir.Expression = builders.integer(len(found) - 1)
    for place in reversed(range(len(found) - 1)):
        code = builders.choose(found[place], builders.integer(place), code)
    return LabelValue(kind, code)


def call(context: Context, node: ast.Call, kind: Class) -> Value:
    """``Color(value)``.  Raises ProgramError."""
    assert kind.labels is not None
    (argument,) = arguments.positional(context.source, node, f"'{kind.name}'", 1, 1)
    sought = context.expression(context, argument)
    if isinstance(sought, LabelValue) and sought.kind is kind.labels:
        return sought
    return looked_up(context, node, kind.labels, "value", sought)


def _of_members(context: Context, kind: LabelType, what: str) -> list[Value]:
    """The names or the values of all members."""
    if what == "name":
        return [LabelValue(STRINGS, context.code(name)) for name in kind.members]
    return [_value(context, given) for given in kind.given]


def _value(context: Context, given: Given) -> Value:
    """A value that is written out; a decimal number is the shortest that Python takes for it."""
    match given:
        case tuple():
            return TupleValue(tuple(_value(context, part) for part in given))
        case str():
            return LabelValue(STRINGS, context.code(given))
        case bool():
            return ScalarValue(builders.TRUE if given else builders.FALSE)
        case int():
            return ScalarValue(builders.integer(given))
        case float():
            return ScalarValue(ir.Constant(Fraction(repr(given)), ir.Sort.REAL))


def _chosen(context: Context, node: ast.expr, code: ir.Expression, given: Sequence[Value]) -> Value:
    """The one of some values that a code counts."""
    if isinstance(code, ir.Constant):
        return given[int(code.value)]
    result = given[-1]
    for place in reversed(range(len(given) - 1)):
        guard = builders.equal(code, builders.integer(place))
        result = branching.conditional(context, node, guard, partial(_it, given[place]), partial(_it, result))
    return result


def _it(value: Value) -> Value:
    return value


def _check_unchanged(context: Context, name: str) -> None:
    for each in (name, "_value_", "_name_", "__eq__"):
        if each in context.module.attributes:
            raise context.module.attributes[each]
