"""Inlining: a call of a function of the same file becomes its body, with names of its own."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    array_calls,
    array_names,
    array_types,
    arrays,
    axes,
    flattening,
    layout,
    matrices,
    module_literals,
    shapes,
    signs,
    sized_draws,
    sources,
    store,
    tallies,
    uniforms,
    yielding,
)
from synth.trusted.frontend.checks import check_expression, check_function
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.scoping import own_nodes
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.stubs import BUILTINS
from synth.trusted.frontend.values import (
    ArrayValue,
    ClassValue,
    DictValue,
    ExtendedValue,
    FunctionValue,
    GeneratorValue,
    LabelValue,
    ListLiteral,
    ListValue,
    LoggerValue,
    MatrixValue,
    NamedTupleValue,
    NoneValue,
    ObjectValue,
    OptionalValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    TypeValue,
    UniformValue,
    Value,
)
from synth.trusted.frontend.vocabulary import DRAWS, ENTRYWISE, FLOATING, IN_PLACE, SIGN
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block, runs_on

MAX_INLININGS = 1000
DTYPES = ("dtype", "T")
"""The argument of functions of stubs that is the type of entries."""


def inline(context: Context, node: ast.Call, function: Function, owner: Value | None = None) -> Value:
    """The value of a call; the body of the function is emitted.

    Of a method, ``owner`` is the first argument.
    """
    _check(context, node, function, owner)
    _check_gives(context, node, function)
    given = array_calls.with_ranges(context, node, function, _arguments(context, node, function, owner))
    array_calls.check_arguments(context, node, function, given)
    if function.module.stub is not None and any(word.arg == "reverse" for word in node.keywords):
        context.whole(given["reverse"], node, "'reverse'")
    if array_calls.applies(function, given):
        one = partial(applied, context, node, function)
        return array_calls.by_entry(context, node, function, given, one)
    return applied(context, node, function, given)


def call(context: Context, node: ast.Call, value: FunctionValue) -> Value:
    """The value of a call of a function that is a value."""
    function = value.function
    _check(context, node, function)
    _check_gives(context, node, function)
    given = _arguments(context, node, function, None, value)
    array_calls.check_arguments(context, node, function, given)
    if array_calls.applies(function, given):
        return array_calls.by_entry(context, node, function, given, partial(applied, context, node, function))
    return applied(context, node, function, given, value)


def _check(context: Context, node: ast.expr, function: Function, owner: Value | None = None) -> None:
    if context.where:
        raise context.error(
            node, Refusal.UNSUPPORTED_CALL, f"the function '{function.name}' is called in {context.where}"
        )
    _check_recursion(context, node, function, owner)
    check_function(function.module, function)
    note_models(context, function)
    if function.module.stub is None:
        array_types.note_call(context, node)
    else:
        sources.check_unseeded(context.module, function.module.stub.module, node, context)
        if function.module.stub.module.partition(".")[0] not in sys.stdlib_module_names:
            context.inference.note_numpy()  # other libraries compute with numpy, too


def _is_of_another(scope: Scope, owner: Value | None) -> bool:
    """Whether the function of a scope is a method that is called on another object."""
    assert scope.function is not None
    first = next((item.arg for item in scope.function.parameters), "")
    found = scope.bindings.get(first)
    return isinstance(found, ObjectValue) and isinstance(owner, ObjectValue) and found != owner


def _check_gives(context: Context, node: ast.expr, function: Function) -> None:
    """Refuse a function that changes its argument where a value is asked for."""
    if IN_PLACE in function.marks:
        message = f"'{function.name}' changes what it is given: call it in a statement of its own"
        raise context.error(node, Refusal.UNSUPPORTED_CALL, message)


def applied(
    context: Context,
    node: ast.expr,
    function: Function,
    given: dict[str, Value],
    value: FunctionValue | None = None,
) -> Value:
    """The value of a function of what has been evaluated already, by parameter; of one that is a value."""
    draw = next(iter(given.values()), None)
    _check(context, node, function, draw)
    if isinstance(draw, UniformValue) and function.module.stub is not None and function.name == SIGN:
        return uniforms.sign(context, node, draw)
    sign = signs.of_call(context, node, function, given)
    if sign is not None:
        return sign
    of_numpy = function.module.stub is not None and function.module.stub.module == array_calls.NUMPY
    if of_numpy and any(isinstance(value, MatrixValue) for value in given.values()):
        one = partial(applied, context, node, function)
        return axes.call(context, node, function.name, given, one)
    if DRAWS in function.marks:
        return sized_draws.call(context, node, function, given, _inlined)
    array_types.check_given(context, node, function, given)
    result = _inlined(context, node, function, given, value)
    array_calls.note_sum(context, prefix(context, node, function), function, given, result)
    return array_types.given_back(context, node, function, result)


def _inlined(
    context: Context,
    node: ast.expr,
    function: Function,
    given: dict[str, Value],
    value: FunctionValue | None = None,
) -> Value:
    """The value of a call with these arguments; the body of the function is emitted."""
    if function.module.stub is None:
        function = tallies.of_helper(function.module, function, given)
    scope = _scope(context, node, function)
    scope.given = given
    source = _open(scope, value) if value is not None else None
    for argument in function.parameters:
        _bind(context, node, scope, argument, given[argument.arg])
    if function.module.stub is None and yielding.yields(function):
        return _generator(context, node, scope, source)
    start = len(context.changed_lists)
    result = _run(context, node, scope, source)
    known = {name for value in given.values() for name in layout.lists_in(value)}
    known |= _made_before(context, scope, result, start)
    given_back = list(layout.lists_in(result))
    known |= {name for name in given_back if given_back.count(name) > 1}
    result = _owned(context, result, known, scope.prefix)
    if function.module.stub is not None and isinstance(result, ScalarValue):
        return replace(result, written=False)  # numpy may give a number of another type than its argument
    if function.module.stub is not None and isinstance(result, GeneratorValue):
        return _lasting(context, node, result, tuple(given.values()))
    return result


def _generator(context: Context, node: ast.expr, scope: Scope, source: Source | None) -> GeneratorValue:
    """What a call of a generator gives: what runs over it does its work in the place of ``yield``.

    What it is given stays as it is until it ends, as it has no other names than those of the call.
    """
    assert scope.function is not None
    with context.inside(scope.function.module, node, source):
        yielding.check(scope.function.module, scope.function)

    def run(body: Callable[[Callable[[], Value]], None], label: str) -> tuple[ir.Statement, ...]:
        user = (context.scope, context.module, context.source)

        def each(value: Value) -> None:
            own = (context.scope, context.module, context.source)
            context.scope, context.module, context.source = user
            try:
                body(lambda: value)
            finally:
                context.scope, context.module, context.source = own

        scope.yielded = each
        with context.nested() as emitted:
            _run(context, node, scope, source)
            if runs_on(context.body):
                context.exit(label, node)
        return tuple(emitted)

    generator = GeneratorValue(run, context.number(), context.depth)
    return _holding(context, generator, tuple(scope.given.values()))


def give_on(context: Context, node: ast.Yield) -> None:
    """``yield e`` as a statement.  Raises ProgramError."""
    if context.scope.yielded is None:
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "yield is not supported here")
    value = NoneValue() if node.value is None else context.expression(context, node.value)
    context.scope.yielded(value)


def _lasting(
    context: Context, node: ast.expr, generator: GeneratorValue, given: Sequence[Value]
) -> GeneratorValue:
    """The generator of a stub, which may look at what it is given before Python does: nothing changes that
    until it ends.
    """
    if any(isinstance(item, GeneratorValue) and item.number in context.used_up for item in given):
        message = "a generator that Python uses up value by value is not supported here: use a list"
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, message)
    return _holding(context, generator, given)


def _holding(context: Context, generator: GeneratorValue, given: Sequence[Value]) -> GeneratorValue:
    """A generator, of which nothing that it is given changes until it ends."""
    lists = (*generator.lists, *(name for item in given for name in _lists_of(item)))

    def run(body: Callable[[Callable[[], Value]], None], label: str) -> tuple[ir.Statement, ...]:
        outer = context.iterating
        context.iterating = [*outer, *lists]
        loops = generator.run(body, label)
        context.iterating = outer
        return loops

    return replace(generator, run=run, lists=lists)


def _lists_of(value: Value) -> Iterator[str]:
    match value:
        case ArrayValue(owner=owner) | MatrixValue(flat=ArrayValue(owner=owner)):
            yield owner
        case TupleValue(items):
            for item in items:
                yield from _lists_of(item)
        case DictValue(place=name) | ParameterValue(ir.Parameter(name=name)) | RecordsValue(name=name):
            yield name
        case GeneratorValue(lists=lists):
            yield from lists
        case _:
            yield from layout.lists_in(value)


def _open(scope: Scope, value: FunctionValue) -> Source | None:
    """Let the names that a function doesn't bind stand for what they do where it is defined."""
    scope.by_value = True
    if value.free is not None:
        bindings, renamed = value.free()
        scope.bindings.update(bindings)
        scope.renamed.update(renamed)
    return value.source


