"""The program of a certificate as graphs, in the JSON that networkx and others read."""

from __future__ import annotations

import json

from synth.graphs import control_flow, dependencies
from synth.views.certificate.steps import Reading


def graphs_text(source: Reading) -> str:
    """Control flow and dependencies of the program that the kernel judges, as node-link data in ASCII."""
    from networkx import node_link_data

    mechanism = source.mechanism
    graphs = {"control_flow": control_flow(mechanism), "dependencies": dependencies(mechanism)}
    content = {name: node_link_data(graph, edges="edges") for name, graph in graphs.items()}
    return json.dumps({"mechanism": mechanism.name, **content}, indent=1) + "\n"
