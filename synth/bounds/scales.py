"""Scales and sensitivities as rational functions of the public parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations

from synth.bounds.rational import Rational
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names
from synth.trusted.program.printing import text

_LARGEST = 2_000
"""Parts of an expression over public parameters; a longer one counts as none."""

_MAX_WIDTHS = 12

_HIDDEN = "%"
"""What is in the names of variables that the reader makes, as of a loop's counter."""


class NotConstant(Exception):
    """An expression is no function of the public parameters alone; says which, and where."""

    def __init__(self, expression: ir.Expression, span: ir.Span) -> None:
        super().__init__(text(expression))
        self.expression, self.span = expression, span


@dataclass(frozen=True)
class Scales:
    """Reads scales and other public expressions of one mechanism."""

    mechanism: ir.Mechanism

    @cached_property
    def definitions(self) -> Mapping[str, ir.Expression]:
        """Locals that are assigned once, by what they are assigned."""
        found: dict[str, list[ir.Expression | None]] = {}
        for item in ir.statements(self.mechanism.body):
            if isinstance(item, ir.Assign):
                found.setdefault(item.target, []).append(item.value)
            elif isinstance(item, ir.Draw | ir.Choose):
                found.setdefault(item.target, []).append(None)
        return {
            name: values[0] for name, values in found.items() if len(values) == 1 and values[0] is not None
        }

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """How many parts each of them has where those before it are written out."""
        found: dict[str, int] = {}
        for name, value in self.definitions.items():
            parts = ir.subexpressions(value)
            found[name] = sum(
                found.get(item.name, 1) if isinstance(item, ir.Variable) else 1 for item in parts
            )
        return found

    @cached_property
    def public(self) -> frozenset[str]:
        return frozenset(item.name for item in self.mechanism.visible if item.metric is None)

    def resolve(self, expression: ir.Expression, span: ir.Span, counter: str | None = None) -> ir.Expression:
        """The expression over public parameters only, and that counter.  Raises NotConstant."""
        known = self.public if counter is None else self.public | {counter}
        return self._resolve(expression, span, frozenset(), known)

    def resolve_with(self, expression: ir.Expression, span: ir.Span, known: Collection[str]) -> ir.Expression:
        """The expression over public parameters and those variables.  Raises NotConstant."""
        return self._resolve(expression, span, frozenset(), self.public | frozenset(known))

    def _resolve(
        self, expression: ir.Expression, span: ir.Span, open_: frozenset[str], known: frozenset[str]
    ) -> ir.Expression:
        match expression:
            case ir.Constant():
                return expression
            case ir.Variable(name=name) if name in known:
                return expression
            case ir.Variable(name=name) if self.sizes.get(name, _LARGEST) < _LARGEST and name not in open_:
                return self._resolve_variable(expression, span, open_ | {name}, known)
            case ir.Length(sequence=sequence) if sequence not in self.mechanism.lists:
                return expression
            case ir.Operation(operator=operator, operands=operands, sort=sort):
                resolved = tuple(self._resolve(item, span, open_, known) for item in operands)
                return ir.Operation(operator, resolved, sort)
            case _:
                raise NotConstant(expression, span)

    def _resolve_variable(
        self, variable: ir.Variable, span: ir.Span, open_: frozenset[str], known: frozenset[str]
    ) -> ir.Expression:
        """What it is assigned.  Raises NotConstant of the variable where that has names that no text has."""
        try:
            return self._resolve(self.definitions[variable.name], span, open_, known)
        except NotConstant as error:
            if any(_HIDDEN in name for name in names(error.expression)) and _HIDDEN not in variable.name:
                raise NotConstant(variable, span) from None
            raise

    def is_constant(self, name: str) -> bool:
        """Whether a local is assigned once, a function of public parameters."""
        if name not in self.definitions:
            return False
        try:
            self.resolve(self.definitions[name], self.mechanism.span)
        except NotConstant:
            return False
        return True

    def rational(self, expression: ir.Expression, span: ir.Span) -> Rational:
        """The expression as a rational function; what isn't rational becomes a variable."""
        return rational(self.resolve(expression, span))

    def calibrations(self) -> tuple[ir.Expression, ...]:
        """What scales are made of beside a budget: where a mechanism is calibrated, its sensitivity."""
        draws = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Draw))
        return tuple(dict.fromkeys(part for draw in draws for part in self.calibrated_to(draw)))

    def calibrated_to(self, draw: ir.Draw) -> tuple[ir.Expression, ...]:
        """What the scale of a draw is made of beside a budget; nothing where that isn't public."""
        try:
            scale = self.resolve(draw.arguments[1], draw.span)
        except NotConstant:
            return ()
        found = dict.fromkeys(map(_without_number, _numerators(scale)))
        return tuple(item for item in found if not isinstance(item, ir.Constant))

    def widths(self) -> tuple[ir.Expression, ...]:
        """What values are clipped to, and the widths between two such ends."""
        ends = dict.fromkeys(self.ends())
        apart = [builders.subtract(high, low) for low, high in permutations(ends, 2)]
        found = dict.fromkeys(item for item in (*ends, *apart) if not isinstance(item, ir.Constant))
        return tuple(found)[:_MAX_WIDTHS]

    def ends(self) -> Iterator[ir.Expression]:
        """Give the public operands of minima and maxima beside others, as reals.

        So is one that another value is compared with, and that a branch then assigns.
        """
        for statement in ir.statements(self.mechanism.body):
            match statement:
                case ir.If(condition=ir.Operation(ir.Operator.LESS | ir.Operator.LESS_EQUAL, compared)):
                    first = (*statement.then[:1], *statement.otherwise[:1])
                    taken = [item.value for item in first if isinstance(item, ir.Assign)]
                    ends = [end for item in compared if (end := self._public(item))]
                    if len(ends) < len(compared):
                        yield from (end for end in ends if any(end == self._public(item) for item in taken))
            for part in (part for item in expressions(statement) for part in ir.subexpressions(item)):
                match part:
                    case ir.Operation(ir.Operator.MINIMUM | ir.Operator.MAXIMUM, operands):
                        ends = [end for item in operands if (end := self._public(item))]
                        if len(ends) < len(operands):
                            yield from ends

    def _public(self, expression: ir.Expression) -> ir.Expression | None:
        try:
            return builders.convert(self.resolve(expression, self.mechanism.span), ir.Sort.REAL)
        except NotConstant:
            return None

    def integers(self) -> tuple[ir.Expression, ...]:
        """What counts can be bounded by: integer parameters, and lengths."""
        found: list[ir.Expression] = []
        of_records = {name for item in self.mechanism.records if item.present for name in _parts(item)}
        for item in self.mechanism.visible:
            if item.published or item.name in of_records:
                continue
            if item.kind is ir.ParameterKind.SEQUENCE:
                found.append(ir.Length(item.name))
            elif item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort.value == "int":
                found.append(ir.Variable(item.name, item.sort))
        return tuple(found)


