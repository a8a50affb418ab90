"""Coins as noise: a coin becomes whether real noise with one side crosses a number.

*Theorem.* If :func:`crossed` accepts the step from P to P', and no run of P' violates an obligation, then no
run of P does, and both have the same distribution of outputs on each input.

For let E have the one-sided law around 0 of scale 1, of density exp(-v) for v >= 0.  P' asks for 0 < q <= 1
where P tosses a coin, draws E there, and takes t < E with t = log(1/q) for the side of the coin that has the
chance q.  Here t >= 0, and so t < E has the chance exp(-t) = q; the other side has the rest.  E has a name of
its own and a law that speaks of nothing, and q doesn't speak of the outcome: given all that has happened, the
coin has one law in both programs.  All else stays as it is, and P' asks for all that P asks for.
"""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, names
from synth.trusted.program.laws import arguments_of
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.signing import with_noise

_ZERO = builders.zero(ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


def crossed(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program with noise and a comparison for the coin at a place.

    Raises Different or Rejected where there is none, or where the noise's name is taken.
    """
    found: list[str] = []

    def change(body: Body, start: int) -> Body:
        match body[start : start + 1]:
            case (ir.Choose() as coin,):
                found.append(crossing_name(coin.target))
                return (*body[:start], *_crossed(coin), *body[start + 1 :])
        raise Different(Code.NO_COIN())

    return with_noise(mechanism, changed_at(mechanism.body, place, change), found, Code.NO_COIN())


def crossing_name(name: str) -> str:
    """The variable that has the noise of which a coin says whether it crosses."""
    return f"{name}.crossing"


def seldom(p: ir.Expression) -> tuple[ir.Expression, bool]:
    """The chance of one side of a coin, and whether it is that of True; of 1 - q it is q."""
    match p:
        case ir.Operation(ir.Operator.SUBTRACT, (one, q)) if one == _ONE:
            return q, False
        case ir.Constant(value=value) if Fraction(1, 2) < value < 1:
            return builders.subtract(_ONE, p), False
    return p, True


def _crossed(coin: ir.Choose) -> Body:
    """What is asked for, the noise, and the coin by it.  Raises Different."""
    match arguments_of(coin):
        case "bernoulli", (p,) if coin.index not in names(p):
            q, heads = seldom(p)
        case _:
            raise Different(Code.NO_COIN())
    noise = ir.Variable(crossing_name(coin.target), ir.Sort.REAL)
    bar = ir.Operation(ir.Operator.LOGARITHM, (builders.divide(_ONE, q),), ir.Sort.REAL)
    beyond = builders.less(bar, noise)
    asked = builders.both(builders.less(_ZERO, q), builders.less_equal(q, _ONE))
    return (
        ir.Obligation("scale", asked, "one side of the coin must have a chance above 0", coin.span),
        ir.Draw(coin.site, noise.name, "exponential", (_ZERO, _ONE), ir.Sort.REAL, coin.span),
        ir.Assign(coin.target, beyond if heads else builders.negate(beyond), coin.span),
    )
