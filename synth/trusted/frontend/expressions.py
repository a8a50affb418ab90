"""Expressions: from Python's syntax to values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    array_calls,
    array_items,
    array_types,
    arrays,
    bits,
    branching,
    closures,
    comprehensions,
    constructs,
    dict_displays,
    dicts,
    element_loops,
    entries,
    entrywise,
    enum_values,
    fixed_lists,
    functions,
    gumbel_lists,
    infinities,
    inlining,
    items,
    iterables,
    lists,
    loops,
    matrices,
    members,
    module_literals,
    named_expressions,
    objects,
    prints,
    record_positions,
    records,
    reductions,
    sampling,
    sets,
    shapes,
    sources,
    uniforms,
    values,
    vocabulary,
)
from synth.trusted.frontend.asked_counts import Key
from synth.trusted.frontend.chosen_limits import OfDraws
from synth.trusted.frontend.classes import CALL
from synth.trusted.frontend.context import Context, is_local, owner_of
from synth.trusted.frontend.counted_dicts import Tally
from synth.trusted.frontend.labels import STRINGS
from synth.trusted.frontend.seeding import SEEDING
from synth.trusted.frontend.values import (
    ArrayValue,
    DictValue,
    EnumValue,
    FunctionValue,
    GeneratorValue,
    LabelValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    NoneValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    Value,
)
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def evaluate(context: Context, node: ast.expr) -> Value:
    """The value of an expression; what it needs first is emitted as statements."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise context.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, f"{constructs.name_of(node)} is not supported"
        )
    value = handler(context, node)
    if context.module.stub is None and not isinstance(node, ast.Constant):
        if isinstance(value, ScalarValue):
            context.inference.note_zero(value.expression)
        elif isinstance(value, ArrayValue) and isinstance(node, ast.UnaryOp | ast.BinOp):
            context.inference.note_zero(value.entry)
    return value


def _constant(context: Context, node: ast.Constant) -> Value:
    if node.value is None:
        return NoneValue()
    written = context.module.stub is None
    if isinstance(node.value, bool):
        return ScalarValue(builders.TRUE if node.value else builders.FALSE, written)
    if isinstance(node.value, str):
        return LabelValue(STRINGS, context.code(node.value))
    number = context.source.number(node)
    sort = ir.Sort.INT if isinstance(number, int) else ir.Sort.REAL
    return ScalarValue(ir.Constant(number, sort), written)


def _name(context: Context, node: ast.Name) -> Value:
    scope, name = context.scope, node.id
    if name in scope.bindings:
        return scope.bindings[name]
    local = scope.local(name)
    if local is not None:
        if fixed_lists.is_fixed_list(context, name):
            return fixed_lists.read(context, name, node)
        value = context.read(local, node, name)
        if isinstance(value, MatrixValue):
            return replace(value, flat=replace(value.flat, owner=owner_of(local)))
        return replace(value, owner=owner_of(local)) if isinstance(value, ArrayValue) else value
    if name in context.hidden:
        raise context.error(
            node, Refusal.PRIVATE_SPECIFICATION, f"the private parameter '{name}' is used in {context.where}"
        )
    if name in context.module.constants:
        return ScalarValue(context.module.constants[name])
    if name in context.module.literals:
        return module_literals.read(context, node)
    known = context.module.known(node)
    if known is not None and known.role is Role.SOURCE:
        return SourceValue(known.name, kind=known.kind)
    if known == vocabulary.LOGGER:
        return values.LoggerValue(f"{context.source.path}: {name}")
    if known is not None and known.role is Role.INFINITY:
        return infinities.infinity(1)
    drawing = sources.of_module(context.module, known)
    if drawing is not None:
        return drawing
    constant = _of_other_file(context, known)
    if constant is not None:
        return constant
    function = closures.named(context, node)
    if function is not None:
        return function
    kind = members.class_of(context, node)
    if kind is not None and kind.labels is not None:
        return EnumValue(kind.labels)
    raise _unknown(context, node, name)


