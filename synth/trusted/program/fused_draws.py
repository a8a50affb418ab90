"""What a step says that makes one draw of several statements; nobody has to believe it."""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Total:
    """A sum over all integers in closed form.

    ``below`` is the sum over those below ``index``, ``value`` the whole sum.  Where the index is below all
    ``bounds`` nothing is summed up yet, where it is above all of them everything is.
    """

    index: str
    below: ir.Expression
    value: ir.Expression
    bounds: tuple[ir.Expression, ...]


@dataclass(frozen=True)
class Sums:
    """Closed forms for one draw of the window.

    ``expected`` is the chance, before the draw, that the window ends with the outcome; a draw of a truth
    value needs none.  ``mass`` is the sum of the weights, for a draw by weights.
    """

    expected: Total | None = None
    mass: Total | None = None


@dataclass(frozen=True)
class Window:
    """A stretch of statements that becomes ``obligations`` and one ``draw``.

    ``place`` leads to its first statement: numbers of statements, and between them the number of the body
    inside of a statement (0 or 1 of a branch, 0 of a block or loop).  ``length`` counts its statements.
    ``sums`` has an entry for each draw of the stretch, in the order of the program.
    """

    place: tuple[int, ...]
    length: int
    obligations: tuple[ir.Obligation, ...]
    draw: ir.Choose
    sums: tuple[Sums, ...]


@dataclass(frozen=True)
class Rated:
    """A draw by weights, at ``place``, that gets another score and rate, with the same product.

    In the score the outcome is called ``index``.
    """

    place: tuple[int, ...]
    index: str
    score: ir.Expression
    rate: ir.Expression
