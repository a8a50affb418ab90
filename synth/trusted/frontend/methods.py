"""Mechanisms that are methods: the claim is for one call on a new object.

For ``Class.method`` there is a function of the parameters of ``__init__`` and of the method, which returns
``Class(…).method(…)``.  Of two parameters with one name, that of ``__init__`` is ``init.NAME``.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.classes import Class, Kind, Method
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.vocabulary import Role, suggestion
from synth.trusted.program.beside import INIT

_OF_CLASSES = ("staticmethod", "classmethod")


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a call: its name there, that of the mechanism's, and its default value if it has one."""

    name: str
    argument: ast.arg
    default: ast.expr | None
    by_place: bool = False

    def given(self) -> ast.expr:
        """What stands for it in the call."""
        return ast.copy_location(ast.Name(self.argument.arg, ast.Load()), self.argument)


def add_methods(module: Module) -> None:
    """Make mechanisms of the methods of which something is stated, in the order of the file.

    One that isn't read is :func:`missing`.
    """
    for name in module.specified:
        with suppress(ProgramError):
            found = _find(module, name)
            if found is not None:
                module.mechanisms.append(_as_function(module, name, *found))
    module.mechanisms.sort(key=lambda item: item.node.lineno)


def _find(module: Module, name: str) -> tuple[Class, Method] | None:
    owner, _, own = name.rpartition(".")
    kind = module.classes.get(owner)
    found = None if kind is None else kind.method(own)
    return None if kind is None or found is None else (kind, found[1])


def missing(module: Module, name: str) -> ProgramError:
    """The error for a function or method of which something is stated, and that isn't there."""
    given = module.specified[name]
    try:
        found = _find(module, name)
        if found is not None:
            _as_function(module, name, *found)
    except ProgramError as error:
        return replace(error, function=name)
    owner, _, own = name.rpartition(".")
    kind = module.classes.get(owner)
    hidden = module.blocked.get(owner or own)
    if hidden is not None:
        return replace(hidden, function=name)
    if kind is not None:
        methods = {name for each in kind.line for name in each.methods}
        message = f"no method '{own}' of '{owner}' in {module.source.path}{suggestion(own, methods)}"
    elif owner:
        message = f"no class '{owner}' in {module.source.path}{suggestion(owner, module.classes)}"
    else:
        message = f"no function '{name}' in {module.source.path}{suggestion(name, module.functions)}"
    return ProgramError(
        message, given.path, *given.place("function"), code=Refusal.NO_MECHANISM, function=name
    )


def _as_function(module: Module, name: str, kind: Class, method: Method) -> Function:
    """The function that calls the method."""
    place: ast.stmt = method.node
    own = list(_parameters(method.node, bound=method.kind != "staticmethod"))
    if method.node not in module.methods:
        place = _place(kind)
        own = [_without_names(item, place) for item in own]
    made: list[_Parameter] = []
    target: ast.expr = ast.Name(kind.name, ast.Load())
    if method.kind not in _OF_CLASSES:
        taken = {item.name for item in own}
        of_new = list(_of_new(module, kind, place))
        if INIT in taken and any(item.name in taken for item in of_new):
            message = f"'{INIT}' stands for '__init__' before a name of both: rename the parameter"
            raise module.source.error(method.node, Refusal.UNSUPPORTED_NAME, message)
        made = [_renamed(item) if item.name in taken else item for item in of_new]
        target = _call(target, made)
    result: ast.expr = ast.Attribute(target, method.node.name, ast.Load())
    if method.kind != "property":
        result = _call(result, own)
    body = ast.Return(result)
    for node in ast.walk(body):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword) and not hasattr(node, "lineno"):
            ast.copy_location(node, place)
    node = _definition(name, [*made, *own], body, place)
    return Function(name, node, None, Counter(), module)


def _place(kind: Class) -> ast.stmt:
    """A place in the file for what a class inherits from one of another file."""
    return next((item.node for item in kind.methods.values()), ast.Pass(lineno=1, col_offset=0))


def _without_names(item: _Parameter, place: ast.stmt) -> _Parameter:
    """A parameter in another file, in this one: names in its annotation and its default mean others here."""
    argument = ast.copy_location(ast.arg(item.argument.arg, None), place)
    plain = isinstance(item.default, ast.Constant)
    return replace(item, argument=argument, default=item.default if plain else None)


def _definition(name: str, parameters: list[_Parameter], body: ast.stmt, place: ast.stmt) -> ast.FunctionDef:
    arguments = ast.arguments(
        posonlyargs=[],
        args=[],
        vararg=None,
        kwonlyargs=[item.argument for item in parameters],
        kw_defaults=[item.default for item in parameters],
        kwarg=None,
        defaults=[],
    )
    node = ast.FunctionDef(name=name, args=arguments, body=[body], decorator_list=[], returns=None)
    return ast.copy_location(node, place)


def _call(called: ast.expr, parameters: list[_Parameter]) -> ast.Call:
    by_place = [item.given() for item in parameters if item.by_place]
    by_name = [ast.keyword(item.name, item.given()) for item in parameters if not item.by_place]
    return ast.Call(called, by_place, by_name)


def _renamed(item: _Parameter) -> _Parameter:
    argument = ast.arg(f"{INIT}.{item.name}", item.argument.annotation)
    return replace(item, argument=ast.copy_location(argument, item.argument))


def _of_new(module: Module, kind: Class, place: ast.stmt) -> Iterator[_Parameter]:
    """Give what makes an object of the class."""
    parts = list(_parts_of_new(kind, place))
    init = kind.method("__init__")
    makers = kind.line if init is None else [init[0]]
    if all(module.home(each) is module for each in makers):
        yield from parts
    else:
        yield from (_without_names(item, place) for item in parts)


def _parts_of_new(kind: Class, place: ast.stmt) -> Iterator[_Parameter]:
    init = kind.method("__init__")
    if kind.kind is Kind.PLAIN and not kind.fields:
        yield from _parameters(init[1].node, bound=True) if init is not None else ()
        return
    for item in kind.fields:
        argument = ast.copy_location(ast.arg(item.name, item.annotation), item.annotation or place)
        yield _Parameter(item.name, argument, item.default)


def _parameters(node: ast.FunctionDef, *, bound: bool) -> Iterator[_Parameter]:
    """Give the parameters of a function; that of the object, or of the class, is left out if it is bound."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    without = len(positional) - len(arguments.defaults)
    for place, argument in enumerate(positional):
        if place or not bound:
            default = arguments.defaults[place - without] if place >= without else None
            yield _Parameter(argument.arg, argument, default, argument in arguments.posonlyargs)
    for argument, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _Parameter(argument.arg, argument, given)


def decorated_inside(module: Module, tree: ast.Module) -> Iterator[ProgramError]:
    """Give why methods, and functions within others, are no mechanisms, though they are decorated as such."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if path and any(_is_mechanism(module, part) for part in node.decorator_list):
                yield _inside(module, node, f"{path}{node.name}")
            path = f"{path}{node.name}."
        inner = (ast.stmt, ast.excepthandler, ast.match_case)
        waiting += [(part, path) for part in ast.iter_child_nodes(node) if isinstance(part, inner)][::-1]


def _is_mechanism(module: Module, decorator: ast.expr) -> bool:
    known = module.known(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return known is not None and known.role is Role.DECORATOR


def _inside(
    module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str
) -> ProgramError:
    message = f"'@mechanism' stands at functions of the file itself: state '{name}' beside the code"
    error = module.source.error(node.decorator_list[0], Refusal.UNSUPPORTED_DECORATOR, message)
    return replace(error, function=name)