def _of_other_file(context: Context, known: Known | None) -> Value | None:
    """The number e, or a constant of another file of the user."""
    if known is not None and known.role is Role.NUMBER:
        return ScalarValue(arithmetic.EULER)
    if known is None or known.role is not Role.OWN:
        return None
    constant = context.module.other_constant(known)
    return None if constant is None else ScalarValue(constant)


def _unknown(context: Context, node: ast.expr, name: str, what: str = "name") -> ProgramError:
    module = context.module
    hidden = module.obstacle(node)
    if hidden is not None:
        return hidden
    known = module.names.get(name)
    if known is not None and known.role in (Role.UNSUPPORTED, Role.PI):
        shown = known.name if known.role is Role.UNSUPPORTED else f"math.{known.name}"
        return context.error(node, Refusal.UNSUPPORTED_NAME, f"'{shown}' is not supported")
    if name in module.functions or name in module.classes or known is not None:
        return context.error(node, Refusal.WRONG_TYPE, f"'{name}' is used as a value")
    if name in module.constant_nodes:
        message = f"constant '{name}' is used before it is defined"
        return context.error(node, Refusal.USED_BEFORE_DEFINED, message)
    if name in vocabulary.language_names():
        is_math = name in vocabulary.MATH_FUNCTIONS
        needed = f"math import {name}" if is_math else "synth.lang import *"
        return context.error(node, Refusal.UNKNOWN_NAME, f"unknown {what} '{name}'; add 'from {needed}'")
    if vocabulary.is_python_builtin(name):
        return context.error(node, Refusal.UNSUPPORTED_NAME, f"'{name}' is not supported")
    return context.error(node, Refusal.UNKNOWN_NAME, f"unknown {what} '{name}'{_hint(context, name)}")


def _hint(context: Context, name: str) -> str:
    scope, module = context.scope, context.module
    assigned = () if scope.function is None else scope.function.assigned
    near = [*scope.bindings, *assigned, *module.constants, *module.functions]
    return vocabulary.suggestion(name, near) or vocabulary.suggestion(name, module.names)


def _tuple(context: Context, node: ast.Tuple) -> Value:
    return TupleValue(_items(context, node))


def _list(context: Context, node: ast.List) -> Value:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        return lists.unpacked(context, node)
    items = _items(context, node)
    if any(isinstance(item, ListValue | ListLiteral) for item in items):
        raise context.error(node, Refusal.LIST_OF_LISTS, "a list of lists is not supported")
    return ListLiteral(items)


def published(context: Context, node: ast.Tuple) -> Value:
    """A tuple that a mechanism returns: of objects of dataclasses in it the fields."""
    items = [
        objects.as_output(context, part, item) if isinstance(item, values.ObjectValue) else item
        for item, part in zip(context.ordered(node.elts), node.elts, strict=True)
    ]
    return TupleValue(_checked(context, node, tuple(items)))


def _items(context: Context, node: ast.Tuple | ast.List) -> tuple[Value, ...]:
    return _checked(context, node, tuple(context.ordered(node.elts)))


def _checked(context: Context, node: ast.Tuple | ast.List, items: tuple[Value, ...]) -> tuple[Value, ...]:
    for item, part in zip(items, node.elts, strict=True):
        if isinstance(item, DictValue) and isinstance(node, ast.List):
            raise dicts.refused(context, part, "a dict in a list is not supported")
        if isinstance(item, values.ObjectValue | values.ClassValue):
            kind = shapes.describe_value(item)
            raise context.error(part, Refusal.ALIASING, f"{kind} can't be part of a tuple or list")
        if isinstance(item, ParameterValue | RecordsValue):
            name = item.parameter.name if isinstance(item, ParameterValue) else item.name
            raise context.error(
                part, Refusal.UNSUPPORTED_LIST, f"the parameter '{name}' can't be part of a tuple or list"
            )
        if isinstance(item, FunctionValue):
            message = "a function can't be part of a tuple or list"
            raise context.error(part, Refusal.UNSUPPORTED_LIST, message)
        if isinstance(item, GeneratorValue):
            raise context.error(
                part, Refusal.UNSUPPORTED_LIST, "a generator can't be part of a tuple or list: use a list"
            )
    return items


