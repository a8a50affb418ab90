"""Terms of the search (pysmt, rational functions, program expressions) as terms of certificates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pysmt import operators
from pysmt.fnode import FNode
from pysmt.walkers import DagWalker
from pysmt.walkers.generic import handles

from synth.bounds.rational import Rational
from synth.trusted.logic.encoding import Evaluation
from synth.trusted.logic.inputs import SORTS, Inputs, length_of, public_name, real
from synth.trusted.logic.terms import INT, REAL, Term, number
from synth.trusted.program import syntax as ir


class Inexpressible(Exception):
    """A formula that certificates have no words for; the message names it."""


class Writer(DagWalker):  # type: ignore[misc]
    """Writes formulas of pysmt, given what their symbols are called in the certificate."""

    def __init__(self, names: Mapping[str, Term]) -> None:
        super().__init__()
        self.names = names

    def term(self, formula: FNode) -> Term:
        """Raises Inexpressible."""
        found: Term = self.walk(formula)
        return found

    def walk_symbol(self, formula: FNode, args: list[Term], **_: object) -> Term:
        name = formula.symbol_name()
        if name not in self.names:
            raise Inexpressible(f"the symbol {name}")
        return self.names[name]

    @handles(operators.INT_CONSTANT, operators.REAL_CONSTANT)  # type: ignore[untyped-decorator]
    def walk_number(self, formula: FNode, args: list[Term], **_: object) -> Term:
        return number(Fraction(formula.constant_value()), INT if formula.is_int_constant() else REAL)

    def walk_bool_constant(self, formula: FNode, args: list[Term], **_: object) -> Term:
        return "true" if formula.is_true() else "false"

    def walk_div(self, formula: FNode, args: list[Term], **_: object) -> Term:
        return ("div" if formula.arg(1).get_type().is_int_type() else "/", *args)

    @handles(set(operators.ALL_TYPES) - {operators.SYMBOL, operators.DIV, *operators.CONSTANTS})  # type: ignore[untyped-decorator]
    def walk_operation(self, formula: FNode, args: list[Term], **_: object) -> Term:
        head = _OPERATORS.get(formula.node_type())
        if head is None:
            raise Inexpressible(f"the formula {formula}")
        return (head, *args) if len(args) > 1 or head in ("not", "to_real") else args[0]


_OPERATORS = {
    operators.AND: "and",
    operators.OR: "or",
    operators.NOT: "not",
    operators.IMPLIES: "=>",
    operators.IFF: "=",
    operators.EQUALS: "=",
    operators.LE: "<=",
    operators.LT: "<",
    operators.PLUS: "+",
    operators.MINUS: "-",
    operators.TIMES: "*",
    operators.ITE: "ite",
    operators.TOREAL: "to_real",
}


@dataclass(frozen=True)
class ProgramTerms:
    """Expressions of one mechanism in the words of its certificate."""

    mechanism: ir.Mechanism

    def state(self, expression: ir.Expression, run: int, other: Mapping[str, Term] | None = None) -> Term:
        """Over the state of one run, with ``other`` values of some variables.  Raises Inexpressible."""
        names = [*self.mechanism.variables, *(item.name for item in self.mechanism.parameters)]
        values: dict[str, Term] = {name: f"|{name}<{run}>|" for name in names}
        values |= {f"len({name})": f"|len({name})<{run}>|" for name in self.mechanism.lists}
        return self._evaluated(expression, run, {**values, **(other or {})})

    def added_at(self, increment: ir.Expression, counter: str, source: str) -> tuple[Term, Term]:
        """With either run's entry where a sequence differs, over run 1's state.  Raises Inexpressible."""
        names = [*self.mechanism.variables, *(item.name for item in self.mechanism.parameters)]
        values: dict[str, Term] = {name: f"|{name}<1>|" for name in names}
        values[counter] = f"|{source}#changed|"
        return self.state(increment, 1, values), self.state(increment, 2, values)

    def public(self, expression: ir.Expression) -> Term:
        """Over public inputs, in linear arithmetic.  Raises Inexpressible."""
        return self._evaluated(expression, 1, Inputs(self.mechanism, {}).scalars())

    def rational(self, item: Rational, opaque: Mapping[str, ir.Expression]) -> Term:
        """A rational function; ``opaque`` says what its variables mean that are no inputs."""
        top, bottom = (
            self._polynomial(part.to_dict(), item.names, opaque)
            for part in (item.numerator, item.denominator)
        )
        return top if bottom == "1.0" else ("/", top, bottom)

    def _evaluated(self, expression: ir.Expression, run: int, values: Mapping[str, Term]) -> Term:
        try:
            return Evaluation(Inputs(self.mechanism, {}), run, values, {}, {}, frozenset()).term(expression)
        except KeyError as error:
            raise Inexpressible(f"the value of {error}") from None

    def _polynomial(
        self,
        terms: Mapping[tuple[int, ...], object],
        names: tuple[str, ...],
        opaque: Mapping[str, ir.Expression],
    ) -> Term:
        addends: list[Term] = []
        for powers, coefficient in sorted(terms.items(), reverse=True):
            factor = Fraction(int(coefficient.p), int(coefficient.q))  # type: ignore[attr-defined]
            factors: list[Term] = [] if factor == 1 else [number(factor, REAL)]
            for name, power in zip(names, powers, strict=True):
                factors += [self._variable(name, opaque)] * int(power)
            addends.append(("*", *factors) if len(factors) > 1 else factors[0] if factors else "1.0")
        return ("+", *addends) if len(addends) > 1 else addends[0] if addends else "0.0"

    def _variable(self, name: str, opaque: Mapping[str, ir.Expression]) -> Term:
        for item in self.mechanism.parameters:
            if name == item.name:
                return real(public_name(name), SORTS[item.sort])
            if name == f"len({item.name})":
                return real(length_of(item.name), INT)
        if name not in opaque:
            raise Inexpressible(f"the value of {name}")
        return real(self.public(opaque[name]), SORTS[opaque[name].sort])
