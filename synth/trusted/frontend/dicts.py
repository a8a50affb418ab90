"""Dicts over keys that are written out: a variable per key.

A dict has the place where it is made as its name, as objects do; so all its names mean the same.  Which keys
it has is known wherever it is used: new keys come only where it was made, in no branch or loop of their own,
and none is taken out.  It is used only inside of the block where it was made.

A tally (``Counter``, ``defaultdict``) has a value for each key, whether it is there or not; which keys are
there is never asked for.  So only the keys have variables that the program mentions itself, anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    arithmetic,
    branching,
    flattening,
    inlining,
    reductions,
    shapes,
    store,
    values,
)
from synth.trusted.frontend.context import Context, Table
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.labels import consecutive
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import DictValue, ListLiteral, ListValue, NoneValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MOST = 64
"""The most keys."""


def made(context: Context, node: ast.expr, default: Value | None = None) -> DictValue:
    """A new dict without keys, or a tally."""
    if context.where:
        raise context.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, f"a dict in {context.where} is not supported"
        )
    place = f"dict%%{inlining.number_of(context, (*context.scope.path, node), node)}"
    table = Table(context.block, default=default)
    context.dicts[place] = table
    if default is not None:
        for key in context.inference.keys.get(place, ()):
            table.keys.append(key)
            _store(context, place, len(table.keys) - 1, default, node)
    return DictValue(place, default is not None)


def items(context: Context, whole: DictValue, node: Located | ir.Span) -> tuple[tuple[Value, Value], ...]:
    """All keys with their values."""
    return tuple(
        (key, _read(context, whole.place, number, node))
        for number, key in enumerate(context.keys_of(whole, node))
    )


# --- keys -------------------------------------------------------------------------------


def is_constant(value: Value) -> bool:
    """Whether a key is written out."""
    match value:
        case TupleValue(parts):
            return all(map(is_constant, parts))
        case values.ScalarValue() | values.LabelValue() | NoneValue():
            return all(isinstance(part, ir.Constant) for part in flattening.expressions(value))
        case _:
            return False


def check_key(context: Context, key: Value, node: Located) -> None:
    """Refuse what is no key: what Python can't hash, and objects.  Raises ProgramError."""
    parts = key.items if isinstance(key, TupleValue) else (key,)
    kinds = values.ScalarValue | values.LabelValue | values.OptionalValue | NoneValue
    if not all(isinstance(part, kinds) for part in parts):
        kind = shapes.describe_value(key)
        raise context.error(node, Refusal.WRONG_TYPE, f"{kind} as a key is not supported")


def _number_of(context: Context, table: Table, key: Value, node: ast.expr) -> int | None:
    """The number of a key that is written out; None if it is a new one."""
    for number, known in enumerate(table.keys):
        if branching.equality(context, node, known, key) == builders.TRUE:
            return number
    return None


def _matches(context: Context, table: Table, key: Value, node: ast.expr) -> list[ir.Expression]:
    return [branching.equality(context, node, known, key) for known in table.keys]


def _is_key(table: Table, key: Value, matches: Sequence[ir.Expression]) -> ir.Expression:
    """Whether a key is one of those of a dict: between the first and the last, if these are all between."""
    codes = [_code(known, key) for known in table.keys]
    number = _number_in(key)
    ends = (
        None if None in codes or number is None else consecutive(code for code in codes if code is not None)
    )
    if ends is None or number is None:
        return builders.either(*matches)
    if isinstance(key, values.LabelValue) and len(codes) == len(key.kind.members):
        return builders.negate(key.none)
    first, last = map(builders.integer, ends)
    inside = builders.both(builders.less_equal(first, number), builders.less_equal(number, last))
    return builders.both(inside, builders.negate(_none_of(key)))


def _number_in(key: Value) -> ir.Expression | None:
    """The integer that a key is, or its code."""
    match key:
        case values.LabelValue(code=number) | values.ScalarValue(number) | values.OptionalValue(_, number):
            return number if number.sort is ir.Sort.INT else None
        case _:
            return None


