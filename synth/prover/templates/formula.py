"""The formulas of template files: a tiny expression language, parsed and never evaluated by Python.

Numbers are built from decimal literals and names with ``+ - * /``, ``abs``, ``min`` and ``max``;
truth values from ``true``, ``false``, the comparisons ``< <= == >= >`` (also chained), ``and``,
``or`` and ``not``.  The text is read by Python's parser and copied node by node into the frozen
trees below; whatever is not listed here has no tree, so there is nothing that could run.

The only divisors are numbers other than 0 and one name, the *scale*, known to be positive.  So a
number is a polynomial over a power of the scale, an order between numbers one between
polynomials, and no division reaches a solver.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from pysmt.shortcuts import Times
from pysmt.typing import INT

from synth.prover.horn import terms
from synth.prover.horn.terms import FNode
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.source import Source, make_source, parse_expression

MAX_LETTERS = 1000
"""Characters in a formula at the most; keeps Python's parser far from its own limits."""


class FormulaError(ValueError):
    """A text that is no formula, or one used with the wrong names or kind."""


class Kind(Enum):
    """What a formula denotes."""

    NUMBER = "a number"
    TRUTH = "a truth value"


@dataclass(frozen=True)
class Number:
    """A literal, exact."""

    value: Fraction


@dataclass(frozen=True)
class Truth:
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True)
class Name:
    """A variable; it stands for a number."""

    name: str


@dataclass(frozen=True)
class Apply:
    """An operator applied: ``+ - * / neg abs min max``, ``< <= ==``, ``and or not``."""

    operator: str
    arguments: tuple[Tree, ...]


Tree = Number | Truth | Name | Apply

_NUMERIC = {"+", "-", "*", "/", "neg", "abs", "min", "max"}
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("<", False),
    ast.LtE: ("<=", False),
    ast.Eq: ("==", False),
    ast.Gt: ("<", True),
    ast.GtE: ("<=", True),
}


@dataclass(frozen=True)
class Formula:
    """A parsed formula: the text as written, and its tree."""

    text: str
    tree: Tree

    @property
    def names(self) -> frozenset[str]:
        """The variables that occur."""
        return names_of(self.tree)

    def term(self, values: Mapping[str, FNode], scale: str | None = None) -> FNode:
        """The formula as a solver's term, with terms of integer or real sort for its names.

        Integers meet reals as reals.  ``scale`` is the name that may divide.  Raises
        :class:`FormulaError` if a name has no value, or the scale divides what is left.
        """
        if kind_of(self.tree) is Kind.TRUTH:
            return truth_term(self.tree, values, scale)
        numerator, power = _quotient(self.tree, _Environment(values, scale))
        if power:
            raise FormulaError(f"{self.text!r} is a quotient and has no term without division")
        return numerator


# --- reading --------------------------------------------------------------------------------


def parse(text: str, kind: Kind, names: Collection[str], scale: str | None = None) -> Formula:
    """Read a formula of that kind over those names; ``scale`` is the name that may divide.

    Raises :class:`FormulaError` that quotes the part outside the language.
    """
    if len(text) > MAX_LETTERS:
        raise FormulaError(f"a formula has at most {MAX_LETTERS} characters")
    source = make_source(text.strip(), "formula")
    try:
        body = parse_expression(source)
    except ProgramError as error:
        raise FormulaError(f"{text!r} is not an expression: {error.message}") from error
    return Formula(text, _Reader(source, frozenset(names), scale).read(body, kind))


