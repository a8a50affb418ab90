"""Terms and formulas of a certificate in Python's syntax, for a report: ``best⟨2⟩ <= best⟨1⟩ + 1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub, truediv

from synth.bounds.rational import Rational
from synth.bounds.rational_text import is_wrapped
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import NotConstant, Scales
from synth.trusted.logic.arithmetic.polynomials import Monomial, Polynomial, quotient
from synth.trusted.logic.terms import Term, value
from synth.trusted.program import syntax as ir
from synth.views.certificate.clauses import Bound, Clause, clauses, unlifted
from synth.views.certificate.infix import PYTHON, Infix, Items, Notation
from synth.views.certificate.names import split
from synth.views.certificate.plain_names import FIRST, SECOND, PlainNames

_OPERATORS = {
    "+": add, "*": mul, "-": sub, "/": truediv, "|*:Real,Real|": mul, "|/:Real,Real|": truediv,
}  # fmt: skip
"""Those of SMT-LIB, and those that stand for products and quotients in linear arithmetic."""

_FUNCTIONS = {f"|{name}:Real|": name for name in ("log", "exp", "sqrt")}
_MIRRORED = {"<=": ">=", "<": ">", ">": "<", ">=": "<="}
_MIRRORED_SIGNS = {"≤": "≥", "<": ">", ">": "<", "≥": "≤"}

Part = tuple[Fraction, str]
"""A factor, and what it multiplies."""


@dataclass(frozen=True)
class Plain(Infix):
    """Writes terms and formulas; ``units`` says, by the names of costs, what one unit is worth in nats."""

    names: PlainNames
    notation: Notation = PYTHON
    units: Mapping[str, Rational] = field(default_factory=dict)

    # --- formulas ---------------------------------------------------------------------------

    def conjuncts(self, formulas: Sequence[Term]) -> tuple[str, ...]:
        """The conjunction, part by part: relations first, then costs, then the rest."""
        written = dict.fromkeys(map(self._clause, clauses(formulas, self.known)))
        return tuple(sorted(written, key=self._rank))

    def _rank(self, text: str) -> tuple[bool, bool, bool, int, str]:
        costs = any(name in text for name in self.units)
        return " or " in text, SECOND not in text, not costs, len(text), text

    def _conjunction(self, parts: Sequence[Clause]) -> str:
        written = sorted(dict.fromkeys(map(self._clause, parts)), key=self._rank)
        several = len(written) > 1
        return " and ".join(f"({part})" if several and " or " in part else part for part in written) or "True"

    def _clause(self, clause: Clause) -> str:
        """The alternatives; what is said about the runs and the costs comes last."""
        written = {self._literal(item) for item in clause}
        return (
            " or ".join(sorted(written, key=lambda part: (self._matters(part), len(part), part))) or "False"
        )

    def _matters(self, part: str) -> bool:
        return SECOND in part or any(name in part for name in self.units)

    def _truth(self, term: Term, positive: bool) -> str:
        if isinstance(term, str) and term.startswith("|"):
            return self.names.truth(term, positive, self.shared)
        return super()._truth(term, positive)

    # --- comparisons ------------------------------------------------------------------------

    def _bound(self, bound: Bound) -> str:
        """The names with sides on the left, what is known on the right; a bound of one cost in nats."""
        if bound.within:
            size = _added(self._parts(bound.items), Fraction(0))
            return f"abs({size}) {self._order(bound.order)} {bound.offset}"
        named = sorted(((factor, self._monomial(item)) for item, factor in bound.items), key=self._place)
        order, offset = bound.order, bound.offset
        if named[0][0] < 0:
            named = [(-factor, name) for factor, name in named]
            order, offset = _MIRRORED_SIGNS.get(order, order), -offset
        costs = [name for _, name in named if name in self.units]
        if len(costs) == 1:
            return self._cost(bound, costs[0])
        return self._comparison(named, self._order(order), offset, bound.integers)

    def _place(self, item: Part) -> tuple[bool, bool, bool, bool, str]:
        """Run 2 before run 1, costs before variables, variables before parameters."""
        name = item[1]
        parameters = {parameter.name for parameter in self.names.mechanism.parameters}
        given = name in parameters or (name.startswith("len(") and name[4:-1] in parameters)
        return SECOND not in name, FIRST not in name, name not in self.units, given, name

    def _comparison(self, items: list[Part], order: str, offset: Fraction, integers: bool) -> str:
        sided = [item for item in items if FIRST in item[1] or SECOND in item[1]]
        if len(items) == 2 and items[1][0] == -items[0][0]:
            offset /= items[0][0]
            left, right = [(Fraction(1), items[0][1])], [(Fraction(1), items[1][1])]
        elif sided and len(sided) < len(items):
            left = sorted(sided, key=_by_variable)
            right = [(-factor, name) for factor, name in items if (factor, name) not in sided]
        else:
            left = [item for item in items if item[0] > 0]
            right = [(-factor, name) for factor, name in items if factor < 0]
        if integers and right:
            if order == "<=" and offset == -1:
                order, offset = "<", Fraction(0)
            elif order == ">=" and offset == 1:
                order, offset = ">", Fraction(0)
        return f"{_added(left, Fraction(0))} {order} {_added(right, offset)}"

    def _cost(self, bound: Bound, name: str) -> str:
        """A bound on a counter as one on the cost itself, in nats."""
        own = next(factor for item, factor in bound.items if self._monomial(item) == name)
        limit = Rational.number(bound.offset / own)
        for item, factor in bound.items:
            if self._monomial(item) != name:
                limit = limit - Rational.number(factor / own) * self._product(item)
        order = self._order(bound.order)
        order = order if own > 0 else _MIRRORED.get(order, order)
        return f"{name} {order} {self.number(limit * self.units[name])}"

    # --- terms ------------------------------------------------------------------------------

    def distance(self, term: Term) -> str:
        """The absolute value of a term."""
        found = quotient(unlifted(term))
        items = self._sorted(found.top)
        if items and items[0][1] < 0 and set(found.bottom) == {()}:
            term = ("-", term)
        return f"abs({self.term(term)})"

    def _polynomial(self, polynomial: Polynomial) -> str:
        return self._sum(self._sorted(polynomial), polynomial.get((), Fraction(0)))

    def _sorted(self, polynomial: Polynomial) -> Items:
        """What has sides first, by variables."""

        def place(item: tuple[Monomial, Fraction]) -> tuple[bool, tuple[str, bool]]:
            name = self._monomial(item[0])
            return FIRST not in name and SECOND not in name, _by_variable((item[1], name))

        return sorted((item for item in polynomial.items() if item[0]), key=place)

    def _sum(self, items: Items, offset: Fraction) -> str:
        return _added([(factor, self._monomial(monomial)) for monomial, factor in items], offset)

    def _parts(self, items: Items) -> list[Part]:
        """A sum of which only the size matters: the first positive."""
        found = self._sorted(dict(items))
        sign = -1 if found[0][1] < 0 else 1
        return [(sign * factor, self._monomial(monomial)) for monomial, factor in found]

    def _monomial(self, monomial: Monomial) -> str:
        written = self._scaled(monomial, Fraction(1))
        bare = _bare(written)
        return written if " " in _outside(bare) else bare

    def _argument(self, term: Term) -> str:
        return _bare(self.term(term))

    # --- numbers ----------------------------------------------------------------------------

    def number(self, item: Rational) -> str:
        """A rational function, with the budgets last."""
        return rational_text(item, self.names.budgets())

    def written(self, term: Term) -> str:
        """A term over public inputs as a rational function."""
        return self.number(self.rational(term))

    def rational(self, term: Term) -> Rational:
        """A term over public inputs; what is not rational is a variable of its own."""
        exact = value(term)
        if exact is not None:
            return Rational.number(exact)
        match term:
            case str():
                return self._atomic(term)
            case ("to_real", inner):
                return self.rational(inner)
            case ("-", inner):
                return -self.rational(inner)
            case (str() as head, *parts) if head in _OPERATORS:
                return self._computed(head, parts)
            case (str() as head, inner) if head in _FUNCTIONS:
                return Rational.variable(f"{_FUNCTIONS[head]}({self.rational(inner)})")
            case _:
                return Rational.variable(_bare(self._atom(term)))

    def _computed(self, head: str, parts: Sequence[Term]) -> Rational:
        try:
            found: Rational = reduce(_OPERATORS[head], map(self.rational, parts))
        except ZeroDivisionError:
            return Rational.variable(self._atom((head, *parts)))
        return found

    def _atomic(self, symbol: str) -> Rational:
        """A symbol; a local that is a function of the parameters is that function."""
        name, mark = split(symbol)
        if mark in ("<1>", "<2>") and name in self.shared:
            try:
                variable = ir.Variable(name, ir.Sort.REAL)
                return Scales(self.names.mechanism).rational(variable, self.names.mechanism.span)
            except (NotConstant, ZeroDivisionError):
                pass
        return Rational.variable(self._atom(symbol))

    def _product(self, monomial: Monomial) -> Rational:
        found = Rational.number(1)
        for atom, power in monomial:
            for _ in range(power):
                found = found * self.rational(atom)
        return found


def _bare(text: str) -> str:
    """Without parentheses around the whole."""
    return text[1:-1] if is_wrapped(text) else text


def _outside(text: str) -> str:
    """What stands outside of all parentheses."""
    found, depth = "", 0
    for letter in text:
        depth -= letter in ")]"
        found += letter if depth == 0 else ""
        depth += letter in "(["
    return found


def _by_variable(item: Part) -> tuple[str, bool]:
    """Run 2's value of a variable just before run 1's."""
    name = item[1]
    return name.replace(FIRST, "").replace(SECOND, ""), FIRST in name


def _added(items: Sequence[Part], offset: Fraction) -> str:
    """The terms, a positive one first if there is one, and the number last."""
    written = ""
    first = next((item for item in items if item[0] > 0), None)
    for factor, name in sorted(items, key=lambda item: item is not first):
        size = name if abs(factor) == 1 else f"{abs(factor)}*{name}"
        if written:
            written += f" {'-' if factor < 0 else '+'} {size}"
        else:
            written = f"-{size}" if factor < 0 else size
    if not written:
        return str(offset)
    if offset:
        written += f" {'-' if offset < 0 else '+'} {abs(offset)}"
    return written
