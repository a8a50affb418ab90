"""Statements of Python's text, but for definitions.

Source: The Python Language Reference, "Simple statements" and "Compound statements".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from types import EllipsisType

from synth.validation import attributes, items, operators
from synth.validation.expressions import Expressions, host_errors
from synth.validation.runs import Place
from synth.validation.scopes import home
from synth.validation.values import (
    ClassValue,
    ExceptionValue,
    Instance,
    Namespace,
    Native,
    NotComputed,
    Raised,
    Scope,
    Unknown,
    Value,
)
from synth.validation.ways import Draw

_GENERIC = ("list", "tuple", "dict", "set", "frozenset", "type")
"""Types of Python's own that take types in brackets."""


class Returned(Exception):
    """A function ends with a value."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class Left(Exception):
    """A loop is left."""


class Skipped(Exception):
    """The rest of a round is left out."""


class Statements(Expressions):
    """What a run does with statements; ``errors`` are the exceptions that are handled at the moment."""

    def __init__(self, draw: Draw, steps: int, reals: Mapping[Place, bool | None]) -> None:
        super().__init__(draw, steps, reals)
        self.errors: list[ExceptionValue] = []

    def block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        """Run statements."""
        for statement in body:
            self.step()
            getattr(self, f"_{type(statement).__name__}", self._unknown)(statement, scope)

    def _Expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)

    def _Pass(self, node: ast.Pass, scope: Scope) -> None:
        pass

    def _Return(self, node: ast.Return, scope: Scope) -> None:
        raise Returned(None if node.value is None else self.value(node.value, scope))

    def _Break(self, node: ast.Break, scope: Scope) -> None:
        raise Left

    def _Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise Skipped

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
                home(name, scope)[name] = value
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
                    del home(name, scope)[name]
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
            except Left:
                return
            except Skipped:
                continue
        self.block(node.orelse, scope)

    def _while(self, test: ast.expr, scope: Scope) -> Iterator[None]:
        while self.test(test, scope):
            self.step()
            yield

    def _for(self, node: ast.For, scope: Scope) -> Iterator[None]:
        values = self.value(node.iter, scope)
        self.branches.note_rounds(node.iter, values)
        for value in self.each(self.entries(values)):
            self.assign(node.target, value, scope)
            yield

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
            home(handler.name, scope)[handler.name] = caught
        self.errors.append(caught)
        try:
            self.block(handler.body, scope)
        finally:
            self.errors.pop()
            if handler.name is not None:
                home(handler.name, scope).pop(handler.name, None)

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
                    home(name, scope)[name] = value
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


def _is_a(error: ExceptionValue, kind: Value) -> bool:
    if isinstance(error.type, ClassValue):
        return error.type.inherits(kind)
    return isinstance(kind, type) and issubclass(error.type, kind)
