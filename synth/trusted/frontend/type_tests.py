"""``isinstance``, decided by declared types, and by what Python can have in the place of a value."""

from __future__ import annotations

import ast
from fractions import Fraction

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.sampling import is_local
from synth.trusted.frontend.values import Value
from synth.trusted.frontend.vocabulary import Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_TYPES = ("bool", "int", "float", "list")
_NUMBERS = ("bool", "int", "float")
_NUMPY = "numpy"
"""A truth value or an integer of numpy: no instance of Python's types."""
_ABOVE = {
    "bool": frozenset({"bool", "int"}),
    "int": frozenset({"int"}),
    "float": frozenset({"float"}),
    "list": frozenset({"list"}),
    "None": frozenset[str](),
    "tuple": frozenset[str](),
    _NUMPY: frozenset[str](),
}
"""For each type that a value may have in Python, those that it is an instance of."""


def is_instance(context: Context, node: ast.Call) -> ir.Expression:
    """``isinstance(x, int)``, also with a tuple or a union of types.  Raises ProgramError."""
    subject, kinds = arguments.positional(context.source, node, "isinstance", 2, 2)
    wanted = frozenset(_types(context, kinds))
    value = context.expression(context, subject)
    match value:
        case values.OptionalValue(flag, expression):
            some = values.ScalarValue(expression)
            return builders.both(builders.negate(flag), _decided(context, node, some, wanted))
        case _:
            return _decided(context, node, value, wanted)


def _types(context: Context, node: ast.expr) -> list[str]:
    match node:
        case ast.Tuple(elts=parts):
            return [name for part in parts for name in _types(context, part)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_types(context, left), *_types(context, right)]
        case ast.Name() if not is_local(context, node):
            known = context.module.known(node)
            if known is not None and known.role is Role.FUNCTION and known.name in _TYPES:
                return [known.name]
    shown = ast.unparse(node)
    raise context.error(
        node, Refusal.UNSUPPORTED_TYPE, f"'isinstance' with '{shown}' is not supported; with {_WITH} it is"
    )


_WITH = f"{', '.join(_TYPES[:-1])} and {_TYPES[-1]}"


def _decided(context: Context, node: ast.Call, value: Value, wanted: frozenset[str]) -> ir.Expression:
    """Whether all that the value may be in Python is an instance of the types, or nothing is."""
    answers = {bool(_ABOVE[kind] & wanted) for kind in _kinds(context, value)}
    if len(answers) == 1:
        return builders.TRUE if answers == {True} else builders.FALSE
    raise context.error(
        node,
        Refusal.UNSUPPORTED_TYPE,
        f"whether {values.describe_value(value)} is an instance here is not known; test a parameter's type",
    )


def _declared(context: Context, name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """The type that a mechanism's parameter is declared with; ``others`` if it isn't a single one."""
    scope = context.scope
    while scope.caller is not None:
        scope = scope.caller
    assert scope.function is not None
    annotations = {item.arg: item.annotation for item in scope.function.parameters}
    match annotations.get(name):
        case ast.Name(id=kind) | ast.Constant(value=str(kind)) if kind in _NUMBERS:
            return (kind,)
        case ast.Subscript(value=ast.Name(id="list" | "List") | ast.Attribute(attr="List")):
            return ("list",)
        case _:
            return others


def _kinds(context: Context, value: Value) -> tuple[str, ...]:
    """The types that a value may have in Python; there may be none that is known."""
    match value:
        case values.ScalarValue(ir.Variable(name)) if name in context.parameters:
            return _declared(context, name, _NUMBERS)
        case values.ScalarValue(ir.Constant(value=Fraction(denominator=below))) if below != 1:
            return ("float",)
        case values.ScalarValue(expression):
            known = {
                ir.Sort.BOOL: ("bool",),
                ir.Sort.INT: ("bool", "int"),
                ir.Sort.REAL: _NUMBERS,
            }[expression.sort]
            asked_by_user = context.module.stub is None  # stubs tell numbers from sequences
            return (*known, _NUMPY) if context.inference.uses_numpy and asked_by_user else known
        case values.NoneValue():
            return ("None",)
        case values.TupleValue():
            return ("tuple",)
        case values.ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            return _declared(context, parameter.name, ("list", "tuple"))
        case values.ListValue() | values.ListLiteral():
            return ("list",)
        case _:
            return ()
