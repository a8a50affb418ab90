"""What both sides of a branch look up in one list is looked up behind it.

``return NAMES[x] if bernoulli(p) else NAMES[uniform_int(0, n - 1)]`` draws an index, of which the output is a
function.  So the draws that make the index become one, however many entries the list has.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, length_name, with_blocks


def looked_up_behind(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the same mechanism, where a branch with draws of finitely many values ends so on both sides."""
    variables = dict(mechanism.variables)

    def rewritten(body: Body) -> Body:
        found: list[ir.Statement] = []
        for item in body:
            item = with_blocks(item, rewritten)
            found += joined(item) if isinstance(item, ir.If) else (item,)
        return tuple(found)

    def joined(branch: ir.If) -> Body:
        one, two = _looked_up(branch.then), _looked_up(branch.otherwise)
        if one is None or two is None or one[0] != two[0]:
            return (branch,)
        (_, first), (_, second) = one, two
        inner = (*branch.then[:-1], *branch.otherwise[:-1])
        draws = any(isinstance(item, ir.Choose) for item in ir.statements(inner))
        if (
            not draws
            or replace(first, index=second.index) != second
            or length_name(first.source) in assigned(inner)
        ):
            return (branch,)
        place = ir.Variable(f"place%new{len(variables)}", ir.Sort.INT)
        variables[place.name] = place.sort
        then, otherwise = (
            (
                *(item for item in side[:-1] if not _asks_for(item, read)),
                ir.Assign(place.name, read.index, branch.span),
            )
            for side, read in ((branch.then, first), (branch.otherwise, second))
        )
        behind = replace(first, index=place)
        inside = ir.Obligation("index", builders.both(*_inside(behind)), "an index out of range", branch.span)
        return replace(branch, then=then, otherwise=otherwise), inside, _with_value(branch.then[-1], behind)

    body = rewritten(mechanism.body)
    return replace(mechanism, body=body, variables=variables)


def _looked_up(body: Body) -> tuple[str | None, ir.Element] | None:
    """The entry that a body gives back, or assigns to a variable, at its end."""
    match body[-1:]:
        case (ir.Assign(target=name, value=ir.Element() as read),):
            return name, read
        case (ir.Return(values=(ir.Element() as read,), lists=()),):
            return None, read
        case _:
            return None


def _with_value(end: ir.Statement, value: ir.Expression) -> ir.Statement:
    match end:
        case ir.Assign():
            return replace(end, value=value)
        case ir.Return():
            return replace(end, values=(value,))
        case _:
            return end


def _inside(read: ir.Element) -> tuple[ir.Expression, ir.Expression]:
    low = builders.less_equal(builders.ZERO, read.index)
    return low, builders.less(read.index, ir.Length(read.source))


def _asks_for(statement: ir.Statement, read: ir.Element) -> bool:
    """Whether a statement asks for nothing but that an entry is there."""
    match statement:
        case ir.Obligation(condition=condition):
            return set(builders.conjuncts(condition)) <= set(_inside(read))
        case _:
            return False