def _none_of(key: Value) -> ir.Expression:
    match key:
        case values.LabelValue(none=none) | values.OptionalValue(none):
            return none
        case _:
            return builders.FALSE


def _code(known: Value, key: Value) -> int | None:
    """The integer of a key of a dict, if it is of the same type as another one."""
    match known, key:
        case values.LabelValue(kind, ir.Constant(value=code), none), values.LabelValue(other):
            return int(code) if kind is other and none == builders.FALSE else None
        case values.ScalarValue(ir.Constant(value=code, sort=ir.Sort.INT)), (
            values.ScalarValue() | values.OptionalValue()
        ):
            return int(code)
        case _:
            return None


def _add_key(context: Context, whole: DictValue, key: Value, node: ast.expr) -> int:
    """The number of a new key.  Raises ProgramError where it may be there or not."""
    table = context.table_of(whole, node)
    if table.default is None and table.block != context.block:
        message = "a new key in a branch or loop of its own: start with a dict that has all keys"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    if len(table.keys) >= MOST:
        raise context.error(node, Refusal.UNSUPPORTED_DICT, f"a dict of more than {MOST} keys")
    store.check_not_iterating(context, whole.place, node, "changed")
    table.keys.append(key)
    context.changed_lists.append(whole.place)
    return len(table.keys) - 1


def _known_number(context: Context, whole: DictValue, key: Value, node: ast.expr) -> int | None:
    """The number of a key that is written out, which a tally has from the start; None if there is none."""
    table = context.table_of(whole, node)
    number = _number_of(context, table, key, node)
    if number is None and table.default is not None:
        context.inference.add_key(whole.place, key)
        error = context.error(node, Refusal.TYPE_UNKNOWN, "the keys of a tally can't be found out")
        raise UnresolvedError(error)
    return number


# --- reading ----------------------------------------------------------------------------


def _variable(place: str, number: int) -> str:
    return f"{place}.{number}"


def _read(context: Context, place: str, number: int, node: Located | ir.Span) -> Value:
    if number in context.dicts[place].lists:
        return context.dicts[place].lists[number]
    return context.read(_variable(place, number), node, "an entry of a dict")


def entry(
    context: Context, node: ast.expr, whole: DictValue, key: Value, default: Value | None = None
) -> Value:
    """``d[k]``, or ``d.get(k, default)``; without a default it is shown that there is such a key."""
    check_key(context, key, node)
    if is_constant(key):
        number = _known_number(context, whole, key, node)
        if number is not None:
            return _read(context, whole.place, number, node)
        if default is not None:
            return default
        raise context.error(node, Refusal.WRONG_INDEX, "the dict has no such key")
    table = context.table_of(whole, node)
    if table.counted is not None and whole.place not in context.inference.changed_tallies:
        return reductions.model_of(context, node, "_count", {"entries": table.counted, "value": key})
    if table.default is not None:
        message = "of what is counted only keys that are written out can be read: loop over them"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    matches = _matches(context, table, key, node)
    found = [_read(context, whole.place, number, node) for number in range(len(matches))]
    if context.table_of(whole, node).lists:
        message = "a key that is computed is not supported where entries are lists"
        raise context.error(node, Refusal.UNSUPPORTED_DICT, message)
    if default is None:
        context.require("index", _is_key(table, key, matches), "the dict may have no such key", node)
        if not found:
            raise context.error(node, Refusal.WRONG_INDEX, "the dict has no keys")
        default = found.pop()
        matches.pop()
    result = default
    for guard, value in zip(reversed(matches), reversed(found), strict=True):
        result = chosen(context, node, guard, value, result)
    return result


def is_default(context: Context, node: ast.expr, whole: DictValue, value: Value) -> bool:
    """Whether a value is the one that a tally has for keys that aren't there."""
    default = context.dicts[whole.place].default
    return default is not None and branching.equality(context, node, default, value) == builders.TRUE


def chosen(context: Context, node: ast.expr, guard: ir.Expression, then: Value, otherwise: Value) -> Value:
    """One value or the other; both have been computed."""
    shape = context.join(then, otherwise, node)
    pairs = zip(flattening.flatten(then, shape), flattening.flatten(otherwise, shape), strict=True)
    return flattening.rebuild(shape, (builders.choose(guard, a, b) for a, b in pairs))


