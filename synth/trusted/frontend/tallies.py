"""Lists of counts over records, cell by cell: ``h = [0] * n`` and ``for r in x: h[e] += d``.

So is ``h = [0 for _ in range(n)]``.  ``x`` is a list that the function is given, or makes of numbers.

``h[e] = h[e] + d`` is ``h[e] += d``, as ``e`` only computes.

Such a loop is read as the loop over the cells in which the records are gone through once for each cell: what
is added to the cell ``j`` is what the records with ``e == j`` add, in their order.  Both have the same lists
behind them, since nothing else is changed, drawn or decided in the loop, and ``e`` and ``d`` are the same
each time.  That each index is inside is shown for each record, and that there is a cell at all.

``h = np.zeros(n)``, with ``dtype=int`` or ``dtype=float``, is such a list, too, if each ``d`` is a number
that is written out, for ``dtype=int`` an integer: numpy would round others.  What is made anew is an array
again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace

from synth.trusted.frontend import asked_counts, caught, fixed_lists
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.scoping import assigned, used_names
from synth.trusted.frontend.values import ListValue, ParameterValue, RecordsValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir

_CALLS = ("abs", "bool", "float", "int", "len", "max", "min", "round")
"""Functions of Python that only compute."""

_NUMBERS = ("abs", "float", "int", "len", "round")
"""Those that give a number, whatever they are given."""

_MATHS = tuple(Known(Role.FUNCTION, name) for name in ("floor", "ceil", "exp", "log", "sqrt"))

_COMPUTES = (
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.Name,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)


NEW, OLD, SIZE, CELL, TOTAL, PLACE = "new", "old", "size", "cell", "total", "place"
_ZEROS = Known(Role.STUB, "numpy.zeros")


def by_cell(module: Module, function: Function) -> Function:
    """Return the function with such loops as loops over cells; the same object if it has none."""
    if not any(_made(module, statement) for statement in function.node.body):
        return function
    if not all(map(module.means_pythons, (*_CALLS, "range"))):
        return function
    node = in_cells(function.node, module)
    return function if node is function.node else replace(function, node=node, assigned=assigned(node))


def of_helper(module: Module, function: Function, given: Mapping[str, Value]) -> Function:
    """Return a function that is called, likewise, if all that it may go through are lists."""
    if caught.has_try(function.node):
        return function
    if function.node not in module.tallied:
        module.tallied[function.node] = asked_counts.with_lists(module, by_cell(module, function))
    found = module.tallied[function.node]
    if found is function:
        return function
    gone_through = {
        loop.iter.id
        for loop in ast.walk(function.node)
        if isinstance(loop, ast.For | ast.comprehension) and isinstance(loop.iter, ast.Name)
    } | {*asked_counts.counted_lists(module, function)}
    return found if all(_is_list(given[name]) for name in gone_through & given.keys()) else function


def _is_list(value: Value) -> bool:
    match value:
        case ParameterValue(parameter):
            return parameter.kind is ir.ParameterKind.SEQUENCE
        case _:
            return isinstance(value, ListValue | RecordsValue)


@dataclass(frozen=True)
class _Array:
    """What numpy is called, and Python's name for the type of the entries."""

    numpy: str
    dtype: str


@dataclass(frozen=True)
class _Made:
    """Cells as they are made: ``size`` times ``start``, in a list or an ``array``."""

    module: Module
    name: str
    size: ast.expr
    start: ast.expr
    array: _Array | None = None

    def takes(self, added: ast.expr) -> bool:
        """Whether what is added to a cell has the cell's type, as far as that has to be known."""
        if self.array is None:
            return True
        kinds = (int,) if self.array.dtype == "int" else (int, float)
        return isinstance(added, ast.Constant) and type(added.value) in kinds


