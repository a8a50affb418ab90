"""Uniform real draws: what a comparison with one decides is a coin, and two formulas of one are noise.

For u uniform on 0..1, ``u < p`` is true with chance p.  Behind it u is uniform on what is left: below p, or
above.  ``log(u)`` is minus an exponential draw; for v = 2u - 1, the sign of v and log(1 - abs(v)) are
independent, and their product is a Laplace draw (both by inverse distribution functions).  So a uniform draw
is made where it is used, and used once in each run.

For an exponential draw e and a uniform one u, e*cos(pi*u) has the characteristic function 1/sqrt(1 + t**2),
the mean of 1/(1 - i*t*cos(x)) over all angles x.  So the sum of two of these, independent, has that of a
Laplace draw, 1/(1 + t**2).  sqrt(2*e)*cos(2*pi*u) is a normal draw (Box and Muller 1958), and so it is with
pi*u, whose cosine has the same law.

For s < 0, q = exp(s) and w uniform on -(1 + q)/2..(1 + q)/2, the sign of w and M = floor(log(abs(w)) / s) are
independent.  M is k where abs(w) is in q**(k + 1)..q**k, and at most (1 + q)/2: 0 with the chance
(1 - q)/(1 + q), and k > 0 with 2*(1 - q)*q**k/(1 + q).  So their product is a discrete Laplace draw of the
scale -1/s: -k and k have the same chance, in proportion to q**k.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.context import Context, Interval
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import ScalarValue, UniformKind, UniformValue, Value
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, names
from synth.trusted.program.substitution import replaced

_ZERO = builders.zero(ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
_TWO = ir.Constant(Fraction(2), ir.Sort.REAL)
_HALVED = ir.Constant(Fraction(1, 2), ir.Sort.REAL)
_MINUS_HALF = ir.Constant(Fraction(-1, 2), ir.Sort.REAL)
_LINEAR, _SPREAD, _SIGN, _LOG, _TURN, _COSINE, _HALF, _DEPTH, _FLOOR, _WHOLE = UniformKind


def make(context: Context) -> UniformValue:
    """A draw that is still to be made."""
    context.uniform = True
    return UniformValue(context.number(), tuple(context.around), _LINEAR, _ONE, _ZERO)


def refused(context: Context, node: Located) -> ProgramError:
    """The error for a uniform draw that is used in another way."""
    message = "there is no model of this formula with a uniform real"
    return context.error(node, Refusal.UNIFORM_IN_FORMULA, message)


# --- comparisons ------------------------------------------------------------------------


def comparison(
    context: Context, node: ast.Compare, operator: ast.cmpop, left: Value, right: Value
) -> ir.Expression:
    """A comparison of which one side is a uniform draw: a coin.  Raises ProgramError."""
    below = isinstance(operator, ast.Lt | ast.LtE)
    if not below and not isinstance(operator, ast.Gt | ast.GtE):
        raise refused(context, node)
    draw, other = left, right
    if not isinstance(draw, UniformValue):
        draw, other, below = right, left, not below
    if not isinstance(draw, UniformValue) or draw.kind is not _LINEAR or isinstance(other, UniformValue):
        raise refused(context, node)
    limit = builders.subtract(_real(context, other, node), draw.offset)
    factor = draw.factor
    if isinstance(factor, ir.Constant) and factor.value < 0:
        below, limit, factor = not below, builders.opposite(limit), builders.opposite(factor)
    if not isinstance(factor, ir.Constant):
        positive = builders.less(_ZERO, factor)
        context.require("domain", positive, "a uniform draw from an empty range", node)
    if factor != _ONE:
        limit = builders.divide(limit, factor)
    low, high = _interval(context, draw, node)
    coin = _coin(context, low, high, limit, node)
    context.halves[coin.name] = (draw.number, (low, limit), (limit, high))
    return coin if below else builders.negate(coin)


def equality(context: Context, node: Located, left: Value, right: Value) -> ir.Expression:
    """Whether a draw is just a number that knows nothing of it: that has no chance.  Raises ProgramError."""
    draw, other = (left, right) if isinstance(left, UniformValue) else (right, left)
    if not isinstance(draw, UniformValue) or draw.kind is not _LINEAR or isinstance(other, UniformValue):
        raise refused(context, node)
    if not isinstance(draw.factor, ir.Constant) or draw.factor.value == 0:
        raise refused(context, node)
    _real(context, other, node)
    if draw.around != tuple(context.around) or context.intervals.get(draw.number, (_ZERO, _ONE)) is None:
        raise _twice(context, node)
    return builders.FALSE


def _interval(context: Context, draw: UniformValue, node: Located) -> Interval:
    """Where the draw is known to be; from then on nothing is known of it.  Raises ProgramError."""
    known = context.intervals.get(draw.number, (_ZERO, _ONE))
    if known is None or draw.around != tuple(context.around):
        raise _twice(context, node)
    context.intervals[draw.number] = None
    return known


def _coin(
    context: Context, low: ir.Expression, high: ir.Expression, limit: ir.Expression, node: Located
) -> ir.Variable:
    chance = limit
    if (low, high) != (_ZERO, _ONE):
        width = builders.subtract(high, low)
        context.require("divisor", builders.less(low, high), "a uniform draw from an empty range", node)
        chance = builders.divide(builders.subtract(limit, low), width)
    inside = builders.both(builders.less_equal(_ZERO, chance), builders.less_equal(chance, _ONE))
    reason = "what a uniform draw is compared with must be between its ends"
    context.require("scale", inside, reason, node)
    index = ir.Variable(context.temporary("outcome"), ir.Sort.BOOL)
    name = context.temporary("draw")
    law = laws.bernoulli(index, chance)
    context.emit(ir.Choose(0, name, "bernoulli", index.name, law, index.sort, context.source.span(node)))
    context.unnamed_draws.add(name)
    return ir.Variable(name, ir.Sort.BOOL)


@contextmanager
def known(context: Context, guard: ir.Expression, holds: bool) -> Iterator[None]:
    """Read what runs only if a condition holds, or doesn't: of a uniform draw it may say where it is."""
    with joined(context):
        half = _half(context, guard, holds)
        if half is not None:
            context.intervals[half[0]] = half[1]
        yield