def extreme(context: Context, node: ast.Call, name: str) -> Value | None:
    """``max(d, key=d.get)``: the first key of the largest value; None of another call."""
    match node:
        case ast.Call(
            args=[ast.Name(id=one) as owner],
            keywords=[ast.keyword(arg="key", value=ast.Attribute(value=ast.Name(id=other), attr="get"))],
        ) if one == other:
            whole = context.scope.bindings.get(one)
        case _:
            return None
    if not isinstance(whole, DictValue):
        return None
    pairs = items(context, whole, owner)
    if not pairs:
        raise context.error(node, Refusal.WRONG_CALL, f"'{name}' of a dict without keys")
    key, best = pairs[0]
    for other_key, value in pairs[1:]:
        numbers = context.numeric(best, node), context.numeric(value, node)
        further = builders.less(*numbers if name == "max" else reversed(numbers))
        key = context.save(chosen(context, node, further, other_key, key), node)
        best = context.save(chosen(context, node, further, value, best), node)
    return key


# --- changing ---------------------------------------------------------------------------


def put(context: Context, node: ast.expr, whole: DictValue, key: Value, value: Value) -> None:
    """``d[k] = value``; a key that isn't written out must be one that the dict has."""
    check_key(context, key, node)
    context.inference.note_changed(whole.place)
    if is_constant(key):
        number = _known_number(context, whole, key, node)
        is_new = number is None
        if number is None:
            number = _add_key(context, whole, key, node)
        if is_new and isinstance(value, ListValue | ListLiteral):
            _refer(context, whole.place, number, value, node)
        else:
            _store(context, whole.place, number, value, node)
        return
    _put_where(context, node, whole, key, lambda old: value)


def augment(
    context: Context, node: ast.AugAssign, target: ast.Subscript, whole: DictValue, key: Value
) -> None:
    """``d[k] += e``; keys have been evaluated."""
    check_key(context, key, target)
    context.inference.note_changed(whole.place)
    if context.module.samples(node.value):
        message = "noise added in place to an entry is not supported: write d[k] = d[k] + ..."
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    number = _known_number(context, whole, key, target) if is_constant(key) else None
    if is_constant(key) and number is None:
        raise context.error(target, Refusal.WRONG_INDEX, "the dict has no such key")
    before = len(context.changed_lists)
    value = partial(context.expression, context, node.value)
    key, added = context.in_turn([(target, lambda: key), (node.value, value)])
    if any(name.startswith(f"{whole.place}.") for name in context.changed_lists[before:]):
        raise context.error(node, Refusal.UNSUPPORTED_DICT, "the dict changes while its entry is computed")
    operation = ast.copy_location(ast.BinOp(target, node.op, node.value), node)

    def changed(old: Value) -> Value:
        return arithmetic.binary(context, operation, node.op, old, added)

    if number is not None:
        _store(context, whole.place, number, changed(_read(context, whole.place, number, target)), target)
    else:
        added = context.save(added, node)
        _put_where(context, target, whole, key, changed)


def _put_where(
    context: Context, node: ast.expr, whole: DictValue, key: Value, change: Callable[[Value], Value]
) -> None:
    """Change the entry of a key that is only known when the program runs."""
    table = context.table_of(whole, node)
    key = context.save(key, node)
    matches = _matches(context, table, key, node)
    if table.default is None and not matches:
        message = "data may decide which keys the dict has: start with a dict that has all keys"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    if table.default is None:
        context.require("index", _is_key(table, key, matches), "the dict may have no such key", node)
    for number, guard in enumerate(matches):
        old = _read(context, whole.place, number, node)
        _store(context, whole.place, number, chosen(context, node, guard, change(old), old), node)


