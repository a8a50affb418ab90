"""Names of arrays: a name stands for the array that was assigned last, where the text shows which that is.

Where it doesn't, the name is a variable that has the entries in a list of its own, and each assignment
copies them.  That an array may have several names makes no difference then, as long as nothing changes it:
what is changed in place has one name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_changes, arrays, blocks, flattening, store
from synth.trusted.frontend.context import COPY, Context, Scope, owner_of
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.shapes import ArrayShape, MatrixShape, MismatchError
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import GUMBEL, INDEX, ArrayValue
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_REPEATED = (*_SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NUMBERING = ("zip", "reversed")
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


def bind(context: Context, target: ast.Name, array: ArrayValue) -> None:
    """Let a name stand for an array.  Raises ProgramError."""
    scope, name = context.scope, target.id
    function = scope.function
    assert function is not None
    check_alias(context, target, array)
    if not array_changes.is_straight(function, name, decided=scope.decided):
        if isinstance(scope.bindings.get(name), ArrayValue):  # of a side that was taken elsewhere
            message = f"the array '{name}' is assigned on a side of a branch that is not always taken alike"
            raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
        store.check_not_iterating(context, scope.prefix + name, target, "changed")
        variable = store.variable_name(context, target)
        store.check_free(context, target, array)
        keep(context, variable, array, target)
        return
    if not _is_delayed(context, function, name, array):
        array = _held(context, function, name, array, target)
    scope.renamed.pop(name, None)
    scope.bindings[name] = replace(array, owner=array.owner or scope.prefix + name)


def bind_parameter(context: Context, node: ast.expr, scope: Scope, name: str, array: ArrayValue) -> None:
    """Let a parameter of a function that is inlined stand for an array.  Raises ProgramError."""
    function = scope.function
    assert function is not None
    if array.owner and array_changes.is_changed_in_place(function, name):
        message = f"'{function.name}' changes the array that it is given: use copy()"
        raise context.error(node, Refusal.ALIASING, message)
    if _is_variable(function, name):
        scope.renamed[name] = scope.prefix + name
        keep(context, scope.prefix + name, array, node)
        return
    if not _is_delayed(context, function, name, array) and not _is_gumbel_argmax(function, array):
        array = _held(context, function, name, array, node)
    scope.bindings[name] = replace(array, owner=array.owner or scope.prefix + name)


def copy_parameters(context: Context, function: Function) -> None:
    """Let the parameters of a mechanism that are changed in several blocks be variables."""
    scope, span = context.scope, context.source.span(function.node)
    for name, value in list(scope.bindings.items()):
        if isinstance(value, ArrayValue) and _is_variable(function, name):
            del scope.bindings[name]
            scope.renamed[name] = f"{name}{COPY}"
            keep(context, f"{name}{COPY}", value, span)


def _is_variable(function: Function, name: str) -> bool:
    return array_changes.is_changed(function, name) and not array_changes.is_straight(function, name)


def keep(
    context: Context,
    name: str,
    array: ArrayValue,
    node: Located | ir.Span,
    size: tuple[ir.Expression, ir.Expression] | None = None,
) -> None:
    """Let a variable have the entries of an array; with a size it has two dimensions.

    Raises ProgramError, and UnresolvedError.
    """
    message = "entries of several types, or an array and something else, under one name: use astype"
    sort = array.entry.sort
    many = arrays.few(array) if array.mask is None else None
    try:
        fixed = array.length if array.mask is None and context.is_fixed(array.length) else None
        own = ArrayShape(sort, many, fixed) if size is None else MatrixShape(sort, many, fixed, *size)
        shape = context.inference.add_shape(name, own)
    except MismatchError:
        raise context.error(node, Refusal.MIXED_TYPES, message) from None
    if not isinstance(shape, ArrayShape) or shape.sort is not sort:
        raise UnresolvedError(context.error(node, Refusal.MIXED_TYPES, message))
    if shape.many is not None:
        entries = [arrays.at(context, array, builders.integer(place)) for place in range(shape.many)]
        variables = (variable for variable, _ in flattening.components(name, shape))
        store.move(context, list(zip(variables, entries, strict=True)), node)
        return
    if name in set(_lists(array)):
        hidden = arrays.as_list(context, array, node)
        array = replace(array, length=ir.Length(hidden.name), entry=ir.Element(hidden.name, INDEX, 0, sort))
        array = replace(array, mask=None, noise=None)
    arrays.fill(context, name, array, node)


def _lists(array: ArrayValue) -> Iterator[str]:
    """The lists that an array reads."""
    for expression in flattening.parts(array):
        for part in ir.subexpressions(expression):
            match part:
                case ir.Element(source=name) | ir.Length(sequence=name):
                    yield name


def give_back(context: Context, name: str, array: ArrayValue, node: Located) -> None:
    """Let the result of a call be an array, which the function has made.  Raises ProgramError."""
    if array.owner and not array.owner.startswith(context.scope.prefix):
        message = "one of several statements returns an array that has a name elsewhere: use copy()"
        raise context.error(node, Refusal.ALIASING, message)
    keep(context, name, array, node)


def named(context: Context, name: str) -> ArrayValue | None:
    """The array that a name stands for now; None if it is none, as far as is known."""
    scope = context.scope
    bound = scope.bindings.get(name)
    if bound is not None:
        return bound if isinstance(bound, ArrayValue) else None
    local = scope.local(name)
    shape = None if local is None else context.inference.shape(local)
    if local is None or not isinstance(shape, ArrayShape):
        return None
    found = flattening.variable(local, shape)
    return replace(found, owner=owner_of(local)) if isinstance(found, ArrayValue) else None


def _is_delayed(context: Context, function: Function, name: str, array: ArrayValue) -> bool:
    """Whether noise is drawn where the name is used, around the same centres."""
    drawn = array.noise is not None and array.mask is None
    return drawn and arrays.is_stable(context, array) and _is_used_once(function, name)


def _is_gumbel_argmax(function: Function, array: ArrayValue) -> bool:
    """Whether it is the stub's argmax of Gumbel noise, which chooses one entry and draws none."""
    stub = function.module.stub
    gumbel = array.noise is not None and array.noise.distribution == GUMBEL
    return gumbel and stub is not None and (stub.module, function.name) == ("numpy", "argmax")


