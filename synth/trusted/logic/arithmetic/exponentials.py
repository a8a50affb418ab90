"""Exponentials and logarithms of public numbers, as far as polynomial arithmetic can tell.

exp(e) becomes a product of powers of a few positive constants, one per monomial of the exponents that
occur: exp(eps/2) and exp(eps) are x and x², where x > 0, and x ≥ 1 if eps ≥ 0.  Then polynomial arithmetic
decides.  All facts are instances of exp(a + b) = exp(a)·exp(b), monotonicity, exp(log(x)) = x for x > 0,
and rational enclosures of exp and log of numbers.

Quotients are shortened, and n/n is 1 only where n is not 0.  So nothing is known of exp(e) and log(e) where a
divisor in e is 0: n/n and 2·n/n are one value there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations

from synth.trusted.logic.arithmetic.polynomials import Monomial, divisors, polynomial_term, quotient
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import (
    REAL,
    BadTerm,
    Term,
    app,
    applications,
    disjunction,
    negation,
    number,
    shared,
    value,
)

EXP, LOG = "|exp:1^|", "|log:1^|"
_DIGITS = 10**9
_MAX_WRITTEN = 10**1200
MAX_EXPONENT = 1000
"""Exponents beyond this are not enclosed."""

SHORT = 6
"""Logarithms are compared with each other where their arguments have so few monomials."""

MAX_OPAQUE = 200
"""Exponentials and logarithms in one side condition, at the most: any two of them are compared."""

MAX_FACTORS = 1000
"""A power is written out as a product, up to so many factors."""


def without_exponentials(formulas: Sequence[Term]) -> list[Term]:
    """The formulas with constants for exponentials and logarithms, and what is known of those."""
    if not any(_occurs(item) for item in formulas):
        return list(formulas)
    table = _Table()
    for formula in formulas:
        table.collect(formula)
    return [*(table.term(item) for item in formulas), *table.facts()]


def power_of_e(exponent: Term) -> tuple[Term, list[Term]]:
    """exp(exponent), where exp(n·log(x)) is written as xⁿ; and what must hold for that.

    x > 0, and no divisor is 0.
    """
    factors: list[Term] = []
    rest: list[Term] = []
    positive = [negation(zero) for zero in _zeros(exponent)]
    for factor, monomial in _sum(exponent):
        plain = factor.denominator == 1 and abs(factor) <= MAX_FACTORS
        if isinstance(monomial, tuple) and monomial[0] == LOG and plain:
            inner = quotient(monomial[1])
            positive.append(_above("0.0", polynomial_term(inner.top), polynomial_term(inner.bottom)))
            one: Term = monomial[1] if factor > 0 else ("/", "1.0", monomial[1])
            factors += [one] * abs(int(factor))
        else:
            rest.append(("*", number(factor, REAL), monomial))
    if rest or not factors:
        factors.append(app(EXP, ("+", *rest) if len(rest) > 1 else rest[0] if rest else "0.0"))
    return _product(factors), positive


def _occurs(term: Term) -> bool:
    return any(item[0] in (EXP, LOG) for item in applications(term))


@dataclass
class _Table:
    """The exponents and logarithms that occur; ``steps`` are the least powers of each monomial's constant."""

    exponents: dict[Term, int] = field(default_factory=dict)
    logarithms: dict[Term, int] = field(default_factory=dict)
    monomials: dict[Term, int] = field(default_factory=dict)
    steps: dict[Term, Fraction] = field(default_factory=dict)
    _known: dict[Term, Term] = field(default_factory=dict)

    def collect(self, term: Term) -> None:
        """Note all exponentials and logarithms in a term, inner ones first."""
        for item in applications(term):
            if item[0] == LOG:
                self.logarithms.setdefault(item[1], len(self.logarithms))
            if item[0] == EXP and item[1] not in self.exponents:
                self.exponents[item[1]] = len(self.exponents)
                for factor, monomial in _sum(item[1]):
                    self.monomials.setdefault(monomial, len(self.monomials))
                    self.steps[monomial] = _common(self.steps.get(monomial), factor)
        if len(self.exponents) + len(self.logarithms) > MAX_OPAQUE:
            raise BadTerm(Code.TOO_MANY_EXPONENTIALS(most=MAX_OPAQUE))

    def term(self, term: Term) -> Term:
        """The term with constants in place of exponentials and logarithms."""
        found = self._known.get(term)
        if found is None:
            for item in applications(term):
                if item not in self._known:
                    self._known[item] = self._without(item)
            found = self._known.get(shared(term), term)
        return found

    def _without(self, item: tuple[Term, ...]) -> Term:
        if item[0] == LOG:
            return self._logarithm(item[1])
        if item[0] == EXP:
            return self._exponential(item[1])
        return app(item[0], *(self._known.get(part, part) for part in item[1:]))

    def _exponential(self, exponent: Term) -> Term:
        undefined = self._undefined(exponent)
        if not undefined:
            return self._power(exponent)
        unknown = f"|exp-of#{self.exponents[exponent]}|"
        return ("ite", disjunction(undefined), unknown, self._power(exponent))

    def _undefined(self, *terms: Term) -> list[Term]:
        """That some divisor in the terms is 0."""
        return [self.term(zero) for zero in dict.fromkeys(zero for term in terms for zero in _zeros(term))]

    def _where_defined(self, fact: Term, *terms: Term) -> Term:
        return disjunction([*self._undefined(*terms), fact])

    def _logarithm(self, inner: Term) -> Term:
        return f"|log#{self.logarithms[inner]}|"

    def _constant(self, monomial: Term, negative: bool = False) -> Term:
        return f"|exp#{self.monomials[monomial]}{'-' if negative else ''}|"

    def _power(self, exponent: Term) -> Term:
        factors: list[Term] = []
        for factor, monomial in _sum(exponent):
            times = factor / self.steps[monomial]
            if abs(times) > MAX_FACTORS:
                raise BadTerm(Code.EXPONENT_TOO_LARGE())
            factors += [self._constant(monomial, times < 0)] * abs(int(times))
        return app("*", *factors) if len(factors) > 1 else factors[0] if factors else "1.0"

    # --- facts ------------------------------------------------------------------------------

    def facts(self) -> Iterator[Term]:
        """What holds of the constants."""
        for monomial in self.monomials:
            for fact in self._exponential_facts(monomial):
                yield self._where_defined(fact, monomial)
        for inner in self.logarithms:
            for fact in self._logarithm_facts(self._logarithm(inner), inner):
                yield self._where_defined(fact, inner)
        yield from self._logarithms_together()
        exponents = list(self.exponents)
        for place, first in enumerate(exponents):
            for second in exponents[:place]:
                for low, high in ((first, second), (second, first)):
                    rising: Term = (
                        "=>",
                        ("<=", self.term(low), self.term(high)),
                        ("<=", self._power(low), self._power(high)),
                    )
                    yield self._where_defined(rising, low, high)

    def _logarithms_together(self) -> Iterator[Term]:
        """log(a) - log(b) >= 1 - b/a; and log(a) ± log(b) where the product or quotient is a constant."""
        plain = [item for item in self.logarithms if _is_short(item)]
        for a, b in permutations(filter(_is_polynomial, plain), 2):
            over: Term = ("-", self._logarithm(a), self._logarithm(b))
            one, other = (self.term(item) for item in (a, b))
            least: Term = ("<=", ("-", one, other), ("*", one, over))
            yield self._where_defined(("=>", ("and", ("<", "0.0", one), ("<", "0.0", other)), least), a, b)
        for a, b in combinations(plain, 2):
            for sign, together in (("+", ("*", a, b)), ("-", ("/", a, b))):
                known = _constant_value(together)
                if known is None or known <= 0 or not is_moderate(known):
                    continue
                low, high = logarithm(known) if known != 1 else (Fraction(0), Fraction(0))
                total: Term = (sign, self._logarithm(a), self._logarithm(b))
                enclosed = ("and", ("<=", number(low, REAL), total), ("<=", total, number(high, REAL)))
                positive = (_above("0.0", *self._fraction(item)) for item in (a, b))
                yield self._where_defined(("=>", ("and", *positive), enclosed), a, b)

    def _exponential_facts(self, monomial: Term) -> Iterator[Term]:
        constant, inverse = self._constant(monomial), self._constant(monomial, negative=True)
        yield ("<", "0.0", constant)
        yield ("<", "0.0", inverse)
        yield ("=", ("*", constant, inverse), "1.0")
        step = self.steps[monomial]
        known = value(monomial)
        if known is not None:
            if abs(step * known) > MAX_EXPONENT:
                return
            low, high = exponential(step * known)
            yield ("and", ("<=", number(low, REAL), constant), ("<=", constant, number(high, REAL)))
            return
        exponent = self.term(("*", number(step, REAL), monomial))
        yield ("=>", ("<=", "0.0", exponent), ("<=", ("+", "1.0", exponent), constant))
        yield ("=>", ("<", "0.0", exponent), ("<", "1.0", constant))
        yield ("=>", ("<=", exponent, "0.0"), ("<=", constant, "1.0"))
        yield ("=>", ("<", exponent, "1.0"), ("<=", ("*", constant, ("-", "1.0", exponent)), "1.0"))
        if isinstance(monomial, tuple) and monomial[0] == LOG:
            top, bottom = self._fraction(monomial[1])
            if max(step.denominator, step.numerator) > MAX_FACTORS:
                return
            powers = [constant] * step.denominator + [bottom] * step.numerator, [top] * step.numerator
            yield ("=>", _above("0.0", top, bottom), ("=", *(_product(item) for item in powers)))

    def _fraction(self, term: Term) -> tuple[Term, Term]:
        """Numerator and denominator."""
        found = quotient(term)
        return self.term(polynomial_term(found.top)), self.term(polynomial_term(found.bottom))

    def _logarithm_facts(self, constant: Term, inner: Term) -> Iterator[Term]:
        known = value(inner)
        if known is not None and known > 0:
            if not is_moderate(known):
                return
            low, high = logarithm(known)
            yield ("and", ("<=", number(low, REAL), constant), ("<=", constant, number(high, REAL)))
            return
        top, bottom = self._fraction(inner)
        yield ("=>", _above("1.0", top, bottom), ("<", "0.0", constant))
        yield ("=>", ("=", top, bottom), ("=", constant, "0.0"))
        positive = ("and", ("<", "0.0", top), ("<", "0.0", bottom))  # 1 - 1/x <= log(x) <= x - 1
        yield ("=>", positive, ("<=", ("-", top, bottom), ("*", constant, top)))
        yield ("=>", positive, ("<=", ("*", constant, bottom), ("-", top, bottom)))


