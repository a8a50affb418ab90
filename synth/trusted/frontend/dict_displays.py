"""How dicts are made: displays, comprehensions, ``dict``, ``Counter`` and ``defaultdict``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    branching,
    comprehensions,
    dicts,
    iterables,
    iterations,
    store,
    targets,
)
from synth.trusted.frontend.asked_counts import Key
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.counted_dicts import Tally
from synth.trusted.frontend.labels import STRINGS
from synth.trusted.frontend.values import (
    DictValue,
    LabelValue,
    ListLiteral,
    ListValue,
    NoneValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block

_ZERO = {"int": ScalarValue(builders.ZERO), "float": ScalarValue(builders.zero(ir.Sort.REAL))}
"""What ``int()`` and ``float()`` are."""


def display(context: Context, node: ast.Dict) -> Value:
    """``{key: value, ...}``."""
    whole = dicts.made(context, node)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise dicts.refused(context, value, "'**' in a dict is not supported")
        known, entry = context.ordered([key, value])
        _add(context, key, whole, known, entry)
    return whole


def key(context: Context, node: Key) -> Value:
    """A key alone.  Raises ProgramError for what is none."""
    value = context.expression(context, node.elts[0])
    dicts.check_key(context, value, node)
    return value


def tally(context: Context, node: Tally) -> Value:
    """A dict that counts."""
    return dicts.made(context, node, _ZERO["int"])


def comprehension(context: Context, node: ast.DictComp) -> Value:
    """``{key: value for target in keys if test}``, written out: one entry after the other."""
    whole = dicts.made(context, node)
    if len(node.generators) > 1:
        raise dicts.refused(context, node, "a dict comprehension with two loops is not supported")
    (generator,) = node.generators
    with context.writing_out():
        found = iterables.iterable(context, generator.iter)
    iteration = _constant(context, found, generator.iter)
    with comprehensions.own_scope(context, node.generators):
        outer = context.known
        for place in range(_count(iteration)):
            context.known = dict(outer)
            value = iteration.entry(builders.integer(place))
            targets.assign(context, generator.target, value)
            iterations.remember(context, generator.target, value, own=True)
            if all(_is_true(context, test) for test in generator.ifs):
                known, entry = context.ordered([node.key, node.value])
                _add(context, node.key, whole, known, entry)
        context.known = outer
    return whole


def _constant(context: Context, found: iterations.Iterable, node: ast.expr) -> iterations.Iteration:
    """What can be written out.  Raises ProgramError."""
    match found:
        case iterations.Iteration(count=ir.Constant(value=count)) if count <= dicts.MOST:
            return found
    message = "the keys of a dict must be written out, in a tuple of the file for instance"
    raise context.error(node, Refusal.PRIVATE_KEYS, message)


def _count(iteration: iterations.Iteration) -> int:
    assert isinstance(iteration.count, ir.Constant)
    return int(iteration.count.value)


def _is_true(context: Context, node: ast.expr) -> bool:
    holds = branching.condition(context, node)
    if not isinstance(holds, ir.Constant):
        message = "data decide which keys the dict has: keep all keys"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    return bool(holds.value)


def _add(context: Context, node: ast.expr, whole: DictValue, key: Value, value: Value) -> None:
    if not dicts.is_constant(key):
        message = "a key of a new dict must be written out: a string, a number, a member of an Enum"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    dicts.put(context, node, whole, key, value)


# --- calls ------------------------------------------------------------------------------


def is_maker(context: Context, node: ast.expr) -> bool:
    """Whether what is called makes a dict or a tally."""
    if is_local(context, node):
        return False
    known = context.module.known(node)
    return known in (_COUNTER, _DEFAULT) or _is_dict(context, node) or _is_fromkeys(context, node)


def call(context: Context, node: ast.Call) -> Value:
    """A call of ``dict``, ``dict.fromkeys``, ``Counter`` or ``defaultdict``."""
    known = context.module.known(node.func)
    if known == _COUNTER:
        return _counter(context, node)
    if known == _DEFAULT:
        return _defaultdict(context, node)
    if _is_fromkeys(context, node.func):
        return _fromkeys(context, node)
    return _dict(context, node)


_COUNTER = Known(Role.CLASS_TOOL, "Counter")
_DEFAULT = Known(Role.CLASS_TOOL, "defaultdict")


def _is_dict(context: Context, node: ast.expr) -> bool:
    return is_python(context, node, "dict")


def is_python(context: Context, node: ast.expr, name: str) -> bool:
    """Whether a name is what Python itself has under it."""
    if not isinstance(node, ast.Name) or node.id != name or is_local(context, node):
        return False
    module = context.module
    tables = (module.functions, module.classes, module.constant_nodes, module.blocked, module.imported)
    return not any(node.id in names for names in tables)


def _is_fromkeys(context: Context, node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "fromkeys" and _is_dict(context, node.value)


def _dict(context: Context, node: ast.Call) -> Value:
    """``dict()``, ``dict(a=1)``, or ``dict(other)``, which is a copy."""
    if len(node.args) > 1 or any(word.arg is None for word in node.keywords):
        raise dicts.refused(context, node, "this call of dict is not supported")
    old = context.expression(context, node.args[0]) if node.args else None
    if old is not None and not isinstance(old, DictValue):
        raise dicts.refused(context, node, "dict() of what is no dict is not supported: use a comprehension")
    given = context.ordered([word.value for word in node.keywords])  # Python looks at the dict behind these
    whole = copy(context, node, old) if old is not None else dicts.made(context, node)
    for word, value in zip(node.keywords, given, strict=True):
        key = context.expression(context, ast.copy_location(ast.Constant(word.arg), word.value))
        _add(context, word.value, whole, key, value)
    return whole


def copy(context: Context, node: ast.expr, old: DictValue) -> DictValue:
    """A new dict with the entries of another one."""
    entries = dicts.items(context, old, node)
    saved = [value if isinstance(value, ListValue) else context.save(value, node) for _, value in entries]
    whole = dicts.made(context, node)
    for (key, _), value in zip(entries, saved, strict=True):
        dicts.put(context, node, whole, key, value)
    return whole


def _fromkeys(context: Context, node: ast.Call) -> Value:
    given = arguments.positional(context.source, node, "'fromkeys'", 1, 2)
    with context.writing_out():
        found = iterables.iterable(context, given[0])
    iteration, start = _constant(context, found, given[0]), len(context.changed_lists)
    value = _shared(context, given[1]) if len(given) > 1 else NoneValue()
    context.check_unchanged(node, found.lists, start)
    whole = dicts.made(context, node)
    for place in range(_count(iteration)):
        _add(context, given[0], whole, iteration.entry(builders.integer(place)), value)
    return whole


def _shared(context: Context, node: ast.expr) -> Value:
    """The value of all keys; where it is a list, they have the same one."""
    value = context.expression(context, node)
    if isinstance(value, ListValue | ListLiteral):
        return store.materialise(context, value, node)
    return context.save(value, node)


def _defaultdict(context: Context, node: ast.Call) -> Value:
    (factory,) = arguments.positional(context.source, node, "'defaultdict'", 1, 1)
    known = context.module.known(factory)
    if is_local(context, factory) or known is None or known.role is not Role.FUNCTION:
        known = None
    if known is None or known.name not in _ZERO:
        message = "a defaultdict of anything but int and float is not supported"
        raise dicts.refused(context, factory, message)
    return dicts.made(context, node, _ZERO[known.name])


def _counter(context: Context, node: ast.Call) -> Value:
    """``Counter(xs)``: how often each entry occurs."""
    given = arguments.positional(context.source, node, "'Counter'", 0, 1)
    value = context.expression(context, given[0]) if given and isinstance(given[0], ast.Name) else None
    found = iterables.iterable(context, given[0], mapping=False) if given else None
    whole = dicts.made(context, node, _ZERO["int"])
    if isinstance(value, ParameterValue | RecordsValue):
        context.dicts[whole.place].counted = value
    if found is not None:
        end = iterations.exit_label(context)
        emitted = iterations.run(
            context, node, node, found, lambda entry: _count_one(context, node, whole, entry()), end
        )
        context.body.extend(finish_block(end, emitted))
    return whole


def _count_one(context: Context, node: ast.Call, whole: DictValue, key: Value) -> None:
    dicts.increase(context, node, whole, key)


def spread(context: Context, node: ast.Call) -> ast.Call | None:
    """``f(*t, **d)`` as ``f(t[0], ..., key=d["key"], ...)``; None of a call without stars.

    Raises ProgramError.
    """
    stars = [word for word in node.keywords if word.arg is None]
    if not stars and not any(isinstance(item, ast.Starred) for item in node.args):
        return None
    named = [part for word in node.keywords for part in ast.walk(word.value) if isinstance(part, ast.Call)]
    starred = [item for item in node.args if isinstance(item, ast.Starred)]
    calls, spreads = ([(part.lineno, part.col_offset) for part in parts] for parts in (named, starred))
    if calls and spreads and min(calls) < max(spreads):
        message = "'*' behind an argument by name, which Python evaluates later, is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    given = [part for item in node.args for part in _places(context, item)]
    words = [part for word in node.keywords for part in _words(context, word)]
    names = (str(len(given)), *(word.arg or "" for word in words))
    made = context.module.spread  # one node for all passes, since calls in it are known by their places
    if (node, names) not in made:
        made[node, names] = ast.copy_location(ast.Call(node.func, given, words), node)
    return made[node, names]


def _places(context: Context, item: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(item, ast.Starred):
        yield item
        return
    plain = all(
        isinstance(part, ast.Name | ast.Attribute | ast.expr_context) for part in ast.walk(item.value)
    )
    whole = context.expression(context, item.value) if plain else None
    computed = any(part in context.module.applied for part in ast.walk(item.value))  # by a property
    if computed or not isinstance(whole, TupleValue):
        message = "'*' of anything but the name of a tuple is not supported: give it a name first"
        raise context.error(item, Refusal.UNSUPPORTED_CONSTRUCT, message)
    for place in range(len(whole.items)):
        index = ast.Subscript(item.value, ast.Constant(place), ast.Load())
        for part in (index, index.slice):
            ast.copy_location(part, item)
        yield index


def _words(context: Context, word: ast.keyword) -> Iterator[ast.keyword]:
    if word.arg is not None:
        yield word
        return
    whole = context.expression(context, word.value) if isinstance(word.value, ast.Name) else None
    if not isinstance(whole, DictValue):
        raise dicts.refused(context, word.value, "'**' of anything but the name of a dict is not supported")
    for key in context.keys_of(whole, word.value):
        match key:
            case LabelValue(kind, ir.Constant(value=code)) if kind is STRINGS:
                name = context.labels.text(int(code))
            case _:
                raise dicts.refused(context, word.value, "'**' of a dict with other keys than strings")
        index = ast.Subscript(word.value, ast.Constant(name), ast.Load())
        for part in (index, index.slice):
            ast.copy_location(part, word.value)
        yield ast.copy_location(ast.keyword(name, index), word)
