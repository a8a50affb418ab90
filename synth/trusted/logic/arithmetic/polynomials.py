"""Public values in polynomial arithmetic: what a scale is, and whether one cost is at most another.

Here all numbers are reals, also those that the program has as integers: what holds for all reals
holds for them.  Where integers are compared, a < b is read as a + 1 ≤ b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import (
    MAX_BITS,
    REAL,
    BadTerm,
    Signature,
    Term,
    app,
    applications,
    conjunction,
    distinct,
    is_small,
    negation,
    number,
    rebuilt,
    symbols,
    value,
)


def over_reals(
    term: Term,
    symbol: Callable[[str], Term] = str,
    unknown: Callable[[Term], Term | None] = lambda application: None,
) -> Term:
    """A term of linear arithmetic over the reals, with symbols replaced: each operation is that of the reals.

    Those on integers are their restrictions.  ``unknown`` gives what stands for an application of no
    operation.  Raises BadTerm where SMT-LIB's operations differ from Python's.
    """

    def atom(part: str) -> Term:
        if value(part) is None:
            return symbol(part) if part.startswith("|") else part
        return part if "." in part else f"{part}.0"

    def applied(head: Term, parts: tuple[Term, ...]) -> Term:
        if head in ("div", "mod") and (value(parts[1]) or 0) <= 0:
            raise BadTerm(Code.DIVISOR_NOT_POSITIVE())
        if head == POWER:
            return power(*parts)
        if head == "to_real":
            return parts[0]
        return unknown((head, *parts)) or app(public_operator(str(head), len(parts)), *parts)

    return rebuilt(term, atom, applied)


def public_operator(head: str, arguments: int) -> str:
    """The operator over public inputs that an operator of linear arithmetic, maybe opaque, stands for."""
    if head in _INTEGRAL:
        return _INTEGRAL[head]
    name, mark, _ = head.strip("|").rpartition(":")
    if not head.startswith("|") or head.endswith("^|") or not mark:
        return head
    return name if name in ("*", "/") else f"|{name}:{arguments}^|"


POWER = f"|**:{REAL},{REAL}|"


def power(base: Term, exponent: Term) -> Term:
    """b ** e: exp(e·log(b)) for b > 0, and opaque where b may be something else."""
    as_exponential: Term = app("|exp:1^|", ("*", exponent, app("|log:1^|", base)))
    known = value(base)
    if known is not None and known > 0:
        return as_exponential
    return app("ite", ("<", "0.0", base), as_exponential, app("|**:2^|", base, exponent))


_INTEGRAL = {"div": "|//:2^|", "mod": "|%:2^|", "to_int": "|floor:1^|"}


def public_signatures(terms: tuple[Term, ...]) -> dict[str, Signature]:
    """The symbols of terms over public inputs: everything is real."""
    found: dict[str, Signature] = {}
    for name in symbols(*terms):
        found[name] = (REAL,) * int(name[-3]) if name.endswith("^|") else (), REAL
    return found


def is_rational(term: Term) -> bool:
    """Whether a term has no operation that polynomial arithmetic knows nothing about."""
    known = ("|sqrt:1^|", "|exp:1^|", "|log:1^|")
    return all(not name.endswith("^|") or name in known for name in symbols(term))


def roots(term: Term) -> Iterator[Term]:
    """What is known of the square roots in a term: s = sqrt(x) has s ≥ 0, and s·s = x for x ≥ 0."""
    for part in distinct(term):
        if isinstance(part, tuple) and part[0] == "|sqrt:1^|":
            yield app("<=", "0.0", part)
            yield app("=>", ("<=", "0.0", part[1]), ("=", ("*", part, part), part[1]))


def lengths(term: Term) -> Iterator[Term]:
    """What is known of the lengths of sequences in a term."""
    for name in symbols(term):
        if name.startswith("|len("):
            yield app("<=", "0.0", name)


# --- rational functions ---------------------------------------------------------------------

MAX_PRODUCTS = 10_000
"""Products of monomials in one multiplication, and factors of a monomial, at the most."""

MAX_TERMS = 200
"""Terms of a quotient of two polynomials, at the most."""

REMEMBERED = 10_000
"""Terms whose quotients are kept: chances of one program share most of their parts."""

Monomial = tuple[tuple[Term, int], ...]
Polynomial = Mapping[Monomial, Fraction]


@dataclass(frozen=True)
class Quotient:
    """A rational function: numerator and denominator, polynomials over terms that aren't sums or products."""

    top: Polynomial
    bottom: Polynomial


@lru_cache(maxsize=REMEMBERED)
def quotient(term: Term) -> Quotient:
    """The term as a quotient of polynomials; equal to it where all its divisions are defined."""
    exact = value(term)
    if exact is not None:
        return Quotient(_constant(exact), _constant(1))
    match term:
        case ("-", inner):
            return quotient(("*", ("-", "1.0"), inner))
        case ("+" | "-" | "*" | "/" as head, *rest):
            first = quotient(rest[0])
            for other in rest[1:]:
                first = _combined(str(head), first, quotient(other))
            return first
        case _:
            return Quotient({((term, 1),): Fraction(1)}, _constant(1))


