"""Arrays that a mechanism is given and changes in place: who calls it sees what is written there.

So that is refused, unless the name stands for a new array by then, or each end of a run returns the array,
in one place, and the name stands for it all the time.  A list that a parameter is fixed to is not changed.
Other names of it are refused where an array is changed at all; so are other arrays that the mechanism is
given, since they may be the same one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_changes
from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.source import Located, Source
from synth.trusted.frontend.vocabulary import Role
from synth.trusted.program import syntax as ir

_IN_PLACE = (ast.AugAssign, ast.Subscript, ast.Call)
_METHODS = frozenset(("copy", "clip", "astype"))
_FUNCTIONS = frozenset(
    ("array", "copy", "clip", "abs", "exp", "log", "sqrt", "where", "maximum", "minimum", "sort")
)
"""What makes a new array, of methods and of functions of numpy."""


def check(module: Module, function: Function, names: Collection[str], may_raise: bool) -> None:
    """Refuse that a mechanism changes one of these parameters and doesn't return it.  Raises ProgramError."""
    for name in sorted(names):
        for statement in function.node.body:
            if _renews(module, function, statement, name):
                break
            found = [part for part in array_changes.changes(statement, name) if isinstance(part, _IN_PLACE)]
            if found:
                check_alone(function, module.source, found[0], name, names)
            if found and (may_raise or not is_returned(function, name)):
                message = (
                    f"who calls '{function.name}' sees what is written into '{name}', and the claim is about"
                    f" what is returned: begin with '{name} = {name}.copy()', or return '{name}'"
                )
                raise module.source.error(found[0], Refusal.ALIASING, message)


def check_alone(function: Function, source: Source, node: Located, name: str, names: Collection[str]) -> None:
    """Refuse a change of one of several parameters, which may be one list or array.  Raises ProgramError."""
    parts = [part for item in function.node.body for part in ast.walk(item) if isinstance(part, ast.Name)]
    other = min({part.id for part in parts} & set(names) - {name}, default=None)
    if other is not None:
        message = f"'{name}' is changed, and '{other}' may be the same one where it is called: change a copy"
        raise source.error(node, Refusal.ALIASING, message)


def check_new(
    function: Function, source: Source, name: str, size: int, statements: Iterable[ir.Statement]
) -> None:
    """Refuse a change of a list of that size that a parameter is fixed to: by its statements it is made once.

    Raises ProgramError.
    """
    changed = any(isinstance(part, _IN_PLACE) for part in array_changes.changes(function.node, name))
    written = (item for item in statements if isinstance(item, ir.Assign | ir.NewList | ir.Append | ir.Draw))
    made = Counter((type(item), item.target) for item in written if item.target.partition(".")[0] == name)
    if changed or any(count > (size if kind is ir.Append else 1) for (kind, _), count in made.items()):
        message = f"who calls '{function.name}' sees what is written into '{name}': change a copy of it"
        raise source.error(function.node, Refusal.ALIASING, message)


def _renews(module: Module, function: Function, statement: ast.stmt, name: str) -> bool:
    """Whether a statement gives a name a new array."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=other)], value=ast.BinOp() | ast.UnaryOp()):
            return other == name
        case ast.Assign(targets=[ast.Name(id=other)], value=ast.Call(func=called, keywords=[])):
            match called:
                case ast.Attribute(value=ast.Name(id=owner), attr=method) if owner == name:
                    return other == name and method in _METHODS
            known = module.known(called)
            if known is None or _is_bound(function, called):
                return False
            library, _, made_by = known.name.rpartition(".")
            is_numpy = known.role is Role.STUB and library.partition(".")[0] == "numpy"
            return other == name and is_numpy and made_by in _FUNCTIONS
        case _:
            return False


def _is_bound(function: Function, called: ast.expr) -> bool:
    """Whether what is called may be something of the function's own."""
    first = next(part.id for part in ast.walk(called) if isinstance(part, ast.Name))
    return first in function.assigned or any(item.arg == first for item in function.parameters)


def is_returned(function: Function, name: str) -> bool:
    """Whether each return gives out, in one place, what a name stands for from the first to the last."""
    parts = [part for item in function.node.body for part in ast.walk(item)]
    in_place = {id(part.target) for part in parts if isinstance(part, ast.AugAssign)}
    if any(name in names_bound(part) for part in parts if id(part) not in in_place):
        return False
    returns = [part.value for part in parts if isinstance(part, ast.Return)]
    ends = isinstance(function.node.body[-1], ast.Return) and not any(
        isinstance(part, ast.Raise | ast.Assert | ast.FunctionDef | ast.Lambda) for part in parts
    )
    places = [
        {place for place, item in enumerate(_items(value)) if isinstance(item, ast.Name) and item.id == name}
        for value in returns
    ]
    return ends and bool(set.intersection(*places))


def _items(value: ast.expr | None) -> list[ast.expr]:
    if isinstance(value, ast.Tuple):
        return value.elts
    return [] if value is None else [value]
