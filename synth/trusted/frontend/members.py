"""Members of classes: where Python finds them, and calls of methods, which are inlined."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import inlining, module_literals, shapes, type_tests, values
from synth.trusted.frontend.classes import OF_CLASS, PROPERTY, STATIC, Class, Kind, Method
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.scoping import bound_within
from synth.trusted.frontend.values import ClassValue, DataValue, NamedTupleValue, ObjectValue, Value
from synth.trusted.frontend.vocabulary import Role


def class_of(context: Context, node: ast.expr) -> Class | None:
    """The class of the file, or of a stub, that a name stands for."""
    if is_local(context, node):
        return None
    own = context.module.class_named(node)
    if own is not None:
        return own
    known = context.module.known(node)
    if known is None or known.role is not Role.STUB_CLASS:
        return None
    return context.module.library.class_of(known.name)


def frozen(context: Context, node: ast.expr) -> Class | None:
    """The class of what a call of a law of scipy makes: the law with its arguments; None for other calls."""
    known = context.module.known(node)
    stub = context.module.library.module(known.name) if known and known.role is Role.MODULE else None
    return None if stub is None else stub.classes.get("_Frozen")


def is_of_stub(context: Context, kind: Class) -> bool:
    """Whether a class is one of a stub."""
    return any(context.module.library.method(item.node) is not None for item in kind.methods.values())


def check_usable(context: Context, node: ast.expr, kind: Class) -> None:
    """Refuse a class that can't be read, or that some code may change.  Raises ProgramError."""
    for name in ("__init__", "__post_init__", "__class__", "__new__"):
        if name in context.module.attributes:
            raise context.module.attributes[name]
    for each in kind.line:
        check_found(context, node, each)
        if each.flaw is not None:
            line = f"line {each.flaw.line}"
            if each.flaw.path != context.module.source.path:
                line = f"{each.flaw.path}:{each.flaw.line}"
            reason = f"the class '{kind.name}' is not supported: {each.flaw.message} ({line})"
            raise context.error(node, each.flaw.code, reason)


def check_shown(context: Context, node: ast.expr, kind: Class, name: str) -> None:
    """Refuse what only the model of a library's class has.  Raises ProgramError."""
    hidden = name.startswith("_") and not name.startswith("__") and context.module.stub is None
    home = context.module.home(kind) if hidden else None
    if home is not None and home.stub is not None and not home.stub.own:
        raise context.error(node, Refusal.UNKNOWN_NAME, f"there is no model of '{name}' of '{kind.name}'")


def check_found(context: Context, node: ast.expr, kind: Class) -> None:
    """Refuse a class of another file in whose place some code may put another one.  Raises ProgramError."""
    home = context.module.home(kind)
    if home is context.module:
        return
    for name in sorted(context.module.names_of(kind)):
        if home is None or name in context.module.attributes:
            message = f"some code may put something else in the place of the class '{kind.name}'"
            raise context.error(node, Refusal.ALIASING, message)


def check_never_stored(context: Context, node: ast.expr, kind: Class, name: str) -> None:
    """Refuse what a class has, if anything in the file assigns an attribute of that name."""
    if name in kind.attributes or name in context.module.attributes:
        message = f"'{name}' is an attribute of the class, and some code assigns one of that name"
        raise context.error(node, Refusal.ALIASING, message)


def value(context: Context, node: ast.Attribute, kind: Class) -> Value:
    """An attribute of the class itself, which nothing assigns anew.  Raises ProgramError."""
    check_usable(context, node, kind)
    found = kind.value(node.attr)
    if found is None:
        what = "is a method; call it" if kind.method(node.attr) is not None else "is not defined"
        raise context.error(node, Refusal.UNKNOWN_NAME, f"'{node.attr}' of '{kind.name}' {what}")
    check_never_stored(context, node, kind, node.attr)
    owner = next(each for each in kind.line if node.attr in each.values)
    home = context.module.home(owner) or context.module
    with context.inside(home, node):
        if module_literals.is_list_of_constants(found) and len(home.of_user) == 1:
            place = home.changeable_members.get(node.attr)
            if place is None:
                return inlining.outside(context, found)
            message = f"the list '{node.attr}' of '{kind.name}' may be changed here: make it a tuple"
            raise context.error(place, Refusal.ALIASING, message)
        return inlining.default(context, found)


def bound(
    context: Context, node: ast.Attribute, owner: NamedTupleValue | DataValue | ObjectValue, method: Method
) -> values.FunctionValue:
    """``owner.method`` as a value: the function, which is given the owner.  Raises ProgramError."""
    check_usable(context, node, owner.kind)
    check_never_stored(context, node, owner.kind, node.attr)
    own = function(context, node, method)
    match method.kind, owner:
        case "staticmethod", _:
            first: tuple[Value, ...] = ()
        case "classmethod", _:
            first = (ClassValue(owner.kind),)
        case _, ObjectValue():
            first = (owner,)
        case _:
            first = (context.save(owner, node),)
    return values.FunctionValue(own, source=own.module.source, first=first)


def function(context: Context, node: ast.expr, method: Method) -> Function:
    """The function that a method is.  Raises ProgramError where a stub calls one of the user's."""
    own = context.module.method(method.node)
    if own is None:
        message = f"the method '{method.node.name}' is called by a function of a library: give it a lambda"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
    return own


# --- calls --------------------------------------------------------------------------------


