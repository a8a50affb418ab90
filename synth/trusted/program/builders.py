"""Well-sorted expressions: operators that convert their operands and fold constants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from synth.trusted.program.syntax import Constant, Expression, Operation, Operator, Sort, subexpressions

LARGEST_BITS = 4096

TRUE = Constant(True, Sort.BOOL)
FALSE = Constant(False, Sort.BOOL)
ZERO = Constant(0, Sort.INT)
ONE = Constant(1, Sort.INT)

_ORDER = {Sort.BOOL: 0, Sort.INT: 1, Sort.REAL: 2}
_ZEROS = {Sort.BOOL: FALSE, Sort.INT: ZERO, Sort.REAL: Constant(Fraction(0), Sort.REAL)}
_FOLDS: dict[Operator, Callable[[Fraction | int, Fraction | int], Fraction | int]] = {
    Operator.ADD: lambda a, b: a + b,
    Operator.SUBTRACT: lambda a, b: a - b,
    Operator.MULTIPLY: lambda a, b: a * b,
}


def join(a: Sort, b: Sort) -> Sort:
    """The smallest sort that holds values of both."""
    return a if _ORDER[a] >= _ORDER[b] else b


def zero(sort: Sort) -> Constant:
    """The value that stands where there is none."""
    return _ZEROS[sort]


def integer(value: int) -> Constant:
    """An integer constant."""
    return Constant(value, Sort.INT)


def convert(expression: Expression, sort: Sort) -> Expression:
    """The expression in an equal or larger sort; booleans count as 0 and 1."""
    if expression.sort is sort:
        return expression
    if _ORDER[expression.sort] > _ORDER[sort]:
        raise AssertionError(f"{expression.sort} does not fit {sort}")
    if isinstance(expression, Constant):
        number = int(expression.value)
        return Constant(Fraction(number) if sort is Sort.REAL else number, sort)
    if expression.sort is Sort.BOOL:
        return choose(expression, convert(ONE, sort), zero(sort))
    return Operation(Operator.TO_REAL, (expression,), Sort.REAL)


def numeric(expression: Expression) -> Expression:
    """The expression as a number."""
    return convert(expression, join(expression.sort, Sort.INT))


def truth(expression: Expression) -> Expression:
    """What Python's ``bool`` makes of a scalar."""
    if expression.sort is Sort.BOOL:
        return expression
    return negate(equal(expression, zero(expression.sort)))


def unify(*expressions: Expression) -> tuple[Expression, ...]:
    """The expressions as numbers of one sort."""
    sort = Sort.INT
    for expression in expressions:
        sort = join(sort, expression.sort)
    return tuple(convert(expression, sort) for expression in expressions)


def arithmetic(operator: Operator, left: Expression, right: Expression) -> Expression:
    """``+``, ``-``, ``*``, minimum or maximum of two numbers."""
    left, right = unify(left, right)
    if isinstance(left, Constant) and isinstance(right, Constant) and operator in _FOLDS:
        value = _FOLDS[operator](_exact(left), _exact(right))
        if _small(value):
            return Constant(value, left.sort)
    if operator in (Operator.ADD, Operator.SUBTRACT) and right == zero(right.sort):
        return left
    if operator is Operator.ADD and left == zero(left.sort):
        return right
    return _shifted(operator, left, right) or Operation(operator, (left, right), left.sort)


def _shifted(operator: Operator, left: Expression, right: Expression) -> Expression | None:
    """``(x + a) - b`` as ``x + (a - b)``, for constants a and b."""
    match operator, left, right:
        case (
            Operator.ADD | Operator.SUBTRACT,
            Operation(Operator.ADD, (inner, Constant() as first)),
            Constant() as second,
        ):
            return add(inner, arithmetic(operator, first, second))
        case _:
            return None


def add(left: Expression, right: Expression) -> Expression:
    """The sum."""
    return arithmetic(Operator.ADD, left, right)


def subtract(left: Expression, right: Expression) -> Expression:
    """The difference."""
    return arithmetic(Operator.SUBTRACT, left, right)


def divide(left: Expression, right: Expression) -> Expression:
    """The real quotient."""
    left, right = convert(left, Sort.REAL), convert(right, Sort.REAL)
    if isinstance(left, Constant) and isinstance(right, Constant) and right.value != 0:
        value = Fraction(_exact(left)) / Fraction(_exact(right))
        if _small(value):
            return Constant(value, Sort.REAL)
    return Operation(Operator.DIVIDE, (left, right), Sort.REAL)


