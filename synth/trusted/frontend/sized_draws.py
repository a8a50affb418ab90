"""Draws of arrays: ``size=n``, and one draw for each entry of an array that a sampler is given.

A stub has the sampler of one number.  Noise is an array of draws that are still to be made; for other laws
the stub's loop makes a list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arrays, draws, matrices, vectors
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import (
    INDEX,
    ArrayValue,
    LabelValue,
    ListValue,
    MatrixValue,
    Noise,
    NoneValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.frontend.vocabulary import NOISES
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import replaced

Given = dict[str, Value]
_TRUE = ScalarValue(builders.TRUE)
Inline = Callable[[Context, ast.expr, Function, Given], Value]


def call(context: Context, node: ast.expr, function: Function, given: Given, inline: Inline) -> Value:
    """The value of a call of a sampler that takes ``size``; ``inline`` reads the body of a function."""
    two = matrices.size(context, node, given[draws.SIZE])
    if two is not None:
        whole = ScalarValue(matrices.length(*two))
        made = call(context, node, function, {**given, draws.SIZE: whole}, inline)
        assert isinstance(made, ArrayValue)
        return MatrixValue(made, *two)
    if any(isinstance(value, MatrixValue) for value in given.values()):
        message = "a sampler that is given an array of two dimensions is not supported: add the noise"
        raise context.error(node, Refusal.NOISE_AROUND_LIST, message)
    size = _size(context, node, given[draws.SIZE])
    several = {
        name: value
        for name, value in given.items()
        if name in _numbers(function) and (vectors.is_list(value) or isinstance(value, ArrayValue))
    }
    if size is None and not several:
        return inline(context, node, function, given)
    if len(several) > 1:
        names = "' and '".join(several)
        message = f"arrays for '{names}' of '{function.name}' are not supported"
        raise context.error(node, Refusal.NOISE_AROUND_LIST, message)
    if size is not None and given.get("replace", _TRUE) != _TRUE:
        message = "draws without replacement are not supported"
        raise context.error(node, Refusal.NOISE_AROUND_LIST, message)
    if size is not None:
        context.require("domain", builders.less_equal(builders.ZERO, size), "a negative size", node)
        message = "the number of draws depends on private data"
        context.public.append((size, context.source.span(node), Refusal.PRIVATE_LOOP_BOUND, message))
    for name, value in several.items():
        given = {**given, name: _whole(context, node, value)}
    noise = _noise(context, node, function, given, size, inline)
    if noise is not None:
        return noise
    form = function.module.functions[draws.form(function.name, next(iter(several), None), size is not None)]
    sized: Value = NoneValue() if size is None else ScalarValue(size)
    lists: Given = {
        name: arrays.as_list(context, value, node) if isinstance(value, ArrayValue) else value
        for name, value in given.items()
    }
    made = inline(context, node, form, {**lists, draws.SIZE: sized})
    if isinstance(made, ListValue) and isinstance(arrays.entry_value(context, made), LabelValue):
        if _call_of_user(context, node) in context.picked:
            return made  # an entry of the array of labels that numpy makes is what an entry of the list is
    return arrays.from_value(context, made, node) or made


def _call_of_user(context: Context, node: ast.expr) -> ast.expr:
    """The call in the program that a call in a stub belongs to."""
    scope = context.scope
    while scope.function is not None and scope.function.module.stub is not None and scope.caller is not None:
        node, scope = scope.path[-1], scope.caller
    return node


def _numbers(function: Function) -> set[str]:
    """The parameters that are one number each."""
    return {
        argument.arg
        for argument in function.parameters
        if isinstance(argument.annotation, ast.Name) and argument.annotation.id in ("float", "int")
    }


def _size(context: Context, node: ast.expr, value: Value) -> ir.Expression | None:
    match value:
        case NoneValue():
            return None
        case TupleValue((ScalarValue(size),)) | ScalarValue(size) if size.sort is ir.Sort.INT:
            return arrays.number(context, size, node)
        case TupleValue(items):
            message = f"a size of {len(items)} dimensions is not supported"
            raise context.error(node, Refusal.NOISE_AROUND_LIST, message)
        case _:
            raise context.error(node, Refusal.WRONG_TYPE, "a size that is no integer is not supported")


def _whole(context: Context, node: ast.expr, value: Value) -> ArrayValue:
    array = arrays.from_value(context, value, node)
    assert array is not None
    if array.mask is None and array.noise is None:
        return array
    return arrays.filled(context, array, node)


def _noise(
    context: Context,
    node: ast.expr,
    function: Function,
    given: Given,
    size: ir.Expression | None,
    inline: Inline,
) -> ArrayValue | None:
    """An array of noise that is still to be drawn; None if the law is another one."""
    arrays_of = {
        name: value
        for name, value in given.items()
        if isinstance(value, ArrayValue) and name in _numbers(function)
    }
    array = next(iter(arrays_of.values()), None)
    one: Given = {**given, **{name: ScalarValue(value.entry) for name, value in arrays_of.items()}}
    with context.nested() as emitted:
        value = inline(context, node, function, {**one, draws.SIZE: NoneValue()})
    if not emitted or not isinstance(value, ScalarValue):
        return None
    *before, last = emitted
    if not isinstance(last, ir.Draw) or last.distribution not in NOISES:
        return None
    if value.expression != ir.Variable(last.target, last.sort) or last.target not in context.unnamed_draws:
        return None
    known: dict[str, ir.Expression] = {}
    demands: list[ir.Obligation] = []
    for statement in before:
        match statement:
            case ir.Assign(target=target, value=assigned):
                known[target] = replaced(assigned, known)
            case ir.Obligation(condition=condition):
                asked = ir.Obligation(
                    statement.kind, replaced(condition, known), statement.reason, statement.span
                )
                demands.append(asked)
            case _:
                return None
    center, scale = (replaced(item, known) for item in last.arguments)
    for demand in demands:
        if not _of_index([demand.condition]):
            context.emit(demand)
    if array is not None and size is not None:
        same = builders.equal(array.length, size)
        context.require("domain", same, "the size is not the length of the array", node)
    length = size if array is None else array.length
    assert length is not None
    center, scale = (
        item if _of_index([item]) else arrays.number(context, item, node) for item in (center, scale)
    )
    made = ArrayValue(length, center, noise=Noise(last.distribution, scale, last.span))
    arrays.demand(context, made, filter(lambda item: _of_index([item.condition]), demands), node)
    return made


def _of_index(expressions: Iterable[ir.Expression]) -> bool:
    return any(INDEX in ir.subexpressions(item) for item in expressions)
