"""Constants of a module that are no numbers: strings, tuples and lists that are written out.

A tuple or string is the same wherever it is used.  A list is, if nothing in the file may change it or give it
another name: each mention of it is one that only reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import flattening
from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.evaluated import is_special
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.other_files import imported
from synth.trusted.frontend.scoping import bound_within
from synth.trusted.frontend.values import (
    LabelValue,
    ListLiteral,
    NoneValue,
    ScalarValue,
    SetValue,
    TupleValue,
    Value,
)
from synth.trusted.frontend.vocabulary import Role
from synth.trusted.program import syntax as ir

MOST = 1000
"""The most entries."""

_READERS = frozenset(
    (
        *("len", "sum", "max", "min", "any", "all", "sorted", "list"),
        *("tuple", "set", "enumerate", "zip", "reversed", "Counter", "dict"),
        *("str", "repr", "isinstance"),
    )
)
_DRAWING = ("json", "matplotlib", "pandas", "seaborn")
"""Libraries that aren't read, whose functions leave a list that they are given as it is."""

_COPYING = ("dumps", "DataFrame", "Series")
"""What they have that gives back something else than the list."""

_ASKING_BY_NAME = frozenset(
    (
        *("getattr", "setattr", "delattr", "vars", "eval", "exec", "globals", "locals", "__import__"),
        *("attrgetter", "methodcaller", "getmembers", "getattr_static", "__dict__", "__getattribute__"),
        *("getmembers_static", "classify_class_attrs", "get_field", "vformat", "__match_args__"),
    )
)
"""What may ask for a member by a text."""

_METHODS = frozenset(("index", "count", "copy", "get", "keys", "values", "items"))
_CHANGING = frozenset(("shuffle",))
_OF_ONE_OBJECT = frozenset(
    f"__{name}__"
    for name in ("init", "post_init", "repr", "str", "call", "len", "iter", "next", "bool", "hash", "enter")
)
"""Special methods that are given nothing but the object, or what a call gives them."""


_MAKING = (ast.Call, ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp)


def is_literal(value: Value) -> bool:
    """Whether a module may have a value as a constant that is no number."""
    match value:
        case LabelValue() | NoneValue():
            return True
        case SetValue():
            return True
        case TupleValue(items) | ListLiteral(items):
            return len(items) <= MOST and all(
                isinstance(item, ScalarValue) or is_literal(item) for item in items
            )
        case _:
            return False


def read(context: Context, node: ast.Name) -> Value:
    """The value of such a constant.  Raises ProgramError."""
    name = node.id
    module = context.module
    if name in module.changeable:
        place = module.changeable[name]
        message = f"the list '{name}' of the module may be changed here: make it a tuple, or use list({name})"
        raise context.error(place, Refusal.ALIASING, message)
    scope = context.scope
    context.scope = Scope(None, path=(*scope.path, node))
    try:
        return context.expression(context, module.literals[name])
    finally:
        context.scope = scope


def note_changeable(module: Module, tree: ast.Module) -> None:
    """Note which lists and dicts of the module may be changed somewhere in the file."""
    module.inner.update(bound_within(tree))
    above = {id(child): node for node in nodes(tree) for child in ast.iter_child_nodes(node)}
    for node in nodes(tree):
        if (
            isinstance(node, ast.Name)
            and node.id in module.constant_nodes
            and node.id not in module.changeable
        ):
            made = module.constant_nodes[node.id]
            reads = _only_reads_entries if _has_mutable_entries(module, made) else only_reads
            if _is_mutable(made) and not reads(module, node, above):
                module.changeable[node.id] = node


