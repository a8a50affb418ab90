"""Statements that seed a source where a caller gives a seed: ``if seed is not None: np.random.seed(seed)``.

A mechanism that comes there is refused where the statement is read.  Whoever ran it before the mechanism is a
caller with a seed of its own, unless the file itself gives one: a default, what it puts in the place of None,
what another of its functions hands over, or what its import runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.other_files import imported
from synth.trusted.frontend.rebinding import at_import
from synth.trusted.frontend.scripts import main_guard
from synth.trusted.frontend.vocabulary import Known, Role

_CALLED_BY_DEFINITIONS = ("__init_subclass__", "__set_name__", "__class_getitem__", "__mro_entries__")
"""Methods of the file that the definition of a class may call, or its annotations."""

_ABSTRACT = Known(Role.CLASS_TOOL, "ABC")

_OF_USER = (Role.OWN, Role.OWN_CLASS, Role.OWN_MODULE, Role.UNSUPPORTED)


def where_a_seed_is_given(module: Module, tree: ast.Module) -> set[int]:
    """The nodes of these statements, by their ids; none if the import of the file may run one of them."""
    classes = ((item.name, item.body) for item in tree.body if isinstance(item, ast.ClassDef))
    bodies = (("", tree.body), *classes)
    found = [part for owner, body in bodies for item in body for part in _given(tree, owner, item)]
    if not found or not _defines_only(module, tree):
        return set()
    return {id(node) for part in found for statement in part.body for node in ast.walk(statement)}


def _given(tree: ast.Module, owner: str, function: ast.stmt) -> Iterator[ast.If]:
    """Give the branches of a function that only hand what it was given for a parameter to a source."""
    if not isinstance(function, ast.FunctionDef):
        return
    places = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
    named = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    behind = places[len(places) - len(function.args.defaults) :]
    defaults = {
        **dict(zip(behind, function.args.defaults, strict=True)),
        **{item.arg: default for item, default in named if default is not None},
    }
    parameters = {*places, *(item.arg for item in function.args.kwonlyargs)}
    bound = {name for part in nodes(function) for name in names_bound(part)}
    for statement in function.body:
        match statement:
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
                ),
                body=body,
            ) if name in parameters - bound and all(_hands_on(item, name) for item in body):
                if _is_none(defaults.get(name)) and not _hand_over(tree, owner, function, name, places):
                    yield statement


def _is_none(node: ast.expr | None) -> bool:
    """Whether nothing stands there, or None."""
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _hand_over(tree: ast.Module, owner: str, function: ast.FunctionDef, name: str, places: list[str]) -> bool:
    """Whether a function of the file may hand a seed to that one; a script may.

    Each mention of that function is a call that leaves the seed out, or it may.  A method may be given its
    object, or not.
    """
    place = places.index(name) if name in places else len(places)
    where = slice(max(0, place - bool(owner)), place + 1)
    called = {function.name, owner} if function.name == "__init__" else {function.name}
    guard = main_guard(tree)
    inside = [node for item in tree.body if item is not guard for node in nodes(item)]
    calls = (node for node in inside if isinstance(node, ast.Call))
    leaving = {id(call.func) for call in calls if _leaves_out(call, name, where)}
    return any(
        (node.id if isinstance(node, ast.Name) else node.attr) in called and id(node) not in leaving
        for node in inside
        if isinstance(node, ast.Name | ast.Attribute)
    )


def _leaves_out(call: ast.Call, name: str, where: slice) -> bool:
    """Whether a call gives None for a parameter, or nothing."""
    if any(isinstance(item, ast.Starred) for item in call.args) or any(w.arg is None for w in call.keywords):
        return False
    given = [word.value for word in call.keywords if word.arg == name]
    return all(map(_is_none, [*given, *call.args[where]]))


def _hands_on(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(), args=[ast.Name(id=given)], keywords=[])):
            return given == name
        case _:
            return False


def _defines_only(module: Module, tree: ast.Module) -> bool:
    """Whether an import of the file runs none of its functions: it calls nothing but what libraries have.

    What it hands to them has no name that the file binds, so none of its functions is called by them.
    """
    if module.source.other or _has_others(module, tree):
        return False
    guard = main_guard(tree)
    ran = at_import(ast.Module([item for item in tree.body if item is not guard], []))
    own = {node.name for node in nodes(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names = (node for node in nodes(ran) if isinstance(node, ast.Name))
    own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    if not own.isdisjoint(_CALLED_BY_DEFINITIONS):
        return False
    return all(_only_defines(module, node, own) for node in nodes(ran))


def _only_defines(module: Module, node: ast.AST, own: set[str]) -> bool:
    match node:
        case ast.Call():
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            return _is_of_library(module, node.func) and names.isdisjoint(own)
        case ast.ClassDef(bases=bases, keywords=keywords):
            named = all(isinstance(base, ast.Name) and base.id in {*own, "object"} for base in bases)
            plain = named or [module.known(base) for base in bases] == [_ABSTRACT]
            return plain and not keywords and _are_of_libraries(module, node.decorator_list, own)
        case ast.FunctionDef(decorator_list=decorators):
            return _are_of_libraries(module, decorators, own)
        case ast.With() | ast.AsyncFunctionDef():
            return False
        case _:
            return True


def _are_of_libraries(module: Module, decorators: list[ast.expr], own: set[str]) -> bool:
    called = [item.func if isinstance(item, ast.Call) else item for item in decorators]
    names = {part.id for item in called for part in ast.walk(item) if isinstance(part, ast.Name)}
    return names.isdisjoint(own) and all(_is_of_library(module, item) for item in called)


def _has_others(module: Module, tree: ast.Module) -> bool:
    """Whether the file imports another one of the user, or is in a package, whose files may import it."""
    others = module.others
    if others is None:
        return False
    try:
        return bool(others.files.module) or any(
            True for node in nodes(tree) for _ in imported(others.files, module.place, node)
        )
    except LookupError:
        return True


def _is_of_library(module: Module, node: ast.expr) -> bool:
    known = module.known(node)
    return known is not None and known.role not in _OF_USER
