"""``isinstance``, decided by declared types, and by what Python can have in the place of a value."""

from __future__ import annotations

import ast
from collections.abc import Set
from dataclasses import replace
from fractions import Fraction

from synth.trusted.errors import Refusal
from synth.trusted.frontend import argument_types, arguments, shapes, values
from synth.trusted.frontend.classes import Class, Kind
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import Value
from synth.trusted.frontend.vocabulary import MAKER, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_NUMBERS = ("bool", "int", "float")
_OF_PYTHONS_NUMBERS = {ir.Sort.BOOL: ("bool",), ir.Sort.INT: ("bool", "int"), ir.Sort.REAL: _NUMBERS}
_OF_NUMPY = {
    ir.Sort.BOOL: ("numpy.bool",),
    ir.Sort.INT: ("numpy.integer",),
    ir.Sort.REAL: ("numpy.integer", "numpy.float64", "numpy.float32"),
}
"""Scalars of numpy; its truth values never count as numbers (``Inference.check_truth``)."""

_RUNS = ("Iterable", "Container", "Collection", "Sized")
_SEQUENCE = (*_RUNS, "Sequence", "Reversible")
_REAL = ("numbers.Number", "numbers.Complex", "numbers.Real")
_INTEGRAL = (*_REAL, "numbers.Rational", "numbers.Integral")
_SCALAR = ("numpy.generic",)
_NAMED = "a named tuple"
_ABOVE = {
    "bool": frozenset({"bool", "int", *_INTEGRAL}),
    "int": frozenset({"int", *_INTEGRAL}),
    "float": frozenset({"float", *_REAL}),
    "list": frozenset({"list", *_SEQUENCE, "MutableSequence"}),
    "tuple": frozenset({"tuple", *_SEQUENCE}),
    _NAMED: frozenset({"tuple", *_SEQUENCE}),
    "str": frozenset({"str", *_SEQUENCE}),
    "range": frozenset(_SEQUENCE),
    "dict": frozenset({"dict", *_RUNS, "Reversible"}),
    "a tally": frozenset({"dict", *_RUNS, "Reversible"}),
    "set": frozenset({"set", *_RUNS}),
    "a frozenset": frozenset(_RUNS),
    "member": frozenset[str](),
    "None": frozenset[str](),
    "numpy.ndarray": frozenset({"numpy.ndarray", *_RUNS}),
    "numpy.bool": frozenset({"numpy.bool_", *_SCALAR}),
    "numpy.integer": frozenset({"numpy.integer", "numpy.number", *_SCALAR, *_INTEGRAL}),
    "numpy.float64": frozenset({"float", "numpy.floating", "numpy.number", *_SCALAR, *_REAL}),
    "numpy.float32": frozenset({"numpy.floating", "numpy.number", *_SCALAR, *_REAL}),
    "numpy.str": frozenset({"str", *_SEQUENCE, *_SCALAR}),
}
"""For each type that a value may have in Python, those that it is an instance of."""

_SOURCES = {
    "numpy.random": ("Generator", "RandomState"),
    "random": ("Random", "SystemRandom"),
    "opendp.prelude._domains": ("Integer", "Real", "Unclear", "Integers", "Reals", "Unclears"),
    "opendp.prelude._metrics": ("Absolute", "L1", "L2", "Symmetric", "Discrete"),
}
"""Classes of sources of draws, a SystemRandom is a Random, too; and values of which only that is asked."""

_OF_PYTHON = ("bool", "int", "float", "list", "tuple", "str", "dict", "set", "complex", "bytes")
_KNOWN = frozenset().union(*_ABOVE.values(), _OF_PYTHON)


_BY_METHODS = {
    "Iterable": ("__iter__",),
    "Container": ("__contains__",),
    "Collection": ("__iter__", "__contains__", "__len__"),
    "Sized": ("__len__",),
    "Reversible": ("__iter__", "__reversed__"),
}
"""Types that an object has by its methods alone."""

_CLASS = "class "
"""What stands before the name of a class of the file."""

