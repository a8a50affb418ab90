"""Expressions of the typed program as sympy expressions, built node by node: no text is evaluated.

sympy is imported when the first expression is built (0.5 s).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from types import ModuleType
from typing import TYPE_CHECKING, Any

from synth.trusted.program import syntax as ir
from synth.trusted.program.builders import conjuncts

if TYPE_CHECKING:
    import sympy

Assumptions = Mapping[str, tuple[str, ...]]
"""What sympy may assume of symbols, as it names that: ``integer``, ``real``, ``positive``, …"""

_GROUND_TYPES = "SYMPY_GROUND_TYPES"
_MAX_EXPONENT = 64
_MAX_CONSTANT = 256
_ARITHMETIC = {
    ir.Operator.ADD,
    ir.Operator.SUBTRACT,
    ir.Operator.MULTIPLY,
    ir.Operator.DIVIDE,
    ir.Operator.NEGATE,
    ir.Operator.TO_REAL,
}


def assumptions(mechanism: ir.Mechanism) -> dict[str, tuple[str, ...]]:
    """What the types of public parameters and ``requires`` say of them, and of the lengths of sequences."""
    found: dict[str, tuple[str, ...]] = {}
    for item in mechanism.visible:
        if item.kind is ir.ParameterKind.SEQUENCE:
            length = ir.Length(item.name)
            found[f"len({item.name})"] = ("integer", *(_sign(mechanism, length) or ("nonnegative",)))
        elif item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort is not ir.Sort.BOOL:
            kind = "integer" if item.sort is ir.Sort.INT else "real"
            found[item.name] = (kind, *_sign(mechanism, ir.Variable(item.name, item.sort)))
    return found


def symbols(known: Assumptions) -> dict[str, sympy.Symbol]:
    """The symbols by name."""
    module = _sympy()
    return {name: module.Symbol(name, **dict.fromkeys(facts, True)) for name, facts in known.items()}


def expression(item: ir.Expression, known: Assumptions) -> sympy.Expr:
    """An expression over public parameters; ``round`` (half to even) stays a function without a meaning.

    Arithmetic, also with exp, log and sqrt, is put into sympy's own order; all else is left as it stands,
    for a small text may stand for a number that has no room.

    Raises ValueError for what reads an entry or calls a function.
    """
    return _Builder(_sympy(), symbols(known), _is_tame(item)).built(item)


def _sympy() -> ModuleType:
    """sympy, with Python's own numbers unless the user wants others."""
    if "sympy" in sys.modules or _GROUND_TYPES in os.environ:
        import sympy

        return sympy  # type: ignore[no-any-return]
    os.environ[_GROUND_TYPES] = "python"
    try:
        import sympy
    finally:
        del os.environ[_GROUND_TYPES]
    return sympy  # type: ignore[no-any-return]


# --- signs ----------------------------------------------------------------------------------


def _sign(mechanism: ir.Mechanism, atom: ir.Expression) -> tuple[str, ...]:
    """What ``requires`` says of the sign of a parameter or a length, by comparing it with a number."""
    low = [bound for part in conjuncts(mechanism.requires) for bound in _bounds(part, atom, True)]
    high = [bound for part in conjuncts(mechanism.requires) for bound in _bounds(part, atom, False)]
    if any(value > 0 or (value == 0 and strict) for value, strict in low):
        return ("positive",)
    if any(value >= 0 for value, _ in low):
        return ("nonnegative",)
    if any(value < 0 or (value == 0 and strict) for value, strict in high):
        return ("negative",)
    return ("nonpositive",) if any(value <= 0 for value, _ in high) else ()


def _bounds(part: ir.Expression, atom: ir.Expression, lower: bool) -> list[tuple[Fraction, bool]]:
    """The numbers that a comparison bounds the atom by on one side, and whether strictly."""
    match part:
        case ir.Operation(ir.Operator.LESS | ir.Operator.LESS_EQUAL as order, (left, right)):
            small, large = (left, right) if lower else (right, left)
            number = _number(small)
            if number is not None and _bare(large) == atom:
                return [(number, order is ir.Operator.LESS)]
        case ir.Operation(ir.Operator.EQUAL, (left, right)):
            for one, other in ((left, right), (right, left)):
                number = _number(one)
                if number is not None and _bare(other) == atom:
                    return [(number, False)]
    return []


def _bare(item: ir.Expression) -> ir.Expression:
    """Without conversions to a real."""
    match item:
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            return _bare(inner)
    return item


def _number(item: ir.Expression) -> Fraction | None:
    match _bare(item):
        case ir.Constant(value=value) if not isinstance(value, bool):
            return Fraction(value)
        case ir.Operation(ir.Operator.NEGATE, (inner,)):
            number = _number(inner)
            return None if number is None else -number
    return None


# --- expressions ----------------------------------------------------------------------------


