"""Objects: attributes become variables, and methods are inlined.

An object has the place where it is made as its name; an attribute ``a`` of it is the variable ``place.a``.
A name of an object, and an attribute that holds a list, a function or an object, is assigned once.  So the
place in the text says which object it is, also in loops: what uses the name comes behind its assignment in
the same pass.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, inlining, store, values
from synth.trusted.frontend.classes import CALL, Class, Kind, Method
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    ArrayValue,
    GeneratorValue,
    ListLiteral,
    ListValue,
    NamedTupleValue,
    ObjectValue,
    ParameterValue,
    TupleValue,
    Value,
)

_REFERENCES = (ListValue, ParameterValue, ObjectValue)


# --- new objects ------------------------------------------------------------------------


def class_of(context: Context, node: ast.expr) -> Class | None:
    """The class of the file that a name stands for."""
    if isinstance(node, ast.Name) and not is_local(context, node):
        return context.module.classes.get(node.id)
    return None


def construct(context: Context, node: ast.Call, kind: Class) -> Value:
    """``Class(…)``: the new object.  Raises ProgramError."""
    if context.where:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"'{kind.name}' is called in {context.where}")
    _check_usable(context, node, kind)
    if kind.kind is Kind.TUPLE:
        items = tuple(_fields(context, node, kind).values())
        if any(isinstance(item, ParameterValue | ObjectValue) for item in items):
            message = "a function, a parameter that is a list, or an object can't be in a named tuple"
            raise context.error(node, Refusal.ALIASING, message)
        return NamedTupleValue(items, kind)
    made = ObjectValue(_place(context, node, kind), kind)
    if kind.kind is Kind.DATA or kind.fields:
        for name, value in _fields(context, node, kind).items():
            _put(context, made, name, value, node)
        if kind.method("__post_init__") is not None:
            call(context, node, made, "__post_init__", bare=True)
        return made
    if kind.method("__init__") is None:
        arguments.positional(context.source, node, f"'{kind.name}'", 0, 0)
        return made
    result = call(context, node, made, "__init__")
    if result != values.NoneValue():
        raise context.error(node, Refusal.WRONG_TYPE, "'__init__' may return nothing but None")
    return made


def _place(context: Context, node: ast.Call, kind: Class) -> str:
    place = f"{kind.name}%%{inlining.number_of(context, (*context.scope.path, node), node)}"
    context.places.add(place)
    return place


def _check_usable(context: Context, node: ast.expr, kind: Class) -> None:
    for name in ("__init__", "__post_init__", "__class__", "__new__"):
        if name in context.module.attributes:
            raise context.module.attributes[name]
    for each in kind.line:
        if each.flaw is not None:
            reason = f"the class '{kind.name}' is not supported: {each.flaw.message} (line {each.flaw.line})"
            raise context.error(node, each.flaw.code, reason)


def _fields(context: Context, node: ast.Call, kind: Class) -> dict[str, Value]:
    """The fields of a new dataclass or named tuple, by name, in their order."""
    names = [item.name for item in kind.fields]
    optional = [item.name for item in kind.fields if item.default is not None or item.fresh]
    by_name = [item.name for item in kind.fields if item.keyword_only]
    bound = arguments.bind(context.source, node, f"'{kind.name}'", names, optional, by_name)
    given = dict(zip(bound, context.ordered(list(bound.values())), strict=True))
    for item in kind.fields:
        if item.name not in given:
            given[item.name] = (
                ListLiteral(()) if item.default is None else inlining.default(context, item.default)
            )
    return {name: given[name] for name in names}


# --- attributes -------------------------------------------------------------------------


def attribute(context: Context, node: ast.Attribute, owner: Value) -> Value:
    """The attribute of an object or of a named tuple.  Raises ProgramError."""
    match owner:
        case NamedTupleValue(items, kind):
            names = [item.name for item in kind.fields]
            if node.attr in names:
                return items[names.index(node.attr)]
        case ObjectValue(place, kind):
            found = kind.method(node.attr)
            if found is not None and found[1].kind == "property":
                return _property(context, node, owner, found)
            if node.attr in kind.attributes:
                return _get(context, node, f"{place}.{node.attr}", kind)
        case _:
            message = f"the attribute '{node.attr}' is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    found = kind.method(node.attr)
    if found is not None and found[1].kind == "property":
        return _property(context, node, owner, found)
    return class_attribute(context, node, kind)


def class_attribute(context: Context, node: ast.Attribute, kind: Class) -> Value:
    """An attribute of the class itself, which nothing assigns anew.  Raises ProgramError."""
    _check_usable(context, node, kind)
    value = kind.value(node.attr)
    if value is None:
        what = "is a method; call it" if kind.method(node.attr) is not None else "is not defined"
        raise context.error(node, Refusal.UNKNOWN_NAME, f"'{node.attr}' of '{kind.name}' {what}")
    _check_never_stored(context, node, kind, node.attr)
    return inlining.default(context, value)


def _check_never_stored(context: Context, node: ast.expr, kind: Class, name: str) -> None:
    """Refuse what a class has, if anything in the file assigns an attribute of that name."""
    if name in kind.attributes or name in context.module.attributes:
        message = f"'{name}' is an attribute of the class, and some code assigns one of that name"
        raise context.error(node, Refusal.ALIASING, message)


def _get(context: Context, node: ast.Attribute, name: str, kind: Class) -> Value:
    if kind.value(node.attr) is not None:
        _check_never_stored(context, node, kind, node.attr)
    return context.references.get(name) or context.read(name, node, ast.unparse(node))


def _property(context: Context, node: ast.Attribute, owner: Value, found: tuple[Class, Method]) -> Value:
    # One node for all passes, since calls are known by their places in the tree.
    call = context.module.applied.get(node)
    if call is None:
        call = ast.copy_location(ast.Call(node, [], []), node)
        context.module.applied[node] = call
    before = len(context.changed_lists)
    value = inlining.inline(context, call, _function(context, found[1]), owner)
    if any(name.partition(".")[0] in context.places for name in context.changed_lists[before:]):
        message = f"the property '{node.attr}' changes the object; make it a method"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    return value


def assign(context: Context, target: ast.Attribute, value: Value) -> None:
    """``owner.name = value``.  Raises ProgramError."""
    owner = context.expression(context, target.value)
    if not isinstance(owner, ObjectValue) or target.attr not in owner.kind.attributes:
        message = "an assignment to an attribute is not supported"
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if owner.kind.method(target.attr) is not None:
        raise context.error(
            target, Refusal.UNSUPPORTED_CONSTRUCT, f"'{target.attr}' is a method or property of the class"
        )
    if owner.kind.frozen:
        raise context.error(
            target, Refusal.UNSUPPORTED_CONSTRUCT, f"objects of '{owner.kind.name}' are frozen"
        )
    _put(context, owner, target.attr, value, target)


def _put(context: Context, owner: ObjectValue, name: str, value: Value, node: Located) -> None:
    variable = f"{owner.place}.{name}"
    if isinstance(value, _REFERENCES):
        _refer(context, owner, name, value, node)
        return
    if variable in context.references:
        raise context.error(node, Refusal.ALIASING, f"the attribute '{name}' is assigned something else")
    if any(isinstance(item, (*_REFERENCES, ArrayValue, GeneratorValue)) for item in _parts(value)):
        message = f"{values.describe_value(value)} can't be the attribute '{name}'; a list can"
        raise context.error(node, Refusal.ALIASING, message)
    moves = store.store(context, variable, value, node, name)
    store.move(context, moves, node)
    context.changed_lists += [changed for changed, _ in moves]


def _parts(value: Value) -> Iterator[Value]:
    yield value
    if isinstance(value, TupleValue | ListLiteral):
        for item in value.items:
            yield from _parts(item)


def _refer(context: Context, owner: ObjectValue, name: str, value: Value, node: Located) -> None:
    """Let an attribute be a list, a function or an object; which one is known where it is assigned once."""
    fields = sum(item.name == name for item in owner.kind.fields)
    function = context.scope.function
    first = fields == 1 or (function is not None and _is_first(function, node))
    others = context.module.assigned_on_others[name]
    if owner.kind.stores(name) + fields + others != 1 or not first:
        message = (
            f"the attribute '{name}' is {values.describe_value(value)}, and not assigned once, in '__init__'"
        )
        raise context.error(node, Refusal.ALIASING, message)
    if isinstance(value, ListValue):
        context.shared.setdefault(value.name, context.source.place(node))
    if context.references.setdefault(f"{owner.place}.{name}", value) != value:
        message = f"the attribute '{name}' is given {values.describe_value(value)} again: make a new object"
        raise context.error(node, Refusal.ALIASING, message)


def _is_first(function: Function, node: Located) -> bool:
    """Whether the assignment is a statement of ``__init__`` that is always executed."""
    body = function.node.body
    returns = any(isinstance(part, ast.Return) for part in ast.walk(function.node))
    mine = [statement for statement in body if any(part is node for part in ast.walk(statement))]
    plain = all(isinstance(statement, ast.Assign | ast.AnnAssign) for statement in mine)
    return function.node.name in ("__init__", "__post_init__") and bool(mine) and plain and not returns


# --- names ------------------------------------------------------------------------------


def bind(context: Context, target: ast.expr, value: ObjectValue) -> None:
    """``name = object``.  Raises ProgramError unless it is the only assignment to the name."""
    match target:
        case ast.Attribute():
            assign(context, target, value)
        case ast.Name(id=name):
            store.variable_name(context, target)
            function = context.scope.function
            if function is None or function.assigned[name] != 1 or _is_parameter(function, name):
                message = f"'{name}' is an object, and assigned more than once; use another name"
                raise context.error(target, Refusal.ALIASING, message)
            context.scope.bindings[name] = value
        case _:
            raise context.error(target, Refusal.ALIASING, "an object can't be unpacked")


def _is_parameter(function: Function, name: str) -> bool:
    return any(item.arg == name for item in function.parameters)


# --- methods ----------------------------------------------------------------------------


def call_special(context: Context, node: ast.Call, called: ast.Attribute) -> Value:
    """The value of a method's call of a class, or of what ``super`` gives.  Raises ProgramError."""
    kind = class_of(context, called.value)
    if kind is not None:
        return _call_of_class(context, node, kind, called.attr)
    return _call_of_super(context, node, called)