def _binary(context: Context, node: ast.BinOp) -> Value:
    if isinstance(node.op, ast.Add | ast.Sub):
        return sampling.addition(context, node, lists.combined)
    if isinstance(node.op, ast.Mult):
        for turns, other in ((node.left, node.right), (node.right, node.left)):
            if _is_turn(context, turns):
                return uniforms.turned(context, node, evaluate(context, other))
    left, right = context.ordered([node.left, node.right])
    array_types.check_power(context, node)
    if isinstance(node.op, ast.RShift | ast.LShift):
        return _chained(context, node, left, right)
    if isinstance(node.op, ast.MatMult) and entrywise.has_array(left, right):
        product = context.module.library.function(array_calls.PRODUCT)
        return inlining.applied(context, node, product, {"a": left, "b": right})
    if any(isinstance(part, MatrixValue) for part in (left, right)):
        return matrices.binary(context, node, node.op, left, right)
    if entrywise.has_array(left, right):
        if isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
            array_types.check_entries(context, node.left, left)
            array_types.check_entries(context, node.right, right)
        return entrywise.binary(context, node, node.op, left, right)
    if isinstance(node.op, ast.Div) and array_types.is_real_of_numpy(context, node.right):
        array = arrays.from_value(context, left, node.left)
        if array is not None:  # such a number makes an array of a list
            return entrywise.binary(context, node, node.op, array, right)
    if any(isinstance(part, ListValue | ListLiteral) for part in (left, right)):
        return lists.combined(context, node, node.op, left, right)
    return sampling.product(context, node, left, right)


def _is_turn(context: Context, node: ast.expr) -> bool:
    """Whether an expression is pi, or twice as much."""
    match node:
        case ast.BinOp(left=ast.Constant(2), op=ast.Mult(), right=inner):
            return _is_turn(context, inner)
        case ast.BinOp(left=inner, op=ast.Mult(), right=ast.Constant(2)):
            return _is_turn(context, inner)
        case ast.Name() | ast.Attribute() if not is_local(context, node):
            return context.module.known(node) == vocabulary.math_name("pi")
        case _:
            return False


_AFTER = "_after"
"""The method of a class of a stub that says what ``left >> right`` is, of the right one."""


def _chained(context: Context, node: ast.BinOp, left: Value, right: Value) -> Value:
    """``left >> right``, if a stub says what that is, or of integers.  Raises ProgramError."""
    is_chain = isinstance(node.op, ast.RShift)
    if is_chain and isinstance(right, values.ObjectValue) and members.is_of_stub(context, right.kind):
        found = right.kind.method(_AFTER)
        if found is not None:
            function = members.function(context, node, found[1])
            own, before = (item.arg for item in function.parameters)
            return inlining.applied(context, node, function, {own: right, before: left})
    return bits.shifted(context, node, left, right)


def _unary(context: Context, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return ScalarValue(branching.condition(context, node))
    value = evaluate(context, node.operand)
    if isinstance(value, ArrayValue):
        if isinstance(node.op, ast.Invert):
            array_types.check_entries(context, node.operand, value)
        return entrywise.unary(context, node, value)
    if isinstance(value, MatrixValue):
        return replace(value, flat=entrywise.unary(context, node, value.flat))
    if isinstance(node.op, ast.Invert):
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, str(constructs.of_arrays(node.op)))
    if isinstance(node.op, ast.USub) and isinstance(value, values.ExtendedValue):
        return infinities.opposite(value)
    if isinstance(node.op, ast.USub):
        return arithmetic.negative(context, node, value)
    number = context.numeric(value, node.operand)
    arithmetic.check_number(context, node, context.scalar(value, node.operand))
    return ScalarValue(number)


