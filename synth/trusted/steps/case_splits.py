"""Two real-valued terms compared case by case: in each case, every condition in them is decided.

A case knows which conditions hold, and in which interval each linear combination of integers lies.  It leaves
out only what is impossible; that each case is possible, nobody says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from synth.trusted.logic.arithmetic.exponentials import EXP, LOG
from synth.trusted.logic.arithmetic.polynomials import (
    Monomial,
    Polynomial,
    divisors,
    polynomial_term,
    public_operator,
    quotient,
)
from synth.trusted.logic.terms import (
    BOOL,
    FALSE,
    INT,
    REAL,
    TRUE,
    BadTerm,
    Signature,
    Term,
    app,
    negation,
    number,
    rebuilt,
    shared,
    sort_of,
    substitute,
    symbols,
    value,
)
from synth.trusted.steps.fusion_codes import FusionCode

MAX_CASES = 5_000
"""Cases of one comparison, at the most."""

Key = tuple[tuple[Monomial, Fraction], ...]
"""A linear combination without its constant; the sign of its first part is positive."""

End = Fraction | float
"""An end of an interval; only infinite ones are floats."""

_SORTS = {"/": REAL, "to_real": REAL, "div": INT, "mod": INT, "to_int": INT}
_KEPT = ("+", "-", "*", "/", EXP, LOG, "|sqrt:1^|")


@dataclass(frozen=True)
class Interval:
    """Integers from ``low`` to ``high``, but for some."""

    low: End = -inf
    high: End = inf
    without: frozenset[End] = frozenset()


@dataclass(frozen=True)
class Case:
    """``path`` are the conditions, each as it holds; ``truths`` and ``ranges`` are what they say."""

    path: tuple[Term, ...]
    truths: Mapping[Term, bool]
    ranges: Mapping[Key, Interval]


EVERYWHERE = Case((), {}, {(): Interval(Fraction(0), Fraction(0))})


@dataclass
class Splitter:
    """Compares terms over symbols of these sorts.

    ``opaque`` gives symbols to the operations that polynomials know nothing of.
    """

    known: Mapping[str, Signature]
    opaque: dict[Term, str] = field(default_factory=dict)

    def differing(self, left: Term, right: Term) -> Iterator[tuple[Case, tuple[Term, ...] | None]]:
        """The cases that are open: with the divisors that must not be 0 for the terms to be equal, or None.

        Raises BadTerm for too many cases, or polynomials that are too large.
        """
        waiting, count = [(EVERYWHERE, shared(left), shared(right))], 0
        while waiting:
            case, left, right = waiting.pop()
            done: dict[Term, Term] = {}
            left, right = self._under(left, case, done), self._under(right, case, done)
            if left == right:
                continue
            seen: set[Term] = set()
            atom = self._undecided(left, seen) or self._undecided(right, seen)
            count += 1
            if count > MAX_CASES:
                raise BadTerm(FusionCode.TOO_MANY_CASES(most=MAX_CASES))
            if atom is not None:
                waiting += [(self._assuming(case, atom, truth), left, right) for truth in (False, True)]
                continue
            difference = _solved(app("-", self.real(left), self.real(right)), case)
            if not quotient(_normal(difference, inverses=True)).top:
                continue
            if quotient(_normal(difference, inverses=False)).top:
                yield case, None
                continue
            found = dict.fromkeys(item for item in divisors(difference) if not self._is_nonzero(item, case))
            if found:
                yield case, tuple(found)

    # --- conditions -------------------------------------------------------------------------

    def _under(self, term: Term, case: Case, done: dict[Term, Term]) -> Term:
        """The term with what the case decides put in; sides of what is open stay as they are."""
        if isinstance(term, str):
            truth = case.truths.get(term)
            return term if truth is None else _truth(truth)
        if term not in done:
            done[term] = self._simplified(term, case, done)
        return done[term]

    def _simplified(self, term: tuple[Term, ...], case: Case, done: dict[Term, Term]) -> Term:
        head, *parts = term
        if head == "ite":
            condition = self._under(parts[0], case, done)
            if condition in (TRUE, FALSE):
                return self._under(parts[1 if condition == TRUE else 2], case, done)
            return app("ite", condition, *parts[1:])
        inner = [self._under(part, case, done) for part in parts]
        match head:
            case "not":
                return _negated(inner[0])
            case "=>":
                return _joined("or", [_negated(inner[0]), inner[1]])
            case "and" | "or":
                return _joined(head, inner)
            case "=" if self._sort(inner[0]) == BOOL:
                return _equivalence(*inner)
            case "<" | ">":
                left, right = inner if head == ">" else reversed(inner)
                return _negated(self._atom(app("<=", left, right), case))
            case ">=":
                return self._atom(app("<=", inner[1], inner[0]), case)
            case _:
                return self._atom(app(head, *inner), case)

    def _atom(self, term: Term, case: Case) -> Term:
        """A condition, or a number: the condition, if it is about nothing open, may be decided."""
        if self._sort(term) != BOOL or any(self._undecided(part, set()) for part in term[1:]):
            return term
        truth = case.truths.get(term)
        if truth is None and term[0] in ("=", "<="):
            truth = self._decided(term, case)
        return term if truth is None else _truth(truth)

    def _undecided(self, term: Term, seen: set[Term]) -> Term | None:
        """The first condition in a term that is still open."""
        if term in seen or term in (TRUE, FALSE):
            return None
        seen.add(term)
        for part in () if isinstance(term, str) else term[1:2] if term[0] == "ite" else term[1:]:
            found = self._undecided(part, seen)
            if found is not None:
                return found
        return term if self._sort(term) == BOOL else None

    def _sort(self, term: Term) -> str:
        """The sort of a term that is known to be well-sorted."""
        if isinstance(term, str):
            return sort_of(term, self.known)
        head = str(term[0])
        if head.startswith("|"):
            return self.known[head][1]
        return self._sort(term[-1]) if head in ("+", "-", "*", "ite") else _SORTS.get(head, BOOL)

    # --- integers ---------------------------------------------------------------------------

    def _decided(self, atom: Term, case: Case) -> bool | None:
        """Whether an equation or comparison holds in a case."""
        head, left, right = _parts(atom)
        exact = value(left), value(right)
        if exact[0] is not None and exact[1] is not None:
            return exact[0] == exact[1] if head == "=" else exact[0] <= exact[1]
        if self._sort(left) != INT:
            return True if left == right else None
        key, low, high = self._placed(atom)
        known = case.ranges.get(key, Interval())
        if low <= known.low and known.high <= high:
            return True
        if high < known.low or known.high < low or (low == high and low in known.without):
            return False
        return None

    def _placed(self, atom: Term) -> tuple[Key, End, End]:
        """What an equation or comparison of integers says: a combination lies in an interval."""
        head, left, right = _parts(atom)
        key, factor, constant = _combination(quotient(app("-", self.real(left), self.real(right))).top)
        if head == "=":
            return key, -constant * factor, -constant * factor
        return (key, -inf, -constant) if factor > 0 else (key, constant, inf)

    def _assuming(self, case: Case, atom: Term, truth: bool) -> Case:
        """The case with one condition more."""
        path, truths = (*case.path, atom if truth else negation(atom)), {**case.truths, atom: truth}
        if atom[0] not in ("=", "<=") or self._sort(atom[1]) != INT:
            return Case(path, truths, case.ranges)
        key, low, high = self._placed(atom)
        known = case.ranges.get(key, Interval())
        least, most, without = known.low, known.high, known.without
        if truth:
            least, most = max(least, low), min(most, high)
        elif low == high:
            without |= {low}
        elif low == -inf:
            least = max(least, high + 1)
        else:
            most = min(most, low - 1)
        while least in without:
            least += 1
        while most in without:
            most -= 1
        return Case(path, truths, {**case.ranges, key: Interval(least, most, without)})

    def _is_nonzero(self, divisor: Term, case: Case) -> bool:
        """Whether a case says that a combination of integers is not 0."""
        key, factor, constant = _combination(quotient(divisor).top)
        known, zero = case.ranges.get(key, Interval()), -constant * factor
        return zero < known.low or known.high < zero or zero in known.without

    # --- reals ------------------------------------------------------------------------------

    def real(self, term: Term) -> Term:
        """The term over reals, with one symbol for each operation that polynomials know nothing of."""

        def atom(part: str) -> Term:
            exact = value(part)
            return part if exact is None else number(exact, REAL)

        def applied(head: Term, parts: tuple[Term, ...]) -> Term:
            operator = public_operator(str(head), len(parts))
            if operator == "to_real":
                return parts[0]
            if operator in _KEPT:
                return app(operator, *parts)
            return self.opaque.setdefault(app(head, *parts), f"|opaque#{len(self.opaque)}|")

        return rebuilt(term, atom, applied)

    def real_path(self, case: Case) -> Iterator[Term]:
        """What the comparisons of a case say of reals: a < b of integers is a + 1 <= b."""
        for literal in case.path:
            atom = literal[1] if literal[0] == "not" else literal
            if atom[0] in ("=", "<="):
                left, right = self.real(atom[1]), self.real(atom[2])
                whole = app(atom[0], left, right)
                if atom is literal:
                    yield whole
                elif atom[0] == "<=" and self._sort(atom[1]) == INT:
                    yield app("<=", app("+", right, "1.0"), left)
                else:
                    yield negation(whole)


def _combination(polynomial: Polynomial) -> tuple[Key, Fraction, Fraction]:
    """A polynomial as its key, the sign that the key has in it, and its constant."""
    parts = sorted(((monomial, factor) for monomial, factor in polynomial.items() if monomial), key=repr)
    sign = Fraction(-1 if parts and parts[0][1] < 0 else 1)
    return tuple((part, factor * sign) for part, factor in parts), sign, polynomial.get((), Fraction(0))


def _solved(term: Term, case: Case) -> Term:
    """The term over reals, with what the case knows to be equal put in: one symbol per combination."""
    equations: list[Term] = []
    for key, inside in case.ranges.items():
        if inside.low == inside.high and key:
            combination = polynomial_term(dict(key))
            equations.append(app("-", combination, number(Fraction(inside.low), REAL)))
    while equations:
        polynomial = quotient(equations.pop()).top
        for monomial, factor in polynomial.items():
            symbol = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
            rest = polynomial_term(
                {part: -other / factor for part, other in polynomial.items() if part != monomial}
            )
            if isinstance(symbol, str) and symbol not in symbols(rest):
                term, *equations = (substitute(item, {symbol: rest}) for item in (term, *equations))
                break
    return term


def _normal(term: Term, inverses: bool) -> Term:
    """With one form for equal exponents, exp(0) as 1, and, if asked for, 1/d as a number of its own."""

    def applied(head: Term, parts: tuple[Term, ...]) -> Term:
        if head == EXP:
            item = quotient(parts[0])
            top, bottom = polynomial_term(item.top), polynomial_term(item.bottom)
            return app(EXP, app("/", top, bottom)) if item.top else "1.0"
        if head == "/" and inverses and not value(parts[1]):
            item = quotient(parts[1])
            bottom = app("/", polynomial_term(item.top), polynomial_term(item.bottom))
            return app("*", parts[0], app("|/:1^|", bottom))
        return app(head, *parts)

    return rebuilt(term, lambda atom: atom, applied)


def _parts(atom: Term) -> tuple[Term, ...]:
    assert isinstance(atom, tuple)
    return atom


def _truth(holds: bool) -> Term:
    return TRUE if holds else FALSE


def _negated(term: Term) -> Term:
    return _truth(term == FALSE) if term in (TRUE, FALSE) else negation(term)


def _joined(head: str, parts: list[Term]) -> Term:
    neutral, absorbing = (TRUE, FALSE) if head == "and" else (FALSE, TRUE)
    rest = [part for part in parts if part != neutral]
    if absorbing in rest:
        return absorbing
    return app(head, *rest) if len(rest) > 1 else rest[0] if rest else neutral


def _equivalence(left: Term, right: Term) -> Term:
    if left in (TRUE, FALSE):
        return right if left == TRUE else _negated(right)
    if right in (TRUE, FALSE):
        return left if right == TRUE else _negated(left)
    return TRUE if left == right else app("=", left, right)
