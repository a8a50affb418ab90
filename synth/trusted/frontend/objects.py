"""Objects: attributes become variables, and methods are inlined.

An object has the place where it is made as its name; an attribute ``a`` of it is the variable ``place.a``.
A name of an object, and an attribute that holds a list, a function or an object, is assigned once.  So the
place in the text says which object it is, also in loops: what uses the name comes behind its assignment in
the same pass.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    arguments,
    array_changes,
    array_names,
    definite_attributes,
    inlining,
    members,
    references,
    shapes,
    sources,
    store,
    type_tests,
    values,
)
from synth.trusted.frontend.classes import PROPERTY, Class, Kind, Method
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    ArrayValue,
    ClassValue,
    DataValue,
    FunctionValue,
    GeneratorValue,
    LabelValue,
    ListLiteral,
    MatrixValue,
    NamedTupleValue,
    ObjectValue,
    OptionalValue,
    ParameterValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

# --- new objects ------------------------------------------------------------------------


def construct(context: Context, node: ast.Call, kind: Class) -> Value:
    """``Class(…)``: the new object.  Raises ProgramError."""
    if context.where:
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"'{kind.name}' is called in {context.where}")
    members.check_usable(context, node, kind)
    if "__instancecheck__" in kind.unread:
        raise kind.unread["__instancecheck__"]
    if kind.abstract is not None:
        message = f"'{kind.name}' has no objects: its method '{kind.abstract}' is abstract"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)
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
            members.call(context, node, made, "__post_init__", bare=True)
        return made
    if kind.method("__init__") is None:
        arguments.positional(context.source, node, f"'{kind.name}'", 0, 0)
        return made
    result = members.call(context, node, made, "__init__")
    if result != values.NoneValue():
        raise context.error(node, Refusal.WRONG_TYPE, "'__init__' may return nothing but None")
    return made


def _place(context: Context, node: ast.Call, kind: Class) -> str:
    number = inlining.number_of(context, (*context.scope.path, node), node)
    rounds = (f"{kind.name}{'_' * made}%%{number}" for made in itertools.count())
    place = next(name for name in rounds if name not in context.places)  # of a loop that is written out
    context.places.add(place)
    return place


def _fields(context: Context, node: ast.Call, kind: Class) -> dict[str, Value]:
    """The fields of a new dataclass or named tuple, by name, in their order."""
    names = [item.name for item in kind.fields]
    optional = [item.name for item in kind.fields if item.default is not None or item.fresh]
    by_name = [item.name for item in kind.fields if item.keyword_only]
    bound = arguments.bind(context.source, node, f"'{kind.name}'", names, optional, by_name)
    given = dict(zip(bound, context.ordered(list(bound.values())), strict=True))
    for item in kind.fields:
        if item.name not in given:
            given[item.name] = ListLiteral(())
            if item.default is not None:
                owner = next(each for each in reversed(kind.line) if item in each.fields)
                with context.inside(context.module.home(owner) or context.module, node):
                    given[item.name] = inlining.default(context, item.default)
    return {name: given[name] for name in names}


# --- attributes -------------------------------------------------------------------------


def attribute(context: Context, node: ast.Attribute, owner: Value) -> Value:
    """The attribute of an object or of a named tuple.  Raises ProgramError."""
    match owner:
        case NamedTupleValue(items, kind) | DataValue(items, kind):
            names = [item.name for item in kind.fields]
            if node.attr in names:
                _check_own(context, node, kind, node.attr)
                return items[names.index(node.attr)]
        case ClassValue(kind):
            return members.value(context, node, kind)
        case ObjectValue(kind=kind) if node.attr == "__class__":
            return ClassValue(kind)
        case ObjectValue(place, kind):
            members.check_shown(context, node, kind, node.attr)
            found = kind.method(node.attr)
            if found is not None and found[1].kind == PROPERTY:
                return _property(context, node, owner, found)
            if node.attr in kind.attributes:
                return _get(context, node, f"{place}.{node.attr}", kind)
        case SourceValue() if node.attr not in context.module.attributes:
            return FunctionValue(sources.method(context, node, owner, node.attr))
        case _:
            message = f"the attribute '{node.attr}' is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    found = kind.method(node.attr)
    if found is not None and found[1].kind == PROPERTY:
        return _property(context, node, owner, found)
    if found is not None:
        _check_own(context, node, kind, node.attr)
        return members.bound(context, node, owner, found[1])
    return members.value(context, node, kind)


def as_output(context: Context, node: Located | ir.Span, whole: ObjectValue) -> values.KeyedValue:
    """What is published of an object of a dataclass: its fields; of which class it is is known."""
    kind = whole.kind
    if not kind.is_value or context.module.classes.get(kind.name) is not kind or isinstance(node, ir.Span):
        raise not_returned(context, node, whole)
    nodes = [ast.copy_location(ast.Attribute(ast.Name(kind.name), field.name), node) for field in kind.fields]
    if context.labels.is_another(kind.name, kind):
        raise context.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, f"two classes are called '{kind.name}': rename one"
        )
    fields = tuple(attribute(context, field, whole) for field in nodes)
    return values.KeyedValue(fields, tuple(map(ast.unparse, nodes)))


def not_returned(context: Context, node: Located | ir.Span, value: Value) -> ProgramError:
    """The error for an object that is returned, and of which it isn't clear what that tells."""
    message = f"{shapes.describe_value(value)} is returned; return its attributes in a tuple"
    return context.error(node, Refusal.UNSUPPORTED_OUTPUT, message)


