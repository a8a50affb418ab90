"""The couplings of a certificate as a table: per sampling site, when which coupling is used at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import NotConstant, Scales
from synth.trusted.kernel.certificate import Cost, Node
from synth.trusted.kernel.decoding import NO_MASS
from synth.trusted.logic.codes import Code
from synth.trusted.logic.encoding import Evaluation
from synth.trusted.logic.inputs import Inputs
from synth.trusted.logic.terms import Term, read, substitute
from synth.trusted.program import syntax as ir
from synth.trusted.program.weights import weighed
from synth.views.certificate.draws import INTERVAL, is_null
from synth.views.certificate.guards import Guards, Row
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import CROSSING, PlainNames
from synth.views.certificate.steps import Reading, Step
from synth.views.results import Site, SiteCase

SQUARES = "mu**2"
"""What the squares of distance/sigma sum up to, for real Gaussian noise."""


@dataclass(frozen=True)
class Couplings:
    """Writes the table of one derivation; ``output`` is what its output is called in notes.

    All methods raise Rejected where the certificate doesn't say what a rule needs.
    """

    reading: Reading
    output: str = "the output of run 1"

    @cached_property
    def names(self) -> PlainNames:
        """What symbols are called."""
        return PlainNames(self.reading.mechanism, self.reading.certificate)

    @cached_property
    def agreeing(self) -> frozenset[str]:
        """The variables that agree in both runs wherever they are read; and the lengths of lists, which
        grow alike.
        """
        mechanism = self.reading.mechanism
        private = self.names.analysis.tainted(
            frozenset(item.branch for item in self.reading.observable_branches())
        )
        names = {*mechanism.variables, *(item.name for item in mechanism.parameters)} - private
        return frozenset(names | {f"len({name})" for name in mechanism.lists})

    @cached_property
    def writer(self) -> Plain:
        """The writer of what stands at sampling sites."""
        known = self.reading.known
        merged = {_same(name): known[symbol] for name in self.agreeing if (symbol := f"|{name}<1>|") in known}
        return Plain(self.names, {**known, **merged}, self.agreeing)

    def sites(self) -> tuple[Site, ...]:
        """All sampling sites in the order of the program."""
        return tuple(
            self._noise(step, draw) if isinstance(draw, ir.Draw) else self._choice(step, draw)
            for step, draw in self._draws
        )

    @property
    def draws(self) -> tuple[Step, ...]:
        """The steps of the sampling sites, as :meth:`sites` lists them."""
        return tuple(step for step, _ in self._draws)

    @cached_property
    def _draws(self) -> list[tuple[Step, ir.Draw | ir.Choose]]:
        found = [
            (step, step.statement)
            for step in self.reading.all_steps()
            if isinstance(step.statement, ir.Draw | ir.Choose)
        ]
        return sorted(found, key=lambda item: (item[1].span, item[1].site))

    def notes(self) -> Iterator[str]:
        """What the names for run 1's coming outputs mean, as far as conditions use them."""
        asked = {name for step, _ in self._draws for name in self._guards(step).events()}
        kinds = {tuple(name.removeprefix("next#").split(".", 2)[:2]) for name in asked}
        if any(kind == "branch" for kind, _ in kinds):
            yield '"condition true next": so it will be when run 1 comes to that line next'
        if any(kind == "return" for kind, _ in kinds):
            name = self.names.output
            parts = f"; {name}.0, {name}.1, … are its parts" if self.names.returns_several else ""
            yield f"{name} is {self.output}{parts}"
        for source in sorted(source for kind, source in kinds if kind == "append"):
            name = self.names.variable(source)
            yield f"next({name}) is what run 1 appends to {name} next"
        for _, draw in self._draws:
            if draw.target.endswith(CROSSING):
                said = "just if this noise is large, which has the same chance"
                coin = f"in line {draw.span.line} a coin is tossed as noise"
                yield f"{coin}: it shows its seldom side {said}"

    # --- noise ------------------------------------------------------------------------------

    def _noise(self, step: Step, draw: ir.Draw) -> Site:
        rows = self._guards(step).rows(self.coupling(draw, leaf) for _, leaf in step.couplings)
        rest = _rest(rows)
        shown = [SiteCase(row.when, *row.coupling) for row in rows if row.coupling != rest]
        if rest is not None:
            shown.append(SiteCase("otherwise", *rest))
        return Site(draw.span.line, draw.distribution, self._call(draw), (*shown, *self._tail(step)))

    def _guards(self, step: Step) -> Guards:
        whens = [when for when, _ in step.couplings if when is not None]
        return Guards(tuple(whens), self._of_one_run)

    @cached_property
    def _of_one_run(self) -> Plain:
        """The writer of what is said of one run, which needs no marks."""
        everything = self.agreeing | frozenset(self.reading.mechanism.variables)
        return Plain(self.names, self.reading.known, everything)

    def _call(self, draw: ir.Draw) -> str:
        arguments = ", ".join(self.names.code(item) for item in draw.arguments)
        call = f"{draw.distribution}({arguments})"
        hidden = self.names.is_hidden(draw.target)
        return call if hidden else f"{self.names.variable(draw.target)} = {call}"

    def _tail(self, step: Step) -> Iterator[SiteCase]:
        match step.node.fields.get("tail"):
            case None:
                return
            case ["above" | "both" as side, str(limit), str(name)]:
                away = "away from its centre" if side == "both" else "above its centre"
                mass = self.writer.written(self._account(step.node, name).delta)
                when = f"by {self.writer.written(read(limit))} or more {away}"
                if "tail_when" in step.node.fields:
                    when += f", where {self.writer.written(step.node.term('tail_when'))}"
                yield SiteCase(when, "given up", "0", f"(0, {mass})")
            case _:
                raise step.node.reject(Code.MALFORMED_TAIL())

    def coupling(self, draw: ir.Draw, leaf: Node) -> tuple[str, str, str]:
        """How one case couples a draw: the kind, k, and the cost."""
        if leaf.rule == INTERVAL:
            return "interval", self._interval(leaf), self._payments(leaf, "moved", "squeezed")
        center = self._difference(draw.arguments[0])
        if is_null(leaf):
            return "null", self.writer.term(center), "0"
        shift = self._agreed(leaf.term("k"))
        return "shift", self.writer.term(shift), self._cost(leaf, ("-", shift, center))

    def _interval(self, leaf: Node) -> str:
        (low, high), (low_2, high_2) = (
            [self._agreed(end) for end in leaf.interval(field)] for field in ("from", "to")
        )
        writer = self._of_one_run
        one, two = (f"{writer.term(a)} to {writer.term(b)}" for a, b in ((low, high), (low_2, high_2)))
        return f"from {one} in run 1, to {'the same' if one == two else two} in run 2"

    def _cost(self, leaf: Node, distance: Term) -> str:
        """What a shift costs; ``distance`` is how far the noise is moved against its centre."""
        if "cost" not in leaf.fields:
            return "0"
        cost = self._account(leaf, str(leaf.fields["cost"]))
        if leaf.fields.get("amount") == "distance":
            moved, weight = self.writer.distance(distance), self.writer.written(cost.square or cost.weight)
            written = moved if weight == "1" else f"{_factor(weight)}*{moved}"
            return written if cost.square is None else f"{written} in {SQUARES}"
        if leaf.fields.get("amount") == "share" and cost.square is not None:
            source, _ = leaf.value(tuple[str, str], "of")
            return f"{_factor(self.writer.written(cost.square))}*{source}.share in {SQUARES}"
        amount = self.writer.rational(leaf.term("amount"))
        if cost.square is not None:
            return f"{self._times(amount, cost.square)} in {SQUARES}"
        written = self._times(amount, cost.weight)
        return f"({written}, {self._times(amount, cost.delta)})" if cost.delta != NO_MASS else written

    # --- finitely many values ---------------------------------------------------------------

    def _choice(self, step: Step, draw: ir.Choose) -> Site:
        """Both runs draw the same value; the cases are those in which that costs something."""
        cases = [SiteCase(when, "equal", "0", cost) for when, cost in self._prices(step, draw)]
        if not cases or isinstance(draw.law, ir.Chances) or weighed(draw.law) is not None:
            cases.append(SiteCase("otherwise" if cases else "always", "equal", "0", "0"))
        shown = draw.distribution
        if "%" not in draw.target:
            shown = f"{self.names.variable(draw.target)} = {shown}"
        return Site(draw.span.line, draw.distribution, shown, tuple(dict.fromkeys(cases)))

    def _prices(self, step: Step, draw: ir.Choose) -> Iterator[tuple[str, str]]:
        node = step.node
        if isinstance(draw.law, ir.Chances):
            for pair, (name, amount) in sorted(step.pairs[1].items()):
                cost = self._account(node, name)
                yield self._pair(draw, draw.law, pair), self._times(self.writer.rational(amount), cost.weight)
        elif node.rule == "Weigh":
            if "own" in node.fields:
                yield "its weight is larger in run 1", self._payments(node, "own")
            if "total" in node.fields:
                yield "weights are larger in run 2", self._payments(node, "total")
        elif "cost" in node.fields:
            cost = self._account(node, str(node.fields["cost"]))
            yield "always", self._times(self.writer.rational(node.term("amount")), cost.weight)

    def _pair(self, draw: ir.Choose, law: ir.Chances, pair: tuple[int, int]) -> str:
        chances = [
            self._chance(law.outcomes[place][1], draw) if place < len(law.outcomes) else "0" for place in pair
        ]
        return f"its chance is {chances[0]} in run 1 and {chances[1]} in run 2"

    def _chance(self, probability: ir.Expression, draw: ir.Choose) -> str:
        try:
            shortened = Scales(self.reading.mechanism).rational(probability, draw.span)
            return rational_text(shortened, self.names.budgets())
        except NotConstant:
            return self.names.code(probability)

    # --- terms ------------------------------------------------------------------------------

    def _account(self, node: Node, name: str) -> Cost:
        cost = self.reading.certificate.costs.get(name)
        if cost is None:
            raise node.reject(Code.NO_SUCH_COST(name=name))
        return cost

    def _payments(self, node: Node, *fields: str) -> str:
        """What is paid into several costs."""
        return " + ".join(self._payment(node, field) for field in fields)

    def _payment(self, node: Node, field: str) -> str:
        name, amount = node.payment(field)
        return self._times(self.writer.rational(amount), self._account(node, name).weight)

    def _times(self, amount: Rational, price: Term) -> str:
        return self.writer.number(amount * self.writer.rational(price))

    def _difference(self, expression: ir.Expression) -> Term:
        """By how much an expression is larger in run 2."""
        right, left = (self._agreed(self._state(expression, run)) for run in (2, 1))
        return ("-", right, left)

    def _state(self, expression: ir.Expression, run: int) -> Term:
        mechanism = self.reading.mechanism
        names = [*mechanism.variables, *(item.name for item in mechanism.parameters)]
        names += [f"len({name})" for name in mechanism.lists]
        values: dict[str, Term] = {name: f"|{name}<{run}>|" for name in names}
        return Evaluation(Inputs(mechanism, {}), run, values, {}, {}, frozenset()).term(expression)

    def _agreed(self, term: Term) -> Term:
        """The term with one symbol for what is the same in both runs."""
        same: dict[str, Term] = {f"|{name}<{run}>|": _same(name) for name in self.agreeing for run in (1, 2)}
        return substitute(term, same)


def _same(name: str) -> str:
    """The symbol of what is the same in both runs."""
    return f"|{name}<>|"


def _rest(rows: list[Row]) -> tuple[str, str, str] | None:
    """The coupling that most rows share, if there are several such rows and others beside them."""
    counts = Counter(row.coupling for row in rows)
    if not counts:
        return None
    coupling, most = counts.most_common(1)[0]
    return coupling if 1 < most < len(rows) else None


def _factor(written: str) -> str:
    return f"({written})" if " " in written and not written.startswith("(") else written
