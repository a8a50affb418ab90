"""Statements: from Python's syntax to the typed program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    array_changes,
    array_types,
    array_updates,
    blocks,
    branching,
    caught,
    closures,
    constant_names,
    constructs,
    dicts,
    element_loops,
    entrywise,
    expressions,
    fixed_lists,
    flattening,
    inlining,
    items,
    lists,
    loops,
    matrices,
    members,
    objects,
    output,
    prints,
    raised,
    shapes,
    sources,
    store,
    targets,
    uniforms,
    values,
    vectors,
    vocabulary,
)
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.scoping import captured
from synth.trusted.frontend.values import ListValue, NoneValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import runs_on


def execute(context: Context, body: list[ast.stmt]) -> None:
    """Emit the statements; those that control never reaches are left out."""
    for node in body:
        if not runs_on(context.body):
            return
        handler = _examine if _is_lacking(context, node) else _HANDLERS.get(type(node), _refuse)
        try:
            with caught.inside(context, node):
                handler(context, node)
        except UnresolvedError as unresolved:
            # The statement is left out in this pass; the next one knows more.
            context.unresolved.append(unresolved.error)
            for part in _own_parts(node):
                unknown = expressions.unknown_function(context, part)
                if unknown is not None:
                    context.hinder(unknown)
        except ProgramError as error:
            context.hinder(error)


def _skip(context: Context, node: ast.stmt) -> None:
    pass


def _refuse(context: Context, node: ast.stmt) -> None:
    raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "this statement is not supported")


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement and its parts, without the statements inside of it."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += (child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt))


def _is_lacking(context: Context, node: ast.stmt) -> bool:
    """Whether a statement, without those inside of it, has something that the language lacks."""
    return any(part in context.lacking for part in _own_parts(node))


def _examine(context: Context, node: ast.stmt) -> None:
    """Look for obstacles in the statements inside of one that can't be read itself."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    context.scope.loops.append(("", ""))  # what they leave is not read either
    for part in (node, *getattr(node, "handlers", ())):
        for block in blocks.own(part):
            with context.nested():
                execute(context, block)
    context.scope.loops.pop()


def _assign(context: Context, node: ast.Assign) -> None:
    if _extension(context, node) or _to_fixed_list(context, node.targets, node.value):
        return
    if len(node.targets) == 1 and _to_attributes(context, node.targets[0], node.value):
        return
    if len(node.targets) == 1 and lists.made_in_place(context, node.targets[0], node.value):
        return
    if len(node.targets) == 1 and _to_results(context, node.targets[0], node.value):
        return
    value = context.expression(context, node.value)
    if len(node.targets) > 1 and isinstance(value, values.ArrayValue | values.MatrixValue):
        raise context.error(node, Refusal.ALIASING, "two names for an array are not supported: use copy()")
    one_name = values.ParameterValue | values.RecordsValue | values.ObjectValue | values.DictValue
    if len(node.targets) > 1 and not isinstance(value, one_name):
        if shapes.may_hold_list(value):
            kind = shapes.describe_value(value)
            raise context.error(node, Refusal.ALIASING, f"aliasing {kind} is not supported")
        if not all(map(context.is_fixed, flattening.expressions(value))):
            value = context.save(value, node)
    if any(isinstance(target, ast.Subscript) for target in node.targets):
        if len(node.targets) > 1:
            raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")
        items.assign(context, node, node.targets[0], value)
        return
    if len(node.targets) == 1 and constant_names.bind(context, node.targets[0], value):
        return
    for target in node.targets:
        named = lists.renewed(context, node, target, value) or lists.second_name(context, node, target, value)
        if not named:
            _assign_to(context, target, value)


def _assign_to(context: Context, target: ast.expr, value: Value) -> None:
    match target, value:
        case _, values.ObjectValue():
            objects.bind(context, target, value)
        case ast.Name(), values.DictValue():
            dicts.bind(context, target, value)
        case ast.Attribute(), _:
            objects.assign(context, target, value)
        case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), _) if _has_attribute(target):
            _assign_each(context, parts, targets.unpack(target, parts, value, context))
        case _:
            targets.assign(context, target, _for_target(context, target, value))