@contextmanager
def other_side(
    context: Context, guard: ir.Expression, holds: bool, start: Mapping[int, Interval | None]
) -> Iterator[None]:
    """Read the second side of a branch, which finds the draws as they were when it began, at ``start``.

    Only one side is run.  Behind it nothing is known of the draws that either of them looks at.
    """
    used = _changed(context, start)
    context.intervals.clear()
    context.intervals.update(start)
    left_behind(context, guard, holds)
    try:
        yield
    finally:
        context.intervals.update(dict.fromkeys(used | _changed(context, start)))


def _changed(context: Context, start: Mapping[int, Interval | None]) -> set[int]:
    return {item for item, where in context.intervals.items() if item not in start or start[item] != where}


@contextmanager
def joined(context: Context) -> Iterator[None]:
    """Read what may not run, or not to its end: behind it nothing is known of the draws that it looks at."""
    before = dict(context.intervals)
    try:
        yield
    finally:
        for number, interval in context.intervals.items():
            if number not in before or before[number] != interval:
                context.intervals[number] = None


def left_behind(context: Context, guard: ir.Expression, holds: bool) -> None:
    """Go on where a condition holds, or doesn't, for sure: the other branch has been left."""
    half = _half(context, guard, holds)
    if half is not None:
        context.intervals[half[0]] = half[1]


def _half(context: Context, guard: ir.Expression, holds: bool) -> tuple[int, Interval] | None:
    match guard:
        case ir.Operation(ir.Operator.NOT, (inner,)):
            return _half(context, inner, not holds)
        case ir.Variable(name) if name in context.halves:
            number, below, above = context.halves[name]
            return number, below if holds else above
        case _:
            return None


# --- formulas ---------------------------------------------------------------------------


