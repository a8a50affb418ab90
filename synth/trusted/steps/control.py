"""Control flow of a core program: numbered points, each of which comes before those of smaller numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence_codes import Code, Different

STOP = 0
"""The point of runs that have ended without output."""


@dataclass(frozen=True)
class Stop:
    """The end of a run without output."""


@dataclass(frozen=True)
class Back:
    """The end of a loop's body, from where control goes to its head again."""


@dataclass(frozen=True)
class Point:
    """A statement, and where control goes on from it.

    From a branch that is to its sides, from an assumption to what follows or to ``STOP``, from a loop to its
    body (its end is listed behind that).  ``sites`` are those of draws that can be reached from here before
    another iteration of a loop around begins.
    """

    statement: ir.Statement | Back | Stop
    following: tuple[int, ...] = ()
    sites: frozenset[int] = frozenset()

    @property
    def described(self) -> str:
        """What stands here, for messages."""
        span = getattr(self.statement, "span", None)
        return type(self.statement).__name__.lower() + (f" in line {span.line}" if span else "")


@dataclass
class Flow:
    """The points of a program; ``entry`` is its first.

    The end of a loop's body has a smaller number than all of the body, and a larger one than all that control
    goes to when it leaves the loop.  Raises Different.
    """

    body: tuple[ir.Statement, ...]
    points: list[Point] = field(default_factory=lambda: [Point(Stop())])
    targets: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entry = self._body(self.body, STOP)

    def _point(self, statement: ir.Statement | Back, *following: int) -> int:
        own = (statement.site,) if isinstance(statement, ir.Draw | ir.Choose) else ()
        sites = frozenset(own).union(*(self.points[place].sites for place in following))
        self.points.append(Point(statement, following, sites))
        return len(self.points) - 1

    def _body(self, body: tuple[ir.Statement, ...], after: int) -> int:
        for statement in reversed(body):
            after = self._statement(statement, after)
        return after

    def _statement(self, statement: ir.Statement, after: int) -> int:
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                return self._point(statement, self._body(then, after), self._body(otherwise, after))
            case ir.Block(label=label, body=body):
                around = dict(self.targets)
                self.targets[label] = after
                entry = self._body(body, after)
                self.targets = around
                return entry
            case ir.Exit(label=label):
                if label not in self.targets:
                    raise Different(Code.NO_BLOCK(label=label))
                return self.targets[label]
            case ir.Loop(body=body):
                end = self._point(Back())
                return self._point(statement, self._body(body, end), end)
            case ir.Assume():
                return self._point(statement, after, STOP)
            case ir.Return():
                return self._point(statement)
            case _:
                return self._point(statement, after)