def _attribute(context: Context, node: ast.Attribute) -> Value:
    local = is_local(context, node)
    hidden = context.module.obstacle(node)
    if hidden is not None and not local and _is_dotted(node):
        raise hidden
    known = None if local else context.module.known(node)
    if known is not None and known.role is Role.UNSUPPORTED:
        raise context.error(
            node, Refusal.UNSUPPORTED_NAME, f"'{known.name}' is not supported{_finite(known.name)}"
        )
    if known is not None and known.role is Role.SOURCE:
        return SourceValue(known.name, kind=known.kind)
    if known is not None and known.role is Role.INFINITY:
        return infinities.infinity(1)
    drawing = sources.of_module(context.module, known)
    if drawing is not None:
        return drawing
    constant = _of_other_file(context, known)
    if constant is not None:
        return constant
    function = None if local else closures.named(context, node)
    if function is not None:
        return function
    if known is None and not _is_module(context, node.value):
        kind = members.class_of(context, node.value)
        if kind is not None and kind.labels is not None:
            return enum_values.of_class(context, node, kind.labels)
        if kind is not None:
            return members.value(context, node, kind)
        owner = evaluate(context, node.value)
        if isinstance(owner, LabelValue):
            return enum_values.attribute(context, node, owner)
        if isinstance(owner, MatrixValue):
            return matrices.attribute(context, node, owner)
        if isinstance(owner, ArrayValue) and array_items.is_attribute(node.attr):
            return array_items.attribute(context, node, owner)
        return objects.attribute(context, node, owner)
    raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, f"the attribute '{node.attr}' is not supported")


def _is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a name, or one of what is of it."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_module(context: Context, node: ast.expr) -> bool:
    """Whether an expression is a module, by the file's imports."""
    known = None if is_local(context, node) else context.module.known(node)
    return known is not None and known.role is Role.MODULE


def _finite(name: str) -> str:
    return ": numbers are finite" if name in ("math.inf", "math.nan") else ""


def _list_comprehension(context: Context, node: ast.ListComp) -> Value:
    return gumbel_lists.value(context, node) or comprehensions.list_comprehension(context, node)


def _generator(context: Context, node: ast.GeneratorExp) -> Value:
    return comprehensions.generator(context, node)


# --- indexing ---------------------------------------------------------------------------


def _subscript(context: Context, node: ast.Subscript) -> Value:
    cell = element_loops.cell_of(context, node)
    if cell is not None:
        return element_loops.read(context, cell, node)
    if isinstance(node.slice, ast.Slice):
        return array_items.sliced(context, node, node.slice)
    match node.slice:
        case ast.Tuple(elts=parts) if any(isinstance(part, ast.Slice) for part in parts):
            return matrices.line(context, node, parts)
    if isinstance(node.value, ast.Call) and isinstance(node.slice, ast.Constant):
        context.picked.add(node.value)
    base, position = context.ordered([node.value, node.slice])
    if isinstance(base, ArrayValue):
        array_types.check_entries(context, node.slice, position)
        return array_items.item(context, node, base, position)
    if isinstance(base, DictValue):
        return dicts.entry(context, node, base, position)
    if isinstance(base, MatrixValue):
        match position:
            case TupleValue((ArrayValue() as mask, number)):
                index = matrices.checked(context, node.slice, number, base.width)
                return array_items.item(context, node, matrices.column(context, node, base, index), mask)
        return matrices.item(context, node, base, position)
    if isinstance(base, EnumValue):
        return enum_values.looked_up(context, node, base.kind, "name", position)
    index = context.whole(position, node.slice, "an index")
    if isinstance(base, TupleValue | ListLiteral):
        array_types.note_item(context, node, base.items)
    match base:
        case TupleValue(items):
            return _item(context, node, items, index)
        case ListLiteral():
            return fixed_lists.entry(context, node, base.items, index)
        case ListValue(name):
            return entries.entry(context, node, name, entries.checked(context, node, name, index))
        case ParameterValue(parameter):
            return _read(context, node, parameter, index)
        case RecordsValue():
            return _record(context, node, base, index)
        case GeneratorValue(bounds=(start, stop)):
            size = context.natural(builders.subtract(stop, start))
            return ScalarValue(builders.add(start, matrices.checked(context, node.slice, position, size)))
        case _:
            raise context.error(node, Refusal.WRONG_TYPE, f"{shapes.describe_value(base)} can't be indexed")


