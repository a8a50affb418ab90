"""Control flow and dependencies of a typed program, as graphs of networkx."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, exited, expressions, length_name, names, target
from synth.trusted.program.printing import text

if TYPE_CHECKING:
    from networkx import DiGraph

START, END = "start", "end"


def places(body: Body, before: str = "") -> Iterator[tuple[str, ir.Statement]]:
    """All statements with their places: numbers from 0 in each body, as ``2.then.0``, in program order."""
    for number, statement in enumerate(body):
        place = f"{before}{number}"
        yield place, statement
        for name, inner in _bodies(statement):
            yield from places(inner, f"{place}.{name}.")


def _bodies(statement: ir.Statement) -> Iterator[tuple[str, Body]]:
    sides = ("then", "else") if isinstance(statement, ir.If) else ("body",)
    yield from zip(sides, ir.blocks(statement), strict=False)


# --- control flow ---------------------------------------------------------------------------


def control_flow(mechanism: ir.Mechanism) -> DiGraph:
    """What may be done after what.

    Nodes are :data:`START`, :data:`END` and the places of statements; blocks and exits are edges only.
    Statements have the attributes ``kind``, ``line``, ``assigns`` (names) and ``computes`` (expressions).
    Edges out of a branch say ``when`` they are taken (``true`` or ``false``), unless both lead to one place.
    """
    from networkx import DiGraph

    graph = DiGraph()
    graph.add_node(START)
    for place, statement in places(mechanism.body):
        if not isinstance(statement, ir.Block | ir.Exit):
            said = {"assigns": sorted(_changed(statement)), "computes": [*map(text, expressions(statement))]}
            graph.add_node(place, kind=type(statement).__name__, line=statement.span.line, **said)
    graph.add_edge(START, _entered(graph, mechanism.body, "", END, {}))
    return graph


def _entered(graph: DiGraph, body: Body, before: str, after: str, exits: Mapping[str, str]) -> str:
    """Where control comes to on the way into a body, of which all edges are added."""
    for number, statement in reversed([*enumerate(body)]):
        after = _reached(graph, statement, f"{before}{number}", after, exits)
    return after


def _reached(
    graph: DiGraph, statement: ir.Statement, place: str, after: str, exits: Mapping[str, str]
) -> str:
    match statement:
        case ir.Block(label=label, body=body):
            return _entered(graph, body, f"{place}.body.", after, {**exits, label: after})
        case ir.Exit(label=label):
            return exits[label]
        case ir.If(then=then, otherwise=otherwise):
            one = _entered(graph, then, f"{place}.then.", after, exits)
            other = _entered(graph, otherwise, f"{place}.else.", after, exits)
            graph.add_edge(place, one, **({"when": "true"} if one != other else {}))
            graph.add_edge(place, other, **({"when": "false"} if one != other else {}))
        case ir.Loop(body=body):
            graph.add_edge(place, _entered(graph, body, f"{place}.body.", place, exits))
        case ir.Return():
            graph.add_edge(place, END)
        case _:
            graph.add_edge(place, after)
    return place


# --- dependencies ---------------------------------------------------------------------------


def dependencies(mechanism: ir.Mechanism) -> DiGraph:
    """What depends on what, through data and through control.

    Nodes have a ``kind``: a ``name`` (of a variable, list or parameter, or :func:`length_name` of it), a
    ``statement`` (its place), or the ``control`` that comes there (:func:`at` the place).  An exit under a
    branch makes all of the block that it leaves depend on that branch.
    """
    from networkx import DiGraph

    graph = DiGraph()
    everything = list(places(mechanism.body))
    blocks = defaultdict(list)
    for place, statement in everything:
        if isinstance(statement, ir.Block):
            blocks[statement.label].append((place, statement))
    for place, statement in everything:
        graph.add_node(at(place), kind="control")
        graph.add_node(place, kind="statement")
        graph.add_edge(at(place), place)
        read = {name for item in expressions(statement) for name in _mentioned(item)} | _returned(statement)
        changed = _changed(statement)
        graph.add_nodes_from(sorted(read | changed), kind="name")
        graph.add_edges_from((name, place) for name in sorted(read))
        graph.add_edges_from((place, name) for name in sorted(changed))
        governed: list[tuple[str, ir.Statement]] = [(place, statement)]
        if isinstance(statement, ir.If):
            governed += [block for label in exited((statement,)) for block in blocks[label]]
        graph.add_edges_from((place, at(inner)) for each in governed for inner in _inside(*each))
    return graph


def at(place: str) -> str:
    """The node for whether and how often control comes to a place."""
    return f"at {place}"


def _inside(place: str, statement: ir.Statement) -> Iterator[str]:
    for name, body in _bodies(statement):
        yield from (f"{place}.{name}.{number}" for number in range(len(body)))


def _mentioned(expression: ir.Expression) -> set[str]:
    reads = {part.source for part in ir.subexpressions(expression) if isinstance(part, ir.Read)}
    return names(expression) | reads


def _returned(statement: ir.Statement) -> set[str]:
    """The local lists that a statement returns, with their lengths."""
    lists = statement.lists if isinstance(statement, ir.Return) else ()
    return {name for item in lists for name in (item, length_name(item))}


def _changed(statement: ir.Statement) -> set[str]:
    match statement:
        case ir.Append(target=name):
            return {name, length_name(name)}
    changed = target(statement)
    return set() if changed is None else {changed}