def _is_short(term: Term) -> bool:
    """Whether a rational function is no number, and its products with others are small."""
    found = quotient(term)
    return value(term) is None and len(found.top) + len(found.bottom) <= SHORT


def _is_polynomial(term: Term) -> bool:
    return set(quotient(term).bottom) == {()}


def _constant_value(term: Term) -> Fraction | None:
    """The number that a rational function is wherever it is defined; None if it is not one."""
    found = quotient(term)
    for monomial, below in found.bottom.items():
        ratio = found.top.get(monomial, Fraction(0)) / below
        scaled = {other: ratio * factor for other, factor in found.bottom.items()}
        return ratio if scaled == dict(found.top) else None
    return None


def _zeros(term: Term) -> Iterator[Term]:
    """That a divisor in the term is 0, for each of them."""
    return (("=", divisor, "0.0") for divisor in divisors(term))


def _above(bound: Term, top: Term, bottom: Term) -> Term:
    """That a fraction is larger than 0 or 1."""
    low, high = ("0.0", top) if bound == "0.0" else (bottom, top)
    return (
        "or",
        ("and", ("<", "0.0", bottom), ("<", low, high)),
        ("and", ("<", bottom, "0.0"), ("<", high, low)),
    )


def _product(factors: list[Term]) -> Term:
    return app("*", *factors) if len(factors) > 1 else factors[0]


