"""Well-sorted expressions: operators that convert their operands and fold constants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from synth.trusted.program import syntax as ir

MAX_BITS = 4096
SMALL = 8
"""How many parts an expression may have that stands in several places."""

TRUE = ir.Constant(True, ir.Sort.BOOL)
FALSE = ir.Constant(False, ir.Sort.BOOL)
ZERO = ir.Constant(0, ir.Sort.INT)
ONE = ir.Constant(1, ir.Sort.INT)

_ORDER = {ir.Sort.BOOL: 0, ir.Sort.INT: 1, ir.Sort.REAL: 2}
_ZEROS = {ir.Sort.BOOL: FALSE, ir.Sort.INT: ZERO, ir.Sort.REAL: ir.Constant(Fraction(0), ir.Sort.REAL)}
_FOLDS: dict[ir.Operator, Callable[[Fraction | int, Fraction | int], Fraction | int]] = {
    ir.Operator.ADD: lambda a, b: a + b,
    ir.Operator.SUBTRACT: lambda a, b: a - b,
    ir.Operator.MULTIPLY: lambda a, b: a * b,
}


def join(a: ir.Sort, b: ir.Sort) -> ir.Sort:
    """The smallest sort that holds values of both."""
    return a if _ORDER[a] >= _ORDER[b] else b


def zero(sort: ir.Sort) -> ir.Constant:
    """The value that stands where there is none."""
    return _ZEROS[sort]


def integer(value: int) -> ir.Constant:
    """An integer constant."""
    return ir.Constant(value, ir.Sort.INT)


def convert(expression: ir.Expression, sort: ir.Sort) -> ir.Expression:
    """The expression in an equal or larger sort; booleans count as 0 and 1."""
    if expression.sort is sort:
        return expression
    if _ORDER[expression.sort] > _ORDER[sort]:
        raise AssertionError(f"{expression.sort} does not fit {sort}")
    if isinstance(expression, ir.Constant):
        number = int(expression.value)
        return ir.Constant(Fraction(number) if sort is ir.Sort.REAL else number, sort)
    if expression.sort is ir.Sort.BOOL:
        return choose(expression, convert(ONE, sort), zero(sort))
    return ir.Operation(ir.Operator.TO_REAL, (expression,), ir.Sort.REAL)


def numeric(expression: ir.Expression) -> ir.Expression:
    """The expression as a number."""
    return convert(expression, join(expression.sort, ir.Sort.INT))


def truth(expression: ir.Expression) -> ir.Expression:
    """What Python's ``bool`` makes of a scalar."""
    if expression.sort is ir.Sort.BOOL:
        return expression
    return negate(equal(expression, zero(expression.sort)))


def unify(*expressions: ir.Expression) -> tuple[ir.Expression, ...]:
    """The expressions as numbers of one sort."""
    sort = ir.Sort.INT
    for expression in expressions:
        sort = join(sort, expression.sort)
    return tuple(convert(expression, sort) for expression in expressions)


def arithmetic(operator: ir.Operator, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """``+``, ``-``, ``*``, minimum or maximum of two numbers."""
    left, right = unify(left, right)
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant) and operator in _FOLDS:
        value = _FOLDS[operator](_exact(left), _exact(right))
        if _small(value):
            return ir.Constant(value, left.sort)
    if operator in (ir.Operator.ADD, ir.Operator.SUBTRACT) and right == zero(right.sort):
        return left
    if operator is ir.Operator.ADD and left == zero(left.sort):
        return right
    return _shifted(operator, left, right) or ir.Operation(operator, (left, right), left.sort)


def _shifted(operator: ir.Operator, left: ir.Expression, right: ir.Expression) -> ir.Expression | None:
    """``(x + a) - b`` as ``x + (a - b)``, for constants a and b."""
    match operator, left, right:
        case (
            ir.Operator.ADD | ir.Operator.SUBTRACT,
            ir.Operation(ir.Operator.ADD, (inner, ir.Constant() as first)),
            ir.Constant() as second,
        ):
            return add(inner, arithmetic(operator, first, second))
        case _:
            return None


