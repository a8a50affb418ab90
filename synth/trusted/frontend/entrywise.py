"""Operators on arrays: entry by entry, with arrays of the same length or with a number for all of them.

Around noise that is still to be drawn, sums are its centre: ``a + noise`` is noise around the entries of
``a``, and ``a - noise`` as well if the noise is symmetric.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arithmetic, arrays, uniforms
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import INDEX, UNIFORM_NOISE, ArrayValue, MatrixValue, ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

SYMMETRIC = ("laplace", "gaussian")

Operand = ArrayValue | ir.Expression
Compute = Callable[[Sequence[ir.Expression]], ir.Expression]
"""The entry of the result, from those of the operands; it emits nothing but obligations if it can."""


def has_array(*operands: Value) -> bool:
    """Whether an operator is one of arrays."""
    return any(isinstance(operand, ArrayValue) for operand in operands)


def binary(
    context: Context,
    node: ast.expr | ast.stmt,
    operator: ast.operator,
    left: Value,
    right: Value,
    *,
    only: ir.Expression | None = None,
) -> ArrayValue:
    """``left operator right``; see :func:`combined`."""
    shares = _shares(context, node, operator, left, right)
    if shares is not None:
        return shares
    a, b = _operands(context, node, (left, right))
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor):
        if not all(isinstance(part, ArrayValue | ScalarValue) for part in (left, right)):
            message = "an array and a list have no '&', '|' or '^': numpy makes reals of an empty list"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        return _logical(context, node, operator, a, b)
    _check_truths(context, node, operator, a, b)
    if isinstance(operator, ast.Add | ast.Sub):
        shifted = _around(context, node, isinstance(operator, ast.Sub), a, b)
        if shifted is not None:
            return shifted

    def compute(entries: Sequence[ir.Expression]) -> ir.Expression:
        first, second = map(builders.numeric, entries)
        return arithmetic.numbers(context, node, operator, first, second)

    return combined(context, node, (a, b), compute, only=only)


def _shares(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> ArrayValue | None:
    """An array divided by the sum of its own entries: they sum up to 1 then."""
    match operator, left, right:
        case (
            ast.Div(),
            ArrayValue() as array,
            ScalarValue(ir.Variable(name) | ir.Operation(ir.Operator.TO_REAL, (ir.Variable(name),)) as total),
        ):
            summed = context.sums.get(name)
        case _:
            return None
    if summed is None or replace(summed, owner="") != replace(array, owner=""):
        return None
    if not arrays.is_stable(context, array):
        return None
    divisor = arrays.number(context, total, node)

    def compute(entries: Sequence[ir.Expression]) -> ir.Expression:
        return arithmetic.numbers(context, node, operator, *map(builders.numeric, entries))

    if not _is_positive(array.entry):
        return replace(combined(context, node, (array, divisor), compute), whole=replace(array, owner=""))
    # A sum of positive numbers is positive, and of none there is nothing to divide.
    entry = builders.divide(array.entry, divisor)
    made = arrays.kept(context, ArrayValue(array.length, entry), node)
    return replace(made, whole=replace(array, owner=""))


def _is_positive(entry: ir.Expression) -> bool:
    return isinstance(entry, ir.Operation) and entry.operator is ir.Operator.EXPONENTIAL


def negative(context: Context, node: ast.UnaryOp, array: ArrayValue) -> ArrayValue:
    """``-array``."""
    if array.entry.sort is ir.Sort.BOOL:
        raise context.error(node, Refusal.WRONG_TYPE, "'-' of an array of truth values: use '~'")
    if array.noise is not None and array.noise.distribution in SYMMETRIC:
        return replace(array, entry=builders.opposite(array.entry), owner="")
    return combined(context, node, (array,), lambda entries: builders.opposite(entries[0]))


def inverse(context: Context, node: ast.UnaryOp, array: ArrayValue) -> ArrayValue:
    """``~array``, of truth values."""
    if array.entry.sort is not ir.Sort.BOOL:
        raise context.error(node, Refusal.WRONG_TYPE, "'~' is only supported of truth values")
    return combined(context, node, (array,), lambda entries: builders.negate(entries[0]))


def compare(
    context: Context, node: ast.Compare, operator: ast.cmpop, left: Value, right: Value
) -> ArrayValue:
    """``left operator right``, an array of truth values."""
    if any(isinstance(item, ArrayValue) and is_uniform(item) for item in (left, right)):
        return _coins(context, node, operator, left, right)
    operands = _operands(context, node, (left, right))
    return combined(context, node, operands, lambda entries: _compared(context, node, operator, *entries))


def is_uniform(array: ArrayValue) -> bool:
    """Whether the entries are uniform draws that are still to be made."""
    return array.noise is not None and array.noise.distribution == UNIFORM_NOISE


def _coins(context: Context, node: ast.Compare, operator: ast.cmpop, left: Value, right: Value) -> ArrayValue:
    """A comparison of uniform draws: a coin for each."""
    operands = _operands(context, node, (left, right))
    plain = [
        item if isinstance(item, ArrayValue) and is_uniform(item) else _settled(context, item, node)
        for item in operands
    ]
    found = [item for item in plain if isinstance(item, ArrayValue)]
    if any(
        item.mask is not None or item.entry != builders.zero(ir.Sort.REAL)
        for item in found
        if is_uniform(item)
    ):
        raise uniforms.refused(context, node)
    require_equal_lengths(context, node, found)

    def coin(index: ir.Expression) -> ir.Expression:
        sides: list[Value] = []
        for item in plain:
            if not isinstance(item, ArrayValue):
                sides.append(ScalarValue(item))
            elif is_uniform(item):
                sides.append(uniforms.make(context))
            else:
                sides.append(ScalarValue(arrays.at(context, item, index)))
        return uniforms.comparison(context, node, operator, *sides)

    return arrays.collected(context, found[0].length, coin, node)


def _compared(
    context: Context, node: ast.expr, operator: ast.cmpop, first: ir.Expression, second: ir.Expression
) -> ir.Expression:
    match operator:
        case ast.Eq():
            return builders.equal(first, second)
        case ast.NotEq():
            return builders.negate(builders.equal(first, second))
        case ast.Lt():
            return builders.less(first, second)
        case ast.LtE():
            return builders.less_equal(first, second)
        case ast.Gt():
            return builders.less(second, first)
        case ast.GtE():
            return builders.less_equal(second, first)
        case _:
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, "this comparison of arrays is not supported")


def combined(
    context: Context,
    node: ast.expr | ast.stmt,
    operands: Sequence[Operand],
    compute: Compute,
    *,
    only: ir.Expression | None = None,
) -> ArrayValue:
    """The array whose entries are computed of those of the operands, of which one at least is an array.

    What an entry asks for is shown, as numpy computes it whether it is used or not; if ``only`` some are
    computed, over :data:`~values.INDEX`, the others don't matter.
    """
    plain = _with_one_mask(context, operands, node)
    found = [operand for operand in plain if isinstance(operand, ArrayValue)]
    require_equal_lengths(context, node, found)
    with context.nested() as body:
        entry = compute([entry_of(operand) for operand in plain])
    if not all(isinstance(statement, ir.Obligation) for statement in body):
        plain = [_short(context, operand, node) for operand in plain]
        found = [operand for operand in plain if isinstance(operand, ArrayValue)]
        with context.nested() as body:
            entry = compute([entry_of(operand) for operand in plain])
    own = [statement for statement in body if isinstance(statement, ir.Obligation)]
    if len(own) < len(body):
        return _in_turn(context, node, [_settled(context, operand, node) for operand in plain], compute)
    inside = builders.conjuncts(_inside(found[0].length))
    asked = [item for item in own if not set(builders.conjuncts(item.condition)) <= set(inside)]
    made = ArrayValue(found[0].length, entry, found[0].mask)
    arrays.demand(context, made if only is None else replace(made, mask=only), asked, node)
    return arrays.kept(context, made, node)


def _with_one_mask(context: Context, operands: Sequence[Operand], node: Located) -> list[Operand]:
    """The operands, drawn; the arrays have the same mask over as many indices, or none has one.

    With the same mask the entries that stand at one index are at one place of all arrays.
    """
    found = [operand for operand in operands if isinstance(operand, ArrayValue)]
    if len({(item.length, item.mask) for item in found}) == 1 and all(item.noise is None for item in found):
        return list(operands)
    return [_settled(context, operand, node) for operand in operands]


def _inside(length: ir.Expression) -> ir.Expression:
    """What is known of an index."""
    return builders.both(builders.less_equal(builders.ZERO, INDEX), builders.less(INDEX, length))


def _in_turn(
    context: Context, node: ast.expr | ast.stmt, operands: Sequence[Operand], compute: Compute
) -> ArrayValue:
    """The array of what is computed of the entries one after the other, by statements."""
    found = [operand for operand in operands if isinstance(operand, ArrayValue)]

    def entry(index: ir.Expression) -> ir.Expression:
        return compute(
            [
                arrays.at(context, operand, index) if isinstance(operand, ArrayValue) else operand
                for operand in operands
            ]
        )

    return arrays.collected(context, found[0].length, entry, node)


def require_equal_lengths(context: Context, node: Located, found: Sequence[ArrayValue]) -> None:
    """Emit the obligation that arrays have equal lengths: else they don't fit, or numpy repeats an entry."""
    for other in found[1:]:
        if other.length != found[0].length:
            same = builders.equal(found[0].length, other.length)
            if same == builders.FALSE:
                lengths = " and ".join(str(item.length.value) for item in (found[0], other))  # type: ignore
                raise context.error(node, Refusal.UNSUPPORTED_ARRAY, f"arrays of the lengths {lengths}")
            context.require("domain", same, "arrays of different lengths", node)


