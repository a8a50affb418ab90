"""Whether numpy surely gives the entries of an array the type that is read.

It takes the type from what Python's values happen to be: of no entries it makes reals, and of ``3 if c else
0.5`` an array of integers or of reals.  That makes a difference where reals are put into an array.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import array_calls, array_changes, array_names, arrays, matrices, shapes
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import (
    ArrayValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    TypeValue,
    Value,
)
from synth.trusted.frontend.vocabulary import Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_FIXED = (
    "zeros",
    "ones",
    "empty",
    "linspace",
    "arange",
    "sqrt",
    "exp",
    "log",
    "log1p",
    "expm1",
    "divide",
    "mean",
    "average",
    "std",
    "var",
    "median",
)
"""Functions of numpy whose results have one type, whatever they are given."""

_GIVE_NUMBERS = tuple(f"numpy.{name}" for name in ("sum", "max", "mean", "prod", "linalg.norm"))
"""Functions of numpy that give a number of its own for each list of numbers of Python."""

_OF_ALL_ENTRIES = ("sum", "prod", "dot", "append", "concatenate", "hstack")
"""Functions of numpy that give reals where one of the arrays is made of an empty list."""

_OF_ENTRIES = ("choice", "permutation")
"""Samplers of numpy that make an array of what they are given, and draw of its entries."""

_OF_INTEGERS = ("bincount",)

_CONVERSIONS = ("float", "int", "bool", "len", "exp", "log", "sqrt", "floor", "ceil")
_DRAWS = ("laplace", "exponential", "gaussian", "bernoulli", "uniform_int", "choice")
"""Those of ``synth.lang``, of which the text decides whether they give integers."""


def check(context: Context, target: ast.expr, new: ir.Expression) -> None:
    """Refuse a real that is put into an array of which numpy may have made integers.  Raises ProgramError."""
    while isinstance(target, ast.Subscript):
        target = target.value
    function = context.scope.function
    assert function is not None
    if new.sort is not ir.Sort.REAL or function.module.stub is not None:
        return
    if not _is_sure(context, function, set(), target):
        raise _unsure(context, target)


def check_entries(context: Context, node: ast.expr, value: Value) -> None:
    """Require an entry where numpy needs truth values or integers, and makes reals of an empty list."""
    if not isinstance(value, ArrayValue) or value.entry.sort is ir.Sort.REAL or is_known(context, node):
        return
    length = arrays.filled(context, value, node).length if value.mask is not None else value.length
    kind = "truth values" if value.entry.sort is ir.Sort.BOOL else "integers"
    some = builders.less(builders.ZERO, length)
    context.require("domain", some, f"numpy makes no {kind} of an empty list", node)


def check_added(context: Context, node: ast.AugAssign, made: Value) -> None:
    """Require an entry where a list is added in place, which may be empty: reals are put into no integers."""
    if isinstance(node.value, ast.Name) and isinstance(context.expression(context, node.value), ScalarValue):
        return
    check_entries(context, node.value, made)


def check_power(context: Context, node: ast.BinOp) -> None:
    """Refuse a power of what may be an integer of numpy to what may be a negative one: numpy raises."""
    match node:
        case ast.BinOp(op=ast.Pow(), left=left, right=right) if not isinstance(right, ast.Constant):
            surely_float = isinstance(left, ast.Constant) and isinstance(left.value, float)
        case _:
            return
    if surely_float or _is_e(context, left):
        return
    if context.inference.uses_numpy and not (is_known(context, node.left) and is_known(context, node.right)):
        message = "a power is not supported of what may be an integer of numpy: use float(...)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def _is_e(context: Context, node: ast.expr) -> bool:
    """Whether it is ``math.e``, a number of Python's."""
    known = None if is_local(context, node) else context.module.known(node)
    return known is not None and known.role is Role.NUMBER


def check_dtype(context: Context, node: ast.expr) -> None:
    """Refuse ``a.dtype`` where the text doesn't show it.  Raises ProgramError."""
    if isinstance(node, ast.Attribute) and node.attr == "dtype" and not is_known(context, node.value):
        raise _unsure(context, node.value)


def _unsure(context: Context, node: ast.expr) -> ProgramError:
    shown = ast.unparse(node)
    message = f"whether numpy takes entries of '{shown}' for integers depends on the data: use a dtype"
    return context.error(node, Refusal.MIXED_TYPES, message)


def check_given(context: Context, node: ast.expr, function: Function, given: Mapping[str, Value]) -> None:
    """Require an entry where a function of numpy takes integers only, and a type that it keeps to be sure."""
    stub = function.module.stub
    of_numpy = stub is not None and stub.module == array_calls.NUMPY
    if of_numpy and function.name == "full_like" and not is_known(context, node):
        raise _unsure(context, node)
    if of_numpy and function.name in _OF_INTEGERS:
        known = not is_local(context, node.func) if isinstance(node, ast.Call) else False
        place = node.args[0] if isinstance(node, ast.Call) and known and node.args else node
        check_entries(context, place, given["x"])


