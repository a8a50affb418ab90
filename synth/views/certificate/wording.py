"""Statements of the program in one line: ``threshold ←$ laplace(t, 2/eps)``."""

from __future__ import annotations

from collections.abc import Iterator

from synth.support.display import is_plain
from synth.trusted.program import syntax as ir
from synth.views.certificate.names import Names


def statement_text(names: Names, statement: ir.Statement) -> str:
    """A statement; of a compound one only its head."""
    match statement:
        case ir.Assign(target=target, value=value):
            return f"{names.variable(target)} ← {names.code(value)}"
        case ir.Draw(target=target, distribution=distribution, arguments=arguments):
            inner = ", ".join(names.code(item) for item in arguments)
            return f"{names.variable(target)} ←$ {distribution}({inner})"
        case ir.Choose(target=target, distribution=distribution):
            return f"{names.variable(target)} ←$ {distribution}"
        case ir.NewList(target=target):
            return f"{names.variable(target)} ← []"
        case ir.Append(target=target, values=values):
            return f"{names.variable(target)}.append({', '.join(names.code(item) for item in values)})"
        case ir.If(condition=condition):
            return f"if {names.code(condition)}:"
        case ir.Block(label=label):
            return f"block {names.label(label)}:"
        case ir.Exit(label=label):
            return f"exit {names.label(label)}"
        case ir.Loop(span=span):
            return _source_line(names, span.line) or "loop:"
        case ir.Return(values=values, lists=lists):
            return f"return {', '.join([*map(names.code, values), *map(names.variable, lists)])}"
        case ir.Obligation(condition=condition, reason=reason):
            return f"check {names.code(condition)}: {reason}"
        case ir.Assume(condition=condition):
            return f"assert {names.code(condition)}"


def in_run(names: Names, expression: ir.Expression, run: str) -> str:
    """An expression in one run, as the paper writes it: ``q[i]⟨1⟩``."""
    written = names.code(expression)
    if isinstance(expression, ir.Constant):
        return written
    return f"({written}){run}" if " " in written.split("[")[0] else f"{written}{run}"


def loop_variables(names: Names) -> Iterator[str]:
    """The variables that tell iterations apart: those computed from a loop's counter."""
    for loop in ir.statements(names.mechanism.body):
        if isinstance(loop, ir.Loop) and loop.counter is not None:
            for item in loop.body:
                if isinstance(item, ir.Assign) and item.target != loop.counter:
                    if any(
                        isinstance(p, ir.Variable) and p.name == loop.counter
                        for p in ir.subexpressions(item.value)
                    ):
                        yield item.target


def _source_line(names: Names, line: int) -> str | None:
    found = names.mechanism.text_of_line(line).strip()
    return found if found.startswith(("for ", "while ")) and is_plain(found) else None