def call_on(context: Context, node: ast.Call, owner: Value, name: str) -> Value | None:
    """The value of a call of the owner's method; None if it has no methods.  Raises ProgramError."""
    if isinstance(owner, NamedTupleValue | ObjectValue):
        return call(context, node, owner, name)
    return None


def is_special(context: Context, called: ast.Attribute) -> bool:
    """Whether a method is called of a class, or of what ``super`` gives."""
    return class_of(context, called.value) is not None or _is_super(context, called.value)


def _is_super(context: Context, node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="super") as name, args=[], keywords=[]):
            return not is_local(context, name) and "super" not in context.module.functions
        case _:
            return False


def _call_of_class(context: Context, node: ast.Call, kind: Class, name: str) -> Value:
    """``Class.method(…)``: static methods and class methods, and others on an object that is given."""
    _check_usable(context, node, kind)
    found = kind.method(name)
    if found is None or found[1].kind != "staticmethod":
        message = f"'{kind.name}.{name}' is not supported; call it on an object"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
    _check_never_stored(context, node, kind, name)
    return inlining.inline(context, node, _function(context, found[1]))


def _call_of_super(context: Context, node: ast.Call, called: ast.Attribute) -> Value:
    """``super().method(…)``: as the base of the class has it that the method stands in."""
    function = context.scope.function
    owner = _receiver(context, function) if function is not None else None
    if function is None or owner is None:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, "'super' is not supported here")
    mine = next((each for each in owner.kind.line if _has(each, function.node)), None)
    base = None if mine is None else mine.base
    if (
        mine is not None
        and base is None
        and called.attr == "__init__"
        and not node.args
        and not node.keywords
    ):
        return values.NoneValue()
    found = None if base is None else base.method(called.attr)
    if found is None or found[1].kind:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"there is no method '{called.attr}' of the base")
    return inlining.inline(context, node, _function(context, found[1]), owner)


