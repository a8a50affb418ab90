"""What is called in a run: a function of the module, or a method on a new object."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from synth.trusted.program.beside import INIT
from synth.validation import attributes
from synth.validation.runs import Run
from synth.validation.values import NotComputed, Scope, Value


def _no_parameters() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


@dataclass(frozen=True)
class Target:
    """A function, or a method of a class: its ``own`` parameters, and those that objects are ``made`` of.

    Of two parameters with one name, that of ``__init__`` is ``init.NAME``: so are they ``renamed``.
    """

    name: str
    parameters: ast.arguments
    own: ast.arguments
    kind: str = ""
    made: ast.arguments = field(default_factory=_no_parameters)
    renamed: Mapping[str, str] = field(default_factory=dict)

    def call(self, run: Run, scope: Scope, given: Mapping[str, Value]) -> Value:
        """What it gives.  Raises Raised, NotComputed."""
        owner, _, name = self.name.rpartition(".")
        own = {item: given[item] for item in _names(self.own) if item in given}
        if not owner:
            return _called(run, scope.module[name], self.own, own)
        object = scope.module[owner]
        if self.kind not in ("staticmethod", "classmethod"):
            made = {item: given[other] for item, other in self.renamed.items() if other in given}
            object = _called(run, object, self.made, made)
        found = attributes.get(run, object, name)
        return found if self.kind == "property" else _called(run, found, self.own, own)


def target(tree: ast.Module, name: str) -> Target:
    """What a mechanism of that name is.  Raises NotComputed."""
    owner, _, own = name.rpartition(".")
    if not owner:
        function = _last(tree.body, own)
        return Target(name, function.args, function.args)
    kinds = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner]
    if len(kinds) != 1:
        raise NotComputed("no class of the module")
    kind = kinds[0]
    function = _last(kind.body, own)
    marks = [item.id for item in function.decorator_list if isinstance(item, ast.Name)]
    marked = next((item for item in marks if item in ("staticmethod", "classmethod", "property")), "")
    rest = _without_first(function.args) if marked != "staticmethod" else function.args
    made = _of_new(kind) if marked not in ("staticmethod", "classmethod") else _no_parameters()
    taken = set(_names(rest))
    renamed = {item: f"{INIT}.{item}" if item in taken else item for item in _names(made)}
    return Target(name, _joined(made, rest, renamed), rest, marked, made, renamed)


def _called(run: Run, function: Value, parameters: ast.arguments, given: Mapping[str, Value]) -> Value:
    """What a function gives, with arguments by place if they must be.  Raises Raised, NotComputed."""
    first = list(takewhile(given.__contains__, (item.arg for item in parameters.posonlyargs)))
    named = {name: value for name, value in given.items() if name not in first}
    return run.call(function, [given[name] for name in first], named)


def _last(body: list[ast.stmt], name: str) -> ast.FunctionDef:
    found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not found:
        raise NotComputed("no function of the module")
    return found[-1]


def _names(args: ast.arguments) -> tuple[str, ...]:
    return tuple(item.arg for item in (*args.posonlyargs, *args.args, *args.kwonlyargs))


def _without_first(args: ast.arguments) -> ast.arguments:
    by_place, others = args.posonlyargs[1:], args.args if args.posonlyargs else args.args[1:]
    if not args.posonlyargs + args.args or len(args.defaults) > len(by_place) + len(others):
        raise NotComputed("parameters")
    return ast.arguments(
        by_place, others, args.vararg, args.kwonlyargs, args.kw_defaults, args.kwarg, args.defaults
    )


def _of_new(kind: ast.ClassDef) -> ast.arguments:
    """The parameters of ``__init__``, or the fields of a dataclass without a base."""
    inits = [node for node in kind.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    if inits:
        return _without_first(inits[-1].args)
    if kind.bases:
        raise NotComputed("what a class inherits")
    fields = [node for node in kind.body if isinstance(node, ast.AnnAssign)] if kind.decorator_list else []
    args = [ast.arg(ast.unparse(node.target), node.annotation) for node in fields]
    defaults = [node.value for node in fields if node.value is not None]
    return ast.arguments([], args, None, [], [], None, defaults)


def _joined(made: ast.arguments, own: ast.arguments, names: Mapping[str, str]) -> ast.arguments:
    """Parameters of both, by name."""
    args, defaults = list[ast.arg](), list[ast.expr | None]()
    for each, renamed in ((made, names), (own, {})):
        if each.vararg is not None or each.kwarg is not None:
            raise NotComputed("parameters")
        positional = [*each.posonlyargs, *each.args]
        missing = [None] * (len(positional) - len(each.defaults))
        for item, default in zip(
            [*positional, *each.kwonlyargs], [*missing, *each.defaults, *each.kw_defaults], strict=True
        ):
            args.append(ast.arg(renamed.get(item.arg, item.arg), item.annotation))
            defaults.append(default)
    return ast.arguments([], [], None, args, defaults, None, [])
