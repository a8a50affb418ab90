"""One-sided draws of which only the difference matters, to be drawn as two-sided noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from synth.prover.normal_form.late_draws import times_assigned
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, is_made_of, names, public_parameters, with_blocks
from synth.trusted.program.substitution import replaced


@dataclass(frozen=True)
class NoisePair:
    """The place of a draw, and how many statements stand between it and the other one."""

    place: tuple[int, ...]
    between: int

    @property
    def together(self) -> tuple[int, ...]:
        """The place of the draw when it is behind those statements."""
        return (*self.place[:-1], self.place[-1] + self.between)


def noise_pairs(mechanism: ir.Mechanism) -> Iterator[NoisePair]:
    """Return where two one-sided draws of a body may be one draw."""
    yield from _found(mechanism.body, ())


def with_one_name(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with one name for numbers that are computed alike, as two scales may be.

    They are assigned once, in the mechanism's own body, from others that are, and from public parameters.
    """
    times = times_assigned(mechanism.body)
    known = set(public_parameters(mechanism))
    first: dict[ir.Expression, ir.Expression] = {}
    same: dict[str, ir.Expression] = {}
    for item in mechanism.body:
        if isinstance(item, ir.Assign) and times[item.target] == 1 and is_made_of(item.value, known):
            value = replaced(item.value, same)
            known.add(item.target)
            if value in first:
                same[item.target] = first[value]
            else:
                first[value] = ir.Variable(item.target, value.sort)

    def inside(body: Body) -> Body:
        return tuple(changed(item, lambda value: replaced(value, same), inside) for item in body)

    return replace(mechanism, body=inside(mechanism.body)) if same else mechanism


def with_own_centres(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with one-sided noise around 0 where its centre was made of other such noise."""
    draws = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw))
    drawn = {item.target for item in draws if _is_one_sided(item)}
    variables = dict(mechanism.variables)

    def one(item: ir.Statement) -> Body:
        match item:
            case ir.Draw(target=name, arguments=(center, scale), sort=sort) if (
                _is_one_sided(item) and names(center) & drawn
            ):
                noise = ir.Variable(f"noise%new{len(variables)}", sort)
                variables[noise.name] = sort
                drawing = replace(item, target=noise.name, arguments=(builders.zero(sort), scale))
                return drawing, ir.Assign(name, builders.add(noise, center), item.span)
            case _:
                return (with_blocks(item, inside),)

    def inside(body: Body) -> Body:
        return tuple(part for item in body for part in one(item))

    body = inside(mechanism.body)
    return (
        mechanism if variables == mechanism.variables else replace(mechanism, body=body, variables=variables)
    )


def _found(body: Body, place: tuple[int, ...]) -> Iterator[NoisePair]:
    draws = [number for number, item in enumerate(body) if _is_one_sided(item)]
    for first, second in pairwise(draws):
        yield NoisePair((*place, first), second - first - 1)
    for number, item in enumerate(body):
        for side, inner in enumerate(ir.blocks(item)):
            yield from _found(inner, (*place, number, side))


def _is_one_sided(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Draw) and statement.distribution == "exponential"
