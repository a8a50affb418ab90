"""Terms of linear arithmetic on pysmt, with constructors that fold what is already known.

Folding keeps the product small: two runs that do the same thing get the same term, and equality
of terms is then identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, floor, lcm

from pysmt.fnode import FNode
from pysmt.shortcuts import (
    FALSE,
    LE,
    LT,
    TRUE,
    Equals,
    Iff,
    Int,
    Real,
    Symbol,
    get_env,
    get_free_variables,
    substitute,
)
from pysmt.typing import BOOL, INT, REAL, PySMTType

from synth.trusted.program import syntax as ir

SORTS: dict[ir.Sort, PySMTType] = {ir.Sort.INT: INT, ir.Sort.REAL: REAL, ir.Sort.BOOL: BOOL}

__all__ = [
    "FALSE",
    "SORTS",
    "TRUE",
    "FNode",
    "Int",
    "Real",
    "absolute",
    "add",
    "all_of",
    "any_of",
    "choose",
    "constant",
    "equal",
    "free_symbols",
    "implies",
    "less",
    "less_equal",
    "linear_combination",
    "linear_parts",
    "negate",
    "number_value",
    "scaled",
    "sort_of",
    "substitute",
    "subtract",
    "symbol",
    "to_real",
    "within",
]


def symbol(name: str, sort: PySMTType) -> FNode:
    """The variable of that name and sort.

    pysmt knows one sort for each name; in an earlier attempt it may have been another one.
    """
    known = get_env().formula_manager.symbols.get(name)
    is_other = known is not None and known.symbol_type() != sort
    return Symbol(f"{name}:{sort}" if is_other else name, sort)


def sort_of(term: FNode) -> PySMTType:
    """The sort of a term."""
    return get_env().stc.get_type(term)


def constant(value: bool | int | Fraction, sort: PySMTType) -> FNode:
    """A literal of that sort."""
    if sort is BOOL or sort == BOOL:
        return TRUE() if value else FALSE()
    return Real(Fraction(value)) if sort == REAL else Int(int(value))


def number_value(term: FNode) -> Fraction | None:
    """The value of a numeral, None for any other term."""
    if term.is_int_constant() or term.is_real_constant():
        return Fraction(term.constant_value())
    return None


def negate(formula: FNode) -> FNode:
    """Logical negation."""
    if formula.is_true():
        return FALSE()
    if formula.is_false():
        return TRUE()
    return formula.arg(0) if formula.is_not() else get_env().formula_manager.Not(formula)


def all_of(formulas: Iterable[FNode]) -> FNode:
    """Conjunction, flat and without repetition."""
    parts: dict[FNode, None] = {}
    for formula in formulas:
        if formula.is_false():
            return formula
        if formula.is_and():
            parts.update(dict.fromkeys(formula.args()))
        elif not formula.is_true():
            parts[formula] = None
    return get_env().formula_manager.And(list(parts))


def any_of(formulas: Iterable[FNode]) -> FNode:
    """Disjunction."""
    return negate(all_of(negate(formula) for formula in formulas))


def implies(premise: FNode, conclusion: FNode) -> FNode:
    """Implication."""
    if premise.is_true() or conclusion.is_true():
        return conclusion
    if premise.is_false() or premise is conclusion:
        return TRUE()
    return get_env().formula_manager.Implies(premise, conclusion)


def choose(condition: FNode, then: FNode, otherwise: FNode) -> FNode:
    """If-then-else on terms of one sort."""
    if condition.is_true() or then is otherwise:
        return then
    if condition.is_false():
        return otherwise
    if then.is_true():
        return any_of((condition, otherwise))
    if then.is_false():
        return all_of((negate(condition), otherwise))
    if otherwise.is_true():
        return implies(condition, then)
    if otherwise.is_false():
        return all_of((condition, then))
    return get_env().formula_manager.Ite(condition, then, otherwise)


def equal(left: FNode, right: FNode) -> FNode:
    """Equality, equivalence on truth values."""
    if left is right:
        return TRUE()
    if sort_of(left) == BOOL:
        if left.is_constant():
            return right if left.is_true() else negate(right)
        if right.is_constant():
            return left if right.is_true() else negate(left)
        return Iff(left, right)
    if left.is_constant() and right.is_constant():
        return FALSE()
    return Equals(left, right)


def less_equal(left: FNode, right: FNode) -> FNode:
    """Order on numbers."""
    return _compare(left, right, LE)


def less(left: FNode, right: FNode) -> FNode:
    """Strict order on numbers."""
    return _compare(left, right, LT)


def within(term: FNode, bound: FNode) -> FNode:
    """\\|term\\| ≤ bound."""
    return all_of((less_equal(term, bound), less_equal(scaled(-1, term), bound)))


def _compare(left: FNode, right: FNode, order: Callable[[FNode, FNode], FNode]) -> FNode:
    if _is_plain_choice(left):
        return choose(left.arg(0), *(_compare(part, right, order) for part in left.args()[1:]))
    if _is_plain_choice(right):
        return choose(right.arg(0), *(_compare(left, part, order) for part in right.args()[1:]))
    coefficients, offset = _combine([(linear_parts(left), Fraction(1)), (linear_parts(right), Fraction(-1))])
    if not coefficients:
        return TRUE() if (offset <= 0 if order is LE else offset < 0) else FALSE()
    if any(not atom.is_toreal() for atom in coefficients):
        return order(left, right)
    return _compare_integers(coefficients, offset, order)


def _is_plain_choice(term: FNode) -> bool:
    return bool(term.is_ite() and not term.arg(1).is_ite() and not term.arg(2).is_ite())


def _compare_integers(
    coefficients: dict[FNode, Fraction], offset: Fraction, order: Callable[[FNode, FNode], FNode]
) -> FNode:
    """A comparison of reals that are sums of integers, as one of integers."""
    common = lcm(*(value.denominator for value in coefficients.values()))
    total = linear_combination([(value * common, atom.arg(0)) for atom, value in coefficients.items()], INT)
    limit = -offset * common
    return order(total, Int(floor(limit) if order is LE else ceil(limit)))


def linear_parts(term: FNode) -> tuple[dict[FNode, Fraction], Fraction]:
    """A term as a linear combination of non-sums, and a constant."""
    value = number_value(term)
    if value is not None:
        return {}, value
    if term.is_plus():
        parts = [linear_parts(argument) for argument in term.args()]
        return _combine([(part, Fraction(1)) for part in parts])
    if term.is_times() and len(term.args()) == 2:
        factor = number_value(term.arg(0))
        if factor is not None:
            return _combine([(linear_parts(term.arg(1)), factor)])
    return {term: Fraction(1)}, Fraction(0)


def _combine(
    parts: list[tuple[tuple[dict[FNode, Fraction], Fraction], Fraction]],
) -> tuple[dict[FNode, Fraction], Fraction]:
    total: dict[FNode, Fraction] = {}
    rest = Fraction(0)
    for (coefficients, offset), factor in parts:
        rest += factor * offset
        for atom, coefficient in coefficients.items():
            total[atom] = total.get(atom, Fraction(0)) + factor * coefficient
    return {atom: coefficient for atom, coefficient in total.items() if coefficient}, rest


def _build(coefficients: dict[FNode, Fraction], offset: Fraction, sort: PySMTType) -> FNode:
    manager = get_env().formula_manager
    addends = [
        atom if coefficient == 1 else manager.Times(constant(coefficient, sort), atom)
        for atom, coefficient in sorted(coefficients.items(), key=lambda item: item[0].node_id())
    ]
    if offset or not addends:
        addends.append(constant(offset, sort))
    return addends[0] if len(addends) == 1 else manager.Plus(addends)


def linear_combination(parts: Iterable[tuple[Fraction | int, FNode]], sort: PySMTType) -> FNode:
    """Σ factor·term, with like terms collected."""
    coefficients, offset = _combine([(linear_parts(term), Fraction(factor)) for factor, term in parts])
    return _build(coefficients, offset, sort)


def add(*terms: FNode) -> FNode:
    """Sum of terms of one sort."""
    return linear_combination([(1, term) for term in terms], sort_of(terms[0]))


def subtract(left: FNode, right: FNode) -> FNode:
    """Difference of terms of one sort."""
    return linear_combination([(1, left), (-1, right)], sort_of(left))


def scaled(factor: Fraction | int, term: FNode) -> FNode:
    """A numeral times a term; on integers the numeral must be one."""
    return linear_combination([(factor, term)], sort_of(term))


def absolute(term: FNode) -> FNode:
    """Absolute value."""
    value = number_value(term)
    if value is not None:
        return constant(abs(value), sort_of(term))
    zero = constant(0, sort_of(term))
    return choose(less_equal(zero, term), term, scaled(-1, term))


def to_real(term: FNode) -> FNode:
    """An integer term as a real one."""
    if sort_of(term) == REAL:
        return term
    if term.is_ite():
        return choose(term.arg(0), to_real(term.arg(1)), to_real(term.arg(2)))
    coefficients, offset = linear_parts(term)
    manager = get_env().formula_manager
    return _build({manager.ToReal(atom): value for atom, value in coefficients.items()}, offset, REAL)


def has_cases(term: FNode) -> bool:
    """Whether a condition chooses between values anywhere in a term."""
    waiting, seen = [term], {term}
    while waiting:
        part = waiting.pop()
        if part.is_ite():
            return True
        new = [item for item in part.args() if item not in seen]
        waiting += new
        seen |= {*new}
    return False


def free_symbols(terms: Iterable[FNode]) -> list[FNode]:
    """The free variables of some terms, in order of first creation."""
    found: set[FNode] = set()
    for term in terms:
        found |= get_free_variables(term)
    return sorted(found, key=lambda item: item.node_id())
