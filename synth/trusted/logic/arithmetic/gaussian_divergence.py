"""What couplings of Gaussian draws cost: (ε, δ), and when that is enough.

Of several draws of reals the squares of d/σ sum up, and together they cost what one draw with the root of the
sum costs (Dong, Roth & Su 2022, Cor. 3.3).  Draws of integers pay one by one; draws of reals may.

Run 2's draw is run 1's, moved by m against its own centre; |m| ≤ d.  The mass on which the densities differ
by more than exp(ε) is where the noise exceeds τ = σ²ε/m − m/2 (CertiPriv, [norm]).  With t = τ/σ at m = d it
is at most exp(−t²/2)/2 on the reals if t ≥ 0, exp(−t²/2) on the integers, where the noise is subgaussian
(Canonne, Kamath & Steinke 2020, Cor. 17); and t² ≥ σ²ε²/d² − ε.  If t < 0 it is on the reals at most
1/2 + 0.4·|t|, as the density is below 0.4, and |t| ≤ d/(2σ).  Of numbers the exact divergence is enclosed:
on the reals by Balle & Wang 2018, Thm. 8, on the integers as a sum (Canonne, Kamath & Steinke 2020, Thm. 7).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from synth.trusted.logic.arithmetic.exponentials import power_of_e
from synth.trusted.logic.arithmetic.polynomials import Polynomial, at_most, polynomial_term, quotient
from synth.trusted.logic.terms import REAL, Term, conjunction, number, value

if TYPE_CHECKING:
    import flint

_BITS = 160
_MAX_STEPS, _MAX_TERMS = 200, 60_000
"""Of a discrete law with concrete parameters: distances that are looked at, and terms of their sums."""


def enough(square: Term, epsilon: Term, delta: Term) -> list[Term]:
    """When (ε, δ) pays for real draws with Σ (d/σ)² ≤ ``square``: conditions over public inputs.

    They are needed where ``square`` > 0.  The draws are no worse than one with d/σ = μ, μ² = ``square``.
    """
    numbers = numbers_of(square, epsilon, delta)
    if numbers is not None:
        return [decided(_is_enough, *numbers)]
    decay, positive = _decay(("/", ("*", epsilon, epsilon), square), epsilon)
    ahead = at_most(square, ("*", "2.0", epsilon))
    half: Term = ("-", delta, "0.5")
    behind = ("and", at_most("0.5", delta), at_most(("*", "0.04", square), ("*", half, half)))
    return [
        conjunction([("<=", "0.0", epsilon), *positive]),
        ("=>", ahead, at_most(("*", "0.5", decay), delta)),
        ("or", ahead, behind),
    ]


def square_at_most(sigma: Term, within: Term, square: Term) -> Term:
    """(d/σ)² ≤ ``square`` for d = ``within``, if σ > 0."""
    whole, defined = squared(sigma)
    return conjunction([*defined, at_most(("*", within, within), ("*", square, whole))])


def product_at_most(sigma: Term, within: Term, square: Term) -> Term:
    """(d/σ)² ≤ d·``square`` for 0 ≤ d ≤ ``within``, if σ > 0."""
    whole, defined = squared(sigma)
    return conjunction([*defined, at_most(within, ("*", square, whole))])


def enough_of_one(integral: bool, sigma: Term, within: Term, epsilon: Term, delta: Term) -> list[Term]:
    """When (ε, δ) pays for one draw moved by at most d = ``within``, if σ > 0."""
    return (enough_of_integers if integral else enough_of_reals)(sigma, within, epsilon, delta)


def enough_of_reals(sigma: Term, within: Term, epsilon: Term, delta: Term) -> list[Term]:
    """When (ε, δ) pays for one real draw moved by at most d = ``within``, if σ > 0."""
    whole, defined = squared(sigma)
    moved: Term = ("/", ("*", within, within), whole)
    return [conjunction([("<", "0.0", within), *defined]), *enough(moved, epsilon, delta)]


def enough_of_integers(sigma: Term, within: Term, epsilon: Term, delta: Term) -> list[Term]:
    """When (ε, δ) pays for an integer draw moved by at most d = ``within``, if σ > 0."""
    numbers = numbers_of(sigma, within, epsilon, delta)
    if numbers is not None:
        return [decided(_discrete_is_enough, *numbers)]
    square, defined = squared(sigma)
    gained = ("/", ("*", square, epsilon, epsilon), ("*", within, within))
    decay, positive = _decay(gained, epsilon)
    ahead = at_most(("*", within, within), ("*", "2.0", square, epsilon))
    return [
        conjunction([("<", "0.0", within), ("<=", "0.0", epsilon), *defined, *positive]),
        ("=>", ahead, at_most(decay, delta)),
        ahead,
    ]


def _decay(gained: Term, epsilon: Term) -> tuple[Term, list[Term]]:
    """exp(−(σ²ε²/d² − ε)/2), and what must hold for that."""
    return power_of_e(("*", ("-", "0.5"), ("-", gained, epsilon)))


def squared(term: Term) -> tuple[Term, list[Term]]:
    """The square, with the squares of roots written without them; and what must hold for that."""
    parts = quotient(term)
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


def numbers_of(*terms: Term) -> list[flint.arb] | None:
    """The terms as numbers; None if some speak of inputs."""
    import flint

    with flint.ctx.workprec(_BITS):
        found = [item for term in terms if (item := _enclosure(term)) is not None]
    return found if len(found) == len(terms) else None


def _enclosure(term: Term) -> flint.arb | None:
    """A term without inputs, as a ball that holds its value."""
    import flint

    exact = value(term)
    if exact is not None:
        return flint.arb(flint.fmpq(exact.numerator, exact.denominator))
    if isinstance(term, str):
        return None
    head, *rest = term
    parts = [item for part in rest if (item := _enclosure(part)) is not None]
    if len(parts) != len(rest):
        return None
    match head, parts:
        case "-", [only]:
            return -only
        case "+" | "-" | "*" | "/", _:
            return reduce(_ARITHMETIC[str(head)], parts)
        case "|sqrt:1^|" | "|exp:1^|" | "|log:1^|", [only]:
            return getattr(only, str(head)[1:-4])()
        case _:
            return None


_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def decided(enough: Callable[..., bool], *numbers: flint.arb) -> Term:
    """The truth of a statement about numbers, none of them negative, computed with many bits."""
    import flint

    with flint.ctx.workprec(_BITS):
        return "true" if all(item >= 0 for item in numbers) and enough(*numbers) else "false"


def _is_enough(square: flint.arb, epsilon: flint.arb, delta: flint.arb) -> bool:
    import flint

    return bool(square > 0 and divergence(flint.arb(1), square.sqrt(), epsilon) <= delta)


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
    if not sigma > 0:
        return False
    terms = 0
    for step in range(1, _MAX_STEPS + 1):
        if within < step:
            return True
        reach = sigma * epsilon / step - step / (2 * sigma)
        if reach >= 0 and (-(reach * reach) / 2).exp() <= delta:
            continue
        if not sigma < _MAX_TERMS:
            return False
        terms += 3 * _cut_off(sigma, step)
        if terms > _MAX_TERMS or not discrete_divergence(sigma, step, epsilon) <= delta:
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
