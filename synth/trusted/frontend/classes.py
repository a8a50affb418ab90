"""Classes of a program file: what their definitions say, and what of them would run where they stand."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import evaluated, field_types
from synth.trusted.frontend.constructs import name_of
from synth.trusted.frontend.field_types import Look, Meaning
from synth.trusted.frontend.labels import LabelType
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import Known, Role

CALL = "__call__"
"""The method that a call of an object is of."""

_SPECIAL = frozenset({"__init__", "__post_init__", "__repr__", "__str__", CALL})
"""Special methods that Python calls only where a program says so, or for a text."""

_DECORATORS = frozenset({"property", "staticmethod", "classmethod"})
_DATA_OPTIONS = frozenset({"frozen", "eq", "repr", "order", "slots", "kw_only"})
_FIELD_OPTIONS = frozenset({"default", "default_factory", "repr", "compare", "hash", "kw_only"})


class Kind(Enum):
    """How objects of a class are made."""

    PLAIN = "class"
    DATA = "dataclass"
    TUPLE = "NamedTuple"
    ENUM = "Enum"


@dataclass(frozen=True)
class Field:
    """A field of a dataclass or named tuple; ``fresh`` has a new empty list as its default."""

    name: str
    default: ast.expr | None
    keyword_only: bool = False
    fresh: bool = False
    annotation: ast.expr | None = None


@dataclass(frozen=True)
class Method:
    """A function of a class; ``kind`` is the name of its decorator, or empty."""

    kind: str
    node: ast.FunctionDef


@dataclass(frozen=True, eq=False)
class Class:
    """A class with its one base class of the file; what is said of its members leaves out those of the base.

    ``fields`` are those of an object, with the base's, in the order of arguments.  ``stored`` counts the
    assignments to attributes in methods; ``flaw`` is why the class can't be used, ``labels`` are the members
    of an Enum.
    """

    name: str
    kind: Kind
    base: Class | None
    fields: tuple[Field, ...] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    values: Mapping[str, ast.expr] = field(default_factory=dict)
    stored: Mapping[str, int] = field(default_factory=dict)
    frozen: bool = False
    flaw: ProgramError | None = None
    labels: LabelType | None = None

    @property
    def line(self) -> tuple[Class, ...]:
        """The class, its base, and so on, in the order of look-up."""
        return (self, *(self.base.line if self.base is not None else ()))

    def method(self, name: str) -> tuple[Class, Method] | None:
        """The method of that name, with the class that has it."""
        return next(((each, each.methods[name]) for each in self.line if name in each.methods), None)

    def value(self, name: str) -> ast.expr | None:
        """The value of an attribute of the class itself."""
        return next((each.values[name] for each in self.line if name in each.values), None)

    def stores(self, name: str) -> int:
        """How often methods assign the attribute."""
        return sum(each.stored.get(name, 0) for each in self.line)

    @property
    def attributes(self) -> frozenset[str]:
        """What an object may have of its own."""
        return frozenset(name for each in self.line for name in each.stored) | {
            item.name for item in self.fields
        }


def read_class(
    source: Source, node: ast.ClassDef, look: Look, known: Mapping[str, Class], attributes: Collection[str]
) -> Class:
    """Read a class definition; ``attributes`` are those that objects of the known classes have.

    Raises ProgramError for what Python would run where it stands; other flaws are those of the class.
    """
    kind, frozen, keyword_only = _decorated(source, node, look)
    base: Class | None = None
    flaw: ProgramError | None = None
    for item in node.keywords:
        raise source.error(item, Refusal.UNSUPPORTED_CONSTRUCT, "a keyword of a class is not supported")
    for part in node.bases:
        found = look(part)
        if isinstance(part, ast.Name) and part.id in known:
            if base is not None:
                flaw = source.error(
                    part, Refusal.UNSUPPORTED_CONSTRUCT, "a second base class is not supported"
                )
            base = known[part.id]
        elif found == Known(Role.TYPE, "NamedTuple") and kind is Kind.PLAIN:
            kind = Kind.TUPLE
        elif isinstance(part, ast.Name) and _is_exception(part.id) and found is None and part.id not in known:
            flaw = source.error(part, Refusal.UNSUPPORTED_CONSTRUCT, "exceptions as values are not supported")
        elif found not in _HARMLESS and not _is_builtin(part, "object", look, known):
            shown = ast.unparse(part)
            raise source.error(
                part, Refusal.UNSUPPORTED_CONSTRUCT, f"the base class '{shown}' is not supported"
            )
    reader = _Body(source, node, kind, look, keyword_only, attributes)
    reader.read()
    flaw = flaw or reader.flaw or _flaw_of_base(source, node, kind, base, frozen)
    fields = reader.fields
    if base is not None and kind is not Kind.TUPLE:
        fields = _with_base(base.fields, reader.fields)
    if flaw is None and base is not None and _is_overlaid(base, reader):
        flaw = source.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, "a method in the place of an attribute, or back"
        )
    if flaw is None and not _in_order(fields):
        flaw = source.error(node, Refusal.WRONG_CALL, "a field without a default follows one with a default")
    return Class(
        node.name, kind, base, tuple(fields), reader.methods, reader.values, reader.stored, frozen, flaw
    )


_HARMLESS = (Known(Role.CLASS_TOOL, "ABC"), Known(Role.TYPE, "Protocol"), Known(Role.TYPE, "Generic"))


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def _is_builtin(node: ast.expr, name: str, look: Look, known: Mapping[str, Class]) -> bool:
    return isinstance(node, ast.Name) and node.id == name and name not in known and look(node) is None


def _decorated(source: Source, node: ast.ClassDef, look: Look) -> tuple[Kind, bool, bool]:
    """The kind of class by its decorator; whether it is frozen, and its fields are by name only."""
    match node.decorator_list:
        case []:
            return Kind.PLAIN, False, False
        case [decorator]:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if look(called) == Known(Role.CLASS_TOOL, "dataclass"):
                given = _options(source, decorator, _DATA_OPTIONS)
                return Kind.DATA, given.get("frozen", False), given.get("kw_only", False)
    shown = ast.unparse(node.decorator_list[-1])
    raise source.error(
        node.decorator_list[-1], Refusal.UNSUPPORTED_DECORATOR, f"the decorator '{shown}' is not supported"
    )


def _options(source: Source, node: ast.expr, allowed: frozenset[str]) -> dict[str, bool]:
    if not isinstance(node, ast.Call):
        return {}
    found: dict[str, bool] = {}
    for item in node.keywords:
        if (
            item.arg in allowed
            and isinstance(item.value, ast.Constant)
            and isinstance(item.value.value, bool)
        ):
            found[item.arg] = item.value.value
        else:
            raise source.error(item, Refusal.UNSUPPORTED_DECORATOR, f"'{item.arg}' is not supported here")
    for part in node.args:
        raise source.error(
            part, Refusal.UNSUPPORTED_DECORATOR, "an argument by position is not supported here"
        )
    return found


def _flaw_of_base(
    source: Source, node: ast.ClassDef, kind: Kind, base: Class | None, frozen: bool
) -> ProgramError | None:
    if base is None:
        return None
    if base.flaw is not None:
        return base.flaw
    if base.labels is not None:
        return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, f"the Enum '{base.name}' can't be extended")
    data = (kind is Kind.DATA) == (base.kind is Kind.DATA) or not base.fields
    if Kind.TUPLE in (kind, base.kind) or not data or (kind is Kind.DATA and frozen != base.frozen):
        message = f"a {kind.value} on top of the {base.kind.value} '{base.name}' is not supported"
        return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    return None


def _is_overlaid(base: Class, own: _Body) -> bool:
    """Whether a method hides an attribute of the base, or an attribute a method."""
    methods = {name for each in base.line for name in each.methods}
    others = {name for each in base.line for name in each.values} | base.attributes
    mine = own.values.keys() | own.stored.keys() | {item.name for item in own.fields}
    return bool(methods & mine or others & own.methods.keys())


def _with_base(before: tuple[Field, ...], own: list[Field]) -> list[Field]:
    """The fields of a base dataclass, each as the class has it, and then the new ones."""
    mine = {item.name: item for item in own}
    kept = [mine.pop(item.name, item) for item in before]
    return [*kept, *mine.values()]


def _in_order(fields: list[Field]) -> bool:
    by_place = [item.default is None and not item.fresh for item in fields if not item.keyword_only]
    return by_place == sorted(by_place, reverse=True)


@dataclass
class _Body:
    """Reads the statements of a class."""

    source: Source
    node: ast.ClassDef
    kind: Kind
    look: Look
    keyword_only: bool
    attributes: Collection[str]
    fields: list[Field] = field(default_factory=list)
    methods: dict[str, Method] = field(default_factory=dict)
    values: dict[str, ast.expr] = field(default_factory=dict)
    stored: dict[str, int] = field(default_factory=dict)
    flaw: ProgramError | None = None

    def read(self) -> None:
        """Read them all.  Raises ProgramError."""
        for statement in self.node.body:
            self._statement(statement)
        bound = self.values.keys() | self.methods.keys()
        own = [*self.values.values(), *(f.default for f in self.fields if f.default is not None)]
        own += [value for item in self.methods.values() for value in evaluated.defaults(item.node)]
        for value in own:
            for part in ast.walk(value):
                if isinstance(part, ast.Name) and part.id in bound | {item.name for item in self.fields}:
                    self._lack(part, f"'{part.id}' is a name of the class here")
        if self.kind is not Kind.PLAIN and "__init__" in self.methods:
            self._lack(self.methods["__init__"].node, f"'__init__' of a {self.kind.value} is not supported")

    def _lack(self, node: ast.expr | ast.stmt, message: str) -> None:
        if self.flaw is None:
            self.flaw = self.source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                evaluated.check_annotation(self.source, annotation)
                self._annotated(node, name, annotation, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                evaluated.check_value(self.source, value)
                self._bind(node, name)
                self.values[name] = value
            case ast.FunctionDef():
                self._function(node)
            case _:
                raise self.source.error(
                    node, Refusal.UNSUPPORTED_CONSTRUCT, f"{name_of(node)} in a class is not supported"
                )

    def _bind(self, node: ast.stmt, name: str) -> None:
        if name in self.methods or name in self.values or any(item.name == name for item in self.fields):
            self._lack(node, f"'{name}' is defined twice in the class")
        if name.startswith("__") and name != "__slots__" and name not in _SPECIAL:
            self._lack(node, f"'{name}' in a class is not supported")

    def _annotated(
        self, node: ast.AnnAssign, name: str, annotation: ast.expr, value: ast.expr | None
    ) -> None:
        self._bind(node, name)
        meaning = field_types.meaning(annotation, self.look)
        if self.kind is Kind.PLAIN or (self.kind is Kind.DATA and meaning is Meaning.OF_CLASS):
            if value is not None:
                evaluated.check_value(self.source, value)
                self.values[name] = value
            return
        if meaning is not Meaning.FIELD:
            self._lack(node, f"a field of type '{ast.unparse(annotation)}' is not supported")
        self.fields.append(replace(self._field(name, value), annotation=annotation))

    def _field(self, name: str, value: ast.expr | None) -> Field:
        if isinstance(value, ast.Call) and self.look(value.func) == Known(Role.CLASS_TOOL, "field"):
            given = {item.arg: item.value for item in value.keywords}
            if value.args or not given.keys() <= _FIELD_OPTIONS:
                self._lack(value, "this field is not supported")
            factory = given.get("default_factory")
            fresh = factory is not None and self.look(factory) == Known(Role.FUNCTION, "list")
            for option, part in given.items():
                if option == "default_factory":
                    evaluated.check_value(self.source, part)
                    if not fresh:
                        self._lack(part, "a default factory other than 'list' is not supported")
                else:
                    evaluated.check_value(self.source, part)
            by_name = given.get("kw_only")
            keyword_only = self.keyword_only
            if isinstance(by_name, ast.Constant):
                keyword_only = bool(by_name.value)
            elif by_name is not None:
                self._lack(by_name, "'kw_only' must be True or False")
            return Field(name, given.get("default"), keyword_only, fresh)
        if value is not None:
            evaluated.check_value(self.source, value)
        return Field(name, value, self.keyword_only)

    def _function(self, node: ast.FunctionDef) -> None:
        kind = ""
        for decorator in node.decorator_list:
            match decorator:
                case ast.Name(id=name) if name in _DECORATORS and self.look(decorator) is None and not kind:
                    kind = name
                case _ if self.look(decorator) == Known(Role.CLASS_TOOL, "abstractmethod"):
                    pass
                case _:
                    shown = ast.unparse(decorator)
                    raise self.source.error(
                        decorator, Refusal.UNSUPPORTED_DECORATOR, f"the decorator '{shown}' is not supported"
                    )
        self._bind(node, node.name)
        own = stored_on(node) if kind in ("", "property") and not _is_hidden(node.name) else {}
        evaluated.check_function(self.source, node, own, self.attributes)
        for part in ast.walk(node):
            used = _name_in(part)
            if used is not None and used.startswith("__") and not used.endswith("__"):
                self._lack(node, f"the name '{used}', which Python changes in a class, is not supported")
        for attr, count in own.items():
            self.stored[attr] = self.stored.get(attr, 0) + count
        self.methods[node.name] = Method(kind, node)


def stored_on(node: ast.FunctionDef) -> dict[str, int]:
    """How often a method assigns each attribute of the object that it is called on."""
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    found: dict[str, int] = {}
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store()):
                if first is not None and name == first.arg:
                    found[attr] = found.get(attr, 0) + 1
    return found


def _is_hidden(name: str) -> bool:
    """Whether Python may call a method of that name where a class is defined."""
    return name.startswith("__") and name not in _SPECIAL


def _name_in(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return name
        case ast.FunctionDef(name=name):
            return name
        case _:
            return None


def names_in(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a file's classes, and of their methods."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = (item.name for node in found for item in node.body if isinstance(item, ast.FunctionDef))
    return frozenset(node.name for node in found), frozenset(methods)


def is_of_class(node: ast.Call, classes: frozenset[str], methods: frozenset[str]) -> bool:
    """Whether a class is called, or perhaps a method, by its name, or an object."""
    if CALL in methods:
        return True
    match node.func:
        case ast.Name(id=name):
            return name in classes
        case ast.Attribute(attr=name):
            return name in methods
        case _:
            return False


def evaluated_in(node: ast.ClassDef) -> Iterator[ast.expr]:
    """What Python evaluates where the class stands, but for annotations."""
    yield from (*node.decorator_list, *node.bases)
    for statement in node.body:
        match statement:
            case ast.AnnAssign(value=ast.expr() as value) | ast.Assign(value=value):
                yield value
            case ast.FunctionDef(decorator_list=decorators):
                yield from decorators
                yield from evaluated.defaults(statement)


def read_named_tuple(source: Source, name: str, node: ast.Call, look: Look) -> Class | None:
    """The class that ``NamedTuple(…)`` or ``namedtuple(…)`` makes; None if the call is of something else.

    Raises ProgramError.
    """
    tool = look(node.func)
    match tool, node.args, node.keywords:
        case Known(Role.TYPE, "NamedTuple"), [ast.Constant(value=str()), fields], []:
            found = _typed_names(source, fields)
        case Known(Role.CLASS_TOOL, "namedtuple"), [ast.Constant(value=str()), fields], []:
            found = _plain_names(fields)
        case ((Known(Role.TYPE, "NamedTuple") | Known(Role.CLASS_TOOL, "namedtuple")), _, _):
            found = None
        case _:
            return None
    valid = found is not None and all(item.isidentifier() and not item.startswith("_") for item in found)
    if found is None or not valid or len(set(found)) != len(found):
        raise source.error(node, Refusal.UNSUPPORTED_CALL, "this call of NamedTuple is not supported")
    return Class(name, Kind.TUPLE, None, tuple(Field(item, None) for item in found))


def _typed_names(source: Source, node: ast.expr) -> list[str] | None:
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    names = []
    for item in node.elts:
        match item:
            case ast.Tuple(elts=[ast.Constant(value=str(name)), annotation]):
                evaluated.check_annotation(source, annotation)
                names.append(name)
            case _:
                return None
    return names


def _plain_names(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Constant(value=str(text)):
            return text.replace(",", " ").split()
        case ast.List(elts=items) | ast.Tuple(elts=items):
            names = [item.value for item in items if isinstance(item, ast.Constant)]
            texts = [name for name in names if isinstance(name, str)]
            return texts if len(texts) == len(items) else None
        case _:
            return None