_ABSTRACT = "abstract"
"""Among types, that one may be an abstract class, of which others may be said to be subclasses."""

_SOURCE = "source "
"""What stands before the name of a class of sources of draws."""


def is_instance(context: Context, node: ast.Call) -> ir.Expression:
    """``isinstance(x, int)``, also with a tuple or a union of types.  Raises ProgramError."""
    subject, kinds = arguments.positional(context.source, node, "isinstance", 2, 2)
    wanted = frozenset(_types(context, kinds))
    holds = {kind for kind, above in _ABOVE.items() if above & wanted}
    holds |= {name for name in wanted if name.startswith((_CLASS, _SOURCE))}
    if _source("random", "Random") in wanted:
        holds.add(_source("random", "SystemRandom"))
    if not all(name in _OF_PYTHON or name.startswith(("numpy.", _SOURCE)) for name in wanted):
        holds.add(_ABSTRACT)
    value = context.expression(context, subject)
    if isinstance(value, values.ObjectValue) and wanted & _BY_METHODS.keys():
        for name in (name for kind in wanted & _BY_METHODS.keys() for name in _BY_METHODS[kind]):
            value.kind.method(name)  # refused, if there is one
    if isinstance(value, values.ScalarValue) and _is_entry(context, subject):
        answers = {kind in holds for kind in _OF_PYTHONS_NUMBERS[value.expression.sort]}
        if (answer := _answer(context, answers, holds)) is not None:
            return answer
    return tested(context, node, value, holds)


def is_type(context: Context, node: ast.Compare) -> ir.Expression | None:
    """``type(x) is int``, also with ``==`` and ``in``; None for another comparison.  Raises ProgramError."""
    match node:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type") as called, args=[subject], keywords=[]),
            ops=[operator],
            comparators=[right],
        ) if is_python(context, called):
            pass
        case _:
            return None
    named = [right]
    if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set):
        named = right.elts
    elif not isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        return None
    wanted = {_type(context, item) for item in named}
    if not all(name in (*_OF_PYTHON, "numpy.ndarray") or name.startswith(_SOURCE) for name in wanted):
        message = (
            "'type' of objects, and with types that no value has itself, is not supported: use isinstance"
        )
        raise context.error(node, Refusal.UNSUPPORTED_TYPE, message)
    holds = tested(context, node, context.expression(context, subject), wanted)
    return builders.negate(holds) if isinstance(operator, ast.IsNot | ast.NotEq | ast.NotIn) else holds


def tested(context: Context, node: ast.expr, value: Value, wanted: Set[str]) -> ir.Expression:
    """Whether the value has one of the types."""
    match value:
        case values.OptionalValue(flag, expression):
            some = values.ScalarValue(expression)
            return builders.both(builders.negate(flag), _decided(context, node, some, wanted))
        case values.SourceValue(methods, none, kind):
            source = values.SourceValue(methods, kind=kind)
            return builders.both(builders.negate(none), _decided(context, node, source, wanted))
        case values.LabelValue(kind, code, none):
            label = values.LabelValue(kind, code)
            return builders.both(builders.negate(none), _decided(context, node, label, wanted))
        case _:
            return _decided(context, node, value, wanted)


def _source(methods: str, kind: str) -> str:
    return f"{_SOURCE}{methods}.{kind}"


def _types(context: Context, node: ast.expr) -> list[str]:
    match node:
        case ast.Tuple(elts=parts):
            return [name for part in parts for name in _types(context, part)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_types(context, left), *_types(context, right)]
        case _:
            return [_type(context, node)]


def _type(context: Context, node: ast.expr) -> str:
    """The name of a type."""
    if isinstance(node, ast.Name | ast.Attribute) and not is_local(context, node):
        known = context.module.known(node)
        if known is not None and known.role in (Role.FUNCTION, Role.TYPE) and known.name in _KNOWN:
            return known.name
        if known is not None and known.role is Role.GENERATOR and known.kind in _SOURCES.get(known.name, ()):
            if MAKER not in known.takes:
                return _source(known.name, known.kind)
        kind = context.module.class_named(node)
        if kind is not None:
            for name in ("__instancecheck__", "__subclasshook__"):
                kind.method(name)  # refused, if there is one
            return _name_of(context, kind)
        if isinstance(node, ast.Name) and node.id in _OF_PYTHON and is_python(context, node):
            return node.id
    shown = ast.unparse(node)
    raise context.error(
        node, Refusal.UNSUPPORTED_TYPE, f"'isinstance' with '{shown}' is not supported; with {_WITH} it is"
    )


