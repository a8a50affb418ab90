"""What code that the reader doesn't read could change: names of the module, attributes, or anything at all.

Statements at the level of a module that aren't read may run anything that Python has.  What their syntax can
change is told here, and more rather than less; that the code of others, which they may call, changes nothing
by other means is an assumption, which is listed with the verdict.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.evaluated import REACHING, is_special, locals_of
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.source import Located, Source

_HARMLESS = frozenset(
    f"__{name}__"
    for name in (
        *("abs", "add", "all", "author", "bool", "call", "class", "contains", "copyright", "doc", "enter"),
        *("eq", "exit", "file", "float", "ge", "getitem", "gt", "hash", "init", "int", "iter", "le", "len"),
        *(
            "license",
            "lt",
            "main",
            "module",
            "mul",
            "name",
            "ne",
            "new",
            "next",
            "post_init",
            "qualname",
            "repr",
        ),
        *("slots", "str", "sub", "version"),
    )
)
"""Special attributes from which no names of a module can be reached."""

_FRAMES = frozenset({"f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame", "cr_frame", "ag_frame"})
_REACHING_ATTRIBUTES = frozenset({"reload", "setattr", "delattr", "attrgetter", "methodcaller"})
_SETTING = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})
_NAMED = frozenset({"__doc__", "__name__", "__qualname__"})
"""Special attributes that may be set: they are only shown."""

_DANGEROUS_MODULES = frozenset({"__main__", "builtins", "ctypes", "gc", "mock", "runpy", "unittest.mock"})
_OF_THE_IMPORT = frozenset(
    {
        ("sys", "modules"),
        ("sys", "meta_path"),
        ("sys", "path_hooks"),
        ("sys", "path_importer_cache"),
        ("site", "addsitedir"),
        ("importlib", "import_module"),
        ("importlib", "reload"),
    }
)
"""What decides, of modules of Python, which module an import gives."""

_OF_THE_PACKAGE = frozenset({"__loader__", "__package__", "__path__", "__spec__"})
"""Names of a module that decide which module an import in it, or of a module inside of it, gives."""

_DANGEROUS_MEMBERS = _OF_THE_IMPORT | frozenset(
    {
        ("unittest", "mock"),
        ("operator", "attrgetter"),
        ("operator", "methodcaller"),
    }
)
_TEXTS = frozenset({"repr", "str"})
"""Functions of Python that make a text of what they are given."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Changes:
    """What some code may change, each with its first place.

    ``names`` are of the module, ``attributes`` of any object; ``anything`` are the places that may change
    whatever there is.
    """

    names: dict[str, Located] = field(default_factory=dict)
    attributes: dict[str, Located] = field(default_factory=dict)
    anything: list[ProgramError] = field(default_factory=list)


def names_of_module(node: ast.AST) -> Iterator[str]:
    """Give the names of the module that a statement at its level binds or deletes, "*" for a star import."""
    match node:
        case ast.AnnAssign(target=target, annotation=annotation, value=None):  # binds nothing itself
            parts: Iterable[ast.AST] = (annotation, *ast.iter_child_nodes(target))
        case _:
            yield from names_bound(node)
            parts = _in_scope(node)
    for child in parts:
        yield from names_of_module(child)


def _in_scope(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a node in which a name that is bound is one of the module."""
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            return [*node.decorator_list, args, *([node.returns] if node.returns else [])]
        case ast.Lambda(args=args):
            return [args]
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords]
        case _ if isinstance(node, _COMPREHENSIONS):
            return [part for part in ast.walk(node) if isinstance(part, ast.NamedExpr)]
        case _:
            return ast.iter_child_nodes(node)


def changes_below(source: Source, tree: ast.Module) -> Changes:
    """What a file may change at any time: by ``global``, through attributes, or by what reaches further.

    The names that its statements bind are left out, but for those that functions and classes declare global.
    """
    found = Changes()
    _walk(source, _without_what_is_shown(tree), frozenset(), found)
    found.anything += (_reaching(source, node, "sys") for node in _sys_as_value(tree))
    return found


def at_import(tree: ast.Module) -> ast.Module:
    """The file without the bodies of its functions, which an import only defines."""
    tree = deepcopy(tree)
    _WithoutBodies().visit(tree)
    return ast.fix_missing_locations(tree)


class _WithoutBodies(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [ast.Pass()]
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.body = [ast.Pass()]
        return node


def _without_what_is_shown(tree: ast.Module) -> ast.Module:
    """The file, with ``repr((a, b))`` for ``repr(getattr(a, b))``: a text of something changes nothing."""
    bound = {name for node in nodes(tree) for name in (*names_bound(node), *_parameters(node))}
    texts = any(isinstance(node, ast.Name) and node.id in _TEXTS for node in nodes(tree))
    if texts and bound.isdisjoint({*_TEXTS, "getattr"}):
        tree = deepcopy(tree)
        _Shown().visit(tree)
    return tree


def _parameters(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg


class _Shown(ast.NodeTransformer):
    """Takes out what is asked for by a text, and only made a text."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Call() as asked], keywords=[]) if name in _TEXTS:
                match asked:
                    case ast.Call(func=ast.Name(id="getattr"), args=parts, keywords=[]):
                        pass
                    case ast.Call(
                        func=ast.Attribute(value=owner, attr="__getattribute__"), args=args, keywords=[]
                    ):
                        parts = [owner, *args]
                    case _:
                        return node
                asked_for = ast.copy_location(ast.Tuple(parts, ast.Load()), asked)
                return ast.copy_location(ast.Call(node.func, [asked_for], []), node)
            case _:
                return node


def _sys_as_value(tree: ast.Module) -> Iterator[ast.Name]:
    """Give the places where ``sys`` is more than asked for a member."""
    owners: set[int] = set()
    for node in nodes(tree):
        match node:
            case ast.Attribute(value=owner):
                owners.add(id(owner))
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr"), args=[owner, ast.Constant(value=str(name)), *_]
            ) if name != "path" and ("sys", name) not in _DANGEROUS_MEMBERS:
                owners.add(id(owner))
            case ast.Name(id="sys", ctx=ast.Load()) if id(node) not in owners:
                yield node