def binary(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> Value:
    """Arithmetic with a uniform draw.  Raises ProgramError for what is no noise."""
    if isinstance(left, UniformValue) and isinstance(right, UniformValue):
        if left.kind is right.kind is _HALF:
            return _whole(context, node, operator, left, right)
        return _product(context, node, operator, left, right)
    for one, other_one in ((left, right), (right, left)):
        if isinstance(one, UniformValue) and one.kind in (_TURN, _COSINE):
            if one.kind is _TURN or not isinstance(operator, ast.Mult):
                raise refused(context, node)
            return _at_an_angle(context, node, one, other_one)
    if isinstance(left, UniformValue):
        other = _real(context, right, node)
        match operator:
            case ast.Add():
                return _shifted(context, node, left, other)
            case ast.Sub():
                return _shifted(context, node, left, builders.opposite(other))
            case ast.Mult():
                return scaled(left, other)
            case ast.Div():
                nonzero = builders.negate(builders.equal(other, _ZERO))
                context.require("divisor", nonzero, "division by zero", node)
                return scaled(left, builders.divide(_ONE, other))
    if isinstance(right, UniformValue):
        other = _real(context, left, node)
        match operator:
            case ast.Add():
                return _shifted(context, node, right, other)
            case ast.Sub():
                return _shifted(context, node, negative(right), other)
            case ast.Mult():
                return scaled(right, other)
    raise refused(context, node)


def negative(value: UniformValue) -> UniformValue:
    """``-value``."""
    return replace(value, factor=builders.opposite(value.factor), offset=builders.opposite(value.offset))


def magnitude(context: Context, node: Located, value: UniformValue) -> Value:
    """``abs(value)`` of a draw that is uniform around 0.  Raises ProgramError."""
    return replace(value, kind=_SPREAD, factor=_half_width(context, node, value), offset=_ZERO)


def as_real(context: Context, node: Located, value: UniformValue) -> Value:
    """``float(value)``, which it is, if it isn't the integer of a logarithm."""
    return replace(value, kind=_WHOLE) if value.kind is _FLOOR else value


def sign(context: Context, node: Located, value: UniformValue) -> UniformValue:
    """The sign of a draw that is uniform around 0.  Raises ProgramError."""
    if not is_around_zero(value):
        raise refused(context, node)
    if not isinstance(value.factor, ir.Constant):
        nonzero = builders.negate(builders.equal(value.factor, _ZERO))
        context.require("domain", nonzero, "a uniform draw from an empty range", node)
    return replace(value, kind=_SIGN, factor=_ONE, offset=_ZERO, of=value)


def is_around_zero(value: UniformValue) -> bool:
    """Whether 0 is the middle of a draw's range."""
    match value:
        case UniformValue(kind=UniformKind.LINEAR, factor=ir.Constant(factor), offset=ir.Constant(offset)):
            return factor == -2 * offset and factor != 0
        case UniformValue(kind=UniformKind.LINEAR, factor=factor, offset=offset):
            return not isinstance(factor, ir.Constant) and offset == _times(_MINUS_HALF, factor)
        case _:
            return False


def logarithm(context: Context, node: Located, value: UniformValue) -> Value:
    """``log(value)`` of a draw from 0..1.  Raises ProgramError for other ones."""
    match value:
        case UniformValue(
            kind=UniformKind.LINEAR, factor=ir.Constant(factor), offset=ir.Constant(offset)
        ) if (factor, offset) in ((1, 0), (-1, 1)):
            _interval_unused(context, value, node)
            return ScalarValue(builders.opposite(_noise(context, node, "exponential", _ONE)))
        case UniformValue(
            kind=UniformKind.SPREAD, factor=ir.Constant(factor), offset=ir.Constant(offset)
        ) if (factor, offset) == (-1, 1):
            return replace(value, kind=_LOG, factor=_ONE, offset=_ZERO)
        case UniformValue(kind=UniformKind.SPREAD, offset=ir.Constant(0)):
            return replace(value, kind=_DEPTH, factor=_ONE, offset=_ZERO, of=value)
        case _:
            raise refused(context, node)


def truncated(context: Context, node: Located, value: UniformValue) -> Value:
    """A draw from between two integers that are not below 0, without its fraction.  Raises ProgramError."""
    low = _integer(value.offset)
    if low is not None:
        above = builders.less_equal(builders.ZERO, low)
        context.require("domain", above, "'int' of a draw that may be below 0: use floor", node)
    return floor(context, node, value)


def floor(context: Context, node: Located, value: UniformValue) -> Value:
    """The integer below a draw from between two integers.  Raises ProgramError for other draws.

    For u from 0..1 and integers low and n, low + u * n lies in each of n intervals with the same chance.
    A logarithm that is divided has a law only with a sign (:func:`_two_sided`).
    """
    if value.kind is _DEPTH:
        return replace(value, kind=_FLOOR, factor=_ONE, offset=_ZERO, of=value)
    low, size = _integer(value.offset), _integer(value.factor)
    if value.kind is not _LINEAR or low is None or size is None:
        raise refused(context, node)
    span = context.source.span(node)
    high = builders.subtract(builders.add(low, size), builders.ONE)
    for bound in (low, size):
        message = "private data in a bound of a uniform draw"
        context.public.append((bound, span, Refusal.PRIVATE_SCALE, message))
    _interval_unused(context, value, node)
    some = builders.less_equal(low, high)
    context.require("scale", some, "a uniform draw from an empty range", node)
    index = ir.Variable(context.temporary("outcome"), ir.Sort.INT)
    name = context.temporary("draw")
    law = laws.uniform_int(index, low, high)
    context.emit(ir.Choose(0, name, "uniform_int", index.name, law, ir.Sort.INT, span))
    context.unnamed_draws.add(name)
    return ScalarValue(ir.Variable(name, ir.Sort.INT))


def _integer(number: ir.Expression) -> ir.Expression | None:
    """The integer that a real is, if that is evident."""
    match number:
        case ir.Constant(value=value) if value == int(value):
            return builders.integer(int(value))
        case ir.Operation(ir.Operator.TO_REAL, (inner,)) if inner.sort is ir.Sort.INT:
            return inner
        case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT, (left, right)):
            one, other = _integer(left), _integer(right)
            if one is None or other is None:
                return None
            add = number.operator is ir.Operator.ADD
            return builders.add(one, other) if add else builders.subtract(one, other)
        case _:
            return None


