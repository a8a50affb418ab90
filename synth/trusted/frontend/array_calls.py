"""Functions of numpy, and methods of arrays: those of numbers go entry by entry."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, arrays, entrywise, matrices, shapes
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    GUMBEL,
    INDEX,
    UNIFORM_NOISE,
    ArrayValue,
    DictValue,
    EnumValue,
    ExtendedValue,
    GeneratorValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    Noise,
    NoneValue,
    OptionalValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SetValue,
    TupleValue,
    TypeValue,
    UniformValue,
    Value,
    unset,
)
from synth.trusted.frontend.vocabulary import ENTRYWISE, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Call = Callable[[dict[str, Value]], Value]
"""A call of a function with these arguments."""

NUMPY = "numpy"

_TAKEN = (
    ScalarValue | OptionalValue | ExtendedValue | UniformValue | ArrayValue | MatrixValue | ParameterValue
)
"""What functions of numbers take, besides lists."""

PRODUCT = "numpy.dot"
METHODS = frozenset(
    (
        *("sum", "mean", "max", "min", "argmax", "argmin", "cumsum", "any", "all", "dot", "clip", "round"),
        *("astype", "tolist", "copy", "std", "var", "prod", "flatten", "ravel", "item"),
    )
)
"""Methods of arrays that are functions of numpy, or of the stub of it, with the array as first argument."""

_OF_PYTHON = ("statistics.mean", "math.trunc", "secrets.randbelow", "secrets.randbits", "random.getrandbits")
"""Functions of Python that mean something else for integers of numpy."""

_TYPES = {
    "float": ir.Sort.REAL,
    "int": ir.Sort.INT,
    "bool": ir.Sort.BOOL,
    "numpy.float64": ir.Sort.REAL,
    "numpy.float32": ir.Sort.REAL,
    "numpy.int64": ir.Sort.INT,
    "numpy.int32": ir.Sort.INT,
    "numpy.bool_": ir.Sort.BOOL,
}


_CODES = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "?": "bool_"}
"""What numpy calls types for short; those without a sign have no negative numbers."""


def of_type(context: Context, node: ast.expr) -> Value:
    """The type of entries that a ``dtype`` names."""
    known = context.module.known(node)
    if isinstance(node, ast.Constant) and node.value is None:
        return NoneValue()
    if isinstance(node, ast.Attribute) and node.attr == "dtype":
        value = context.expression(context, node)
        if isinstance(value, TypeValue):
            return value
    name = known.name if known is not None and known.role in (Role.FUNCTION, Role.STUB, Role.TYPE) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = node.value if node.value in _TYPES else f"{NUMPY}.{_CODES.get(node.value, node.value)}"
    if name not in _TYPES:
        message = f"the dtype '{ast.unparse(node)[:40]}' is not supported: int, float or bool are"
        raise context.error(node, Refusal.UNSUPPORTED_TYPE, message)
    return TypeValue(_TYPES[name])


def with_ranges(
    context: Context, node: ast.expr, function: Function, given: dict[str, Value]
) -> dict[str, Value]:
    """The arguments of a call; for numpy a range with the step 1 is a sequence.

    What ``np.array([e for x in xs])`` is made of has no name, so nothing changes it.
    """
    stub = function.module.stub
    if stub is None or stub.module.partition(".")[0] != NUMPY:
        return given
    if function.name in ("array", "asarray") and isinstance(node, ast.Call) and node.args:
        made = given[function.parameters[0].arg]
        if isinstance(node.args[0], ast.ListComp) and isinstance(made, ListValue):
            context.unnamed_lists.add(made.name)
    return {name: _of_range(context, node, value) or value for name, value in given.items()}


def _of_range(context: Context, node: ast.expr, value: Value) -> ArrayValue | None:
    match value:
        case GeneratorValue(bounds=(start, stop)):
            size = context.natural(builders.subtract(stop, start))
            first = arrays.number(context, start, node)
            return ArrayValue(arrays.number(context, size, node), builders.add(first, INDEX))
        case _:
            return None


def _has_literals(node: ast.expr, number: int) -> bool:
    """Whether a call has that many arguments, all of them literals: these are Python's."""
    given = [*node.args, *(item.value for item in node.keywords)] if isinstance(node, ast.Call) else []
    return len(given) == number and all(isinstance(item, ast.Constant) for item in given)


