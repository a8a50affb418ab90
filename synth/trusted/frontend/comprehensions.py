"""Comprehensions and generator expressions: loops with variables of their own.

A list comprehension is the loop that appends to a new list.  A generator expression is run where it is used
up, value by value, as Python does; only what its first loop runs over is evaluated where it stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import dicts, iterables, iterations, record_positions, store, targets
from synth.trusted.frontend.branching import condition
from synth.trusted.frontend.context import Context, Scope, mentions_list
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.scoping import own_names
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.values import GeneratorValue, ListValue, Value
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions
from synth.trusted.program.flow import finish_block

Place = tuple[Scope, Module, Source]

_STEM = "list"


def list_comprehension(context: Context, node: ast.ListComp) -> Value:
    """``[e for x in xs if c]``: a new list."""
    first = _first(context, node, node.generators)
    name = context.temporary(_STEM)
    store.make_list(context, name, (), node)
    _append(context, name, node, first)
    return ListValue(name, fresh=True)


def append_to(context: Context, name: str, node: ast.ListComp) -> None:
    """Append what a comprehension gives, one after the other.

    Python evaluates all of it before the list changes, so nothing in it may ask for the list, or change it.
    """
    start, changes = len(context.body), len(context.changed_lists)
    times = _append(context, name, node, _first(context, node, node.generators))
    parts = [part for item in ir.statements(tuple(context.body[start:])) for part in expressions(item)]
    asked = any(mentions_list(part, frozenset((name,))) for part in parts)
    if asked or context.changed_lists[changes:].count(name) > times:
        message = "the list is asked for while it is made, by another name or in a function: use a new name"
        raise context.error(node, Refusal.ALIASING, message)


def _append(context: Context, name: str, node: ast.ListComp, first: iterations.Iterable) -> int:
    """Append what a comprehension gives; the statement that appends is written so many times."""
    label, times = iterations.exit_label(context), 0

    def appended() -> None:
        nonlocal times
        times += 1
        store.append(context, name, context.expression(context, node.elt), node.elt)

    with own_scope(context, node.generators):
        emitted = _run(context, node, node.generators, first, appended, label)
    context.body.extend(finish_block(label, emitted))
    return times


def generator(context: Context, node: ast.GeneratorExp) -> Value:
    """``(e for x in xs if c)``: a generator that has not begun."""
    first = _first(context, node, node.generators)
    with own_scope(context, node.generators):
        own = _place(context)

    def run(body: iterations.Body, label: str) -> tuple[ir.Statement, ...]:
        user = _place(context)

        def yielded() -> None:
            value = context.expression(context, node.elt)
            with _at(context, user):
                body(lambda: value)

        with _at(context, own):
            return _run(context, node, node.generators, first, yielded, label)

    return GeneratorValue(run, context.number(), context.depth, lists=first.lists)


def _first(
    context: Context, node: ast.ListComp | ast.GeneratorExp, generators: Sequence[ast.comprehension]
) -> iterations.Iterable:
    """What the first loop runs over, which is evaluated outside of the comprehension's own scope."""
    if context.where:
        raise context.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, f"a comprehension in {context.where} is not supported"
        )
    parts = (node.elt, *generators[0].ifs, *generators[1:])
    with context.writing_out(dicts.mentioned(context, parts)):
        found = iterables.iterable(context, generators[0].iter)
    return iterations.written_out(context, found, parts)


def _run(
    context: Context,
    node: ast.expr,
    generators: Sequence[ast.comprehension],
    iterable: iterations.Iterable,
    body: Callable[[], None],
    label: str,
) -> tuple[ir.Statement, ...]:
    """The loops, one inside of the other."""
    generator, *rest = generators

    def filtered(tests: Sequence[ast.expr]) -> None:
        if tests:
            holds = condition(context, tests[0])
            with context.nested() as then:
                filtered(tests[1:])
            context.emit(ir.If(0, holds, tuple(then), (), context.source.span(tests[0])))
        elif rest:
            inner, end = iterables.iterable(context, rest[0].iter), iterations.exit_label(context)
            context.body.extend(finish_block(end, _run(context, node, rest, inner, body, end)))
        else:
            body()

    def each(entry: iterations.Entry) -> None:
        value = entry()
        targets.assign(context, generator.target, value)
        record_positions.hold(context, generator.target, value, rest)
        if isinstance(iterable, iterations.Iteration) and iterable.unrolled is not None:
            iterations.remember(context, generator.target, value, own=True)
        filtered(generator.ifs)

    return iterations.run(context, node, generator.target, iterable, each, label)


@contextmanager
def own_scope(context: Context, generators: Sequence[ast.comprehension]) -> Iterator[None]:
    """A scope in which the variables of the comprehension hide others of their names."""
    outer = context.scope
    names = sorted({name.id for generator in generators for name in own_names(generator)})
    hidden = {name: context.temporary(outer.prefix + name) for name in names}
    bindings = {name: value for name, value in outer.bindings.items() if name not in hidden}
    inner = replace(outer, bindings=bindings, renamed={**outer.renamed, **hidden})
    with _at(context, (inner, context.module, context.source)):
        yield


def _place(context: Context) -> Place:
    """Where an expression is read, and what its names stand for: a stub may use the generator up."""
    return context.scope, context.module, context.source


@contextmanager
def _at(context: Context, place: Place) -> Iterator[None]:
    outer = _place(context)
    context.scope, context.module, context.source = place
    try:
        yield
    finally:
        context.scope, context.module, context.source = outer
