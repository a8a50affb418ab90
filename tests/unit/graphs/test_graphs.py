"""Control flow and dependencies of programs as graphs."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import HealthCheck, given, settings

from synth.graphs import END, START, at, control_flow, dependencies, places
from synth.prover.obligations.influence import decided_by_public_data
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.random_programs import programs

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def f(q: list[int], t: int, eps: float) -> int:
    found = 0
    i = 0
    while i < len(q):
        if laplace(q[i], 2 / eps) > t:
            found = i
            break
        i = i + 1
    return found
"""


def mechanism(text: str = PROGRAM) -> ir.Mechanism:
    (found,) = read_source(text, "program.py")
    return found


def kinds(graph: networkx.DiGraph, path: list[str]) -> list[str]:
    return [graph.nodes[node].get("kind", node) for node in path]


def test_control_flow() -> None:
    graph = control_flow(mechanism())
    (loop,) = (node for node, kind in graph.nodes(data="kind") if kind == "Loop")
    (found,) = (
        node
        for node, names in graph.nodes(data="assigns")
        if names == ["found"] and graph.nodes[node]["computes"] != ["0"]
    )
    assert loop not in networkx.descendants(graph, found)
    assert networkx.has_path(graph, START, END) and not list(graph.successors(END))
    components = [part for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert len(components) == 1 and loop in components[0] and found not in components[0]
    ways = sorted(when for _, _, when in graph.edges(data="when") if when)
    assert ways == ["false", "false", "true", "true"]
    assert kinds(graph, networkx.shortest_path(graph, found, END))[-2:] == ["Return", END]


def test_dependencies_through_data_and_control() -> None:
    program = mechanism()
    graph = dependencies(program)
    (drawn,) = (item.target for item in ir.statements(program.body) if isinstance(item, ir.Draw))
    reached = networkx.descendants(graph, drawn)
    assert "found" in reached and "i" in reached  # what leaves the loop decides how often it goes on
    assert "i" in networkx.ancestors(graph, "found") and "t" not in reached
    (loop,) = (place for place, item in places(program.body) if isinstance(item, ir.Loop))
    assert at(f"{loop}.body.0") in reached
    assert {kind for _, kind in graph.nodes(data="kind")} == {"name", "statement", "control"}


def test_both_sides_of_a_branch_may_lead_to_one_place() -> None:
    span = ir.Span(1, 1)
    branch = ir.If(0, ir.Constant(True, ir.Sort.BOOL), (), (), span)
    loop = ir.Loop(0, (branch,), span)
    program = ir.Mechanism(
        "f", (), ir.Constant(True, ir.Sort.BOOL), None, None, (loop,), {}, {}, span, "", ""
    )
    graph = control_flow(program)
    assert sorted(graph.edges(data="when")) == [
        ("0", "0.body.0", None),
        ("0.body.0", "0", None),
        (START, "0", None),
    ]
    assert decided_by_public_data(program, loop)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs(text: str) -> None:
    """All that control comes to goes on, and loops are the cycles."""
    try:
        program = mechanism(text)
    except ProgramError:
        return
    graph = control_flow(program)
    come = networkx.descendants(graph, START)
    assert all(graph.out_degree(node) for node in come - {END})
    loops = {place for place, item in places(program.body) if isinstance(item, ir.Loop)}
    assert networkx.is_directed_acyclic_graph(graph.subgraph(set(graph) - loops))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ((), False),  # noise leaves the loop early
        ((("laplace(q[i], 2 / eps)", "i"),), True),
        ((("laplace(q[i], 2 / eps)", "q[i]"),), False),
        ((("laplace(q[i], 2 / eps)", "i"), ("found = 0", "found = q[0]")), True),
        ((("laplace(q[i], 2 / eps)", "i"), ("i = 0", "i = q[0]")), False),
        ((("laplace(q[i], 2 / eps)", "i"), ("i = 0", "i = 0\n    if q[0] > 1:\n        return 1")), False),
        ((("laplace(q[i], 2 / eps)", "i"), ("return found", "return found + q[0]")), True),
    ],
)
def test_what_public_data_decide(changes: tuple[tuple[str, str], ...], expected: bool) -> None:
    text = PROGRAM
    for old, new in changes:
        text = text.replace(old, new, 1)
    program = mechanism(text)
    (loop,) = (item for item in ir.statements(program.body) if isinstance(item, ir.Loop))
    assert decided_by_public_data(program, loop) is expected
