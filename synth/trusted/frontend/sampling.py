"""Sampling calls: draws into hidden variables, and sums of a draw and something else.

``e + laplace(c, s)`` is ``laplace(e + c, s)``; ``e - laplace(c, s)`` is ``laplace(e - c, s)``,
because the noise is symmetric.  Around a list, one draw is made per entry (see
:mod:`synth.trusted.frontend.vectors`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    closures,
    entrywise,
    finite_sampling,
    matrices,
    vectors,
)
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import MatrixValue, ScalarValue, Value
from synth.trusted.frontend.vocabulary import NOISES, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Combination = Callable[[Context, ast.BinOp, ast.operator, Value, Value], Value]

SYMMETRIC = ("laplace", "gaussian")


@dataclass(frozen=True)
class Term:
    """A term of a sum, with its sign."""

    negative: bool
    node: ast.expr


def sample(context: Context, node: ast.Call, distribution: str) -> Value:
    """A sampling call that stands for itself."""
    if context.where:
        raise context.error(node, Refusal.DRAW_MISPLACED, f"a sample is drawn in {context.where}")
    if distribution not in NOISES:
        return finite_sampling.sample(context, node, distribution)
    return _draw(context, node, distribution, Term(False, node), [])


def addition(context: Context, node: ast.BinOp, combine: Combination) -> Value:
    """A sum or difference; one draw in it takes the other terms into its centre.

    ``combine`` computes sums without draws.
    """
    if context.module.samples(node):
        terms = list(_terms(context, node, False))
        place = _mergeable(context, terms)
        if place is not None:
            return _merged(context, terms, place)
    left, right = context.ordered([node.left, node.right])
    return total(context, node, left, right, combine)


def total(context: Context, node: ast.BinOp, left: Value, right: Value, combine: Combination) -> Value:
    """The sum or difference of two values."""
    if isinstance(left, MatrixValue) or isinstance(right, MatrixValue):
        return matrices.binary(context, node, node.op, left, right)
    if entrywise.has_array(left, right):
        return entrywise.binary(context, node, node.op, left, right)
    subtracts = isinstance(node.op, ast.Sub)
    moved = _moved(context, left, right, subtracts)
    return moved or combine(context, node, node.op, left, right)


def _moved(context: Context, left: Value, right: Value, subtracts: bool) -> Value | None:
    """The sum of two values, if one is the draw that was made last: the draw, around the other one."""
    draw = _last_draw(context)
    if draw is None or not isinstance(left, ScalarValue) or not isinstance(right, ScalarValue):
        return None
    drawn = ir.Variable(draw.target, draw.sort)
    center, scale = draw.arguments
    if left.expression == drawn:
        term, total = builders.numeric(right.expression), (builders.subtract if subtracts else builders.add)
        result = partial(total, center)
    elif right.expression == drawn and (not subtracts or draw.distribution in SYMMETRIC):
        term = builders.numeric(left.expression)
        result = partial(_around, negative=subtracts, center=center)
    else:
        return None
    if term.sort not in (draw.sort, ir.Sort.INT) or drawn in ir.subexpressions(term):
        return None
    context.body.remove(draw)
    context.body.append(replace(draw, arguments=(builders.convert(result(term), draw.sort), scale)))
    return ScalarValue(drawn)


def _last_draw(context: Context) -> ir.Draw | None:
    """The draw of a stub that was made last, if only obligations stand behind it, which say nothing of it."""
    for item in reversed(context.body):
        match item:
            case ir.Draw(target=name) if name in context.unnamed_draws & context.standard_draws:
                behind = context.body[context.body.index(item) + 1 :]
                return None if any(_demands(other, name) for other in behind) else item
            case ir.Obligation():
                continue
        return None
    return None


def _demands(statement: ir.Statement, name: str) -> bool:
    """Whether an obligation says something of a variable."""
    assert isinstance(statement, ir.Obligation)
    parts = ir.subexpressions(statement.condition)
    return any(isinstance(part, ir.Variable) and part.name == name for part in parts)


def product(context: Context, node: ast.BinOp, left: Value, right: Value) -> Value:
    """A product or quotient; a factor of noise around 0 that a stub has just drawn goes into its scale."""
    draw = _last_draw(context)
    if draw is None or draw.target not in context.standard_draws:
        return arithmetic.binary(context, node, node.op, left, right)
    if isinstance(left, ScalarValue) and isinstance(right, ScalarValue):
        drawn = ir.Variable(draw.target, draw.sort)
        if isinstance(node.op, ast.Mult) and _is_signed(right.expression, drawn):
            return _wider(context, node, draw, right.expression, left.expression)
        if isinstance(node.op, ast.Mult) and _is_signed(left.expression, drawn):
            return _wider(context, node, draw, left.expression, right.expression)
    return arithmetic.binary(context, node, node.op, left, right)


def _is_signed(value: ir.Expression, drawn: ir.Variable) -> bool:
    return _unsigned(value)[0] == drawn


def _unsigned(value: ir.Expression) -> tuple[ir.Expression, bool]:
    """A number without the signs before it, and whether it is the opposite."""
    match value:
        case ir.Operation(ir.Operator.NEGATE, (inner,)):
            number, negative = _unsigned(inner)
            return number, not negative
        case _:
            return value, False


def _wider(
    context: Context, node: ast.BinOp, draw: ir.Draw, drawn: ir.Expression, factor: ir.Expression
) -> Value:
    """The noise, by its sign, times a factor."""
    center, scale = draw.arguments
    variable = ir.Variable(draw.target, draw.sort)
    zero = builders.zero(ir.Sort.REAL)
    product = builders.arithmetic(ir.Operator.MULTIPLY, factor, drawn)
    if center != zero or draw.sort is not ir.Sort.REAL or variable in ir.subexpressions(factor):
        return ScalarValue(product)
    factor, opposite = _unsigned(factor)
    if draw.distribution not in SYMMETRIC and not isinstance(factor, ir.Constant):
        return ScalarValue(product)
    negative = _unsigned(drawn)[1] ^ opposite
    if isinstance(factor, ir.Constant) and factor.value < 0:
        factor, negative = builders.opposite(factor), not negative
    factor = builders.convert(factor, ir.Sort.REAL)
    reason = f"the factor of {draw.distribution} noise must be positive"
    span = context.source.span(node)
    one = ir.Constant(Fraction(1), ir.Sort.REAL)
    scale = factor if scale == one else builders.arithmetic(ir.Operator.MULTIPLY, factor, scale)
    needed = builders.less(zero, scale)
    demands = () if needed == builders.TRUE else (ir.Obligation("scale", needed, reason, span),)
    context.body.remove(draw)
    context.body += [*demands, replace(draw, arguments=(zero, scale))]
    symmetric = draw.distribution in SYMMETRIC
    return ScalarValue(builders.opposite(variable) if negative and not symmetric else variable)


def _around(term: ir.Expression, negative: bool, center: ir.Expression) -> ir.Expression:
    return builders.subtract(term, center) if negative else builders.add(term, center)


def _terms(context: Context, node: ast.expr, negative: bool) -> Iterator[Term]:
    """The terms of a sum, as far as samples are drawn in them."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            if context.module.samples(node):
                yield from _terms(context, left, negative)
                yield from _terms(context, right, negative ^ isinstance(operator, ast.Sub))
                return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            if context.module.samples(node):
                yield from _terms(context, operand, negative ^ isinstance(sign, ast.USub))
                return
    yield Term(negative, node)


