"""How large quotients and products are, whatever their operands are: numbers that are clipped by their size.

``x / max(1, abs(x) / c)``, ``x * min(1, c / abs(x))`` and ``x * c / abs(x)`` are at most c in size, for all c
above 0.  Where a divisor is 0, x is 0, too, and then so is the whole, since x/0 is x·(1/0).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.steps.terms import Term, Terms

_LESS = (ir.Operator.LESS, ir.Sort.BOOL)
_MINIMUM, _MAXIMUM = (ir.Operator.MINIMUM, ir.Sort.REAL), (ir.Operator.MAXIMUM, ir.Sort.REAL)


def unclipped(term: Term, terms: Terms) -> Term:
    """``e`` of ``max(-c, min(e, c)) if 0 < c else e``, if e is at most c in size for all c above 0, and of
    ``max(-c, min(e, c))`` with such a number c; other terms as they are.
    """
    match term.head, term.arguments:
        case (ir.Operator.IF, _), (condition, then, otherwise) if condition.head == _LESS:
            zero, most = condition.arguments
            is_one = _is_natural(zero) and then is _clipped(otherwise, most, terms)
            return otherwise if is_one and _is_within(otherwise, most) else term
        case (ir.Operator.MAXIMUM, _), (_, Term(head=(ir.Operator.MINIMUM, _), arguments=(value, most))):
            positive = isinstance(most.head, ir.Constant) and most.head.value > 0
            is_one = positive and term is _clipped(value, most, terms)
            return value if is_one and _is_within(value, most) else term
        case _:
            return term


def _clipped(term: Term, most: Term, terms: Terms) -> Term:
    """``max(-most, min(term, most))``."""
    least = terms.apply((ir.Operator.NEGATE, ir.Sort.REAL), (most,))
    return terms.make(_MAXIMUM, least, terms.make(_MINIMUM, term, most))


def _is_within(term: Term, most: Term) -> bool:
    """Whether abs(term) <= most holds wherever most is above 0."""
    return any(bound is most for bound in bounds(term))


def bounds(term: Term) -> Iterator[Term]:
    """Give some c of which abs(term) <= c holds wherever c is above 0."""
    match term.head, term.arguments:
        case (ir.Operator.NEGATE, _), (inner,):
            yield from bounds(inner)
        case (ir.Operator.DIVIDE, _), (top, under):
            for part in _parts(under, ir.Operator.MAXIMUM):  # all of them are at most ``under``
                if _is(part, ir.Operator.DIVIDE) and _covers(part.arguments[0], top):
                    yield part.arguments[1]
                for one, factor in _orders(top, ir.Operator.MULTIPLY):
                    if _covers(part, one):
                        yield factor
        case (ir.Operator.MULTIPLY, _), _:
            for one, factor in _orders(term, ir.Operator.MULTIPLY):
                parts = _parts(factor, ir.Operator.MINIMUM)
                shares = [item for item in parts if _is(item, ir.Operator.DIVIDE)]
                if all(item in shares or _is_natural(item) for item in parts):
                    found = [s.arguments[0] for s in shares if _covers(s.arguments[1], one)]
                    yield from found if len(shares) == len(found) == 1 else ()


def _covers(size: Term, term: Term) -> bool:
    """Whether abs(term) <= size."""
    match size.head, size.arguments:
        case (ir.Operator.ABSOLUTE, _), (inner,):
            return inner is term
        case (ir.Operator.TO_REAL, _), (inner,):
            return _is(term, ir.Operator.TO_REAL) and _covers(inner, term.arguments[0])
        case (ir.Operator.MAXIMUM, _), parts:
            return any(_covers(part, term) for part in parts)
        case (ir.Operator.ADD, _), (left, right):
            return (_covers(left, term) and _is_natural(right)) or (
                _covers(right, term) and _is_natural(left)
            )
        case _:
            return False


def _orders(term: Term, operator: ir.Operator) -> tuple[tuple[Term, Term], ...]:
    """The two operands in both orders; none of another operation."""
    if not _is(term, operator) or len(term.arguments) != 2:
        return ()
    left, right = term.arguments
    return (left, right), (right, left)


def _parts(term: Term, operator: ir.Operator) -> tuple[Term, ...]:
    return term.arguments if _is(term, operator) else (term,)


def _is(term: Term, operator: ir.Operator) -> bool:
    return isinstance(term.head, tuple) and term.head[0] is operator


def _is_natural(term: Term) -> bool:
    """Whether it is a number that is written out, of at least 0."""
    return isinstance(term.head, ir.Constant) and Fraction(term.head.value) >= 0
