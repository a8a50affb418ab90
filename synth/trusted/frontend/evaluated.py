"""What Python evaluates, or may change, at the level of a module, and the reader doesn't follow.

Annotations and default values are evaluated where they stand; the block behind ``__name__ == "__main__"`` is
a program of its own, which runs the mechanisms.  None of them may change what a name of the file stands for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.constructs import name_of
from synth.trusted.frontend.source import Source

METADATA = frozenset(
    f"__{name}__"
    for name in (
        *("all", "author", "contact", "copyright", "credits", "date"),
        *("doc", "email", "license", "maintainer", "status", "version"),
    )
)
"""Special names that Python gives no meaning to while a program runs."""

REACHING = frozenset(
    {
        "__builtins__",
        "__import__",
        "compile",
        "delattr",
        "eval",
        "exec",
        "globals",
        "locals",
        "setattr",
        "vars",
    }
)
WRAPPERS = frozenset({"classmethod", "property", "staticmethod", "super", "type"})
"""What Python's own names stand for in the definition of a class."""

_READABLE = frozenset({"__class__", "__doc__", "__init__", "__name__"})
_LITERALS = (ast.Constant, ast.Tuple, ast.List)
_VALUES = (*_LITERALS, ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_special(name: str) -> bool:
    """Whether Python itself may use the name."""
    return name.startswith("__") and name.endswith("__")


def check_annotation(source: Source, node: ast.expr | None) -> None:
    """Refuse an annotation that is more than a type.  Raises ProgramError."""
    if node is not None:
        _check_parts(source, node, _VALUES, "an annotation")
        for part in ast.walk(node):
            if isinstance(part, ast.BinOp) and not isinstance(part.op, ast.BitOr):
                raise source.error(
                    part, Refusal.UNSUPPORTED_CONSTRUCT, "arithmetic in an annotation is not supported"
                )


def check_metadata(source: Source, name: str, node: ast.Assign | ast.AnnAssign, value: ast.expr) -> None:
    """Refuse a special name that means something, or whose value isn't a literal.  Raises ProgramError."""
    if name not in METADATA:
        raise source.error(
            node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, f"an assignment to '{name}' is not supported"
        )
    _check_parts(source, value, _LITERALS, f"the value of '{name}'")


def check_value(source: Source, node: ast.expr) -> None:
    """Refuse the value of a class's attribute that is more than names and literals.  Raises ProgramError."""
    _check_parts(source, node, _VALUES, "a value of a class")


def check_function(
    source: Source, node: ast.FunctionDef, is_source: Callable[[ast.expr], bool], *attributes: Collection[str]
) -> None:
    """Refuse what Python would do where the function is defined, and what would reach beyond it.

    Of what local variables stand for, it may assign ``attributes``: those that objects have.  Raises
    ProgramError.
    """
    check_head(source, node, is_source)
    local = locals_of(node)
    for statement in (node.args, *node.body):
        for part in ast.walk(statement):
            if isinstance(part, ast.AnnAssign | ast.arg):
                check_annotation(source, part.annotation)
            if isinstance(part, ast.Global):
                raise source.error(part, Refusal.UNSUPPORTED_CONSTRUCT, "a global statement is not supported")
            if not _is_of_object(part, local, attributes):
                _check_reach(source, part, local)


def _is_of_object(part: ast.AST, local: Collection[str], attributes: Iterable[Collection[str]]) -> bool:
    """Whether an attribute is assigned that objects have, of what a local variable stands for."""
    match part:
        case ast.Attribute(value=owner, attr=attr, ctx=ast.Store()):
            while isinstance(owner, ast.Attribute):
                owner = owner.value
            known = any(attr in some for some in attributes) and not is_special(attr)
            return known and isinstance(owner, ast.Name) and owner.id in local
        case _:
            return False


def check_type_parameters(source: Source, node: ast.FunctionDef | ast.ClassDef) -> None:
    """Refuse names that a definition has for types, before those of the module.  Raises ProgramError."""
    for parameter in getattr(node, "type_params", ()):
        raise source.error(parameter, Refusal.UNSUPPORTED_CONSTRUCT, "a type parameter is not supported")


def check_head(source: Source, node: ast.FunctionDef, is_source: Callable[[ast.expr], bool]) -> None:
    """Refuse what Python would do where the function is defined, but for defaults that are new sources of
    draws.  Raises ProgramError.
    """
    check_type_parameters(source, node)
    check_annotation(source, node.returns)
    for default in defaults(node):
        if is_source(default):
            continue
        _check_parts(source, default, (*_VALUES, ast.BoolOp, ast.Compare), "a default value")
    for part in ast.walk(node.args):
        if isinstance(part, ast.arg):
            check_annotation(source, part.annotation)


def is_literal(node: ast.expr) -> bool:
    """Whether evaluating it runs no code but Python's own."""
    kinds = (*_LITERALS, ast.Dict, ast.Set, ast.expr_context)
    return all(isinstance(part, kinds) for part in ast.walk(node))


def check_message(source: Source, node: ast.Assert) -> None:
    """Refuse a message that does more than show values: it may be seen to run.  Raises ProgramError."""
    if node.msg is not None:
        _check_parts(
            source, node.msg, (*_VALUES, ast.JoinedStr, ast.FormattedValue), "the message of an assert"
        )


def check_guard(source: Source, node: ast.If, names: Collection[str]) -> None:
    """Refuse another branch, which runs on import, and what binds one of the names.  Raises ProgramError."""
    if node.orelse:
        raise source.error(
            node.orelse[0],
            Refusal.UNSUPPORTED_AT_MODULE_LEVEL,
            "'else' or 'elif' of the '__main__' guard is not supported",
        )
    for statement in node.body:
        for part in ast.walk(statement):
            for name in names_bound(part):
                method = isinstance(part, ast.FunctionDef)
                if name in names or name == "*" or (is_special(name) and not method):
                    place = part if isinstance(part, ast.expr | ast.stmt | ast.alias) else statement
                    raise source.error(
                        place, Refusal.DEFINED_TWICE, f"the '__main__' guard binds '{name}' anew"
                    )
            _check_reach(source, part, frozenset())


def defaults(node: ast.FunctionDef) -> Iterator[ast.expr]:
    """The default values of the parameters."""
    yield from node.args.defaults
    yield from (default for default in node.args.kw_defaults if default is not None)


def _check_parts(source: Source, node: ast.expr, allowed: tuple[type[ast.expr], ...], where: str) -> None:
    for part in ast.walk(node):
        if isinstance(part, ast.expr) and not isinstance(part, allowed):
            raise source.error(
                part, Refusal.UNSUPPORTED_CONSTRUCT, f"{name_of(part)} in {where} is not supported"
            )


def _check_reach(source: Source, part: ast.AST, local: Collection[str]) -> None:
    match part:
        case ast.Name(id=name, ctx=ast.Load()) if name in REACHING and name not in local:
            raise source.error(part, Refusal.UNSUPPORTED_NAME, f"'{name}' is not supported")
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            raise source.error(
                part, Refusal.UNSUPPORTED_CONSTRUCT, "an assignment to an attribute is not supported"
            )
        case ast.Attribute(attr=name) if is_special(name) and name not in _READABLE:
            raise source.error(
                part, Refusal.UNSUPPORTED_CONSTRUCT, f"the attribute '{name}' is not supported"
            )


def locals_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters and variables of a function, without those of functions within it."""
    parameters = (part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg))
    own = list(_own(node.body))
    stores = (part for part in own if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    elsewhere = {name for part in own if isinstance(part, ast.Global | ast.Nonlocal) for name in part.names}
    return frozenset((*parameters, *(store.id for store in stores))) - elsewhere


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        if not isinstance(node, (*_SCOPES, *_LOOPS)):
            yield node
            yield from _own(ast.iter_child_nodes(node))
