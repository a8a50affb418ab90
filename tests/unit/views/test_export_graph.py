"""``synth export --to graph``: JSON that networkx reads back."""

from __future__ import annotations

import json

import networkx

from synth.graphs import control_flow, dependencies
from synth.trusted.kernel.check import parse
from synth.views.certificate.graph import graphs_text
from synth.views.certificate.steps import reading
from tests.unit.views.exporting import golden, odd_names


def test_what_is_written_is_read_back() -> None:
    source = reading(parse(golden("above_threshold")))
    content = json.loads(graphs_text(source))
    assert content.pop("mechanism") == "above_threshold"
    read = {name: networkx.node_link_graph(data, edges="edges") for name, data in content.items()}
    graphs = {"control_flow": control_flow(source.mechanism), "dependencies": dependencies(source.mechanism)}
    for name, graph in graphs.items():
        assert read[name].is_directed() and networkx.utils.graphs_equal(read[name], graph)


def test_letters_are_ascii() -> None:
    written = graphs_text(reading(parse(odd_names())))
    names = [item["id"] for item in json.loads(written)["dependencies"]["nodes"]]
    assert written.isascii() and "größe_1" in names
