"""A naive interpreter of Python's text: statement by statement, on values of its own.

It knows nothing of core programs, and nothing of how the reader reads.  What it doesn't know it doesn't
compute.
Source: The Python Language Reference, "Simple statements" to "Compound statements", and "Expressions".
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from synth.trusted.program.beside import STUB
from synth.validation import classes, modules
from synth.validation.expressions import host_errors
from synth.validation.runs import Place
from synth.validation.scopes import around_functions, home, names_of
from synth.validation.statements import Left, Returned, Skipped, Statements
from synth.validation.values import (
    Bound,
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    LibraryObject,
    Marked,
    NamedTupleType,
    Namespace,
    Native,
    NotComputed,
    Raised,
    Scope,
    Unknown,
    Value,
)
from synth.validation.ways import Draw

_DEEPEST = 60


class Interpreter(Statements):
    """One run of a program's text, in which ``draw`` says how draws fall; it takes at most so many steps."""

    def __init__(
        self,
        draw: Draw,
        steps: int,
        reals: Mapping[Place, bool | None],
        files: Mapping[str, ast.Module] = MappingProxyType({}),
    ) -> None:
        super().__init__(draw, steps, reals)
        self.files = files
        self.loaded: dict[str, Namespace] = {}
        self.depth = 0

    def module(self, tree: ast.Module) -> Scope:
        """Run the statements of a module, and give its names."""
        names: dict[str, Value] = {"__name__": "hunted"}
        scope = Scope(names, names=names)
        self.block(tree.body, scope)
        return scope

    def _imported(self, name: str) -> Value:
        """A module, and those that it is below of are imported before.  Raises Raised, NotComputed."""
        first = name.partition(".")[0]
        if self._has_stub(first):
            return Unknown(name)
        if not any(path == f"{first}.py" or path.startswith(f"{first}/") for path in self.files):
            return modules.module(name)
        if first in sys.stdlib_module_names:
            raise NotComputed("a file with the name of a module of Python's")
        parts = name.split(".")
        found = self._own(first)
        for place in range(1, len(parts)):
            found = self._own(".".join(parts[: place + 1]), found)
        return found

    def _has_stub(self, library: str) -> bool:
        """Whether the user says what a library does: that is believed."""
        begins = (f"{STUB}{library}.py", f"{STUB}{library}/")
        return any(path.startswith(begins) for path in self.files)

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
            case LibraryObject(call=found) if found is not None:
                return self._native(Native(function.name, found, is_library=True), arguments, named)
            case Unknown() | LibraryObject():
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
        scope = Scope(function.scope.module, around_functions(function.scope), local, names.outer, given)
        if names.yields:
            return self._generator(node, scope)
        self.depth += 1
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, scope)
            self.block(node.body, scope)
        except Returned as found:
            return found.value
        finally:
            self.depth -= 1
        return None

    def _generator(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Iterator[Value]:
        """What a function yields, while somebody asks for it."""
        if isinstance(node, ast.Lambda):
            raise NotComputed("a lambda that yields")
        try:
            yield from self._yielded(node.body, scope)
        except Returned:
            return
        except Raised as error:
            if error.value.type is StopIteration:
                raise Raised(ExceptionValue(RuntimeError, ("generator raised StopIteration",))) from None
            raise

    def _yielded(self, body: Iterable[ast.stmt], scope: Scope) -> Iterator[Value]:
        for statement in body:
            self.step()
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
            except Left:
                return
            except Skipped:
                continue
        yield from self._yielded(node.orelse, scope)

    def _Import(self, node: ast.Import, scope: Scope) -> None:
        for item in node.names:
            first, _, rest = item.name.partition(".")
            module = self._imported(item.name)
            if rest and not item.asname:
                module = self._imported(first)
            home(item.asname or first, scope)[item.asname or first] = module

    def _ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        name = self._absolute(node, scope)
        module = self._imported(name)
        is_own = name in self.loaded
        for item in node.names:
            if item.name == "*":
                if not isinstance(module, Namespace) or is_own or name.startswith("numpy"):
                    raise NotComputed(f"all of {name}")
                home("*", scope).update(modules.shown(module))
                continue
            bound = item.asname or item.name
            home(bound, scope)[bound] = self._taken(name, item.name, is_own)

    def _taken(self, of: str, name: str, is_own: bool) -> Value:
        if is_own:
            return self._member(of, name)
        if self._has_stub(of.partition(".")[0]):
            return Unknown(f"{of}.{name}")
        return modules.member(of, name)

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
        function: Value = self.function(node, scope)
        for decorator in reversed(node.decorator_list):
            if not self._is_specification(decorator, scope):
                function = self.call(self.value(decorator, scope), [function])
        home(node.name, scope)[node.name] = function

    def _is_specification(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether it says what the mechanism is private of, and does nothing."""
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = self.value(inner, scope) if isinstance(inner, ast.Name | ast.Attribute) else None
        return isinstance(found, Unknown) and found.name in ("synth.lang.mechanism", "synth.mechanism")

    def function(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> Function:
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
        home(node.name, scope)[node.name] = found


def _yields(node: ast.AST) -> bool:
    """Whether there is a yield in a node, of an inner function too."""
    return any(isinstance(item, ast.Yield | ast.YieldFrom) for item in ast.walk(node))


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
