"""Which variables and lists may still be read after each branch, loop head and block."""

from __future__ import annotations

from collections.abc import Mapping

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, length_name, names, target

Names = frozenset[str]
Body = tuple[ir.Statement, ...]


def read_lists(mechanism: ir.Mechanism) -> Names:
    """Local lists of which entries are read."""
    return frozenset(
        part.source
        for statement in ir.statements(mechanism.body)
        for expression in expressions(statement)
        for part in ir.subexpressions(expression)
        if isinstance(part, ir.Element)
    )


def live_names(mechanism: ir.Mechanism, kept: Names) -> Mapping[int, Names]:
    """What is live where states are merged: after a branch, at a loop's head, after a block.

    Keys are the ids of the statements.  A list in ``kept`` is live under its name while its entries
    may be read or returned, any list under its length's name.
    """
    found: dict[int, Names] = {}
    _before_all(mechanism.body, frozenset(), {}, kept, found)
    return found


def _before_all(
    body: Body, after: Names, exits: Mapping[str, Names], kept: Names, found: dict[int, Names]
) -> Names:
    for statement in reversed(body):
        after = _before(statement, after, exits, kept, found)
    return after


def _before(
    statement: ir.Statement, after: Names, exits: Mapping[str, Names], kept: Names, found: dict[int, Names]
) -> Names:
    used = frozenset(name for item in expressions(statement) for name in names(item))
    match statement:
        case ir.Return(lists=lists):
            return used | {length_name(name) for name in lists} | (kept & set(lists))
        case ir.Exit(label=label):
            return exits[label]
        case ir.NewList(target=name):
            return after - {length_name(name), name}
        case ir.Append(target=name):
            return after | used | {length_name(name)}
        case ir.If(then=then, otherwise=otherwise):
            found[id(statement)] = after
            sides = (_before_all(part, after, exits, kept, found) for part in (then, otherwise))
            return used.union(*sides)
        case ir.Block(label=label, body=body):
            found[id(statement)] = after
            return _before_all(body, after, {**exits, label: after}, kept, found)
        case ir.Loop(body=body):
            head = found.get(id(statement), frozenset())
            while True:
                grown = head | _before_all(body, head, exits, kept, found)
                found[id(statement)] = grown
                if grown == head:
                    return head
                head = grown
        case ir.Choose(target=name, index=index):
            return (after - {name}) | (used - {index})
        case _:
            return (after - {target(statement)} if target(statement) else after) | used