def note_models(context: Context, function: Function) -> None:
    """Remember what is assumed of a function of a library; those of Python itself are the language.

    Of a function with decorators that leave it what it is that is assumed of these.
    """
    for wrapper in function.wrappers:
        note_models(context, wrapper)
    stub = function.module.stub
    hidden = function.name.rpartition(".")[2].startswith("_")
    if stub is None or stub.module == BUILTINS or (hidden and not stub.own):
        return
    name = f"{stub.module}.{function.name}"
    said = (ast.get_docstring(function.node) or "does what its stub says").split("\n")[0].rstrip(".")
    place = f"{stub.path}:{function.node.lineno}"
    context.models[name] = ir.Model(name, place, said, FLOATING in function.marks)


def _check_recursion(context: Context, node: ast.expr, function: Function, owner: Value | None) -> None:
    """Refuse a function that calls itself, but for a method of an object that calls that of another one."""
    chain = [function.name]
    same = (function, function.module.tallied.get(function.node))
    scope: Scope | None = context.scope
    while scope is not None and scope.function is not None:
        chain.append(scope.function.name)
        if any(scope.function is item for item in same) and not _is_of_another(scope, owner):
            cycle = " -> ".join(reversed(chain))
            raise context.error(node, Refusal.RECURSION, f"recursion is not supported: {cycle}")
        scope = scope.caller