def _check_own(context: Context, node: Located, kind: Class, name: str) -> None:
    """Refuse an attribute or property that some code may set on the class, where Python looks first."""
    found = context.module.class_change(kind, name)
    if found is not None:
        module, place = found
        line = module.source.span(place).line
        where = "" if module is context.module else f" of {module.source.path}"
        message = f"the attribute '{name}' of the class '{kind.name}' may be set in line {line}{where}"
        raise context.error(node, Refusal.ALIASING, message)


def _get(context: Context, node: ast.Attribute, name: str, kind: Class) -> Value:
    _check_own(context, node, kind, node.attr)
    of_class = kind.value(node.attr)
    if of_class is not None and not _is_written_out(of_class):  # it may have a say in assignments
        members.check_never_stored(context, node, kind, node.attr)
    value = context.references.get(name)
    if value is None:
        value = context.read(name, node, ast.unparse(node))
        _check_assigned(context, node, name)
    return type_tests.of_attribute(context, name, value)


def _is_written_out(node: ast.expr) -> bool:
    """Whether a value of the class is one that an object's own attribute comes before."""
    plain = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp)
    return all(isinstance(part, (*plain, ast.operator, ast.unaryop, ast.Load)) for part in ast.walk(node))


def _check_assigned(context: Context, node: ast.Attribute, name: str) -> None:
    """Read an attribute that may not be assigned, also where its value makes no difference."""
    shape = None if name in context.certain else context.inference.shape(name)
    if shape is None:
        return
    mentioned = definite_attributes.mention(name, shape)
    if mentioned is None:
        message = f"attribute '{ast.unparse(node)}' may be used before it is assigned"
        raise context.error(node, Refusal.NOT_ASSIGNED, message)
    context.require("domain", mentioned, "an attribute is read that may not be assigned", node)


def _property(
    context: Context,
    node: ast.Attribute,
    owner: NamedTupleValue | DataValue | ObjectValue,
    found: tuple[Class, Method],
) -> Value:
    # One node for all passes, since calls are known by their places in the tree.
    _check_own(context, node, owner.kind, node.attr)
    call = context.module.applied.get(node)
    if call is None:
        call = ast.copy_location(ast.Call(node, [], []), node)
        context.module.applied[node] = call
    before = len(context.changed_lists)
    value = inlining.inline(context, call, members.function(context, node, found[1]), owner)
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
    if context.module.stub is None and members.is_of_stub(context, owner.kind):
        message = f"an attribute of an object of '{owner.kind.name}' is not changed: make a new object"
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if owner.kind.frozen:
        raise context.error(
            target, Refusal.UNSUPPORTED_CONSTRUCT, f"objects of '{owner.kind.name}' are frozen"
        )
    _put(context, owner, target.attr, value, target)


