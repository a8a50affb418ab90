"""Signed draws: a fair coin and real noise with one side become one draw of noise with two sides.

*Theorem.* If :func:`signed` accepts the step from P to P', both have the same distribution of outputs on each
input, and a run of P violates an obligation just if one of P' does.

For the coin and the noise e are drawn in a row, around 0, each with a law that doesn't speak of the other.
Let L have the Laplace law around 0 with that scale s.  Its density is exp(-abs(v)/s)/(2s), so the chance of
L > 0 and a < abs(L) < b is half of that of a < e < b, and so is the chance of L < 0 and a < abs(L) < b; L = 0
has none.  So L > 0 and abs(L) have the law of the coin and of e.  P' draws L and assigns both.  On the
integers 0 has a chance, and no sign: there the step is refused.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, names, names_in_use
from synth.trusted.program.laws import arguments_of
from synth.trusted.reasons import Reason
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at

_ZERO = ir.Constant(Fraction(0), ir.Sort.REAL)
_FAIR = (
    ("bernoulli", (ir.Constant(Fraction(1, 2), ir.Sort.REAL),)),
    ("uniform_int", (builders.ZERO, builders.ONE)),
)


def signed(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program with one draw for the coin and the noise at a place, in either order.

    Raises Different or Rejected where they are none, or where the draw's name is taken.
    """
    found: list[str] = []

    def change(body: Body, start: int) -> Body:
        match body[start : start + 2]:
            case (ir.Choose() as coin, ir.Draw() as noise) | (ir.Draw() as noise, ir.Choose() as coin):
                found.append(signed_name(noise.target))
                return (*body[:start], *_signed(coin, noise), *body[start + 2 :])
        raise Different(Code.NOT_SIGNED())

    return with_noise(mechanism, changed_at(mechanism.body, place, change), found, Code.NOT_SIGNED())


def with_noise(mechanism: ir.Mechanism, body: Body, found: list[str], taken: Reason) -> ir.Mechanism:
    """The program with that body and real variables of these names.  Raises Different if one is taken."""
    if names_in_use(mechanism).intersection(found):
        raise Different(taken)
    return replace(
        mechanism, body=body, variables={**mechanism.variables, **dict.fromkeys(found, ir.Sort.REAL)}
    )


def signed_name(name: str) -> str:
    """The variable that has the noise with its sign."""
    return f"{name}.signed"


def _signed(coin: ir.Choose, noise: ir.Draw) -> Body:
    """The noise with two sides, and what the coin and the other noise are by it.  Raises Different."""
    if (
        arguments_of(coin) not in _FAIR
        or (noise.distribution, noise.sort, noise.arguments[0]) != ("exponential", ir.Sort.REAL, _ZERO)
        or coin.target == noise.target
        or coin.target in names(noise.arguments[1])
    ):
        raise Different(Code.NOT_SIGNED())
    drawn = ir.Variable(signed_name(noise.target), ir.Sort.REAL)
    above = builders.less(_ZERO, drawn)
    size = builders.choose(above, drawn, builders.opposite(drawn))
    return (
        replace(noise, target=drawn.name, distribution="laplace"),
        ir.Assign(coin.target, builders.convert(above, coin.sort), coin.span),
        ir.Assign(noise.target, size, noise.span),
    )