def add(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """The sum."""
    return arithmetic(ir.Operator.ADD, left, right)


def subtract(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """The difference."""
    return arithmetic(ir.Operator.SUBTRACT, left, right)


def divide(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """The real quotient."""
    left, right = convert(left, ir.Sort.REAL), convert(right, ir.Sort.REAL)
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant) and right.value != 0:
        value = Fraction(_exact(left)) / Fraction(_exact(right))
        if _small(value):
            return ir.Constant(value, ir.Sort.REAL)
    return ir.Operation(ir.Operator.DIVIDE, (left, right), ir.Sort.REAL)


def power(base: ir.Expression, exponent: ir.Expression) -> ir.Constant | None:
    """A power of one constant to another, an integer; None for others, or if it is too large."""
    match base, exponent:
        case ir.Constant(value=number), ir.Constant(value=int() as count):
            bits = max(number.numerator.bit_length(), number.denominator.bit_length())
            if bits * abs(count) <= MAX_BITS and (number or count >= 0):
                sort = ir.Sort.REAL if count < 0 else base.sort
                value = Fraction(number) ** count
                return ir.Constant(value if sort is ir.Sort.REAL else int(value), sort)
    return None


def opposite(expression: ir.Expression) -> ir.Expression:
    """The number with the other sign."""
    expression = numeric(expression)
    if isinstance(expression, ir.Constant):
        return ir.Constant(-_exact(expression), expression.sort)
    return ir.Operation(ir.Operator.NEGATE, (expression,), expression.sort)


def magnitude(constant: ir.Constant) -> ir.Constant:
    """The absolute value."""
    value = _exact(constant)
    return ir.Constant(-value if value < 0 else value, constant.sort)


def to_integer(operator: ir.Operator, expression: ir.Expression) -> ir.Expression:
    """Round, floor, ceiling or truncation; integers stay as they are."""
    expression = numeric(expression)
    match expression:
        case ir.Operation(ir.Operator.TO_REAL, (inner,)) if inner.sort is ir.Sort.INT:
            return inner
    if expression.sort is ir.Sort.INT:
        return expression
    return ir.Operation(operator, (expression,), ir.Sort.INT)


def equal(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """Equality of scalars; of booleans, equivalence."""
    if left.sort is not ir.Sort.BOOL or right.sort is not ir.Sort.BOOL:
        left, right = unify(left, right)
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant):
        return TRUE if left.value == right.value else FALSE
    return ir.Operation(ir.Operator.EQUAL, (left, right), ir.Sort.BOOL)


def less(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """``left < right``."""
    left, right = unify(left, right)
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant):
        return TRUE if left.value < right.value else FALSE
    return ir.Operation(ir.Operator.LESS, (left, right), ir.Sort.BOOL)


def less_equal(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """``left <= right``."""
    left, right = unify(left, right)
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant):
        return TRUE if left.value <= right.value else FALSE
    return ir.Operation(ir.Operator.LESS_EQUAL, (left, right), ir.Sort.BOOL)


def negate(condition: ir.Expression) -> ir.Expression:
    """Logical negation; a comparison is turned round."""
    match condition:
        case ir.Constant(value=value):
            return FALSE if value else TRUE
        case ir.Operation(ir.Operator.NOT, (inner,)):
            return inner
        case ir.Operation(ir.Operator.LESS, (left, right)):
            return ir.Operation(ir.Operator.LESS_EQUAL, (right, left), ir.Sort.BOOL)
        case ir.Operation(ir.Operator.LESS_EQUAL, (left, right)):
            return ir.Operation(ir.Operator.LESS, (right, left), ir.Sort.BOOL)
        case _:
            return ir.Operation(ir.Operator.NOT, (condition,), ir.Sort.BOOL)


def both(*conditions: ir.Expression) -> ir.Expression:
    """The conjunction."""
    return _connect(ir.Operator.AND, TRUE, FALSE, conditions)


def either(*conditions: ir.Expression) -> ir.Expression:
    """The disjunction."""
    return _connect(ir.Operator.OR, FALSE, TRUE, conditions)


def conjuncts(condition: ir.Expression) -> tuple[ir.Expression, ...]:
    """The conditions that a conjunction, or the negation of a disjunction, consists of."""
    match condition:
        case ir.Operation(ir.Operator.AND, operands):
            return operands
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.OR, operands),)):
            return conjuncts(both(*map(negate, operands)))
        case _:
            return () if condition == TRUE else (condition,)


def disjuncts(condition: ir.Expression) -> tuple[ir.Expression, ...]:
    """The conditions that a disjunction, or the negation of a conjunction, consists of."""
    match condition:
        case ir.Operation(ir.Operator.OR, operands):
            found = (part for operand in operands for part in disjuncts(operand))
            return tuple(found)
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.AND, operands),)):
            return disjuncts(either(*map(negate, operands)))
        case _:
            return () if condition == FALSE else (condition,)


def _connect(
    operator: ir.Operator, unit: ir.Expression, absorber: ir.Expression, conditions: tuple[ir.Expression, ...]
) -> ir.Expression:
    operands: list[ir.Expression] = []
    for condition in conditions:
        if isinstance(condition, ir.Constant):
            if condition == absorber:
                return absorber
        elif isinstance(condition, ir.Operation) and condition.operator is operator:
            operands.extend(condition.operands)
        else:
            operands.append(condition)
    if len(operands) < 2:
        return operands[0] if operands else unit
    return ir.Operation(operator, tuple(operands), ir.Sort.BOOL)


def choose(condition: ir.Expression, then: ir.Expression, otherwise: ir.Expression) -> ir.Expression:
    """``then if condition else otherwise``, for two expressions of one sort."""
    if isinstance(condition, ir.Constant):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    if (then, otherwise) == (TRUE, FALSE):
        return condition
    if (then, otherwise) == (FALSE, TRUE):
        return negate(condition)
    return ir.Operation(ir.Operator.IF, (condition, then, otherwise), then.sort)


def is_small(expression: ir.Expression, limit: int = SMALL) -> bool:
    """Whether an expression may stand in several places without blowing up the program."""
    return all(count < limit for count, _ in enumerate(ir.subexpressions(expression)))


def _exact(constant: ir.Constant) -> int | Fraction:
    return constant.value


def _small(value: int | Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
