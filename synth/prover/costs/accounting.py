"""Where the payments of a coupling go: ghost counters, and the bounds on them that are to be proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pysmt.typing import PySMTType

from synth.bounds.scales import opaque_parts
from synth.prover.costs.cases import CaseKey
from synth.prover.costs.potentials import Indexed, PotentialCost
from synth.prover.costs.weights import Weighing
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Cost

Amount = int | tuple[Fraction, ir.Expression]
"""So many uses, in units of the counter; or the product of a factor and a public expression, in nats."""


@dataclass(frozen=True)
class Shared:
    """The part of the square of a sequence's l2 distance that the entry has which was read last."""

    source: str


@dataclass(frozen=True)
class Account:
    """Where the payments of one case go: a ghost counter, and how much one use adds to it.

    An integer counts uses, in units of the counter.  A factor and a public expression of the
    program add their product, in nats.  With None the distance itself is added (costs that are
    summed up as they come).  A potential cost adds what its potential rises by in this iteration.
    """

    ghost: Cost
    amount: Amount | PotentialCost | Shared | None


@dataclass(frozen=True)
class Accounting:
    """Accounts per site and case, and the bounds to prove: public expressions of sort int or real.

    ``against`` names, for a counter, a variable of the program that keeps the same account; at
    loop heads the invariant then speaks of what that variable is ahead by.

    ``potential_costs`` are counters that a potential bounds, whatever the runs do: their invariants are
    known, and no clause is about them.  ``indexed`` are the sites whose prices depend on what a loop counts,
    ``weighings`` the draws whose weights differ.  ``orders`` are counters that count in one order of the
    entries of a monotone parameter only, in the other one they stay 0.  ``prices`` names the parts of prices
    that are no rational functions.
    """

    accounts: Mapping[CaseKey, Account]
    bounds: Mapping[Cost, ir.Expression]
    sorts: Mapping[Cost, PySMTType]
    against: Mapping[Cost, str] = field(default_factory=dict)
    potential_costs: Mapping[Cost, PotentialCost] = field(default_factory=dict)
    indexed: Mapping[int, Indexed] = field(default_factory=dict)
    weighings: Mapping[int, Weighing] = field(default_factory=dict)
    orders: Mapping[Cost, tuple[str, bool]] = field(default_factory=dict)
    prices: Mapping[str, ir.Expression] = field(default_factory=dict)

    def opaque_definitions(self) -> dict[str, ir.Expression]:
        """What the variables of prices mean that are no parameters, apart from public scales."""
        found = dict(self.prices)
        for potential_cost in self.potential_costs.values():
            found |= {**opaque_parts(potential_cost.weight), **opaque_parts(potential_cost.potential.bound())}
        return found
