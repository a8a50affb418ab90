"""What is called in a run: a function of the module, or a method on a new object."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from synth.trusted.program.beside import INIT
from synth.validation import attributes
from synth.validation.runs import Run
from synth.validation.values import NotComputed, Scope, Value


@dataclass(frozen=True)
class Target:
    """A function, or a method of a class; of two parameters with one name, that of ``__init__`` is
    ``init.NAME``.
    """

    name: str
    parameters: ast.arguments
    made: Mapping[str, str]
    own: tuple[str, ...]
    kind: str

    def call(self, run: Run, scope: Scope, given: Mapping[str, Value]) -> Value:
        """What it gives.  Raises Raised, NotComputed."""
        owner, _, name = self.name.rpartition(".")
        named = {item: given[item] for item in self.own if item in given}
        if not owner:
            return run.call(scope.module[name], [], named)
        object = scope.module[owner]
        if self.kind not in ("staticmethod", "classmethod"):
            made = {item: given[other] for item, other in self.made.items() if other in given}
            object = run.call(object, [], made)
        found = attributes.get(run, object, name)
        return found if self.kind == "property" else run.call(found, [], named)


def target(tree: ast.Module, name: str) -> Target:
    """What a mechanism of that name is.  Raises NotComputed."""
    owner, _, own = name.rpartition(".")
    if not owner:
        function = _last(tree.body, own)
        return Target(name, function.args, {}, _names(function.args), "")
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
    return Target(name, _joined(made, rest, renamed), renamed, _names(rest), marked)


def _last(body: list[ast.stmt], name: str) -> ast.FunctionDef:
    found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not found:
        raise NotComputed("no function of the module")
    return found[-1]


def _names(args: ast.arguments) -> tuple[str, ...]:
    return tuple(item.arg for item in (*args.posonlyargs, *args.args, *args.kwonlyargs))


def _no_parameters() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


def _without_first(args: ast.arguments) -> ast.arguments:
    if args.posonlyargs or not args.args or len(args.defaults) >= len(args.args):
        raise NotComputed("parameters")
    return ast.arguments(
        [], args.args[1:], args.vararg, args.kwonlyargs, args.kw_defaults, args.kwarg, args.defaults
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
        if each.vararg is not None or each.kwarg is not None or each.posonlyargs:
            raise NotComputed("parameters")
        missing = [None] * (len(each.args) - len(each.defaults))
        for item, default in zip(
            [*each.args, *each.kwonlyargs], [*missing, *each.defaults, *each.kw_defaults], strict=True
        ):
            args.append(ast.arg(renamed.get(item.arg, item.arg), item.annotation))
            defaults.append(default)
    return ast.arguments([], [], None, args, defaults, None, [])