def turned(context: Context, node: Located, value: Value) -> Value:
    """pi times a draw from 0..1, or twice as much.  Raises ProgramError for other numbers."""
    match value:
        case UniformValue(
            kind=UniformKind.LINEAR, factor=ir.Constant(factor), offset=ir.Constant(offset)
        ) if (factor, offset) in ((1, 0), (-1, 1)):
            return replace(value, kind=_TURN, factor=_ONE, offset=_ZERO)
        case _:
            message = "pi is only supported times a uniform draw, in a cosine"
            raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)


def cosine(context: Context, node: Located, value: UniformValue) -> Value:
    """The cosine of such an angle.  Raises ProgramError for other draws."""
    if value.kind is not _TURN or value.factor != _ONE:
        raise refused(context, node)
    _interval_unused(context, value, node)
    return replace(value, number=context.number(), kind=_COSINE)


def _at_an_angle(context: Context, node: Located, turn: UniformValue, radius: Value) -> Value:
    """A cosine times an exponential draw, or times the root of twice as much, which was just made."""
    found = next((item for item in reversed(context.body) if not isinstance(item, ir.Obligation)), None)
    if not isinstance(found, ir.Draw) or not isinstance(radius, ScalarValue) or turn.factor != _ONE:
        raise refused(context, node)
    drawn = ir.Variable(found.target, found.sort)
    known = found.target in context.unnamed_draws & context.standard_draws
    if not known or found.distribution != "exponential" or found.sort is not ir.Sort.REAL:
        raise refused(context, node)
    _interval_unused(context, turn, node)
    match found.arguments, radius.expression:
        case (center, scale), (ir.Operation(ir.Operator.NEGATE, (inner,)) | inner) if (
            center,
            scale,
            inner,
        ) == (_ZERO, _ONE, drawn):
            _take_back(context, node, found, ())
            return replace(turn, number=context.number(), kind=_HALF)
        case (center, scale), ir.Operation(ir.Operator.SQUARE_ROOT, (inner,)) if (center, scale, inner) == (
            _ZERO,
            _TWO,
            drawn,
        ):
            _take_back(context, node, found, (builders.less_equal(_ZERO, drawn),))
            return ScalarValue(_noise(context, node, "gaussian", _ONE))
        case _:
            raise refused(context, node)