def in_cells(function: ast.FunctionDef, module: Module) -> ast.FunctionDef:
    """Return the definition with such loops as loops over cells; the same object if it has none."""
    body = list(function.body)
    for place, statement in enumerate(body):
        made = _made(module, statement)
        if made is None or _mentioned(body[:place], made.name):
            continue
        loop = next((item for item in body[place + 1 :] if _mentioned([item], made.name)), None)
        if isinstance(loop, ast.For) and _is_tally(function, loop, made):
            at = body.index(loop)
            new = f"{made.name}%cells"
            size = _fixed_size(function, made)
            cells = [*_cells(loop, made, size, new)]
            body[place : place + 1] = _sized(statement, made, size)
            at += len(body) - len(function.body)
            if made.array is None:
                rest = [_renamed(item, made.name, new) for item in body[at + 1 :]]
            else:
                rest = [*_as_array(loop, made, made.array, new), *body[at + 1 :]]
            result = copy(function)
            result.body = [*body[:at], *cells, *rest]
            return in_cells(result, module)
    return function


def _made(module: Module, statement: ast.stmt) -> _Made | None:
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(
                left=ast.List(elts=[ast.Constant(value=int() | float()) as start]),
                op=ast.Mult(),
                right=size,
            ),
        ) if not isinstance(start.value, bool) and not _is_written(module, size):
            return _Made(module, name, size, start)
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.ListComp(
                elt=ast.Constant(value=int() | float()) as start,
                generators=[
                    ast.comprehension(
                        target=ast.Name(),
                        iter=ast.Call(func=ast.Name(id="range"), args=[size], keywords=[]),
                        ifs=[],
                    )
                ],
            ),
        ) if not isinstance(start.value, bool) and not _is_written(module, size):
            return _Made(module, name, size, start)
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=numpy), attr="zeros") as called,
                args=[size],
                keywords=[] | [ast.keyword(arg="dtype", value=ast.Name(id="int" | "float"))] as types,
            ),
        ) if module.known(called) == _ZEROS and not _is_written(module, size):
            dtype = next((item.value.id for item in types if isinstance(item.value, ast.Name)), "float")
            (zero,) = _at(statement, f"{dtype}(0)")
            assert isinstance(zero, ast.Expr)
            return _Made(module, name, size, zero.value, _Array(numpy, dtype))
        case _:
            return None


def _is_written(module: Module, size: ast.expr) -> bool:
    """Whether the file says the size, and each entry may be a variable; or it is more than a number."""
    if any(isinstance(part, ast.NamedExpr) for part in ast.walk(size)):
        return True
    if isinstance(size, ast.Name):
        size = module.constant_nodes.get(size.id, size)
    if isinstance(size, ast.Constant):
        return not isinstance(size.value, int) or size.value <= fixed_lists.MOST
    return isinstance(size, ast.Tuple | ast.List)


def _is_tally(function: ast.FunctionDef, loop: ast.For, made: _Made) -> bool:
    """Whether a loop over records only adds to entries of the list, and all else in it is its own."""
    name = made.name
    parameters, stored = _parameters(function), _stored(function)
    given = parameters - stored
    own = {node.id for node in _names(loop) if isinstance(node.ctx, ast.Store)}
    elsewhere = parameters | used_names(item for item in function.body if item is not loop)
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal)
    bound = {node.arg for item in function.body for node in ast.walk(item) if isinstance(node, ast.arg)}
    local = parameters | stored | bound
    modules = {_module(node.func) for node in ast.walk(loop) if isinstance(node, ast.Call)}
    return (
        isinstance(loop.iter, ast.Name)
        and (loop.iter.id in given or _is_made_of_numbers(function, loop.iter.id, given))
        and not loop.orelse
        and isinstance(loop.target, ast.Name | ast.Tuple)
        and all(isinstance(node, ast.Name | ast.Tuple | ast.expr_context) for node in ast.walk(loop.target))
        and not own & (elsewhere | {name})
        and not bound & {name, *own}
        and not local & {*_CALLS, "range", *modules}
        and (made.array is None or made.array.numpy not in local)
        and not any(isinstance(node, nested) for item in function.body for node in ast.walk(item))
        and all(_adds(statement, made) for statement in loop.body)
        and any(isinstance(node, ast.Subscript) and _is_stored(node) for node in ast.walk(loop))
    )