def _numerators(expression: ir.Expression) -> Iterator[ir.Expression]:
    """The numerator of a quotient, and its factors."""
    match expression:
        case ir.Operation(ir.Operator.DIVIDE, (top, _)):
            yield top
            yield from _numerators(top)
        case ir.Operation(ir.Operator.MULTIPLY, factors):
            for factor in factors:
                yield from (factor, *_numerators(factor))


def _without_number(expression: ir.Expression) -> ir.Expression:
    """A product of several factors without those that are numbers: in clauses it is one opaque value."""
    factors = [item for item in _factors(expression) if not isinstance(item, ir.Constant)]
    if len(factors) <= 1:
        return expression
    product: ir.Expression = factors[0]
    for item in factors[1:]:
        product = builders.arithmetic(ir.Operator.MULTIPLY, product, item)
    return product


def _factors(expression: ir.Expression) -> Iterator[ir.Expression]:
    match expression:
        case ir.Operation(ir.Operator.MULTIPLY, operands):
            for item in operands:
                yield from _factors(item)
        case ir.Operation(ir.Operator.TO_REAL, (ir.Constant(value=value),)):
            yield ir.Constant(Fraction(value), ir.Sort.REAL)
        case _:
            yield expression


def _parts(records: ir.Records) -> tuple[str | None, ...]:
    """The sequences of a list of which records may be missing: their length is that of no list."""
    return (*records.columns, records.present)


