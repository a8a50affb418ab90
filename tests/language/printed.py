"""Typed programs as text, for tests."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.program.syntax import (
    Append,
    Assign,
    Assume,
    Block,
    Constant,
    Draw,
    Element,
    Exit,
    Expression,
    If,
    Length,
    Loop,
    NewList,
    Obligation,
    Operation,
    Read,
    Return,
    Sort,
    Statement,
    Variable,
)


def show(expression: Expression) -> str:
    """An expression; real constants end in a dot."""
    match expression:
        case Constant(value, sort):
            return f"{value}." if sort is Sort.REAL else str(value)
        case Variable(name):
            return name
        case Length(name):
            return f"len({name})"
        case Read(source, index):
            return f"{source}[{', '.join(map(show, index))}]"
        case Element(source, position, component):
            return f"{source}[{show(position)}].{component}"
        case Operation(operator, (left, right)):
            return f"({show(left)} {operator.value} {show(right)})"
        case Operation(operator, operands):
            return f"{operator.value}({', '.join(map(show, operands))})"


def lines(body: tuple[Statement, ...], margin: str = "") -> Iterator[str]:
    """Statements, one a line."""
    for statement in body:
        head, *inner = _statement(statement)
        yield margin + head
        for place, part in enumerate(inner):
            if place and part:
                yield f"{margin}else:"
            yield from lines(part, margin + "  ")


def _statement(statement: Statement) -> tuple[str, *tuple[tuple[Statement, ...], ...]]:
    match statement:
        case Assign(target, value):
            return (f"{target} = {show(value)}",)
        case Draw(site, target, distribution, arguments, sort):
            shown = ", ".join(map(show, arguments))
            return (f"{target} ~ {distribution}({shown}) {sort.value} #{site}",)
        case NewList(target):
            return (f"{target} = []",)
        case Append(target, values):
            return (f"{target} += [{', '.join(map(show, values))}]",)
        case If(branch, condition, then, otherwise):
            return (f"if {show(condition)}: #{branch}", then, otherwise)
        case Block(label, body):
            return (f"block {label}:", body)
        case Loop(loop, body, counter=counter, count=count):
            bound = f" {counter} <= {show(count)}" if count is not None else ""
            return (f"loop{bound}: #{loop}", body)
        case Exit(label):
            return (f"exit {label}",)
        case Return(values, lists):
            return (f"return {', '.join([*map(show, values), *lists])}".rstrip(),)
        case Obligation(kind, condition):
            return (f"require {show(condition)} [{kind}]",)
        case Assume(condition):
            return (f"assume {show(condition)}",)