def _operands(context: Context, node: Located, operands: Sequence[Value]) -> list[Operand]:
    """The operands as arrays and numbers."""
    return stretched(context, node, [operand(context, node, item) for item in operands])


def stretched(context: Context, node: Located, operands: Sequence[Operand]) -> list[Operand]:
    """The operands, where an array of one entry beside a longer one is that number."""
    lengths = {item.length for item in operands if isinstance(item, ArrayValue)}
    if len(lengths) < 2 or builders.ONE not in lengths:
        return list(operands)
    return [
        arrays.number(context, arrays.at(context, item, builders.ZERO), node)
        if isinstance(item, ArrayValue) and item.length == builders.ONE and item.mask is None
        else item
        for item in operands
    ]


def operand(context: Context, node: Located, value: Value) -> Operand:
    """A sequence as an array, and a number that doesn't change."""
    array = arrays.from_value(context, value, node)
    return array if array is not None else arrays.number(context, context.scalar(value, node), node)


def entry_of(operand: Operand) -> ir.Expression:
    """The entry of an array at :data:`~values.INDEX`, or the number."""
    return operand.entry if isinstance(operand, ArrayValue) else operand


def _settled(context: Context, operand: Operand, node: Located) -> Operand:
    """The operand; one whose entries are not all there, or not drawn yet, in a list."""
    if isinstance(operand, ArrayValue) and (operand.noise is not None or operand.mask is not None):
        return arrays.filled(context, operand, node)
    return operand


