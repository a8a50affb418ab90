"""Names and expressions of Python's text, and what is asked of their values.

Source: The Python Language Reference, "Expressions".
"""

from __future__ import annotations

import ast
import builtins as python
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from synth.validation import attributes, items, operators
from synth.validation.branches import Branches
from synth.validation.builtin_functions import BUILTINS
from synth.validation.runs import NOWHERE, Place
from synth.validation.scopes import home
from synth.validation.values import (
    Array,
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    Member,
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

_END = object()


@contextmanager
def host_errors() -> Iterator[None]:
    """What Python's own functions raise is raised by the program."""
    try:
        yield
    except (RecursionError, NotImplementedError):
        raise NotComputed("deep recursion") from None
    except (OverflowError, MemoryError):  # a core program knows no largest number
        raise NotComputed("a large number") from None
    except _HOST_ERRORS as error:
        raise Raised(ExceptionValue(type(error), error.args)) from None


class Expressions:
    """What a run does with expressions; calls and assignments are the interpreter's.

    ``draw`` says how draws fall; the run takes at most so many ``steps``.  ``reals`` says where noise of
    ``synth.lang`` is real though its centre may be an integer; ``place`` is the call that it has come to,
    and ``branches`` are the ways that its tests went.
    """

    def __init__(self, draw: Draw, steps: int, reals: Mapping[Place, bool | None]) -> None:
        self.draw = draw
        self.steps = steps
        self.reals = reals
        self.branches = Branches()
        self.place: Place = (0, 0)

    def call(
        self, function: Value, arguments: list[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """What a call gives.  Raises Raised, NotComputed."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Assign to a target.  Raises Raised, NotComputed."""
        raise NotImplementedError

    def function(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Function:
        """The function of a definition.  Raises Raised, NotComputed."""
        raise NotImplementedError

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise NotComputed("a long run")

    def _unknown(self, node: ast.AST, _scope: Scope) -> Value:
        raise NotComputed(f"{type(node).__name__}")

    def each(self, values: Iterator[Value]) -> Iterator[Value]:
        """What an iterator gives, each for one step."""
        while True:
            self.step()
            with host_errors():
                found = next(values, _END)
            if found is _END:
                return
            yield found

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

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression.  Raises Raised, NotComputed."""
        self.step()
        return getattr(self, f"_{type(node).__name__}", self._unknown)(node, scope)

    def test(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is true."""
        return self._tested(node, self.value(node, scope))

    def _tested(self, node: ast.expr, value: Value) -> bool:
        found = self.truth(value)
        if not isinstance(node, ast.Compare):
            self.branches.note_truth(node, value, found)
        return found

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
            if operand is not node.values[-1] and self._tested(operand, found) == isinstance(node.op, ast.Or):
                return found
        return found

    def _Compare(self, node: ast.Compare, scope: Scope) -> Value:
        left, found = self.value(node.left, scope), True
        for place, (symbol, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.value(other, scope)
            found = self._compared(symbol, left, right)
            self.branches.note_comparison(node, place, left, right, found)
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
        home(node.target.id, place)[node.target.id] = value
        return value

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> Value:
        return self.function(node, scope)

    def _Call(self, node: ast.Call, scope: Scope) -> Value:
        match node:
            case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]) if "super" not in scope.module:
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
        values = self.value(generators[0].iter, scope)
        self.branches.note_rounds(generators[0].iter, values)
        first = self.entries(values)
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
