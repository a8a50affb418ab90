"""Conditional evaluation: ``and``, ``or``, chained comparisons and conditional expressions.

A part that is only sometimes evaluated stays an expression if it needs no statements but
obligations, which then hold under the condition; otherwise it becomes a branch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arrays,
    entrywise,
    flattening,
    infinities,
    matrices,
    records,
    reductions,
    shapes,
    signs,
    sources,
    type_tests,
    uniforms,
    values,
)
from synth.trusted.frontend.chosen_limits import OfDraws
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import (
    ArrayValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Part = Callable[[], Value]
Evaluation = Callable[[Context, ast.expr], Value]


def condition(context: Context, node: ast.expr) -> ir.Expression:
    """An expression of which only Python's truth matters."""
    match node:
        case ast.BoolOp():
            value = _bool_operation(context, node, _truth)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return builders.negate(condition(context, operand))
        case _:
            value = context.expression(context, node)
    if isinstance(value, values.UniformValue):
        raise uniforms.refused(context, node)
    if isinstance(value, ArrayValue) and (value.length, value.mask) == (builders.ONE, None):
        value = ScalarValue(arrays.at(context, value, builders.ZERO))
    return truth(context, node, value)


def truth(context: Context, node: ast.expr, value: Value) -> ir.Expression:
    """Python's ``bool`` of a value; of a list of which records may be missing they are counted."""
    if isinstance(value, RecordsValue):
        return builders.less(builders.ZERO, records.length(context, value, node))
    return context.truth(value, node)


def bool_operation(context: Context, node: ast.BoolOp) -> Value:
    """``a and b`` or ``a or b``: of truth values a truth value, else one of the operands."""
    return _bool_operation(context, node, context.expression)


def _truth(context: Context, node: ast.expr) -> Value:
    return ScalarValue(condition(context, node))


def _bool_operation(context: Context, node: ast.BoolOp, evaluate: Evaluation) -> Value:
    result = evaluate(context, node.values[0])
    for operand in node.values[1:]:
        result = _connect(context, node, result, partial(evaluate, context, operand))
    return result


def _connect(context: Context, node: ast.BoolOp, left: Value, right: Part) -> Value:
    if isinstance(left, values.UniformValue):
        raise uniforms.refused(context, node)
    small = all(builders.is_small(part) for part in flattening.expressions(left))
    if not small and not _is_bool(left):
        left = context.save(left, node)
    guard = truth(context, node, left)
    conjunction = isinstance(node.op, ast.And)
    if _is_bool(left):
        left = ScalarValue(builders.FALSE if conjunction else builders.TRUE)
    if conjunction:
        return conditional(context, node, guard, right, lambda: left)
    return conditional(context, node, guard, lambda: left, right)


def _is_bool(value: Value) -> bool:
    return isinstance(value, ScalarValue) and value.expression.sort is ir.Sort.BOOL


def conditional_expression(context: Context, node: ast.IfExp) -> Value:
    """``a if test else b``."""
    sign = signs.of_expression(context, node)
    if sign is not None:
        return sign
    guard = condition(context, node.test)
    context.scope.sides.setdefault(node, set()).update(
        [node.body] if guard == builders.TRUE else [node.orelse] if guard == builders.FALSE else _sides(node)
    )
    return conditional(
        context,
        node,
        guard,
        lambda: context.expression(context, node.body),
        lambda: context.expression(context, node.orelse),
    )


def _sides(node: ast.IfExp) -> list[ast.expr]:
    return [node.body, node.orelse]


def conditional(context: Context, node: ast.expr, guard: ir.Expression, then: Part, otherwise: Part) -> Value:
    """The value of one part or the other, of which only one is evaluated."""
    if isinstance(guard, ir.Constant):
        return then() if guard == builders.TRUE else otherwise()
    start = dict(context.intervals)
    with context.nested() as first, uniforms.known(context, guard, True):
        left = then()
    with context.nested() as second, uniforms.other_side(context, guard, False, start):
        right = otherwise()
    shape = context.join(left, right, node)
    if any(not isinstance(statement, ir.Obligation) for statement in first + second):
        return _branch(context, node, guard, (first, left), (second, right), shape)
    _emit_guarded(context, guard, first)
    _emit_guarded(context, builders.negate(guard), second)
    return _select(guard, left, right, shape)


def _emit_guarded(context: Context, guard: ir.Expression, body: list[ir.Statement]) -> None:
    """Emit obligations that hold only under the guard, without what it says itself."""
    known = builders.conjuncts(guard)
    for statement in body:
        assert isinstance(statement, ir.Obligation)
        parts = [p for p in builders.conjuncts(statement.condition) if not _implied(p, known)]
        needed = builders.either(builders.negate(guard), builders.both(*parts))
        if needed != builders.TRUE:
            context.emit(replace(statement, condition=needed))


