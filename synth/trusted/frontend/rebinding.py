"""What code that the reader doesn't read could change: names of the module, attributes, or anything at all.

Statements at the level of a module that aren't read may run anything that Python has.  What their syntax can
change is told here, and more rather than less; that the code of others, which they may call, changes nothing
by other means is an assumption, which is listed with the verdict.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.evaluated import REACHING, is_special, locals_of
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.scripts import main_guard
from synth.trusted.frontend.source import Located, Source

_HARMLESS = frozenset(
    f"__{name}__"
    for name in (
        *("abs", "add", "all", "array", "author", "bool", "call", "class", "contains", "copyright"),
        *("doc", "enter", "eq", "exit", "file", "float", "future", "ge", "getitem", "gt", "hash"),
        *("init", "int", "iter", "le", "len", "license", "lt", "main", "module", "mul", "name"),
        *("ne", "new", "next", "post_init", "pycache", "qualname", "repr", "slots", "str", "sub"),
        *("version"),
    )
)
"""Special attributes from which no names of a module can be reached."""

_FRAMES = frozenset({"f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame", "cr_frame", "ag_frame"})
_REACHING_NAMES = frozenset(
    {
        *("attrgetter", "builtins", "delattr", "getargvalues", "getmembers", "methodcaller", "setattr"),
        *("load_module", "load_source", "locate", "reload", "resolve_dotted_attribute", "resolve_name"),
        *("InteractiveConsole", "InteractiveInterpreter", "execsitecustomize", "pythonapi", "runeval"),
        *(
            "classify_class_attrs",
            "compile_command",
            "debug_script",
            "debug_src",
            "find_class",
            "get_field",
            "get_type_hints",
            "getattr_static",
            "getclosurevars",
            "getmembers_static",
            "getmodule",
            "safeimport",
            "set_numeric_ops",
            "setprofile",
            "setprofile_all_threads",
            "setrecursionlimit",
            "settrace",
            "settrace_all_threads",
            "timeit",
            "vformat",
        ),
    }
)
"""Of modules, what reaches further, runs or evaluates texts, or changes what operators do."""

_OF_DOCSTRINGS = frozenset({"DocTestRunner", "run_docstring_examples", "testfile", "testmod"})
"""What runs the examples in docstrings."""

_TABLES = frozenset({"_abc_registry_clear", "_member_map_", "_member_names_", "_value2member_map_"})
"""Where an Enum keeps its members, and what abstract classes forget by."""

_RUNNERS = frozenset({"bdb", "cProfile", "code", "pdb", "profile", "timeit", "trace"})
_RUNNING = frozenset({"Timer", "repeat", "run", "runctx", "runsource", "timeit"})
"""Functions and methods that run a text, as profilers and debuggers of Python have them."""

_SETTING = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})
_WORD = re.compile(r"\w+", re.ASCII)
_NAMED = frozenset({"__doc__", "__name__", "__qualname__"})
"""Special attributes that may be set: they are only shown."""

_DANGEROUS_MODULES = frozenset(
    {"__main__", "builtins", "codeop", "ctypes", "gc", "mock", "pydoc", "runpy", "unittest.mock"}
)
_OF_THE_IMPORT = frozenset(
    {
        ("sys", "modules"),
        ("sys", "meta_path"),
        ("sys", "path_hooks"),
        ("sys", "path_importer_cache"),
        *(("sys", name) for name in ("addaudithook", "monitoring")),
        ("site", "addsitedir"),
        ("importlib", "import_module"),
        ("importlib", "reload"),
        *(("timeit", name) for name in ("Timer", "main", "repeat")),
        *((module, name) for module in ("cProfile", "profile") for name in ("run", "runctx")),
    }
)
"""What decides, of modules of Python, which module an import gives, runs a text, or is told of each call."""

_OWNERS = frozenset(module for module, _ in _OF_THE_IMPORT)

_OF_THE_PACKAGE = frozenset({"__loader__", "__package__", "__path__", "__spec__"})
"""Names of a module that decide which module an import in it, or of a module inside of it, gives."""

_DANGEROUS_MEMBERS = _OF_THE_IMPORT | {("unittest", "mock")}
_OF_PYTHON = sys.stdlib_module_names - {
    *("itertools", "math", "operator", "random", "secrets", "statistics"),  # counted where they are used
    *("logging", "ssl", "sys", "time", "warnings"),
}
"""Modules of Python that classes, dicts, tests of types, or sources of draws are made with."""

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
    found.anything += (_reaching(source, node, ast.unparse(node)) for node in _as_values(tree))
    found.anything += (_reaching(source, node, ast.unparse(node)[:40]) for node in set_on(tree, _is_pythons))
    found.anything += (_reaching(source, node, ast.unparse(node)[:40]) for node in _texts_run(tree))
    found.anything += (_reaching(source, node, name) for node, name in _of_docstrings(tree))
    return found


def _texts_run(tree: ast.Module) -> Iterator[Located]:
    """Give the places where a profiler or debugger of Python, ``timeit`` or ``register`` may run a text."""
    if any(isinstance(node, ast.Attribute) and node.attr == "register" for node in nodes(tree)):
        yield from (node for node in nodes(tree) if isinstance(node, ast.arg) and _is_evaluated(node))
    modules = {node.module for node in nodes(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {item.name for node in nodes(tree) if isinstance(node, ast.Import) for item in node.names}
    for node in nodes(tree) if modules & _RUNNERS else ():
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=words) if (
                name in _RUNNING and any(_is_text(item) for item in (*args, *(word.value for word in words)))
            ):
                yield node


def _is_evaluated(node: ast.arg) -> bool:
    """Whether an annotation is a text that calls something, if it is evaluated."""
    return isinstance(node.annotation, ast.Constant) and "(" in str(node.annotation.value)


def _of_docstrings(tree: ast.Module) -> Iterator[tuple[ast.Attribute | ast.alias, str]]:
    """Give the places that run examples in docstrings, but where the file is a script, as most that do."""
    guard = main_guard(tree)
    asleep = {id(node) for node in ast.walk(guard)} if guard else set()
    for node in nodes(tree):
        match node:
            case ast.Attribute(attr=name) | ast.alias(name=name) if name in _OF_DOCSTRINGS:
                if id(node) not in asleep:
                    yield node, name


def _is_pythons(module: str) -> bool:
    return module in _OF_PYTHON


def set_on(tree: ast.Module, counts: Callable[[str], bool]) -> Iterator[Located]:
    """Give the places where an attribute is set of what an import from a module that ``counts`` brought."""
    names = set()
    for node in nodes(tree):
        match node:
            case ast.Import(names=aliases):
                tops = {alias.asname or alias.name.partition(".")[0]: alias.name for alias in aliases}
            case ast.ImportFrom(module=str(origin), names=aliases, level=0):
                tops = {alias.asname or alias.name: origin for alias in aliases}
            case _:
                continue
        names |= {name for name, origin in tops.items() if counts(origin.partition(".")[0])}
    for node in nodes(tree):
        match node:
            case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, *_]):
                pass
            case ast.Call(func=ast.Attribute(value=owner, attr="__setattr__" | "__delattr__")):
                pass
            case _:
                continue
        while isinstance(owner, ast.Attribute | ast.Call | ast.Subscript):
            owner = owner.func if isinstance(owner, ast.Call) else owner.value
        if isinstance(owner, ast.Name) and owner.id in names:
            yield node


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


def _as_values(tree: ast.Module) -> Iterator[ast.expr]:
    """Give the places where ``sys`` is more than asked for a member, and ``getattr`` is not called."""
    owners = {id(node.func) for node in nodes(tree) if isinstance(node, ast.Call) and node.args}
    owners |= {id(node.value) for node in nodes(tree) if isinstance(node, ast.Attribute)}
    for node in nodes(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr"), args=[owner, ast.Constant(value=str(name)), *_]
            ) if name != "path" and ("sys", name) not in _DANGEROUS_MEMBERS:
                owners.add(id(owner))
            case (
                ast.Name(id="getattr" | "sys", ctx=ast.Load()) | ast.Attribute(attr="sys", ctx=ast.Load())
            ) if id(node) not in owners:
                yield node


def _walk(source: Source, node: ast.AST, local: frozenset[str], found: Changes) -> None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.expr | ast.stmt | ast.alias | ast.pattern):
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
                if _changes_more(attribute):
                    found.anything.append(_reaching(source, node, attribute))
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
        case ast.Attribute(attr=name) if _leads_further(name) or name in _REACHING_NAMES:
            yield name
        case ast.MatchClass(kwd_attrs=asked):
            yield from filter(_leads_further, asked)
        case ast.Constant(value=str(text)):
            yield from (word for word in _WORD.findall(text) if _leads_further(word) or word == "builtins")
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if _changes_more(name):
            yield name
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name) if (
            owner,
            name,
        ) in _OF_THE_IMPORT:
            yield f"{owner}.{name}"
        case ast.Call(func=ast.Name(id="getattr"), args=args):
            match args:
                case [ast.Starred(), *_] | [_, ast.Constant(value="sys"), *_]:
                    yield "getattr"
                case [_, ast.Constant(value=str()), *_]:
                    pass
                case _:
                    yield "getattr"
        case ast.Call(
            func=ast.Name(id="import_module" as name) | ast.Attribute(attr="import_module" as name)
        ):
            yield name
        case ast.Call(keywords=words) if any(word.arg == "eval_str" for word in words):
            yield "eval_str"
        case ast.Import(names=names):
            for item in names:
                if item.name in _DANGEROUS_MODULES or (item.name in _OWNERS and item.asname):
                    yield item.name
        case ast.ImportFrom(module=str(module), names=names):
            if module in _DANGEROUS_MODULES:
                yield module
            for item in names:
                if (module, item.name) in _DANGEROUS_MEMBERS or item.name in (*_REACHING_NAMES, "sys"):
                    yield f"{module}.{item.name}"


def _leads_further(name: str) -> bool:
    """Whether an attribute of that name gives access to names of a module, or to what a class looks up."""
    return (is_special(name) and name not in _HARMLESS) or name in _FRAMES | _TABLES


def _changes_more(name: str) -> bool:
    """Whether who sets an attribute of that name changes what is run."""
    return name == "f_lineno" or (is_special(name) and name not in _NAMED)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


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
