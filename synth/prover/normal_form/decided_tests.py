"""A test of a number that was chosen between constants is a test of what chose it.

``bit = 1 if v == x else 0`` and then ``if bit == 1: … elif bit == 0: … else: …`` is ``if v == x: … else: …``:
there is no third way, though it is written down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from synth.trusted.normal_form.decision_trees import Intractable, Leaf, fork, given
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, names, with_blocks
from synth.trusted.program.substitution import replaced

Values = Mapping[str, ir.Expression]

_YES, _NO = Leaf(builders.TRUE), Leaf(builders.FALSE)


def without_decided_tests(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism without the sides of branches that such a number rules out."""
    return replace(mechanism, body=_body(mechanism.body, {}, builders.TRUE))


def _body(body: Body, values: Values, path: ir.Expression) -> Body:
    """A body where variables have these values, and a condition holds."""
    result: list[ir.Statement] = []
    for item in body:
        gone = assigned((item,))
        if names(path) & gone:
            path = builders.TRUE
        inside = {name: value for name, value in values.items() if not ({name} | names(value)) & gone}
        match item:
            case ir.If():
                result += _branch(item, values, path)
            case ir.Block() | ir.Loop():
                result.append(with_blocks(item, partial(_body, values=inside, path=path)))
            case _:
                result.append(item)
        values = inside
        if isinstance(item, ir.Assign) and item.target not in names(item.value):
            value = replaced(item.value, values)
            if _is_chosen(value):
                values = {**values, item.target: value}
    return tuple(result)


def _branch(branch: ir.If, values: Values, path: ir.Expression) -> Body:
    """The branch, or the side of it that is taken."""
    condition = replaced(branch.condition, values)
    if condition == branch.condition:
        then = _body(branch.then, values, path)
        return (replace(branch, then=then, otherwise=_body(branch.otherwise, values, path)),)
    try:
        found = given(path, fork(condition, _YES, _NO))
    except Intractable:
        return (branch,)
    if isinstance(found, Leaf):
        return _body(branch.then if found == _YES else branch.otherwise, values, path)
    sides = (
        _body(side, values, builders.both(path, test))
        for side, test in ((branch.then, condition), (branch.otherwise, builders.negate(condition)))
    )
    return (replace(branch, then=next(sides), otherwise=next(sides)),)


def _is_chosen(value: ir.Expression) -> bool:
    """Whether a value is chosen between constants."""
    match value:
        case ir.Operation(ir.Operator.IF, (_, then, otherwise)):
            return all(isinstance(side, ir.Constant) or _is_chosen(side) for side in (then, otherwise))
        case _:
            return False
