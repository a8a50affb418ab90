"""Decision trees: values that depend on conditions, with sums over a truth value or an integer.

The conditions at the forks are atoms: truth values, ``a == b`` and ``a < b`` of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.linear_forms import Linear, linear
from synth.trusted.program.substitution import mapped, replaced

MAX_LEAVES = 200
"""Of a tree that is kept."""

MAX_WRITTEN = MAX_LEAVES**2
"""Leaves of a tree while it is made, before it is pruned."""


class Intractable(Exception):
    """The tree grows too large, or there is no closed form for a sum."""


@dataclass(frozen=True)
class Leaf:
    """A value without conditions."""

    value: ir.Expression

    size = 1


@dataclass(frozen=True)
class Fork:
    """One tree where the atom holds, the other where it doesn't; ``size`` counts the leaves.

    Raises Intractable for more than MAX_WRITTEN leaves, so that what is shared while it is made never grows
    past what can be walked through.
    """

    atom: ir.Expression
    then: Tree
    otherwise: Tree
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = self.then.size + self.otherwise.size
        if size > MAX_WRITTEN:
            raise Intractable
        object.__setattr__(self, "size", size)


Tree = Leaf | Fork

ZERO = Leaf(ir.Constant(Fraction(0), ir.Sort.REAL))
ONE = Leaf(ir.Constant(Fraction(1), ir.Sort.REAL))


# --- making trees ---------------------------------------------------------------------------


def tree_of(expression: ir.Expression) -> Tree:
    """The value of an expression, its choices made forks.  Raises Intractable."""
    choice = _choice(expression)
    if choice is None:
        return Leaf(expression)
    condition, then, otherwise = choice.operands
    return fork(
        condition, tree_of(_put(expression, choice, then)), tree_of(_put(expression, choice, otherwise))
    )


def fork(condition: ir.Expression, then: Tree, otherwise: Tree) -> Tree:
    """One tree or the other, by a condition of any form.  Raises Intractable."""
    return _pruned(_fork(condition, then, otherwise), {})


def _fork(condition: ir.Expression, then: Tree, otherwise: Tree) -> Tree:
    choice = _choice(condition)
    if choice is not None:
        test, one, other = choice.operands
        return _fork(
            test,
            _fork(_put(condition, choice, one), then, otherwise),
            _fork(_put(condition, choice, other), then, otherwise),
        )
    match condition:
        case ir.Constant(value=value):
            return then if value else otherwise
        case ir.Operation(operator=ir.Operator.NOT, operands=(inner,)):
            return _fork(inner, otherwise, then)
        case ir.Operation(operator=ir.Operator.AND, operands=(first, *rest)):
            return _fork(first, _fork(builders.both(*rest), then, otherwise), otherwise)
        case ir.Operation(operator=ir.Operator.OR, operands=(first, *rest)):
            return _fork(first, then, _fork(builders.either(*rest), then, otherwise))
        case ir.Operation(operator=ir.Operator.EQUAL, operands=(left, right)) if left.sort is ir.Sort.BOOL:
            return _fork(left, _fork(right, then, otherwise), _fork(right, otherwise, then))
        case ir.Operation(operator=ir.Operator.LESS_EQUAL, operands=(left, right)):
            return _fork(builders.less(right, left), otherwise, then)
        case ir.Operation(operator=ir.Operator.EQUAL | ir.Operator.LESS as operator, operands=(left, right)):
            if left.sort is ir.Sort.INT:
                return _compared(operator, linear(left).plus(linear(right), -1), then, otherwise)
            return (
                (then if operator is ir.Operator.EQUAL else otherwise)
                if left == right
                else Fork(condition, then, otherwise)
            )
        case _:
            return Fork(condition, then, otherwise)


def _compared(operator: ir.Operator, difference: Linear, then: Tree, otherwise: Tree) -> Tree:
    """A fork at difference == 0 or difference < 0, of integers; one comparison is always one atom."""
    if not difference.parts:
        holds = difference.constant == 0 if operator is ir.Operator.EQUAL else difference.constant < 0
        return then if holds else otherwise
    if difference.leads < 0:
        if operator is ir.Operator.LESS:  # not (d < 0) is -d - 1 < 0
            then, otherwise = otherwise, then
        shift = -1 if operator is ir.Operator.LESS else 0
        difference = Linear({}, shift).plus(difference, -1)
    left, right = difference.sides()
    return Fork(ir.Operation(operator, (left, right), ir.Sort.BOOL), then, otherwise)


def _choice(expression: ir.Expression) -> ir.Operation | None:
    """A conditional expression inside, if there is one."""
    for part in ir.subexpressions(expression):
        if isinstance(part, ir.Operation) and part.operator is ir.Operator.IF:
            return part
    return None


def _put(expression: ir.Expression, old: ir.Expression, new: ir.Expression) -> ir.Expression:
    return mapped(expression, lambda item: new if item is old else None)


def _pruned(tree: Tree, known: Mapping[ir.Expression, bool], ranges: Ranges | None = None) -> Tree:
    """Without forks whose atom is decided above them, or whose sides are the same."""
    if isinstance(tree, Leaf):
        return tree
    ranges = ranges or {}
    decided = known.get(tree.atom)
    inside = _range(tree.atom)
    if decided is None and inside is not None:
        decided = _decided(inside, ranges.get(inside[0]))
    if decided is not None:
        return _pruned(tree.then if decided else tree.otherwise, known, ranges)
    then = _pruned(tree.then, {**known, tree.atom: True}, _narrowed(ranges, inside, True))
    otherwise = _pruned(tree.otherwise, {**known, tree.atom: False}, _narrowed(ranges, inside, False))
    return then if then == otherwise else Fork(tree.atom, then, otherwise)


def given(condition: ir.Expression, tree: Tree) -> Tree:
    """The tree where a condition is known to hold.  Raises Intractable."""
    known: dict[ir.Expression, bool] = {}
    ranges: Ranges = {}
    part = fork(condition, ONE, ZERO)
    while isinstance(part, Fork) and ZERO in (part.then, part.otherwise):
        holds = part.otherwise == ZERO
        known[part.atom] = holds
        ranges = _narrowed(ranges, _range(part.atom), holds)
        part = part.then if holds else part.otherwise
    return _pruned(tree, known, ranges)


Key = frozenset[tuple[ir.Expression, int]]
Interval = tuple[float, float]
Ranges = Mapping[Key, Interval]


def _range(atom: ir.Expression) -> tuple[Key, Interval] | None:
    """What a comparison of integers says of a linear combination: that it lies in an interval."""
    match atom:
        case ir.Operation(
            operator=ir.Operator.EQUAL | ir.Operator.LESS as operator, operands=(left, right)
        ) if left.sort is ir.Sort.INT:
            difference = linear(left).plus(linear(right), -1)
            most = -difference.constant if operator is ir.Operator.EQUAL else -difference.constant - 1
            least = most if operator is ir.Operator.EQUAL else -inf
            return frozenset(difference.parts.items()), (least, most)
        case _:
            return None


def _decided(inside: tuple[Key, Interval], known: Interval | None) -> bool | None:
    if known is None:
        return None
    (least, most), (low, high) = inside[1], known
    if least <= low and high <= most:
        return True
    return False if most < low or high < least else None


def _narrowed(ranges: Ranges, inside: tuple[Key, Interval] | None, holds: bool) -> Ranges:
    if inside is None:
        return ranges
    key, (least, most) = inside
    low, high = ranges.get(key, (-inf, inf))
    if holds:
        return {**ranges, key: (max(low, least), min(high, most))}
    return {**ranges, key: (max(low, most + 1), high)} if least == -inf else ranges


# --- computing with trees -------------------------------------------------------------------


def leaves(tree: Tree) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    """Condition and value of each leaf; the conditions exclude each other."""
    yield from _leaves(tree, ())


def _leaves(tree: Tree, path: tuple[ir.Expression, ...]) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    if isinstance(tree, Leaf):
        yield builders.both(*path), tree.value
        return
    yield from _leaves(tree.then, (*path, tree.atom))
    yield from _leaves(tree.otherwise, (*path, builders.negate(tree.atom)))


def plus(first: Tree, second: Tree) -> Tree:
    """The sum.  Raises Intractable."""
    return combined(builders.add, first, second)


def minus(first: Tree, second: Tree) -> Tree:
    """The difference.  Raises Intractable."""
    return combined(_difference, first, second)


def times(first: Tree, second: Tree) -> Tree:
    """The product.  Raises Intractable."""
    return combined(product, first, second)


def _difference(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ZERO.value if left == right else builders.subtract(left, right)


def product(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """The product of two real numbers, without factors 1."""
    if ZERO.value in (left, right):
        return ZERO.value
    if left == ONE.value:
        return right
    return left if right == ONE.value else builders.arithmetic(ir.Operator.MULTIPLY, left, right)


def combined(
    operation: Callable[[ir.Expression, ir.Expression], ir.Expression], first: Tree, second: Tree
) -> Tree:
    """What an operation gives for the values of two trees.  Raises Intractable."""
    if first.size * second.size > MAX_WRITTEN:
        raise Intractable
    return _small(_pruned(_joined(operation, first, second), {}))


def _joined(
    operation: Callable[[ir.Expression, ir.Expression], ir.Expression], first: Tree, second: Tree
) -> Tree:
    if isinstance(first, Fork):
        parts = (_joined(operation, part, second) for part in (first.then, first.otherwise))
        return Fork(first.atom, *parts)
    if isinstance(second, Fork):
        parts = (_joined(operation, first, part) for part in (second.then, second.otherwise))
        return Fork(second.atom, *parts)
    return Leaf(operation(first.value, second.value))


def _small(tree: Tree) -> Tree:
    if tree.size > MAX_LEAVES:
        raise Intractable
    return tree


def with_values(tree: Tree, values: Mapping[str, ir.Expression]) -> Tree:
    """The tree with variables replaced.  Raises Intractable."""
    return rewritten(tree, lambda item: replaced(item, values))


def rewritten(tree: Tree, change: Callable[[ir.Expression], ir.Expression]) -> Tree:
    """The tree with its atoms and values changed.  Raises Intractable."""
    return _small(_pruned(_rebuilt(tree, change), {}))


def _rebuilt(tree: Tree, change: Callable[[ir.Expression], ir.Expression]) -> Tree:
    if isinstance(tree, Leaf):
        return tree_of(change(tree.value))
    return _fork(change(tree.atom), _rebuilt(tree.then, change), _rebuilt(tree.otherwise, change))


# --- sums -----------------------------------------------------------------------------------


def sum_over(tree: Tree, variable: ir.Variable) -> Tree:
    """The sum over the two truth values, or over all integers.  Raises Intractable."""
    if variable.sort is ir.Sort.BOOL:
        sides = (with_values(tree, {variable.name: truth}) for truth in (builders.TRUE, builders.FALSE))
        return plus(*sides)
    return _sum_over_integers(tree, variable)


def _sum_over_integers(tree: Tree, variable: ir.Variable) -> Tree:
    """What the tree is at the points that it compares with, and between them."""
    points = dict(_points(tree, variable))
    between = _pruned(tree, dict.fromkeys(points, False))
    total = _span(between, variable, None, None)
    for place, point in enumerate(points.values()):
        here, there = (with_values(item, {variable.name: point}) for item in (tree, between))
        extra = minus(here, there)
        for earlier in list(points.values())[:place]:
            extra = fork(builders.equal(point, earlier), ZERO, extra)
        total = plus(total, extra)
    return total


def _points(tree: Tree, variable: ir.Variable) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    """The equalities with the variable, and what it equals there.  Raises Intractable."""
    if isinstance(tree, Fork):
        place = solved(tree.atom, variable)
        if place is not None and _is_equality(tree.atom):
            yield tree.atom, place[1].expression()
        yield from _points(tree.then, variable)
        yield from _points(tree.otherwise, variable)


def _is_equality(atom: ir.Expression) -> bool:
    return isinstance(atom, ir.Operation) and atom.operator is ir.Operator.EQUAL


def _span(tree: Tree, variable: ir.Variable, low: ir.Expression | None, high: ir.Expression | None) -> Tree:
    """The sum over low <= variable < high, by the comparisons with bounds that are left."""
    if isinstance(tree, Leaf):
        if tree == ZERO:
            return tree
        if low is None or high is None or mentions(tree.value, variable.name):
            raise Intractable
        count = builders.convert(linear(builders.subtract(high, low)).expression(), ir.Sort.REAL)
        return fork(builders.less(low, high), Leaf(product(tree.value, count)), ZERO)
    place = solved(tree.atom, variable)
    if place is None:
        sides = (_span(part, variable, low, high) for part in (tree.then, tree.otherwise))
        return fork(tree.atom, *sides)
    factor, other = place  # variable < other, or other < variable
    below, above = tree.then, tree.otherwise
    bound = other.expression()
    if factor < 0:
        below, above = above, below
        bound = other.plus(Linear({}, 1)).expression()
    first = _bounded(bound, high, lambda one: _span(below, variable, low, one), least=True)
    second = _bounded(bound, low, lambda one: _span(above, variable, one, high), least=False)
    return plus(first, second)


def solved(atom: ir.Expression, variable: ir.Variable) -> tuple[int, Linear] | None:
    """The sign of the variable in left - right, and where that is 0; None for an atom without it.

    Raises Intractable.
    """
    if not mentions(atom, variable.name):
        return None
    match atom:
        case ir.Operation(operator=ir.Operator.EQUAL | ir.Operator.LESS, operands=(left, right)) if (
            left.sort is ir.Sort.INT
        ):
            difference = linear(left).plus(linear(right), -1)
            factor = difference.parts.get(variable, 0)
            rest = difference.without(variable)
            if abs(factor) == 1 and not any(mentions(part, variable.name) for part in rest.parts):
                return factor, Linear({}, 0).plus(rest, -factor)
    raise Intractable


def _bounded(
    bound: ir.Expression, known: ir.Expression | None, rest: Callable[[ir.Expression], Tree], *, least: bool
) -> Tree:
    """What the rest gives for the tighter one of two bounds."""
    if known is None or known == bound:
        return rest(bound)
    smaller, larger = (bound, known) if least else (known, bound)
    return fork(builders.less(bound, known), rest(smaller), rest(larger))


def mentions(expression: ir.Expression, name: str) -> bool:
    """Whether a variable occurs in an expression."""
    return any(isinstance(part, ir.Variable) and part.name == name for part in ir.subexpressions(expression))
