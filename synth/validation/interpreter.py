"""A naive interpreter of Python's text: statement by statement, on values of its own.

It knows nothing of core programs, and nothing of how the reader reads.  What it doesn't know it doesn't
compute.
Source: The Python Language Reference, "Simple statements" to "Compound statements", and "Expressions".
"""

from __future__ import annotations

import ast
import builtins as python
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from types import EllipsisType, MappingProxyType
from typing import Any

from synth.validation import attributes, classes, items, modules, operators
from synth.validation.builtin_functions import BUILTINS
from synth.validation.runs import NOWHERE, Place
from synth.validation.scopes import names_of
from synth.validation.values import (
    Array,
    Bound,
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    Marked,
    Member,
    NamedTupleType,
    Namespace,
    Native,
    NotComputed,
    Raised,
    Scope,
    Uniform,
    Unknown,
    UnknownText,
    Value,
    is_number,
    plain,
)
from synth.validation.ways import Draw

_HOST_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What Python's own functions raise."""

_DEEPEST = 60

_GENERIC = ("list", "tuple", "dict", "set", "frozenset", "type")


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


@contextmanager
def host_errors() -> Iterator[None]:
    """What Python's own functions raise is raised by the program."""
    try:
        yield
    except (RecursionError, NotImplementedError):
        raise NotComputed("deep recursion") from None
    except _HOST_ERRORS as error:
        raise Raised(ExceptionValue(type(error), error.args)) from None