def _short(context: Context, operand: Operand, node: Located) -> Operand:
    """The operand with entries that may be repeated, and without a mask."""
    if isinstance(operand, ArrayValue) and (operand.mask is not None or not builders.is_small(operand.entry)):
        return arrays.filled(context, operand, node)
    return operand


def _logical(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, a: Operand, b: Operand
) -> ArrayValue:
    if any(entry_of(item).sort is not ir.Sort.BOOL for item in (a, b)):
        message = "'&', '|' and '^' are only supported of truth values"
        raise context.error(node, Refusal.WRONG_TYPE, message)

    def compute(entries: Sequence[ir.Expression]) -> ir.Expression:
        match operator:
            case ast.BitAnd():
                return builders.both(*entries)
            case ast.BitOr():
                return builders.either(*entries)
            case _:
                return builders.negate(builders.equal(*entries))

    return combined(context, node, (a, b), compute)


def _check_truths(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, a: Operand, b: Operand
) -> None:
    """Refuse arithmetic of truth values, which is that of neither numbers nor small integers in numpy."""
    truths = [entry_of(item).sort is ir.Sort.BOOL for item in (a, b)]
    if all(truths):
        message = "arithmetic of arrays of truth values is not supported: use '&', '|', '^', or astype(int)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    arithmetic.check_numpy(context, node, operator, entry_of(a), entry_of(b))


def _around(
    context: Context, node: ast.expr | ast.stmt, subtract: bool, a: Operand, b: Operand
) -> ArrayValue | None:
    """The sum or difference of noise and something else, as noise around the sum of the centres."""
    first, second = _noisy(a), _noisy(b)
    if first is None and second is None:
        return None
    if first is None and subtract and second is not None and not _is_symmetric(second):
        return None
    if first is not None:
        a, b = first, _settled(context, b, node)
    if entry_of(a).sort is not entry_of(b).sort and (first or second).entry.sort is not ir.Sort.REAL:  # type: ignore
        return None
    drawn = first or second
    assert drawn is not None and drawn.noise is not None
    plain = [replace(item, noise=None) if isinstance(item, ArrayValue) else item for item in (a, b)]
    compute = builders.subtract if subtract else builders.add
    center = combined(context, node, plain, lambda entries: compute(*map(builders.numeric, entries)))
    return replace(center, noise=drawn.noise)


def _noisy(operand: Operand) -> ArrayValue | None:
    if isinstance(operand, ArrayValue) and operand.noise is not None and operand.mask is None:
        return operand
    return None


def _is_symmetric(array: ArrayValue) -> bool:
    return array.noise is not None and array.noise.distribution in SYMMETRIC


def unary(context: Context, node: ast.UnaryOp, array: ArrayValue) -> ArrayValue:
    """``-array``, ``+array`` or ``~array``."""
    match node.op:
        case ast.USub():
            return negative(context, node, array)
        case ast.Invert():
            return inverse(context, node, array)
        case _ if array.entry.sort is ir.Sort.BOOL:
            raise context.error(node, Refusal.WRONG_TYPE, "'+' of an array of truth values")
        case _:
            return replace(array, owner="")


def in_place(context: Context, node: ast.AugAssign, old: ArrayValue, value: Value) -> Value:
    """What an array holds that was changed in place: its length and the type of its entries stay."""
    grown = isinstance(value, ArrayValue) and old.length == builders.ONE != value.length
    if grown or isinstance(value, MatrixValue):
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, "an array can't hold one of another shape")
    if isinstance(value, ArrayValue) and value.entry.sort is not old.entry.sort:
        kinds = {ir.Sort.BOOL: "truth values", ir.Sort.INT: "integers", ir.Sort.REAL: "reals"}
        message = f"an array of {kinds[old.entry.sort]} can't hold {kinds[value.entry.sort]}"
        raise context.error(node, Refusal.WRONG_TYPE, f"{message}: use astype")
    return replace(value, owner=old.owner) if isinstance(value, ArrayValue) else value
