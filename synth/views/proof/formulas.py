"""Invariants as a person would write them: x⟨1⟩ and x⟨2⟩, ``best⟨2⟩ <= best⟨1⟩ + 1``.

A formula becomes a list of conjuncts, each a set of alternatives (literals); literals are put into
one form, so that two bounds that meet can be joined to an equation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, gcd, lcm

from pysmt.fnode import FNode

from synth.bounds.rational import Rational
from synth.bounds.rational_text import is_wrapped
from synth.bounds.rational_text import text as rational_text
from synth.prover.horn.terms import linear_parts
from synth.views.proof.names import SIDES, Names, parted

_NEGATED = {"<=": ">", "<": ">=", "==": "!="}
_MIRRORED = {"<=": ">=", "<": ">", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Bound:
    """Σ factor·name compared to a number."""

    items: tuple[tuple[Fraction, str], ...]
    order: str
    offset: Fraction
    integers: bool


@dataclass(frozen=True)
class Plain:
    """A literal that is just its text."""

    text: str


Literal = Bound | Plain
Alternatives = frozenset[Literal]


@dataclass(frozen=True)
class Writer:
    """Writes formulas of the product; ``units`` gives per ghost counter its name and unit in nats."""

    names: Names
    units: Mapping[str, tuple[str, Rational]]

    def conjuncts(self, formulas: Sequence[FNode]) -> tuple[str, ...]:
        """The conjunction of the formulas, part by part: relations first, then costs, then the rest."""
        clauses: list[Alternatives] = []
        for formula in formulas:
            clauses += self._clauses(formula, True)
        joined = _joined([clause for clause in clauses if not any(map(_is_trivial, clause))])
        written = dict.fromkeys(self._disjunction(clause) for clause in joined)
        return tuple(sorted(written, key=self._rank))

    def _rank(self, text: str) -> tuple[bool, bool, bool, int, str]:
        costs = any(name in text for name in self._ghosts)
        return " or " in text, SIDES[1] not in text, not costs, len(text), text

    # --- structure --------------------------------------------------------------------------

    def _clauses(self, formula: FNode, positive: bool) -> list[Alternatives]:
        if formula.is_not():
            return self._clauses(formula.arg(0), not positive)
        if (formula.is_and() and positive) or (formula.is_or() and not positive):
            return [clause for part in formula.args() for clause in self._clauses(part, positive)]
        if formula.is_implies() and not positive:
            return self._clauses(formula.arg(0), True) + self._clauses(formula.arg(1), False)
        if formula.is_true() if positive else formula.is_false():
            return []
        return [frozenset(self._alternatives(formula, positive))]

    def _alternatives(self, formula: FNode, positive: bool) -> list[Literal]:
        if formula.is_not():
            return self._alternatives(formula.arg(0), not positive)
        if (formula.is_or() and positive) or (formula.is_and() and not positive):
            return [item for part in formula.args() for item in self._alternatives(part, positive)]
        if formula.is_implies() and positive:
            return self._alternatives(formula.arg(0), False) + self._alternatives(formula.arg(1), True)
        return [self._literal(formula, positive)]

    def _literal(self, formula: FNode, positive: bool) -> Literal:
        if formula.is_le() or formula.is_lt() or (formula.is_equals() and not _is_choice(formula)):
            return self._bound(formula, positive)
        if formula.is_and() or formula.is_or() or formula.is_implies():
            parts = [self._disjunction(clause) for clause in self._clauses(formula, positive)]
            return Plain("(" + " and ".join(f"({part})" if " or " in part else part for part in parts) + ")")
        if formula.is_iff() or formula.is_equals():
            left, right = (self._operand(part) for part in formula.args())
            return Plain(f"{left} {'==' if positive else '!='} {right}")
        if formula.is_symbol():
            return Plain(self.names.boolean(formula.symbol_name(), positive))
        if formula.is_bool_constant():
            return Plain(str(formula.constant_value() == positive))
        written = self._term(formula)
        return Plain(written if positive else f"not ({written})")

    def _operand(self, formula: FNode) -> str:
        written = self.text(formula)
        return f"({written})" if " " in written and not is_wrapped(written) else written

    def text(self, formula: FNode) -> str:
        """A formula or term in one line."""
        if not formula.get_type().is_bool_type():
            return self._term(formula)
        parts = self.conjuncts([formula])
        return (
            " and ".join(f"({part})" if " or " in part and len(parts) > 1 else part for part in parts)
            or "True"
        )

    # --- comparisons ------------------------------------------------------------------------

    def _bound(self, formula: FNode, positive: bool) -> Bound:
        """The comparison with whole coprime factors, the most interesting name first and positive."""
        total: dict[str, Fraction] = {}
        (left, first), (right, second) = (_linear(part) for part in formula.args())
        for parts, sign in ((left, 1), (right, -1)):
            for atom, factor in parts.items():
                name = self._term(atom)
                total[name] = total.get(name, Fraction(0)) + sign * factor
        integers = all(_is_integer(atom) for atom in (*left, *right))
        order = "<=" if formula.is_le() else "<" if formula.is_lt() else "=="
        order = order if positive else _NEGATED[order]
        items = sorted(((factor, name) for name, factor in total.items() if factor), key=self._place)
        return _normal(tuple(items), order, second - first, integers)

    def _place(self, item: tuple[Fraction, str]) -> tuple[bool, bool, bool, bool, str]:
        """Run 2 before run 1, costs before variables, variables before parameters."""
        name = item[1]
        parameters = {parameter.name for parameter in self.names.mechanism.parameters}
        given = name in parameters or (name.startswith("len(") and name[4:-1] in parameters)
        return SIDES[1] not in name, SIDES[0] not in name, name not in self._ghosts, given, name

    @property
    def _ghosts(self) -> dict[str, Rational]:
        return dict(self.units.values())

    def _disjunction(self, clause: Alternatives) -> str:
        """The alternatives; what is said about the runs and the costs comes last."""
        written = {self._text(item) for item in clause}
        return " or ".join(sorted(written, key=lambda part: (self._matters(part), len(part), part)))

    def _matters(self, part: str) -> bool:
        return SIDES[1] in part or any(name in part for name in self._ghosts)

    def _text(self, literal: Literal) -> str:
        if isinstance(literal, Plain):
            return literal.text
        costs = [name for _, name in literal.items if name in self._ghosts]
        if len(costs) == 1:
            return self._cost(literal, costs[0])
        return _comparison(literal)

    def _cost(self, bound: Bound, name: str) -> str:
        """A bound on a counter as one on the cost itself, in nats."""
        own = next(factor for factor, other in bound.items if other == name)
        limit = Rational.number(bound.offset / own)
        for factor, other in bound.items:
            if other != name:
                limit = limit - Rational.number(factor / own) * Rational.variable(_ascii(other))
        order = bound.order if own > 0 else _MIRRORED.get(bound.order, bound.order)
        limit = limit * self._ghosts[name]
        written = rational_text(limit, [_ascii(budget) for budget in self.names.budgets()])
        return f"{name} {order} {_from_ascii(written)}"

    # --- terms ------------------------------------------------------------------------------

    def _term(self, term: FNode) -> str:
        if term.is_symbol():
            name = term.symbol_name()
            ghost = self.units.get(parted(name)[0])
            return ghost[0] if ghost else self.names.symbol(name)
        if term.is_toreal():
            return self._term(term.arg(0))
        if term.is_bool_constant() or term.is_int_constant() or term.is_real_constant():
            return str(term.constant_value())
        if term.is_ite():
            condition, then, otherwise = (self.text(part) for part in term.args())
            return f"({then} if {condition} else {otherwise})"
        if term.is_div() and _is_integer(term):
            return f"({self._operand(term.arg(0))} // {self._operand(term.arg(1))})"
        parts, offset = _linear(term)
        if list(parts) != [term]:
            return _sum([(factor, self._term(atom)) for atom, factor in parts.items()], offset)
        return str(term.serialize())


def _linear(term: FNode) -> tuple[dict[FNode, Fraction], Fraction]:
    """As :func:`linear_parts`, for terms that may have differences too."""
    total, rest = linear_parts(term)
    found: dict[FNode, Fraction] = {}
    for atom, factor in total.items():
        parts, offset = {atom: Fraction(1)}, Fraction(0)
        if atom.is_minus():
            (parts, offset), (right, other) = _linear(atom.arg(0)), _linear(atom.arg(1))
            parts, offset = dict(parts), offset - other
            for name, value in right.items():
                parts[name] = parts.get(name, Fraction(0)) - value
        rest += factor * offset
        for name, value in parts.items():
            found[name] = found.get(name, Fraction(0)) + factor * value
    return {name: value for name, value in found.items() if value}, rest


def _ascii(name: str) -> str:
    """A name that FLINT takes for a variable."""
    return name.encode("ascii", "backslashreplace").decode()


def _from_ascii(text: str) -> str:
    return text.encode("ascii").decode("unicode_escape")


# --- literals -------------------------------------------------------------------------------


def _normal(items: tuple[tuple[Fraction, str], ...], order: str, offset: Fraction, integers: bool) -> Bound:
    if not items:
        return Bound(items, order, offset, integers)
    scale = Fraction(
        lcm(*(factor.denominator for factor, _ in items)), gcd(*(factor.numerator for factor, _ in items))
    )
    if items[0][0] < 0:
        scale = -scale
        order = _MIRRORED.get(order, order)
    items = tuple((factor * scale, name) for factor, name in items)
    offset *= scale
    if integers:
        if order == "<":
            order, offset = "<=", Fraction(ceil(offset) - 1)
        elif order == ">":
            order, offset = ">=", Fraction(floor(offset) + 1)
        elif order in ("<=", ">="):
            offset = Fraction(floor(offset) if order == "<=" else ceil(offset))
    return Bound(items, order, offset, integers)


def _is_trivial(literal: Literal) -> bool:
    """Whether a comparison of numbers holds."""
    if isinstance(literal, Plain):
        return literal.text == "True"
    if literal.items:
        return False
    zero = Fraction(0)
    return {
        "<=": zero <= literal.offset,
        ">=": zero >= literal.offset,
        "<": zero < literal.offset,
        ">": zero > literal.offset,
        "==": zero == literal.offset,
        "!=": zero != literal.offset,
    }[literal.order]


def _joined(clauses: list[Alternatives]) -> list[Alternatives]:
    """Bounds that meet become equations, and clauses that others imply are dropped."""
    found = list(dict.fromkeys(clauses))
    while True:
        for first, second in combinations(found, 2):
            joint = _joint(first, second)
            if joint is not None:
                found = [clause for clause in found if clause not in (first, second)]
                if joint not in found:
                    found.append(joint)
                break
        else:
            return [clause for clause in found if not any(other < clause for other in found)]


def _joint(first: Alternatives, second: Alternatives) -> Alternatives | None:
    only, other = first - second, second - first
    if len(only) != 1 or len(other) != 1:
        return None
    (left,), (right,) = only, other
    if not isinstance(left, Bound) or not isinstance(right, Bound):
        return None
    if {left.order, right.order} != {"<=", ">="} or replace(left, order=right.order) != right:
        return None
    return (first & second) | {replace(left, order="==")}


def _is_choice(formula: FNode) -> bool:
    return any(part.is_ite() for part in formula.args())


def _is_integer(atom: FNode) -> bool:
    return bool((atom.arg(0) if atom.is_toreal() else atom).get_type().is_int_type())


def _comparison(bound: Bound) -> str:
    """The names with sides on the left, what is known on the right."""
    order, offset = bound.order, bound.offset
    sided = [item for item in bound.items if any(side in item[1] for side in SIDES)]
    if len(bound.items) == 2 and bound.items[1][0] == -bound.items[0][0]:
        factor = bound.items[0][0]
        left, right = [(Fraction(1), bound.items[0][1])], [(Fraction(1), bound.items[1][1])]
        offset /= factor
    elif sided and len(sided) < len(bound.items):
        left = sorted(sided, key=_by_variable)
        right = [(-factor, name) for factor, name in bound.items if (factor, name) not in sided]
    else:
        left = [item for item in bound.items if item[0] > 0]
        right = [(-factor, name) for factor, name in bound.items if factor < 0]
    if bound.integers and right:
        if order == "<=" and offset == -1:
            order, offset = "<", Fraction(0)
        elif order == ">=" and offset == 1:
            order, offset = ">", Fraction(0)
    return f"{_sum(left, Fraction(0))} {order} {_sum(right, offset)}"


def _by_variable(item: tuple[Fraction, str]) -> tuple[str, bool]:
    """Run 2's value of a variable just before run 1's."""
    name = item[1]
    return name.replace(SIDES[0], "").replace(SIDES[1], ""), SIDES[0] in name


def _sum(items: Sequence[tuple[Fraction, str]], offset: Fraction) -> str:
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
