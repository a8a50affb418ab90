"""Class definitions: bases, members, and what of them would run where they stand.

A member that can't be read costs only what uses it.  What Python calls without being asked to (special
methods for attributes, for instance) costs the class.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import evaluated, field_types, left_out
from synth.trusted.frontend.classes import (
    CALL,
    OF_CLASS,
    PROPERTY,
    STATIC,
    Class,
    Field,
    Kind,
    Method,
    linearised,
    receiver,
)
from synth.trusted.frontend.constructs import is_bare_super, name_of
from synth.trusted.frontend.decorators import LEAVING
from synth.trusted.frontend.field_types import Look, Meaning
from synth.trusted.frontend.rebinding import names_of_module
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import Known, Role

_SPECIAL = frozenset({"__init__", "__post_init__", "__repr__", "__str__", CALL})
"""Special methods that Python calls only where a program says so, or for a text."""

_ASKED_FOR = frozenset(
    f"__{name}__"
    for name in (
        *("eq", "ne", "lt", "le", "gt", "ge", "hash", "len", "bool", "iter", "next", "contains", "getitem"),
        *("setitem", "delitem", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "neg", "abs", "int"),
        *("float", "index", "enter", "exit", "copy", "deepcopy", "getstate", "setstate", "reduce", "format"),
        *("dir", "sizeof", "repr", "str"),
    )
)
"""Special methods that Python calls where objects are compared, looped over and the like: that is refused."""

_HARMLESS = (Known(Role.CLASS_TOOL, "ABC"), Known(Role.TYPE, "Protocol"), Known(Role.TYPE, "Generic"))
_ABSTRACT = (Known(Role.CLASS_TOOL, "ABC"), Known(Role.CLASS_TOOL, "ABCMeta"), Known(Role.TYPE, "Protocol"))
_DECORATORS = (STATIC, OF_CLASS, PROPERTY)
_DATA_OPTIONS = frozenset({"frozen", "eq", "repr", "order", "slots", "kw_only"})
_FIELD_OPTIONS = frozenset({"default", "default_factory", "repr", "compare", "hash", "kw_only"})


LookForClass = Callable[[ast.expr], Class | None]
"""The class that a name stands for where a class is defined."""


@dataclass(frozen=True)
class Definition:
    """A class, and those of its statements that aren't read: Python may run something there.

    ``reaching`` are methods that would reach beyond the class, if something called them.
    """

    made: Class
    left: tuple[tuple[ast.stmt, ProgramError], ...] = ()
    reaching: tuple[ProgramError, ...] = ()


def read_class(
    source: Source, node: ast.ClassDef, look: Look, known: LookForClass, attributes: Collection[str]
) -> Definition:
    """Read a class definition; ``attributes`` are those that objects of the known classes have.

    Raises ProgramError for what Python would run where the class is made; other flaws are those of the class.
    """
    kind, options = _decorated(source, node, look)
    frozen, keyword_only = options.get("frozen", False), options.get("kw_only", False)
    checks = _has_metaclass(source, node, look)
    bases: list[Class] = []
    unread: dict[str, ProgramError] = {}
    flaw: ProgramError | None = None
    for part in node.bases:
        found = look(part)
        base = known(part)
        if base is not None:
            bases.append(base)
        elif found == Known(Role.TYPE, "NamedTuple") and kind is Kind.PLAIN:
            kind = Kind.TUPLE
        elif isinstance(part, ast.Name) and _is_exception(part.id) and found is None:
            flaw = source.error(part, Refusal.UNSUPPORTED_CONSTRUCT, "exceptions as values are not supported")
        elif not (found in _HARMLESS or _is_generic(part, look) or _is_object(part, look)):
            shown = ast.unparse(part)
            raise source.error(
                part, Refusal.UNSUPPORTED_CONSTRUCT, f"the base class '{shown}' is not supported"
            )
        head = part.value if isinstance(part, ast.Subscript) else part
        checks = checks or look(head) in _ABSTRACT
        if look(head) == Known(Role.TYPE, "Protocol"):
            message = "an object of a protocol, or a test for one, is not supported: Python may raise"
            unread["__instancecheck__"] = source.error(part, Refusal.UNSUPPORTED_CONSTRUCT, message)
    functions = [item for item in node.body if isinstance(item, ast.FunctionDef) and not item.decorator_list]
    stored = {name for function in functions for name in stored_on(function)}
    reader = _Body(source, node, kind, look, keyword_only, {*attributes, *stored})
    reader.read()
    flaw = flaw or reader.flaw or _flaw_of_bases(source, node, kind, bases, frozen)
    own = Class(
        node.name,
        kind,
        tuple(bases),
        tuple(reader.fields),
        reader.methods,
        reader.values,
        reader.stored,
        {**unread, **reader.unread},
        frozen,
        checks,
        options.get("eq", True),
        decorated=frozenset(
            name for item in node.body if not _is_plain(item) for name in names_of_module(item)
        ).intersection(reader.unread),
    )
    if kind is not Kind.TUPLE:
        own = replace(own, fields=_with_bases(own))
    if flaw is None and _is_overlaid(own):
        flaw = source.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, "a method in the place of an attribute, or back"
        )
    if flaw is None and not _fits(own, node):
        message = "an attribute that '__slots__' has no place for, or may not have"
        flaw = source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if flaw is None and not _in_order(own.fields):
        flaw = source.error(node, Refusal.WRONG_CALL, "a field without a default follows one with a default")
    return Definition(replace(own, flaw=flaw), tuple(reader.left), tuple(reader.reaching))


def _is_plain(node: ast.stmt) -> bool:
    """Whether a statement of a class binds a function that is not abstract, or a constant."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return not node.decorator_list
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)


