"""What one coupling of two Gaussian draws costs: (ε, δ), and when that is enough.

Run 2's draw is run 1's, moved by m against its own centre; |m| ≤ d.  The mass on which the densities differ
by more than exp(ε) is where the noise exceeds τ = σ²ε/m − m/2 (CertiPriv, [norm]).  With t = τ/σ at m = d it
is at most exp(−t²/2)/2 on the reals if t ≥ 0, exp(−t²/2) on the integers, where the noise is subgaussian
(Canonne, Kamath & Steinke 2020, Cor. 17); and t² ≥ σ²ε²/d² − ε.  If t < 0 it is on the reals at most
1/2 + 0.4·|t|, as the density is below 0.4, and |t| ≤ d/(2σ).  Of numbers the exact divergence is enclosed:
on the reals by Balle & Wang 2018, Thm. 8, on the integers as a sum (Canonne, Kamath & Steinke 2020, Thm. 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.kernel.exponentials import power_of_e
from synth.kernel.public import Polynomial, at_most, polynomial_term, quotient
from synth.kernel.terms import REAL, Term, conjunction, number, value

if TYPE_CHECKING:
    import flint

_BITS = 160
_MOST_STEPS, _MOST_TERMS = 200, 60_000
"""Of a discrete law with concrete parameters: distances that are looked at, and terms of their sums."""


def enough(sigma: Term, within: Term, epsilon: Term, delta: Term, integral: bool) -> list[Term]:
    """When (ε, δ) pays for draws moved by at most ``within``: conditions over public inputs, if σ > 0."""
    numbers = [item for part in (sigma, within, epsilon, delta) if (item := _enclosure(part)) is not None]
    if len(numbers) == 4:
        return ["true" if _is_enough(*numbers, integral=integral) else "false"]
    square, defined = _squared(sigma)
    gained = ("/", ("*", square, epsilon, epsilon), ("*", within, within))
    exponent: Term = ("*", ("-", "0.5"), ("-", gained, epsilon))
    tail, positive = power_of_e(exponent)
    ahead = at_most(("*", within, within), ("*", "2.0", square, epsilon))
    signs: list[Term] = [("<", "0.0", within), ("<=", "0.0", epsilon)]
    behind: Term = "false"
    if not integral:
        tail = ("*", "0.5", tail)
        half: Term = ("-", delta, "0.5")
        small = at_most(("*", "0.04", within, within), ("*", half, half, square))
        behind = ("and", at_most("0.5", delta), small)
    return [
        conjunction([*signs, *defined, *positive]),
        ("=>", ahead, at_most(tail, delta)),
        ("or", ahead, behind),
    ]


def _squared(sigma: Term) -> tuple[Term, list[Term]]:
    """σ², with the squares of roots written without them; and what must hold for that."""
    parts = quotient(sigma)
    (top, above), (bottom, below) = _square(parts.top), _square(parts.bottom)
    return (top if bottom == "1.0" else ("/", top, bottom)), [*above, *below]


def _square(polynomial: Polynomial) -> tuple[Term, list[Term]]:
    if len(polynomial) != 1:
        whole = polynomial_term(polynomial)
        return ("*", whole, whole), []
    ((monomial, factor),) = polynomial.items()
    factors: list[Term] = [number(factor * factor, REAL)] if factor * factor != 1 else []
    conditions: list[Term] = []
    for atom, power in monomial:
        if isinstance(atom, tuple) and atom[0] == "|sqrt:1^|":
            factors += [atom[1]] * power
            conditions.append(at_most("0.0", atom[1]))
        else:
            factors += [atom] * (2 * power)
    return ("*", *factors) if len(factors) > 1 else factors[0] if factors else "1.0", conditions


# --- numbers --------------------------------------------------------------------------------


def _enclosure(term: Term) -> flint.arb | None:
    """A term without inputs, as a ball that holds its value."""
    import flint

    exact = value(term)
    if exact is not None:
        return flint.arb(flint.fmpq(exact.numerator, exact.denominator))
    if isinstance(term, str):
        return None
    found = [_enclosure(part) for part in term[1:]]
    parts = [item for item in found if item is not None]
    if len(parts) != len(found):
        return None
    first, *rest = parts
    match term[0]:
        case "+":
            return sum(rest, first)
        case "-":
            return first - sum(rest[1:], rest[0]) if rest else -first
        case "*":
            for other in rest:
                first = first * other
            return first
        case "/":
            for other in rest:
                first = first / other
            return first
        case "|sqrt:1^|":
            return first.sqrt()
        case "|exp:1^|":
            return first.exp()
        case "|log:1^|":
            return first.log()
        case _:
            return None


def _is_enough(
    sigma: flint.arb, within: flint.arb, epsilon: flint.arb, delta: flint.arb, *, integral: bool
) -> bool:
    import flint

    old, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        if not (sigma > 0 and within >= 0 and epsilon >= 0 and delta >= 0):
            return False
        if integral:
            return _discrete_is_enough(sigma, within, epsilon, delta)
        return bool(within == 0 or divergence(sigma, within, epsilon) <= delta)
    finally:
        flint.ctx.prec = old


def divergence(sigma: flint.arb, within: flint.arb, epsilon: flint.arb) -> flint.arb:
    """sup over S of P(S) − exp(ε)·Q(S) for two normal laws at that distance (Balle & Wang 2018, Thm. 8)."""
    step, gain = within / (2 * sigma), epsilon * sigma / within
    return _normal(step - gain) - epsilon.exp() * _normal(-step - gain)


def _normal(x: flint.arb) -> flint.arb:
    """The normal distribution function."""
    import flint

    return (-x / flint.arb(2).sqrt()).erfc() / 2


def _discrete_is_enough(sigma: flint.arb, within: flint.arb, epsilon: flint.arb, delta: flint.arb) -> bool:
    """Each distance in turn, by the subgaussian tail, or exactly while the sums are not too long."""
    terms = 0
    for step in range(1, _MOST_STEPS + 1):
        if within < step:
            return True
        reach = sigma * epsilon / step - step / (2 * sigma)
        if reach >= 0 and (-(reach * reach) / 2).exp() <= delta:
            continue
        if not sigma < _MOST_TERMS:
            return False
        terms += 3 * _cut_off(sigma, step)
        if terms > _MOST_TERMS or not discrete_divergence(sigma, step, epsilon) <= delta:
            return False
    return False


def _cut_off(sigma: flint.arb, step: int) -> int:
    """Beyond this the discrete law has next to no mass; how little is part of the enclosure."""
    return int(15 * float(sigma.mid())) + step + 2


def discrete_divergence(sigma: flint.arb, step: int, epsilon: flint.arb) -> flint.arb:
    """sup over S of P(S) − exp(ε)·Q(S) for two discrete normal laws at that distance, or a little more.

    P is larger than exp(ε)·Q left of step/2 − εσ²/step.  Beyond the cut-off P's mass is at most a
    geometric series, and Q counts as nothing.
    """
    import flint

    end, square = _cut_off(sigma, step), 2 * sigma * sigma
    turn = flint.arb(step) / 2 - epsilon * square / (2 * step)
    last = -end if turn <= -end else int(float(turn.mid())) + 2
    if not turn <= last:
        return flint.arb(1)

    def mass(place: int) -> flint.arb:
        return (-flint.arb(place * place) / square).exp()

    scaled, nothing = epsilon.exp(), flint.arb(0)
    total = mass(end + 1) / (1 - (-flint.arb(2 * end + 3) / square).exp())
    for place in range(-end, last + 1):
        more = mass(place) - scaled * mass(place - step)
        total += more if more >= 0 else nothing if more < 0 else more.union(nothing)
    return total / (2 * sum((mass(place) for place in range(1, end + 1)), nothing) + 1)