def _arguments(
    context: Context,
    node: ast.Call,
    function: Function,
    owner: Value | None,
    of: FunctionValue | None = None,
) -> dict[str, Value]:
    names = [argument.arg for argument in function.parameters]
    if owner is not None and not names:
        message = f"'{function.name}' has no parameter for the object"
        raise context.error(node, Refusal.WRONG_CALL, message)
    first = names[:1] if owner is not None else []
    names = names[len(first) :]
    by_name = [argument.arg for argument in function.node.args.kwonlyargs]
    by_place = [argument.arg for argument in function.node.args.posonlyargs]
    before = {} if of is None else _given_before(context, node, of)
    names = [name for name in names if name not in before]
    by_name += _behind_words(of)
    defaults: dict[str, ast.expr | None] = {item.arg: given for item, given in function.defaults}
    if of is not None and of.defaults is not None:
        defaults = dict.fromkeys(of.defaults)
    what = f"'{function.name}'"
    bound = arguments.bind(context.source, node, what, names, tuple(defaults), by_name, by_place)
    parts = [(part, partial(_argument, context, function, name, part)) for name, part in bound.items()]
    if owner is not None:
        parts = [(node.func, partial(_itself, owner)), *parts]
    result = dict(zip([*first, *bound], context.in_turn(parts), strict=True))
    result |= before
    bundled = function.module.stub is not None and not function.module.stub.own
    for place in by_place if bundled else ():
        if place in defaults and isinstance(result.get(place), NoneValue | OptionalValue):
            raise context.error(
                node, Refusal.WRONG_TYPE, f"'{place}' of {what} may be left out, but not None"
            )
    for name, value in defaults.items():
        if name not in result and value is not None:
            with context.inside(function.module, node):
                result[name] = default(context, value)
    if of is not None and of.defaults is not None:
        result = {**of.defaults, **result}
    return result


