"""Core programs with one thing changed: in an expression, or statements dropped, doubled or exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions

Body = tuple[ir.Statement, ...]
Changed = Iterator[tuple[str, ir.Expression]]

_OTHERS = {
    ir.Operator.ADD: ir.Operator.SUBTRACT,
    ir.Operator.SUBTRACT: ir.Operator.ADD,
    ir.Operator.LESS: ir.Operator.LESS_EQUAL,
    ir.Operator.LESS_EQUAL: ir.Operator.LESS,
    ir.Operator.AND: ir.Operator.OR,
    ir.Operator.OR: ir.Operator.AND,
    ir.Operator.MULTIPLY: ir.Operator.ADD,
}
_NOISES = {"laplace": "exponential", "exponential": "laplace"}


@dataclass(frozen=True)
class Mutant:
    """A changed program; ``kind`` says what was done."""

    kind: str
    mechanism: ir.Mechanism


def mutants(mechanism: ir.Mechanism) -> Iterator[Mutant]:
    """All programs that differ from this one in one place, as this module changes programs."""
    names = dict(mechanism.variables)
    names |= {item.name: item.sort for item in mechanism.parameters if item.kind is ir.ParameterKind.SCALAR}
    labels = [item.label for item in ir.statements(mechanism.body) if isinstance(item, ir.Block)]
    for kind, body in _bodies(mechanism.body, names, labels):
        yield Mutant(kind, replace(mechanism, body=body))


def _bodies(body: Body, names: Mapping[str, ir.Sort], labels: list[str]) -> Iterator[tuple[str, Body]]:
    for place, statement in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        kind = type(statement).__name__
        yield f"drop {kind}", (*before, *after)
        if isinstance(statement, ir.Draw | ir.Choose | ir.Append | ir.Assign):
            yield f"double {kind}", (*before, statement, statement, *after)
        if after:
            yield (
                f"exchange {kind} and {type(after[0]).__name__}",
                (
                    *before,
                    after[0],
                    statement,
                    *after[1:],
                ),
            )
        for what, changed in _statements(statement, names, labels):
            yield f"{what} in {kind}", (*before, changed, *after)
        for number, inner in enumerate(ir.blocks(statement)):
            for what, changed_body in _bodies(inner, names, labels):
                yield what, (*before, _with_block(statement, number, changed_body), *after)


def _with_block(statement: ir.Statement, number: int, body: Body) -> ir.Statement:
    match statement:
        case ir.If():
            return replace(statement, then=body) if number == 0 else replace(statement, otherwise=body)
        case ir.Block() | ir.Loop():
            return replace(statement, body=body)
    raise AssertionError(statement)


def _statements(
    statement: ir.Statement, names: Mapping[str, ir.Sort], labels: list[str]
) -> Iterator[tuple[str, ir.Statement]]:
    for place, expression in enumerate(expressions(statement)):
        for what, changed in _expressions(expression, names):
            yield what, _with_expression(statement, place, changed)
    match statement:
        case ir.If(then=then, otherwise=otherwise):
            yield "sides exchanged", replace(statement, then=otherwise, otherwise=then)
            yield "one side for both", replace(statement, otherwise=then)
        case ir.Draw(distribution=name):
            yield "another noise", replace(statement, distribution=_NOISES[name])
            yield from (("another target", item) for item in _retargeted(statement, names))
        case ir.Assign() | ir.Choose():
            yield from (("another target", item) for item in _retargeted(statement, names))
        case ir.Exit(label=label):
            yield from (("another block", replace(statement, label=item)) for item in labels if item != label)


def _retargeted(
    statement: ir.Assign | ir.Draw | ir.Choose, names: Mapping[str, ir.Sort]
) -> Iterator[ir.Statement]:
    sort = names[statement.target]
    return (
        replace(statement, target=name) for name in names if names[name] is sort and name != statement.target
    )


def _with_expression(statement: ir.Statement, place: int, new: ir.Expression) -> ir.Statement:
    parts = list(expressions(statement))
    parts[place] = new
    match statement:
        case ir.Assign():
            return replace(statement, value=new)
        case ir.Draw():
            return replace(statement, arguments=tuple(parts))
        case ir.Append() | ir.Return():
            return replace(statement, values=tuple(parts))
        case ir.If() | ir.Obligation() | ir.Assume():
            return replace(statement, condition=new)
        case ir.Choose(law=ir.Chances()):
            return replace(statement, law=ir.Chances(tuple(zip(parts[::2], parts[1::2], strict=True))))
        case ir.Choose(law=ir.Weights(demands=demands) as law):
            wanted = tuple(
                replace(item, condition=part) for item, part in zip(demands, parts[3:], strict=True)
            )
            return replace(
                statement, law=replace(law, count=parts[0], score=parts[1], rate=parts[2], demands=wanted)
            )
    raise AssertionError(statement)


def _expressions(expression: ir.Expression, names: Mapping[str, ir.Sort]) -> Changed:
    match expression:
        case ir.Variable(name=name, sort=sort):
            for other in names:
                if other != name and names[other] is sort:
                    yield "another variable", replace(expression, name=other)
        case ir.Constant(value=value, sort=ir.Sort.BOOL):
            yield "another constant", replace(expression, value=not value)
        case ir.Constant(value=value):
            yield "another constant", replace(expression, value=value + 1)
        case ir.Operation(operator=operator, operands=operands):
            if operator in _OTHERS:
                yield "another operator", replace(expression, operator=_OTHERS[operator])
            if operator is ir.Operator.NOT:
                yield "no negation", operands[0]
            elif len(operands) > 1:
                yield "operands exchanged", replace(expression, operands=(*operands[:-2], *operands[:-3:-1]))
            for place, operand in enumerate(operands):
                for what, changed in _expressions(operand, names):
                    parts = (*operands[:place], changed, *operands[place + 1 :])
                    yield what, replace(expression, operands=parts)
        case ir.Read(index=index):
            for place, operand in enumerate(index):
                for what, changed in _expressions(operand, names):
                    yield what, replace(expression, index=(*index[:place], changed, *index[place + 1 :]))
        case ir.Element(index=index):
            for what, changed in _expressions(index, names):
                yield what, replace(expression, index=changed)