def note_changeable_members(module: Module, tree: ast.Module) -> None:
    """Note which lists of classes may be changed, or get another name, somewhere in the file."""
    classes = [node for node in nodes(tree) if isinstance(node, ast.ClassDef)]
    lists = {name for node in classes for item in node.body for name in _list_made(item)}
    if not lists:
        return
    above = {id(child): node for node in nodes(tree) for child in ast.iter_child_nodes(node)}
    for node in nodes(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _ASKING_BY_NAME:
                module.changeable_members.update(dict.fromkeys(lists, node))
            case ast.MatchClass(cls=kind, kwd_attrs=[_, *_]):
                module.changeable_members.update(dict.fromkeys(lists, kind))
            case ast.Name(id=name, ctx=ast.Load()) if name in lists:
                module.changeable_members[name] = node
            case ast.Attribute(attr=name) if name in lists and not only_reads(module, node, above):
                module.changeable_members[name] = node


def _list_made(statement: ast.stmt) -> Iterator[str]:
    """The name of a list that a class makes, of numbers, strings and tuples of these."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List() as made)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.List() as made)
        ) if is_list_of_constants(made):
            yield name


def is_list_of_constants(node: ast.expr) -> bool:
    """Whether it is a list of numbers, strings and tuples of these, written out."""
    return isinstance(node, ast.List) and not any(_is_mutable(item) for item in node.elts)


def note_mentioned(module: Module, trees: Iterable[ast.Module]) -> None:
    """Note which lists and dicts of the module other files may change: those that they mention."""
    names = set()
    for tree in trees:
        for node in nodes(tree):
            match node:
                case ast.Attribute(attr=name):
                    names.add(name)
                case ast.ImportFrom(names=aliases):
                    names.update(alias.name for alias in aliases)
    for name, made in module.constant_nodes.items():
        if name in names and _is_mutable(made):
            module.changeable.setdefault(name, made)


def _is_mutable(node: ast.expr) -> bool:
    return any(not isinstance(part, ast.Constant | ast.Tuple | ast.expr_context) for part in ast.walk(node))


def _has_mutable_entries(module: Module, node: ast.expr) -> bool:
    """Whether an entry of what is written out may be changed itself, as that of ``{"a": []}``."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return any(_may_be_mutable(module, item) for item in items)
        case ast.BinOp(left=left, right=right):
            return _has_mutable_entries(module, left) or _has_mutable_entries(module, right)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "set" | "frozenset"), args=[made]):
            return _has_mutable_entries(module, made)
        case _:
            return any(_may_be_mutable(module, part) for part in ast.iter_child_nodes(node))


def _may_be_mutable(module: Module, node: ast.AST) -> bool:
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) if name in module.constant_nodes:
                if _is_mutable(module.constant_nodes[name]):
                    return True
            case _ if isinstance(part, _MAKING):
                return True
    return False


def _only_reads_entries(module: Module, node: ast.expr, above: dict[int, ast.AST]) -> bool:
    """Whether a mention of what has mutable entries gives none of them a name, nor changes one."""
    parent = above[id(node)]
    match parent:
        case ast.Assign() | ast.AnnAssign():
            return isinstance(node, ast.Name) and only_reads(module, node, above)
        case ast.Compare():
            return True
        case ast.Subscript(value=value, ctx=ast.Load()) if value is node:
            return only_reads(module, parent, above)
        case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
            keys = isinstance(node, ast.Name) and isinstance(module.constant_nodes.get(node.id), ast.Dict)
            return keys and iterable is node
        case ast.Call(func=ast.Name(id="len") as func, args=args):
            return node in args and _is_reader(module, func)
        case _:
            return False


def only_reads(
    module: Module,
    node: ast.expr,
    above: dict[int, ast.AST],
    seen: frozenset[tuple[str, str]] = frozenset(),
) -> bool:
    """Whether a mention of a list only reads it; arguments of functions that are ``seen`` are looked at."""
    parent = above[id(node)]
    match parent:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return target is node and isinstance(above[id(parent)], ast.Module)
        case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
            return iterable is node
        case ast.Compare() | ast.BinOp():
            return not _has_operators(module)
        case ast.Subscript(value=value, ctx=ctx):
            return isinstance(ctx, ast.Load) if value is node else not _has_operators(module)
        case ast.Attribute(attr=attr):
            call = above[id(parent)]
            return attr in _METHODS and isinstance(call, ast.Call) and call.func is parent
        case ast.FormattedValue() | ast.Starred(ctx=ast.Load()):
            return True
        case ast.Call(func=ast.Name(id=name), args=args) if node in args and name in module.functions:
            places = [item.arg for item in module.functions[name].node.args.args]
            place = args.index(node)
            return place < len(places) and _is_read_by(module, parent, places[place], seen)
        case ast.keyword(arg=str(given)):
            call = above[id(parent)]
            if not isinstance(call, ast.Call):
                return False
            return _is_read_by(module, call, given, seen) or _is_drawing(module, call, above)
        case ast.Call(func=func, args=args):
            alone = len(args) == 1 or not _has_operators(module)
            if node not in args:
                return False
            reads = alone and not _may_give(func, args, node) and _is_reader(module, func)
            return reads or _is_drawing(module, parent, above)
        case _:
            return False


def _may_give(function: ast.expr, given: list[ast.expr], node: ast.expr) -> bool:
    """Whether a call may give back the list: the larger one, where a sum begins, what all keys have."""
    match function:
        case ast.Name(id="max" | "min"):
            return len(given) > 1
        case ast.Name(id="sum") | ast.Attribute(attr="fromkeys"):
            return given[0] is not node
        case _:
            return False


def _has_operators(module: Module) -> bool:
    """Whether a class of the user has methods that operators call, with what they are between."""
    names = {name for each in module.of_user for name in each.class_names[1]}
    return any(is_special(name) and name not in _OF_ONE_OBJECT for name in names)