@dataclass(frozen=True)
class _Reader:
    source: Source
    names: frozenset[str]
    scale: str | None

    def read(self, node: ast.expr, kind: Kind) -> Tree:
        tree = self._tree(node)
        if kind_of(tree) is not kind:
            raise self._error(node, f"is {kind_of(tree).value}, not {kind.value}")
        return tree

    def _tree(self, node: ast.expr) -> Tree:
        match node:
            case ast.Constant():
                return Number(self._literal(node))
            case ast.Name(id="true" | "false" as word):
                return Truth(word == "true")
            case ast.Name(id=name):
                if name not in self.names:
                    known = ", ".join(sorted(self.names)) or "none"
                    raise self._error(node, f"is not a name known here ({known})")
                return Name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Apply("neg", (self.read(operand, Kind.NUMBER),))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Apply("not", (self.read(operand, Kind.TRUTH),))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self._arithmetic(_ARITHMETIC[type(op)], left, right)
            case ast.BoolOp(op=op, values=values):
                connective = "and" if isinstance(op, ast.And) else "or"
                return Apply(connective, tuple(self.read(value, Kind.TRUTH) for value in values))
            case ast.Compare():
                return self._comparison(node)
            case ast.Call(func=ast.Name(id="abs" | "min" | "max" as word), args=args, keywords=[]):
                return self._call(node, word, args)
        raise self._error(node, "is not part of the formula language")

    def _literal(self, node: ast.Constant) -> Fraction:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self._error(node, "is not a number")
        if (ast.get_source_segment(self.source.text, node) or "").lower().startswith(("0x", "0o", "0b")):
            raise self._error(node, "is not a decimal number")
        try:
            return Fraction(self.source.number(node))
        except ProgramError as error:
            raise self._error(node, f"is refused: {error.message}") from None

    def _arithmetic(self, operator: str, left: ast.expr, right: ast.expr) -> Tree:
        operands = self.read(left, Kind.NUMBER), self.read(right, Kind.NUMBER)
        if operator == "/" and _monomial(operands[1], self.scale) is None:
            allowed = "a number other than 0" + (f" and by {self.scale}" if self.scale else "")
            raise self._error(right, f"does not divide: only {allowed} may")
        return Apply(operator, operands)

    def _comparison(self, node: ast.Compare) -> Tree:
        operands = [self.read(item, Kind.NUMBER) for item in (node.left, *node.comparators)]
        links: list[Tree] = []
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(op) not in _COMPARISONS:
                raise self._error(node, "compares by an operator other than < <= == >= >")
            operator, swapped = _COMPARISONS[type(op)]
            links.append(Apply(operator, (right, left) if swapped else (left, right)))
        return links[0] if len(links) == 1 else Apply("and", tuple(links))

    def _call(self, node: ast.expr, word: str, args: Sequence[ast.expr]) -> Tree:
        if (len(args) != 1) if word == "abs" else (len(args) < 2):
            raise self._error(node, "has the wrong number of arguments")
        return Apply(word, tuple(self.read(argument, Kind.NUMBER) for argument in args))

    def _error(self, node: ast.expr, problem: str) -> FormulaError:
        return FormulaError(
            f"{ast.get_source_segment(self.source.text, node) or self.source.text!r} {problem}"
        )


# --- trees ----------------------------------------------------------------------------------


def kind_of(tree: Tree) -> Kind:
    """Whether a tree is a number or a truth value."""
    match tree:
        case Number() | Name():
            return Kind.NUMBER
        case Truth():
            return Kind.TRUTH
        case Apply(operator=operator):
            return Kind.NUMBER if operator in _NUMERIC else Kind.TRUTH


def names_of(tree: Tree) -> frozenset[str]:
    """The variables of a tree."""
    match tree:
        case Name(name=name):
            return frozenset({name})
        case Apply(arguments=arguments):
            return frozenset[str]().union(*map(names_of, arguments))
        case _:
            return frozenset()