def _to_attributes(context: Context, target: ast.expr, value: ast.expr) -> bool:
    """``self.x, self.y = …``: one after the other, when all values are known."""
    match target, value:
        case ast.Tuple(elts=parts), (ast.Tuple(elts=given) | ast.List(elts=given)):
            if len(given) != len(parts) or not _has_attribute(target):
                return False
            _assign_each(context, parts, context.ordered(given))
            return True
        case _:
            return False


def _to_results(context: Context, target: ast.expr, value: ast.expr) -> bool:
    """``a, b = f(…)``, where the only return of f is of that many values: each may be whatever there is."""
    match target, value:
        case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), ast.Call()):
            with context.unpacking(value, len(parts)) as results:
                given = context.expression(context, value)
            if results:
                _assign_each(context, parts, results)
            else:
                _assign_to(context, target, given)
            return True
        case _:
            return False


def _has_attribute(target: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) for part in ast.walk(target)
    )


def _assign_each(context: Context, parts: list[ast.expr], items: Iterable[Value]) -> None:
    kept = [_kept(context, item, part) for item, part in zip(items, parts, strict=True)]
    for part, item in zip(parts, kept, strict=True):
        _assign_to(context, part, item)


def _kept(context: Context, value: Value, node: ast.expr) -> Value:
    """The value as it is now."""
    if all(map(context.is_fixed, flattening.expressions(value))):
        return value
    return context.save(value, node)


def _to_fixed_list(context: Context, targets: list[ast.expr], value: ast.expr) -> bool:
    match targets:
        case [ast.Name(id=name) as target] if fixed_lists.is_fixed_list(context, name):
            fixed_lists.assign(context, target, value)
            return True
    return False


def _for_target(context: Context, target: ast.expr, value: Value) -> Value:
    """The value; noise around a list that was just drawn goes to the variable itself."""
    if not (isinstance(target, ast.Name) and isinstance(value, ListValue)):
        return value
    return vectors.named(context, store.variable_name(context, target), value, target)