def _is_own(module: Module, name: str) -> bool:
    """Whether a name is that of a function of the program file, and no code may put another in its place."""
    changed = (module.inner, module.blocked, module.attributes)
    program = module.others is None or module.place == module.others.main
    return program and name in module.functions and not any(name in names for names in changed)


def _is_read_by(module: Module, call: ast.Call, argument: str, seen: frozenset[tuple[str, str]]) -> bool:
    """Whether a function of the file, to which a list is given as this argument, only reads it."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if not _is_own(module, name) or any(isinstance(item, ast.Starred) for item in call.args):
        return False
    if (name, argument) in seen:
        return True
    made = module.functions[name].node
    parameters = [item.arg for item in (*made.args.args, *made.args.kwonlyargs)]
    if made.decorator_list or made.args.posonlyargs or argument not in parameters:
        return False
    return _reads_argument(module, made, argument, seen | {(name, argument)})


def is_argument(function: Function, name: str, value: Value) -> bool:
    """Whether an argument is a list of labels that is written out, and that the function only reads."""
    labels = isinstance(value, ListLiteral) and all(isinstance(item, LabelValue) for item in value.items)
    if not labels or not all(isinstance(part, ir.Constant) for part in flattening.expressions(value)):
        return False
    return _reads_argument(function.module, function.node, name)


def _reads_argument(
    module: Module,
    node: ast.FunctionDef,
    argument: str,
    seen: frozenset[tuple[str, str]] = frozenset(),
) -> bool:
    """Whether a function only reads a list that it is given."""
    above = {id(child): part for part in ast.walk(node) for child in ast.iter_child_nodes(part)}
    return all(
        isinstance(part.ctx, ast.Load) and only_reads(module, part, above, seen)
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and part.id == argument
    )


def _is_drawing(module: Module, call: ast.Call, above: dict[int, ast.AST]) -> bool:
    """Whether a call is of a library that draws or writes down what it is given, and gives it not back."""
    owner = call.func
    copies = isinstance(owner, ast.Attribute) and owner.attr in _COPYING
    if not copies and not isinstance(above[id(call)], ast.Expr):
        return False
    while isinstance(owner, ast.Attribute):
        if owner.attr in module.attributes:
            return False
        owner = owner.value
    if (
        not isinstance(owner, ast.Name)
        or owner is call.func
        or any(word.arg in ("cls", None) for word in call.keywords)
    ):
        return False
    if owner.id in module.inner:
        return False
    top: ast.AST = call
    while id(top) in above:
        top = above[id(top)]
    found = [
        item
        for item in nodes(top)
        if isinstance(item, ast.Import | ast.ImportFrom) and _binds(item, owner.id)
    ]
    parts = (item for item in nodes(top) if not isinstance(item, ast.alias))
    if any(name == owner.id for item in parts for name in names_bound(item)):
        return False
    return bool(found) and not any(_is_other(module, item) for item in found)


def _binds(node: ast.Import | ast.ImportFrom, name: str) -> bool:
    return any(
        name == (item.asname or item.name.partition(".")[0]) or item.name == "*" for item in node.names
    )


def _is_other(module: Module, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import may be of something else than one of these libraries."""
    origins = [item.name for item in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if any(item.partition(".")[0] not in _DRAWING for item in origins) or (
        isinstance(node, ast.ImportFrom) and node.level > 0
    ):
        return True
    try:
        return module.others is not None and any(
            True for _ in imported(module.others.files, module.place, node)
        )
    except LookupError:
        return True


def _is_method_of_python(module: Module, node: ast.expr) -> bool:
    """Whether it is ``", ".join`` or ``dict.fromkeys``."""
    match node:
        case ast.Attribute(value=ast.Constant(value=str()), attr="join"):
            return True
        case ast.Attribute(value=ast.Name(id="dict") as owner, attr="fromkeys"):
            return _is_reader(module, owner)
        case _:
            return False


def _is_reader(module: Module, node: ast.expr) -> bool:
    """Whether a function of Python or of a library only reads its arguments."""
    if _is_method_of_python(module, node):
        return True
    owner = node
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    if not isinstance(owner, ast.Name) or owner.id in module.inner:
        return False
    known = module.known(node)
    if known is None:
        unbound = isinstance(node, ast.Name) and not any(node.id == name for name in _bound(module))
        return unbound and isinstance(node, ast.Name) and node.id in _READERS
    if known.role in (Role.FUNCTION, Role.CLASS_TOOL):
        return known.name in _READERS
    if known.role is Role.SHOWING:
        return known.name == "print"  # handlers of logging and of warnings are given the list itself
    changes = known.name.rpartition(".")[2] in _CHANGING
    return known.role is Role.STUB and not changes and module.library.only_reads(known.name)


def _bound(module: Module) -> Iterator[str]:
    yield from (*module.functions, *module.constant_nodes, *module.classes, *module.blocked)