def _take_back(context: Context, node: Located, draw: ir.Draw, true: tuple[ir.Expression, ...]) -> None:
    """Leave out a draw that nothing reads, with the obligations about it that hold of all such draws."""
    place = context.body.index(draw)
    drawn = ir.Variable(draw.target, draw.sort)
    behind = [item for item in context.body[place + 1 :] if isinstance(item, ir.Obligation)]
    kept = [item for item in behind if item.condition not in true]
    if any(drawn in ir.subexpressions(item.condition) for item in kept):
        raise refused(context, node)
    context.body[place:] = kept


def _whole(
    context: Context, node: Located, operator: ast.operator, left: UniformValue, right: UniformValue
) -> Value:
    """The sum or difference of two that are halves of a Laplace draw."""
    size = _without_sign(left.factor)
    alike = size == _without_sign(right.factor) and left.offset == right.offset == _ZERO
    if not isinstance(operator, ast.Add | ast.Sub) or not alike:
        raise refused(context, node)
    _interval_unused(context, left, node)
    _interval_unused(context, right, node)
    return ScalarValue(_noise(context, node, "laplace", size))


def _half_width(context: Context, node: Located, value: UniformValue) -> ir.Constant:
    """Half of the length of the range, if 0 is its middle."""
    if not is_around_zero(value) or not isinstance(value.factor, ir.Constant):
        raise refused(context, node)
    return ir.Constant(abs(Fraction(value.factor.value)) / 2, ir.Sort.REAL)


def _product(
    context: Context, node: Located, operator: ast.operator, left: UniformValue, right: UniformValue
) -> Value:
    same = (left.number, left.around) == (right.number, right.around)
    if not isinstance(operator, ast.Mult) or not same or _SIGN not in (left.kind, right.kind):
        raise refused(context, node)
    signed, other = (left, right) if left.kind is _SIGN else (right, left)
    if other.kind is _LINEAR and other == signed.of and signed.factor == _ONE:
        if isinstance(other.factor, ir.Constant):
            return magnitude(context, node, other)
        return replace(other, kind=_SPREAD, factor=_times(_HALVED, other.factor), offset=_ZERO)
    if other.kind is _WHOLE and _without_sign(signed.factor) == _ONE:
        return _two_sided(context, node, other)
    if other.kind is not _LOG:
        raise refused(context, node)
    _interval_unused(context, left, node)
    factor = _times(left.factor, right.factor)
    return ScalarValue(_noise(context, node, "laplace", _without_sign(factor)))


def _two_sided(context: Context, node: Located, whole: UniformValue) -> Value:
    """A sign times the integer below a logarithm that is divided: discrete noise.  Raises ProgramError."""
    depth = whole.of
    match depth and depth.factor, depth and depth.of and depth.of.factor:
        case ir.Operation(ir.Operator.DIVIDE, (above, step)), ir.Operation(
            ir.Operator.MULTIPLY, (half, width)
        ) if (above, half, whole.factor) == (_ONE, _HALVED, _ONE):
            ratio = ir.Operation(ir.Operator.EXPONENTIAL, (_written_out(context, step),), ir.Sort.REAL)
            if _written_out(context, width) not in (builders.add(_ONE, ratio), builders.add(ratio, _ONE)):
                raise refused(context, node)
            _interval_unused(context, whole, node)
            scale = builders.divide(_ONE, builders.opposite(step))
            drawn = _noise(context, node, "laplace", scale, builders.ZERO)
            context.unnamed_draws -= names(drawn)
            return ScalarValue(builders.convert(drawn, ir.Sort.REAL))
        case _:
            raise refused(context, node)


