"""Whether two typed programs are one program, written in two places."""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks
from synth.trusted.program.substitution import replaced

_NOWHERE = ir.Span(0, 0)


def same_program(one: ir.Mechanism, other: ir.Mechanism) -> bool:
    """Return whether two programs differ in nothing but what :func:`bare` leaves out."""
    return bare(one) == bare(other)


def bare(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the program without places, texts about it, hints for the search, and names of outcomes.

    The name of an outcome is bound by its draw: it means nothing outside of it.
    """
    return replace(
        mechanism,
        parameters=tuple(replace(item, span=_NOWHERE) for item in mechanism.parameters),
        facts=tuple(replace(item, span=_NOWHERE) for item in mechanism.facts),
        body=tuple(map(_bare, mechanism.body)),
        span=_NOWHERE,
        path="",
        source="",
        lines=(),
        specification=None,
        unread=(),
        preconditions=(),
        models=(),
        records=(),
        domains=(),
        open_arrays=(),
        sources=(),
        left_out=(),
        shown=(),
        labels=(),
    )


def _bare(statement: ir.Statement) -> ir.Statement:
    match statement:
        case ir.Block():
            return with_blocks(statement, lambda body: tuple(map(_bare, body)))
        case ir.If():
            return replace(with_blocks(statement, lambda body: tuple(map(_bare, body))), span=_NOWHERE)
        case ir.Loop(loop=number, body=body):
            return ir.Loop(number, tuple(map(_bare, body)), _NOWHERE)
        case ir.Obligation():
            return replace(statement, reason="", span=_NOWHERE)
        case ir.Choose(index=index, law=law, sort=sort):
            values: dict[str, ir.Expression] = {index: ir.Variable("", sort)}
            return replace(statement, index="", law=_renamed(law, values), span=_NOWHERE)
        case _:
            return replace(statement, span=_NOWHERE)


def _renamed(law: ir.Chances | ir.Weights, values: dict[str, ir.Expression]) -> ir.Chances | ir.Weights:
    match law:
        case ir.Chances(outcomes=outcomes):
            return ir.Chances(tuple((replaced(a, values), replaced(b, values)) for a, b in outcomes))
        case ir.Weights(demands=demands):
            asked = (replace(item, condition=replaced(item.condition, values)) for item in demands)
            bare_demands = tuple(replace(item, reason="", span=_NOWHERE) for item in asked)
            return replace(law, score=replaced(law.score, values), demands=bare_demands)


def placed(program: ir.Mechanism, like: ir.Mechanism) -> ir.Mechanism:
    """Return the program with the places and the reasons of the same program, written elsewhere.

    Only messages depend on them.
    """
    pairs = zip(program.parameters, like.parameters, strict=True)
    return replace(
        program,
        parameters=tuple(replace(one, span=other.span) for one, other in pairs),
        body=_placed(program.body, like.body),
        span=like.span,
        path=like.path,
        source=like.source,
        lines=like.lines,
        specification=like.specification,
        unread=like.unread,
        records=like.records,
        domains=like.domains,
        open_arrays=like.open_arrays,
        sources=like.sources,
        left_out=like.left_out,
        shown=like.shown,
        labels=like.labels,
    )


def _placed(body: tuple[ir.Statement, ...], like: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    return tuple(_placed_one(*pair) for pair in zip(body, like, strict=True))


def _placed_one(one: ir.Statement, other: ir.Statement) -> ir.Statement:
    match one, other:
        case ir.Block(body=body), ir.Block(body=like):
            return replace(one, body=_placed(body, like))
        case ir.Loop(body=body), ir.Loop(body=like):
            return replace(one, body=_placed(body, like), span=other.span)
        case ir.If(), ir.If():
            then, otherwise = _placed(one.then, other.then), _placed(one.otherwise, other.otherwise)
            return replace(one, then=then, otherwise=otherwise, span=other.span)
        case ir.Obligation(), ir.Obligation():
            return replace(one, reason=other.reason, span=other.span)
        case ir.Choose(law=ir.Weights() as law), ir.Choose(law=ir.Weights() as shown):
            pairs = zip(law.demands, shown.demands, strict=True)
            demands = tuple(replace(a, reason=b.reason, span=b.span) for a, b in pairs)
            return replace(one, law=replace(law, demands=demands), span=other.span)
        case (ir.Block(), _) | (_, ir.Block()):
            return one
        case _:
            return replace(one, span=other.span)