def _has_metaclass(source: Source, node: ast.ClassDef, look: Look) -> bool:
    """Whether the class says that it may be abstract.  Raises ProgramError for other keywords."""
    for item in node.keywords:
        if item.arg != "metaclass" or look(item.value) != Known(Role.CLASS_TOOL, "ABCMeta"):
            raise source.error(item, Refusal.UNSUPPORTED_CONSTRUCT, "a keyword of a class is not supported")
    return bool(node.keywords)


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def _is_object(node: ast.expr, look: Look) -> bool:
    return isinstance(node, ast.Name) and node.id == "object" and look(node) is None


def _is_generic(node: ast.expr, look: Look) -> bool:
    return isinstance(node, ast.Subscript) and look(node.value) in _HARMLESS


def _decorated(source: Source, node: ast.ClassDef, look: Look) -> tuple[Kind, dict[str, bool]]:
    """The kind of class by its decorator, and the options that this is given."""
    match node.decorator_list:
        case []:
            return Kind.PLAIN, {}
        case [decorator]:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if look(called) == Known(Role.CLASS_TOOL, "dataclass"):
                return Kind.DATA, _options(source, decorator, _DATA_OPTIONS)
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


# --- bases --------------------------------------------------------------------------------


def _flaw_of_bases(
    source: Source, node: ast.ClassDef, kind: Kind, bases: Sequence[Class], frozen: bool
) -> ProgramError | None:
    for base in bases:
        if base.flaw is not None:
            return base.flaw
        if base.labels is not None:
            message = f"the Enum '{base.name}' can't be extended"
            return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
        data = kind is base.kind or (base.kind is not Kind.DATA and not base.fields)
        if Kind.TUPLE in (kind, base.kind) or not data or (kind is Kind.DATA and frozen != base.frozen):
            message = f"a {kind.value} on top of the {base.kind.value} '{base.name}' is not supported"
            return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if linearised(bases) is None:
        return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "Python has no order for these bases")
    if sum(bool(base.fields) for base in bases) > 1:
        return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "fields of two bases are not supported")
    return None


def _is_overlaid(own: Class) -> bool:
    """Whether a method hides an attribute of another class of the line, or an attribute a method."""
    if any(item.name in each.unread for each in own.line for item in own.fields):
        return True
    return any(
        each.methods.keys() & {*other.values, *other.stored, *(item.name for item in other.fields)}
        for each in own.line
        for other in own.line
        if each is not other
    )