def _has(kind: Class, node: ast.FunctionDef) -> bool:
    return any(method.node is node for method in kind.methods.values())


def _receiver(context: Context, function: Function) -> ObjectValue | None:
    """The object that the method being read was called on."""
    if not function.parameters:
        return None
    found = context.scope.bindings.get(function.parameters[0].arg)
    return found if isinstance(found, ObjectValue) else None


def call(
    context: Context, node: ast.Call, owner: NamedTupleValue | ObjectValue, name: str, bare: bool = False
) -> Value:
    """The value of a method's call; a ``bare`` one has none of the arguments of the call that leads to it."""
    found = owner.kind.method(name)
    if isinstance(owner, ObjectValue) and f"{owner.place}.{name}" in context.references:
        return _call_of_attribute(context, node, context.references[f"{owner.place}.{name}"], name)
    if found is None or found[1].kind in ("property", "classmethod"):
        shown = values.describe_value(owner) if isinstance(owner, ObjectValue) else f"'{owner.kind.name}'"
        raise context.error(
            node, Refusal.UNSUPPORTED_CALL, f"the method '{name}' of {shown} is not supported"
        )
    _check_never_stored(context, node, owner.kind, name)
    if bare:
        made = context.module.applied.get(node)
        if made is None:
            made = ast.copy_location(ast.Call(node.func, [], []), node)
            context.module.applied[node] = made
        node = made
    receiver: Value | None = owner
    if found[1].kind == "staticmethod":
        receiver = None
    elif isinstance(owner, NamedTupleValue):
        receiver = context.save(owner, node)
    return inlining.inline(context, node, _function(context, found[1]), receiver)


def _call_of_attribute(context: Context, node: ast.Call, value: Value, name: str) -> Value:
    if isinstance(value, ObjectValue):
        return call(context, node, value, CALL)
    message = f"the call of the attribute '{name}' is not supported"
    raise context.error(node, Refusal.UNSUPPORTED_CALL, message)


def _function(context: Context, method: Method) -> Function:
    return context.module.methods[method.node]
