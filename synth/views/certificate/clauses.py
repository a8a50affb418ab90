"""Formulas as clauses of comparisons in one form, so that bounds that meet can be read as one relation.

What the solver writes as ``(not (<= 0 (+ x (* (- 1) y))))`` and ``(not (<= (+ x (* (- 1) y)) (- 2)))``
is, on integers, ``x + 1 = y``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, gcd, lcm

from synth.trusted.logic.arithmetic.polynomials import Monomial, quotient
from synth.trusted.logic.terms import BOOL, FALSE, INT, TRUE, Signature, Term, sort_of, symbols
from synth.views.certificate.names import split

NEGATED = {"≤": ">", "<": "≥", "=": "≠", "≥": "<", ">": "≤", "≠": "="}
_MIRRORED = {"≤": "≥", "<": ">", "≥": "≤", ">": "<", "=": "=", "≠": "≠"}
ORDERS = {"<=": "≤", "<": "<", ">=": "≥", ">": ">", "=": "="}


@dataclass(frozen=True)
class Bound:
    """Σ factor·monomial compared with a number; ``within`` compares the absolute value."""

    items: tuple[tuple[Monomial, Fraction], ...]
    order: str
    offset: Fraction
    integers: bool
    within: bool = False


@dataclass(frozen=True)
class Truth:
    """A formula that is no comparison of numbers, or its negation."""

    term: Term
    positive: bool


@dataclass(frozen=True)
class Both:
    """A conjunction below a disjunction."""

    clauses: tuple[Clause, ...]


Literal = Bound | Truth | Both
Clause = frozenset[Literal]
Known = Mapping[str, Signature]


def clauses(formulas: Sequence[Term], known: Known) -> tuple[Clause, ...]:
    """The conjunction of the formulas, part by part.  Raises BadTerm for one that is no formula."""
    found: list[Clause] = []
    for formula in formulas:
        sort_of(formula, known)
        found += _clauses(formula, True, known)
    return tuple(_joined(list(_simplified(found))))


def _simplified(found: Iterable[Clause]) -> Iterator[Clause]:
    """The clauses without what is decided; a conjunction that stands alone is taken apart."""
    for item in found:
        part = _undecided(item)
        match tuple(part) if part is not None else None:
            case (Both(clauses=inner),):
                yield from _simplified(inner)
            case None:
                pass
            case literals:
                yield frozenset(literals)


def negated(literal: Literal) -> Literal:
    """The opposite of a literal that is no conjunction."""
    match literal:
        case Bound(order=order, within=False):
            return _whole(replace(literal, order=NEGATED[order]))
        case Bound(order=order):
            return replace(literal, order=NEGATED[order])
        case Truth(term=term, positive=positive):
            return Truth(term, not positive)
        case _:
            raise TypeError("a conjunction has no literal for its negation")


def rank(term: Term) -> tuple[int, str]:
    """Costs first, then run 1, run 2, and what is the same in both."""
    marks = {split(name)[1] for name in symbols(term)}
    if any(name.startswith("|cost#") for name in symbols(term)):
        return 0, str(term)
    return (1 if "<1>" in marks else 2 if "<2>" in marks else 3), str(term)


# --- structure ------------------------------------------------------------------------------


def _clauses(formula: Term, positive: bool, known: Known) -> list[Clause]:
    match formula:
        case ("not", inner):
            return _clauses(inner, not positive, known)
        case ("and", *parts) if positive:
            return [item for part in parts for item in _clauses(part, True, known)]
        case ("or", *parts) if not positive:
            return [item for part in parts for item in _clauses(part, False, known)]
        case ("=>", *parts, last) if not positive:
            given = [item for part in parts for item in _clauses(part, True, known)]
            return given + _clauses(last, False, known)
        case _ if formula == (TRUE if positive else FALSE):
            return []
        case _:
            return [frozenset(_alternatives(formula, positive, known))]


def _alternatives(formula: Term, positive: bool, known: Known) -> list[Literal]:
    match formula:
        case ("not", inner):
            return _alternatives(inner, not positive, known)
        case ("or", *parts) if positive:
            return [item for part in parts for item in _alternatives(part, True, known)]
        case ("and", *parts) if not positive:
            return [item for part in parts for item in _alternatives(part, False, known)]
        case ("=>", *parts, last) if positive:
            given = [item for part in parts for item in _alternatives(part, False, known)]
            return given + _alternatives(last, True, known)
        case ("and" | "or" | "=>", *_):
            return [Both(tuple(_clauses(formula, positive, known)))]
        case (str() as head, left, right) if head in ORDERS and sort_of(left, known) != BOOL:
            order = ORDERS[head] if positive else NEGATED[ORDERS[head]]
            return [comparison(left, order, right, sort_of(left, known) == INT) or Truth(formula, positive)]
        case _:
            return [Truth(formula, positive)]


# --- comparisons ----------------------------------------------------------------------------


def comparison(left: Term, order: str, right: Term, integers: bool) -> Bound | None:
    """Two terms compared; None where there is a division by something unknown."""
    change = quotient(("-", unlifted(left), unlifted(right)))
    if set(change.bottom) != {()}:
        return None
    factors = {monomial: factor / change.bottom[()] for monomial, factor in change.top.items()}
    offset = -factors.pop((), Fraction(0))
    items = tuple(sorted(factors.items(), key=lambda item: rank(_product(item[0]))))
    if not items:
        return Bound((), order, offset, integers)
    sizes = [factor for _, factor in items]
    scale = Fraction(lcm(*(size.denominator for size in sizes)), gcd(*(size.numerator for size in sizes)))
    if sizes[0] < 0:
        scale, order = -scale, _MIRRORED[order]
    scaled = tuple((monomial, factor * scale) for monomial, factor in items)
    return _whole(Bound(scaled, order, offset * scale, integers))


FORMULAS = frozenset({"not", "and", "or", "=>", *ORDERS})
"""What makes a formula, which is well-sorted only as it is."""


def unlifted(term: Term) -> Term:
    """The term with integers used as reals without saying so, but for formulas in it."""
    if isinstance(term, str) or term[0] in FORMULAS:
        return term
    parts = tuple(unlifted(part) for part in term)
    return parts[1] if parts[0] == "to_real" else parts


def _product(monomial: Monomial) -> Term:
    return ("*", *(atom for atom, _ in monomial))


def _whole(bound: Bound) -> Bound:
    """On integers a strict bound is one that isn't, one further."""
    if not bound.integers:
        return bound
    match bound.order:
        case "<":
            return replace(bound, order="≤", offset=Fraction(ceil(bound.offset) - 1))
        case ">":
            return replace(bound, order="≥", offset=Fraction(floor(bound.offset) + 1))
        case "≤":
            return replace(bound, offset=Fraction(floor(bound.offset)))
        case "≥":
            return replace(bound, offset=Fraction(ceil(bound.offset)))
        case _:
            return bound


