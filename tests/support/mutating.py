"""Mechanisms broken in one place each, by changes of the syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SAMPLERS = ("laplace", "exponential")


@dataclass(frozen=True)
class Mutant:
    """A changed program: ``kind`` says how, ``line`` where; ``text`` holds this mechanism alone."""

    name: str
    kind: str
    place: int
    line: int
    text: str

    @property
    def label(self) -> str:
        return f"{self.name}:{self.kind}:{self.place}"


def mutants(path: Path, name: str) -> Iterator[Mutant]:
    """All mutants of one mechanism."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    function = next(item for item in module.body if isinstance(item, ast.FunctionDef) and item.name == name)
    for kind, mutation in MUTATIONS.items():
        place = 0
        while True:
            changed = copy.deepcopy(function)
            found = list(mutation(changed))
            if place >= len(found):
                break
            node, change = found[place]
            change()
            text = "from synth.lang import *\n\n\n" + ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            yield Mutant(name, kind, place, node.lineno, text)
            place += 1


Found = Iterator[tuple[ast.expr | ast.stmt, Callable[[], None]]]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _calls(function: ast.FunctionDef) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAMPLERS
    ]


def _become(node: ast.AST, other: ast.AST) -> None:
    """Turn a node into another one, where it stands."""
    node.__class__ = other.__class__  # type: ignore[assignment]
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _scales(factor: str) -> Callable[[ast.FunctionDef], Found]:
    def mutation(function: ast.FunctionDef) -> Found:
        for call in _calls(function):
            scale = call.args[1] if len(call.args) > 1 else call.keywords[0].value
            yield call, lambda scale=scale: _become(scale, _expression(f"{factor} * ({ast.unparse(scale)})"))

    return mutation


def _no_noise(function: ast.FunctionDef) -> Found:
    for call in _calls(function):
        if ast.unparse(call.args[0]) not in _lists(function):
            yield call, lambda call=call: _become(call, call.args[0])


def _lists(function: ast.FunctionDef) -> set[str]:
    """Sequences and local lists: without noise, they would be a second name for a list, which is refused."""
    given = (item for item in function.args.args if item.annotation is not None)
    built = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
    return {item.arg for item in given if "list" in ast.unparse(item.annotation or item)} | {
        ast.unparse(node.targets[0]) for node in built if isinstance(node.value, ast.List)
    }


def _noisy_variables(function: ast.FunctionDef) -> dict[str, ast.Call]:
    return {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and node.value in _calls(function)
    }


def _exact_comparison(function: ast.FunctionDef) -> Found:
    """A comparison looks at what the noise was added to."""
    noisy = _noisy_variables(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and part.id in noisy:
                    center = noisy[part.id].args[0]
                    yield part, lambda part=part, center=center: _become(part, copy.deepcopy(center))


def _noise_returned(function: ast.FunctionDef) -> Found:
    """A variable that holds a draw is returned as well."""
    last = function.body[-1]
    assert isinstance(last, ast.Return) and last.value is not None
    value = ast.unparse(last.value)
    for name in _noisy_variables(function):
        if name in value:
            continue

        def change(name: str = name) -> None:
            zero = "0.0" if "float" in ast.unparse(function.args.args[0]) else "0"
            start = 1 if isinstance(function.body[0], ast.Expr) else 0
            function.body.insert(start, ast.parse(f"{name} = {zero}").body[0])
            function.returns = None
            _become(last, ast.parse(f"return ({value}, {name})").body[0])

        yield last, change


def _more_sensitive(function: ast.FunctionDef) -> Found:
    for node in ast.walk(function.decorator_list[0]):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        for bound in node.args[:1] if node.func.id.endswith("_distance") else []:
            assert isinstance(bound, ast.Constant)
            doubled = ast.Constant(f"2*{bound.value}")
            yield node, lambda bound=bound, doubled=doubled: _become(bound, doubled)


def _later_limit(function: ast.FunctionDef) -> Found:
    """A counter is held against one more than its limit."""
    public = {"c", "k", "m"}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare | ast.Call) and not (
            isinstance(node, ast.Call) and ast.unparse(node.func) != "range"
        ):
            parts = [*(node.comparators if isinstance(node, ast.Compare) else node.args)]
            for part in parts:
                if isinstance(part, ast.Name) and part.id in public:
                    yield node, lambda part=part: _become(part, _expression(f"{part.id} + 1"))


def _other_index(offset: str) -> Callable[[ast.FunctionDef], Found]:
    def mutation(function: ast.FunctionDef) -> Found:
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id == "i":
                yield node, lambda node=node: _become(node.slice, _expression(f"i {offset}"))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "score":
                yield node, lambda node=node: _become(node.args[0], _expression(f"r {offset}"))

    return mutation


MUTATIONS: dict[str, Callable[[ast.FunctionDef], Found]] = {
    "halved scale": _scales("0.5"),
    "doubled scale": _scales("2"),
    "no noise": _no_noise,
    "exact comparison": _exact_comparison,
    "noise returned": _noise_returned,
    "doubled sensitivity": _more_sensitive,
    "later limit": _later_limit,
    "next index": _other_index("+ 1"),
    "previous index": _other_index("- 1"),
}
