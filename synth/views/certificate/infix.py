"""Terms and formulas of a certificate as readable mathematics: ``threshold⟨1⟩ + 1 = threshold⟨2⟩``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from synth.trusted.logic.arithmetic.polynomials import Monomial, Polynomial, public_operator, quotient
from synth.trusted.logic.terms import Term, symbols
from synth.views.certificate.clauses import (
    NEGATED,
    ORDERS,
    Both,
    Bound,
    Clause,
    Known,
    Literal,
    Truth,
    clauses,
    negated,
    rank,
    unlifted,
)
from synth.views.certificate.names import Names, split


@dataclass(frozen=True)
class Notation:
    """The signs of mathematics, or of Python; ``infix`` are the operators between two terms."""

    times: str
    minus: str
    power: str
    orders: Mapping[str, str]
    infix: Mapping[str, str]
    conjunction: str
    negation: str
    truth: str


MATHEMATICS = Notation(
    times="·",
    minus="−",
    power="^",
    orders={},
    infix={
        "+": " + ",
        "-": " − ",
        "*": "·",
        "/": "/",
        "//": "//",
        "%": " mod ",
        "div": " div ",
        "mod": " mod ",
    },
    conjunction=" ∧ ",
    negation="¬",
    truth="⊤",
)
PYTHON = Notation(
    times="*",
    minus="-",
    power="**",
    orders={"≤": "<=", "≥": ">=", "=": "==", "≠": "!="},
    infix={"+": " + ", "-": " - ", "*": "*", "/": "/", "//": " // ", "%": " % ", "div": " // ", "mod": " % "},
    conjunction=" and ",
    negation="not ",
    truth="True",
)

Items = Sequence[tuple[Monomial, Fraction]]


@dataclass(frozen=True)
class Infix:
    """Writes terms; ``shared`` are the variables that agree in both runs where the terms stand.

    All methods raise BadTerm for what isn't well-sorted.
    """

    names: Names
    known: Known
    shared: frozenset[str] = frozenset()
    notation: Notation = MATHEMATICS

    # --- formulas ---------------------------------------------------------------------------

    def conjuncts(self, formulas: Sequence[Term]) -> tuple[str, ...]:
        """The conjunction, part by part: relations of the runs first, then implications."""
        parts = sorted(clauses(formulas, self.known), key=lambda item: (len(item), _key(item)))
        return tuple(dict.fromkeys(self._clause(part) for part in parts))

    def formula(self, formula: Term) -> str:
        """A formula in one line."""
        return self._conjunction(clauses((formula,), self.known))

    def _conjunction(self, parts: Sequence[Clause]) -> str:
        wrapped = len(parts) > 1
        written = [self._clause(part) for part in sorted(parts, key=_key)]
        written = [f"({part})" if wrapped and "⇒" in part else part for part in written]
        return self.notation.conjunction.join(written) or self.notation.truth

    def _clause(self, clause: Clause) -> str:
        """As an implication: what is said of costs and of run 2 comes last."""
        most = max((self._weight(item) for item in clause), default=0)
        last = [item for item in clause if self._weight(item) == most]
        given = [item for item in clause if self._weight(item) < most]
        if not given and len(last) > 1:
            given, last = sorted(last, key=_literal_key)[:-1], sorted(last, key=_literal_key)[-1:]
        said = " ∨ ".join(self._literal(item) for item in sorted(last, key=_literal_key)) or "⊥"
        if not given:
            return said
        opposite = " ∧ ".join(self._opposite(item) for item in sorted(given, key=_literal_key))
        return f"{opposite} ⇒ {said}"

    def _weight(self, literal: Literal) -> int:
        """How much a literal is what the clause is about."""
        if isinstance(literal, Bound) and literal.order == "≠":
            return -1
        names = {name for term in _terms(literal) for name in symbols(term)}
        if any(name.startswith("|cost#") for name in names):
            return 3
        marks = {mark for name, mark in map(split, names) if name not in self.shared}
        return 2 if "<2>" in marks else 1 if "<1>" in marks else 0

    def _opposite(self, literal: Literal) -> str:
        return f"¬{self._literal(literal)}" if isinstance(literal, Both) else self._literal(negated(literal))

    def _literal(self, literal: Literal) -> str:
        match literal:
            case Bound():
                return self._bound(literal)
            case Both(clauses=parts):
                return f"({self._conjunction(parts)})"
            case Truth(term=term, positive=positive):
                return self._truth(term, positive)

    def _truth(self, term: Term, positive: bool) -> str:
        if isinstance(term, str) and term.endswith("#upward|"):
            source = split(term)[0].removesuffix("#upward")
            return f"{source}⟨1⟩ {'≤' if positive else '≥'} {source}⟨2⟩"
        match term:
            case (str() as head, left, right) if head in ORDERS:
                order = ORDERS[head] if positive else NEGATED[ORDERS[head]]
                return f"{self.term(left)} {self._order(order)} {self.term(right)}"
            case _:
                return self.term(term) if positive else f"{self.notation.negation}{self._operand(term)}"

    def _order(self, order: str) -> str:
        return self.notation.orders.get(order, order)

    # --- comparisons ------------------------------------------------------------------------

    def _bound(self, bound: Bound) -> str:
        """What has a positive factor on the left, the rest on the right, no number negative beside a name."""
        order, offset = bound.order, bound.offset
        if bound.within:
            return f"|{self._sum(bound.items, Fraction(0))}| {order} {offset}"
        left = [(monomial, factor) for monomial, factor in bound.items if factor > 0]
        right = [(monomial, -factor) for monomial, factor in bound.items if factor < 0]
        if bound.integers and right and {"≤": -1, "≥": 1}.get(order) == offset:
            order, offset = ("<" if order == "≤" else ">"), Fraction(0)
        if right and offset < 0:
            return f"{self._sum(left, -offset)} {order} {self._sum(right, Fraction(0))}"
        return f"{self._sum(left, Fraction(0))} {order} {self._sum(right, offset)}"

    # --- terms ------------------------------------------------------------------------------

    def term(self, term: Term) -> str:
        """A term; sums and products in one form."""
        found = quotient(unlifted(term))
        bottom = found.bottom
        if set(bottom) == {()}:
            return self._polynomial({key: factor / bottom[()] for key, factor in found.top.items()})
        whole = lcm(*(factor.denominator for factor in (*found.top.values(), *bottom.values())))
        top, below = (self._polynomial(_times(part, whole)) for part in (found.top, bottom))
        return f"{self._wrapped(top)}/{self._wrapped(below, True)}"

    def _polynomial(self, polynomial: Polynomial) -> str:
        items = sorted(polynomial.items(), key=lambda item: (not item[0], item[1] < 0, _order(item[0])))
        return self._sum([item for item in items if item[0]], polynomial.get((), Fraction(0)))

    def _sum(self, items: Items, offset: Fraction) -> str:
        written, minus = "", self.notation.minus
        for monomial, factor in items:
            size = self._scaled(monomial, abs(factor))
            sign = minus if factor < 0 else "+"
            written += f" {sign} {size}" if written else f"{minus}{size}" if factor < 0 else size
        if not written:
            return self._number(offset)
        return f"{written} {minus if offset < 0 else '+'} {abs(offset)}" if offset else written

    def _scaled(self, monomial: Monomial, size: Fraction) -> str:
        factors = [self._power(atom, power) for atom, power in sorted(monomial, key=lambda i: rank(i[0]))]
        top = self.notation.times.join(([str(size.numerator)] if size.numerator != 1 else []) + factors)
        return top if size.denominator == 1 else f"{top}/{size.denominator}"

    def _power(self, atom: Term, power: int) -> str:
        written = self._wrapped(self._atom(atom), True)
        return written if power == 1 else f"{written}{self.notation.power}{power}"

    def _operand(self, term: Term) -> str:
        return self._wrapped(self.term(term), True)

    def _atom(self, term: Term) -> str:
        """A term that is no sum or product."""
        if isinstance(term, str):
            return term if not term.startswith("|") else self.names.symbol(term, self.shared)
        head, *rest = term
        match str(head), rest:
            case "ite", [condition, first, second]:
                return f"({self.term(first)} if {self.formula(condition)} else {self.term(second)})"
            case "not" | "and" | "or" | "=>", _:
                return f"({self.formula(term)})"
            case ("<=" | "<" | ">=" | ">" | "=") as order, [left, right]:
                return f"({self.term(left)} {self._order(ORDERS[order])} {self.term(right)})"
            case symbol, _ if symbol.startswith("|"):
                return self._application(symbol, rest)
            case operator, _ if operator in self.notation.infix and len(rest) > 1:
                return f"({self.notation.infix[operator].join(self._operand(part) for part in rest)})"
            case operator, _:
                called = {"to_int": "floor", "-": self.notation.minus}.get(operator, operator)
                return f"{called}({', '.join(map(self._argument, rest))})"

    def _application(self, symbol: str, arguments: Sequence[Term]) -> str:
        inner = ", ".join(map(self._argument, arguments))
        entry = self.names.applied(symbol, inner)
        if entry is not None:
            return entry
        name = split(symbol)[0]
        operator = name.partition(":")[0] if ":" in name else public_operator(symbol, len(arguments))
        if operator == "**":
            return f"({self.notation.power.join(map(self._operand, arguments))})"
        if operator in self.notation.infix and len(arguments) > 1:
            return f"({self.notation.infix[operator].join(self._operand(part) for part in arguments)})"
        return f"{operator}({inner})"

    def _argument(self, term: Term) -> str:
        return self.term(term)

    # --- signs ------------------------------------------------------------------------------

    def _wrapped(self, text: str, product: bool = False) -> str:
        """In parentheses if it is a sum or, on demand, a product outside of parentheses."""
        depth, times = 0, f"{self.notation.times}/" if product else ""
        for place, letter in enumerate(text):
            depth += letter in "([⟨"
            depth -= letter in ")]⟩"
            if depth == 0 and (letter in " " + times or (letter == self.notation.minus and place == 0)):
                return f"({text})"
        return text

    def _number(self, value: Fraction) -> str:
        return f"{self.notation.minus}{-value}" if value < 0 else str(value)


def _times(polynomial: Polynomial, factor: int) -> Polynomial:
    return {monomial: factor * size for monomial, size in polynomial.items()}


def _order(monomial: Monomial) -> list[tuple[int, str]]:
    return [rank(atom) for atom, _ in monomial]


def _terms(literal: Literal) -> Iterable[Term]:
    match literal:
        case Bound(items=items):
            return [atom for monomial, _ in items for atom, _ in monomial]
        case Truth(term=term):
            return [term]
        case Both(clauses=parts):
            return [term for part in parts for item in part for term in _terms(item)]


def _key(clause: Clause) -> list[tuple[int, str]]:
    return sorted(map(_literal_key, clause))


def _literal_key(literal: Literal) -> tuple[int, str]:
    first = min((rank(term) for term in _terms(literal)), default=(4, ""))
    return first[0], repr(literal) if not isinstance(literal, Both) else str(first)