def _item(context: Context, node: ast.Subscript, items: tuple[Value, ...], index: ir.Expression) -> Value:
    if not isinstance(index, ir.Constant):
        return fixed_lists.entry(context, node, items, index)
    if not -len(items) <= index.value < len(items):
        message = f"a tuple of {len(items)} has no entry {index.value}"
        raise context.error(node.slice, Refusal.WRONG_INDEX, message)
    return items[int(index.value)]


def _read(context: Context, node: ast.Subscript, parameter: ir.Parameter, index: ir.Expression) -> Value:
    if parameter.kind is ir.ParameterKind.FUNCTION:
        raise context.error(node, Refusal.WRONG_TYPE, f"'{parameter.name}' is a function: call it")
    if context.where:
        raise context.error(
            node, Refusal.PRIVATE_SPECIFICATION, f"an entry of a sequence is read in {context.where}"
        )
    index = entries.checked(context, node, parameter.name, index)
    return ScalarValue(ir.Read(parameter.name, (index,), parameter.sort))


def _record(context: Context, node: ast.Subscript, base: RecordsValue, index: ir.Expression) -> Value:
    if base.present is not None:
        place = record_positions.place_of(context, base, index)
        if place is None:
            raise records.moved(context, base, node)
        return records.entry(base, place)
    if context.where:
        raise context.error(
            node, Refusal.PRIVATE_SPECIFICATION, f"an entry of a list is read in {context.where}"
        )
    return records.entry(base, entries.checked(context, node, base.columns[0].name, index))


# --- calls ------------------------------------------------------------------------------


def _call(context: Context, node: ast.Call) -> Value:
    spread = dict_displays.spread(context, node)
    if spread is not None:
        return evaluate(context, spread)
    if sets.is_maker(context, node):
        return sets.call(context, node)
    if dict_displays.is_maker(context, node.func):
        return dict_displays.call(context, node)
    if isinstance(node.func, ast.Attribute) and _may_be_method(context, node.func):
        return _method(context, node, node.func)
    if is_local(context, node.func) or isinstance(node.func, ast.Call | ast.Lambda | ast.BinOp):
        return _call_value(context, node)
    kind = members.class_of(context, node.func) or members.frozen(context, node.func)
    if kind is not None and kind.labels is not None:
        return enum_values.call(context, node, kind)
    if kind is not None:
        return objects.construct(context, node, kind)
    if iterables.is_of_itertools(context, node):
        return iterables.as_generator(context, node)
    function = context.module.called(node)
    if function is not None:
        return inlining.inline(context, node, reductions.model(context, node, function))
    known = context.module.known(node.func)
    if known is None:
        if isinstance(node.func, ast.Attribute) and context.module.known(node.func.value) is None:
            return _method(context, node, node.func)
        raise _unknown_function(context, node)
    match known.role:
        case Role.FUNCTION if known.name == closures.PARTIAL:
            return closures.partially(context, node)
        case Role.SHOWING:
            message = f"'{known.name}' is not supported here: show something in a statement of its own"
            raise context.error(node, Refusal.UNSUPPORTED_NAME, message)
        case Role.LOGGER if known != vocabulary.LOGGER:
            return prints.logger(context, node)
        case Role.GENERATOR:
            return sources.make(context, node, known)
        case Role.FUNCTION:
            return functions.call(context, node, known.name)
        case Role.DISTRIBUTION:
            return sampling.sample(context, node, known.name)
        case _:
            raise context.error(
                node, Refusal.UNSUPPORTED_CALL, f"a call of '{known.name}' is not supported here"
            )


