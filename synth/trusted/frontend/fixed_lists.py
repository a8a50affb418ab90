"""Lists of a fixed size that are changed entry by entry: one variable per entry.

Which variables are such lists is decided by the text of a function: each assignment gives a list of the same
size, which is a number, and nothing else is done that could change the size or give the list another name.
Python's list and these variables have the same entries at each point, so reading them is exact.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from synth.trusted.errors import Refusal
from synth.trusted.frontend import flattening, shapes, store
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.scoping import bound_within
from synth.trusted.frontend.values import ListLiteral, TupleValue, Value
from synth.trusted.frontend.vocabulary import NOISES, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MOST = 16
"""The most entries; each is a variable, and loops over them are written out."""

_READERS = ("len", "sum", "max", "min", "any", "all", "sorted", "list", "enumerate", "zip", "reversed")
_METHODS = ("copy", "index", "count")


def is_fixed_list(context: Context, name: str) -> bool:
    """Whether a local variable is a list of a fixed size."""
    function = context.scope.function
    if function is None or name in context.scope.bindings or context.scope.local(name) is None:
        return False
    if name in context.scope.renamed:  # a variable of a comprehension
        return False
    return name in _names(context, function)


def read(context: Context, name: str, node: ast.Name) -> ListLiteral:
    """The list that a variable holds."""
    local = context.scope.local(name)
    assert local is not None
    value = context.read(local, node, name)
    assert isinstance(value, TupleValue)
    return ListLiteral(value.items)


def assign(context: Context, target: ast.Name, node: ast.expr) -> None:
    """``xs = [...]`` for a list of a fixed size."""
    function = context.scope.function
    assert function is not None
    displayed = _Search(context.module, function).displayed(node)
    assert displayed is not None
    part, times = displayed
    items = tuple(context.ordered(part)) * times
    if any(shapes.has_list(_shape(context, item, node)) for item in items):
        raise context.error(node, Refusal.LIST_OF_LISTS, "a list of lists is not supported")
    _store(context, target, target.id, items)


def _store(context: Context, node: ast.expr, shown: str, items: Sequence[Value]) -> None:
    """Assign the entries, which all have the same shape."""
    name = context.scope.local(shown)
    assert name is not None
    store.check_not_iterating(context, name, node, "changed")
    shape, *_ = [_shape(context, item, node) for item in items]
    for item in items[1:]:
        shape = context.join(flattening.variable("", shape), item, node)
    try:
        context.inference.add_shape(name, ir.TupleShape((shape,) * len(items)))
    except shapes.MismatchError:
        message = f"the list '{shown}' has entries of several types, or not always as many"
        raise context.error(node, Refusal.MIXED_TYPES, message) from None
    moves = store.store(context, name, TupleValue(tuple(items)), node, shown)
    store.move(context, [(flat, scalar) for flat, scalar in moves if not _is(scalar, flat)], node)


def _shape(context: Context, item: Value, node: ast.expr) -> ir.Shape:
    """The shape of an entry.  Raises ProgramError for a value that is no entry of such a list."""
    try:
        return shapes.shape_of(item)
    except shapes.MismatchError:
        message = f"{shapes.describe_value(item)} can't stand in a list of which entries are assigned"
        raise context.error(node, Refusal.UNSUPPORTED_LIST, message) from None


def set_entry(context: Context, target: ast.Subscript, name: str, index: ir.Expression, value: Value) -> None:
    """``xs[i] = e``: the entry at that index gets the value, the others keep theirs."""
    assert isinstance(target.value, ast.Name)
    old = read(context, name, target.value).items
    index = at(context, target, len(old), index)
    if isinstance(index, ir.Constant):
        new = [value if place == index.value else item for place, item in enumerate(old)]
    else:
        value = context.save(value, target)
        guards = [builders.equal(index, builders.integer(place)) for place in range(len(old))]
        pairs = zip(guards, old, strict=True)
        new = [_chosen(context, target, guard, value, item) for guard, item in pairs]
    _store(context, target, name, new)


def at(context: Context, node: ast.expr, size: int, index: ir.Expression) -> ir.Expression:
    """An index into that many entries, counted from the start, with the obligation that it is in range."""
    if size == 0:
        raise context.error(node, Refusal.WRONG_INDEX, "an empty list has no entry")
    if isinstance(index, ir.Constant):
        place = int(index.value) + (size if index.value < 0 else 0)
        if not 0 <= place < size:
            raise context.error(node, Refusal.WRONG_INDEX, f"a list of {size} has no entry {index.value}")
        return builders.integer(place)
    inside = builders.less(index, builders.integer(size))
    needed = builders.both(builders.less_equal(builders.ZERO, index), inside)
    context.require("index", needed, "index out of range", node)
    return index


def entry(context: Context, node: ast.Subscript, items: Sequence[Value], index: ir.Expression) -> Value:
    """An entry of a list that is written out, or of one of a fixed size."""
    index = at(context, node, len(items), index)
    if isinstance(index, ir.Constant):
        return items[int(index.value)]
    result = items[-1]
    for place in reversed(range(len(items) - 1)):
        result = _chosen(context, node, builders.equal(index, builders.integer(place)), items[place], result)
    return result


def _is(scalar: ir.Expression, name: str) -> bool:
    return isinstance(scalar, ir.Variable) and scalar.name == name


def _chosen(context: Context, node: ast.expr, guard: ir.Expression, then: Value, otherwise: Value) -> Value:
    shape = context.join(then, otherwise, node)
    pairs = zip(flattening.flatten(then, shape), flattening.flatten(otherwise, shape), strict=True)
    return flattening.rebuild(shape, (builders.choose(guard, a, b) for a, b in pairs))


# --- which variables --------------------------------------------------------------------


def mentioned(context: Context, nodes: Sequence[ast.AST]) -> bool:
    """Whether an entry of a list of a fixed size is read or changed in some nodes."""
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and is_fixed_list(context, part.value.id)
        for node in nodes
        for part in ast.walk(node)
    )


def _names(context: Context, function: Function) -> frozenset[str]:
    known = context.module.fixed_lists
    if function.node not in known:
        known[function.node] = frozenset(_Search(context.module, function).found())
    return known[function.node]


class _Search:
    """Looks for lists of a fixed size in the text of a function."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.above = {
            id(child): node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)
        }
        self.uses: dict[str, list[ast.Name]] = {}
        for node in ast.walk(function.node):
            if isinstance(node, ast.Name):
                self.uses.setdefault(node.id, []).append(node)
        around = module.inner if function.node in module.nested else ()
        self.bound = {*function.assigned, *bound_within(ast.Module([function.node], [])), *around}

    def found(self) -> Iterator[str]:
        """The names of the lists."""
        parameters = {argument.arg for argument in self.function.parameters}
        for name, nodes in self.uses.items():
            if name in parameters or not any(map(self._is_changed, nodes)):
                continue
            sizes = {self._size(node) for node in nodes if isinstance(node.ctx, ast.Store)}
            reads = (node for node in nodes if not isinstance(node.ctx, ast.Store))
            if len(sizes) == 1 and None not in sizes and all(map(self._is_harmless, reads)):
                yield name

    def _is_changed(self, node: ast.Name) -> bool:
        parent = self.above[id(node)]
        return (
            isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Store)
        )

    def _size(self, node: ast.Name) -> int | None:
        """The size of the list that is assigned to a name; None if it isn't seen."""
        match self.above[id(node)]:
            case ast.Assign(targets=[target], value=value) if target is node:
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value) if target is node:
                pass
            case _:
                return None
        found = self.displayed(value)
        if found is None or self._is_deeper(node):
            return None
        size = len(found[0]) * found[1]
        return size if 0 < size <= MOST else None

    def displayed(self, node: ast.expr) -> tuple[list[ast.expr], int] | None:
        """A list that is written out, as a part and how often it is repeated."""
        match node:
            case ast.List(elts=part):
                times: ast.expr = ast.Constant(1)
            case ast.BinOp(left=ast.List(elts=part), op=ast.Mult(), right=times):
                pass
            case ast.BinOp(left=times, op=ast.Mult(), right=ast.List(elts=part)):
                pass
            case ast.ListComp(
                elt=ast.Constant() as item,
                generators=[
                    ast.comprehension(
                        target=ast.Name(),
                        iter=ast.Call(func=called, args=[times], keywords=[]),
                        ifs=[],
                        is_async=0,
                    )
                ],
            ) if self._is_python(called, "range"):
                part = [item]
            case _:
                return None
        number = self._number(times)
        if number is None or any(isinstance(item, ast.Starred) for item in part):
            return None
        return part, number

    def _number(self, node: ast.expr) -> int | None:
        """A small number that is written out, or a constant of the file."""
        match node:
            case ast.Constant(value=int(found)) if not isinstance(found, bool):
                pass
            case ast.Name(id=name) if name not in self.bound:
                constant = self.module.constants.get(name)
                if not isinstance(constant, ir.Constant) or constant.sort is not ir.Sort.INT:
                    return None
                found = int(constant.value)
            case _:
                return None
        return found if 0 < found <= MOST else None

    def _is_harmless(self, node: ast.Name) -> bool:
        """Whether a use neither changes the size of a list nor lets anything else refer to it."""
        if isinstance(node.ctx, ast.Del) or self._is_deeper(node):
            return False
        parent = self.above[id(node)]
        match parent:
            case ast.Subscript(value=value, slice=index, ctx=ctx) if value is node:
                return isinstance(ctx, ast.Load) or (
                    isinstance(ctx, ast.Store) and not isinstance(index, ast.Slice)
                )
            case ast.Call(func=func):
                python = any(self._is_python(func, name) for name in _READERS)
                return node in parent.args and (python or self._is_noise(parent))
            case ast.Attribute(attr=attr):
                call = self.above[id(parent)]
                return attr in _METHODS and isinstance(call, ast.Call) and call.func is parent
            case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
                return iterable is node
            case ast.Return():
                return True
            case ast.Tuple(elts=parts):
                times = sum(isinstance(part, ast.Name) and part.id == node.id for part in parts)
                return times == 1 and isinstance(self.above[id(parent)], ast.Return)
            case _:
                return False

    def _is_deeper(self, node: ast.AST) -> bool:
        """Whether another function or class is around a node."""
        parent = self.above[id(node)]
        if parent is self.function.node:
            return False
        definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return isinstance(parent, definitions) or self._is_deeper(parent)

    def _is_noise(self, node: ast.Call) -> bool:
        known = None if self._is_bound(node.func) else self.module.known(node.func)
        return known is not None and known.role is Role.DISTRIBUTION and known.name in NOISES

    def _is_python(self, called: ast.expr, name: str) -> bool:
        """Whether what is called is a function of Python itself."""
        if not isinstance(called, ast.Name) or called.id != name or name in self.bound:
            return False
        known = self.module.known(called)
        if known is None or not self.module.means_pythons(name):
            return False
        return known.role is not Role.STUB or self.module.library.only_reads(known.name)

    def _is_bound(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.bound
