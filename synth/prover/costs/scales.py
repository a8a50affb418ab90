"""Scales and sensitivities as rational functions of the public parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from synth.prover.costs.rational import Rational
from synth.trusted.errors import ProgramError
from synth.trusted.program.printing import text
from synth.trusted.program.syntax import (
    Assign,
    Choose,
    Constant,
    Draw,
    Expression,
    Length,
    Mechanism,
    Operation,
    Operator,
    ParameterKind,
    Span,
    Variable,
    children,
    statements,
)


class NotConstant(Exception):
    """An expression is no function of the public parameters alone; says which, and where."""

    def __init__(self, expression: Expression, span: Span) -> None:
        super().__init__(text(expression))
        self.expression, self.span = expression, span


@dataclass(frozen=True)
class Scales:
    """Reads scales and other public expressions of one mechanism."""

    mechanism: Mechanism

    @cached_property
    def definitions(self) -> Mapping[str, Expression]:
        """Locals that are assigned once, by what they are assigned."""
        found: dict[str, list[Expression | None]] = {}
        for item in statements(self.mechanism.body):
            if isinstance(item, Assign):
                found.setdefault(item.target, []).append(item.value)
            elif isinstance(item, Draw | Choose):
                found.setdefault(item.target, []).append(None)
        return {
            name: values[0] for name, values in found.items() if len(values) == 1 and values[0] is not None
        }

    @cached_property
    def public(self) -> frozenset[str]:
        return frozenset(item.name for item in self.mechanism.visible if item.metric is None)

    def resolve(self, expression: Expression, span: Span, counter: str | None = None) -> Expression:
        """The expression over public parameters only, and that counter.  Raises NotConstant."""
        known = self.public if counter is None else self.public | {counter}
        return self._resolve(expression, span, frozenset(), known)

    def _resolve(
        self, expression: Expression, span: Span, open_: frozenset[str], known: frozenset[str]
    ) -> Expression:
        match expression:
            case Constant():
                return expression
            case Variable(name=name) if name in known:
                return expression
            case Variable(name=name) if name in self.definitions and name not in open_:
                return self._resolve(self.definitions[name], span, open_ | {name}, known)
            case Length(sequence=sequence) if sequence not in self.mechanism.lists:
                return expression
            case Operation(operator=operator, operands=operands, sort=sort):
                resolved = tuple(self._resolve(item, span, open_, known) for item in operands)
                return Operation(operator, resolved, sort)
            case _:
                raise NotConstant(expression, span)

    def rational(self, expression: Expression, span: Span) -> Rational:
        """The expression as a rational function; what isn't rational becomes a variable."""
        return rational(self.resolve(expression, span))

    def calibrations(self) -> tuple[Expression, ...]:
        """What scales divide by a budget: where a mechanism is calibrated, its sensitivity."""
        found: dict[Expression, None] = {}
        for draw in statements(self.mechanism.body):
            if isinstance(draw, Draw):
                try:
                    scale = self.resolve(draw.arguments[1], draw.span)
                except NotConstant:
                    continue
                if isinstance(scale, Operation) and scale.operator is Operator.DIVIDE:
                    if not isinstance(scale.operands[0], Constant):
                        found[scale.operands[0]] = None
        return tuple(found)

    def integers(self) -> tuple[Expression, ...]:
        """What counts can be bounded by: integer parameters, and lengths."""
        found: list[Expression] = []
        for item in self.mechanism.visible:
            if item.published:
                continue
            if item.kind is ParameterKind.SEQUENCE:
                found.append(Length(item.name))
            elif item.kind is ParameterKind.SCALAR and item.metric is None and item.sort.value == "int":
                found.append(Variable(item.name, item.sort))
        return tuple(found)


def rational(expression: Expression) -> Rational:
    """A public expression as a rational function of parameters, lengths and opaque parts."""
    match expression:
        case Constant(value=value):
            return Rational.number(Fraction(value))
        case Operation(operator=Operator.TO_REAL):
            return rational(expression.operands[0])
        case Operation(operator=Operator.NEGATE):
            return -rational(expression.operands[0])
        case Operation(operator=operator) if operator in _ARITHMETIC:
            first, *rest = (rational(item) for item in children(expression))
            for other in rest:
                first = _ARITHMETIC[operator](first, other)
            return first
        case _:
            return Rational.variable(opaque_name(expression))


def check_defined(mechanism: Mechanism) -> None:
    """Refuse a claim or a distance that divides by zero whatever the parameters are.  Raises ProgramError."""
    stated = {"epsilon": mechanism.epsilon, "delta": mechanism.delta}
    for parameter in mechanism.parameters:
        if parameter.metric is not None:
            stated[f"the distance of '{parameter.name}'"] = parameter.metric.bound
    for what, expression in stated.items():
        try:
            if expression is not None:
                rational(expression)
        except ZeroDivisionError:
            span = mechanism.span
            message = f"division by zero, in {what}"
            raise ProgramError(message, mechanism.path, span.line, span.column) from None


def square(item: Rational, meant: Mapping[str, Expression]) -> Rational:
    """The square of a rational function, with s² = x for the roots s = sqrt(x) in ``meant``."""
    roots = {name: rational(inner) for name, inner in _radicands(meant)}
    return (item * item).with_squares(roots)


def square_parts(meant: Mapping[str, Expression]) -> dict[str, Expression]:
    """What the variables of :func:`square` mean beside those that were there before."""
    return {name: part for _, inner in _radicands(meant) for name, part in opaque_parts(inner).items()}


def _radicands(meant: Mapping[str, Expression]) -> Iterator[tuple[str, Expression]]:
    for name, expression in meant.items():
        match expression:
            case Operation(operator=Operator.SQUARE_ROOT, operands=(inner,)):
                yield name, inner
            case _:
                pass


def opaque_name(expression: Expression) -> str:
    """What a part that isn't rational is called; equal arguments of exp, log and sqrt, equal names."""
    match expression:
        case Operation(
            operator=Operator.EXPONENTIAL | Operator.LOGARITHM | Operator.SQUARE_ROOT as operator,
            operands=(inner,),
        ):
            return f"{operator.value}({rational(inner)})"
        case _:
            return text(expression)


def opaque_parts(expression: Expression) -> dict[str, Expression]:
    """What the variables of :func:`rational` mean, for those that are no plain names."""
    match expression:
        case Constant():
            return {}
        case Operation(operator=operator, operands=operands) if operator in _ARITHMETIC or operator in (
            Operator.TO_REAL,
            Operator.NEGATE,
        ):
            found: dict[str, Expression] = {}
            for operand in operands:
                found.update(opaque_parts(operand))
            return found
        case _:
            return {opaque_name(expression): expression}


_ARITHMETIC = {
    Operator.ADD: Rational.__add__,
    Operator.SUBTRACT: Rational.__sub__,
    Operator.MULTIPLY: Rational.__mul__,
    Operator.DIVIDE: Rational.__truediv__,
}
