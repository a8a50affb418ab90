"""Vertex cover: a permutation of the vertices, drawn by their degrees."""

from math import log, sqrt

from synth.lang import *


@mechanism(
    adjacent={"degree": linf_distance(1, monotone=True)},
    requires="eps > 0 and n >= 1",
    epsilon="eps",
    ghosts={"t": int, "u": int, "edge": Callable[[int], bool], "place": Callable[[int, int], int]},
    facts=[
        "degree(S, v) >= 0",
        "one(degree(S, v)) == two(degree(S, v)) or edge(S) and (v == t or v == u)",
        "not edge(without(S, v)) or edge(S) and v != t and v != u",
        "place(S, vertex(S, j)) == j",
    ],
)
def vertex_cover(
    degree: Callable[[int, int], int],
    vertex: Callable[[int, int], int],
    without: Callable[[int, int], int],
    n: int,
    eps: float,
) -> list[int]:
    """Vertices drawn one after the other by weights degree + w, until none is left.

    Sets of vertices are numbers, 0 is all n of them.  ``vertex(S, j)`` is the j-th vertex of S, ``without(S, v)``
    is S without v, ``degree(S, v)`` counts the edges from v to vertices of S.  The edge (t, u) is in one of the
    two graphs only; ``edge(S)`` says that both its ends are in S, ``place(S, v)`` is the j with v = vertex(S, j).
    """
    order = []
    rest = 0
    for i in range(n):
        w = 4 / eps * sqrt(n / (n - i))
        j = choice(n - i, lambda r: log(degree(rest, vertex(rest, r)) + w))
        v = vertex(rest, j)
        order.append(v)
        rest = without(rest, v)
    return order