def _implied(condition: ir.Expression, known: tuple[ir.Expression, ...]) -> bool:
    return any(part in known for part in builders.disjuncts(condition))


def _select(guard: ir.Expression, left: Value, right: Value, shape: ir.Shape) -> Value:
    pairs = zip(flattening.flatten(left, shape), flattening.flatten(right, shape), strict=True)
    return flattening.rebuild(shape, (_choose(guard, a, b) for a, b in pairs))


def _choose(guard: ir.Expression, then: ir.Expression, otherwise: ir.Expression) -> ir.Expression:
    if then.sort is ir.Sort.BOOL:
        if otherwise in (builders.FALSE, guard):
            return builders.both(guard, then)
        if then in (builders.TRUE, guard):
            return builders.either(guard, otherwise)
    return builders.choose(guard, then, otherwise)


def _branch(
    context: Context,
    node: ast.expr,
    guard: ir.Expression,
    left: tuple[list[ir.Statement], Value],
    right: tuple[list[ir.Statement], Value],
    shape: ir.Shape,
) -> Value:
    """Both parts as branches that leave the value in hidden variables."""
    span = context.source.span(node)
    name = context.temporary("temp")
    branches = [_store(body, name, value, shape, span) for body, value in (left, right)]
    context.emit(ir.If(0, guard, branches[0], branches[1], span))
    return flattening.variable(name, shape)


def _store(
    body: list[ir.Statement], name: str, value: Value, shape: ir.Shape, span: ir.Span
) -> tuple[ir.Statement, ...]:
    names = (flat for flat, _ in flattening.components(name, shape))
    pairs = zip(names, flattening.flatten(value, shape), strict=True)
    return (*body, *(ir.Assign(flat, scalar, span) for flat, scalar in pairs))


def comparison(context: Context, node: ast.Compare) -> Value:
    """A comparison, possibly chained: the later operands are evaluated only if need be."""
    of_types = type_tests.is_type(context, node)
    if of_types is not None:
        return ScalarValue(of_types)
    left, right = context.ordered([node.left, node.comparators[0]])
    if isinstance(node.ops[0], ast.In | ast.NotIn) and _has_entries(left, right):
        return _chain(context, node, left, right, 0)
    two = isinstance(left, MatrixValue) or isinstance(right, MatrixValue)
    if (two or entrywise.has_array(left, right)) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return _of_arrays(context, node, left, right)
    return _chain(context, node, left, right, 0)


def of_draws(context: Context, node: OfDraws) -> Value:
    """A comparison that two were merged into, of uniform draws.  Raises ProgramError for all else."""
    left, right = context.ordered([node.left, node.comparators[0]])
    draws = left if isinstance(node.left, ast.Name) else right
    if not isinstance(draws, ArrayValue) or not entrywise.is_uniform(draws):
        raise uniforms.refused(context, node)
    return _of_arrays(context, node, left, right)


def _has_entries(value: Value, array: Value) -> bool:
    """Whether a number is looked for in an array of one dimension."""
    return isinstance(value, ScalarValue) and isinstance(array, ArrayValue)


def _of_arrays(context: Context, node: ast.Compare, left: Value, right: Value) -> Value:
    if len(node.ops) > 1:
        message = "a chained comparison of arrays has no value: use '&'"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)

    def compared(items: list[Value]) -> Value:
        return entrywise.compare(context, node, node.ops[0], *items)

    if isinstance(left, MatrixValue) or isinstance(right, MatrixValue):
        return matrices.flattened(context, node, (left, right), compared)
    return compared([left, right])


def _chain(context: Context, node: ast.Compare, left: Value, right: Value, place: int) -> Value:
    last = place + 1 == len(node.ops)
    if not last and not _is_stable(context, right, node.comparators[place + 1]):
        right = context.save(right, node)
    result = compare(context, node, node.ops[place], left, right)
    if last:
        return ScalarValue(result)

    def rest() -> Value:
        following = context.expression(context, node.comparators[place + 1])
        return _chain(context, node, right, following, place + 1)

    return conditional(context, node, result, rest, lambda: ScalarValue(builders.FALSE))


def _is_stable(context: Context, value: Value, following: ast.expr) -> bool:
    """Whether an operand can be written twice, before and after the next one is evaluated."""
    scalars = list(flattening.expressions(value))
    if reductions.has_effects(context, following) and not all(map(context.is_fixed, scalars)):
        return False
    return all(map(builders.is_small, scalars))


