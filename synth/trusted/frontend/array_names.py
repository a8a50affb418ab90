"""Names of arrays: a name stands for the array that was assigned last, where the text shows which that is.

It does if all assignments to the name are statements of one block, and no other block of the function uses
it, save inside of that one.  Then control comes from one of them to the next, and each use is reached by the
assignment that was read last before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arrays
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import GUMBEL, ArrayValue

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_REPEATED = (*_SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MEASURES = ("size", "shape", "ndim")
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


def bind(context: Context, target: ast.Name, array: ArrayValue) -> None:
    """Let a name stand for an array.  Raises ProgramError."""
    scope, name = context.scope, target.id
    function = scope.function
    assert function is not None
    if not is_straight(function, name):
        message = f"the array '{name}' is assigned in several blocks: use one name for each"
        raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
    _check_alias(context, target, array)
    if not _is_delayed(context, function, name, array):
        array = arrays.kept(context, _with_entries(context, array, target), target)
    scope.renamed.pop(name, None)
    scope.bindings[name] = replace(array, owner=array.owner or scope.prefix + name)


def bind_parameter(context: Context, node: ast.expr, scope: Scope, name: str, array: ArrayValue) -> None:
    """Let a parameter of a function that is inlined stand for an array.  Raises ProgramError."""
    function = scope.function
    assert function is not None
    if array.owner and is_changed_in_place(function, name):
        message = f"'{function.name}' changes the array that it is given: use copy()"
        raise context.error(node, Refusal.ALIASING, message)
    if not _is_delayed(context, function, name, array) and not _is_gumbel_argmax(function, array):
        array = arrays.kept(context, _with_entries(context, array, node), node)
    scope.bindings[name] = replace(array, owner=array.owner or scope.prefix + name)


def _is_delayed(context: Context, function: Function, name: str, array: ArrayValue) -> bool:
    """Whether noise is drawn where the name is used, around the same centres."""
    drawn = array.noise is not None and array.mask is None
    return drawn and arrays.is_stable(context, array) and _is_used_once(function, name)


def _is_gumbel_argmax(function: Function, array: ArrayValue) -> bool:
    """Whether it is the stub's argmax of Gumbel noise, which chooses one entry and draws none."""
    stub = function.module.stub
    gumbel = array.noise is not None and array.noise.distribution == GUMBEL
    return gumbel and stub is not None and (stub.module, function.name) == ("numpy", "argmax")


def _with_entries(context: Context, array: ArrayValue, node: ast.expr) -> ArrayValue:
    if array.noise is None and array.mask is None:
        return array
    return arrays.filled(context, array, node)


def _check_alias(context: Context, target: ast.Name, array: ArrayValue) -> None:
    """Refuse a second name for an array that is changed in place under one of them."""
    function = context.scope.function
    assert function is not None
    if not array.owner or array.owner == context.scope.prefix + target.id:
        return
    own = array.owner.removeprefix(context.scope.prefix)
    for name in (target.id, own):
        if is_changed_in_place(function, name):
            shown = own.rpartition(".")[2]
            message = f"'{target.id}' and '{shown}' are one array: use '{shown}.copy()'"
            raise context.error(target, Refusal.ALIASING, message)


def is_changed_in_place(function: Function, name: str) -> bool:
    """Whether the function changes what an array has that a name stands for."""
    for part in ast.walk(function.node):
        match part:
            case ast.AugAssign(target=ast.Name(id=other)) if other == name:
                return True
            case ast.Subscript(value=ast.Name(id=other), ctx=ast.Store() | ast.Del()) if other == name:
                return True
    return False


# --- which assignment reaches a use -----------------------------------------------------


def is_straight(function: Function, name: str) -> bool:
    """Whether each use of a name is reached by the assignment that stands last before it."""
    stores = [part for part in ast.walk(function.node) if _stores(part, name)]
    blocks = [block for block in _blocks(function.node) if any(_assigns(item, name) for item in block)]
    own = sum(_assigned(item, name) for block in blocks for item in block)
    if len(blocks) != 1 or own != len(stores):
        return False
    (block,) = blocks
    if block is function.node.body:
        return True
    if any(argument.arg == name for argument in function.parameters):
        return False
    inside = sum(_loads(part, name) for item in block for part in ast.walk(item))
    return inside == sum(_loads(part, name) for part in ast.walk(function.node))


def _is_used_once(function: Function, name: str) -> bool:
    """Whether a name is assigned once and its entries used once, by a statement of the same block."""
    stores = [part for part in ast.walk(function.node) if _stores(part, name)]
    if len(list(_uses(function, function.node, name))) != 1:
        return False
    if any(argument.arg == name for argument in function.parameters):
        return not stores and _is_used_simply(function, function.node.body, name)
    if len(stores) != 1:
        return False
    blocks = [block for block in _blocks(function.node) if any(_assigns(item, name) for item in block)]
    return len(blocks) == 1 and _is_used_simply(function, blocks[0], name)


def _is_used_simply(function: Function, block: list[ast.stmt], name: str) -> bool:
    for item in block:
        if any(_uses(function, item, name)):
            whole = item.iter if isinstance(item, ast.For) else item
            simple = isinstance(item, (*_SIMPLE, ast.For))
            return simple and any(_uses(function, whole, name)) and not _is_repeated(item, name)
    return False


def _uses(function: Function, node: ast.AST, name: str) -> Iterator[ast.AST]:
    """The places that use the entries of an array, and not its length only."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]) if "len" not in function.module.functions:
            return
        case ast.Attribute(attr=attribute, value=ast.Name()) if attribute in _MEASURES:
            return
    if _loads(node, name):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _uses(function, child, name)


def _is_repeated(statement: ast.stmt, name: str) -> bool:
    repeated = (part for part in ast.walk(statement) if isinstance(part, _REPEATED))
    return any(_loads(inner, name) for part in repeated for inner in ast.walk(part))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """All lists of statements below a node."""
    for part in ast.walk(node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(part, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


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
