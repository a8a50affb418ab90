"""Which attributes code of a file may set on classes: Python would find these instead of an object's own.

An attribute is set on a class where a class is named, or where a variable stands for it.  A variable can only
do so if classes are used as values: not just called, named as bases or types, or asked for their members.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.evaluated import is_special, locals_of
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.source import Located

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TESTS = ("isinstance", "issubclass", "super")


@dataclass
class ClassChanges:
    """Attributes by their names, and classes that are used as values, each with a place.

    ``outside`` are set on what is no variable of a function, ``foreign`` those of them that are no class's;
    ``on_variables`` on what is a variable, and ``on_self`` on the object that a method is called on.
    ``all_classes`` is where each class may be used as a value, ``unbound`` where a method is called on one.
    ``told`` is where an exception is given the type of a value, ``caught`` where what is raised has a name.
    """

    outside: dict[str, Located] = field(default_factory=dict)
    foreign: dict[str, Located] = field(default_factory=dict)
    on_variables: dict[str, Located] = field(default_factory=dict)
    on_self: dict[str, Located] = field(default_factory=dict)
    as_values: dict[str, Located] = field(default_factory=dict)
    all_classes: Located | None = None
    unbound: Located | None = None
    told: Located | None = None
    caught: ast.AST | None = None

    def may_be_value(self, classes: Collection[str]) -> bool:
        """Whether one of these classes is perhaps used as a value."""
        return self._any_class() or any(item in self.as_values for item in classes)

    def _any_class(self) -> bool:
        return self.all_classes is not None or (self.told is not None and self.caught is not None)

    def of(self, classes: Collection[str], name: str) -> Located | None:
        """A place that may set an attribute on one of these classes."""
        if name in self.outside:
            return self.outside[name]
        if not self.may_be_value(classes):
            return None
        on_self = self._any_class() or self.unbound is not None
        return self.on_variables.get(name) or (self.on_self.get(name) if on_self else None)


def class_changes(tree: ast.Module, classes: Collection[str]) -> ClassChanges:
    """What a file may set on its classes, and those that it may import."""
    imports = [node for node in nodes(tree) if isinstance(node, ast.ImportFrom)]
    imported = {item.asname or item.name for node in imports for item in node.names}
    named = frozenset({*classes, *imported})
    search = _Search(frozenset(classes), named, ClassChanges(), _looks(tree), _exceptions(tree))
    for node in tree.body:
        search.visit(node, _Place())
    return search.found


def _looks(tree: ast.Module) -> frozenset[str]:
    """Modules of Python, by their names in the file, whose functions only look at what they are given."""
    bound = [name for node in nodes(tree) for name in (*names_bound(node), *_parameters(node))]
    imports = [item for node in nodes(tree) if isinstance(node, ast.Import) for item in node.names]
    plain = [item for item in imports if item.name == "inspect" and item.asname is None]
    return frozenset({"inspect"}) if plain and bound.count("inspect") == len(plain) else frozenset()


def _exceptions(tree: ast.Module) -> frozenset[str]:
    """The names of Python's exceptions that the file has for nothing else."""
    bound = {name for node in nodes(tree) for name in (*names_bound(node), *_parameters(node))}
    found = (name for name, item in vars(builtins).items() if isinstance(item, type))
    return frozenset(name for name in found if issubclass(getattr(builtins, name), Exception)) - bound


