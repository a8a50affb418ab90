"""Uniform draws that are compared with the sums of the first chances: the place where one falls is a draw.

Let p be positive numbers divided by their sum, c = cumsum(p), and u uniform on 0..1.  The first i with
u <= c[i] is i with chance p[i], and u <= c[k] just if that i is at most k (but for u = c[k], which has no
chance).  So such a draw is made as that of its place, with the weights that p is in proportion to, where
u is drawn; c must have been made before.  Nothing else may be asked of u then.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arrays, blocks
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.inference import StartAgainError
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import INDEX, ArrayValue, ScalarValue, UniformKind, UniformValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names, target
from synth.trusted.program.substitution import replaced

_NUMPY = "numpy"
_ZERO = builders.zero(ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


def noted(
    context: Context, node: ast.expr, function: Function, given: Mapping[str, Value], made: Value
) -> Value:
    """What a function gave; the sums of the first chances are remembered, in a list that never changes."""
    chances = given.get("a")
    if not _is(function, "cumsum") or not isinstance(chances, ArrayValue) or not isinstance(made, ArrayValue):
        return made
    if chances.whole is None or chances.mask is not None or chances.noise is not None:
        return made
    made = arrays.filled(context, replace(made, length=chances.length), node)
    if isinstance(made.entry, ir.Element):
        context.cumulated[made.entry.source] = chances.whole
    return made


def note_shares(context: Context, shares: ArrayValue) -> None:
    """Remember an array of numbers divided by their sum: a loop may add them up."""
    assert shares.whole is not None
    name = f"shares%{len(context.shares)}"
    context.shares[name] = shares
    context.cumulated[name] = shares.whole


def _is(function: Function, *wanted: str) -> bool:
    stub = function.module.stub
    return stub is not None and stub.module == _NUMPY and function.name in wanted


# --- draws ------------------------------------------------------------------------------


def drawn(context: Context, draw: UniformValue, span: ir.Span) -> None:
    """Make the place of a uniform draw, if the pass before has found it compared with such sums."""
    place = context.inference.cumulative.get(context.scope.path)
    if place is None or place >= len(context.cumulated):
        return
    name, weights = list(context.cumulated.items())[place]
    index = ir.Variable(context.temporary("outcome"), ir.Sort.INT)
    at = {INDEX.name: index}
    weight = builders.convert(replaced(weights.entry, at), ir.Sort.REAL)
    demands = [replace(item, condition=replaced(item.condition, at)) for item in weights.demands]
    demands.append(
        ir.Obligation("domain", builders.less(_ZERO, weight), "a chance that isn't positive", span)
    )
    context.public.append(
        (weights.length, span, Refusal.PRIVATE_SCALE, "private data in the number of candidates")
    )
    some = builders.less_equal(builders.ONE, weights.length)
    context.emit(ir.Obligation("scale", some, "there must be a candidate to choose", span))
    score = ir.Operation(ir.Operator.LOGARITHM, (weight,), ir.Sort.REAL)
    law = ir.Weights(weights.length, score, _ONE, tuple(demands))
    found = ir.Variable(context.temporary("place"), ir.Sort.INT)
    context.emit(ir.Choose(0, found.name, "choice", index.name, law, ir.Sort.INT, span))
    context.drawn_places[draw.number] = (name, found)
    context.intervals[draw.number] = None


def place_of(context: Context, node: Located, draw: UniformValue, name: str) -> ir.Variable:
    """The place of a draw among the sums that a list has.

    Raises StartAgainError in the pass that finds this, ProgramError where nothing is known of the draw.
    """
    plain = (draw.kind, draw.factor, draw.offset) == (UniformKind.LINEAR, _ONE, _ZERO)
    known = context.drawn_places.get(draw.number)
    if plain and known is not None and known[0] == name:
        return known[1]
    path = context.drawn_at.get(draw.number)
    if not plain or path is None or path in context.inference.cumulative:
        message = (
            "a uniform draw is compared with sums of chances that are made after it, or with others, too"
        )
        raise context.error(node, Refusal.UNIFORM_IN_FORMULA, message)
    context.inference.note_cumulative(path, list(context.cumulated).index(name))
    raise StartAgainError


# --- uses -------------------------------------------------------------------------------


def compared(
    context: Context, node: ast.expr, operator: ast.cmpop, left: Value, right: Value
) -> ir.Expression | ArrayValue | None:
    """A uniform draw compared with such a sum, or with all of them; None for another comparison."""
    below = isinstance(operator, ast.Lt | ast.LtE)
    if not below and not isinstance(operator, ast.Gt | ast.GtE):
        return None
    draw, other = left, right
    if not isinstance(draw, UniformValue):
        draw, other, below = right, left, not below
    found = _sum(context, other)
    if not isinstance(draw, UniformValue) or found is None:
        return None
    name, index = found
    reached = builders.less_equal(place_of(context, node, draw, name), index)
    entry = reached if below else builders.negate(reached)
    return ArrayValue(other.length, entry) if isinstance(other, ArrayValue) else entry


def _sum(context: Context, value: Value) -> tuple[str, ir.Expression] | None:
    """The list of sums that a value is an entry of, with its index; all entries have the index of arrays."""
    match value:
        case ArrayValue(entry=ir.Element(source=name, index=index), mask=None) if index == INDEX:
            return (name, index) if _are_all(context, value, name) else None
        case ScalarValue(ir.Element(source=name, index=index)):
            return (name, index) if name in context.cumulated else None
        case ScalarValue(ir.Variable(name)):
            given = _assigned(context, name)
            if given is None or name not in names(given):
                return None if given is None else _sum(context, ScalarValue(given))
            return _running(context, name, given)
        case _:
            return None


def _are_all(context: Context, array: ArrayValue, name: str) -> bool:
    """Whether an array has an entry for each of the sums that a list has: a slice of them may end earlier."""
    weights = context.cumulated.get(name)
    return weights is not None and array.length == weights.length


# --- sums that a loop makes ---------------------------------------------------------------


def _running(context: Context, name: str, given: ir.Expression) -> tuple[str, ir.Expression] | None:
    """The chances that a loop over them has added up so far, from the first one on; with the last index."""
    shown = name.removeprefix(context.scope.prefix)
    function = context.scope.function
    if function is None or not _is_running_sum(function, shown) or context.scope.local(shown) != name:
        return None
    match given:
        case ir.Operation(ir.Operator.ADD, (ir.Variable(old), added)) if old == name:
            return _share(context, added)
        case _:
            return None


def _share(context: Context, added: ir.Expression) -> tuple[str, ir.Expression] | None:
    """The chances of which a number is the one that the loop around comes to, with its index."""
    if isinstance(added, ir.Variable):
        added = _assigned(context, added.name) or added
    for part in ir.subexpressions(added):
        index = part
        if isinstance(part, ir.Variable) and (known := _assigned(context, part.name)) is not None:
            index = known
        if not isinstance(index, ir.Variable) or not _counts_from_0(context, index):
            continue
        for name, shares in context.shares.items():
            if replaced(shares.entry, {INDEX.name: part}) == added:
                return name, index
    return None


def _counts_from_0(context: Context, index: ir.Variable) -> bool:
    """Whether it is the hidden counter of the loop around, which begins at 0 and goes on by 1."""
    return index.name == context.counters.get(context.depth)


def _is_running_sum(function: Function, name: str) -> bool:
    """Whether a variable is 0 before a loop, and each round of that adds to it once, before it does more."""
    stores = [part for part in ast.walk(function.node) if _stores(part, name)]
    for block in blocks.below(function.node):
        for place, first in enumerate(block):
            match first:
                case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=0)) if target == name:
                    pass
                case _:
                    continue
            for loop in block[place + 1 :]:
                if isinstance(loop, ast.For) and any(_stores_directly(item, name) for item in loop.body):
                    skips = any(isinstance(part, ast.Continue) for part in ast.walk(loop))
                    return len(stores) == 2 and not skips
    return False


def _stores_directly(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.AugAssign(target=ast.Name(id=target)) | ast.Assign(targets=[ast.Name(id=target)]):
            return target == name
        case _:
            return False


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def _assigned(context: Context, name: str) -> ir.Expression | None:
    """What a variable was assigned last, in the iteration that is read, if it still has that value."""
    changed: set[str] = set()
    for body, depth in [(context.body, context.depth), *reversed(context.bodies)]:
        if depth != context.depth:
            return None
        for statement in reversed(body):
            match statement:
                case ir.Assign(other, value) if other == name:
                    return value if not names(value) & changed else None
            changed |= {made for part in ir.statements((statement,)) if (made := target(part)) is not None}
            if name in changed:
                return None
    return None


def result(context: Context, node: ast.expr, function: Function, given: Mapping[str, Value]) -> Value | None:
    """What a function of numpy says of the sums that a draw doesn't exceed: of the last it surely doesn't."""
    if _is(function, "searchsorted"):
        sums, value = given["a"], given["v"]
        found = _sum(context, sums)
        if not isinstance(value, UniformValue) or not isinstance(sums, ArrayValue) or found is None:
            message = "'searchsorted' is only supported of the sums of chances and a uniform draw"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        return ScalarValue(place_of(context, node, value, found[0]))
    array = given.get("a")
    if not _is(function, "any", "argmax") or not isinstance(array, ArrayValue) or array.mask is not None:
        return None
    match array.entry:
        case ir.Operation(ir.Operator.LESS_EQUAL, (ir.Variable() as place, index)) if index == INDEX and any(
            place == drawn and _are_all(context, array, name) for name, drawn in context.drawn_places.values()
        ):
            return ScalarValue(builders.TRUE if function.name == "any" else place)
        case _:
            return None
