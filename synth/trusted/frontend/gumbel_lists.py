"""``[e + gumbel(loc, scale) for x in xs]``, of which only the place of the largest is asked for.

It is the list of the numbers e, and Gumbel noise around it: as many draws, with the same parameters.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synth.trusted.frontend import arrays, entrywise
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.scoping import own_names
from synth.trusted.frontend.values import ArrayValue, ScalarValue, SourceValue, Value
from synth.trusted.program import syntax as ir

_LAW, _ARGMAX = "numpy.random.gumbel", "numpy.argmax"
_SIZE = "size%"
"""The name under which the call that draws finds the number of draws."""

_PLAIN = (ast.Name, ast.Constant, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)


def applies(context: Context, node: ast.expr) -> bool:
    """Whether an expression is such a list, and nothing but the place of its largest entry is asked for."""
    return (
        isinstance(node, ast.ListComp)
        and _parts(context, node) is not None
        and _is_only_ranked(context, node)
    )


def value(context: Context, node: ast.ListComp) -> ArrayValue | None:
    """The array that stands for such a list; None for another one."""
    parts = _parts(context, node)
    if parts is None or not _is_only_ranked(context, node):
        return None
    made = context.module.applied
    if node not in made:
        made[node] = _sized(parts[1])
    centers = arrays.from_value(context, context.expression(context, _plain(context, node, parts[0])), node)
    assert centers is not None
    centers = arrays.kept(context, centers, node)
    outer = context.scope
    context.scope = replace(outer, bindings={**outer.bindings, _SIZE: ScalarValue(centers.length)})
    try:
        noise: Value = context.expression(context, made[node])
    finally:
        context.scope = outer
    return entrywise.binary(context, node, ast.Add(), centers, noise)


def _parts(context: Context, node: ast.ListComp) -> tuple[ast.expr, ast.Call] | None:
    """What is added to a draw in each entry, and the call that draws; its arguments are the same for all."""
    match node.elt:
        case ast.BinOp(left=center, op=ast.Add(), right=ast.Call() as call) if _draws(context, node, call):
            return center, call
        case ast.BinOp(left=ast.Call() as call, op=ast.Add(), right=center) if _draws(context, node, call):
            return center, call
        case _:
            return None


def _draws(context: Context, node: ast.ListComp, call: ast.Call) -> bool:
    given = [*call.args, *(word.value for word in call.keywords)]
    own = {name.id for generator in node.generators for name in own_names(generator)}
    for part in (part for item in given for part in ast.walk(item)):
        if not isinstance(part, _PLAIN) or (isinstance(part, ast.Name) and part.id in own):
            return False
    if (
        len(call.args) > 2
        or not all(_is_quiet(context, item) for item in given)
        or any(word.arg not in ("loc", "scale") for word in call.keywords)
    ):
        return False
    known = None if is_local(context, call.func) else context.module.known(call.func)
    if known is not None:
        return known.name == _LAW
    match call.func:
        case ast.Attribute(value=owner, attr="gumbel") if all(isinstance(p, _PLAIN) for p in ast.walk(owner)):
            source = context.expression(context, owner)
            return isinstance(source, SourceValue) and f"{source.methods}.gumbel" == _LAW
        case _:
            return False


def _is_quiet(context: Context, node: ast.expr) -> bool:
    """Whether nothing is drawn or changed where an expression is evaluated."""
    with context.nested() as emitted:
        context.expression(context, node)
    return all(isinstance(item, ir.Assign | ir.Obligation) for item in emitted)


def _sized(call: ast.Call) -> ast.Call:
    size = ast.copy_location(ast.Name(_SIZE, ast.Load()), call)
    word = ast.copy_location(ast.keyword("size", size), call)
    return ast.copy_location(ast.Call(call.func, call.args, [*call.keywords, word]), call)


def _plain(context: Context, node: ast.ListComp, center: ast.expr) -> ast.ListComp:
    """The list of the centres: the same node in each pass."""
    made = context.module.centers
    if node not in made:
        made[node] = ast.copy_location(ast.ListComp(center, node.generators), node)
    return made[node]


def _is_only_ranked(context: Context, node: ast.ListComp) -> bool:
    """Whether the list is only given to ``argmax`` of numpy, perhaps under a name that has no other use."""
    function = context.scope.function
    if function is None:
        return False
    ranked = [
        part.args[0]
        for part in ast.walk(function.node)
        if isinstance(part, ast.Call)
        and len(part.args) == 1
        and not part.keywords
        and _is_argmax(context, part)
    ]
    if any(item is node for item in ranked):
        return True
    for part in ast.walk(function.node):
        match part:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=given) if given is node:
                names = [item for item in ast.walk(function.node) if isinstance(item, ast.Name)]
                uses = [item for item in names if item.id == name and item is not target]
                return len(uses) == 1 and any(item is uses[0] for item in ranked)
    return False


def _is_argmax(context: Context, call: ast.Call) -> bool:
    known = None if is_local(context, call.func) else context.module.known(call.func)
    return known is not None and known.name == _ARGMAX