def check_arguments(context: Context, node: ast.expr, function: Function, given: Mapping[str, Value]) -> None:
    """Refuse what numpy takes otherwise than its stub would.  Raises ProgramError.

    A dict, a set or a generator is one entry for it, a tuple an array, a list of tuples has two dimensions.
    """
    library = "" if function.module.stub is None else function.module.stub.module
    may_differ = context.inference.uses_numpy and not _has_literals(node, len(given))
    if may_differ and f"{library}.{function.name}" in _OF_PYTHON:
        message = f"'{function.name}' of '{library}' may round numpy's integers or raise: use fmean or int"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if f"{library}.{function.name}" == "statistics.mean":  # of integers it may be one
        context.inference.note_mixed()
    if library == "math" and function.name not in ("fsum", "prod") and any(map(_is_sequence, given.values())):
        message = f"'{function.name}' of 'math' takes numbers: use numpy's"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if library.partition(".")[0] != NUMPY:
        return
    if function.name == "astype" and given["dtype"] == NoneValue():
        raise context.error(node, Refusal.UNSUPPORTED_TYPE, "'astype' without a type is not supported")
    by_entry_of_it = ENTRYWISE in function.marks
    if by_entry_of_it and all(isinstance(value, ScalarValue) for value in given.values()):
        if function.name == "where":
            message = "'where' of numbers is an array without dimensions: use 'a if c else b'"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        for name in given:
            _check_truth(context, node, function, name, context.scalar(given[name], node).sort)
    for name, value in given.items():
        match value:
            case DictValue() | SetValue() | EnumValue() | GeneratorValue():
                lacking = True
            case NoneValue():
                lacking = by_entry_of_it and not _may_lack(function, name)
            case ListLiteral(items) | TupleValue(items) if name not in ("arrays", "tup"):
                nested = any(isinstance(item, TupleValue | NoneValue) or _is_sequence(item) for item in items)
                lacking = nested or (by_entry_of_it and isinstance(value, TupleValue))
            case ListValue() | RecordsValue():
                lacking = isinstance(
                    arrays.entry_value(context, value), TupleValue | NoneValue | OptionalValue
                )
            case _:
                lacking = by_entry_of_it and not isinstance(value, _TAKEN)
        if lacking:
            message = f"'{function.name}' of {shapes.describe_value(value)} is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


# --- entry by entry ---------------------------------------------------------------------


def applies(function: Function, given: Mapping[str, Value]) -> bool:
    """Whether a function of numbers is called with a sequence."""
    return ENTRYWISE in function.marks and any(map(_is_sequence, given.values()))


def by_entry(
    context: Context, node: ast.Call, function: Function, given: Mapping[str, Value], call: Call
) -> Value:
    """The array of what a function of numbers gives for each entry of its arguments."""
    if any(isinstance(value, MatrixValue) for value in given.values()):
        items = list(given.values())

        def flat(parts: list[Value]) -> Value:
            return by_entry(context, node, function, dict(zip(given, parts, strict=True)), call)

        return matrices.flattened(context, node, items, flat)
    names = [name for name, value in given.items() if not isinstance(value, NoneValue | TypeValue)]
    given_operands = [entrywise.operand(context, node, given[name]) for name in names]
    operands = entrywise.stretched(context, node, given_operands)
    for name, operand in zip(names, operands, strict=True):
        _check_truth(context, node, function, name, entrywise.entry_of(operand).sort)

    def compute(entries: Sequence[ir.Expression]) -> ir.Expression:
        numbers = {name: ScalarValue(entry) for name, entry in zip(names, entries, strict=True)}
        return context.scalar(call({**given, **numbers}), node)

    return entrywise.combined(context, node, operands, compute)


def _may_lack(function: Function, name: str) -> bool:
    """Whether a parameter of a function of numbers may be None."""
    (annotation,) = (item.annotation for item in function.parameters if item.arg == name)
    return isinstance(annotation, ast.Constant) and annotation.value is None