def compare(
    context: Context, node: ast.Compare, operator: ast.cmpop, left: Value, right: Value
) -> ir.Expression:
    """One comparison of two values."""
    match operator:
        case ast.Is() | ast.IsNot():
            if not any(map(_has_identity, (left, right))):
                same = _is_constant(context, node, left, right)
                if same is not None:
                    return same if isinstance(operator, ast.Is) else builders.negate(same)
                raise context.error(
                    node,
                    Refusal.UNSUPPORTED_CONSTRUCT,
                    "'is' is only supported with None, True, False and members of an Enum",
                )
            arrays = any(isinstance(item, ArrayValue | values.MatrixValue) for item in (left, right))
            same = builders.FALSE if arrays else equality(context, node, left, right)
            return same if isinstance(operator, ast.Is) else builders.negate(same)
        case ast.Eq():
            return equality(context, node, left, right)
        case ast.NotEq():
            return builders.negate(equality(context, node, left, right))
        case ast.In():
            return contains(context, node, left, right)
        case ast.NotIn():
            return builders.negate(contains(context, node, left, right))
    if infinities.is_one(left, right):
        return infinities.compare(context, node, operator, left, right)
    if isinstance(left, values.UniformValue) or isinstance(right, values.UniformValue):
        return uniforms.comparison(context, node, operator, left, right)
    first, second = context.numeric(left, node), context.numeric(right, node)
    match operator:
        case ast.Lt():
            return builders.less(first, second)
        case ast.LtE():
            return builders.less_equal(first, second)
        case ast.Gt():
            return builders.less(second, first)
        case _:
            return builders.less_equal(second, first)


def _has_identity(value: Value) -> bool:
    """Whether what is equal to a value is the value itself."""
    match value:
        case values.LabelValue(kind):
            return kind.is_enumeration
        case _:
            return isinstance(value, values.NoneValue | values.SourceValue)


def _is_constant(context: Context, node: ast.expr, left: Value, right: Value) -> ir.Expression | None:
    """``x is True``: that x is a truth value of Python's, and this one; None if no side is a constant."""
    for one, other in ((left, right), (right, left)):
        match one:
            case values.ScalarValue(ir.Constant(sort=ir.Sort.BOOL)):
                holds = type_tests.tested(context, node, other, {"bool"})
                type_tests.tested(context, node, one, {"bool"})  # refused, if numpy may have made it
                if holds == builders.FALSE:
                    return holds
                return builders.both(holds, equality(context, node, left, right))
    return None


def contains(context: Context, node: ast.Compare, value: Value, entries: Value) -> ir.Expression:
    """``value in entries``."""
    match entries:
        case values.TupleValue(items) | values.ListLiteral(items) | values.SetValue(items):
            return builders.either(*(equality(context, node, item, value) for item in items))
        case values.GeneratorValue(bounds=(start, stop)):
            number = context.numeric(value, node)
            if number.sort is not ir.Sort.INT:
                raise context.error(node, Refusal.WRONG_TYPE, "only integers are looked for in a range")
            return builders.both(builders.less_equal(start, number), builders.less(number, stop))
        case values.DictValue():
            known = context.keys_of(entries, node)
            return builders.either(*(equality(context, node, key, value) for key in known))
        case values.EnumValue(labels) if isinstance(value, values.LabelValue) and value.kind is labels:
            return builders.negate(value.none)
        case _ if (
            reductions.is_list(entries) or isinstance(entries, RecordsValue) or _has_entries(value, entries)
        ):
            return reductions.contains(context, node, entries, value)
        case _:
            kind = shapes.describe_value(entries)
            raise context.error(node, Refusal.WRONG_TYPE, f"'in' of {kind} is not supported")