def _combined(head: str, left: Quotient, right: Quotient) -> Quotient:
    if head == "*":
        return _reduced(_product(left.top, right.top), _product(left.bottom, right.bottom))
    if head == "/":
        return _reduced(_product(left.top, right.bottom), _product(left.bottom, right.top))
    sign = _constant(1 if head == "+" else -1)
    wider = _divided(left.bottom, right.bottom)
    if wider is not None:
        return _reduced(_sum(left.top, _product(sign, _product(right.top, wider))), left.bottom)
    wider = _divided(right.bottom, left.bottom)
    if wider is not None:
        return _reduced(_sum(_product(left.top, wider), _product(sign, right.top)), right.bottom)
    crossed = _product(left.top, right.bottom), _product(sign, _product(right.top, left.bottom))
    return Quotient(_sum(*crossed), _product(left.bottom, right.bottom))


def _reduced(top: Polynomial, bottom: Polynomial) -> Quotient:
    """The quotient, shortened where one polynomial is a multiple of the other."""
    if not top or not bottom or set(bottom) == {()}:
        return Quotient(top, bottom)
    whole = _divided(top, bottom)
    if whole is not None:
        return Quotient(whole, _constant(1))
    part = _divided(bottom, top)
    return Quotient(_constant(1), part) if part is not None else Quotient(top, bottom)


def _divided(top: Polynomial, bottom: Polynomial) -> Polynomial | None:
    """The polynomial that times ``bottom`` is ``top``; None if there is none."""
    if not bottom:
        return None
    atoms = sorted({atom for part in (top, bottom) for monomial in part for atom, _ in monomial}, key=repr)

    def rank(monomial: Monomial) -> tuple[int, ...]:
        powers = dict(monomial)
        return tuple(powers.get(atom, 0) for atom in atoms)

    lead = max(bottom, key=rank)
    result: Polynomial = {}
    while top:
        if len(result) > MAX_TERMS:
            raise BadTerm(Code.POLYNOMIALS_TOO_LARGE())
        first = max(top, key=rank)
        powers = [one - other for one, other in zip(rank(first), rank(lead), strict=True)]
        if min(powers, default=0) < 0:
            return None
        monomial = tuple((atom, power) for atom, power in zip(atoms, powers, strict=True) if power)
        factor: Polynomial = {monomial: top[first] / bottom[lead]}
        result = _sum(result, factor)
        top = _sum(top, _product(_constant(-1), _product(factor, bottom)))
    return result


def _constant(value: Fraction | int) -> Polynomial:
    return {(): Fraction(value)} if value else {}


def _sum(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for monomial, factor in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + factor
    return _small({monomial: factor for monomial, factor in total.items() if factor})


def _small(polynomial: Polynomial) -> Polynomial:
    """The polynomial, if its numbers may be computed with.  Raises BadTerm."""
    if not all(map(is_small, polynomial.values())):
        raise BadTerm(Code.NUMBER_TOO_LARGE(bits=MAX_BITS))
    return polynomial


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    total: dict[Monomial, Fraction] = {}
    if len(left) * len(right) > MAX_PRODUCTS:
        raise BadTerm(Code.POLYNOMIALS_TOO_LARGE())
    for first, one in left.items():
        for second, other in right.items():
            powers = dict(first)
            for atom, power in second:
                powers[atom] = powers.get(atom, 0) + power
            monomial = tuple(sorted(powers.items(), key=lambda item: repr(item[0])))
            total[monomial] = total.get(monomial, Fraction(0)) + one * other
            if sum(powers.values()) > MAX_PRODUCTS:
                raise BadTerm(Code.POWERS_TOO_LARGE())
    return _small({monomial: factor for monomial, factor in total.items() if factor})


def polynomial_term(polynomial: Polynomial) -> Term:
    """A polynomial as a term."""
    parts: list[Term] = []
    for monomial, factor in sorted(polynomial.items(), key=repr):
        factors = [number(factor, REAL), *(atom for atom, power in monomial for _ in range(power))]
        parts.append(app("*", *factors) if len(factors) > 1 else factors[0])
    return app("+", *parts) if len(parts) > 1 else parts[0] if parts else "0.0"


def nonnegative(term: Term) -> Term:
    """That a rational function is defined and at least 0, without a division."""
    item = quotient(term)
    if not item.bottom:
        return "false"
    top, bottom = polynomial_term(item.top), polynomial_term(item.bottom)
    sign: Term = (
        "or",
        ("and", ("<=", "0.0", bottom), ("<=", "0.0", top)),
        ("and", ("<=", bottom, "0.0"), ("<=", top, "0.0")),
    )
    if set(item.bottom) == {()}:
        sign = ("<=", "0.0", top) if item.bottom[()] > 0 else ("<=", top, "0.0")
    defined = dict.fromkeys(negation(("=", divisor, "0.0")) for divisor in divisors(term))
    return conjunction([*defined, *([sign] if item.top else [])])


def divisors(term: Term) -> Iterator[Term]:
    """What is divided by in a term, apart from numbers; cancelled or not, it must not be 0."""
    for item in applications(term):
        for divisor in item[2:] if item[0] == "/" else ():
            if value(divisor) in (None, 0):
                yield polynomial_term(quotient(divisor).top)


def at_most(lower: Term, upper: Term) -> Term:
    """That one rational function is at most another, both being defined."""
    return nonnegative(("-", upper, lower))
