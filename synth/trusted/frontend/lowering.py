"""Lowering of a whole mechanism: passes until all types are known, then the final touches."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    argument_changes,
    array_names,
    arrays,
    asked_counts,
    caught,
    chosen_limits,
    counted_lists,
    definite_attributes,
    expressions,
    idle_statements,
    logarithms,
    null_divisors,
    output,
    prints,
    privacy,
    proportions,
    published_prints,
    raising,
    restated_loops,
    specification,
    statements,
    store,
    tallies,
    wheels,
    yielding,
)
from synth.trusted.frontend.checks import obstacles
from synth.trusted.frontend.classes import Kind
from synth.trusted.frontend.context import COPY, Context, Scope
from synth.trusted.frontend.counted_dicts import counting
from synth.trusted.frontend.declaration import Declaration
from synth.trusted.frontend.inference import MAX_PASSES, Inference
from synth.trusted.frontend.inlining import note_models
from synth.trusted.frontend.layout import sorts
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.obstacles import ObstructedError
from synth.trusted.frontend.parameters import Declared
from synth.trusted.frontend.records import inside
from synth.trusted.frontend.values import (
    UNSET,
    DataValue,
    LabelValue,
    NamedTupleValue,
    NoneValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import runs_on
from synth.trusted.program.numbering import renumber

_COPIED = ScalarValue | LabelValue | NoneValue | SourceValue | TupleValue
"""Parameters that are copied to a local variable where they are assigned."""


@dataclass(frozen=True)
class Lowered:
    """The body of a mechanism with its local variables, and what it asserts first."""

    body: tuple[ir.Statement, ...]
    variables: dict[str, ir.Sort]
    lists: dict[str, ir.ListType]
    output: ir.Layout
    shown: tuple[int, ...] = ()
    preconditions: tuple[ir.Assume, ...] = ()
    models: tuple[ir.Model, ...] = ()


@dataclass(frozen=True)
class Published:
    """The places of raises, and of what is shown, that are outputs."""

    raises: frozenset[ir.Span] = frozenset()
    prints: frozenset[ir.Span] = frozenset()


NOTHING = Published()


def lower(module: Module, function: Function, declaration: Declaration) -> Lowered:
    """Lower the body of a mechanism.  Raises ObstructedError, and ProgramError for a program too large."""
    function = _with_lists(function, declaration.displays)
    function = chosen_limits.merged(module, yielding.as_list(module, function))
    if not caught.has_try(function.node):  # what is marked there would be lost
        function = tallies.by_cell(module, function)
        function = counting(asked_counts.with_lists(module, function))
        function = restated_loops.restated(module, function)
    lowered = _lower(module, function, declaration)
    if not lowered.preconditions:
        return lowered
    known = builders.both(declaration.requires, *(item.condition for item in lowered.preconditions))
    return _lower(module, function, replace(declaration, requires=known))


def _with_lists(function: Function, displays: Mapping[str, ast.List]) -> Function:
    """The function that makes a new list for each parameter that is fixed to be one, before anything else."""
    if not displays:
        return function
    given = function.node.args
    kept = copy(given)
    for part in ("posonlyargs", "args", "kwonlyargs"):
        setattr(kept, part, [argument for argument in getattr(given, part) if argument.arg not in displays])
    kept.defaults, kept.kw_defaults = [], [None] * len(kept.kwonlyargs)
    made: list[ast.stmt] = [
        ast.Assign([ast.Name(name, ast.Store())], display) for name, display in displays.items()
    ]
    node = copy(function.node)
    node.args, node.body = kept, [*made, *function.node.body]
    for item in (item for statement in made for item in ast.walk(statement)):
        if isinstance(item, ast.stmt | ast.expr):
            ast.copy_location(item, function.node)
    assigned = Counter(function.assigned)
    assigned.update(displays.keys())
    return replace(function, node=node, assigned=assigned)


def _lower(
    module: Module,
    function: Function,
    declaration: Declaration,
    published: Published = NOTHING,
    walks: bool = False,
) -> Lowered:
    """Lower the body; what asks for the place of a uniform draw is read where nothing else is."""
    pairs = list(obstacles(module, function))
    lacking = frozenset(node for node, _ in pairs)
    found = [*module.hindrances, *(error for _, error in pairs)]
    inference = Inference(uses_numpy=bool(declaration.arrays), mixes=bool(declaration.unions), walks=walks)
    inlinings: dict[tuple[ast.expr, ...], int] = {}
    for _ in range(MAX_PASSES):
        context = _context(module, function, declaration, inference, inlinings)
        context.lacking, context.obstacles = lacking, found
        context.published_raises, context.published_prints = published.raises, published.prints
        _run(context, function)
        if not inference.advance():
            if found and context.uniform and not walks:
                try:
                    return _lower(module, function, declaration, published, walks=True)
                except ProgramError as error:
                    found = [replace(item, message=f"{item.message}; {error.message}") for item in found]
                except ObstructedError:
                    pass
            if found:
                raise ObstructedError(found)
            return _finish(context, function, declaration)
    message = "the types of the variables can't be inferred"
    raise ObstructedError([*found, module.source.error(function.node, Refusal.TYPE_UNKNOWN, message)])


def _context(
    module: Module,
    function: Function,
    declaration: Declaration,
    inference: Inference,
    inlinings: dict[tuple[ast.expr, ...], int],
) -> Context:
    known = frozenset(item.name for item in declaration.parameters)
    bindings = {p.name: _binding(p, p.name in declaration.arrays) for p in declaration.parameters}
    for name, domain in declaration.domains.items():
        value = bindings.get(name)
        if isinstance(value, ScalarValue):
            bindings[name] = ScalarValue(inside(value.expression, domain))
    for name, kind in declaration.kinds.items():
        value = bindings[name]
        assert isinstance(value, ScalarValue)
        bindings[name] = LabelValue(kind, value.expression)
    bindings |= specification.tuples(declaration.parameters)
    stated = _stated(builders.conjuncts(declaration.requires))
    bindings |= {item.name: _object(item, bindings, stated) for item in declaration.objects}
    bindings |= declaration.fixed
    bindings |= {
        name: _of_list(value, name in declaration.arrays) for name, value in declaration.lists.items()
    }
    return Context(
        module,
        module.source,
        inference,
        Scope(function, bindings=bindings),
        expressions.evaluate,
        statements.execute,
        inlinings=inlinings,
        given={
            name: value
            for name, value in bindings.items()
            if name not in declaration.fixed.keys() | declaration.unions
        },
        parameters=known,
        public_parameters=frozenset(item.name for item in declaration.parameters if item.metric is None),
        labels=declaration.codes,
        facts=builders.conjuncts(declaration.requires),
    )


def _binding(parameter: ir.Parameter, array: bool) -> Value:
    if array:
        return replace(arrays.of_parameter(parameter), owner=parameter.name)
    if parameter.kind is ir.ParameterKind.SCALAR:
        return ScalarValue(ir.Variable(parameter.name, parameter.sort))
    return ParameterValue(parameter)


def _stated(facts: Iterable[ir.Expression]) -> dict[str, ir.Constant]:
    """The parameters of which the precondition says what number they are."""
    found = {}
    for fact in facts:
        match fact:
            case ir.Operation(ir.Operator.EQUAL, (ir.Variable(name), ir.Constant() as number)):
                found[name] = number
            case ir.Operation(ir.Operator.EQUAL, (ir.Constant() as number, ir.Variable(name))):
                found[name] = number
            case ir.Variable(name):
                found[name] = builders.TRUE
            case ir.Operation(ir.Operator.NOT, (ir.Variable(name),)):
                found[name] = builders.FALSE
    return found


def _object(item: Declared, bindings: Mapping[str, Value], stated: Mapping[str, ir.Constant]) -> Value:
    """The object that a parameter is; nothing changes it, so its fields are what is stated of them."""
    parts = [bindings[column.name] for column in item.columns]
    for place, column in enumerate(item.columns):
        number = stated.get(column.name)
        match parts[place]:
            case ScalarValue() if number is not None:
                parts[place] = ScalarValue(number)
            case LabelValue(kind) if number is not None:
                parts[place] = LabelValue(kind, number)
    assert item.named is not None
    made = NamedTupleValue if item.named.kind is Kind.TUPLE else DataValue
    return made(tuple(parts), item.named)


def _of_list(value: RecordsValue, array: bool) -> Value:
    made = arrays.of_records(value) if array else None
    return value if made is None else replace(made, owner=value.name)


def _run(context: Context, function: Function) -> None:
    note_models(context, function)
    published_prints.begin(context, function.node)
    _copy_reassigned(context, function)
    array_names.copy_parameters(context, function)
    context.execute(context, function.node.body)
    if runs_on(context.body) and not context.obstacles:
        try:
            output.give_out(context, context.source.span(function.node), NoneValue())
        except ProgramError as error:
            context.hinder(error)


def _copy_reassigned(context: Context, function: Function) -> None:
    """Parameters that the body assigns become local variables."""
    scope = context.scope
    for name, value in list(scope.bindings.items()):
        if name in function.assigned and isinstance(value, _COPIED):
            local = f"{name}{COPY}"
            span = context.source.span(function.node)
            for flat, scalar in store.store(context, local, value, function.node, name):
                context.emit(ir.Assign(flat, scalar, span))
            del scope.bindings[name]
            scope.renamed[name] = local


def _finish(context: Context, function: Function, declaration: Declaration) -> Lowered:
    """What a domain of private data excludes has to be shown: raises, and assertions that don't hold.

    Without a domain, what is raised is an output where more than public data decide it.
    """
    parameters = declaration.parameters
    within = any(item.metric is not None and item.name in declaration.domains for item in parameters)
    if context.unresolved:
        raise ObstructedError(context.unresolved[:1])
    body = proportions.with_public_sums(tuple(context.body), declaration.requires)
    privacy.note_assertions(context, body)
    if context.inference.walks:
        body = wheels.placed(context, body, declaration.requires)
    private = {parameter.name for parameter in parameters if parameter.metric is not None}
    asserted = privacy.private_assertions(context, parameters, body) if within else frozenset()
    misplaced = list(privacy.misplaced(context, parameters, body, asserted))
    if misplaced:
        raise ObstructedError(misplaced)
    body = raising.obliged(body, asserted, "an assertion about private data")
    undecided = list(raising.undecided(body, private, context.raises))
    message = "private data or noise decide whether this is raised"
    if undecided and not within and not yielding.is_list_of(function):
        return _lower(
            context.module,
            function,
            declaration,
            Published(frozenset(undecided) | context.published_raises, context.published_prints),
            context.inference.walks,
        )
    printed = prints.undecided(body, private, context.prints)
    if printed:
        return _with_prints(context, function, declaration, printed)
    if context.shown:
        unsure = dict(published_prints.unsure(context, body, private))
        if unsure:
            places = unsure.items()
            raise ObstructedError(context.error(span, Refusal.PRIVATE_PRINT, why) for span, why in places)
    body = raising.obliged(raising.asserted(prints.dropped(body, context.prints)), undecided, message)
    _check_output(context, body)
    _check_objects(context, body)
    public = {parameter.name for parameter in parameters} - private
    lengths = {parameter.name for parameter in parameters if parameter.kind is ir.ParameterKind.SEQUENCE}
    known = raising.preconditions(body, public | lengths)
    body = raising.without(body, known)
    _check_given(context, function, declaration, body)
    yielding.check_ends(context.module, function, body)
    body = raising.with_ends(body, _end(context))
    body = proportions.simplified(logarithms.simplified(body, context.parameters), declaration.requires)
    scored = logarithms.scored(body, context.parameters)
    if scored != body:
        body = proportions.simplified(scored, declaration.requires)
    body = counted_lists.counted(idle_statements.without_idle(null_divisors.without_null(body)))
    lists = {
        statement.target: ir.ListType(sorts(context.inference.entries(statement.target)))
        for statement in ir.statements(body)
        if isinstance(statement, ir.NewList)
    }
    variables = dict(_variables(context, body))
    models = tuple(context.models[name] for name in sorted(context.models))
    shown = published_prints.lines(context.published_prints)
    return Lowered(renumber(body), variables, lists, output.layout_of(context), shown, known, models)


def _with_prints(
    context: Context, function: Function, declaration: Declaration, printed: Sequence[ir.Span]
) -> Lowered:
    """Lower the body so that all that is shown is an output: the order tells, too, what public data show.

    Raises ObstructedError.
    """
    private = [context.error(span, Refusal.PRIVATE_PRINT, prints.MESSAGE) for span in printed]
    if yielding.is_list_of(function):
        raise ObstructedError(private)
    published = Published(context.published_raises, context.published_prints | context.prints.keys())
    try:
        return _lower(context.module, function, declaration, published, context.inference.walks)
    except ObstructedError as error:
        forms = [item for item in error.errors if item.code is Refusal.PRIVATE_PRINT]
        raise ObstructedError(forms or [*private, *error.errors]) from None


def _check_given(
    context: Context, function: Function, declaration: Declaration, body: tuple[ir.Statement, ...]
) -> None:
    """Refuse a list or array that is given and changed where a run may end without giving it back."""
    ends = any(isinstance(item, ir.Assume) for item in ir.statements(body))
    may_raise = ends or bool(context.published_raises)
    argument_changes.check(context.module, function, declaration.arrays, may_raise)
    for name, display in declaration.displays.items():
        statements = ir.statements(tuple(context.body))
        argument_changes.check_new(function, context.source, name, len(display.elts), statements)
    lists = {name for name, value in context.given.items() if _is_list(value)}
    for name, loop in context.changed_given.items():
        argument_changes.check_alone(function, context.source, loop, name, lists)
        if may_raise:
            message = f"a run may raise, and who calls '{function.name}' sees what is written into '{name}'"
            raise context.error(loop, Refusal.ALIASING, message)


def _is_list(value: Value) -> bool:
    match value:
        case ParameterValue(parameter):
            return parameter.kind is ir.ParameterKind.SEQUENCE
        case _:
            return isinstance(value, RecordsValue)


def _check_objects(context: Context, body: tuple[ir.Statement, ...]) -> None:
    found = [
        context.error(span, Refusal.NOT_ASSIGNED, f"{_shown(name)} may be used before it is assigned")
        for name, span in definite_attributes.unassigned(body, {*context.places, UNSET})
    ]
    message = "a list that is an attribute, too, is made anew: 'xs = xs + […]' makes another list in Python"
    again = dict(definite_attributes.remade(body, context.shared, context.emptied))
    again |= {
        name: context.source.place(context.shared[name]) for name in context.rebuilt & context.shared.keys()
    }
    found += (context.error(span, Refusal.ALIASING, message) for span in again.values())
    if found:
        raise ObstructedError(found)


def _shown(name: str) -> str:
    """An attribute's name, without the number of its object."""
    place, _, rest = name.partition(".")
    if place == UNSET:
        return "an entry of numpy.empty"
    return f"attribute '{place.partition('%')[0].rstrip('_')}.{rest}'"


def _check_output(context: Context, body: tuple[ir.Statement, ...]) -> None:
    if context.raises and not any(isinstance(item, ir.Return) for item in ir.statements(body)):
        place = next(iter(context.raises))
        raise context.error(place, Refusal.UNSUPPORTED_OUTPUT, "no run returns: all of them raise")


def _end(context: Context) -> tuple[ir.Statement, ...]:
    """A return that no run comes to."""
    with context.nested() as end:
        output.give_nothing(context, ir.Span(1, 1))
    return tuple(end)


def _variables(context: Context, body: tuple[ir.Statement, ...]) -> Iterator[tuple[str, ir.Sort]]:
    found: dict[str, ir.Sort] = {}
    for statement in ir.statements(body):
        match statement:
            case ir.Assign(target=target, value=value):
                sort = value.sort
            case ir.Draw(target=target, sort=sort) | ir.Choose(target=target, sort=sort):
                pass
            case _:
                continue
        if found.setdefault(target, sort) is not sort:
            raise ProgramError(
                f"internal error: '{target}' has two sorts", context.source.path, code=Refusal.READER_DEFECT
            )
    return iter(found.items())