def _given_before(context: Context, node: ast.Call, of: FunctionValue) -> dict[str, Value]:
    """The arguments that were given before the call.  Raises ProgramError for too many."""
    arguments_of = of.function.node.args
    places = [item.arg for item in (*arguments_of.posonlyargs, *arguments_of.args)]
    by_place = [item.arg for item in arguments_of.posonlyargs]
    names = [*places, *(item.arg for item in arguments_of.kwonlyargs)]
    taken = dict(zip(places, of.first, strict=False))
    if len(of.first) > len(places) or taken.keys() & of.words.keys():
        raise context.error(node, Refusal.WRONG_CALL, f"too many arguments of '{of.function.name}'")
    for word in of.words:
        if word not in names or word in by_place:
            raise context.error(node, Refusal.WRONG_CALL, f"'{of.function.name}' has no argument '{word}'")
    return {**taken, **of.words}


def _behind_words(of: FunctionValue | None) -> list[str]:
    """The parameters that can only be named, as one before them was."""
    places = [] if of is None else [item.arg for item in of.function.node.args.args]
    first = next(
        (place for place, name in enumerate(places) if of is not None and name in of.words), len(places)
    )
    return places[first:]


def _itself(value: Value) -> Value:
    return value


def _argument(context: Context, function: Function, name: str, node: ast.expr) -> Value:
    if name in DTYPES and function.module.stub is not None:
        array_types.check_dtype(context, node)
        return array_calls.of_type(context, node)
    return context.expression(context, node)


def default(context: Context, node: ast.expr) -> Value:
    """The value of a default, which is computed outside of functions.  Raises ProgramError."""
    value = outside(context, node)
    if shapes.may_hold_list(value):
        kind = shapes.describe_value(value)
        raise context.error(node, Refusal.UNSUPPORTED_LIST, f"{kind} as a default value is not supported")
    return value


def outside(context: Context, node: ast.expr) -> Value:
    """The value of what is computed outside of functions.  Raises ProgramError."""
    check_expression(node, context.source)
    scope, where = context.scope, context.where
    context.scope, context.where = Scope(None), "a default value"
    try:
        return context.expression(context, node)
    finally:
        context.scope, context.where = scope, where


def _scope(context: Context, node: ast.expr, function: Function) -> Scope:
    path = (*context.scope.path, node)
    number = number_of(context, path, node)
    return Scope(
        function,
        prefix=prefix(context, node, function),
        label=f"return%{number}",
        returns_last=_returns_last(function),
        caller=context.scope,
        path=path,
    )


def prefix(context: Context, node: ast.expr, function: Function) -> str:
    """What the variables of a function begin with that is called here."""
    return f"{function.node.name}%%{number_of(context, (*context.scope.path, node), node)}."


def number_of(context: Context, path: tuple[ast.expr, ...], node: ast.expr) -> int:
    """The number of a call, by the calls that lead to it.  Raises ProgramError if there are too many."""
    number = context.inlinings.setdefault(path, len(context.inlinings) + 1)
    if number > MAX_INLININGS:
        message = f"the program is too large (more than {MAX_INLININGS} calls of its functions)"
        raise context.error(node, Refusal.PROGRAM_TOO_LARGE, message)
    return number


def _runs_through(function: Function) -> bool:
    """Whether a function returns at its end only."""
    returns = any(isinstance(part, ast.Return) for part in ast.walk(function.node))
    return _returns_last(function) or not returns