def equality(context: Context, node: ast.expr, left: Value, right: Value) -> ir.Expression:
    """``left == right``."""
    match left, right:
        case (values.ExtendedValue(), values.NoneValue()) | (values.NoneValue(), values.ExtendedValue()):
            return builders.FALSE
        case (values.ExtendedValue(), _) | (_, values.ExtendedValue()):
            return infinities.equal(context, node, left, right)
        case (values.UniformValue(), _) | (_, values.UniformValue()):
            if isinstance(left, values.NoneValue) or isinstance(right, values.NoneValue):
                return builders.FALSE
            return uniforms.equality(context, node, left, right)
        case (values.SetValue(), other) | (other, values.SetValue()) if other != values.NoneValue():
            raise context.error(node, Refusal.WRONG_TYPE, "a comparison of a set is not supported")
        case (values.DictValue(), other) | (other, values.DictValue()) if other != values.NoneValue():
            raise context.error(node, Refusal.WRONG_TYPE, "a comparison of a dict is not supported")
        case (values.ObjectValue(kind=kind), values.NoneValue()) | (
            values.NoneValue(),
            values.ObjectValue(kind=kind),
        ):
            for name in ("__eq__", "__ne__"):
                kind.method(name)  # refused, if there is one
            return builders.FALSE
        case ((values.ObjectValue() | values.ClassValue()), _) | (
            _,
            (values.ObjectValue() | values.ClassValue()),
        ):
            raise context.error(node, Refusal.WRONG_TYPE, "a comparison of an object is not supported")
        case values.ScalarValue(a), values.ScalarValue(b):
            return builders.equal(a, b)
        case values.NoneValue(), values.NoneValue():
            return builders.TRUE
        case values.OptionalValue(flag, a), values.ScalarValue(b):
            return builders.both(builders.negate(flag), builders.equal(a, b))
        case values.OptionalValue(flag, a), values.OptionalValue(other, b):
            same = builders.either(flag, builders.equal(a, b))
            return builders.both(builders.equal(flag, other), same)
        case values.OptionalValue(flag), values.NoneValue():
            return flag
        case values.LabelValue(kind, a, none), values.LabelValue(other, b, missing):
            some = builders.both(builders.negate(none), builders.negate(missing))
            same = builders.equal(a, b) if kind is other else builders.FALSE
            return builders.either(builders.both(none, missing), builders.both(some, same))
        case (values.LabelValue(none=none), values.OptionalValue(flag)) | (
            values.OptionalValue(flag),
            values.LabelValue(none=none),
        ):
            return builders.both(none, flag)
        case (values.LabelValue(none=none), values.NoneValue()) | (
            values.NoneValue(),
            values.LabelValue(none=none),
        ):
            return none
        case values.SourceValue(), values.SourceValue():
            return sources.are_one(context, node, left, right)
        case (values.SourceValue(none=none), values.NoneValue()) | (
            values.NoneValue(),
            values.SourceValue(none=none),
        ):
            return none
        case ((values.ScalarValue() | values.NoneValue()), values.OptionalValue()):
            return equality(context, node, right, left)
        case values.TupleValue(first), values.TupleValue(second):
            if len(first) != len(second):
                return builders.FALSE
            pairs = zip(first, second, strict=True)
            return builders.both(*(equality(context, node, a, b) for a, b in pairs))
        case ((ArrayValue() | values.MatrixValue()), _):
            shown = shapes.describe_value(left)
            raise context.error(node, Refusal.WRONG_TYPE, f"a comparison of {shown} is not supported")
        case _, (ArrayValue() | values.MatrixValue()):
            return equality(context, node, right, left)
        case ((ListValue() | ListLiteral() | ParameterValue() | RecordsValue() | values.DataValue()), _):
            return _no_equality(context, node, left, right)
        case _, (ListValue() | ListLiteral() | ParameterValue() | RecordsValue() | values.DataValue()):
            return _no_equality(context, node, right, left)
        case (
            (values.ScalarValue() | values.OptionalValue()),
            (values.TupleValue() | values.EnumValue() | values.GeneratorValue()),
        ) if context.inference.uses_numpy:
            message = "numpy compares a number with each entry of what is no number: test its type instead"
            raise context.error(node, Refusal.WRONG_TYPE, message)
        case (
            (values.TupleValue() | values.EnumValue() | values.GeneratorValue()),
            (values.ScalarValue() | values.OptionalValue()),
        ):
            return equality(context, node, right, left)
        case _ if isinstance(left, _UNLIKE) and isinstance(right, _UNLIKE):
            return builders.FALSE
        case (values.NoneValue(), other) | (other, values.NoneValue()) if not isinstance(
            other, values.TypeValue
        ):
            return builders.FALSE
        case _:
            kinds = " and ".join(map(shapes.describe_value, (left, right)))
            raise context.error(node, Refusal.WRONG_TYPE, f"a comparison of {kinds} is not supported")


_UNLIKE = (
    values.ScalarValue,
    values.OptionalValue,
    values.LabelValue,
    values.TupleValue,
    values.SourceValue,
    values.NoneValue,
)
"""Kinds of values of which two that are not the same kind are not equal."""


def _no_equality(context: Context, node: ast.expr, value: Value, other: Value) -> ir.Expression:
    if isinstance(other, values.NoneValue):
        return builders.FALSE
    kind = shapes.describe_value(value)
    raise context.error(node, Refusal.WRONG_TYPE, f"a comparison of {kind} is not supported")