def _written_out(context: Context, number: ir.Expression) -> ir.Expression:
    """A number with what variables in it were set to, where that still holds."""
    found = {name: value for name in names(number) if (value := _set_to(context, name)) is not None}
    return _written_out(context, replaced(number, found)) if found else number


def _set_to(context: Context, name: str) -> ir.Expression | None:
    """What a variable was set to in the statements that are read now, if nothing of it changed since."""
    for place in reversed(range(len(context.body))):
        match context.body[place]:
            case ir.Assign(target, value) if target == name:
                return None if names(value) & assigned(context.body[place:]) else value
            case other if name in assigned((other,)):
                return None
    return None


def _without_sign(factor: ir.Expression) -> ir.Expression:
    """The factor or its opposite, whichever looks positive: the law is symmetric."""
    match factor:
        case ir.Operation(ir.Operator.NEGATE, (inner,)):
            return inner
        case ir.Constant(value) if value < 0:
            return builders.opposite(factor)
        case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE as operator, (left, right)):
            return replace(factor, operator=operator, operands=(_without_sign(left), _without_sign(right)))
        case _:
            return factor


def _noise(
    context: Context, node: Located, law: str, scale: ir.Expression, center: ir.Expression = _ZERO
) -> ir.Expression:
    span = context.source.span(node)
    positive = builders.less(_ZERO, scale)
    context.require("scale", positive, f"the scale of {law} must be positive", node)
    name = context.temporary("draw")
    context.emit(ir.Draw(0, name, law, (center, scale), center.sort, span))
    context.unnamed_draws.add(name)
    context.standard_draws.add(name)
    return ir.Variable(name, center.sort)


def _interval_unused(context: Context, draw: UniformValue, node: Located) -> None:
    if _interval(context, draw, node) != (_ZERO, _ONE):
        raise _twice(context, node)


def _shifted(context: Context, node: Located, value: UniformValue, by: ir.Expression) -> Value:
    if value.kind not in (_LINEAR, _SPREAD):
        raise refused(context, node)
    return replace(value, offset=builders.add(value.offset, by))


def scaled(value: UniformValue, by: ir.Expression) -> UniformValue:
    """A draw times a number."""
    return replace(value, factor=_times(value.factor, by), offset=_times(value.offset, by))


def _times(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    if left == _ONE or right == _ZERO:
        return right
    return left if right == _ONE or left == _ZERO else builders.arithmetic(ir.Operator.MULTIPLY, left, right)


def _real(context: Context, value: Value, node: Located) -> ir.Expression:
    """A number as a real that never changes: a draw is made later than it is written."""
    return _kept(context, builders.convert(context.numeric(value, node), ir.Sort.REAL), node)


def _kept(context: Context, number: ir.Expression, node: Located) -> ir.Expression:
    match number:
        case ir.Operation(ir.Operator.NEGATE, (inner,)):
            return builders.opposite(_kept(context, inner, node))
        case ir.Operation(ir.Operator.MULTIPLY, (ir.Constant(-1), inner)):
            return builders.opposite(_kept(context, inner, node))
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            return builders.convert(_kept(context, inner, node), ir.Sort.REAL)
        case _ if context.is_fixed(number):
            return number
        case _:
            saved = context.save(ScalarValue(number), node)
            assert isinstance(saved, ScalarValue)
            return saved.expression


def _twice(context: Context, node: Located) -> ProgramError:
    message = "a uniform draw is used twice, or in another loop: compare it once, or in 'if' and 'elif'"
    return context.error(node, Refusal.UNIFORM_IN_FORMULA, message)