def _returns_last(function: Function) -> bool:
    """Whether the only return is the last statement, so that nothing has to be left early."""
    returns = [part for part in own_nodes(function.node) if isinstance(part, ast.Return)]
    return returns == [function.node.body[-1]]


def _bind(context: Context, node: ast.expr, scope: Scope, argument: ast.arg, value: Value) -> None:
    name = argument.arg
    assert scope.function is not None
    if scope.function.module.stub is not None and _has_arrays(value):
        assert isinstance(value, ListLiteral)
        value = TupleValue(value.items)
    if _is_written_array(scope.function, name, value):
        array = arrays.from_value(context, value, node)
        assert array is not None
        value = array
    if _is_picked_from(scope.function, name) and isinstance(value, TupleValue | ListLiteral):
        scope.bindings[name] = ListLiteral(tuple(context.save(item, node) for item in value.items))
        return
    if scope.function.module.stub is None and module_literals.is_argument(scope.function, name, value):
        scope.bindings[name] = value
        return
    value = store.materialise(context, value, node)
    if _takes_number(scope.function, argument) and isinstance(value, ScalarValue):
        arithmetic.check_number(context, node, value.expression)
    number = isinstance(argument.annotation, ast.Name)
    number = number or (argument.annotation is None and ENTRYWISE in scope.function.marks)
    partly = ExtendedValue | OptionalValue if number else ExtendedValue
    if scope.function.module.stub is not None and isinstance(value, partly):
        value = ScalarValue(context.scalar(value, node))
    real = _annotated(argument, value)
    if real is not value and scope.function.module.stub is None:  # for Python it stays an integer
        context.inference.note_mixed()
        scope.given = {**scope.given, name: real}
    value = real
    if scope.function.module.stub is not None:
        _check_type(context, node, scope.function, argument, value)
    reassigned = name in scope.function.assigned
    if isinstance(value, ArrayValue):
        array_names.bind_parameter(context, node, scope, name, value)
        return
    if isinstance(value, MatrixValue):
        if scope.function.module.stub is not None:
            message = f"'{scope.function.name}' of an array of two dimensions is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        matrices.bind_parameter(context, node, scope, name, value)
        return
    as_it_is = isinstance(value, ListValue | ParameterValue | GeneratorValue | TypeValue | UniformValue)
    as_it_is = as_it_is or isinstance(value, RecordsValue | ObjectValue | FunctionValue)
    as_it_is = as_it_is or isinstance(value, ClassValue | DictValue | LoggerValue)
    if as_it_is or (not reassigned and _stands(context, scope, value)):
        scope.bindings[name] = value
        return
    target = scope.prefix + name
    scope.renamed[name] = target
    store.move(context, store.store(context, target, value, node, name), node)


def _is_written_array(function: Function, name: str, value: Value) -> bool:
    """Whether a function of numpy is given a display of numbers, of which it makes an array."""
    stub = function.module.stub
    if stub is None or stub.module != array_calls.NUMPY or name in ("shape", "size"):
        return False
    return isinstance(value, ListLiteral) and all(isinstance(item, ScalarValue) for item in value.items)


def _has_arrays(value: Value) -> bool:
    """Whether a value is a display of arrays, which a stub takes one by one, as those of a tuple."""
    return isinstance(value, ListLiteral) and any(isinstance(item, ArrayValue) for item in value.items)


def _is_picked_from(function: Function, name: str) -> bool:
    """Whether a function of a stub only picks an entry of an argument, or counts its entries."""
    if function.module.stub is None:
        return False
    found = [part for part in ast.walk(function.node) if isinstance(part, ast.Name) and part.id == name]
    picked = {id(part.value) for part in ast.walk(function.node) if isinstance(part, ast.Subscript)}
    for part in ast.walk(function.node):
        match part:
            case ast.Call(func=ast.Name(id="len"), args=[argument]):
                picked.add(id(argument))
            case ast.Call(func=ast.Name(id="isinstance"), args=[argument, _]):
                picked.add(id(argument))
    return bool(found) and all(id(part) in picked for part in found)


