"""Typed programs as text, for tests."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.program import syntax as ir


def show(expression: ir.Expression) -> str:
    """An expression; real constants end in a dot."""
    match expression:
        case ir.Constant(value, sort):
            return f"{value}." if sort is ir.Sort.REAL else str(value)
        case ir.Variable(name):
            return name
        case ir.Length(name):
            return f"len({name})"
        case ir.Read(source, index):
            return f"{source}[{', '.join(map(show, index))}]"
        case ir.Element(source, position, component):
            return f"{source}[{show(position)}].{component}"
        case ir.Operation(operator, (left, right)):
            return f"({show(left)} {operator.value} {show(right)})"
        case ir.Operation(operator, operands):
            return f"{operator.value}({', '.join(map(show, operands))})"


def lines(body: tuple[ir.Statement, ...], margin: str = "") -> Iterator[str]:
    """Statements, one a line."""
    for statement in body:
        head, *inner = _statement(statement)
        yield margin + head
        for place, part in enumerate(inner):
            if place and part:
                yield f"{margin}else:"
            yield from lines(part, margin + "  ")


def _statement(statement: ir.Statement) -> tuple[str, *tuple[tuple[ir.Statement, ...], ...]]:
    match statement:
        case ir.Assign(target, value):
            return (f"{target} = {show(value)}",)
        case ir.Draw(site, target, distribution, arguments, sort):
            shown = ", ".join(map(show, arguments))
            return (f"{target} ~ {distribution}({shown}) {sort.value} #{site}",)
        case ir.NewList(target):
            return (f"{target} = []",)
        case ir.Append(target, values):
            return (f"{target} += [{', '.join(map(show, values))}]",)
        case ir.If(branch, condition, then, otherwise):
            return (f"if {show(condition)}: #{branch}", then, otherwise)
        case ir.Block(label, body):
            return (f"block {label}:", body)
        case ir.Loop(loop, body, counter=counter, count=count):
            bound = f" {counter} <= {show(count)}" if count is not None else ""
            return (f"loop{bound}: #{loop}", body)
        case ir.Exit(label):
            return (f"exit {label}",)
        case ir.Return(values, lists):
            return (f"return {', '.join([*map(show, values), *lists])}".rstrip(),)
        case ir.Obligation(kind, condition):
            return (f"require {show(condition)} [{kind}]",)
        case ir.Assume(condition):
            return (f"assume {show(condition)}",)