def _extension(context: Context, node: ast.Assign) -> bool:
    """``xs = xs + [...]``, which appends."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name) as target],
            value=ast.BinOp(left=ast.Name(id=other) as left, op=ast.Add(), right=right),
        ) if name == other:
            old = context.expression(context, left)
            if isinstance(old, ListValue):
                store.variable_name(context, target)
                context.rebuilt.add(old.name)
                lists.extend(context, name, old.name, right, ast.Assign)
                return True
    return False


def _annotated(context: Context, node: ast.AnnAssign) -> None:
    if isinstance(node.target, ast.Attribute):
        caught.check_unread(context, node, "an attribute's annotation")
    if not isinstance(node.target, ast.Name | ast.Attribute):
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")
    if node.value is not None and _to_fixed_list(context, [node.target], node.value):
        return
    if node.value is None or lists.made_in_place(context, node.target, node.value):
        return
    value = context.expression(context, node.value)
    if _is_float(node.annotation) and isinstance(value, values.ScalarValue):
        arithmetic.check_number(context, node.value, value.expression)
        if value.expression.sort is not ir.Sort.REAL:  # for Python it stays an integer
            context.inference.note_mixed()
        value = values.ScalarValue(builders.convert(value.expression, ir.Sort.REAL))
    if not lists.renewed(context, node, node.target, value):
        _assign_to(context, node.target, value)


def _is_float(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "float"


def _augmented(context: Context, node: ast.AugAssign) -> None:
    target = node.target
    match target:
        case ast.Subscript():
            items.augment(context, node, target)
            return
        case ast.Name(id=name):
            store.variable_name(context, target)
            loaded: ast.expr = ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Attribute(value=owner, attr=attr) if _is_quiet(context, owner):
            loaded = ast.copy_location(ast.Attribute(owner, attr, ast.Load()), target)
        case _:
            raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")
    old = context.expression(context, loaded)
    if isinstance(old, ListValue):
        if not isinstance(node.op, ast.Add):
            raise context.error(node, Refusal.UNSUPPORTED_LIST, "repeating a list is not supported")
        name_of_list = target.id if isinstance(target, ast.Name) else None
        lists.extend(context, name_of_list, old.name, node.value, ast.AugAssign)
        return
    lacking = constructs.of_arrays(node.op, "=")
    of_arrays = isinstance(old, values.ArrayValue | values.MatrixValue)
    if of_arrays and not isinstance(target, ast.Name):
        message = "an array that is an attribute is not changed in place: write self.x = self.x + ..."
        raise context.error(node, Refusal.ALIASING, message)
    if lacking is not None and not (of_arrays or _is_bit(old)):
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, lacking)
    value = _augmented_value(context, node, loaded)
    if isinstance(old, values.ArrayValue):
        array_types.check(context, target, old.entry)
        array_types.check_added(context, node, value)
        value = entrywise.in_place(context, node, old, value)
    if isinstance(old, values.MatrixValue) and isinstance(value, values.MatrixValue):
        array_types.check(context, target, old.flat.entry)
        array_types.check_added(context, node, value.flat)
        value = matrices.in_place(context, node, old, value)
    _assign_to(context, target, value)


def _is_bit(value: Value) -> bool:
    """Whether a value may be 0 or 1, or a truth value."""
    return isinstance(value, values.ScalarValue) and value.expression.sort is not ir.Sort.REAL


def _is_quiet(context: Context, node: ast.expr) -> bool:
    """Whether an expression emits nothing, so that it may be evaluated twice."""
    with context.nested() as emitted:
        context.expression(context, node)
    return not emitted


def _augmented_value(context: Context, node: ast.AugAssign, loaded: ast.expr) -> Value:
    # One node for all passes, since calls in it are known by their places in the tree.
    operation = context.module.augmented.get(node)
    if operation is None:
        operation = ast.copy_location(ast.BinOp(loaded, node.op, node.value), node)
        context.module.augmented[node] = operation
    return context.expression(context, operation)


def _if(context: Context, node: ast.If) -> None:
    unknown = len(context.unresolved) + len(context.obstacles)
    condition = condition_or_false(context, node.test)
    known = unknown == len(context.unresolved) + len(context.obstacles)
    if known and isinstance(condition, ir.Constant):
        context.decided.add(node)
        context.scope.decided.add(node)
        execute(context, node.body if condition == builders.TRUE else node.orelse)
        return
    context.decided.discard(node)
    context.scope.decided.discard(node)
    start = dict(context.intervals)
    with context.nested() as then, uniforms.known(context, condition, True):
        execute(context, node.body)
    with context.nested() as otherwise, uniforms.other_side(context, condition, False, start):
        execute(context, node.orelse)
    if then or otherwise:
        span = context.source.span(node)
        context.emit(ir.If(0, condition, tuple(then), tuple(otherwise), span))
    if not runs_on(then) and not node.orelse:
        uniforms.left_behind(context, condition, False)


def condition_or_false(context: Context, node: ast.expr) -> ir.Expression:
    """A condition; false in a pass that doesn't know its type yet, and behind an obstacle."""
    try:
        return branching.condition(context, node)
    except UnresolvedError as unresolved:
        context.unresolved.append(unresolved.error)
    except ProgramError as error:
        context.hinder(error)
    return builders.FALSE


def _while(context: Context, node: ast.While) -> None:
    loops.while_loop(context, node, condition_or_false)


def _break(context: Context, node: ast.Break) -> None:
    _leave(context, node, 0, "break")


def _continue(context: Context, node: ast.Continue) -> None:
    _leave(context, node, 1, "continue")


def _leave(context: Context, node: ast.stmt, place: int, word: str) -> None:
    if not context.scope.loops:
        raise context.error(node, Refusal.OUTSIDE_LOOP, f"'{word}' outside a loop")
    label = context.scope.loops[-1][place]
    if word == "break":
        element_loops.close(context, label, node)
    context.exit(label, node)


_ONE_BY_ONE = (
    values.ParameterValue,
    values.RecordsValue,
    values.ObjectValue,
    values.ClassValue,
    values.FunctionValue,
)
"""What is given to names and attributes, but is no part of a tuple."""


def _return(context: Context, node: ast.Return) -> None:
    if isinstance(node.value, ast.Tuple) and inlining.is_unpacked(context, node.value):
        items = context.ordered(node.value.elts)
        if any(isinstance(item, _ONE_BY_ONE) for item in items):
            for item in items:
                inlining.note_captured(context, node, item)
            context.results += items
            context.scope.result = NoneValue()
            return
        value: Value = values.TupleValue(tuple(items))
    elif isinstance(node.value, ast.Tuple) and context.scope.label is None:
        value = expressions.published(context, node.value)
    else:
        value = NoneValue() if node.value is None else context.expression(context, node.value)
    if context.scope.label is not None:
        inlining.note_captured(context, node, value)
        inlining.give_back(context, node, value)
    else:
        output.give_out(context, node, value)


