"""Classes of a program file: their members, and in which order Python looks for them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.labels import LabelType
from synth.trusted.frontend.nodes import nodes

CALL = "__call__"
"""The method that a call of an object is of."""

STATIC, OF_CLASS, PROPERTY = "staticmethod", "classmethod", "property"


class Kind(Enum):
    """How objects of a class are made."""

    PLAIN = "class"
    DATA = "dataclass"
    TUPLE = "NamedTuple"
    ENUM = "Enum"


@dataclass(frozen=True)
class Field:
    """A field of a dataclass or named tuple; ``fresh`` has a new empty list as its default.

    What is ``compared`` decides whether two objects are equal.
    """

    name: str
    default: ast.expr | None
    keyword_only: bool = False
    fresh: bool = False
    annotation: ast.expr | None = None
    compared: bool = True


@dataclass(frozen=True)
class Method:
    """A function of a class; ``kind`` is the name of its decorator, or empty."""

    kind: str
    node: ast.FunctionDef
    abstract: bool = False


@dataclass(frozen=True, eq=False)
class Class:
    """A class with its base classes of the file; what is said of its members leaves out those of the bases.

    ``fields`` are those of an object, with the bases', in the order of arguments.  ``stored`` counts the
    assignments to attributes in methods; ``unread`` are members that can't be used, with the reason, of
    which ``decorated`` may be abstract, and ``flaw`` is why the class can't be used.  ``checks`` says that
    an abstract class has no objects, ``compares`` that a dataclass may have an equality of its fields;
    ``labels`` are the members of an Enum.
    """

    name: str
    kind: Kind
    bases: tuple[Class, ...] = ()
    fields: tuple[Field, ...] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    values: Mapping[str, ast.expr] = field(default_factory=dict)
    stored: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, ProgramError] = field(default_factory=dict)
    frozen: bool = False
    checks: bool = False
    compares: bool = True
    flaw: ProgramError | None = None
    labels: LabelType | None = None
    decorated: frozenset[str] = frozenset()

    @cached_property
    def line(self) -> tuple[Class, ...]:
        """The class, its bases, and theirs, in the order of look-up; the class alone if Python has none."""
        return (self, *(linearised(self.bases) or ()))

    def method(self, name: str) -> tuple[Class, Method] | None:
        """The method of that name, with the class that has it.  Raises ProgramError if it can't be used."""
        return self.after(None, name)

    def after(self, owner: Class | None, name: str) -> tuple[Class, Method] | None:
        """The method of that name of the classes behind one of the line, or of all.  Raises ProgramError."""
        line = self.line if owner is None else self.line[self.line.index(owner) + 1 :]
        for each in line:
            if name in each.unread:
                raise each.unread[name]
            if name in each.methods:
                return each, each.methods[name]
            if name == "__init__" and each.kind is Kind.DATA:  # Python has made one
                return None
        return None

    def value(self, name: str) -> ast.expr | None:
        """The value of an attribute of the class itself.  Raises ProgramError if it can't be used."""
        for each in self.line:
            if name in each.unread:
                raise each.unread[name]
            if name in each.values:
                return each.values[name]
        return None

    def stores(self, name: str) -> int:
        """How often methods assign the attribute."""
        return sum(each.stored.get(name, 0) for each in self.line)

    @property
    def attributes(self) -> frozenset[str]:
        """What an object may have of its own."""
        return frozenset(name for each in self.line for name in each.stored) | {
            item.name for item in self.fields
        }

    @property
    def is_value(self) -> bool:
        """Whether objects have nothing but fields, and are equal just if all of these are."""
        special = any("__eq__" in (*each.methods, *each.unread) for each in self.line)
        whole = bool(self.fields) and self.attributes == {item.name for item in self.fields if item.compared}
        return self.kind is Kind.DATA and self.compares and whole and not special

    @property
    def abstract(self) -> str | None:
        """A method for which the class may have no objects, since nothing is said of what it does."""
        if not any(each.checks for each in self.line):
            return None
        first: dict[str, bool] = {}
        for each in self.line:
            for name in (*each.methods, *each.values, *each.unread):
                lacking = name in each.decorated or (name in each.methods and each.methods[name].abstract)
                first.setdefault(name, lacking)
        return next((name for name, lacking in first.items() if lacking), None)


def linearised(bases: Sequence[Class]) -> tuple[Class, ...] | None:
    """The order in which Python looks through bases, and theirs (C3); None if there is none."""
    rows = [list(base.line) for base in bases] + [list(bases)]
    found: list[Class] = []
    while rows := [row for row in rows if row]:
        heads = (row[0] for row in rows)
        first = next((head for head in heads if not any(head in row[1:] for row in rows)), None)
        if first is None:
            return None
        found.append(first)
        for row in rows:
            if row[0] is first:
                del row[0]
    return tuple(found)


def names_in(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a file's classes, with those that class methods call theirs, and of their methods."""
    found = [node for node in nodes(tree) if isinstance(node, ast.ClassDef)]
    methods = [item for node in found for item in node.body if isinstance(item, ast.FunctionDef)]
    classes = {node.name for node in found} | {receiver(item) for item in methods if item.decorator_list}
    return frozenset(classes), frozenset(item.name for item in methods)


def receiver(node: ast.FunctionDef) -> str:
    """The name of the first parameter, which a method has for its object; empty if there is none."""
    return next((item.arg for item in (*node.args.posonlyargs, *node.args.args)), "")


def is_of_class(node: ast.Call, classes: frozenset[str], methods: frozenset[str]) -> bool:
    """Whether a class is called, or perhaps a method, by its name, or an object."""
    if CALL in methods:
        return True
    match node.func:
        case ast.Name(id=name):
            return name in classes
        case ast.Attribute(attr=name):
            return name in methods or name == "__class__"
        case _:
            return bool(classes)