def _fits(own: Class, node: ast.ClassDef) -> bool:
    """Whether there is a slot for each attribute, if the class says which ones there are."""
    given = own.values.get("__slots__")
    places = {name for base in own.bases for name in base.attributes} | {item.name for item in own.fields}
    match given:
        case None:
            return own.attributes <= places or not _has_slots_of_fields(node)
        case ast.Constant(value=str(name)):
            return own.attributes - {name} <= places
        case ast.Tuple(elts=items) | ast.List(elts=items):
            named = {item.value for item in items if isinstance(item, ast.Constant)}
            return own.attributes - named <= places
        case _:
            return False


def _has_slots_of_fields(node: ast.ClassDef) -> bool:
    """Whether ``@dataclass(slots=True)`` makes a slot of each field."""
    calls = (item for item in node.decorator_list if isinstance(item, ast.Call))
    return any(word.arg == "slots" for call in calls for word in call.keywords)


def _with_bases(own: Class) -> tuple[Field, ...]:
    """The fields of a base dataclass, each as the class has it, and then the new ones."""
    mine = {item.name: item for item in own.fields}
    before = next((base.fields for base in own.bases if base.fields), ())
    kept = [mine.pop(item.name, item) for item in before]
    return (*kept, *mine.values())


def _in_order(fields: Sequence[Field]) -> bool:
    by_place = [item.default is None and not item.fresh for item in fields if not item.keyword_only]
    return by_place == sorted(by_place, reverse=True)