def _may_be_method(context: Context, called: ast.Attribute) -> bool:
    """Whether what is called isn't a module's, as far as names say."""
    if is_local(context, called):
        return True
    return context.module.known(called) is None and not _is_module(context, called.value)


def _method(context: Context, node: ast.Call, called: ast.Attribute) -> Value:
    """A method that has a value."""
    if members.is_special(context, called):
        return members.call_special(context, node, called)
    hidden = context.module.obstacle(called)
    if hidden is not None and not is_local(context, called):
        raise _unknown_function(context, node)
    return method_of(context, node, called, evaluate(context, called.value))


def method_of(context: Context, node: ast.Call, called: ast.Attribute, owner: Value) -> Value:
    """A method that has a value, of an owner that has been evaluated."""
    held = members.held(context, owner, called.attr)
    if held is not None:
        return _called(context, node, held)
    made = members.call_on(context, node, owner, called.attr)
    if made is not None:
        return made
    if isinstance(owner, DictValue):
        return _method_of_dict(context, node, owner, called.attr)
    if isinstance(owner, SourceValue):
        if called.attr in context.module.attributes:
            raise _unknown_function(context, node)
        return inlining.inline(context, node, sources.method(context, node, owner, called.attr))
    if isinstance(owner, ArrayValue | MatrixValue) and called.attr in array_calls.METHODS:
        if called.attr == "clip" and node.keywords:
            message = (
                "'clip' of an array with named arguments is not supported: numpy's function has other names"
            )
            raise context.error(node.keywords[0], Refusal.UNSUPPORTED_CALL, message)
        function = context.module.library.function(f"{array_calls.NUMPY}.{called.attr}")
        return inlining.inline(context, node, function, owner)
    if isinstance(owner, RecordsValue) and (called.attr == "count" or owner.present is None):
        if called.attr in reductions.METHODS:
            return reductions.method(context, node, owner, called.attr)
    if not _is_method(called.attr) or not reductions.is_list(owner):
        raise _unknown_function(context, node)
    if called.attr == "pop":
        if not isinstance(owner, ListValue):
            raise _unknown_function(context, node)
        return items.popped(context, node, owner)
    if called.attr == "copy":
        arguments.positional(context.source, node, "'copy'", 0, 0)
        return loops.collect(context, node, iterables.over(context, node, owner))
    if called.attr not in reductions.METHODS:
        raise _unknown_function(context, node)
    return reductions.method(context, node, owner, called.attr)


def _method_of_dict(context: Context, node: ast.Call, owner: DictValue, name: str) -> Value:
    match name:
        case "get":
            given = context.ordered(arguments.positional(context.source, node, "'get'", 1, 2))
            default = given[1] if len(given) > 1 else NoneValue()
            if owner.is_tally and not dicts.is_default(context, node, owner, default):
                message = "another default than that of what is counted is not supported"
                raise dicts.refused(context, node, message)
            return dicts.entry(context, node, owner, given[0], default)
        case "copy" if not owner.is_tally:
            arguments.positional(context.source, node, "'copy'", 0, 0)
            return dict_displays.copy(context, node, owner)
        case "keys" | "values" | "items":
            arguments.positional(context.source, node, f"'{name}'", 0, 0)
            return iterables.view(context, node, owner, name)
    kind = shapes.describe_value(owner)
    raise dicts.refused(context, node, f"the method '{name}' of {kind} is not supported")


def _is_method(name: str) -> bool:
    return name in ("copy", "pop", *array_calls.METHODS, *reductions.METHODS)