class Interpreter:
    """One run of a program's text, in which ``draw`` says how draws fall; it takes at most so many steps."""

    def __init__(
        self,
        draw: Draw,
        steps: int,
        reals: Mapping[Place, bool | None],
        files: Mapping[str, ast.Module] = MappingProxyType({}),
    ) -> None:
        self.draw = draw
        self.steps = steps
        self.reals = reals
        self.files = files
        self.loaded: dict[str, Namespace] = {}
        self.place: Place = (0, 0)
        self.depth = 0
        self.errors: list[ExceptionValue] = []

    # --- modules and functions ------------------------------------------------------------------

    def module(self, tree: ast.Module) -> Scope:
        """Run the statements of a module, and give its names."""
        names: dict[str, Value] = {"__name__": "hunted"}
        scope = Scope(names, names=names)
        self.block(tree.body, scope)
        return scope

    def _imported(self, name: str) -> Value:
        """A module, and those that it is below of are imported before.  Raises Raised, NotComputed."""
        first = name.partition(".")[0]
        if not any(path == f"{first}.py" or path.startswith(f"{first}/") for path in self.files):
            return modules.module(name)
        if first in sys.stdlib_module_names:
            raise NotComputed("a file with the name of a module of Python's")
        parts = name.split(".")
        found = self._own(first)
        for place in range(1, len(parts)):
            found = self._own(".".join(parts[: place + 1]), found)
        return found

    def _own(self, name: str, above: Namespace | None = None) -> Namespace:
        """A file of the user as a module, which the package above it has from its first import on."""
        if name in self.loaded:
            return self.loaded[name]
        path = name.replace(".", "/")
        found = [self.files[item] for item in (f"{path}.py", f"{path}/__init__.py") if item in self.files]
        if len(found) > 1:
            raise NotComputed("a module and a package of one name")
        package = name.rpartition(".")[0] if f"{path}.py" in self.files else name
        names: dict[str, Value] = {"__name__": name, "__package__": package}
        made = self.loaded[name] = Namespace(name, names)
        for tree in found:  # none for a package of which no text is needed
            self.block(tree.body, Scope(names, names=names))
        if above is not None:
            above.members[name.rpartition(".")[2]] = made
        return made

    def call(
        self, function: Value, arguments: list[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """What a call gives.  Raises Raised, NotComputed."""
        named = dict(keywords or {})
        match function:
            case Function():
                return self._called(function, arguments, named)
            case Bound(inner, first):
                return self.call(inner, [first, *arguments], named)
            case Marked(kind="static", function=inner):
                return self.call(inner, arguments, named)
            case Native():
                return self._native(function, arguments, named)
            case ClassValue():
                return classes.make(self, function, arguments, named)
            case NamedTupleType():
                with host_errors():
                    return classes.named_tuple(function, arguments, named)
            case type() if issubclass(function, BaseException):
                return ExceptionValue(function, tuple(arguments))
            case type() if issubclass(function, classes.Base):
                return classes.by_call(function, arguments, named)
            case type():
                raise NotComputed(f"a call of {function}")
            case Instance() if function.type.find("__call__") is not None:
                return self.call(function.type.find("__call__"), [function, *arguments], named)
            case Unknown():
                raise NotComputed(f"a call of {function.name}")
        raise Raised(ExceptionValue(TypeError, ("not callable",)))

    def _native(self, function: Native, arguments: list[Value], named: dict[str, Value]) -> Value:
        with host_errors():
            try:
                return function.run(self, *arguments, **named)
            except (TypeError, AttributeError) as error:
                if function.is_library:
                    raise NotComputed(f"{function.name}: {error}") from None
                raise

    def _called(self, function: Function, arguments: list[Value], named: dict[str, Value]) -> Value:
        node = function.node
        if self.depth > _DEEPEST:
            raise NotComputed("deep recursion")
        names = names_of(node)
        given = _bind(function, arguments, named)
        local = names.bound | given.keys()
        scope = Scope(function.scope.module, _functions(function.scope), local, names.outer, given)
        if names.yields:
            return self._generator(node, scope)
        self.depth += 1
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, scope)
            self.block(node.body, scope)
        except _Return as found:
            return found.value
        finally:
            self.depth -= 1
        return None

    # --- generators -----------------------------------------------------------------------------

    def _generator(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Iterator[Value]:
        """What a function yields, while somebody asks for it."""
        if isinstance(node, ast.Lambda):
            raise NotComputed("a lambda that yields")
        try:
            yield from self._yielded(node.body, scope)
        except _Return:
            return
        except Raised as error:
            if error.value.type is StopIteration:
                raise Raised(ExceptionValue(RuntimeError, ("generator raised StopIteration",))) from None
            raise

    def _yielded(self, body: Iterable[ast.stmt], scope: Scope) -> Iterator[Value]:
        for statement in body:
            self._step()
            if not _yields(statement):
                self.block([statement], scope)
                continue
            match statement:
                case ast.Expr(value=ast.Yield(value=value)) if value is None or not _yields(value):
                    yield None if value is None else self.value(value, scope)
                case ast.Expr(value=ast.YieldFrom(value=value)) if not _yields(value):
                    yield from self.each(self.entries(self.value(value, scope)))
                case ast.If(test=test) if not _yields(test):
                    yield from self._yielded(
                        statement.body if self.test(test, scope) else statement.orelse, scope
                    )
                case ast.While(test=test) if not _yields(test):
                    yield from self._yielded_in_rounds(statement, self._while(test, scope), scope)
                case ast.For(iter=values) if not _yields(values):
                    yield from self._yielded_in_rounds(statement, self._for(statement, scope), scope)
                case _:
                    raise NotComputed("yield elsewhere")

    def _yielded_in_rounds(
        self, node: ast.While | ast.For, rounds: Iterator[None], scope: Scope
    ) -> Iterator[Value]:
        for _ in rounds:
            try:
                yield from self._yielded(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        yield from self._yielded(node.orelse, scope)

    # --- statements -----------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        """Run statements."""
        for statement in body:
            self._step()
            getattr(self, f"_{type(statement).__name__}", self._unknown)(statement, scope)

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise NotComputed("a long run")

    def _unknown(self, node: ast.AST, _scope: Scope) -> Value:
        raise NotComputed(f"{type(node).__name__}")

    def _Expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)

    def _Pass(self, node: ast.Pass, scope: Scope) -> None:
        pass

    def _Return(self, node: ast.Return, scope: Scope) -> None:
        raise _Return(None if node.value is None else self.value(node.value, scope))

    def _Break(self, node: ast.Break, scope: Scope) -> None:
        raise _Break

    def _Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise _Continue

    def _Global(self, node: ast.Global, scope: Scope) -> None:
        pass

    _Nonlocal = _Global

    def _Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.value(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def _AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.assign(node.target, self.value(node.value, scope), scope)
        if scope.is_class or scope.parent is None:
            self._annotation(node.annotation, scope)
        if (
            scope.is_class
            and isinstance(node.target, ast.Name)
            and not self._is_shared(node.annotation, scope)
        ):
            scope.names.setdefault("__fields__", []).append(ast.unparse(node.target))

    def _is_shared(self, annotation: ast.expr, scope: Scope) -> bool:
        """Whether an annotation says that a name is the class's, and no field of its objects.

        Raises NotComputed where a dataclass may look at it in another way.
        """
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            first = re.match(r"\s*(\w+)", annotation.value)
            if first is not None and isinstance(scope.module.get(first[1]), Unknown | Namespace):
                raise NotComputed("an annotation in a text")
            return False
        base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        found = self.value(base, scope) if isinstance(base, ast.Name | ast.Attribute) else None
        name = found.name if isinstance(found, Unknown) else ""
        if name.endswith((".InitVar", ".KW_ONLY")):
            raise NotComputed(name)
        return name == "typing.ClassVar"

    def _AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        symbol = operators.SYMBOLS[type(node.op)]

        def changed(old: Value) -> Value:
            other = self.value(node.value, scope)
            with host_errors():
                return operators.in_place(self, symbol, old, other)

        match node.target:
            case ast.Name(id=name):
                self.assign(node.target, changed(self.name(name, scope)), scope)
            case ast.Attribute(value=inner, attr=name):
                owner = self.value(inner, scope)
                new = changed(attributes.get(self, owner, name))
                with host_errors():
                    attributes.put(self, owner, name, new)
            case ast.Subscript(value=inner, slice=place):
                owner, key = self.value(inner, scope), self.value(place, scope)
                with host_errors():
                    old = items.get(self, owner, key)
                new = changed(old)
                with host_errors():
                    items.put(self, owner, key, new)

    def assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assign to a target."""
        match target:
            case ast.Name(id=name):
                _home(name, scope)[name] = value
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._unpack(parts, list(self.entries(value)), scope)
            case ast.Attribute(value=inner, attr=name):
                owner = self.value(inner, scope)
                with host_errors():
                    attributes.put(self, owner, name, value)
            case ast.Subscript(value=inner, slice=place):
                owner, key = self.value(inner, scope), self.value(place, scope)
                with host_errors():
                    items.put(self, owner, key, value)
            case _:
                raise NotComputed(type(target).__name__)

    def _unpack(self, parts: list[ast.expr], values: list[Value], scope: Scope) -> None:
        starred = [place for place, part in enumerate(parts) if isinstance(part, ast.Starred)]
        if (not starred and len(parts) != len(values)) or (starred and len(values) < len(parts) - 1):
            raise Raised(ExceptionValue(ValueError, ("unpack",)))
        if starred:
            (place,) = starred
            rest = len(parts) - place - 1
            middle = values[place : len(values) - rest]
            values = [*values[:place], middle, *values[len(values) - rest :]]
        for part, value in zip(parts, values, strict=True):
            self.assign(part.value if isinstance(part, ast.Starred) else part, value, scope)

    def _Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            match target:
                case ast.Name(id=name):
                    self.name(name, scope)
                    del _home(name, scope)[name]
                case ast.Subscript(value=inner, slice=place):
                    owner, key = self.value(inner, scope), self.value(place, scope)
                    with host_errors():
                        items.remove(owner, key)
                case _:
                    raise NotComputed("del")

    def _If(self, node: ast.If, scope: Scope) -> None:
        self.block(node.body if self.test(node.test, scope) else node.orelse, scope)

    def _While(self, node: ast.While, scope: Scope) -> None:
        self._rounds(node, self._while(node.test, scope), scope)

    def _For(self, node: ast.For, scope: Scope) -> None:
        self._rounds(node, self._for(node, scope), scope)

    def _rounds(self, node: ast.While | ast.For, rounds: Iterator[None], scope: Scope) -> None:
        for _ in rounds:
            try:
                self.block(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        self.block(node.orelse, scope)

    def _while(self, test: ast.expr, scope: Scope) -> Iterator[None]:
        while self.test(test, scope):
            self._step()
            yield

    def _for(self, node: ast.For, scope: Scope) -> Iterator[None]:
        for value in self.each(self.entries(self.value(node.iter, scope))):
            self.assign(node.target, value, scope)
            yield

    def each(self, values: Iterator[Value]) -> Iterator[Value]:
        """What an iterator gives, each for one step."""
        while True:
            self._step()
            with host_errors():
                found = next(values, _END)
            if found is _END:
                return
            yield found

    def _Assert(self, node: ast.Assert, scope: Scope) -> None:
        if not self.test(node.test, scope):
            raise Raised(ExceptionValue(AssertionError))

    def _Raise(self, node: ast.Raise, scope: Scope) -> None:
        if node.exc is None:
            if not self.errors:
                raise Raised(ExceptionValue(RuntimeError))
            raise Raised(self.errors[-1])
        value = self.value(node.exc, scope)
        if isinstance(value, type | ClassValue):
            value = self.call(value, [])
        if isinstance(value, Instance):
            value = ExceptionValue(value.type, tuple(value.names.get("args", ())))
        if not isinstance(value, ExceptionValue):
            raise Raised(ExceptionValue(TypeError, ("no exception",)))
        raise Raised(value)

    def _Try(self, node: ast.Try, scope: Scope) -> None:
        try:
            self._tried(node, scope)
        finally:
            if node.finalbody:
                self.block(node.finalbody, scope)

    def _tried(self, node: ast.Try, scope: Scope) -> None:
        try:
            self.block(node.body, scope)
        except Raised as error:
            handler = self._handler(node, error.value, scope)
            if handler is None:
                raise
            caught = error.value
        else:
            self.block(node.orelse, scope)
            return
        if handler.name is not None:
            _home(handler.name, scope)[handler.name] = caught
        self.errors.append(caught)
        try:
            self.block(handler.body, scope)
        finally:
            self.errors.pop()
            if handler.name is not None:
                _home(handler.name, scope).pop(handler.name, None)

    def _handler(self, node: ast.Try, error: ExceptionValue, scope: Scope) -> ast.ExceptHandler | None:
        for handler in node.handlers:
            if handler.type is None:
                return handler
            kinds = self.value(handler.type, scope)
            if any(_is_a(error, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))):
                return handler
        return None

    def _With(self, node: ast.With, scope: Scope) -> None:
        raise NotComputed("with")

    # --- definitions ----------------------------------------------------------------------------

    def _Import(self, node: ast.Import, scope: Scope) -> None:
        for item in node.names:
            first, _, rest = item.name.partition(".")
            module = self._imported(item.name)
            if rest and not item.asname:
                module = self._imported(first)
            _home(item.asname or first, scope)[item.asname or first] = module

    def _ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        name = self._absolute(node, scope)
        module = self._imported(name)
        is_own = name in self.loaded
        for item in node.names:
            if item.name == "*":
                if not isinstance(module, Namespace) or is_own or name.startswith("numpy"):
                    raise NotComputed(f"all of {name}")
                _home("*", scope).update(modules.shown(module))
                continue
            bound = item.asname or item.name
            member = self._member(name, item.name) if is_own else modules.member(name, item.name)
            _home(bound, scope)[bound] = member

    def _absolute(self, node: ast.ImportFrom, scope: Scope) -> str:
        """The name of the module that an import names, also by its place."""
        if not node.level:
            return node.module or ""
        package = str(scope.module.get("__package__", "")).split(".")
        parts = package[: len(package) - node.level + 1]
        if not parts or not parts[0]:
            raise NotComputed("an import beside the file")
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _member(self, of: str, name: str) -> Value:
        module = self._own(of)
        if name in module.members:
            return module.members[name]
        path = f"{of}.{name}".replace(".", "/")
        if f"{path}.py" in self.files or f"{path}/__init__.py" in self.files:
            return self._imported(f"{of}.{name}")
        raise NotComputed(f"{name} of {of}")

    def _FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        function: Value = self._function(node, scope)
        for decorator in reversed(node.decorator_list):
            if not self._is_specification(decorator, scope):
                function = self.call(self.value(decorator, scope), [function])
        _home(node.name, scope)[node.name] = function

    def _annotation(self, node: ast.expr | None, scope: Scope) -> None:
        """Evaluate what says a type.  Raises Raised, NotComputed."""
        names = scope.module.values()
        texts = any(isinstance(item, Unknown) and item.name == "__future__.annotations" for item in names)
        if node is not None and not texts:
            self._type(node, scope)

    def _type(self, node: ast.expr, scope: Scope) -> Value:
        match node:
            case ast.Constant(value=str() | None | EllipsisType()):
                return node.value
            case ast.Name():
                return self.name(node.id, scope)
            case ast.Attribute(value=inner):
                return attributes.get(self, self._type(inner, scope), node.attr)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                parts = [self._type(item, scope) for item in (left, right)]
                if any(part is None or isinstance(part, str) for part in parts[:1]) or isinstance(
                    parts[1], str
                ):
                    raise NotComputed("a union with a text")
                return Unknown("a type")
            case ast.Subscript(value=inner, slice=place):
                owner = self._type(inner, scope)
                if isinstance(owner, Native) and owner.name in ("int", "float", "bool", "str"):
                    raise Raised(ExceptionValue(TypeError, ("not subscriptable",)))
                for item in place.elts if isinstance(place, ast.Tuple) else [place]:
                    self._type(item, scope)
                if isinstance(owner, Unknown) or (isinstance(owner, Native) and owner.name in _GENERIC):
                    return Unknown("a type")
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self._type(item, scope) for item in parts]
        raise NotComputed("an annotation")

    def _is_specification(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether it says what the mechanism is private of, and does nothing."""
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = self.value(inner, scope) if isinstance(inner, ast.Name | ast.Attribute) else None
        return isinstance(found, Unknown) and found.name in ("synth.lang.mechanism", "synth.mechanism")

    def _function(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Function:
        defaults = tuple(self.value(item, scope) for item in node.args.defaults)
        keyword_only = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        named = {item.arg: self.value(value, scope) for item, value in keyword_only if value is not None}
        if isinstance(node, ast.FunctionDef) and scope.parent is not None and not scope.is_class:
            for item in ast.walk(node.args):
                if isinstance(item, ast.arg):
                    self._annotation(item.annotation, scope)
            self._annotation(node.returns, scope)
        return Function(node, scope, defaults, named)

    def _ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = Scope(scope.module, scope, names={}, is_class=True)
        bases = tuple(self.value(item, scope) for item in node.bases)
        for item in node.keywords:
            raise NotComputed(f"a class with {item.arg}")
        self.block(node.body, inner)
        with host_errors():
            found = classes.define(self, node.name, bases, inner.names)
        for decorator in reversed(node.decorator_list):
            found = self.call(self.value(decorator, scope), [found])
        _home(node.name, scope)[node.name] = found

    def _Match(self, node: ast.Match, scope: Scope) -> None:
        subject = self.value(node.subject, scope)
        for case in node.cases:
            if self._matches(case.pattern, subject, scope) and (
                case.guard is None or self.test(case.guard, scope)
            ):
                self.block(case.body, scope)
                return

    def _matches(self, pattern: ast.pattern, value: Value, scope: Scope) -> bool:
        match pattern:
            case ast.MatchValue(value=node):
                with host_errors():
                    return self.truth(operators.compare(self, "==", value, self.value(node, scope)))
            case ast.MatchSingleton(value=single):
                return value is single
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None and not self._matches(inner, value, scope):
                    return False
                if name is not None:
                    _home(name, scope)[name] = value
                return True
            case ast.MatchOr(patterns=patterns):
                return any(self._matches(item, value, scope) for item in patterns)
            case ast.MatchSequence(patterns=patterns) if not any(
                isinstance(item, ast.MatchStar) for item in patterns
            ):
                if not isinstance(value, list | tuple):
                    return False
                return len(value) == len(patterns) and all(
                    self._matches(item, entry, scope) for item, entry in zip(patterns, value, strict=True)
                )
        raise NotComputed(type(pattern).__name__)

    # --- names ----------------------------------------------------------------------------------

    def name(self, name: str, scope: Scope) -> Value:
        """What a name means."""
        place: Scope | None = scope
        while place is not None:
            if place.outer.get(name) is True:
                break
            if name in place.names and (place is scope or not place.is_class):
                return place.names[name]
            if name in place.local and name not in place.outer:
                kind = UnboundLocalError if place is scope else NameError
                raise Raised(ExceptionValue(kind, (name,)))
            place = place.parent
        if name in scope.module:
            return scope.module[name]
        if name in BUILTINS:
            return BUILTINS[name]
        if hasattr(python, name):
            return Unknown(name)
        raise Raised(ExceptionValue(NameError, (name,)))

    # --- expressions ----------------------------------------------------------------------------

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression.  Raises Raised, NotComputed."""
        self._step()
        return getattr(self, f"_{type(node).__name__}", self._unknown)(node, scope)

    def test(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is true."""
        return self.truth(self.value(node, scope))

    def truth(self, value: Value) -> bool:
        """Whether a value is true."""
        match plain(value):
            case Array(entries=[entry]):
                return self.truth(entry)
            case Array():
                raise Raised(ExceptionValue(ValueError, ("ambiguous",)))
            case Instance() as found:
                for name in ("__bool__", "__len__"):
                    if found.type.find(name) is not None:
                        return self.truth(self.call(found.type.find(name), [found]))
                return True
            case Unknown() | Uniform() | UnknownText():
                raise NotComputed("the truth of something unknown")
            case float() as number if number != 0 and abs(number) < 1e-9:
                raise NotComputed("the truth of a number that isn't known exactly")
            case bool() | int() | Fraction() | float() | str() | None as found:
                return bool(found)
            case list() | tuple() | dict() | set() | frozenset() | range() as found:
                return bool(found)
        return True

    def entries(self, value: Value) -> Iterator[Value]:
        """What a loop goes through."""
        match value:
            case Array(entries=entries):
                value.seen = value.seen or any(isinstance(item, Array) for item in entries)
                return iter(entries)
            case list() | tuple() | dict() | str() | range():
                return iter(value)
            case set() | frozenset():
                if any(not isinstance(item, int) for item in value) and len(value) > 1:
                    raise NotComputed("the order of a set")
                return iter(value)
            case ClassValue(is_enum=True):
                named = value.names.items()
                return iter([item for name, item in named if isinstance(item, Member) and item.name == name])
            case Instance() | Unknown() | ClassValue() | UnknownText():
                raise NotComputed("a loop through an object")
            case _ if isinstance(value, Iterator) or type(value).__name__.startswith("dict_"):
                return iter(value)
        raise Raised(ExceptionValue(TypeError, ("not iterable",)))

    def _Constant(self, node: ast.Constant, _scope: Scope) -> Value:
        match node.value:
            case float() as number:
                if number in (float("inf"),):
                    raise NotComputed("a large number")
                return Fraction(repr(number))
            case bool() | int() | str() | None as found:
                return found
            case found if found is Ellipsis:
                return found
        raise NotComputed("a constant")

    def _Name(self, node: ast.Name, scope: Scope) -> Value:
        return self.name(node.id, scope)

    def _Tuple(self, node: ast.Tuple, scope: Scope) -> Value:
        return tuple(self._values(node.elts, scope))

    def _List(self, node: ast.List, scope: Scope) -> Value:
        return self._values(node.elts, scope)

    def _Set(self, node: ast.Set, scope: Scope) -> Value:
        values = self._values(node.elts, scope)
        with host_errors():
            return {items.key(item) for item in values}

    def _values(self, nodes: list[ast.expr], scope: Scope) -> list[Value]:
        found: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.each(self.entries(self.value(node.value, scope)))
            else:
                found.append(self.value(node, scope))
        return found

    def _Dict(self, node: ast.Dict, scope: Scope) -> Value:
        found: dict[Value, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(self.value(value, scope))
                continue
            name = self.value(key, scope)
            with host_errors():
                found[items.key(name)] = self.value(value, scope)
        return found

    def _BinOp(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        with host_errors():
            return operators.binary(self, operators.SYMBOLS[type(node.op)], left, right)

    def _UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Value:
        value = self.value(node.operand, scope)
        with host_errors():
            return operators.unary(self, node.op, value)

    def _BoolOp(self, node: ast.BoolOp, scope: Scope) -> Value:
        found: Value = None
        for operand in node.values:
            found = self.value(operand, scope)
            if operand is not node.values[-1] and self.truth(found) == isinstance(node.op, ast.Or):
                return found
        return found

    def _Compare(self, node: ast.Compare, scope: Scope) -> Value:
        left, found = self.value(node.left, scope), True
        for place, (symbol, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.value(other, scope)
            found = self._compared(symbol, left, right)
            if place < len(node.ops) - 1 and not self.truth(found):
                return found
            left = right
        return found

    def _compared(self, symbol: ast.cmpop, left: Value, right: Value) -> Value:
        match symbol:
            case ast.Is() | ast.IsNot():
                if left is not None and right is not None and is_number(left) and is_number(right):
                    if not isinstance(left, bool) or not isinstance(right, bool):
                        raise NotComputed("the identity of numbers")
                if isinstance(left, str | tuple) and isinstance(right, str | tuple):
                    raise NotComputed("the identity of texts")
                same = left is right or (isinstance(left, Member) and left == right)
                return same == isinstance(symbol, ast.Is)
            case ast.In() | ast.NotIn():
                with host_errors():
                    values = right if isinstance(right, dict | set | frozenset | str) else self.entries(right)
                    return operators.contains(self, values, left) == isinstance(symbol, ast.In)
        with host_errors():
            return operators.compare(self, operators.SYMBOLS[type(symbol)], left, right)

    def _IfExp(self, node: ast.IfExp, scope: Scope) -> Value:
        return self.value(node.body if self.test(node.test, scope) else node.orelse, scope)

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Value:
        value, place = self.value(node.value, scope), scope
        while "." in place.local and place.parent is not None:  # of a comprehension
            place = place.parent
        _home(node.target.id, place)[node.target.id] = value
        return value

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> Value:
        return self._function(node, scope)

    def _Call(self, node: ast.Call, scope: Scope) -> Value:
        match node:
            case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
                return self._super(scope)
        function = self.value(node.func, scope)
        arguments = self._values(node.args, scope)
        named: dict[str, Value] = {}
        for item in node.keywords:
            value = self.value(item.value, scope)
            if item.arg is None:
                if not isinstance(value, dict):
                    raise NotComputed("arguments by a mapping")
                named.update(value)
            else:
                named[item.arg] = value
        self.place = _place(node, scope)
        return self.call(function, arguments, named)

    def _super(self, scope: Scope) -> Value:
        place: Scope | None = scope
        while place is not None and "__class__" not in place.names:
            place = place.parent
        if place is None:
            raise NotComputed("super")
        first = next(iter(place.names.values()))
        return attributes.Above(place.names["__class__"], first)

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        return attributes.get(self, value, node.attr)

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        owner, key = self.value(node.value, scope), self.value(node.slice, scope)
        with host_errors():
            return items.get(self, owner, key)

    def _Slice(self, node: ast.Slice, scope: Scope) -> Value:
        ends = [
            None if item is None else self.value(item, scope) for item in (node.lower, node.upper, node.step)
        ]
        return slice(*ends)

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> Value:
        known, parts = True, []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.value(part.value, scope)
                known = known and type(value) in (str, int, bool) and not part.format_spec
                known = known and part.conversion == -1
                parts.append(str(value) if known else "")
            else:
                parts.append(str(getattr(part, "value", "")))
        return "".join(parts) if known else UnknownText()

    # --- comprehensions -------------------------------------------------------------------------

    def _ListComp(self, node: ast.ListComp, scope: Scope) -> Value:
        return list(self._comprehended(node, scope))

    def _SetComp(self, node: ast.SetComp, scope: Scope) -> Value:
        found = list(self._comprehended(node, scope))
        with host_errors():
            return {items.key(item) for item in found}

    def _GeneratorExp(self, node: ast.GeneratorExp, scope: Scope) -> Value:
        return self._comprehended(node, scope)

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> Value:
        found: dict[Value, Value] = {}
        for key, value in self._comprehended(node, scope):
            with host_errors():
                found[items.key(key)] = value
        return found

    def _comprehended(self, node: Any, scope: Scope) -> Iterator[Value]:
        generators: list[ast.comprehension] = node.generators
        first = self.entries(self.value(generators[0].iter, scope))
        names = {
            ".",
            *(item.id for one in generators for item in ast.walk(one.target) if isinstance(item, ast.Name)),
        }
        inner = Scope(scope.module, scope, frozenset(names))

        def results(place: int, values: Iterator[Value]) -> Iterator[Value]:
            generator = generators[place]
            for value in self.each(values):
                self.assign(generator.target, value, inner)
                if not all(self.test(condition, inner) for condition in generator.ifs):
                    continue
                if place + 1 < len(generators):
                    below = self.entries(self.value(generators[place + 1].iter, inner))
                    yield from results(place + 1, below)
                elif isinstance(node, ast.DictComp):
                    yield self.value(node.key, inner), self.value(node.value, inner)
                else:
                    yield self.value(node.elt, inner)

        return results(0, first)


def _place(node: ast.Call, scope: Scope) -> Place:
    """Where a call stands in the program's file; nowhere if it is in another one."""
    return NOWHERE if "__package__" in scope.module else (node.lineno, node.col_offset + 1)


_END = object()


def _yields(node: ast.AST) -> bool:
    """Whether there is a yield in a node, of an inner function too."""
    return any(isinstance(item, ast.Yield | ast.YieldFrom) for item in ast.walk(node))


def _functions(scope: Scope) -> Scope:
    """The scope that functions inside of it see: that of a class is passed over."""
    while scope.is_class and scope.parent is not None:
        scope = scope.parent
    return scope


def _home(name: str, scope: Scope) -> dict[str, Value]:
    """Where a name of a scope is bound."""
    if scope.outer.get(name) is True:
        return scope.module
    if scope.outer.get(name) is False:
        place = scope.parent
        while place is not None and (place.is_class or name not in place.local or name in place.outer):
            place = place.parent
        if place is None:
            raise NotComputed("nonlocal")
        return place.names
    return scope.names


def _is_a(error: ExceptionValue, kind: Value) -> bool:
    if isinstance(error.type, ClassValue):
        return error.type.inherits(kind)
    return isinstance(kind, type) and issubclass(error.type, kind)


def _bind(function: Function, arguments: list[Value], named: dict[str, Value]) -> dict[str, Value]:
    """The parameters by their values.  Raises Raised."""
    args = function.node.args
    positional = [*args.posonlyargs, *args.args]
    if len(arguments) > len(positional) and args.vararg is None:
        raise Raised(ExceptionValue(TypeError, ("too many arguments",)))
    found = {item.arg: value for item, value in zip(positional, arguments, strict=False)}
    only = {item.arg for item in args.posonlyargs}
    rest: dict[str, Value] = {}
    for name, value in named.items():
        known = name in {item.arg for item in (*args.args, *args.kwonlyargs)}
        if (name in found and known) or (not known and args.kwarg is None):
            raise Raised(ExceptionValue(TypeError, ("an argument",)))
        if known and name not in only:
            found[name] = value
        else:
            rest[name] = value
    behind = positional[len(positional) - len(function.defaults) :]
    for item, value in zip(behind, function.defaults, strict=True):
        found.setdefault(item.arg, value)
    for name, value in function.keyword_defaults.items():
        found.setdefault(name, value)
    if any(item.arg not in found for item in (*positional, *args.kwonlyargs)):
        raise Raised(ExceptionValue(TypeError, ("an argument is missing",)))
    if args.vararg is not None:
        found[args.vararg.arg] = tuple(arguments[len(positional) :])
    if args.kwarg is not None:
        found[args.kwarg.arg] = rest
    if function.owner is not None:
        found["__class__"] = function.owner
    order = [item.arg for item in positional if item.arg in found]
    return {**{name: found[name] for name in order}, **found}