def _mergeable(context: Context, terms: list[Term]) -> int | None:
    """The place of the draw that can take the other terms in."""
    sampling = [term for term in terms if context.module.samples(term.node)]
    if len(sampling) == len(terms):
        return None
    for term in sampling:
        distribution = distribution_of(context, term.node)
        if distribution in NOISES and (not term.negative or distribution in SYMMETRIC):
            # The effects of functions that the other terms call would change their order.
            others = [other.node for other in terms if other is not term]
            if any(closures.may_do_more(context, other) for other in others):
                message = "a function that is a value is called beside a draw: use a variable"
                raise context.error(term.node, Refusal.UNSUPPORTED_CALL, message)
            return None if any(map(context.module.calls, others)) else terms.index(term)
    return None


def distribution_of(context: Context, node: ast.expr) -> str | None:
    """The distribution that a call samples from."""
    if isinstance(node, ast.Call) and not is_local(context, node.func):
        known = context.module.known(node.func)
        if known is not None and known.role is Role.DISTRIBUTION:
            return known.name
    return None


def _merged(context: Context, terms: list[Term], place: int) -> Value:
    """The draw with the terms that don't sample in its centre, plus the other draws."""
    chosen = terms[place]
    plain = [term for term in terms if not context.module.samples(term.node)]
    before = [term for term in terms[:place] if term not in plain]
    after = [term for term in terms[place + 1 :] if term not in plain]
    distribution = distribution_of(context, chosen.node)
    assert distribution is not None and isinstance(chosen.node, ast.Call)
    merge = partial(_draw, context, chosen.node, distribution, chosen, plain)
    others = [(term.node, partial(_number, context, term.node)) for term in (*before, *after)]
    values = context.in_turn([*others[: len(before)], (chosen.node, merge), *others[len(before) :]])
    total = context.numeric(values.pop(len(before)), chosen.node)
    for term, value in zip((*before, *after), values, strict=True):
        total = _add(total, term, context.numeric(value, term.node))
    return ScalarValue(total)