_WITH = "types of Python's own values, numpy.ndarray and those of numbers"


def is_python(context: Context, node: ast.Name) -> bool:
    """Whether a name is one that Python has without an import, and that the file doesn't bind."""
    module = context.module
    bound = (module.functions, module.classes, module.constant_nodes, module.blocked, module.imported)
    return not is_local(context, node) and not any(node.id in names for names in bound)


def _name_of(context: Context, kind: Class) -> str:
    """The name of a class, with that of its file: two files may have classes of one name."""
    home = context.module.home(kind)
    return f"{_CLASS}{kind.name} of {'' if home is None else home.place or home.source.path}"


def _decided(context: Context, node: ast.expr, value: Value, wanted: Set[str]) -> ir.Expression:
    """Whether each type that the value may have in Python is one of these, or none is."""
    if isinstance(value, values.ObjectValue):
        answers = {any(_name_of(context, each) in wanted for each in value.kind.line)}
    elif isinstance(value, values.NamedTupleValue):
        answers = {_NAMED in wanted or _name_of(context, value.kind) in wanted}
    elif isinstance(value, values.TupleValue) and any(name.startswith(_CLASS) for name in wanted):
        answers = set()  # it may be a named tuple
    else:
        answers = {kind in wanted for kind in kinds(context, value)}
    if (answer := _answer(context, answers, wanted)) is not None:
        return answer
    raise context.error(
        node,
        Refusal.UNSUPPORTED_TYPE,
        f"whether {shapes.describe_value(value)} is an instance here is not known; test a parameter's type",
    )


def _answer(context: Context, answers: set[bool], wanted: Set[str]) -> ir.Expression | None:
    """What all answers are; None if not all are, or code may make a type a subclass of an abstract one."""
    registers = any("register" in item.source.text for item in context.module.of_user)
    if len(answers) != 1 or (answers == {False} and _ABSTRACT in wanted and registers):
        return None
    return builders.TRUE if answers == {True} else builders.FALSE


def _is_entry(context: Context, node: ast.expr) -> bool:
    """Whether a name is bound in its function by loops over lists that the mechanism is given, and only so.

    Its entries are numbers of Python's, of the declared type.
    """
    function = context.scope.function
    if not isinstance(node, ast.Name) or function is None:
        return False
    parts = list(ast.walk(function.node))
    loops = [part for part in parts if isinstance(part, ast.For | ast.comprehension)]
    bound = [loop.iter for loop in loops if isinstance(loop.target, ast.Name) and loop.target.id == node.id]
    return 0 < len(bound) == _times_bound(parts, node.id) and all(
        isinstance(item, ast.Name) and _is_given_list(context, parts, item) for item in bound
    )


def _is_given_list(context: Context, parts: list[ast.AST], node: ast.Name) -> bool:
    match context.expression(context, node):
        case values.ParameterValue(parameter):
            is_list = parameter.kind is ir.ParameterKind.SEQUENCE
        case value:
            is_list = isinstance(value, values.RecordsValue)
    return is_list and _times_bound(parts, node.id) == 1


def _times_bound(parts: list[ast.AST], name: str) -> int:
    """How often a function may bind a name, as a parameter, too."""
    stored = (isinstance(part, ast.Name) and part.id == name for part in parts if not _is_read(part))
    named = (
        bool(value == name or (isinstance(value, list) and name in value))
        for part in parts
        if not isinstance(part, ast.Name | ast.Attribute | ast.keyword | ast.Constant)
        for _, value in ast.iter_fields(part)
    )
    return sum(stored) + sum(named)


def _is_read(part: ast.AST) -> bool:
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)


