"""The scales with the least noise under a bound that is a sum of terms cost/scale, in closed form.

The noise is Σ v·s², where v·s² is the variance of one draw of a site with scale s.  Under Σ a/s = ε it is
least at s = a·Σr/(r·ε), where r = (v·a²)^(1/3) up to a factor that all sites share (Lagrange).  For sparse
vector these are the shares 1 : (2c)^(2/3) of Lyu, Su & Li 2017.  Of GDP and zCDP the bound is a sum of terms
cost/scale²; then s² = a·Σr/(r·ε) with r = (v·a)^(1/2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy

_MAX_CHANGES = 12
"""Sets of sites that are looked at, those with the fewest changes first."""

_SMALL = 12
"""Denominators up to that of numbers in the place of irrational ratios."""


@dataclass(frozen=True)
class Problem:
    """Sites with unknowns, and what a proof costs with them.

    ``bound`` is over ``unknowns`` and public parameters, and is to be ``claim``.  ``weights`` are
    what an unknown's square is noise of.  Unless ``fill``, an unknown may also stay 1.  An unknown costs its
    inverse to the ``power``, 1 or 2.  ``exact`` says that no more than the claim may be spent.
    """

    bound: sympy.Expr
    claim: sympy.Expr
    unknowns: tuple[sympy.Symbol, ...]
    weights: tuple[sympy.Expr, ...]
    fill: bool
    power: int = 1
    exact: bool = True

    def share(self, number: int, cost: Any) -> Any:
        """What the share of an unknown with that cost is a root of; see :meth:`degree`."""
        return self.weights[number] * cost ** (3 - self.power)

    @property
    def degree(self) -> int:
        """Which root of :meth:`share` the share is."""
        return 4 - self.power


@dataclass(frozen=True)
class Allocation:
    """Values of unknowns (those that are left out stay 1) over public parameters and ``ratios``.

    ``ratios`` name positive numbers by what they are.  ``least`` says that no other values of these
    unknowns have less noise.
    """

    values: Mapping[int, sympy.Expr]
    ratios: tuple[tuple[sympy.Symbol, sympy.Expr], ...]
    least: bool


def allocations(problem: Problem, names: Sequence[str]) -> Iterator[Allocation]:
    """Return allocations within the claim: the fewest changes first, of these the least noise.

    ``names`` are free, one for each unknown.  There is none for a bound of another form.
    """
    shape = _costs(problem)
    if shape is None:
        return
    fixed, costs = shape
    every = range(len(costs))
    sizes = [len(costs)] if problem.fill else range(1, len(costs) + 1)
    noise = _noise_key(problem, fixed, costs)
    chosen = [subset for size in sizes for subset in sorted(combinations(every, size), key=noise)]
    for subset in chosen[:_MAX_CHANGES]:
        left = _left(problem, fixed, costs, subset)
        if _is_positive(left):
            yield from _allocated(problem, costs, subset, left, names)


def _costs(problem: Problem) -> tuple[sympy.Expr, list[sympy.Expr]] | None:
    """What is paid without unknowns, and the cost of each unknown at 1; None if the bound is no such sum."""
    import sympy

    inverse = [sympy.Symbol(f"_{number}", positive=True) for number in range(len(problem.unknowns))]
    root = sympy.Rational(1, problem.power)
    inverted = {item: each**-root for item, each in zip(problem.unknowns, inverse, strict=True)}
    replaced = problem.bound.subs(inverted, simultaneous=True)
    try:
        poly = sympy.Poly(sympy.expand(sympy.cancel(replaced)), *inverse)
    except sympy.PolynomialError:
        return None
    if poly.total_degree() > 1 or any(set(inverse) & item.free_symbols for item in poly.coeffs()):
        return None
    costs = [poly.coeff_monomial(item) for item in inverse]
    return poly.coeff_monomial(1), costs


def _left(problem: Problem, fixed: Any, costs: Sequence[Any], subset: tuple[int, ...]) -> Any:
    """What the other costs leave of the claim."""
    import sympy

    others = sum((costs[number] for number in range(len(costs)) if number not in subset), fixed)
    return sympy.factor(sympy.simplify(problem.claim - others))


def _noise_key(problem: Problem, fixed: Any, costs: Sequence[Any]) -> Any:
    """How noisy the best change of some sites is, at sizes that stand for all."""

    def key(subset: tuple[int, ...]) -> float:
        left = _sampled(_left(problem, fixed, costs, subset))
        if not left or left <= 0:
            return float("inf")
        shares = {n: abs(_sampled(problem.share(n, costs[n]))) ** (1 / problem.degree) for n in subset}
        total = sum(shares.values())
        noise = 0.0
        for number, weight in enumerate(problem.weights):
            value = _sampled(costs[number]) * total / (shares[number] * left) if shares.get(number) else 1.0
            noise += abs(_sampled(weight)) * value ** (2 / problem.power)
        return noise

    return key


def _sampled(item: Any) -> float:
    """The value where integers are 10 and reals are 1."""
    try:
        return float(item.subs({s: 10 if s.is_integer else 1 for s in item.free_symbols}))
    except TypeError:
        return 1.0


def _is_positive(item: Any) -> bool:
    """Whether it is positive for some parameters, and not known to be otherwise for others."""
    return item.is_positive is not False and _sampled(item) > 0


def _allocated(
    problem: Problem, costs: Sequence[Any], subset: tuple[int, ...], left: Any, names: Sequence[str]
) -> Iterator[Allocation]:
    """The allocation with the least noise; where ratios are irrational, also simpler ones."""
    import sympy

    paying = [number for number in subset if costs[number] != 0]
    if not paying:
        return
    first = paying[0]
    powers = {n: sympy.factor(problem.share(n, costs[n])) for n in paying}
    exact = {
        n: root_of(sympy.factor(sympy.cancel(powers[n] / powers[first])), problem.degree) for n in paying
    }
    irrational = {n: item for n, item in exact.items() if not _is_rational(item)}
    named: dict[Any, Any] = {}
    for item in irrational.values():
        named.setdefault(item, sympy.Symbol(names[len(named)], positive=True))
    shares = {n: named.get(item, item) for n, item in exact.items()}
    ratios = tuple((symbol, item) for item, symbol in named.items())
    yield Allocation(_values(problem, costs, shares, left), ratios, problem.exact)
    if not irrational:
        return
    if all(item.is_number for item in irrational.values()):
        near = {n: _near(item) if n in irrational else item for n, item in exact.items()}
        yield Allocation(_values(problem, costs, near, left), (), False)
    yield Allocation(_values(problem, costs, dict.fromkeys(paying, sympy.Integer(1)), left), (), False)


def _values(problem: Problem, costs: Sequence[Any], shares: Mapping[int, Any], left: Any) -> dict[int, Any]:
    import sympy

    total = sum(shares.values())
    powers = {n: sympy.factor(sympy.cancel(costs[n] * total / (item * left))) for n, item in shares.items()}
    return {n: root_of(item, problem.power) for n, item in powers.items()}


def _near(item: Any) -> Any:
    import sympy

    close = Fraction(float(item)).limit_denominator(_SMALL)
    return sympy.Rational(close.numerator, close.denominator)


def root_of(item: Any, degree: int) -> Any:
    """Return a root of something positive, up to the third: rational, or with the simplest number below it.

    A third root is written as exp(log(x)·n/3).
    """
    import sympy

    base, power = item, sympy.Integer(1)
    root = item if degree == 1 else _root(item, degree)
    if root is not None:
        return root
    if degree == 2:
        return sympy.sqrt(item)
    square = _root(item, 2)
    if square is not None:
        base, power = square, sympy.Integer(2)
    return sympy.exp(power * sympy.log(base, evaluate=False) / 3, evaluate=False)


def _root(item: Any, degree: int) -> Any:
    """The root if it is rational in the parameters, which are taken for positive; else None."""
    import sympy

    plain = {s: sympy.Dummy(s.name, positive=True) for s in item.free_symbols}
    root = sympy.powdenest(sympy.root(sympy.factor(item.subs(plain)), degree), force=True)
    root = root.subs({dummy: symbol for symbol, dummy in plain.items()})
    return root if _is_rational(root) else None


def _is_rational(item: Any) -> bool:
    import sympy

    if item.has(sympy.exp, sympy.log):
        return False
    return all(part.exp.is_Integer for part in item.atoms(sympy.Pow))
