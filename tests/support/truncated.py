"""Noise on finitely many cells, enclosed: what `synth.liftings.flow` can be asked about templates.

*Cells.*  An integer is a cell.  Of a real law each interval [j·h, (j+1)·h) counts as one value.  Centres and
shifts are multiples of h, so v2 == v1 + k relates values at the same place in two cells if it relates their
ends.  Merging values turns a lifting into one of the merged laws, with the same ε and δ: its two witnesses
are summed up over pairs of cells.  So "no" on cells is "no" on the reals, and "yes" has to be true for each
h.  It is enough, too, up to what the density changes inside a cell: if its logarithm changes by at most c
there, the densities of v and v + k differ by at most exp(ε + 2c).

*Truncation.*  Let P1, P2 be laws, W1, W2 finite windows, mi = Pi(Wi), and μi = Pi/mi on Wi: cut off and
renormalized.  The windows reach equally far to both sides of the centres, so m1 = m2 where the law depends on
the distance to the centre only, as it should.  Let L be those values of W1 whose partner is not in W2.  If P1
and P2 are related with (ε, δ), then for each X ⊆ W1, as the partners of X \\ L are in W2,

    μ1(X) ≤ μ1(L) + P1(X \\ L)/m1 ≤ μ1(L) + (exp(ε)·P2(partners of X \\ L) + δ)/m1
          ≤ exp(ε)·μ2(partners of X) + μ1(L) + δ/m1.

So μ1 and μ2 are related with (ε, μ1(L) + δ/m1).  That is what the truncation costs, and "no" there says that
P1 and P2 are not related with (ε, δ).

*Rounding.*  Masses are irrational.  "yes" is asked of μ1 from above and μ2 from below, "no" of μ1 from below
and μ2 from above.  Both with ``ROUNDING`` added to δ, which is more than all masses are rounded by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any

import pytest
from flint import acb, arb

from synth.liftings.flow import Answer, decide
from synth.prover.templates.evaluation import Value, compile_tree
from synth.prover.templates.formula import Apply, Formula, Name, Number, Tree, Truth, replace_names
from synth.prover.templates.loading import load_templates
from synth.prover.templates.template import SHIFT, Coupling, Template
from synth.refuter.exact.laws import Enclosure, to_arb
from synth.trusted.program import syntax as ir

Exact = int | Fraction
Centers = tuple[Exact, Exact]
Pair = tuple[int, int]
"""Two cells by their numbers: number j begins at j·h, on the integers at j."""

EDGE, MARGIN = Fraction(1, 2**16), 5
"""A window ends so far beyond cells that have less than this part of the central cell's mass."""

ROUNDING = Fraction(1, 2**40)
WIDTH = Fraction(1, 2)
"""Of the cells of real laws."""

SMALLEST = arb(2) ** -1000
"""Errors of integrals are relative down to this."""


# --- laws -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """A template's law at a centre and scale, on the cells of a window, cut off and renormalized."""

    masses: Mapping[int, arb]
    beyond: arb
    """The mass that was cut off, before renormalization: an upper bound."""

    @cached_property
    def low(self) -> dict[int, Fraction]:
        """The masses from below."""
        return {cell: max(Fraction(0), Enclosure.of(mass).low) for cell, mass in self.masses.items()}

    @cached_property
    def high(self) -> dict[int, Fraction]:
        """The masses from above: what they have above ``low``, times exp(ε), is less than ``ROUNDING``."""
        found = {cell: Enclosure.of(mass).high for cell, mass in self.masses.items()}
        assert sum(found.values()) - sum(self.low.values()) < ROUNDING / 2**20
        return found

    @cached_property
    def inverse_of_kept(self) -> Fraction:
        """1/m1, from above."""
        return Enclosure.of(1 / (1 - self.beyond)).high


def width(sort: ir.Sort) -> Exact:
    """Of a cell."""
    return 1 if sort is ir.Sort.INT else WIDTH


@cache
def law(template: Template, sort: ir.Sort, center: Exact, scale: Fraction) -> Law:
    """The law of a template on a window that reaches equally far to both sides of its centre."""
    weigh, step = _weigher(template, sort, center, scale), width(sort)
    middle = int(center / Fraction(step))
    first, edge = weigh(middle), to_arb(EDGE)
    reach = 1
    while not (weigh(middle + reach) < edge * first and weigh(middle - reach) < edge * first):
        reach += 1
    reach += int(MARGIN / Fraction(step))
    cells = range(middle - reach, middle + reach + (sort is ir.Sort.INT))
    assert is_concave(template, center, scale, [cell * step for cell in cells]), "no bound of the tails"
    weights = {cell: weigh(cell) for cell in cells}
    total = sum(weights.values(), arb(0))
    beyond = _tail(weigh, cells[-1], 1) + _tail(weigh, cells[0], -1)
    return Law({cell: weight / total for cell, weight in weights.items()}, beyond / (total + beyond))