def _takes_number(function: Function, argument: ast.arg) -> bool:
    """Whether a parameter is a number, and a truth value of numpy another value or none that is taken."""
    stub = function.module.stub
    if not isinstance(argument.annotation, ast.Name) or (stub and stub.module.partition(".")[0] == "numpy"):
        return False
    return argument.annotation.id in (("float",) if stub is None else ("float", "int"))


def _annotated(argument: ast.arg, value: Value) -> Value:
    """An integer given for a parameter of type ``float`` is a real number."""
    match argument.annotation, value:
        case ast.Name(id="float"), ScalarValue(expression) if expression.sort is not ir.Sort.REAL:
            return ScalarValue(builders.convert(expression, ir.Sort.REAL))
        case _:
            return value


def _check_type(
    context: Context, node: ast.expr, function: Function, argument: ast.arg, value: Value
) -> None:
    """Refuse an argument of another type than a stub says: its body is a model for that type only."""
    match argument.annotation, value:
        case ast.Name(id="float"), ScalarValue(expression) if expression.sort is ir.Sort.REAL:
            return
        case ast.Name(id="float"), UniformValue():
            return
        case ast.Name(id="int"), ScalarValue(expression) if expression.sort is not ir.Sort.REAL:
            return
        case ast.Name(id="bool"), ScalarValue(expression) if expression.sort is ir.Sort.BOOL:
            return
        case ast.Name(id="source"), NoneValue() | SourceValue():
            return
        case ast.Name(id="source"), _:
            message = f"'{argument.arg}' is a seed that is known: the noise can be subtracted"
            raise context.error(node, Refusal.KNOWN_SEED, message)
        case ast.Name(id="float" | "int" | "bool" as name), _:
            kind = shapes.describe_value(value)
            message = f"'{argument.arg}' of '{function.name}' is {kind}, not {_TYPES[name]}"
            with context.inside(function.module, node):
                raise context.error(argument, Refusal.WRONG_TYPE, message)


_TYPES = {"float": "a number", "int": "an integer", "bool": "a truth value"}


def _stands(context: Context, scope: Scope, value: Value) -> bool:
    """Whether a value can stand for itself in the body, where no assignment changes it."""
    assert scope.function is not None
    if scope.function.module.stub is None:
        return _is_fixed(context, value)
    if any(isinstance(part, ast.GeneratorExp) for part in ast.walk(scope.function.node)):
        return _is_fixed(context, value)  # what it gives may be evaluated later
    limit = arrays.MAX_ENTRY if ENTRYWISE in scope.function.marks else builders.SMALL
    return all(
        builders.is_small(part, limit) and not _may_change(context, part)
        for part in flattening.expressions(value)
    )


def _may_change(context: Context, expression: ir.Expression) -> bool:
    """Whether it could change while a function runs: a list, an attribute of an object, a draw."""
    for part in ir.subexpressions(expression):
        match part:
            case ir.Element(source=name) | ir.Length(sequence=name):
                if name not in context.parameters and not arrays.is_frozen(context, name):
                    return True
            case ir.Variable(name) if name in context.unnamed_draws:
                return True
            case ir.Variable(name) if name.partition(".")[0] in context.places:
                return True
    return False


def _is_fixed(context: Context, value: Value) -> bool:
    """Whether a value can stand for itself: no assignment changes it."""
    match value:
        case NoneValue() | LabelValue(code=ir.Constant(), none=builders.FALSE):
            return True
        case ScalarValue(expression):
            return isinstance(expression, ir.Constant | ir.Variable | ir.Length) and context.is_fixed(
                expression
            )
        case _:
            return False