def _walk(source: Source, node: ast.AST, local: frozenset[str], found: Changes) -> None:
    if isinstance(node, ast.expr | ast.stmt | ast.alias):
        _note(source, node, local, found)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for part in (*node.decorator_list, node.args, *([node.returns] if node.returns else [])):
            _walk(source, part, local, found)
        local = locals_of(node)
        for part in node.body:
            _walk(source, part, local, found)
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child is node.func and _sets(node) is not None):
            _walk(source, child, local, found)
        elif isinstance(child, ast.Attribute):
            _walk(source, child.value, local, found)


def _sets(call: ast.Call) -> str | None:
    """The attribute that a call of ``setattr`` or the like sets or deletes, if it is a literal."""
    match call.func:
        case ast.Name(id=name) if name in _SETTING:
            place = 1
        case ast.Attribute(attr=name) if name in _SETTING:
            place = len(call.args) - (1 if "del" in name else 2)  # of an object that may stand before the dot
        case _:
            return None
    if any(isinstance(item, ast.Starred) for item in call.args) or not 0 <= place < len(call.args):
        return None
    match call.args[place]:
        case ast.Constant(value=str(text)):
            return text.rpartition(".")[2]
        case _:
            return None


def _note(source: Source, node: Located, local: frozenset[str], found: Changes) -> None:
    match node:
        case ast.Global(names=names):
            for name in names:
                found.names.setdefault(name, node)
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            found.attributes.setdefault(name, node)
        case ast.Call():
            attribute = _sets(node)
            if attribute is not None:
                found.attributes.setdefault(attribute, node)
    for name in _reached(node, local):
        found.anything.append(_reaching(source, node, name))


def _reached(node: Located, local: frozenset[str]) -> Iterator[str]:
    """What of a node gives access to all names, or to modules and their parts by text."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name in REACHING and name not in local:
            yield name
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in ("__builtins__", "__name__"):
            yield name
        case ast.Name(id=name) if name in _OF_THE_PACKAGE:
            yield name
        case ast.Attribute(attr=name) if is_special(name) and name not in _HARMLESS:
            yield name
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if is_special(name) and name not in _NAMED:
            yield name
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name) if (
            owner,
            name,
        ) in _OF_THE_IMPORT:
            yield f"{owner}.{name}"
        case ast.Attribute(attr=name) if name in _FRAMES | _REACHING_ATTRIBUTES:
            yield name
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]):
            match name:
                case ast.Constant(value=str(text)) if not is_special(text) or text in _HARMLESS:
                    pass
                case _:
                    yield "getattr"
        case ast.Call(
            func=ast.Name(id="import_module" as name) | ast.Attribute(attr="import_module" as name)
        ):
            yield name
        case ast.Import(names=names):
            for item in names:
                if item.name in _DANGEROUS_MODULES or (item.name == "sys" and item.asname):
                    yield item.name
        case ast.ImportFrom(module=str(module), names=names):
            if module in _DANGEROUS_MODULES:
                yield module
            for item in names:
                if (module, item.name) in _DANGEROUS_MEMBERS:
                    yield f"{module}.{item.name}"


def path_changed(tree: ast.Module) -> ast.expr | ast.stmt | None:
    """Where modules may first be looked for in another folder before their own: ``sys.path`` is used.

    What is appended to it comes behind all that is installed.
    """
    harmless: set[int] = set()
    found: list[ast.expr | ast.stmt] = []
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="append" | "extend")):
                harmless.add(id(owner))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[owner]):
                harmless.add(id(owner))
            case ast.Attribute(value=ast.Name(id="sys") | ast.Attribute(attr="sys"), attr="path"):
                found.append(node)
            case ast.ImportFrom(module="sys", names=names) if any(item.name == "path" for item in names):
                found.append(node)
    places = (node for node in found if id(node) not in harmless)
    return min(places, key=lambda node: (node.lineno, node.col_offset), default=None)


def _reaching(source: Source, node: Located, name: str) -> ProgramError:
    message = f"'{name}' may change anything that the file uses"
    return source.error(node, Refusal.UNSUPPORTED_NAME, message)