def _held(context: Context, function: Function, name: str, array: ArrayValue, node: Located) -> ArrayValue:
    """The array as a name stands for it: with a mask only where no position is asked for."""
    if array.noise is not None or _is_indexed(function, name):
        return settled(context, array, node)
    return arrays.kept(context, array, node)


def _is_indexed(function: Function, name: str) -> bool:
    """Whether the entries of a name are numbered somewhere, by an index or beside those of another name."""
    return any(
        isinstance(item, ast.Name) and item.id == name
        for part in ast.walk(function.node)
        for item in (
            [part.value]
            if isinstance(part, ast.Subscript)
            else part.args
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _NUMBERING
            else []
        )
    )


def settled(context: Context, array: ArrayValue, node: Located) -> ArrayValue:
    """The array in a form that stays true when variables change; noise is drawn."""
    if array.noise is not None or array.mask is not None:
        array = replace(arrays.filled(context, array, node), owner=array.owner)
    return arrays.kept(context, array, node)


def check_alias(context: Context, target: ast.Name, array: ArrayValue) -> None:
    """Refuse a second name for an array that is changed in place under one of them, or of a generator."""
    function = context.scope.function
    assert function is not None
    if not array.owner or array.owner == context.scope.prefix + target.id:
        return
    own = array.owner.removeprefix(context.scope.prefix)
    for name in (target.id, own):
        if context.scope.yielded is not None or array_changes.is_changed_in_place(function, name):
            shown = own.rpartition(".")[2]
            message = f"'{target.id}' and '{shown}' are one array: use '{shown}.copy()'"
            raise context.error(target, Refusal.ALIASING, message)


# --- noise that is drawn where it is used -----------------------------------------------


def _is_used_once(function: Function, name: str) -> bool:
    """Whether a name is assigned once and its entries used once, by a statement of the same block."""
    stores = [part for part in ast.walk(function.node) if _stores(part, name)]
    if len(list(array_changes.uses(function, function.node, name))) != 1:
        return False
    if any(argument.arg == name for argument in function.parameters):
        return not stores and _is_used_simply(function, function.node.body, name)
    if len(stores) != 1:
        return False
    found = [block for block in blocks.below(function.node) if any(_assigns(item, name) for item in block)]
    return len(found) == 1 and _is_used_simply(function, found[0], name)


def _is_used_simply(function: Function, block: list[ast.stmt], name: str) -> bool:
    for item in block:
        if any(array_changes.uses(function, item, name)):
            whole = item.iter if isinstance(item, ast.For) else item
            simple = isinstance(item, (*_SIMPLE, ast.For))
            return simple and any(array_changes.uses(function, whole, name)) and not _is_repeated(item, name)
    return False


def _is_repeated(statement: ast.stmt, name: str) -> bool:
    repeated = (part for part in ast.walk(statement) if isinstance(part, _REPEATED))
    again = (inner for part in repeated for inner in _evaluated_again(part))
    return any(_loads(part, name) for inner in again for part in ast.walk(inner))


def _evaluated_again(node: ast.AST) -> Iterator[ast.AST]:
    """What may be evaluated more than once: of a list comprehension all but what it runs over first."""
    match node:
        case ast.ListComp(elt=entry, generators=[first, *others]):
            yield from (entry, first.target, *first.ifs, *others)
        case _:
            yield node


def _assigns(statement: ast.stmt, name: str) -> bool:
    return _assigned(statement, name) > 0


def _assigned(statement: ast.stmt, name: str) -> int:
    """How often an assignment names a name among its targets."""
    match statement:
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            targets = [target]
        case _:
            return 0
    return sum(_stores(part, name) for target in targets for part in ast.walk(target))


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def _loads(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