def _check_truth(context: Context, node: ast.expr, function: Function, name: str, sort: ir.Sort) -> None:
    """Refuse truth values and integers where numpy does not treat them as reals.  Raises ProgramError."""
    (annotation,) = (item.annotation for item in function.parameters if item.arg == name)
    kind = annotation.id if isinstance(annotation, ast.Name) else ""
    if sort is ir.Sort.BOOL and kind != "object":
        message = f"'{function.name}' of truth values is not supported: use astype(int)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if sort is ir.Sort.INT and kind == "float":
        message = f"'{function.name}' of integers, which versions of numpy make reals or not: leave it out"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def _is_sequence(value: Value) -> bool:
    match value:
        case ArrayValue() | MatrixValue() | ListValue() | ListLiteral() | RecordsValue():
            return True
        case ParameterValue(parameter):
            return parameter.kind is ir.ParameterKind.SEQUENCE
        case _:
            return False


# --- lengths ----------------------------------------------------------------------------


def _size(context: Context, node: Located, value: Value) -> ir.Expression:
    """A number of entries, which is public: ``n`` or ``(n,)``."""
    match value:
        case TupleValue((single,)):
            return _size(context, node, single)
        case TupleValue():
            message = "an array of several dimensions is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    size = context.scalar(value, node)
    if size.sort is not ir.Sort.INT:
        raise context.error(node, Refusal.WRONG_TYPE, "the length of an array must be an integer")
    message = "private data in the length of an array"
    context.public.append((size, context.source.span(node), Refusal.PRIVATE_LOOP_BOUND, message))
    size = arrays.number(context, size, node)
    if context.natural(size) != size:
        enough = builders.less_equal(builders.ZERO, size)
        context.require("domain", enough, "an array of a negative length", node)
    return size


# --- what stubs are written with --------------------------------------------------------


def note_sum(
    context: Context, prefix: str, function: Function, given: Mapping[str, Value], result: Value
) -> None:
    """Remember what the sum is of that a call of numpy gave: no other assignment is to its variable.

    The variables of the call begin with ``prefix``.
    """
    stub = function.module.stub
    if stub is None or (stub.module, function.name) != (NUMPY, "sum"):
        return
    array = given["a"]
    match result:
        case ScalarValue(ir.Variable(name)) if isinstance(array, ArrayValue) and array.noise is None:
            if array.mask is None and name.startswith(prefix):
                context.sums[name] = array


def _shares(context: Context, node: ast.Call, name: str) -> Value:
    """``shares(p)``, what p is in proportion to; ``sums_to_one(p)``, whether it is known to be divided so."""
    (argument,) = arguments.positional(context.source, node, name, 1, 1)
    array = arrays.from_value(context, context.expression(context, argument), node)
    if array is None:
        raise context.error(node, Refusal.WRONG_TYPE, "probabilities must be a sequence")
    if name == "shares":
        return array.whole or array
    return ScalarValue(builders.FALSE if array.whole is None else builders.TRUE)


def _gumbel(context: Context, node: ast.Call, name: str) -> Value:
    """Gumbel noise around a number; whether an array is such noise; and its centres divided by the scale.

    The largest entry of x + noise is that at i with a probability in proportion to exp(x[i] / scale).
    """
    if name == "gumbel_noise":
        nodes = arguments.positional(context.source, node, name, 3, 3)
        loc, scale, size = context.ordered(nodes)
        if isinstance(size, NoneValue):
            message = "Gumbel noise is only supported in argmax(x + noise), once: draw size=len(x)"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        center, width = (builders.convert(context.numeric(item, node), ir.Sort.REAL) for item in (loc, scale))
        width = arrays.number(context, width, node)
        span = context.source.span(node)
        context.public.append((width, span, Refusal.PRIVATE_SCALE, "private data in a scale"))
        noise = Noise(GUMBEL, width, span)
        center = arrays.number(context, center, node)
        return ArrayValue(_size(context, node, size), center, noise=noise)
    (argument,) = arguments.positional(context.source, node, name, 1, 1)
    value = context.expression(context, argument)
    gumbel = value.noise if isinstance(value, ArrayValue) and value.mask is None else None
    if name == "is_gumbel":
        is_it = gumbel is not None and gumbel.distribution == GUMBEL
        return ScalarValue(builders.TRUE if is_it else builders.FALSE)
    assert isinstance(value, ArrayValue) and gumbel is not None
    return replace(value, entry=builders.divide(value.entry, gumbel.scale), noise=None, owner="")