def replace_names(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """The tree with trees in place of some names, all at once."""
    match tree:
        case Name(name=name):
            return values.get(name, tree)
        case Apply(operator=operator, arguments=arguments):
            return Apply(operator, tuple(replace_names(item, values) for item in arguments))
        case _:
            return tree


def _monomial(tree: Tree, scale: str | None) -> tuple[Fraction, int] | None:
    """``(c, p)`` if the tree is c·scale^p with a number c other than 0, else None."""
    match tree:
        case Number(value=value) if value:
            return value, 0
        case Name(name=name) if name == scale:
            return Fraction(1), 1
        case Apply(operator="neg", arguments=(inner,)):
            found = _monomial(inner, scale)
            return found and (-found[0], found[1])
        case Apply(operator="*" | "/" as operator, arguments=(left, right)):
            parts = _monomial(left, scale), _monomial(right, scale)
            if parts[0] is None or parts[1] is None:
                return None
            (first, degree), (second, other) = parts[0], parts[1]
            if operator == "*":
                return first * second, degree + other
            return first / second, degree - other
    return None


# --- solver's terms -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Environment:
    values: Mapping[str, FNode]
    scale: str | None

    def value(self, name: str) -> FNode:
        if name not in self.values:
            raise FormulaError(f"{name} has no value")
        return self.values[name]


_Quotient = tuple[FNode, int]  # (n, p) stands for n / scale**p, with p >= 0


def truth_term(tree: Tree, values: Mapping[str, FNode], scale: str | None = None) -> FNode:
    """A truth-valued tree as a solver's term; comparisons are multiplied out by the scale."""
    return _truth(tree, _Environment(values, scale))


def _truth(tree: Tree, environment: _Environment) -> FNode:
    match tree:
        case Truth(value=value):
            return terms.TRUE() if value else terms.FALSE()
        case Apply(operator="not", arguments=(inner,)):
            return terms.negate(_truth(inner, environment))
        case Apply(operator="and", arguments=arguments):
            return terms.all_of(_truth(item, environment) for item in arguments)
        case Apply(operator="or", arguments=arguments):
            return terms.any_of(_truth(item, environment) for item in arguments)
        case Apply(operator=operator, arguments=arguments):
            compare = {"<": terms.less, "<=": terms.less_equal, "==": terms.equal}[operator]
            (left, right), _ = _aligned(arguments, environment)
            return compare(left, right)
    raise FormulaError("a number stands where a truth value is meant")


def _quotient(tree: Tree, environment: _Environment) -> _Quotient:
    match tree:
        case Number(value=value):
            return terms.constant(value, INT) if value.denominator == 1 else terms.Real(value), 0
        case Name(name=name):
            return environment.value(name), 0
        case Apply(operator="*", arguments=(left, right)):
            first, second = _quotient(left, environment), _quotient(right, environment)
            return _product(first[0], second[0]), first[1] + second[1]
        case Apply(operator="/", arguments=(left, right)):
            divisor = _monomial(right, environment.scale)
            return _divided(_quotient(left, environment), divisor, environment)
        case Apply(operator=operator, arguments=arguments):
            parts, power = _aligned(arguments, environment)
            return _combined(operator, parts), power
    raise FormulaError("a truth value stands where a number is meant")


def _divided(value: _Quotient, divisor: tuple[Fraction, int] | None, environment: _Environment) -> _Quotient:
    if divisor is None:
        raise FormulaError("only numbers and the scale divide")
    coefficient, degree = divisor
    numerator, power = _product(terms.Real(1 / coefficient), value[0]), value[1] + degree
    return (numerator, power) if power >= 0 else (_raised(numerator, -power, environment), 0)


def _combined(operator: str, parts: Sequence[FNode]) -> FNode:
    match operator:
        case "+":
            return terms.add(*parts)
        case "-":
            return terms.subtract(parts[0], parts[1])
        case "neg":
            return terms.scaled(-1, parts[0])
        case "abs":
            return terms.absolute(parts[0])
    best = parts[0]
    for part in parts[1:]:
        smaller, larger = (part, best) if operator == "max" else (best, part)
        best = terms.choose(terms.less_equal(smaller, larger), best, part)
    return best


def _product(left: FNode, right: FNode) -> FNode:
    factor = terms.number_value(left)
    if factor is None and terms.number_value(right) is not None:
        return _product(right, left)
    if factor is not None and factor.denominator == 1:
        return terms.scaled(factor, right)
    left, right = _one_sort((left, right))
    return terms.scaled(factor, right) if factor is not None else Times(left, right)


def _raised(term: FNode, degree: int, environment: _Environment) -> FNode:
    """``term * scale**degree``."""
    for _ in range(degree):
        term = _product(term, environment.value(environment.scale or ""))
    return term


def _one_sort(parts: Sequence[FNode]) -> list[FNode]:
    if all(terms.sort_of(part) == INT for part in parts):
        return list(parts)
    return [terms.to_real(part) for part in parts]


def _aligned(trees: Sequence[Tree], environment: _Environment) -> tuple[list[FNode], int]:
    """Numerators over one power of the scale.  The scale is positive, so their order is kept."""
    quotients = [_quotient(tree, environment) for tree in trees]
    power = max(degree for _, degree in quotients)
    raised = [_raised(term, power - degree, environment) for term, degree in quotients]
    return _one_sort(raised), power