def power(base: Expression, exponent: Expression) -> Constant | None:
    """A power of one constant to another, an integer; None for others, or if it is too large."""
    match base, exponent:
        case Constant(value=number), Constant(value=int() as count):
            bits = max(number.numerator.bit_length(), number.denominator.bit_length())
            if bits * abs(count) <= LARGEST_BITS and (number or count >= 0):
                sort = Sort.REAL if count < 0 else base.sort
                value = Fraction(number) ** count
                return Constant(value if sort is Sort.REAL else int(value), sort)
    return None


def opposite(expression: Expression) -> Expression:
    """The number with the other sign."""
    expression = numeric(expression)
    if isinstance(expression, Constant):
        return Constant(-_exact(expression), expression.sort)
    return Operation(Operator.NEGATE, (expression,), expression.sort)


def magnitude(constant: Constant) -> Constant:
    """The absolute value."""
    value = _exact(constant)
    return Constant(-value if value < 0 else value, constant.sort)


def to_integer(operator: Operator, expression: Expression) -> Expression:
    """Round, floor, ceiling or truncation; integers stay as they are."""
    expression = numeric(expression)
    if expression.sort is Sort.INT:
        return expression
    return Operation(operator, (expression,), Sort.INT)


def equal(left: Expression, right: Expression) -> Expression:
    """Equality of scalars; of booleans, equivalence."""
    if left.sort is not Sort.BOOL or right.sort is not Sort.BOOL:
        left, right = unify(left, right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if left.value == right.value else FALSE
    return Operation(Operator.EQUAL, (left, right), Sort.BOOL)


def less(left: Expression, right: Expression) -> Expression:
    """``left < right``."""
    left, right = unify(left, right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if left.value < right.value else FALSE
    return Operation(Operator.LESS, (left, right), Sort.BOOL)


def less_equal(left: Expression, right: Expression) -> Expression:
    """``left <= right``."""
    left, right = unify(left, right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if left.value <= right.value else FALSE
    return Operation(Operator.LESS_EQUAL, (left, right), Sort.BOOL)


def negate(condition: Expression) -> Expression:
    """Logical negation; a comparison is turned round."""
    match condition:
        case Constant(value=value):
            return FALSE if value else TRUE
        case Operation(Operator.NOT, (inner,)):
            return inner
        case Operation(Operator.LESS, (left, right)):
            return Operation(Operator.LESS_EQUAL, (right, left), Sort.BOOL)
        case Operation(Operator.LESS_EQUAL, (left, right)):
            return Operation(Operator.LESS, (right, left), Sort.BOOL)
        case _:
            return Operation(Operator.NOT, (condition,), Sort.BOOL)


def both(*conditions: Expression) -> Expression:
    """The conjunction."""
    return _connect(Operator.AND, TRUE, FALSE, conditions)


def either(*conditions: Expression) -> Expression:
    """The disjunction."""
    return _connect(Operator.OR, FALSE, TRUE, conditions)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The conditions that a conjunction, or the negation of a disjunction, consists of."""
    match condition:
        case Operation(Operator.AND, operands):
            return operands
        case Operation(Operator.NOT, (Operation(Operator.OR, operands),)):
            return conjuncts(both(*map(negate, operands)))
        case _:
            return () if condition == TRUE else (condition,)


def disjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The conditions that a disjunction, or the negation of a conjunction, consists of."""
    match condition:
        case Operation(Operator.OR, operands):
            found = (part for operand in operands for part in disjuncts(operand))
            return tuple(found)
        case Operation(Operator.NOT, (Operation(Operator.AND, operands),)):
            return disjuncts(either(*map(negate, operands)))
        case _:
            return () if condition == FALSE else (condition,)


def _connect(
    operator: Operator, unit: Expression, absorber: Expression, conditions: tuple[Expression, ...]
) -> Expression:
    operands: list[Expression] = []
    for condition in conditions:
        if isinstance(condition, Constant):
            if condition == absorber:
                return absorber
        elif isinstance(condition, Operation) and condition.operator is operator:
            operands.extend(condition.operands)
        else:
            operands.append(condition)
    if len(operands) < 2:
        return operands[0] if operands else unit
    return Operation(operator, tuple(operands), Sort.BOOL)


def choose(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """``then if condition else otherwise``, for two expressions of one sort."""
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    if (then, otherwise) == (TRUE, FALSE):
        return condition
    if (then, otherwise) == (FALSE, TRUE):
        return negate(condition)
    return Operation(Operator.IF, (condition, then, otherwise), then.sort)


def is_small(expression: Expression, limit: int = 8) -> bool:
    """Whether an expression may stand in several places without blowing up the program."""
    return all(count < limit for count, _ in enumerate(subexpressions(expression)))


def _exact(constant: Constant) -> int | Fraction:
    return constant.value


def _small(value: int | Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= LARGEST_BITS