def call_special(context: Context, node: ast.Call, called: ast.Attribute) -> Value:
    """The value of a method's call of a class, or of what ``super`` gives.  Raises ProgramError."""
    kind = class_of(context, called.value)
    if kind is not None:
        check_usable(context, node, kind)
        return call(context, node, ClassValue(kind), called.attr)
    return _call_of_super(context, node, called)


def held(context: Context, owner: Value, name: str) -> Value | None:
    """The list, function or object that an attribute of an object holds, if it holds one."""
    return context.references.get(f"{owner.place}.{name}") if isinstance(owner, ObjectValue) else None


def call_on(context: Context, node: ast.Call, owner: Value, name: str) -> Value | None:
    """The value of a call of the owner's method; None if it has no methods.  Raises ProgramError."""
    if isinstance(owner, NamedTupleValue | DataValue | ObjectValue | ClassValue):
        return call(context, node, owner, name)
    return None


def is_special(context: Context, called: ast.Attribute) -> bool:
    """Whether a method is called of a class, or of what ``super`` gives."""
    return class_of(context, called.value) is not None or _is_super(context, called.value)


def _is_super(context: Context, node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="super") as name, args=[] | [_, _], keywords=[]):
            return type_tests.is_python(context, name)
        case _:
            return False


def _call_of_super(context: Context, node: ast.Call, called: ast.Attribute) -> Value:
    """``super().method(…)``: that of the next class in the line of the object's class."""
    assert isinstance(called.value, ast.Call)
    owner = _receiver(context, called.value)
    mine = None if owner is None else _asking(context, called.value, owner.kind)
    if owner is None or mine is None:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, "'super' is not supported here")
    found = owner.kind.after(mine, called.attr)
    made = any(each.kind is Kind.DATA for each in owner.kind.line[1:])
    if found is None and called.attr == "__init__" and not (node.args or node.keywords or made):
        return values.NoneValue()
    if found is None or found[1].kind in (PROPERTY, STATIC):
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"there is no method '{called.attr}' of the base")
    if isinstance(owner, ClassValue) and found[1].kind != OF_CLASS:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"'{called.attr}' is a method of objects")
    receiver = ClassValue(owner.kind) if found[1].kind == OF_CLASS else owner
    return inlining.inline(context, node, function(context, node, found[1]), receiver)


def _asking(context: Context, node: ast.Call, kind: Class) -> Class | None:
    """The class in the line that the method being read stands in, or that ``super`` is given."""
    if node.args:
        named = class_of(context, node.args[0])
        return named if named in kind.line else None
    reading = context.scope.function
    assert reading is not None
    methods = ((each, method) for each in kind.line for method in each.methods.values())
    return next((each for each, method in methods if method.node is reading.node), None)


def _receiver(context: Context, node: ast.Call) -> ObjectValue | ClassValue | None:
    """What the method being read was called on; ``super`` may be given just that.

    None where the method changes or deletes what ``super`` finds it by: it would raise.
    """
    reading = context.scope.function
    if reading is None or not reading.parameters:
        return None
    name = reading.parameters[0].arg
    bound = [*bound_within(ast.Module([reading.node], []))]
    if "__class__" in {*bound, *context.module.blocked} or bound.count(name) > 1:
        return None
    if node.args and not (isinstance(node.args[1], ast.Name) and node.args[1].id == name):
        return None
    found = context.scope.bindings.get(name)
    return found if isinstance(found, ObjectValue | ClassValue) else None


def call(
    context: Context,
    node: ast.Call,
    owner: NamedTupleValue | DataValue | ObjectValue | ClassValue,
    name: str,
    bare: bool = False,
) -> Value:
    """The value of a method's call; a ``bare`` one has none of the arguments of the call that leads to it."""
    check_shown(context, node, owner.kind, name)
    found = owner.kind.method(name)
    if found is None or found[1].kind == PROPERTY:
        shown = f"'{owner.kind.name}'" if isinstance(owner, NamedTupleValue) else shapes.describe_value(owner)
        raise context.error(
            node, Refusal.UNSUPPORTED_CALL, f"the method '{name}' of {shown} is not supported"
        )
    check_never_stored(context, node, owner.kind, name)
    if bare:
        node = _with(context, node, [], [])
    receiver: Value | None = owner
    match found[1].kind, owner:
        case "staticmethod", _:
            receiver = None
        case "classmethod", _:
            receiver = ClassValue(owner.kind)
        case _, ClassValue():
            receiver = _given(context, node, f"{owner.kind.name}.{name}")
            node = _with(context, node, node.args[1:], node.keywords)
        case _, NamedTupleValue() | DataValue():
            receiver = context.save(owner, node)
    return inlining.inline(context, node, function(context, node, found[1]), receiver)


def _given(context: Context, node: ast.Call, name: str) -> Value:
    """The object that a method of a class is called on, as its first argument."""
    if node.args and isinstance(node.args[0], ast.Name):
        given = context.expression(context, node.args[0])
        if isinstance(given, ObjectValue):
            return given
    raise context.error(node, Refusal.UNSUPPORTED_CALL, f"'{name}' is not supported; call it on an object")


def _with(context: Context, node: ast.Call, given: list[ast.expr], named: list[ast.keyword]) -> ast.Call:
    """The call with these arguments; the same one in each pass."""
    made = context.module.applied
    if node not in made:
        made[node] = ast.copy_location(ast.Call(node.func, given, named), node)
    return made[node]