def _run(context: Context, node: ast.expr, scope: Scope, source: Source | None = None) -> Value:
    """Emit the body and give its result."""
    assert scope.function is not None and scope.label is not None
    outer, context.scope = context.scope, scope
    try:
        with (
            context.nested(_runs_through(scope.function)) as body,
            context.inside(scope.function.module, node, source),
            uniforms.joined(context),
        ):
            scope.body = body
            context.execute(context, scope.function.node.body)
            if not scope.returns_last and runs_on(body):
                give_back(context, node, NoneValue())
        context.body.extend(finish_block(scope.label, body))
        if scope.returns_last or scope.result is not None or scope.yielded is not None:
            return scope.result if scope.result is not None else NoneValue()
        return context.read(f"{scope.prefix}return", node, f"{scope.function.name}()")
    finally:
        context.scope = outer


def give_back(context: Context, node: ast.expr | ast.stmt, value: Value) -> None:
    """Return a value from the inlined function; that of the only return that is read stands for itself."""
    scope = context.scope
    assert scope.label is not None
    if scope.returns_last:
        scope.result = value
        return
    if context.body is scope.body and not scope.several:
        scope.result = value
        context.exit(scope.label, node)
        return
    scope.several = True
    result = f"{scope.prefix}return"
    if isinstance(value, ArrayValue):
        array_names.give_back(context, result, value, node)
    else:
        store.move(context, store.store(context, result, value, node, "the result", passing=True), node)
    context.exit(scope.label, node)


def note_captured(context: Context, node: ast.Return, value: Value) -> None:
    """Lists that a returned function uses have another name there.  Raises ProgramError for arrays."""
    if not isinstance(value, FunctionValue) or value.free is None:
        return
    scope, (bindings, renamed) = context.scope, value.free()
    for name in (*bindings, *renamed):
        used = scope.given.get(name, bindings.get(name, NoneValue()))
        for owner in _lists_of(used):
            if isinstance(used, ArrayValue | MatrixValue) and not owner.startswith(scope.prefix):
                message = f"a function that is returned uses the array '{name}': use copy()"
                raise context.error(node, Refusal.ALIASING, message)
            context.shared.setdefault(owner, context.source.place(node))


def is_unpacked(context: Context, returned: ast.Tuple) -> bool:
    """Whether what a function's only return gives is unpacked at once into as many targets, or dropped."""
    call, number = context.unpacked
    starred = any(isinstance(item, ast.Starred) for item in returned.elts)
    here = context.scope.returns_last and context.scope.path[-1:] == (call,)
    return here and number in (None, len(returned.elts)) and not starred


def _made_before(context: Context, scope: Scope, value: Value, start: int) -> set[str]:
    """Lists in what a call gives that are variables around the function, and were made before it began."""
    within = [f"%%{n}." for path, n in context.inlinings.items() if path[: len(scope.path)] == scope.path]
    before = frozenset(context.changed_lists[:start]).intersection(layout.lists_in(value))
    return {name for name in before if not any(part in name for part in within)}


def _is_given_away(context: Context, owner: str, prefix: str | None) -> bool:
    """Whether an array of a function belongs to the caller behind it: no attribute is this array, too."""
    return prefix is not None and owner.startswith(prefix) and owner not in context.shared


def _owned(context: Context, value: Value, known: set[str], prefix: str | None) -> Value:
    """Lists that the function made, and wasn't given, belong to whoever called it.

    Not those that a tuple has twice; an array of a tuple may be in it twice, so it stays the function's.
    """
    match value:
        case ListValue(name):
            kept = name in context.shared or name.partition(".")[0] in context.places
            return ListValue(name, fresh=name not in known and not kept)
        case ArrayValue(owner=owner) if _is_given_away(context, owner, prefix):
            return replace(value, owner="")
        case MatrixValue(flat=ArrayValue(owner=owner)) if _is_given_away(context, owner, prefix):
            return replace(value, flat=replace(value.flat, owner=""))
        case NamedTupleValue(items, kind):
            return NamedTupleValue(tuple(_owned(context, item, known, None) for item in items), kind)
        case TupleValue(items):
            return replace(value, items=tuple(_owned(context, item, known, None) for item in items))
        case _:
            return value