def _parameters(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg


@dataclass(frozen=True)
class _Place:
    """The function around a node: its variables, and of a method the first parameter and the kind."""

    local: frozenset[str] = frozenset()
    first: str = ""
    of_class: bool = False
    owner: str = ""


@dataclass
class _Search:
    classes: frozenset[str]
    named: frozenset[str]
    found: ClassChanges
    looking: frozenset[str]
    exceptions: frozenset[str]
    raised: set[ast.Call] = field(default_factory=set)

    def visit(self, node: ast.AST, place: _Place) -> None:
        """Look through a node, which isn't used as a value itself."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, place)
                return
            case ast.ClassDef():
                for part in (*node.decorator_list, *node.keywords):
                    self.visit(part, place)
                for part in node.body:
                    self.visit(part, _Place(owner=node.name))
                return
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                self._note(node.attr, node.value, node, place)
            case ast.Call():
                self._setting(node, place)
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name)) as made) if name in self.exceptions:
                self.raised.add(made)
            case ast.ExceptHandler(name=str()) | ast.Attribute(attr="exc_info") | ast.alias(name="exc_info"):
                self.found.caught = self.found.caught or node
        for child in _evaluated(node):
            if isinstance(child, ast.expr) and not (
                self._is_looked_at(node, child) or _is_harmless(node, child)
            ):
                self._value(child, place, called=isinstance(node, ast.Call) and child is node.func)
            self.visit(child, place)

    def _is_looked_at(self, node: ast.AST, child: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=args):
                return name in self.looking and child in args
            case ast.Call(args=args) if node in self.raised and child in args and _is_type(child):
                self.found.told = self.found.told or child
                return True
            case _:
                return False

    def _function(self, node: _Function, place: _Place) -> None:
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self._value(part, place)
            self.visit(part, place)
        parameters = [*node.args.posonlyargs, *node.args.args]
        kinds = {item.id for item in node.decorator_list if isinstance(item, ast.Name)}
        method = bool(place.owner) and not place.first and bool(parameters) and "staticmethod" not in kinds
        first = parameters[0].arg if method else ""
        inside = _Place(locals_of(node) | place.local, first, "classmethod" in kinds, place.owner)
        for statement in node.body:
            self.visit(statement, inside)

    def _note(self, name: str, owner: ast.expr, node: Located, place: _Place) -> None:
        """An attribute of an owner is set."""
        root = owner
        special = False
        while isinstance(root, ast.Attribute):
            special = special or is_special(root.attr)
            root = root.value
        known = isinstance(root, ast.Name) and root.id in place.local and not special
        if not known or (place.of_class and isinstance(root, ast.Name) and root.id == place.first):
            self.found.outside.setdefault(name, node)
            if not (isinstance(root, ast.Name) and root.id in self.classes):
                self.found.foreign.setdefault(name, node)
        elif owner is root and isinstance(root, ast.Name) and root.id == place.first:
            self.found.on_self.setdefault(name, node)
        else:
            self.found.on_variables.setdefault(name, node)

    def _setting(self, node: ast.Call, place: _Place) -> None:
        """``setattr(owner, "name", value)`` and the like."""
        match node:
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="__setattr__" | "__delattr__"),
                args=[owner, ast.Constant(value=str(name)), *_],
            ):
                self._note(name, owner, node, place)
            case ast.Call(
                func=ast.Attribute(value=owner, attr="__setattr__" | "__delattr__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                self._note(name, owner, node, place)

    def _value(self, node: ast.expr, place: _Place, called: bool = False) -> None:
        """Note what a node is that is used as a value, or ``called`` as a function of a class."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                if name in self.named and name not in place.local:
                    self.found.as_values.setdefault(name, node)
                if place.of_class and name == place.first:
                    self.found.as_values.setdefault(place.owner, node)
                    self.found.unbound = self.found.unbound or node
            case ast.Attribute(attr="__class__"):
                self.found.all_classes = self.found.all_classes or node
            case ast.Call() if _is_type(node):
                self.found.all_classes = self.found.all_classes or node
            case ast.Attribute(value=ast.Name(id=name)) if name in self.classes and name not in place.local:
                self.found.unbound = self.found.unbound or node
            case ast.Attribute(attr=name) if not called:
                self.found.as_values.setdefault(name, node)


def _is_type(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
            return True
        case _:
            return False


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node but for annotations."""
    match node:
        case ast.AnnAssign(target=target, value=value):
            yield from (target, *([value] if value is not None else []))
        case ast.ExceptHandler(body=body):
            yield from body
        case _:
            yield from ast.iter_child_nodes(node)


def _is_harmless(node: ast.AST, child: ast.expr) -> bool:
    """Whether a class that is a part of a node is only called, compared, or asked for a member."""
    match node:
        case ast.Call(func=func, args=args):
            if child is func:
                return not _is_on_class(node)
            return isinstance(func, ast.Name) and func.id in _TESTS and child in args
        case ast.Attribute() | ast.Compare() | ast.Raise() | ast.Expr() | ast.FormattedValue():
            return True
        case ast.Subscript(slice=part, ctx=ast.Load()):
            return child is part
        case _:
            return False


def _is_on_class(node: ast.Call) -> bool:
    """Whether ``Class.method(…)`` is called on something else than a variable."""
    match node:
        case ast.Call(func=ast.Attribute(), args=[ast.Name(id="self"), *_]):
            return False
        case ast.Call(func=ast.Attribute(value=ast.Name())):
            return True
        case _:
            return False