def increase(context: Context, node: ast.expr, whole: DictValue, key: Value) -> None:
    """``d[key] += 1``."""
    one = values.ScalarValue(builders.ONE)
    operation = ast.copy_location(ast.BinOp(node, ast.Add(), node), node)
    check_key(context, key, node)
    _put_where(
        context, node, whole, key, lambda old: arithmetic.binary(context, operation, ast.Add(), old, one)
    )


_ENTRIES = (values.ScalarValue, values.OptionalValue, values.LabelValue, NoneValue, TupleValue)


def _refer(context: Context, place: str, number: int, value: ListValue | ListLiteral, node: Located) -> None:
    """Let an entry be a list, which may have another name, too."""
    made = store.materialise(context, value, node)
    assert isinstance(made, ListValue)
    context.shared.setdefault(made.name, context.source.place(node))
    context.dicts[place].lists[number] = ListValue(made.name)


def _store(context: Context, place: str, number: int, value: Value, node: Located) -> None:
    if number in context.dicts[place].lists:
        message = "an entry of a dict that is a list is assigned another value: use another key"
        raise context.error(node, Refusal.ALIASING, message)
    if not isinstance(value, _ENTRIES) or shapes.may_hold_list(value):
        kind = shapes.describe_value(value)
        raise context.error(node, Refusal.UNSUPPORTED_DICT, f"{kind} in a dict is not supported")
    moves = store.store(context, _variable(place, number), value, node, "an entry of a dict")
    store.move(context, moves, node)
    context.changed_lists += [name for name, _ in moves]


# --- names ------------------------------------------------------------------------------


def bind(context: Context, target: ast.Name, value: DictValue) -> None:
    """``name = dict``; the name stands for no other value.  Raises ProgramError."""
    store.variable_name(context, target)
    function = context.scope.function
    parameters = () if function is None else (item.arg for item in function.parameters)
    if function is None or function.assigned[target.id] != 1 or target.id in parameters:
        message = f"'{target.id}' is a dict, and assigned more than once; use another name"
        raise context.error(target, Refusal.ALIASING, message)
    context.scope.bindings[target.id] = value


def mentioned(context: Context, nodes: Sequence[ast.AST]) -> bool:
    """Whether an entry of a dict is read or changed in some nodes."""
    return any(_is_dict(context, part) for node in nodes for part in ast.walk(node))


def _is_dict(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name), attr="get"):
            return isinstance(context.scope.bindings.get(name), DictValue)
        case ast.Subscript(value=ast.Attribute(attr=attr)):
            return any(
                isinstance(value, DictValue) and name.endswith(f".{attr}")
                for name, value in context.references.items()
            )
        case _:
            return False


# --- outputs ----------------------------------------------------------------------------


def as_output(context: Context, node: Located | ir.Span, whole: DictValue) -> values.KeyedValue:
    """What is published of a dict: its values, in order; the keys are known."""
    pairs = items(context, whole, node)
    names = tuple(_text(context, node, key) for key, _ in pairs)
    return values.KeyedValue(tuple(value for _, value in pairs), names)


def _text(context: Context, node: Located | ir.Span, key: Value) -> str:
    """A key as Python writes it, but that equal keys are written alike.  Raises ProgramError."""
    match key:
        case values.LabelValue(kind, ir.Constant(value=code), none) if none == builders.FALSE:
            if context.labels.is_another(kind.name, kind):
                raise refused(context, node, f"two classes are called '{kind.name}': rename one")
            text = context.labels.texts_of(kind)[int(code)]
            return text if kind.is_enumeration else repr(text)
        case values.ScalarValue(ir.Constant(value=value)):
            return str(value * 1)
        case TupleValue(parts):
            return f"({', '.join(_text(context, node, part) for part in parts)})"
        case _:
            return "None"


def refused(context: Context, node: Located | ir.Span, message: str) -> ProgramError:
    """The error for what dicts can't be."""
    return context.error(node, Refusal.UNSUPPORTED_DICT, message)


def pairs_of(context: Context, whole: DictValue, what: str, node: Located) -> Iterator[Value]:
    """What ``keys()``, ``values()`` or ``items()`` go through."""
    for key, value in items(context, whole, node):
        yield {"keys": key, "values": value, "items": TupleValue((key, value))}[what]