def _assert(context: Context, node: ast.Assert) -> None:
    caught.check(context, node)
    condition = branching.condition(context, node.test)
    span = context.source.span(node.test)
    context.public.append((condition, span, Refusal.PRIVATE_ASSERTION, "private data in an assert statement"))
    context.emit(ir.Assume(condition, span))


def _raise(context: Context, node: ast.Raise) -> None:
    """What is raised says nothing where public data decide that the run has no output; else it is one."""
    raised.check(context, node)
    caught.check(context, node)
    span = context.source.span(node)
    if span in context.published_raises:
        output.give_raised(context, node)
        return
    context.raises[span] = None
    context.emit(ir.Assume(builders.FALSE, span))


def _expression(context: Context, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Call):
        with context.unpacking(node.value, None):
            _evaluated(context, node)
    else:
        _evaluated(context, node)


def _evaluated(context: Context, node: ast.Expr) -> None:
    match node.value:
        case ast.Constant(value=str()):
            return
        case ast.Yield() as given:
            inlining.give_on(context, given)
            return
        case ast.Call() as shown if prints.is_print(context, shown):
            prints.note(context, shown)
            return
        case ast.Call(func=ast.Attribute(value=ast.expr() as owner, attr=method)) as call:
            if is_local(context, call.func) or context.module.known(owner) is None:
                _method(context, call, owner, method)
                return
    if isinstance(node.value, ast.Call) and not is_local(context, node.value.func):
        function = context.module.called(node.value)
        if function is not None and vocabulary.IN_PLACE in function.marks:
            items.in_place(context, node.value, function)
            return
    context.expression(context, node.value)


def _method(context: Context, node: ast.Call, owner: ast.expr, method: str) -> None:
    assert isinstance(node.func, ast.Attribute)
    if members.is_special(context, node.func):
        members.call_special(context, node, node.func)
        return
    value = context.expression(context, owner)
    if isinstance(value, values.SourceValue) and method not in context.module.attributes:
        function = sources.method(context, node, value, method)
        if vocabulary.IN_PLACE in function.marks:
            items.in_place(context, node, function)
            return
    if isinstance(value, values.SourceValue) or members.held(context, value, method) is not None:
        expressions.method_of(context, node, node.func, value)
        return
    if members.call_on(context, node, value, method) is not None:
        return
    if isinstance(value, values.LoggerValue) and method in vocabulary.LEVELS:
        prints.note(context, node)
        return
    if isinstance(value, values.ArrayValue) and method in array_changes.METHODS:
        array_updates.by_method(context, node, owner, value, method)
        return
    if not isinstance(value, ListValue):
        kind = shapes.describe_value(value)
        raise context.error(
            node, Refusal.UNSUPPORTED_CALL, f"the method '{method}' of {kind} is not supported"
        )
    if method in items.CHANGES:
        items.change(context, node, owner, value.name, method)
        return
    if method == "extend":
        (argument,) = arguments.positional(context.source, node, "'extend'", 1, 1)
        lists.extend(context, owner.id if isinstance(owner, ast.Name) else None, value.name, argument)
        return
    if method != "append":
        raise context.error(node, Refusal.UNSUPPORTED_CALL, f"the list method '{method}' is not supported")
    if len(node.args) != 1 or node.keywords:
        raise context.error(node, Refusal.WRONG_CALL, "'append' takes 1 argument")
    entry = context.expression(context, node.args[0])
    if isinstance(entry, values.DictValue) and isinstance(node.args[0], ast.Dict):  # it has no other name
        entry = dicts.as_output(context, node, entry)
    store.append(context, value.name, lists.told(context, owner, value, entry), node)


def _delete(context: Context, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            _forget(context, target)
        else:
            items.delete(context, node, target)


def _forget(context: Context, target: ast.Name) -> None:
    """``del x``: no later statement uses the name, which is checked for the whole function beforehand."""
    function = context.scope.function
    if function is not None and target.id in captured(function.node):
        message = f"'{target.id}' is deleted, and used in a nested function"
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, message)


_HANDLERS: dict[type[ast.stmt], Callable[[Context, Any], None]] = {
    ast.Assign: _assign,
    ast.Delete: _delete,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.While: _while,
    ast.For: loops.for_loop,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.Expr: _expression,
    ast.Pass: _skip,
    ast.FunctionDef: closures.define,
}