def _tail(weigh: Callable[[int], arb], end: int, way: int) -> arb:
    """The weight of all cells behind the last one, where the logarithm of the density is concave.

    Then that of the cells' weights is, too: behind the end each is at most the same part of the one before.
    """
    last, after = weigh(end), weigh(end + way)
    return after / (1 - after / last) if not last.is_zero() else after


def is_concave(template: Template, center: Exact, scale: Fraction, cells: Sequence[Exact]) -> bool:
    """Whether the log density is, at these cells, which stand one after the other."""
    density = compile_tree(template.log_density.tree)
    parameters: dict[str, Value] = dict(zip(template.parameters, (center, scale), strict=True))
    values = [Fraction(density({**parameters, "v": cell})) for cell in cells]
    steps = [second - first for first, second in pairwise(values)]
    return all(second <= first for first, second in pairwise(steps))


def _weigher(template: Template, sort: ir.Sort, center: Exact, scale: Fraction) -> Callable[[int], arb]:
    """A cell's mass, but for a factor."""
    parameters: dict[str, Value] = dict(zip(template.parameters, (center, scale), strict=True))
    supported = compile_tree(template.support.tree)
    density = compile_tree(template.log_density.tree)

    def of_integer(cell: int) -> arb:
        values = {**parameters, "v": cell}
        return to_arb(Fraction(density(values))).exp() if supported(values) else arb(0)

    def of_interval(cell: int) -> arb:
        points = ((cell + Fraction(place, 8)) * WIDTH for place in (0, 1, 4, 7))
        inside = {supported({**parameters, "v": point}) for point in points}
        assert len(inside) == 1, "a cell is in the support, or it is not"
        return _integral(template.log_density.tree, parameters, cell) if inside == {True} else arb(0)

    return cache(of_integer if sort is ir.Sort.INT else of_interval)


def _integral(log_density: Tree, parameters: Mapping[str, Value], cell: int) -> arb:
    """The density's integral over a cell, enclosed by FLINT."""
    balls = {name: acb(to_arb(Fraction(value))) for name, value in parameters.items()}

    def density(v: acb, analytic: bool) -> acb:
        return _on_balls(log_density, {**balls, "v": v}, analytic).exp()

    ends = (acb(to_arb(Fraction(end * WIDTH))) for end in (cell, cell + 1))
    return acb.integral(density, *ends, abs_tol=SMALLEST).real


def _on_balls(tree: Tree, values: Mapping[str, acb], analytic: bool) -> acb:
    """A number's formula on complex balls; not finite where it has to be ``analytic`` and isn't."""
    match tree:
        case Number(value=value):
            return acb(to_arb(value))
        case Name(name=name):
            return values[name]
        case Apply(operator=operator, arguments=arguments):
            first, *rest = (_on_balls(item, values, analytic) for item in arguments)
            if operator in ("neg", "abs"):
                return -first if operator == "neg" else first.real_abs(analytic=analytic)
            for other in rest:
                first = _combined(operator, first, other, analytic)
            return first
    raise AssertionError("a truth value in a density")


def _combined(operator: str, first: acb, second: acb, analytic: bool) -> acb:
    match operator:
        case "+":
            return first + second
        case "-":
            return first - second
        case "*":
            return first * second
        case "/":
            return first / second
        case "min":
            return first.real_min(second, analytic=analytic)
        case "max":
            return first.real_max(second, analytic=analytic)
    raise AssertionError(operator)


# --- couplings ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """Two draws of one noise, coupled as a template says; k counts only where the strategy chooses it."""

    template: Template
    coupling: Coupling
    sort: ir.Sort
    scale: Fraction
    centers: Centers
    k: Exact

    @cached_property
    def _values(self) -> dict[str, Value]:
        name = self.template.parameters[0]
        return {f"{name}1": self.centers[0], f"{name}2": self.centers[1], SHIFT: self.k}

    @property
    def allowed(self) -> bool:
        """Whether the template's requirement holds."""
        coupling = self.coupling
        return bool(compile_tree(coupling.in_terms_of_centres(coupling.requirement_formula))(self._values))

    @property
    def distance(self) -> Fraction:
        """What the template says that the noise is moved by."""
        coupling = self.coupling
        tree = coupling.in_terms_of_centres(coupling.distance_formula)
        return Fraction(compile_tree(tree)(self._values))

    @property
    def cost(self) -> Fraction:
        """What the template says that the coupling costs, in nats."""
        return self.distance / self.scale

    @property
    def laws(self) -> tuple[Law, Law]:
        """Those of the two draws."""
        first, second = (law(self.template, self.sort, center, self.scale) for center in self.centers)
        return first, second

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """The cells that the template's relation relates."""
        related = compile_tree(self.coupling.in_terms_of_centres(self.coupling.relation))
        step, values, (left, right) = width(self.sort), dict(self._values), self.laws
        found = []
        for first in left.masses:
            values["v1"] = first * step
            for second in right.masses:
                values["v2"] = second * step
                if related(values):
                    found.append((first, second))
        return frozenset(found)

    def truncation(self, delta: Fraction = Fraction(0)) -> Fraction:
        """What a δ becomes by cutting off and renormalizing."""
        left = self.laws[0]
        partnered = {first for first, _ in self.pairs}
        cut_off = sum(mass for cell, mass in left.high.items() if cell not in partnered)
        assert cut_off < Fraction(1, 2**16), "what is cut off must not hide what is wrong"
        return cut_off + left.inverse_of_kept * delta + ROUNDING

    def holds(self, epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
        """Whether the truncated laws are surely related, as they are if the whole ones are with (ε, δ)."""
        return self.surely(Answer.YES, self.pairs, epsilon, self.truncation(delta))

    def fails(self, epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
        """Whether the truncated laws surely aren't related, hence the whole ones aren't with (ε, δ)."""
        return self.surely(Answer.NO, self.pairs, epsilon, self.truncation(delta))

    def surely(self, answer: Answer, pairs: frozenset[Pair], epsilon: Fraction, delta: Fraction) -> bool:
        """Whether this is the answer for some pairs, however the masses are rounded."""
        left, right = self.laws
        first, second = (left.high, right.low) if answer is Answer.YES else (left.low, right.high)
        return decide(first, second, lambda a, b: (a, b) in pairs, epsilon, delta).answer is answer


SCALES = {
    ir.Sort.INT: (Fraction(1, 2), Fraction(7, 4)),
    ir.Sort.REAL: (Fraction(1, 2), Fraction(1)),
}
CENTERS: dict[ir.Sort, tuple[Centers, ...]] = {
    ir.Sort.INT: ((0, 0), (0, 1), (2, -1)),
    ir.Sort.REAL: ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1, 2))),
}
SHIFTS: dict[ir.Sort, tuple[Exact, ...]] = {
    ir.Sort.INT: (-2, 0, 1),
    ir.Sort.REAL: (Fraction(-3, 2), Fraction(0), Fraction(1, 2)),
}