def _undecided(clause: Clause) -> Clause | None:
    """The clause without literals that are false; None if one is true."""
    decided = {item: _decided(item) for item in clause}
    if True in decided.values():
        return None
    return frozenset(item for item, truth in decided.items() if truth is None)


def _decided(literal: Literal) -> bool | None:
    """Whether a literal holds, None if that depends."""
    if isinstance(literal, Truth) and literal.term in (TRUE, FALSE):
        return (literal.term == TRUE) == literal.positive
    if not isinstance(literal, Bound) or literal.items:
        return None
    zero = literal.offset
    return {"≤": zero >= 0, "<": zero > 0, "=": zero == 0, "≥": zero <= 0, ">": zero < 0, "≠": zero != 0}[
        literal.order
    ]


# --- pairs of bounds ------------------------------------------------------------------------


def _joined(found: Sequence[Clause]) -> list[Clause]:
    """Bounds that meet become equations, or bounds of the absolute value; what others imply is dropped."""
    rest = list(dict.fromkeys(found))
    while (pair := _pair(rest)) is not None:
        first, second, joint = pair
        place = rest.index(first)
        rest[place] = joint
        rest.remove(second)
    return [item for item in dict.fromkeys(rest) if not any(other < item for other in rest)]


def _pair(found: Sequence[Clause]) -> tuple[Clause, Clause, Clause] | None:
    for first, second in combinations(found, 2):
        joint = _joint(first, second)
        if joint is not None:
            return first, second, joint
    return None


def _joint(first: Clause, second: Clause) -> Clause | None:
    only, other = tuple(first - second), tuple(second - first)
    if len(only) != 1 or len(other) != 1:
        return None
    left, right = only[0], other[0]
    if not isinstance(left, Bound) or not isinstance(right, Bound) or left.items != right.items:
        return None
    if {left.order, right.order} != {"≤", "≥"} or left.within or right.within:
        return None
    upper = left if left.order == "≤" else right
    if left.offset == right.offset:
        return (first & second) | {replace(upper, order="=")}
    if left.offset == -right.offset and len(left.items) > 1 and upper.offset > 0:
        return (first & second) | {replace(upper, within=True)}
    return None
