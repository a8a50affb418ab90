"""Real noise is 0 with probability 0, whatever the data are: as a divisor, and where it is shown (``-0.0``).

A real draw has a density around whatever was known before it.  So a variable that only such draws are
assigned to, or a sum of one with what was known before it, or a copy of such a variable, is 0 on a null set
of the noise, and a law isn't changed there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, names, with_blocks

Body = tuple[ir.Statement, ...]


def without_null(body: Body) -> Body:
    """The body without the demand that a divisor isn't 0, where that is so with probability 1."""
    almost_never = almost_never_zero(body)
    dropped = {builders.negate(builders.equal(item, builders.zero(ir.Sort.REAL))) for item in almost_never}
    return _without(dropped, body)


def _without(dropped: set[ir.Expression], body: Body) -> Body:
    return tuple(
        with_blocks(item, lambda inner: _without(dropped, inner))
        for item in body
        if not (isinstance(item, ir.Obligation) and item.kind == "divisor" and _is_any(dropped, item))
    )


def _is_any(known: set[ir.Expression], asked: ir.Obligation) -> bool:
    return not known.isdisjoint(builders.disjuncts(asked.condition))


def almost_never_zero(body: Body) -> set[ir.Variable]:
    """Real variables of which each value that they are ever given is 0 with probability 0."""
    given = list(_given(body))
    found = {target for target, _ in given if target.sort is ir.Sort.REAL}
    while True:
        less = {target for target, value in given if not (value is None or value in found)}
        if not less & found:
            return found
        found -= less


def _given(body: Body) -> Iterator[tuple[ir.Variable, ir.Expression | None]]:
    """Each variable that is assigned, with its value; None in the place of what is 0 with probability 0."""
    for place, item in enumerate(body):
        match item:
            case ir.Draw(target=target, sort=sort):
                known = ir.Variable(target, sort)
                yield known, None if sort is ir.Sort.REAL else known
            case ir.Choose(target=target, sort=sort):
                yield ir.Variable(target, sort), builders.ZERO
            case ir.Assign(target=target, value=value):
                noisy = any(_is_moved(value, draw, body[at + 1 : place]) for at, draw in _draws(body[:place]))
                yield ir.Variable(target, value.sort), None if noisy else value
            case ir.If(then=then, otherwise=otherwise):
                yield from _given(then)
                yield from _given(otherwise)
            case ir.Block(body=inner) | ir.Loop(body=inner):
                yield from _given(inner)


def _draws(body: Body) -> Iterator[tuple[int, ir.Draw]]:
    return ((at, item) for at, item in enumerate(body) if isinstance(item, ir.Draw))


def _is_moved(value: ir.Expression, draw: ir.Draw, between: Sequence[ir.Statement]) -> bool:
    """Whether a value is a real draw plus or minus what was known before it and is left alone since."""
    drawn = ir.Variable(draw.target, ir.Sort.REAL)
    match value:
        case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT, (left, right)) if (
            drawn in (left, right) and draw.sort is ir.Sort.REAL
        ):
            rest = right if left == drawn else left
            return draw.target not in names(rest) and not assigned(tuple(between)) & names(value)
        case _:
            return False


def perhaps_zero(body: Body, target: str) -> Iterator[tuple[ir.Append, list[ir.Expression]]]:
    """Give what is appended to a list, each with the reals in it that may be 0."""
    never = frozenset(item.name for item in almost_never_zero(body))
    yield from _Moved(target, never).appended(body, {})


@dataclass(frozen=True)
class _Moved:
    """What is known on the way to each place where something is appended to a list.

    That are variables, each with what was assigned since it was drawn: real draws, what is a sum of one with
    what was known before it, and copies.  ``never`` are those that nothing else is ever assigned to.
    """

    target: str
    never: frozenset[str]

    def appended(
        self, body: Body, known: dict[str, frozenset[str]]
    ) -> Iterator[tuple[ir.Append, list[ir.Expression]]]:
        """Follow statements; ``known`` is changed to what is known behind them."""
        for item in body:
            if isinstance(item, ir.Append) and item.target == self.target:
                yield item, [value for value in item.values if self._may_be_zero(value, known)]
            match item:
                case ir.If(then=then, otherwise=otherwise):
                    one, other = dict(known), dict(known)
                    yield from self.appended(then, one)
                    yield from self.appended(otherwise, other)
                    kept = {name: since | other[name] for name, since in one.items() if name in other}
                    known.clear()
                    known.update(kept)
                case ir.Block(body=inner) | ir.Loop(body=inner):
                    _forget(known, assigned(inner))
                    yield from self.appended(inner, dict(known))
                case ir.Draw(target=name, sort=ir.Sort.REAL):
                    _forget(known, {name})
                    known[name] = frozenset({name})
                case ir.Assign(target=name, value=value):
                    moved = [since for draw, since in known.items() if _is_sum(value, draw, since)]
                    _forget(known, {name})
                    if moved:
                        known[name] = moved[0] | {name}
                case _:
                    _forget(known, assigned((item,)))

    def _may_be_zero(self, value: ir.Expression, known: dict[str, frozenset[str]]) -> bool:
        match value:
            case ir.Variable(name) if name in self.never:
                return False
            case _:
                is_moved = any(_is_sum(value, draw, since) for draw, since in known.items())
                return value.sort is ir.Sort.REAL and not is_moved


def _forget(known: dict[str, frozenset[str]], names: set[str]) -> None:
    """Know nothing more of variables that are assigned; others are older than these values."""
    for name in names & known.keys():
        del known[name]
    known.update({name: since | names for name, since in known.items()})


def _is_sum(value: ir.Expression, moved: str, since: frozenset[str]) -> bool:
    """Whether a value is that of a variable, or that plus or minus what was known before it was drawn."""
    drawn = ir.Variable(moved, ir.Sort.REAL)
    match value:
        case ir.Variable():
            return value == drawn
        case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT, (left, right)) if drawn in (left, right):
            rest = right if left == drawn else left
            return not names(rest) & since
        case _:
            return False
