"""What runs in any case assigns each variable once, so that it never changes.

An assignment of what the variable holds already is left out: ``self.d = d`` in ``__init__``, and once more in
a method that this calls, are such.  So are entries of a list that is emptied before anything reads them.  A
variable that gets one value after the other (``eps = eps / 2``) becomes several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeGuard

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    NO_EXITS,
    Analysis,
    Body,
    assigned,
    changed,
    expressions,
    length_name,
    names,
    target,
    with_blocks,
)
from synth.trusted.program.substitution import replaced


def once(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, without such assignments among the statements that run in any case."""
    held: dict[str, ir.Expression] = {}
    body: list[ir.Statement] = []
    for statement in mechanism.body:
        if isinstance(statement, ir.Assign) and held.get(statement.target) == statement.value:
            continue
        changed = assigned((statement,))
        held = {name: value for name, value in held.items() if not changed & {name, *names(value)}}
        if isinstance(statement, ir.Assign) and _is_of_scalars(statement):
            held[statement.target] = statement.value
        body.append(statement)
    return replace(mechanism, body=tuple(body))


def without_lost_entries(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, without what lists get before they are emptied, if nothing reads it."""
    body = mechanism.body
    result: list[Body] = [(item,) for item in body]
    for first, statement in enumerate(body):
        if not isinstance(statement, ir.NewList):
            continue
        name, behind = statement.target, range(first + 1, len(body))
        end = next((place for place in behind if _empties(body[place], name)), first)
        if end > first and not _may_read(body[first + 1 : end], name):
            result[first:end] = (_without(part, name) for part in result[first:end])
    return replace(mechanism, body=tuple(item for part in result for item in part))


def _empties(statement: ir.Statement, name: str) -> bool:
    return isinstance(statement, ir.NewList) and statement.target == name


def _may_read(body: Body, name: str) -> bool:
    """Whether a body may read a list, or end the run."""
    return any(
        isinstance(item, ir.Return) or any(length_name(name) in names(value) for value in expressions(item))
        for item in ir.statements(body)
    )


def _without(body: Body, name: str) -> Body:
    """The body without what makes a list."""
    return tuple(
        with_blocks(item, lambda inner: _without(inner, name))
        for item in body
        if not (isinstance(item, ir.NewList | ir.Append) and item.target == name)
    )


def apart(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with a variable for each value that is assigned in any case to one variable.

    One-sided noise is assigned like what is computed: two draws of it may make two-sided noise.  In a
    mechanism with draws of finitely many values also branches may assign it, and such draws; and what only
    branches assign, and read, has a variable for each branch.
    """
    within = _within_branches(mechanism)
    often = _often(mechanism) | _often_decided(mechanism)
    if not often | within:
        return mechanism
    variables = dict(mechanism.variables)
    now: dict[str, ir.Variable] = {}

    def renamed(body: Body) -> Body:
        return tuple(map(one, body))

    def one(statement: ir.Statement) -> ir.Statement:
        statement = changed(statement, lambda value: replaced(value, now), renamed)
        if isinstance(statement, ir.Assign | ir.Choose) and statement.target in now:
            return replace(statement, target=now[statement.target].name)
        return statement

    def begin(name: str) -> None:
        now[name] = ir.Variable(f"{name}%new{len(variables)}", variables[name])
        variables[now[name].name] = variables[name]

    result: list[ir.Statement] = []
    for statement in mechanism.body:
        if isinstance(statement, ir.Assign | ir.Choose | ir.Draw) and statement.target in often:
            name = statement.target
            (statement,) = renamed((replace(statement, target=""),))
            begin(name)
            assert isinstance(statement, ir.Assign | ir.Choose | ir.Draw)
            result.append(replace(statement, target=now[name].name))
        else:
            for name in sorted(within & assigned((statement,))):
                begin(name)
            result.append(one(statement))
    return replace(mechanism, body=tuple(result), variables=variables)


def apart_inside(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same of what one body alone mentions, of a loop for instance, and assigns before it reads."""
    uses = _uses(mechanism.body)
    variables = dict(mechanism.variables)

    def inside(body: Body) -> Body:
        body = tuple(with_blocks(item, inside) for item in body)
        own, assignments = _uses(body), Counter(map(target, ir.statements(body)))
        direct = Counter(item.target for item in body if isinstance(item, ir.Assign))
        often = {
            name
            for name, times in direct.items()
            if times > 1 and times == assignments[name] and own[name] == uses[name] and _begins(body, name)
        }
        return renamed(body, often) if often else body

    def renamed(body: Body, often: set[str]) -> Body:
        now: dict[str, ir.Variable] = {}

        def read(inner: Body) -> Body:
            return tuple(changed(item, lambda value: replaced(value, now), read) for item in inner)

        result: list[ir.Statement] = []
        for item in body:
            (item,) = read((item,))
            if isinstance(item, ir.Assign) and item.target in often:
                new = ir.Variable(f"{item.target}%new{len(variables)}", variables[item.target])
                now[item.target], variables[new.name] = new, new.sort
                item = replace(item, target=new.name)
            result.append(item)
        return tuple(result)

    body = tuple(with_blocks(item, inside) for item in mechanism.body)
    return replace(mechanism, body=body, variables=variables)


def apart_on_sides(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same of what the two sides of one branch alone mention, and each assigns before it reads."""
    uses = _uses(mechanism.body)
    variables = dict(mechanism.variables)

    def inside(body: Body) -> Body:
        return tuple(with_blocks(side(item) if isinstance(item, ir.If) else item, inside) for item in body)

    def side(branch: ir.If) -> ir.If:
        first, second = _uses(branch.then), _uses(branch.otherwise)
        new: dict[str, ir.Variable] = {}
        for name in sorted(first.keys() & second.keys() & variables.keys()):
            alone = first[name] + second[name] == uses[name]
            if alone and _begins_each(branch.then, name) and _begins_each(branch.otherwise, name):
                new[name] = ir.Variable(f"{name}%new{len(variables)}", variables[name])
                variables[new[name].name] = variables[name]
                uses[name], uses[new[name].name] = first[name], second[name]
        return replace(branch, otherwise=_renamed(branch.otherwise, new)) if new else branch

    body = inside(mechanism.body)
    return replace(mechanism, body=body, variables=variables)


def _renamed(body: Body, new: Mapping[str, ir.Variable]) -> Body:
    def one(item: ir.Statement) -> ir.Statement:
        item = changed(item, lambda value: replaced(value, new), lambda inner: _renamed(inner, new))
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose) and item.target in new:
            return replace(item, target=new[item.target].name)
        return item

    return tuple(map(one, body))


def _begins_each(body: Body, name: str) -> bool:
    """Whether each way through a body that mentions a variable first assigns it."""
    mentioned = [item for item in body if _uses((item,))[name]]
    match mentioned:
        case []:
            return True
        case [ir.Assign(target=assigned_first, value=value), *_]:
            return assigned_first == name and name not in names(value)
        case [ir.If(condition=condition, then=then, otherwise=otherwise)]:
            return name not in names(condition) and all(
                _begins_each(part, name) for part in (then, otherwise)
            )
        case _:
            return False


def apart_from_noise(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, in which noise that is changed later, ``if w < 1: w = 1``, keeps its own name.

    What it is changed to is a number of its own: of parts of the program one may publish it.
    """
    variables = dict(mechanism.variables)
    now: dict[str, ir.Variable] = {}

    def read(body: Body) -> Body:
        return tuple(changed(item, lambda value: replaced(value, now), read) for item in body)

    noise, result = _noise_changed_in_turn(mechanism.body), []
    for statement in mechanism.body:
        change = _change(statement)
        (renamed,) = read((statement,))
        if change is None or change.target not in noise:
            result.append(renamed)
            continue
        value = replaced(change.value, now)
        new = ir.Variable(f"{change.target}%new{len(variables)}", variables[change.target])
        now[change.target], variables[new.name] = new, new.sort
        result.append(replace(change, target=new.name, value=value))
    return replace(mechanism, body=tuple(result), variables=variables) if now else mechanism


def _noise_changed_in_turn(body: Body) -> set[str]:
    """Variables that are drawn once, outside of loops and branches, and then are changed there alone."""
    everywhere = Counter(target(item) for item in ir.statements(body))
    changes: Counter[str] = Counter()
    drawn: set[str] = set()
    for statement in body:
        change = _change(statement)
        if isinstance(statement, ir.Draw):
            drawn.add(statement.target)
        elif change is not None and change.target in drawn:
            changes[change.target] += len(_assigning(statement))
    return {name for name, times in changes.items() if times == everywhere[name] - 1}


def _change(statement: ir.Statement) -> ir.Assign | None:
    """What a statement assigns that does nothing else; a branch chooses between values."""
    match statement:
        case ir.Assign():
            found = statement
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            sides = [[item for item in side if isinstance(item, ir.Assign)] for side in (then, otherwise)]
            targets = {item.target: item.value.sort for side in sides for item in side}
            plain = [len(side) for side in sides] == [len(then), len(otherwise)]
            if not plain or len(targets) != 1 or max(map(len, sides)) > 1:
                return None
            ((name, sort),) = targets.items()
            chosen = [side[0].value if side else ir.Variable(name, sort) for side in sides]
            value = ir.Operation(ir.Operator.IF, (condition, *chosen), sort)
            found = ir.Assign(name, value, statement.span)
        case _:
            return None
    parts = ir.subexpressions(found.value)
    known = (ir.Variable, ir.Constant, ir.Operation)
    return found if all(isinstance(part, known) for part in parts) else None


def _assigning(statement: ir.Statement) -> list[ir.Statement]:
    return [item for item in ir.statements((statement,)) if isinstance(item, ir.Assign)]


def _uses(body: Body) -> Counter[str]:
    """How many statements mention a variable."""
    return Counter(
        name
        for item in ir.statements(body)
        for name in {target(item), *(name for value in expressions(item) for name in names(value))}
        if name is not None
    )


def _begins(body: Body, name: str) -> bool:
    """Whether the first statement that mentions a variable only assigns it."""
    first = next(item for item in body if _uses((item,))[name])
    return isinstance(first, ir.Assign) and name not in names(first.value)


def _often(mechanism: ir.Mechanism) -> set[str]:
    """Variables that are assigned several times, each time by a statement that runs in any case."""
    everywhere = Counter(name for item in ir.statements(mechanism.body) if (name := target(item)) is not None)
    outside = Counter(
        item.target for item in mechanism.body if isinstance(item, ir.Assign) or _is_one_sided(item)
    )
    return {name for name, times in outside.items() if times > 1 and times == everywhere[name]}


def has_repeated_draws(mechanism: ir.Mechanism) -> bool:
    """Whether a variable gets one-sided noise several times, each time in any case."""
    often = _often(mechanism)
    return any(_is_one_sided(item) and item.target in often for item in mechanism.body)


def _is_one_sided(statement: ir.Statement) -> TypeGuard[ir.Draw]:
    return isinstance(statement, ir.Draw) and statement.distribution == "exponential"


def _often_decided(mechanism: ir.Mechanism) -> set[str]:
    """Variables that get several values outside of loops, none of them noise, where such draws may decide."""
    outside = Counter(item.target for item in mechanism.body if isinstance(item, ir.Assign | ir.Choose))
    return {name for name, times in outside.items() if times > 1} & _decided(mechanism)


def _within_branches(mechanism: ir.Mechanism) -> set[str]:
    """Variables that several branches assign, where none needs the value from before it."""
    live = Analysis(mechanism).live_before
    read = {name for item in mechanism.body for name in live((item,), frozenset(), NO_EXITS)}
    branches = Counter(
        name for item in mechanism.body if isinstance(item, ir.If) for name in assigned((item,))
    )
    outside = {name for item in mechanism.body if (name := target(item)) is not None}
    return {name for name, times in branches.items() if times > 1} & _decided(mechanism) - read - outside


def _decided(mechanism: ir.Mechanism) -> set[str]:
    """Variables that no loop assigns, nor noise, in a mechanism with draws of finitely many values."""
    everything = list(ir.statements(mechanism.body))
    if not any(isinstance(item, ir.Choose) for item in everything):
        return set()
    looped = {name for item in everything if isinstance(item, ir.Loop) for name in assigned(item.body)}
    scalars = {item.target for item in everything if isinstance(item, ir.Assign | ir.Choose)}
    return scalars - looped - {item.target for item in everything if isinstance(item, ir.Draw)}


def _is_of_scalars(statement: ir.Assign) -> bool:
    """Whether the value is made of variables and numbers, and not of the variable itself."""
    known = (ir.Variable, ir.Constant, ir.Operation)
    parts = ir.subexpressions(statement.value)
    return statement.target not in names(statement.value) and all(isinstance(part, known) for part in parts)