def _given(context: Context, value: Value) -> str:
    """The parameter of the mechanism whose argument a value is; empty if none.

    What numpy makes of an argument may be the same number, of another type.
    """
    python = not context.inference.uses_numpy
    names = (
        name for name, given in context.given.items() if given is value or (python and _are_one(given, value))
    )
    return next(names, "")


def _are_one(given: Value, value: Value) -> bool:
    match given, value:
        case values.ScalarValue(ir.Variable(name)), values.ScalarValue(ir.Variable(other)):
            return name == other
        case _:
            return False


def _declared(context: Context, name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """The type that a mechanism's parameter is declared with; ``others`` if it isn't a single one."""
    match _annotation(context, name):
        case ast.Name(id=kind) | ast.Constant(value=str(kind)) if kind in _NUMBERS:
            return (kind,)
        case ast.Subscript(value=ast.Name(id="list" | "List") | ast.Attribute(attr="List")):
            return ("list",)
        case _:
            return others


def _annotation(context: Context, name: str) -> ast.expr | None:
    """What is stated of a parameter of the mechanism beside the file, or else at it."""
    scope = context.scope
    while scope.caller is not None:
        scope = scope.caller
    function = scope.function
    assert function is not None
    beside = function.module.specified.get(function.name)
    stated = {} if beside is None else dict(beside.types)
    if name in stated:
        return ast.parse(stated[name].strip(), mode="eval").body
    return next((item.annotation for item in function.parameters if item.arg == name), None)


def of_attribute(context: Context, name: str, value: Value) -> Value:
    """What an attribute has: a constant that is a truth value of Python's is one that is written."""
    match value:
        case values.ScalarValue(ir.Constant(sort=ir.Sort.BOOL)):
            written = context.inference.kinds.get(name) == frozenset({"bool"})
            return replace(value, written=written)
        case _:
            return value


def kinds(context: Context, value: Value) -> tuple[str, ...]:
    """The types that a value may have in Python; there may be none that is known."""
    if isinstance(value, values.ScalarValue) and value.written:
        return (argument_types.NAMES[value.expression.sort],)
    name = _given(context, value)
    # Stubs only tell numbers from sequences.
    by_numpy = context.inference.uses_numpy and context.module.stub is None
    match value:
        case values.ScalarValue(ir.Variable(own)) if own in context.inference.kinds:
            return tuple(sorted(context.inference.kinds[own]))
        case values.ScalarValue() if name:
            return _declared(context, name, _NUMBERS)
        case values.ScalarValue(expression):
            is_fraction = isinstance(expression, ir.Constant) and Fraction(expression.value).denominator != 1
            known = ("float",) if is_fraction else _OF_PYTHONS_NUMBERS[expression.sort]
            return (*known, *_OF_NUMPY[expression.sort]) if by_numpy else known
        case values.LabelValue(kind) if kind.is_enumeration:
            classes = [item for each in context.module.of_user for item in each.classes.values()]
            return tuple(_name_of(context, item) for item in classes if item.labels is kind) or ("member",)
        case values.LabelValue():
            return ("str", "numpy.str") if by_numpy else ("str",)
        case values.NoneValue():
            return ("None",)
        case values.SourceValue(methods, kind=kind) if kind:
            return (_source(methods, kind),)
        case values.TupleValue():
            classes = [item for each in context.module.of_user for item in each.classes.values()]
            return ("tuple", _NAMED) if any(item.kind is Kind.TUPLE for item in classes) else ("tuple",)
        case values.ArrayValue():
            return ("numpy.ndarray",)
        case values.ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            return _declared(context, parameter.name, ("list", "tuple"))
        case values.RecordsValue(name):
            return _declared(context, name, ("list", "tuple"))
        case values.ListValue() | values.ListLiteral():
            return ("list",)
        case values.DictValue(is_tally=is_tally):
            return ("a tally",) if is_tally else ("dict",)
        case values.SetValue():
            return ("set", "a frozenset")
        case values.GeneratorValue(bounds=(_, _)):
            return ("range",)
        case _:
            return ()
