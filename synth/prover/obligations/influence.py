"""What private data and noise have an influence on, by what is computed and by where control goes.

Unlike the taint that the search uses, this one counts noise as a source, and whatever a branch decides:
both runs do the same where nothing of it comes in, whatever is drawn.
"""

from __future__ import annotations

from synth.graphs import at, dependencies, places
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import private_parameters

Stop = ir.Loop | ir.Assume
"""A statement at which a run may end without output: an endless loop, an assertion that fails."""

_SOURCE = "what may differ"


def decided_by_public_data(mechanism: ir.Mechanism, stop: Stop) -> bool:
    """Whether only public data decide if a stop is reached, and if it is passed.

    Returns that stand before it, or in one statement of the top level with it, may skip it.
    """
    everything = list(places(mechanism.body))
    stops = [place for place, item in everything if item is stop]
    deciding = {place if isinstance(stop, ir.Assume) else at(place) for place in stops}
    last = _top(stops[0])
    deciding |= {
        at(place) for place, item in everything if isinstance(item, ir.Return) and _top(place) <= last
    }
    return deciding.isdisjoint(_influenced(mechanism))


def _top(place: str) -> int:
    """The number of the statement of the top level that a place is in."""
    return int(place.partition(".")[0])


def _influenced(mechanism: ir.Mechanism) -> set[str]:
    """The nodes of the dependencies that private data or noise reach."""
    from networkx import descendants

    graph = dependencies(mechanism)
    draws = (item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw | ir.Choose))
    graph.add_node(_SOURCE)
    graph.add_edges_from((_SOURCE, name) for name in (*private_parameters(mechanism), *draws))
    found: set[str] = descendants(graph, _SOURCE)
    return found