def rational(expression: ir.Expression) -> Rational:
    """A public expression as a rational function of parameters, lengths and opaque parts."""
    match expression:
        case ir.Constant(value=value):
            return Rational.number(Fraction(value))
        case ir.Operation(operator=ir.Operator.TO_REAL):
            return rational(expression.operands[0])
        case ir.Operation(operator=ir.Operator.NEGATE):
            return -rational(expression.operands[0])
        case ir.Operation(operator=operator) if operator in _ARITHMETIC:
            first, *rest = (rational(item) for item in ir.children(expression))
            for other in rest:
                first = _ARITHMETIC[operator](first, other)
            return first
        case _:
            return Rational.variable(opaque_name(expression))


def check_defined(mechanism: ir.Mechanism) -> None:
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
            code = Refusal.UNDEFINED_SPECIFICATION
            raise ProgramError(message, mechanism.path, span.line, span.column, code=code) from None


def square(item: Rational, opaque_definitions: Mapping[str, ir.Expression]) -> Rational:
    """The square of a rational function, with s² = x for the roots s = sqrt(x) in ``opaque_definitions``."""
    roots = {name: rational(inner) for name, inner in _radicands(opaque_definitions)}
    return (item * item).with_squares(roots)


def square_parts(opaque_definitions: Mapping[str, ir.Expression]) -> dict[str, ir.Expression]:
    """What the variables of :func:`square` mean beside those that were there before."""
    return {
        name: part
        for _, inner in _radicands(opaque_definitions)
        for name, part in opaque_parts(inner).items()
    }


def _radicands(opaque_definitions: Mapping[str, ir.Expression]) -> Iterator[tuple[str, ir.Expression]]:
    for name, expression in opaque_definitions.items():
        match expression:
            case ir.Operation(operator=ir.Operator.SQUARE_ROOT, operands=(inner,)):
                yield name, inner
            case _:
                pass


def opaque_name(expression: ir.Expression) -> str:
    """What a part that isn't rational is called; equal arguments of exp, log and sqrt, equal names."""
    match expression:
        case ir.Operation(
            operator=ir.Operator.EXPONENTIAL | ir.Operator.LOGARITHM | ir.Operator.SQUARE_ROOT as operator,
            operands=(inner,),
        ):
            return f"{operator.value}({rational(inner)})"
        case _:
            return text(expression)


def opaque_parts(expression: ir.Expression) -> dict[str, ir.Expression]:
    """What the variables of :func:`rational` mean, for those that are no plain names."""
    match expression:
        case ir.Constant():
            return {}
        case ir.Operation(operator=operator, operands=operands) if operator in _ARITHMETIC or operator in (
            ir.Operator.TO_REAL,
            ir.Operator.NEGATE,
        ):
            found: dict[str, ir.Expression] = {}
            for operand in operands:
                found.update(opaque_parts(operand))
            return found
        case _:
            return {opaque_name(expression): expression}


_ARITHMETIC = {
    ir.Operator.ADD: Rational.__add__,
    ir.Operator.SUBTRACT: Rational.__sub__,
    ir.Operator.MULTIPLY: Rational.__mul__,
    ir.Operator.DIVIDE: Rational.__truediv__,
}
