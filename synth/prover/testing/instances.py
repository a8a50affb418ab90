"""Small adjacent inputs, chosen to be awkward: ties, extreme differences, long sequences.

A candidate strategy is tried on these before any solver sees it.  They only guide the search:
what survives here is proved for all inputs afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from synth.prover.testing.entries import Family, Index, new_family, scalar_pair
from synth.prover.testing.fact_models import made_to_abide
from synth.prover.testing.interpreter import Aborted, Number, Observer, Run, Silent, compile_expression
from synth.prover.testing.landmarks import landmarks
from synth.prover.testing.valuations import Valuation, lengths_of, public_run
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Instance:
    """Adjacent inputs: scalars of each run, entries, lengths."""

    valuation: Valuation
    scalars: tuple[dict[str, Number], dict[str, Number]]
    families: dict[str, Family]
    lengths: dict[str, int]

    def run(self, side: int, observer: Observer) -> Run:
        """A fresh run on one of the two inputs."""
        sequences: Mapping[str, Callable[[Index], Number]] = {
            name: family.side(side) for name, family in self.families.items()
        }
        return Run(dict(self.scalars[side]), sequences, self.lengths, observer)

    def resume(self, state: Mapping[str, Number]) -> Run:
        """Run 1 in a state that it was in, for looking at its values."""
        run = self.run(0, Silent())
        run.values.update(state)
        return run

    def upward(self, sequence: str) -> bool:
        """Whether run 2 has the larger entries."""
        return any(second > first for first, second in self.families[sequence].pairs.values())

    def change(self, sequence: str) -> Number:
        """By how much the one entry that differs is larger in run 2."""
        pairs = self.families[sequence].pairs.values()
        return next((second - first for first, second in pairs if first != second), 0)


@dataclass(frozen=True)
class Instances:
    """The adjacent inputs at some public values.

    ``bounds`` says by how much each parameter may differ, None where that has no sense; data that are
    ``near`` these numbers make a difference.
    """

    mechanism: ir.Mechanism
    valuation: Valuation
    lengths: dict[str, int]
    bounds: tuple[Fraction | None, ...]
    near: tuple[Number, ...]

    @staticmethod
    def of(mechanism: ir.Mechanism, valuation: Valuation) -> Instances:
        """What all of them have in common, which takes longer than to draw one."""
        lengths = lengths_of(mechanism, valuation.length)
        public = public_run(valuation, lengths)
        bounds = tuple(_bound(parameter.metric, public) for parameter in mechanism.parameters)
        return Instances(mechanism, valuation, lengths, bounds, landmarks(mechanism, valuation.scalars))

    def drawn(self, rng: random.Random) -> Instance | None:
        """A random one; None when the metrics have no sense at these parameters."""
        valuation = self.valuation
        left: dict[str, Number] = dict(valuation.scalars)
        right: dict[str, Number] = dict(valuation.scalars)
        families: dict[str, Family] = {}
        for parameter, bound in zip(self.mechanism.parameters, self.bounds, strict=True):
            if bound is None:
                return None
            if parameter.kind is ir.ParameterKind.SCALAR:
                if parameter.metric is not None:
                    left[parameter.name], right[parameter.name] = scalar_pair(parameter, bound, rng)
            else:
                families[parameter.name] = new_family(parameter, bound, valuation.length, rng, self.near)
        if self.mechanism.facts:
            made_to_abide(self.mechanism, valuation, families, rng)
        return Instance(valuation, (left, right), families, self.lengths)


def _bound(metric: ir.Metric | None, public: Run) -> Fraction | None:
    """By how much the inputs may differ at these parameters; None if that has no sense."""
    if metric is None or metric.bound is None:
        return Fraction(0)
    try:
        bound = Fraction(compile_expression(metric.bound)(public))
    except Aborted:
        return None
    return None if bound < 0 else bound
