"""Facts about public parameters, in polynomial arithmetic: signs of scales, order of bounds.

Divisions and roots are written out: d stands for x/y where d·y = x, s for sqrt(x) where s ≥ 0 and
s² = x.  Integers are taken as reals, with a < b read as a + 1 ≤ b; what holds for all of those
holds for the integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count

from pysmt.fnode import FNode
from pysmt.logics import QF_NRA
from pysmt.shortcuts import Times
from pysmt.typing import BOOL, REAL

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_name
from synth.prover.horn.solvers import GaveUp, counterexample
from synth.prover.horn.terms import (
    absolute,
    add,
    all_of,
    any_of,
    choose,
    constant,
    equal,
    implies,
    less,
    less_equal,
    negate,
    number_value,
    scaled,
    subtract,
    symbol,
)
from synth.trusted.logic.arithmetic.exponentials import is_moderate, logarithm
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text


def _number(value: Fraction | int) -> FNode:
    return constant(value, REAL)


@dataclass
class PublicFacts:
    """Proves formulas over public parameters from the mechanism's precondition.

    ``terms`` remembers translations, ``proved`` what has been shown: programs divide by eps again and again.
    """

    requires: ir.Expression
    facts: list[FNode] = field(default_factory=list)
    named: dict[str, FNode] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)
    terms: dict[ir.Expression, FNode] = field(default_factory=dict)
    proved: set[FNode] = field(default_factory=set)

    def holds(self, condition: ir.Expression) -> bool:
        """Whether ``requires`` implies the condition, over all parameters; False also if undecided."""
        return self._proved(self.term(condition))

    def nonnegative(self, expression: ir.Expression) -> bool:
        """Whether ``requires`` implies 0 ≤ expression."""
        return self._proved(less_equal(_number(0), self.term(expression)))

    def at_most(self, bound: Rational, claim: Rational, opaque: Mapping[str, ir.Expression]) -> bool:
        """Whether bound ≤ claim follows; ``opaque`` says what the non-rational variables mean."""
        for name, expression in opaque.items():
            self.named.setdefault(name, self.term(expression))
        return self._proved(less_equal(self._rational(bound), self._rational(claim)))

    def all_nonnegative(self, weights: Iterable[Rational], opaque: Mapping[str, ir.Expression]) -> bool:
        """Whether each weight is at least 0, wherever ``requires`` holds."""
        zero = Rational.number(0)
        return all(self.at_most(zero, weight, opaque) for weight in weights)

    def satisfiable(self) -> bool | None:
        """Whether some parameters satisfy ``requires``; None if undecided."""
        goal = negate(self.term(self.requires))
        try:
            return counterexample(implies(all_of(self.facts), goal), "z3", QF_NRA, 5000) is not None
        except GaveUp:
            return None

    def _proved(self, goal: FNode) -> bool:
        if goal not in self.proved and self._follows(goal):
            self.proved.add(goal)
        return goal in self.proved

    def _follows(self, goal: FNode) -> bool:
        premise = self.term(self.requires)
        formula = implies(all_of((premise, *self.facts)), goal)
        try:
            return counterexample(formula, "z3", QF_NRA, 3000) is None
        except GaveUp:
            return False

    # --- translation ------------------------------------------------------------------------

    def term(self, expression: ir.Expression) -> FNode:
        """The expression as a term of polynomial real arithmetic."""
        if expression not in self.terms:
            self.terms[expression] = self._term(expression)
        return self.terms[expression]

    def _term(self, expression: ir.Expression) -> FNode:
        match expression:
            case ir.Constant(value=value, sort=ir.Sort.BOOL):
                return constant(bool(value), BOOL)
            case ir.Constant(value=value):
                return _number(Fraction(value))
            case ir.Variable(name=name, sort=sort):
                return symbol(f"{name}?", BOOL) if sort is ir.Sort.BOOL else self._named(name)
            case ir.Length():
                length = self._named(text(expression))
                self._fact(less_equal(_number(0), length))
                return length
            case ir.Operation():
                return self._operation(expression)
            case _:
                return self._opaque(expression)

    def _named(self, name: str) -> FNode:
        return self.named.setdefault(name, symbol(f"{name} as real", REAL))

    def _fresh(self) -> FNode:
        return symbol(f"part?{next(self.numbers)}", REAL)

    def _fact(self, formula: FNode) -> None:
        if not formula.is_true() and formula not in self.facts:
            self.facts.append(formula)

    def _opaque(self, expression: ir.Expression) -> FNode:
        if expression.sort is ir.Sort.BOOL:
            return symbol(f"{text(expression)}?", BOOL)
        return self._named(opaque_name(expression))

    def _operation(self, expression: ir.Operation) -> FNode:
        symbol_, operands = expression.operator, expression.operands
        if symbol_ in (ir.Operator.LESS, ir.Operator.LESS_EQUAL, ir.Operator.EQUAL):
            return self._comparison(symbol_, operands)
        parts = [self.term(operand) for operand in operands]
        match symbol_:
            case ir.Operator.AND:
                return all_of(parts)
            case ir.Operator.OR:
                return any_of(parts)
            case ir.Operator.NOT:
                return self._negation(operands[0])
            case ir.Operator.ADD:
                return add(*parts)
            case ir.Operator.SUBTRACT:
                return subtract(*parts)
            case ir.Operator.NEGATE:
                return scaled(-1, parts[0])
            case ir.Operator.TO_REAL:
                return parts[0]
            case ir.Operator.MULTIPLY:
                return Times(parts)
            case ir.Operator.DIVIDE:
                return self._divided(parts[0], parts[1])
            case ir.Operator.ABSOLUTE:
                return absolute(parts[0])
            case ir.Operator.IF:
                return choose(*parts)
            case ir.Operator.MINIMUM | ir.Operator.MAXIMUM:
                return self._extreme(symbol_, parts)
            case ir.Operator.SQUARE_ROOT:
                return self._root(parts[0])
            case ir.Operator.EXPONENTIAL:
                return self._exponential(expression, parts[0])
            case ir.Operator.POWER:
                return self._power(expression, *parts)
            case ir.Operator.LOGARITHM:
                value = self._opaque(expression)
                self._fact(implies(less_equal(_number(1), parts[0]), less_equal(_number(0), value)))
                self._fact(implies(less(_number(1), parts[0]), less(_number(0), value)))
                self._fact(implies(less(_number(0), parts[0]), less_equal(add(value, _number(1)), parts[0])))
                exact = number_value(parts[0])
                if exact is not None and exact > 0 and is_moderate(exact):
                    low, high = map(_number, logarithm(exact))
                    self._fact(all_of((less_equal(low, value), less_equal(value, high))))
                return value
            case _:
                return self._opaque(expression)

    def _comparison(self, symbol_: ir.Operator, operands: tuple[ir.Expression, ...]) -> FNode:
        left, right = (self.term(operand) for operand in operands)
        if symbol_ is ir.Operator.EQUAL:
            return equal(left, right)
        if symbol_ is ir.Operator.LESS_EQUAL:
            return less_equal(left, right)
        if operands[0].sort is ir.Sort.INT:
            return less_equal(add(left, _number(1)), right)
        return less(left, right)

    def _negation(self, operand: ir.Expression) -> FNode:
        """Negation pushed inwards, so that integers keep their strictness."""
        match operand:
            case ir.Operation(operator=ir.Operator.NOT, operands=(inner,)):
                return self.term(inner)
            case ir.Operation(operator=ir.Operator.LESS, operands=(left, right)):
                return self._comparison(ir.Operator.LESS_EQUAL, (right, left))
            case ir.Operation(operator=ir.Operator.LESS_EQUAL, operands=(left, right)):
                return self._comparison(ir.Operator.LESS, (right, left))
            case ir.Operation(operator=ir.Operator.AND, operands=parts):
                return any_of(self._negation(part) for part in parts)
            case ir.Operation(operator=ir.Operator.OR, operands=parts):
                return all_of(self._negation(part) for part in parts)
            case _:
                return negate(self.term(operand))

    def _divided(self, top: FNode, bottom: FNode) -> FNode:
        quotient = self._fresh()
        self._fact(implies(negate(equal(bottom, _number(0))), equal(Times(quotient, bottom), top)))
        return quotient

    def _root(self, square: FNode) -> FNode:
        root = self._fresh()
        self._fact(less_equal(_number(0), root))
        self._fact(implies(less_equal(_number(0), square), equal(Times(root, root), square)))
        return root

    def _exponential(self, expression: ir.Expression, exponent: FNode) -> FNode:
        value, zero, one = self._opaque(expression), _number(0), _number(1)
        self._fact(less(zero, value))
        self._fact(implies(less_equal(zero, exponent), less_equal(add(one, exponent), value)))
        self._fact(implies(less_equal(exponent, zero), less_equal(value, one)))
        below = less_equal(Times(value, subtract(one, exponent)), one)
        self._fact(implies(less(exponent, one), below))
        return value

    def _power(self, expression: ir.Expression, base: FNode, exponent: FNode) -> FNode:
        value, zero, one = self._opaque(expression), _number(0), _number(1)
        self._fact(implies(less(zero, base), less(zero, value)))
        rising = all_of((less_equal(one, base), less_equal(zero, exponent)))
        self._fact(implies(rising, less_equal(one, value)))
        falling = all_of((less(zero, base), less_equal(base, one), less_equal(zero, exponent)))
        self._fact(implies(falling, less_equal(value, one)))
        return value

    def _extreme(self, symbol_: ir.Operator, parts: list[FNode]) -> FNode:
        result = parts[0]
        for other in parts[1:]:
            first_is_less = less_equal(result, other)
            pair = (result, other) if symbol_ is ir.Operator.MINIMUM else (other, result)
            result = choose(first_is_less, *pair)
        return result

    def _rational(self, item: Rational) -> FNode:
        top, bottom = (
            self._polynomial(part.to_dict(), item.names) for part in (item.numerator, item.denominator)
        )
        if bottom.is_constant():
            return top
        return self._divided(top, bottom)

    def _polynomial(self, terms: Mapping[tuple[int, ...], object], names: tuple[str, ...]) -> FNode:
        total = [_number(0)]
        for powers, coefficient in terms.items():
            value = Fraction(int(coefficient.p), int(coefficient.q))  # type: ignore[attr-defined]
            factors = [_number(value)]
            for name, power in zip(names, powers, strict=True):
                factors += [self._named(name)] * int(power)
            total.append(Times(factors) if len(factors) > 1 else factors[0])
        return add(*total)