def _adds(statement: ast.stmt, made: _Made) -> bool:
    """Whether a statement only computes, and adds to entries of the list."""
    name = made.name
    match _augmented(statement, name):
        case ast.AugAssign(
            target=ast.Subscript(value=ast.Name(id=target), slice=index),
            op=ast.Add() | ast.Sub(),
            value=added,
        ):
            return target == name and _computes(index, made) and _computes(added, made) and made.takes(added)
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            return target != name and _computes(value, made)
        case ast.If(test=test, body=then, orelse=otherwise):
            return _computes(test, made) and all(_adds(item, made) for item in (*then, *otherwise))
        case ast.Pass() | ast.Continue():
            return True
        case _:
            return False


def _augmented(statement: ast.stmt, name: str) -> ast.stmt:
    """``h[e] += d`` for ``h[e] = h[e] + d``, and any other statement as it is."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=target), slice=index) as entry],
            value=ast.BinOp(left=ast.Subscript(value=ast.Name(id=read), slice=place), op=op, right=added),
        ) if target == read == name and ast.dump(index) == ast.dump(place):
            return ast.copy_location(ast.AugAssign(target=entry, op=op, value=added), statement)
    return statement


def _is_stored(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def _computes(node: ast.expr, made: _Made) -> bool:
    called = {part.func for part in ast.walk(node) if isinstance(part, ast.Call)}
    return all(
        (isinstance(part, _COMPUTES) or part in called or _is_attribute(made.module, part))
        and not (isinstance(part, ast.Name) and part.id == made.name)
        and not (isinstance(part, ast.Call) and not _is_plain(made.module, part))
        for part in ast.walk(node)
    )


def _is_plain(module: Module, node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name):
        return node.func.id in _CALLS and not node.keywords
    return _module(node.func) is not None and module.known(node.func) in _MATHS and not node.keywords


def _is_attribute(module: Module, node: ast.AST) -> bool:
    """Whether it is an attribute of a variable that is looked up, and not computed."""
    return (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and not module.is_property(node)
    )


def _module(node: ast.AST) -> str | None:
    """What stands before the point of ``module.name``."""
    return node.value.id if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else None


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {item.arg for item in ast.iter_child_nodes(function.args) if isinstance(item, ast.arg)}


def _stored(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in _names(function) if not isinstance(node.ctx, ast.Load)}


def _is_made_of_numbers(function: ast.FunctionDef, name: str, given: set[str]) -> bool:
    """Whether a variable is only a list of numbers: computed ones, or entries of a list that is given."""
    values = [
        item.value
        for item in ast.walk(function)
        if isinstance(item, ast.Assign)
        and isinstance(target := item.targets[0], ast.Name)
        and target.id == name
    ]
    stores = sum(node.id == name and not isinstance(node.ctx, ast.Load) for node in _names(function))
    return 0 < len(values) == stores and all(_has_numbers(value, given) for value in values)


def _has_numbers(value: ast.expr, given: set[str]) -> bool:
    match value:
        case ast.ListComp(elt=entry, generators=[ast.comprehension(target=target, iter=gone_through)]):
            is_entry = ast.unparse(entry) == ast.unparse(target) and isinstance(entry, ast.Name)
            return _is_number(entry) or (
                is_entry and isinstance(gone_through, ast.Name) and gone_through.id in given
            )
        case _:
            return False


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return name in _NUMBERS or (name in ("max", "min") and len(arguments) > 1)
        case _:
            return False


def _as_array(loop: ast.For, made: _Made, array: _Array, cells: str) -> Iterator[ast.stmt]:
    """The array of the cells, under the name of the old one."""
    for statement in _at(loop, f"{NEW} = {array.numpy}.array({CELL}, dtype={array.dtype})"):
        for node in _names(statement):
            node.id = {NEW: made.name, CELL: cells}.get(node.id, node.id)
        yield statement


def _fixed_size(function: ast.FunctionDef, made: _Made) -> str:
    """The name of the size: a parameter that stays as it is, or a variable of its own."""
    if isinstance(made.size, ast.Name) and made.size.id in _parameters(function) - _stored(function):
        return made.size.id
    return f"{made.name}%size"


def _sized(statement: ast.stmt, made: _Made, size: str) -> list[ast.stmt]:
    """What makes the cells, of which the size has that name."""
    if isinstance(made.size, ast.Name) and made.size.id == size:
        return [statement]
    (first,) = _at(statement, f"{SIZE} = 0")
    assert isinstance(first, ast.Assign)
    first.targets, first.value = [ast.copy_location(ast.Name(size, ast.Store()), statement)], made.size
    named = ast.copy_location(ast.Name(size, ast.Load()), made.size)
    return [first, deepcopy(statement, {id(made.size): named})]


def _cells(loop: ast.For, old: _Made, size: str, new: str) -> Iterator[ast.stmt]:
    """What makes the list anew, cell by cell."""
    name = old.name
    inner = deepcopy(loop)
    inner.body = list(_counted(inner.body, name))
    lines = f"    {TOTAL} = 0\n    {NEW}.append({TOTAL})"
    made = _at(loop, f"{NEW} = []\n{OLD}[0]\nfor {CELL} in range({SIZE}):\n{lines}")
    called = {NEW: new, OLD: name, SIZE: size, **_own_names(name)}
    for statement in made:
        for node in _names(statement):
            node.id = called.get(node.id, node.id)
    whole = made[-1]
    assert isinstance(whole, ast.For)
    first = whole.body[0]
    assert isinstance(first, ast.Assign)
    first.value = deepcopy(old.start)
    whole.body.insert(1, inner)
    yield from made


def _own_names(name: str) -> dict[str, str]:
    return {item: f"{name}%{item}" for item in (CELL, TOTAL, PLACE)}


def _counted(body: Sequence[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements, of which one that adds to an entry adds to the total of its cell.

    The index is a variable, so that none counts from the end: it is shown to be one from the start.  It is
    compared in a tuple, where an array, which is several indices, is refused.
    """
    for written in body:
        statement = _augmented(written, name)
        match statement:
            case ast.AugAssign(target=ast.Subscript(slice=index), op=op, value=added):
                made = _at(
                    statement, f"{PLACE} = 0\n{OLD}[{PLACE}]\nif ({PLACE},) == ({CELL},):\n    {TOTAL} += 0"
                )
                called = {OLD: name, **_own_names(name)}
                for part in made:
                    for node in _names(part):
                        node.id = called[node.id]
                at, _, test = made
                assert isinstance(at, ast.Assign) and isinstance(test, ast.If)
                (more,) = test.body
                assert isinstance(more, ast.AugAssign)
                at.value, more.op, more.value = index, op, added
                yield from made
            case ast.If(body=then, orelse=otherwise):
                statement.body = list(_counted(then, name))
                statement.orelse = list(_counted(otherwise, name))
                yield statement
            case _:
                yield statement


def _at(place: ast.stmt, text: str) -> list[ast.stmt]:
    """Statements that stand where another one stands."""
    made = ast.parse(text).body
    for statement in made:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr):
                ast.copy_location(node, place)
    return made


def _renamed(statement: ast.stmt, name: str, new: str) -> ast.stmt:
    found = deepcopy(statement)
    for node in _names(found):
        if node.id == name:
            node.id = new
    return found


def _mentioned(body: Sequence[ast.stmt], name: str) -> bool:
    return any(node.id == name for item in body for node in _names(item))


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Name))