def _number(context: Context, node: ast.expr) -> Value:
    return ScalarValue(context.numeric(context.expression(context, node), node))


def _add(total: ir.Expression, term: Term, value: ir.Expression) -> ir.Expression:
    return builders.subtract(total, value) if term.negative else builders.add(total, value)


def _draw(context: Context, node: ast.Call, distribution: str, sign: Term, plain: list[Term]) -> Value:
    if context.where:
        raise context.error(node, Refusal.DRAW_MISPLACED, f"a sample is drawn in {context.where}")
    context.check_decorated(node)
    names = NOISES[distribution]
    bound = arguments.bind(context.source, node, distribution, names)
    given = {id(argument): name for name, argument in bound.items()}
    signs = {id(term.node): term for term in plain}
    nodes = sorted([*bound.values(), *(term.node for term in plain)], key=_position)
    parts = dict(zip(map(id, nodes), context.ordered(nodes), strict=True))
    if vectors.is_list(parts[id(bound["center"])]):
        if plain:
            raise context.error(node, Refusal.NOISE_AROUND_LIST, "noise around a list can't be part of a sum")
        return _vector(context, node, distribution, bound, parts)
    total: ir.Expression = builders.ZERO
    numbers: dict[str, ir.Expression] = {}
    for part in nodes:
        value = context.numeric(parts[id(part)], part)
        if id(part) in signs and context.inference.uses_numpy:
            _check_number(context, part, context.scalar(parts[id(part)], part))
        if id(part) in signs:
            total = _add(total, signs[id(part)], value)
        else:
            numbers[given[id(part)]] = value
    center = _add(total, sign, numbers["center"])
    width = names[1]
    return _emit(context, node, distribution, center, numbers[width], bound[width])


def _check_number(context: Context, node: ast.expr, term: ir.Expression) -> None:
    """Refuse a truth value in a sum: numpy's sum of two is a truth value.  Raises ProgramError."""
    if term.sort is ir.Sort.BOOL:
        message = "a truth value, which may be numpy's, in a sum with noise is not supported: use int(...)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def _vector(
    context: Context,
    node: ast.Call,
    distribution: str,
    bound: dict[str, ast.expr],
    parts: dict[int, Value],
) -> Value:
    """Noise around each entry of a list; the scale is looked at even if there is none."""
    center, width = (bound[name] for name in NOISES[distribution])
    scale = context.numeric(parts[id(width)], width)
    _require_positive(context, distribution, builders.convert(scale, ir.Sort.REAL), width)

    def noise(entry: ir.Expression) -> Value:
        return _emit(context, node, distribution, entry, scale, width)

    return vectors.around(context, node, center, parts[id(center)], noise)


def _emit(
    context: Context,
    node: ast.Call,
    distribution: str,
    center: ir.Expression,
    scale: ir.Expression,
    scale_node: ast.expr,
) -> Value:
    scale = builders.convert(scale, ir.Sort.REAL)
    _require_positive(context, distribution, scale, scale_node)
    name = context.temporary("draw")
    span = context.source.span(node)
    context.emit(ir.Draw(0, name, distribution, (center, scale), center.sort, span))
    context.unnamed_draws.add(name)
    if context.module.stub is not None:
        context.standard_draws.add(name)
    return ScalarValue(ir.Variable(name, center.sort))


def _require_positive(context: Context, distribution: str, scale: ir.Expression, node: ast.expr) -> None:
    reason = f"the {NOISES[distribution][1]} of {distribution} must be positive"
    context.require("scale", builders.less(builders.zero(ir.Sort.REAL), scale), reason, node)


def _position(node: ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)