def given_back(context: Context, node: ast.expr, function: Function, made: Value) -> Value:
    """What a function of numpy gives: reals where a list that may be empty has part in it."""
    stub = function.module.stub
    if stub is None or stub.module != array_calls.NUMPY or function.name not in _OF_ALL_ENTRIES:
        return made
    match made:
        case ScalarValue(expression) | ArrayValue(entry=expression) if expression.sort is not ir.Sort.REAL:
            real = TypeValue(ir.Sort.REAL)
            return made if is_known(context, node) else array_calls.kind_of(context, node, made, real)
        case _:
            return made


def note_call(context: Context, node: ast.expr) -> None:
    """Remember a call of the user's own function that looks like one of a method of an array."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) if name in array_calls.METHODS:
            context.inference.note_chosen(node)


def note_item(context: Context, node: ast.Subscript, items: Sequence[Value]) -> None:
    """Remember an item of a tuple or list at a computed index, if not all have one type, whatever it is.

    Where numpy is used, each number may be of either.
    """
    written = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
    if not items or isinstance(written, ast.Constant):
        return
    if context.inference.signs_zeros or context.inference.uses_numpy or not _are_alike(items):
        context.inference.note_chosen(node)


def _are_alike(items: Sequence[Value]) -> bool:
    """Whether values have one type."""
    try:
        found = [shapes.shape_of(item) for item in items]
        joined = reduce(shapes.join, found)
    except shapes.MismatchError:
        return False
    sorts = {sort for item in found for pair in shapes.sorts(item, joined) for sort in pair}
    return len(sorts) < 2


def is_told(context: Context, node: ast.expr, by_repr: bool, is_real: bool) -> bool:
    """Whether a number that is shown has one type, whatever the data are: else equal ones look unlike.

    Where its repr is shown, as inside of a tuple, one of numpy's looks unlike one of Python's, too; ``-0.0``
    looks unlike ``0.0``.
    """
    known, function = context.inference, context.scope.function
    exactly = by_repr and known.uses_numpy
    if known.mixes or (is_real and known.signs_zeros) or exactly:
        return function is None or _is_sure(context, function, set(), node, exactly)
    return True


def is_known(context: Context, node: ast.expr) -> bool:
    """Whether the type of a number or of entries is seen from the text, or a stub has taken care of it."""
    function = context.scope.function
    return function is None or function.module.stub is not None or _is_sure(context, function, set(), node)


def is_real_of_numpy(context: Context, node: ast.expr) -> bool:
    """Whether a number is surely one of numpy's types, by the text: what one of its functions gives.

    A list that is divided by it becomes an array.
    """
    function = context.scope.function
    match node:
        case ast.Name(id=name) if function is not None and function.assigned.get(name) == 1:
            given = (
                part.value
                for part in ast.walk(function.node)
                if isinstance(part, ast.Assign) and [ast.unparse(item) for item in part.targets] == [name]
            )
            return any(isinstance(value, ast.Call) and is_real_of_numpy(context, value) for value in given)
        case ast.Call(func=ast.Name() | ast.Attribute() as called):
            known = None if is_local(context, called) else context.module.known(called)
            return known is not None and known.name in _GIVE_NUMBERS
        case _:
            return False


def _is_sure(
    context: Context, function: Function, seen: set[str | ast.expr], node: ast.expr, exactly: bool = False
) -> bool:
    """Whether it is seen from the text which type a value has, or the entries of an array of it.

    Without ``exactly`` a number of numpy and one of Python are of one type.
    """
    sure = partial(_is_sure, context, function, seen, exactly=exactly)
    match node:
        case ast.Constant():
            return True
        case ast.Compare(left=left, comparators=others):
            return not exactly or all(map(sure, (left, *others)))
        case ast.Name(id=name):
            before = _last_before(function, node, _is_array(context, name))
            looked_at = name if not before else before[0]
            if looked_at in seen:  # a single doubt makes all of it unsure, so once is enough
                return True
            seen.add(looked_at)
            return all(map(sure, before)) if before else _is_sure_name(context, function, sure, name)
        case ast.UnaryOp(operand=part) | ast.Subscript(value=part) | ast.Attribute(value=part, attr="T"):
            return node not in context.inference.chosen and sure(part)
        case ast.BinOp(left=left, op=operator, right=right):
            varies = isinstance(left, ast.List) or isinstance(right, ast.List)
            varies |= isinstance(operator, ast.Pow) and not isinstance(right, ast.Constant)
            is_quotient = isinstance(operator, ast.Div) and not exactly
            return is_quotient or (not varies and sure(left) and sure(right))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(map(sure, parts))
        case ast.IfExp():
            sides = context.scope.sides.get(node, set())
            return len(sides) == 1 and all(map(sure, sides))
        case ast.Call(func=ast.Name() | ast.Attribute() as called, args=given, keywords=words):
            if node in context.inference.chosen:
                return False
            known = None if is_local(context, called) else context.module.known(called)
            library, _, name = ("" if known is None else known.name).rpartition(".")
            library = library.removesuffix("._by_entry")
            if library == "numpy.random" or (library == "numpy" and name in _FIXED):
                of_entries = [*given[:1], *(word.value for word in words if word.arg in ("a", "x"))]
                return name not in _OF_ENTRIES or all(map(sure, of_entries))
            types = [word.value for word in words if word.arg == "dtype"]
            if types:
                method = called.attr if known is None and isinstance(called, ast.Attribute) else ""
                of_numpy = library == "numpy" or method in array_calls.METHODS
                return of_numpy and all(_is_type(context, item) for item in types)
            if library == "numpy":
                of_type = given[1:] if name == "full" else given
                return all(map(sure, [*of_type, *(word.value for word in words)]))
            if isinstance(called, ast.Attribute) and known is None:
                keeps = called.attr in array_calls.METHODS and called.attr != "tolist"
                return called.attr == "astype" or (keeps and sure(called.value) and all(map(sure, given)))
            return (not library and name in (*_CONVERSIONS, *_DRAWS)) or (
                library == "math" and name != "prod"
            )
        case _:
            return False


def _is_type(context: Context, node: ast.expr) -> bool:
    """Whether a type is surely one, and not None, with which numpy takes that of the entries."""
    match node:
        case ast.Attribute(attr="dtype") | ast.Constant(value=str()):
            return True
        case ast.Name() | ast.Attribute():
            return not is_local(context, node)
        case _:
            return False


def _is_sure_name(context: Context, function: Function, sure: Callable[[ast.expr], bool], name: str) -> bool:
    """Whether all that is assigned to a name has one type."""
    is_array = _is_array(context, name)
    stores = [
        part
        for part in ast.walk(function.node)
        if isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
    ]
    values = []
    for part in ast.walk(function.node):
        match part:
            case ast.Assign(targets=[ast.Name(id=assigned)], value=ast.expr() as value) if assigned == name:
                values.append(value)
            case ast.AnnAssign(target=ast.Name(id=assigned), value=ast.expr() as value) if assigned == name:
                values += [value] if is_array else []
            case ast.AugAssign(target=ast.Name(id=assigned), value=value) if assigned == name and is_array:
                values.append(value)  # in a number it makes an array
    is_argument = any(item.arg == name for item in function.parameters)
    if (
        any(isinstance(value, ast.List) for value in values)
        or len(stores) > len(values)
        or (len(values) + is_argument > 1 and not is_array)
    ):
        return False
    if is_argument and not _is_declared_argument(context, name):
        return False
    if is_argument and not is_array and array_changes.is_changed_in_place(function, name):
        return False
    return is_argument or (bool(values) and all(map(sure, values)))


def _is_array(context: Context, name: str) -> bool:
    return array_names.named(context, name) is not None or matrices.named(context, name) is not None


def _last_before(function: Function, node: ast.Name, is_array: bool) -> list[ast.expr]:
    """What was assigned to a name last before it is used, where the text shows that; a list may have changed.

    What is done to entries of an array in place leaves their type; what is added to it comes behind, since a
    number to which an array is added becomes one.
    """
    if not array_changes.is_straight(function, node.id) or _is_captured(function, node.id):
        return []
    place = (node.lineno, node.col_offset)
    stores = [
        part
        for part in ast.walk(function.node)
        if isinstance(part, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr)
        and (part.end_lineno or 0, part.end_col_offset or 0) < place
        and any(array_changes.changes(part, node.id))
    ]
    stores.sort(key=lambda part: (part.lineno, part.col_offset))
    whole = [part for part in stores if not (is_array and _is_in_place(part))]
    match whole[-1] if whole else None:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) as last if name == node.id:
            behind = stores[stores.index(last) :]
            added = [
                part.value
                for part in behind
                if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
            ]
            return [] if isinstance(value, ast.List) else [value, *added]
        case _:
            return []


def _is_in_place(node: ast.AST) -> bool:
    match node:
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            return True
        case _:
            return False


def _is_captured(function: Function, name: str) -> bool:
    """Whether a function within another mentions a name."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    return any(
        isinstance(item, ast.Name | ast.arg) and name in (getattr(item, "id", ""), getattr(item, "arg", ""))
        for part in ast.walk(function.node)
        if isinstance(part, inner) and part is not function.node
        for item in ast.walk(part)
    )


def _is_declared_argument(context: Context, name: str) -> bool:
    """Whether the mechanism's parameter that an argument is has a type that says which entries it has."""
    value = context.given.get(name) if context.scope.caller is None else context.scope.given.get(name)
    return any(value is item for item in context.given.values()) and _is_declared(value)


def _is_declared(value: Value | None) -> bool:
    """Whether the type of an argument says it; an empty list of integers would be an array of reals."""
    match value:
        case ParameterValue(parameter):
            return parameter.sort is ir.Sort.REAL
        case RecordsValue():
            array = arrays.of_records(value)
            return array is not None and array.entry.sort is ir.Sort.REAL
        case _:
            return isinstance(value, ArrayValue | ScalarValue)