# --- members ------------------------------------------------------------------------------


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
    unread: dict[str, ProgramError] = field(default_factory=dict)
    left: list[tuple[ast.stmt, ProgramError]] = field(default_factory=list)
    reaching: list[ProgramError] = field(default_factory=list)
    flaw: ProgramError | None = None

    def read(self) -> None:
        """Read them all."""
        for statement in self.node.body:
            try:
                self._statement(statement)
            except ProgramError as error:
                self._leave(statement, error)
        bound = {*self.values, *self.methods, *self.unread, *(item.name for item in self.fields)}
        for value in self._evaluated():
            for part in ast.walk(value):
                if isinstance(part, ast.Name) and part.id in bound:
                    self._lack(part, f"'{part.id}' is a name of the class here")
        if self.kind is not Kind.PLAIN and "__init__" in self.methods:
            self._lack(self.methods["__init__"].node, f"'__init__' of a {self.kind.value} is not supported")

    def _evaluated(self) -> Iterator[ast.expr]:
        """Give what Python evaluates among the names of the class, of what is read."""
        yield from self.values.values()
        yield from (item.default for item in self.fields if item.default is not None)
        for method in self.methods.values():
            yield from (*evaluated.defaults(method.node), *method.node.decorator_list)

    def _lack(self, node: ast.expr | ast.stmt, message: str) -> None:
        if self.flaw is None:
            self.flaw = self._error(node, message)

    def _error(self, node: ast.expr | ast.stmt, message: str) -> ProgramError:
        return self.source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)

    def _leave(self, node: ast.stmt, error: ProgramError) -> None:
        """Don't read a statement, nor what it binds: Python may run something there."""
        self.left.append((node, error))
        if self.kind is not Kind.PLAIN and not isinstance(node, ast.FunctionDef):
            self.flaw = self.flaw or error  # it may be a field
        for name in names_of_module(node):
            self._hide(name, error)

    def _hide(self, name: str, error: ProgramError) -> None:
        """Let nothing use a member; the class, if Python uses it without being asked to."""
        if evaluated.is_special(name) and (name not in _ASKED_FOR or self.kind is Kind.TUPLE):
            self.flaw = self.flaw or error
        self.unread.setdefault(name, error)
        self.methods.pop(name, None)
        self.values.pop(name, None)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                evaluated.check_annotation(self.source, annotation)
                self._annotated(node, name, annotation, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                evaluated.check_value(self.source, value)
                if self._is_new(node, name):
                    self.values[name] = value
            case ast.FunctionDef():
                self._function(node)
            case _:
                raise self._error(node, f"{name_of(node)} in a class is not supported")

    def _is_new(self, node: ast.stmt, name: str) -> bool:
        """Whether a name of the class can be bound here, so that it has this meaning."""
        if any(item.name == name for item in self.fields):
            self._lack(node, f"'{name}' is defined twice in the class")
        if name in self.methods or name in self.values or name in self.unread:
            self._hide(name, self._error(node, f"'{name}' is defined twice in the class"))
        elif name.startswith("__") and name != "__slots__" and not self._is_special_method(node, name):
            self._hide(name, self._error(node, f"'{name}' in a class is not supported"))
        return name not in self.unread

    def _is_special_method(self, node: ast.stmt, name: str) -> bool:
        return name in _SPECIAL and isinstance(node, ast.FunctionDef)

    def _annotated(
        self, node: ast.AnnAssign, name: str, annotation: ast.expr, value: ast.expr | None
    ) -> None:
        meaning = field_types.meaning(annotation, self.look)
        if value is None and self.kind is Kind.PLAIN:
            return
        new = self._is_new(node, name)
        if self.kind is Kind.PLAIN or (self.kind is Kind.DATA and meaning is Meaning.OF_CLASS):
            if value is not None:
                evaluated.check_value(self.source, value)
                if new:
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
            return Field(name, given.get("default"), keyword_only, fresh, compared="compare" not in given)
        if value is not None:
            evaluated.check_value(self.source, value)
        return Field(name, value, self.keyword_only)

    def _function(self, node: ast.FunctionDef) -> None:
        if self._is_of_property(node):
            return  # assignments to properties are refused
        kind, abstract = self._kind(node)
        own = stored_on(node) if kind in ("", PROPERTY) and not _is_hidden(node.name) else {}
        is_source = partial(left_out.is_source, self.look)
        evaluated.check_head(self.source, node, is_source)
        if _has_slots_of_fields(self.node) and any(map(is_bare_super, ast.walk(node))):
            raise self._error(node, "'super()' is not supported where 'slots' makes another class")
        if not self._is_new(node, node.name):
            return
        try:
            evaluated.check_function(self.source, node, is_source, own, self.attributes)
        except ProgramError as error:
            self.reaching.append(error)
            self._hide(node.name, error)
            return
        for attr, count in own.items():
            self.stored[attr] = self.stored.get(attr, 0) + count
        self.methods[node.name] = Method(kind, node, abstract)

    def _is_of_property(self, node: ast.FunctionDef) -> bool:
        """Whether a function is what a property, which is read, does with an assignment."""
        match node.decorator_list:
            case [ast.Attribute(value=ast.Name(id=name), attr="setter" | "deleter")] if name == node.name:
                return name in self.methods and self.methods[name].kind == PROPERTY
            case _:
                return False

    def _kind(self, node: ast.FunctionDef) -> tuple[str, bool]:
        """What the decorators make of a function.  Raises ProgramError for others."""
        kind, abstract = "", False
        for decorator in node.decorator_list:
            known = self.look(decorator)
            if known == LEAVING:
                continue
            if known == Known(Role.CLASS_TOOL, "abstractmethod"):
                abstract = True
            elif self._is_python(decorator) and not kind:
                kind = ast.unparse(decorator)
            else:
                shown = ast.unparse(decorator)
                raise self.source.error(
                    decorator, Refusal.UNSUPPORTED_DECORATOR, f"the decorator '{shown}' is not supported"
                )
        return kind, abstract

    def _is_python(self, node: ast.expr) -> bool:
        """Whether a decorator is one of Python's."""
        return isinstance(node, ast.Name) and node.id in _DECORATORS and self.look(node) is None


def stored_on(node: ast.FunctionDef) -> dict[str, int]:
    """How often a method assigns each attribute of the object that it is called on."""
    found: dict[str, int] = {}
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store()) if name == receiver(node):
                found[attr] = found.get(attr, 0) + 1
    return found


def _is_hidden(name: str) -> bool:
    """Whether Python may call a method of that name where a class is defined."""
    return name.startswith("__") and name not in _SPECIAL


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
