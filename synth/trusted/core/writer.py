"""Typed programs as core text, which :func:`synth.trusted.core.reader.read_core` reads back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from synth.trusted.core import names
from synth.trusted.core.demands import without_demands
from synth.trusted.core.read_expressions import FUNCTIONS, INFIX
from synth.trusted.errors import SynthError
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import LEVELS

_CALLED = {operator: name for name, (_, operator, _, _) in FUNCTIONS.items()}
_LEVELS = {**LEVELS, ir.Operator.IF: 0, ir.Operator.NOT: 3, ir.Operator.NEGATE: 7}
_NEGATIVE, _ATOM = 7, 9
"""How tightly operators bind in Python; negative numbers as the sign does."""

_INFIXES = {operator for operator, _, _ in INFIX.values()}


class Unwritable(SynthError):
    """What has no core text: no reader of programs makes it."""


def write_core(mechanism: ir.Mechanism) -> str:
    """Return the core text of a program.  Raises Unwritable.

    Places, reasons of obligations, and what serves the search alone are left out.
    """
    return write_as_written(without_demands(mechanism))


def write_as_written(mechanism: ir.Mechanism) -> str:
    """Return the same with all obligations, for ``read_as_written``.  Raises Unwritable."""
    parameters = ", ".join(f"{_name(item.name)}: {_type(mechanism, item)}" for item in mechanism.parameters)
    output = "" if mechanism.output is None else f" -> {_layout(mechanism.output)}"
    lines = [
        *_heads(mechanism),
        f"def {_name(mechanism.name)}({parameters}){output}:",
        *(f"    {_name(name)}: {sort.value}" for name, sort in mechanism.variables.items()),
        *(f"    {_name(name)}: list({_sorts(kind.components)})" for name, kind in mechanism.lists.items()),
        *CoreWriter(mechanism.lists).body(mechanism.body, "    "),
    ]
    return "\n".join(lines) + "\n"


# --- the head -------------------------------------------------------------------------------


def _heads(mechanism: ir.Mechanism) -> Iterator[str]:
    writer = CoreWriter(mechanism.lists)
    metrics = {item.name: item.metric for item in mechanism.parameters if item.metric is not None}
    if metrics:
        given = (f"{_name(name)}={_metric(writer, metric)}" for name, metric in metrics.items())
        yield f"@adjacent({', '.join(given)})"
    if mechanism.requires != builders.TRUE:
        yield f"@requires({writer.text(mechanism.requires)})"
    claims = {"epsilon": mechanism.epsilon, "delta": mechanism.delta}
    if mechanism.divergence is not None:
        claims[mechanism.divergence.notion.value] = mechanism.divergence.bound
    claimed = [f"{name}={writer.text(bound)}" for name, bound in claims.items() if bound is not None]
    if claimed:
        yield f"@claims({', '.join(claimed)})"
    for fact in mechanism.facts:
        variables = ", ".join(
            dict.fromkeys(_name(item.name) for item in fact.trigger.index if isinstance(item, ir.Variable))
        )
        function = f"lambda {variables}:" if variables else "lambda:"
        about = f"{function} {writer.text(fact.trigger)}, {function} {writer.text(fact.condition)}"
        yield f"@fact({fact.text!r}, {about}{', each=True' if fact.each else ''})"


def _metric(writer: CoreWriter, metric: ir.Metric) -> str:
    bound = "" if metric.bound is None else writer.text(metric.bound)
    return f"{metric.kind.value}({bound}{', monotone=True' if metric.monotone else ''})"


def _type(mechanism: ir.Mechanism, item: ir.Parameter) -> str:
    match item.kind:
        case ir.ParameterKind.SCALAR:
            text = item.sort.value
        case ir.ParameterKind.SEQUENCE:
            text = f"sequence({item.sort.value})"
        case ir.ParameterKind.FUNCTION:
            text = f"function({_sorts((*[ir.Sort.INT] * item.arity, item.sort))})"
    if item.published:
        return f"published({text})"
    return f"ghost({text})" if item.name in mechanism.ghosts else text


def _sorts(sorts: Iterable[ir.Sort]) -> str:
    return ", ".join(sort.value for sort in sorts)


def _layout(layout: ir.Layout) -> str:
    return f"output({', '.join(_shapes(item) for item in (layout.values, *layout.lists))})"


def _shapes(shapes: ir.Alternatives) -> str:
    return " | ".join(map(_shape, shapes)) or "never"


def _shape(shape: ir.Shape) -> str:
    match shape:
        case ir.SourceShape():
            raise ValueError("a source of draws is no output")
        case ir.NoneShape():
            return "None"
        case ir.ListShape():
            return "list"
        case ir.ScalarShape(sort=sort):
            return sort.value
        case ir.LabelShape(name, texts):
            return f"label({', '.join(map(repr, (name, *texts)))})"
        case ir.OptionalShape(sort=sort):
            return f"optional({sort.value})"
        case ir.DictShape(items, keys):
            return f"dict({', '.join([_shape(ir.TupleShape(items)), *map(repr, keys)])})"
        case ir.TupleShape(items=items):
            return f"({''.join(f'{_shape(item)}, ' for item in items).strip()})"


def _name(name: str) -> str:
    identifier = names.written(name)
    if names.read(identifier) != name or not identifier.isidentifier():
        raise Unwritable(f"the name '{name}' has no form in core programs")
    return identifier


# --- statements and expressions -------------------------------------------------------------


class CoreWriter:
    """Writes what mentions local lists, which are these.  Its functions raise Unwritable."""

    def __init__(self, lists: Mapping[str, ir.ListType]) -> None:
        self.lists = lists

    def name(self, name: str) -> str:
        """Return the identifier that stands for a name."""
        return _name(name)

    def body(self, body: Sequence[ir.Statement], margin: str) -> Iterator[str]:
        """Return the lines of statements, all of their obligations included."""
        for statement in body:
            yield from (f"{margin}{line}" for line in self._lines(statement))
        if not body:
            yield f"{margin}pass"

    def _lines(self, statement: ir.Statement) -> Iterator[str]:
        match statement:
            case ir.Assign(target=target, value=value):
                yield f"{_name(target)} = {self.text(value)}"
            case ir.Draw(target=target, distribution=law, arguments=arguments):
                yield f"{_name(target)} = {law}({self._listed(arguments)})"
            case ir.Choose(target=target):
                yield f"{_name(target)} = {self._law(statement)}"
            case ir.NewList(target=target):
                yield f"{_name(target)} = []"
            case ir.Append(target=target, values=values):
                yield f"{_name(target)}.append({self._listed(values)})"
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                yield f"if {self.text(condition)}:"
                yield from self.body(then, "    ")
                match otherwise:
                    case ():
                        pass
                    case (ir.If() as inner,):
                        first, *rest = self._lines(inner)
                        yield f"el{first}"
                        yield from rest
                    case _:
                        yield "else:"
                        yield from self.body(otherwise, "    ")
            case ir.Block(label=label, body=body):
                yield f"with block({_name(label)}):"
                yield from self.body(body, "    ")
            case ir.Loop(body=body):
                yield "while True:"
                yield from self.body(body, "    ")
            case ir.Exit(label=label):
                yield f"leave({_name(label)})"
            case ir.Return(values=values, lists=lists):
                yield f"return {', '.join((*map(self.text, values), *map(_name, lists)))}".strip()
            case ir.Obligation():
                yield self._ensured(statement)
            case ir.Assume(condition=condition):
                yield f"assert {self.text(condition)}"

    def _ensured(self, obligation: ir.Obligation) -> str:
        return f'ensure({self.text(obligation.condition)}, "{obligation.kind}")'

    def _law(self, choice: ir.Choose) -> str:
        index, known = _name(choice.index), laws.arguments_of(choice)
        if known is not None and known[0] == choice.distribution:
            return f"{choice.distribution}({self._listed(known[1])})"
        match choice.law:
            case ir.Chances(outcomes=outcomes):
                table = ", ".join(
                    f"{self.text(outcome)}: {self.text(chance)}" for outcome, chance in outcomes
                )
                return f'outcomes("{choice.distribution}", lambda {index}: {{{table}}})'
            case ir.Weights(count=count, score=score, rate=rate, demands=demands):
                asked = "".join(f", lambda {index}: {self._ensured(item)}" for item in demands)
                weight = f"lambda {index}: {self.text(score)}"
                law = f'"{choice.distribution}", {self.text(count)}, {weight}, {self.text(rate)}'
                return f"weights({law}{asked})"

    def _listed(self, expressions: Iterable[ir.Expression]) -> str:
        return ", ".join(map(self.text, expressions))

    def text(self, expression: ir.Expression, level: int = 0) -> str:
        """Return the expression, in parentheses if it binds less tightly than that."""
        written, own = self._text(expression)
        return written if own >= level else f"({written})"

    def _text(self, expression: ir.Expression) -> tuple[str, int]:
        match expression:
            case ir.Constant():
                return _constant(expression)
            case ir.Variable(name=name):
                return _name(name), _ATOM
            case ir.Length(sequence=sequence):
                return f"len({_name(sequence)})", _ATOM
            case ir.Read(source=source, index=index):
                name, run = ir.without_run(source)
                side = "" if run is None else ".one" if run == 1 else ".two"
                return f"{_name(name)}{side}[{self._listed(index) or '()'}]", _ATOM
            case ir.Element(source=source, index=place, component=component):
                entry = f"{_name(source)}[{self.text(place)}]"
                one = len(self.lists[source].components) == 1
                return (entry if one else f"{entry}[{component}]"), _ATOM
            case ir.Operation():
                return self._operation(expression)

    def _operation(self, expression: ir.Operation) -> tuple[str, int]:
        operator, operands = expression.operator, expression.operands
        level = _LEVELS.get(operator, _ATOM)
        match operator, operands:
            case ir.Operator.IF, (condition, then, otherwise):
                sides = self.text(then, 1), self.text(condition, 1), self.text(otherwise)
                return f"{sides[0]} if {sides[1]} else {sides[2]}", level
            case ((ir.Operator.AND | ir.Operator.OR), (_, _, *_)):
                return f" {operator.value} ".join(self.text(item, level + 1) for item in operands), level
            case ir.Operator.NOT, (inner,):
                return f"not {self.text(inner, level)}", level
            case ir.Operator.NEGATE, (inner,) if not isinstance(inner, ir.Constant):
                return f"-{self.text(inner, level)}", level
            case _, (first, second) if operator in _INFIXES:
                left = level + (level in (_LEVELS[ir.Operator.EQUAL], _LEVELS[ir.Operator.POWER]))
                between = operator.value if operator is ir.Operator.POWER else f" {operator.value} "
                return f"{self.text(first, left)}{between}{self.text(second, level + 1)}", level
            case _ if operator in _CALLED:
                return f"{_CALLED[operator]}({self._listed(operands)})", _ATOM
        raise Unwritable(f"'{operator.value}' of {len(operands)} operands has no form in core programs")


def _constant(constant: ir.Constant) -> tuple[str, int]:
    value = constant.value
    level = _NEGATIVE if value < 0 else _ATOM
    if constant.sort is not ir.Sort.REAL:
        return str(value), level
    exact = Fraction(value)
    try:
        short = repr(float(exact))
        if Fraction(short) == exact:
            return short, level
    except (OverflowError, ValueError):
        pass
    return f"ratio({exact.numerator}, {exact.denominator})", _ATOM