def _put(context: Context, owner: ObjectValue, name: str, value: Value, node: Located) -> None:
    variable = f"{owner.place}.{name}"
    _check_own(context, node, owner.kind, name)
    if isinstance(value, ArrayValue | MatrixValue):
        _check_unchanged(context, value, node)
        certain = references.is_certain(context, owner, name, node)
        if _assignments(owner.kind, name) > 1 or not certain:
            _keep_array(context, variable, value, node)
            context.certain |= {variable} if certain else set()
            return
        value = _settled(context, variable, value, node)
    if isinstance(value, values.NoneValue) and _is_array(context, variable):
        if variable not in context.inference.shapes:  # else it would still have the array
            return
    if isinstance(value, references.REFERENCES):
        references.refer(context, owner, name, value, node)
        return
    if variable in context.references:
        raise context.error(node, Refusal.ALIASING, f"the attribute '{name}' is assigned something else")
    if any(isinstance(item, (*references.REFERENCES, GeneratorValue)) for item in _parts(value)):
        message = f"{shapes.describe_value(value)} can't be the attribute '{name}'; a list can"
        raise context.error(node, Refusal.ALIASING, message)
    moves = store.store(context, variable, value, node, name)
    store.move(context, moves, node)
    context.changed_lists += [changed for changed, _ in moves]
    if references.is_certain(context, owner, name, node):
        context.certain.add(variable)
    if isinstance(value, ScalarValue | OptionalValue | LabelValue):
        _note(context, owner, name, value, node)


def _note(
    context: Context,
    owner: ObjectValue,
    name: str,
    value: ScalarValue | OptionalValue | LabelValue,
    node: Located,
) -> None:
    """Remember what an attribute is: what all its assignments give is known behind one that is always run."""
    variable, inference = f"{owner.place}.{name}", context.inference
    some: Value = ScalarValue(value.expression) if isinstance(value, OptionalValue) else value
    match value:
        case (
            ScalarValue(ir.Constant() as constant)
            | LabelValue(code=ir.Constant() as constant, none=builders.FALSE)
        ):
            given: ir.Constant | None = constant
        case _:
            given = None
    inference.note_assigned(variable, given, frozenset(type_tests.kinds(context, some)))
    known = inference.constants[variable]
    if known is not None and references.is_certain(context, owner, name, node):
        context.known[variable] = known


def _check_unchanged(context: Context, value: ArrayValue | MatrixValue, node: Located) -> None:
    """Refuse to let an attribute be an array that is changed under another name.  Raises ProgramError."""
    owner = value.owner if isinstance(value, ArrayValue) else value.flat.owner
    if owner:
        context.shared.setdefault(owner, context.source.place(node))
    shown = owner.rpartition(".")[2]
    scope: Scope | None = context.scope
    while shown and scope is not None and scope.function is not None:
        if array_changes.is_changed_in_place(scope.function, shown):
            message = f"an attribute is the array '{shown}', which is changed: use '{shown}.copy()'"
            raise context.error(node, Refusal.ALIASING, message)
        scope = scope.caller


def _settled(
    context: Context, variable: str, value: ArrayValue | MatrixValue, node: Located
) -> ArrayValue | MatrixValue:
    """The array as an attribute has it: drawn, and of what never changes."""
    if isinstance(value, MatrixValue):
        flat = array_names.settled(context, value.flat, node)
        return replace(value, flat=replace(flat, owner=variable))
    return replace(array_names.settled(context, value, node), owner=variable)


def _assignments(kind: Class, name: str) -> int:
    """How many statements of the class assign an attribute of that name."""
    return sum(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Store)
        for each in kind.line
        for method in each.methods.values()
        for part in ast.walk(method.node)
    )


def _is_array(context: Context, variable: str) -> bool:
    return isinstance(context.inference.shape(variable), shapes.ArrayShape)


def _keep_array(context: Context, variable: str, value: ArrayValue | MatrixValue, node: Located) -> None:
    """Let an attribute have the entries of an array in a list of its own; before that it may have been None.

    That it is not read before is checked as for other attributes.
    """
    known = context.inference
    if known.shapes.get(variable) == ir.NoneShape() and variable not in known.shapes_before:
        del known.shapes[variable]
    start = len(context.body)
    flat, size = (value, None) if isinstance(value, ArrayValue) else (value.flat, (value.rows, value.width))
    array_names.keep(context, variable, flat, node, size)
    assigned = (item.target for item in context.body[start:] if isinstance(item, ir.Assign))
    context.changed_lists += [name for name in assigned if name.startswith(f"{variable}[")]


def _parts(value: Value) -> Iterator[Value]:
    yield value
    if isinstance(value, TupleValue | ListLiteral):
        for item in value.items:
            yield from _parts(item)


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