def unknown_function(context: Context, node: ast.AST) -> ProgramError | None:
    """The error for a call of a function that isn't known, whatever its arguments are."""
    match node:
        case ast.Call(func=ast.Name() as name) if not is_local(context, name):
            unknown = context.module.called(node) is None and context.module.known(name) is None
            if unknown and members.class_of(context, name) is None:
                return _unknown_function(context, node)
    return None


def _unknown_function(context: Context, node: ast.Call) -> ProgramError:
    hidden = context.module.obstacle(node.func)
    if hidden is not None and not is_local(context, node.func):
        return hidden
    match node.func:
        case ast.Name(id=name) if name in context.module.constants:
            return context.error(node, Refusal.WRONG_TYPE, f"the constant '{name}' is no function")
        case ast.Name(id=name):
            return _unknown(context, node, name, "function")
        case ast.Attribute(attr="append"):
            return context.error(
                node, Refusal.UNSUPPORTED_CALL, "'append' gives no value and must be a statement"
            )
        case ast.Attribute(value=owner, attr=name):
            library = None if is_local(context, owner) else context.module.known(owner)
            if library is not None and library.role is Role.MODULE:
                return _no_model(context, node, f"{library.name}.{name}")
            return context.error(node, Refusal.UNSUPPORTED_CALL, f"the method '{name}' is not supported")
        case _:
            return context.error(node, Refusal.UNSUPPORTED_CALL, "a call of this expression is not supported")


def _no_model(context: Context, node: ast.expr, name: str) -> ProgramError:
    """The error for what a library has and no stub."""
    code = Refusal.KNOWN_SEED if name.rpartition(".")[2] in SEEDING else Refusal.UNSUPPORTED_NAME
    module, _, own = name.rpartition(".")
    stub = context.module.library.module(module)
    hint = "" if stub is None else vocabulary.suggestion(own, stub.functions)
    return context.error(node, code, sources.no_model(name) + hint)


def _call_value(context: Context, node: ast.Call) -> Value:
    return _called(context, node, evaluate(context, node.func))


def _called(context: Context, node: ast.Call, value: Value) -> Value:
    """The value of a call of a value."""
    if isinstance(value, values.ObjectValue):
        return members.call(context, node, value, CALL)
    if isinstance(value, values.ClassValue):
        return objects.construct(context, node, value.kind)
    if isinstance(value, FunctionValue):
        return inlining.call(context, node, value)
    shown = ast.unparse(node.func)
    if not isinstance(value, ParameterValue) or value.parameter.kind is ir.ParameterKind.SEQUENCE:
        raise context.error(
            node, Refusal.WRONG_TYPE, f"'{shown}' is {shapes.describe_value(value)}, not a function"
        )
    if context.where:
        raise context.error(
            node,
            Refusal.PRIVATE_SPECIFICATION,
            f"the function parameter '{shown}' is called in {context.where}",
        )
    parameter = value.parameter
    arity = parameter.arity
    nodes = arguments.positional(context.source, node, f"'{shown}'", arity, arity)
    pairs = zip(context.ordered(nodes), nodes, strict=True)
    indices = tuple(context.whole(item, argument, f"an argument of '{shown}'") for item, argument in pairs)
    return ScalarValue(ir.Read(parameter.name, indices, parameter.sort))


_HANDLERS: dict[type[ast.expr], Callable[[Context, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: branching.bool_operation,
    ast.Compare: branching.comparison,
    OfDraws: branching.of_draws,
    ast.IfExp: branching.conditional_expression,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.Lambda: closures.of_lambda,
    ast.NamedExpr: named_expressions.evaluate,
    ast.ListComp: _list_comprehension,
    ast.Set: sets.display,
    ast.Dict: dict_displays.display,
    Tally: dict_displays.tally,
    Key: dict_displays.key,
    ast.DictComp: dict_displays.comprehension,
    ast.GeneratorExp: _generator,
}
