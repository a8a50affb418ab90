"""Noise that is drawn on one side of a private branch is drawn before it.

The two runs may part at such a branch, and no coupling relates a draw with none.  A draw that is made
early, and then not looked at, changes no output: ``if x > 0: y = laplace(x, s)`` is
``z = laplace(x if x > 0 else 0, s)`` and then ``if x > 0: y = z``.  What is drawn on both sides, of one
distribution and scale, is one draw.

Where ``s`` is not positive, or has no value, on the side that doesn't draw, ``z`` has no law by the
definition of the core language.  There it may have any: it is read on the side that draws only, behind
the obligation that ``s`` is positive, which stays there and is shown for every run.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import count, zip_longest

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    exited,
    expressions,
    is_pure,
    names,
    private_parameters,
    target,
    with_blocks,
)
from synth.trusted.program.substitution import replaced


class _Rooted(Exception):
    """A draw that can't be made before the branch."""


@dataclass(frozen=True)
class _Side:
    """One side of a branch: its draws as they are made before it, and what is left."""

    draws: tuple[ir.Draw, ...]
    rest: Body


def hoisted(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with noise drawn before the private branches that it is drawn in, where that can be."""
    hoister = Hoister(mechanism)
    body = hoister.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **hoister.variables})


@dataclass
class Hoister:
    """Finds the branches of one mechanism where the runs part, and makes their draws before them."""

    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        private = private_parameters(self.mechanism)
        self.private = _reached(self.mechanism.body, private, draws=False)
        self.noisy = _reached(self.mechanism.body, set(), draws=True)

    def body(self, body: Body) -> Body:
        """The body, inner branches first, and last what stands last."""
        rest: Body = ()
        for statement in reversed(body):
            match statement:
                case ir.If():
                    branch = with_blocks(statement, self.body)
                    whole = _with_rest(branch, rest)
                    early = self._early(whole) if whole is not None else None
                    rest = early or (*(self._early(branch) or (branch,)), *rest)
                case _:
                    rest = (with_blocks(statement, self.body), *rest)
        return rest

    def parts(self, condition: ir.Expression) -> bool:
        """Whether private data decide, and no noise: no coupling lets the runs go the same way."""
        return self.is_private(condition) and not _mentioned(condition) & self.noisy

    def is_private(self, expression: ir.Expression) -> bool:
        """Whether private data have an influence on an expression, other than by draws."""
        return not self.private.isdisjoint(_mentioned(expression))

    def _early(self, branch: ir.If) -> Body | None:
        """The draws of a branch, and then the branch; None where that can't or need not be."""
        draws = any(isinstance(item, ir.Draw) for item in ir.statements((branch,)))
        if not draws or not self.parts(branch.condition):
            return None
        try:
            first, second = (self._side(_folded(side)) for side in (branch.then, branch.otherwise))
        except _Rooted:
            return None
        made: list[ir.Statement] = []
        renamed: dict[str, ir.Expression] = {}
        for one, other in zip_longest(first.draws, second.draws):
            other = other and _renamed(other, renamed)
            if one and other and _alike(one, other):
                center = builders.choose(branch.condition, one.arguments[0], other.arguments[0])
                made += _asked(replace(one, arguments=(center, one.arguments[1])))
                renamed[other.target] = ir.Variable(one.target, one.sort)
                continue
            for draw, holds in ((one, branch.condition), (other, builders.negate(branch.condition))):
                if draw:
                    center = builders.choose(holds, draw.arguments[0], builders.zero(draw.sort))
                    made += _asked(replace(draw, arguments=(center, draw.arguments[1])))
        rest = tuple(
            replace(item, value=replaced(item.value, renamed)) if isinstance(item, ir.Assign) else item
            for item in second.rest
        )
        return (*made, replace(branch, then=first.rest, otherwise=rest))

    def _side(self, body: Body) -> _Side:
        """Raises _Rooted."""
        draws: list[ir.Draw] = []
        rest: list[ir.Statement] = []
        known: dict[str, ir.Expression] = {}
        unknown: set[str] = set()
        ended = False
        for statement in body:
            match statement:
                case ir.Draw(arguments=arguments):
                    if ended or any(_mentioned(item) & unknown or _reads_lists(item) for item in arguments):
                        raise _Rooted
                    name = f"drawn%new{next(self.numbers)}"
                    self.variables[name] = statement.sort
                    moved = tuple(replaced(item, known) for item in arguments)
                    draws.append(replace(statement, target=name, arguments=moved))
                    value: ir.Expression = ir.Variable(name, statement.sort)
                    rest.append(ir.Assign(statement.target, value, statement.span))
                case ir.Assign(value=value):
                    if _mentioned(value) & unknown or _reads_lists(value):
                        unknown.add(statement.target)
                    value = replaced(value, known)
                    rest.append(statement)
                case ir.Obligation() | ir.Return() | ir.Append():
                    rest.append(statement)
                    continue
                case ir.If() if _is_plain((statement,)):
                    ended = ended or not is_pure((statement,))
                    unknown |= assigned((statement,))
                    rest.append(statement)
                    continue
                case _:
                    raise _Rooted
            known[statement.target] = value
            if isinstance(statement, ir.Draw):
                unknown.discard(statement.target)
        return _Side(tuple(draws), tuple(rest))


def _asked(draw: ir.Draw) -> tuple[ir.Obligation, ir.Draw]:
    """The draw with the obligation that its scale is positive, as it is made on more ways than before."""
    zero = ir.Constant(0, ir.Sort.REAL)
    positive = ir.Operation(ir.Operator.LESS, (zero, draw.arguments[1]), ir.Sort.BOOL)
    reason = f"the scale of {draw.distribution} must be positive"
    return ir.Obligation("scale", positive, reason, draw.span), draw


def _is_plain(body: Body) -> bool:
    """Whether a body computes, appends and returns, and nothing else."""
    return all(
        isinstance(item, ir.Assign | ir.If | ir.Obligation | ir.Append | ir.Return)
        for item in ir.statements(body)
    )


def _folded(body: Body) -> Body:
    """What follows a branch that returns on one side, on its other side."""
    for place, statement in enumerate(body):
        if isinstance(statement, ir.If):
            whole = _with_rest(statement, body[place + 1 :])
            if whole is not None:
                sides = _folded(whole.then), _folded(whole.otherwise)
                return (*body[:place], replace(whole, then=sides[0], otherwise=sides[1]))
    return body


def _with_rest(branch: ir.If, rest: Body) -> ir.If | None:
    """The branch with what follows it on the side that doesn't return, if just one does."""
    sides = (branch.then, branch.otherwise)
    returns = [bool(part) and isinstance(part[-1], ir.Return) for part in sides]
    if sum(returns) != 1 or not rest:
        return None
    then, otherwise = (part if ends else (*part, *rest) for part, ends in zip(sides, returns, strict=True))
    return replace(branch, then=then, otherwise=otherwise)


def _alike(first: ir.Draw, second: ir.Draw) -> bool:
    same = (first.distribution, first.sort) == (second.distribution, second.sort)
    return same and first.arguments[1] == second.arguments[1]


def _renamed(draw: ir.Draw, names_: dict[str, ir.Expression]) -> ir.Draw:
    return replace(draw, arguments=tuple(replaced(item, names_) for item in draw.arguments))


def _reads_lists(expression: ir.Expression) -> bool:
    """Whether an expression looks at lists, which a branch may change."""
    return any(isinstance(part, ir.Element | ir.Length) for part in ir.subexpressions(expression))


def _mentioned(expression: ir.Expression) -> set[str]:
    """Variables, and sequences and functions that are read."""
    reads = {part.source for part in ir.subexpressions(expression) if isinstance(part, ir.Read)}
    return names(expression) | reads


def _reached(body: Body, start: Collection[str], *, draws: bool) -> set[str]:
    """Variables and lists that what is in ``start``, or (with ``draws``) noise, has an influence on."""
    found = set(start)
    while True:
        before = len(found)
        _spread(body, found, draws, under=False)
        if len(found) == before:
            return found


def _spread(body: Body, found: set[str], draws: bool, *, under: bool) -> None:
    for statement in body:
        reached = under or any(_mentioned(item) & found for item in expressions(statement))
        drawn = isinstance(statement, ir.Draw | ir.Choose)
        written = target(statement)
        if written is not None and (drawn if draws and drawn else reached and not drawn):
            if isinstance(statement, ir.Append):
                found.add(statement.target)
            if under or not isinstance(statement, ir.Append):
                found.add(written)
        for inner in ir.blocks(statement):
            _spread(inner, found, draws, under=reached or _is_left(statement, found))


def _is_left(statement: ir.Statement, found: set[str]) -> bool:
    """Whether what is ``found`` decides that the rest of a block is passed over."""
    return isinstance(statement, ir.Block) and any(
        isinstance(item, ir.If) and _mentioned(item.condition) & found and statement.label in exited((item,))
        for item in ir.statements((statement,))
    )