def uses(template: Template, coupling: Coupling, sort: ir.Sort) -> Iterator[Use]:
    """Uses of a coupling at small parameters that the template allows; its own requirement may be false."""
    valid = compile_tree(template.requirement.tree)
    for scale in SCALES[sort]:
        for centers in CENTERS[sort]:
            named = (dict(zip(template.parameters, (center, scale), strict=True)) for center in centers)
            if not all(valid(values) for values in named):
                continue
            for k in SHIFTS[sort] if coupling.free else SHIFTS[sort][:1]:
                yield Use(template, coupling, sort, scale, centers, k)


# --- which couplings ------------------------------------------------------------------------

TEMPLATES = load_templates()
Case = tuple[Template, Coupling, ir.Sort]


def cases(*, lemma: bool) -> list[Any]:
    """The couplings of all templates that rest on a lemma, or of all others, on each sort."""
    return [
        pytest.param((template, coupling, sort), id=f"{template.name}-{coupling.name}-{sort.value}")
        for template, coupling, sort in _cases(lemma)
    ]


def _cases(lemma: bool) -> Iterator[Case]:
    for template in TEMPLATES.values():
        if (template.lemma is not None) is lemma:
            yield from product((template,), template.couplings, template.sorts)


@cache
def allowed(case: Case) -> tuple[Use, ...]:
    """Uses of the coupling whose requirement holds."""
    found = tuple(use for use in uses(*case) if use.allowed)
    assert found, "the template is not tested at all"
    return found


def wrong_cases(*, lemma: bool) -> list[Any]:
    """The couplings with one fault each, where it makes a difference."""
    found = []
    for (template, coupling, sort), (fault, change) in product(_cases(lemma), FAULTS.items()):
        known = list(uses(template, coupling, sort))
        free = fault == HALF and not any(use.distance for use in known)
        idle = fault == ANYWHERE and all(use.allowed for use in known)
        if not free and not idle:
            name = f"{template.name}-{coupling.name}-{sort.value}-{fault}"
            found.append(pytest.param((template, change(coupling), sort), id=name))
    return found


def _tree(formula: Formula, change: Callable[[Tree], Tree]) -> Formula:
    return Formula(f"{formula.text}, changed", change(formula.tree))


def _moved(by: int) -> Callable[[Coupling], Coupling]:
    """Run 2's draw is another one than the cost is for."""
    image = Apply("+", (Name("v1"), Number(Fraction(by))))

    def change(coupling: Coupling) -> Coupling:
        moved = _tree(coupling.relation, lambda tree: replace_names(tree, {"v1": image}))
        return replace(coupling, relation=moved)

    return change


def _halved(coupling: Coupling) -> Coupling:
    half = Number(Fraction(1, 2))
    return replace(
        coupling, distance_formula=_tree(coupling.distance_formula, lambda tree: Apply("*", (half, tree)))
    )


def _without_requirement(coupling: Coupling) -> Coupling:
    return replace(coupling, requirement_formula=_tree(coupling.requirement_formula, lambda _: Truth(True)))


HALF, ANYWHERE = "half the cost", "no requirement"
FAULTS: dict[str, Callable[[Coupling], Coupling]] = {
    HALF: _halved,
    "a shift too large by 1": _moved(1),
    "a shift too small by 1": _moved(-1),
    ANYWHERE: _without_requirement,
}
