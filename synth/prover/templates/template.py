"""What a template file declares: a distribution and the couplings of two of its draws."""

from __future__ import annotations

from dataclasses import dataclass

from synth.prover.horn import terms
from synth.prover.horn.terms import FNode
from synth.prover.templates.formula import Formula, Tree, replace_names
from synth.trusted.program import syntax as ir

SHIFT = "k"
"""The name of the shift in the formulas of a coupling."""


@dataclass(frozen=True)
class Coupling:
    """A way to couple two draws: run 2's is run 1's, shifted by ``k``.

    ``shift_formula`` is ``k`` itself where the strategy chooses the shift before the draw
    (``free``), else the shift as a formula over the two centres.  The other formulas are over the
    centres and ``k``; ``relation`` also over the draws ``v1`` and ``v2``.  ``source`` says where
    the coupling is proved.  ``parameters`` are the names of the distribution's parameters.
    """

    name: str
    parameters: tuple[str, str]
    relation: Formula
    shift_formula: Formula
    requirement_formula: Formula
    distance_formula: Formula
    source: str

    @property
    def free(self) -> bool:
        """Whether the strategy chooses k."""
        return SHIFT in self.shift_formula.names

    def shift(self, center1: FNode, center2: FNode, k: FNode | None = None) -> FNode:
        """The shift: run 2's draw is run 1's plus this.  ``k`` is only looked at if ``free``."""
        return self._term(self.shift_formula.tree, center1, center2, k)

    def requirement(self, center1: FNode, center2: FNode, k: FNode | None = None) -> FNode:
        """What must hold before the draws for the coupling to exist."""
        return self._term(self.in_terms_of_centres(self.requirement_formula), center1, center2, k)

    def distance(self, center1: FNode, center2: FNode, k: FNode | None = None) -> FNode:
        """The coupling costs ε = distance / scale; in the unit of the centres, at least 0."""
        return self._term(self.in_terms_of_centres(self.distance_formula), center1, center2, k)

    def in_terms_of_centres(self, formula: Formula) -> Tree:
        """A formula of this coupling, with the shift written out."""
        return replace_names(formula.tree, {SHIFT: self.shift_formula.tree})

    def _term(self, tree: Tree, center1: FNode, center2: FNode, k: FNode | None) -> FNode:
        """A tree as a term; real if an argument is, also where only numerals are left."""
        center = self.parameters[0]
        values = {f"{center}1": center1, f"{center}2": center2}
        if k is not None:
            values[SHIFT] = k
        term = Formula("", tree).term(values)
        real = any(terms.sort_of(value) == terms.SORTS[ir.Sort.REAL] for value in values.values())
        is_number = terms.sort_of(term) == terms.SORTS[ir.Sort.INT]
        return terms.to_real(term) if real and is_number else term


@dataclass(frozen=True)
class Template:
    """A distribution ``name(center, scale)``, as its file declares it.

    ``parameters`` are the names of the centre and of the scale, in the order of a call's
    arguments.  ``log_density`` is the logarithm of the density or probability of ``v``, up to a
    term that is equal for all centres, over ``v`` and the parameters.  ``support`` says which
    ``v`` can be drawn, ``requirement`` which parameters are allowed.  ``sorts`` are those of the
    centre, and so of the draw.  ``path`` is the file that declares the distribution.  With a ``lemma``
    the couplings cost what that says, which no solver decides; only synth's own files may have one.
    """

    name: str
    parameters: tuple[str, str]
    sorts: tuple[ir.Sort, ...]
    log_density: Formula
    support: Formula
    requirement: Formula
    symmetric: bool
    couplings: tuple[Coupling, ...]
    source: str
    path: str
    lemma: str | None = None

    def coupling(self, name: str) -> Coupling:
        """The coupling of that name.  Raises KeyError."""
        for coupling in self.couplings:
            if coupling.name == name:
                return coupling
        raise KeyError(name)

    def free_coupling(self) -> Coupling:
        """The coupling whose shift the strategy chooses.  Raises KeyError if there is none."""
        for coupling in self.couplings:
            if coupling.free:
                return coupling
        raise KeyError(self.name)

    def valid_parameters(self, center: FNode, scale: FNode) -> FNode:
        """What a call's arguments must satisfy; the scale is a real term."""
        values = dict(zip(self.parameters, (center, scale), strict=True))
        return self.requirement.term(values, self.parameters[1])

    def support_at(self, v: FNode, center: FNode) -> FNode:
        """Whether ``v`` can be drawn."""
        return self.support.term({"v": v, self.parameters[0]: center})