def _sum(exponent: Term) -> list[tuple[Fraction, Term]]:
    """The exponent as a sum of multiples of quotients of monomials; itself where it is no such sum."""
    found = quotient(exponent)
    if len(found.bottom) != 1:
        return [(Fraction(1), exponent)]
    ((below, scale),) = found.bottom.items()
    return [(factor / scale, _monomial(above, below)) for above, factor in found.top.items()]


def _monomial(above: Monomial, below: Monomial) -> Term:
    """One monomial divided by another, shortened."""
    powers = dict(above)
    for atom, power in below:
        powers[atom] = powers.get(atom, 0) - power
    top = [atom for atom, power in powers.items() for _ in range(power)]
    bottom = [atom for atom, power in powers.items() for _ in range(-power)]
    whole = _product(top) if top else "1.0"
    return app("/", whole, _product(bottom)) if bottom else whole


def _common(known: Fraction | None, factor: Fraction) -> Fraction:
    """The largest number of which both are integer multiples."""
    size = abs(factor)
    if known is None:
        return size
    denominator = math.lcm(known.denominator, size.denominator)
    return Fraction(math.gcd(int(known * denominator), int(size * denominator)), denominator)


# --- numbers --------------------------------------------------------------------------------


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds of exp(x): Taylor's series for |x| ≤ 1/2, then squares, rounded outwards."""
    halvings = max(0, abs(x.numerator).bit_length() - x.denominator.bit_length() + 2)
    small = x / 2**halvings
    term, total = Fraction(1), Fraction(1)
    for place in range(1, 16):
        term = term * small / place
        total += term
    rest = abs(term)  # the terms left out at least halve from one to the next
    low, high = _short(total - rest, math.floor), _short(total + rest, math.ceil)
    for _ in range(halvings):
        low, high = _down(low * low), _up(high * high)
    return low, high


def is_moderate(x: Fraction) -> bool:
    """Whether the logarithm of a number is small enough to be enclosed."""
    return abs(x.numerator.bit_length() - x.denominator.bit_length()) < MAX_EXPONENT


def logarithm(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds of log(x) for x > 0, verified by those of exp."""
    if x < 1:
        low, high = logarithm(1 / x)
        return -high, -low
    middle = Fraction(math.log(x.numerator) - math.log(x.denominator))
    width = Fraction(1, 10**6)
    while not (exponential(middle - width)[1] <= x <= exponential(middle + width)[0]):
        width *= 2
    return middle - width, middle + width


def _short(x: Fraction, rounded: Callable[[Fraction], int]) -> Fraction:
    """The number, rounded if its denominator is long: that of a small x to the power of 15 may be."""
    return x if x.denominator <= _MAX_WRITTEN else Fraction(rounded(x * _MAX_WRITTEN), _MAX_WRITTEN)


def _down(x: Fraction) -> Fraction:
    return Fraction(math.floor(x * _DIGITS), _DIGITS)


def _up(x: Fraction) -> Fraction:
    return Fraction(math.ceil(x * _DIGITS), _DIGITS)