def _is_tame(item: ir.Expression, functions: bool = True) -> bool:
    """Whether sympy's own order for it takes no large numbers: arithmetic, with logarithms, roots and
    exponentials of arithmetic (of logarithms they are powers), unless ``functions`` are excluded.
    """
    match item:
        case ir.Constant(value=value):
            return not isinstance(value, bool) and _bits(Fraction(value)) <= _MAX_CONSTANT
        case ir.Variable() | ir.Length():
            return True
        case ir.Operation(ir.Operator.POWER, (base, exponent)):
            return _is_small(exponent) and _is_base(_bare(base)) and _is_tame(base, functions)
        case ir.Operation(ir.Operator.EXPONENTIAL, (inner,)):
            return functions and _is_tame(inner, False)
        case ir.Operation(ir.Operator.LOGARITHM | ir.Operator.SQUARE_ROOT, (inner,)):
            return functions and _is_tame(inner)
        case ir.Operation(operator, operands):
            return operator in _ARITHMETIC and all(_is_tame(part, functions) for part in operands)
    return False


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _is_small(exponent: ir.Expression) -> bool:
    number = _number(exponent)
    return number is not None and number.denominator == 1 and abs(number) <= _MAX_EXPONENT


def _is_base(item: ir.Expression) -> bool:
    """Whether a power of it is one of no number."""
    match item:
        case ir.Operation(operator, _):
            return operator is ir.Operator.EXPONENTIAL
    return isinstance(item, ir.Variable | ir.Length)


class _Builder:
    """Builds expressions from symbols; ``evaluate`` says whether sympy may put them into its own order."""

    def __init__(self, sympy: Any, symbols: Mapping[str, Any], evaluate: bool) -> None:
        self.sympy, self.symbols, self.evaluate = sympy, symbols, evaluate

    def built(self, item: ir.Expression) -> Any:
        """The expression."""
        match item:
            case ir.Constant(value=bool() as value):
                return self.sympy.true if value else self.sympy.false
            case ir.Constant(value=value):
                exact = Fraction(value)
                return self.sympy.Rational(exact.numerator, exact.denominator)
            case ir.Variable(name=name):
                return self._symbol(name)
            case ir.Length(sequence=sequence):
                return self._symbol(f"len({sequence})")
            case ir.Operation(operator=operator, operands=operands):
                return self._operation(operator, [self.built(part) for part in operands])
            case ir.Read() | ir.Element():
                raise ValueError("no bound reads an entry or calls a function")

    def _symbol(self, name: str) -> Any:
        return self.symbols[name] if name in self.symbols else self.sympy.Symbol(name)

    def _operation(self, operator: ir.Operator, parts: list[Any]) -> Any:
        first, *rest = parts
        match operator:
            case ir.Operator.TO_REAL:
                return first
            case ir.Operator.SUBTRACT:
                return reduce(lambda total, part: self._make("Add", total, self._negative(part)), rest, first)
            case ir.Operator.NEGATE:
                return self._negative(first)
            case ir.Operator.DIVIDE:
                return self._quotient(*parts)
            case ir.Operator.FLOOR_DIVIDE:
                return self._make("floor", self._quotient(*parts))
            case ir.Operator.SQUARE_ROOT:
                return self._make("Pow", first, self.sympy.S.Half)
            case ir.Operator.IF:
                return self._piecewise((rest[0], first), (rest[1], self.sympy.true))
            case ir.Operator.TRUNCATE:
                positive = self._make("Ge", first, self.sympy.S.Zero)
                floor, ceiling = self._make("floor", first), self._make("ceiling", first)
                return self._piecewise((floor, positive), (ceiling, self.sympy.true))
            case ir.Operator.ROUND:
                return self.sympy.Function("round", integer=True)(first)
        return self._make(_NAMES[operator], *parts)

    def _make(self, name: str, *parts: Any) -> Any:
        make: Callable[..., Any] = getattr(self.sympy, name)
        return make(*parts, evaluate=self.evaluate)

    def _negative(self, part: Any) -> Any:
        return self._make("Mul", self.sympy.S.NegativeOne, part)

    def _quotient(self, top: Any, bottom: Any) -> Any:
        return self._make("Mul", top, self._make("Pow", bottom, self.sympy.S.NegativeOne))

    def _piecewise(self, *cases: tuple[Any, Any]) -> Any:
        return self.sympy.Piecewise(*cases, evaluate=self.evaluate)


_NAMES = {
    ir.Operator.ADD: "Add",
    ir.Operator.MULTIPLY: "Mul",
    ir.Operator.MODULO: "Mod",
    ir.Operator.POWER: "Pow",
    ir.Operator.EQUAL: "Eq",
    ir.Operator.LESS: "Lt",
    ir.Operator.LESS_EQUAL: "Le",
    ir.Operator.AND: "And",
    ir.Operator.OR: "Or",
    ir.Operator.NOT: "Not",
    ir.Operator.ABSOLUTE: "Abs",
    ir.Operator.MINIMUM: "Min",
    ir.Operator.MAXIMUM: "Max",
    ir.Operator.EXPONENTIAL: "exp",
    ir.Operator.LOGARITHM: "log",
    ir.Operator.FLOOR: "floor",
    ir.Operator.CEILING: "ceiling",
}
"""sympy's names of operators that it has."""