def primitive(context: Context, node: ast.Call, name: str) -> Value:
    """A call of what only stubs have: ``by_index``, ``to_array``, ``to_list``, ``to_type``."""
    if name == "by_index":
        return _by_index(context, node)
    if name == "unset_entry":
        return ScalarValue(unset(ir.Sort.REAL))
    if name == "uniform_noise":
        (argument,) = arguments.positional(context.source, node, name, 1, 1)
        size = _size(context, node, context.expression(context, argument))
        one, zero = builders.convert(builders.ONE, ir.Sort.REAL), builders.zero(ir.Sort.REAL)
        return ArrayValue(size, zero, noise=Noise(UNIFORM_NOISE, one, context.source.span(node)))
    if name in ("gumbel_noise", "is_gumbel", "log_weights"):
        return _gumbel(context, node, name)
    if name in ("shares", "sums_to_one"):
        return _shares(context, node, name)
    if name == "to_type":
        nodes = arguments.positional(context.source, node, name, 2, 2)
        value, kind = context.ordered(nodes)
        return kind_of(context, node, value, kind)
    (argument,) = arguments.positional(context.source, node, name, 1, 1)
    value = context.expression(context, argument)
    array = arrays.from_value(context, value, node)
    if array is None:
        kind_of_it = shapes.describe_value(value)
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, f"an array of {kind_of_it} is not supported")
    if name == "as_numbers" and array.entry.sort is ir.Sort.BOOL:
        message = "this of truth values is not supported: use any(), all() or astype(int)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if name == "to_list":
        return arrays.as_list(context, array, node)
    if name == "one_row":
        return matrices.one_row(context, node, array)
    return array if name in ("as_array", "as_numbers") else replace(array, owner="")


def _by_index(context: Context, node: ast.Call) -> ArrayValue | MatrixValue:
    """``by_index(n, lambda i: e)``: the array of n entries with e at the index i."""
    length, function = arguments.positional(context.source, node, "by_index", 2, 2)
    shape = context.expression(context, length)
    two = matrices.size(context, node, shape)
    size = _size(context, node, shape) if two is None else arrays.number(context, matrices.length(*two), node)
    assert isinstance(function, ast.Lambda)
    (parameter,) = function.args.args

    def compute(entries: Sequence[ir.Expression]) -> ir.Expression:
        outer = context.scope
        context.scope = replace(outer, bindings={**outer.bindings, parameter.arg: ScalarValue(entries[0])})
        try:
            return context.scalar(context.expression(context, function.body), node)
        finally:
            context.scope = outer

    made = entrywise.combined(context, node, [ArrayValue(size, INDEX)], compute)
    return made if two is None else MatrixValue(made, *two)


def kind_of(context: Context, node: ast.expr, value: Value, kind: Value) -> Value:
    """A number, or the entries of an array, in the type of another one; reals are cut to integers."""
    match kind:
        case TypeValue(sort):
            pass
        case ArrayValue(entry=entry) | MatrixValue(flat=ArrayValue(entry=entry)):
            sort = entry.sort
        case ScalarValue(expression):
            sort = expression.sort
        case _:
            return value
    if isinstance(value, MatrixValue):
        entries = kind_of(context, node, value.flat, TypeValue(sort))
        assert isinstance(entries, ArrayValue)
        return replace(value, flat=entries)
    if isinstance(value, ArrayValue):
        if value.entry.sort is sort:
            return value
        return entrywise.combined(context, node, (value,), lambda entries: converted(entries[0], sort))
    return ScalarValue(converted(context.scalar(value, node), sort))


def converted(number: ir.Expression, sort: ir.Sort) -> ir.Expression:
    """A number in a type of entries: reals are cut to integers, as numpy does."""
    if number == unset(number.sort):
        return unset(sort)
    match sort:
        case ir.Sort.BOOL:
            return builders.truth(number)
        case ir.Sort.INT if isinstance(number, ir.Constant):
            return builders.integer(int(number.value))
        case ir.Sort.INT:
            return builders.to_integer(ir.Operator.TRUNCATE, number)
        case _:
            return builders.convert(number, sort)
