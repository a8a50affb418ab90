"""The rules of a derivation as inference figures in LaTeX: one figure per statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import returned_lists
from synth.views.certificate.argument import invariant
from synth.views.certificate.draws import Coupled, coupled
from synth.views.certificate.outcomes import chanced, relation, weighing, weighted
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.typesetting import code, math

FREE = "0"
_ADJACENT = r"\mathsf{adjacent}"
_SAME_WAY = r"c\langle 1\rangle =c\langle 2\rangle "
_CENTERS = ("e⟨1⟩", "e⟨2⟩")
_IN_A_ROW = 8
_PAIRS = 4


def figure(rule: str, premises: Sequence[str], conclusion: str) -> str:
    """An inference figure, in math mode."""
    above = r"\\".join(premises) or r"\strut"
    return rf"\infer{{{rule}}}{{{above}}}{{{conclusion}}}"


def judgment(program: str, cost: str, before: str, after: str, mass: str = FREE) -> str:
    """A judgment about a program and itself; without a cost it is what the ghosts count."""
    index = rf"_{{\langle {cost},{mass}\rangle}}" if cost else ""
    return rf"\vdash {program}\sim {index}{program}:{before}\Longrightarrow {after}"


def guard(place: int) -> str:
    """What the figures call the condition of a case."""
    return rf"\mathsf{{when}}_{{{place}}}"


@dataclass(frozen=True)
class Figures:
    """Draws the figures of a proof; ``numbers`` numbers its steps by their places in the certificate."""

    reading: Reading
    numbers: Mapping[str, int]

    def goal(self) -> str:
        """The judgment that is proved."""
        equal = r"\mathsf{out}\langle 1\rangle =\mathsf{out}\langle 2\rangle "
        epsilon, delta = self._bound()
        return judgment(r"\mathsf{M}", epsilon, _ADJACENT, equal, delta)

    def root(self) -> str:
        """[Forall-Eq], over the whole program."""
        epsilon, delta = self._bound()
        body = judgment(self._body(self.reading.steps), epsilon, _ADJACENT, self._observables(), delta)
        every = math(self.reading.names.output) + (r"\text{ at once}" if self.reading.at_once() else "")
        return figure("Forall-Eq", [rf"\forall {every}.\quad {body}", *self._noise()], self.goal())

    def _noise(self) -> list[str]:
        """[Norm], of all Gaussian noise at once."""
        if not self.reading.squares():
            return []
        paid = self.reading.noise_paid()
        cost = "" if paid is None else rf"\text{{ costs }}\langle {math(paid[0])},{math(paid[1])}\rangle"
        return [rf"\mu^2={math(self.reading.squares())}{cost}"]

    def sequence(self, steps: tuple[Step, ...]) -> str:
        """[Seq], over the figures of some statements."""
        above = [rf"\mathcal D_{{{self._number(step)}}}" for step in steps]
        rows = [r"\quad ".join(above[at : at + _IN_A_ROW]) for at in range(0, len(above), _IN_A_ROW)]
        return figure("Seq", rows, judgment(self._body(steps), "", r"\Phi", r"\Psi"))

    def step(self, step: Step) -> str:
        """The rule at one statement."""
        own, rule = self.statement(step), step.node.rule
        match step.statement:
            case ir.Draw():
                return self._draw(step)
            case ir.Choose() as draw:
                by_rule = {"Chance": self._by_chance, "Choice": self._by_score, "Weigh": self._by_weight}
                cost, above = by_rule[rule](step)
                after = math(relation(self.reading, draw).text)
                return figure(rule, above, judgment(own, cost, r"\Phi", after))
            case ir.Assign(target=target):
                facts = [math(self.reading.infix().formula(fact)) for fact in step.node.terms("facts")]
                return figure(
                    rule, facts, judgment(own, FREE, rf"\Phi\{{{self._changed(target)}\}}", r"\Phi")
                )
            case ir.If() if rule == "Cond":
                return self._branch(step)
            case ir.If():
                inner = figure("Cond-R", [], judgment(own, FREE, r"\Phi", r"\Psi"))
                return figure(rule, [inner], judgment(own, FREE, r"\Phi", r"\Psi"))
            case ir.Loop():
                theta = rf"\Theta_{{{self._number(step)}}}"
                body = judgment(self._body(step.bodies[0]), "", theta, theta)
                return figure(rule, [body], judgment(own, "", theta, r"\Psi"))
            case _ if step.bodies:
                body = judgment(self._body(step.bodies[0]), "", r"\Phi", r"\Psi")
                return figure(rule, [body], judgment(own, "", r"\Phi", r"\Psi"))
            case _:
                return figure(rule, self._asked(step), judgment(own, FREE, r"\Phi", self._after(step)))

    def statement(self, step: Step) -> str:
        """What the figures call a statement."""
        return f"s_{{{self._number(step)}}}"

    def invariants(self, step: Step) -> list[str]:
        """What a loop's invariant says, conjunct by conjunct."""
        return [math(part) for part in invariant(self.reading, step)] or [r"\top "]

    # --- statements -------------------------------------------------------------------------

    def _asked(self, step: Step) -> list[str]:
        """The side conditions of a statement that has no other premises."""
        match step.statement:
            case ir.Obligation(condition=condition):
                return [rf"{code(self.reading.names.code(condition))}\quad\textsf{{[Safe]}}"]
            case ir.Assume():
                return [rf"\Phi\Rightarrow {_SAME_WAY}"]
            case ir.Return():
                return [rf"\Phi\Rightarrow {item}" for item in (f"({self._observables()})", *self._bounds())]
            case ir.Append(target=target) if target in returned_lists(self.reading.mechanism):
                return [r"\Phi\Rightarrow e\langle 1\rangle =e\langle 2\rangle "]
            case ir.Append(target=target):
                entries = self.reading.certificate.entries.get(target, "true")
                return [rf"\Phi\Rightarrow {math(self.reading.infix().formula(entries))}"]
            case _:
                return []

    def _after(self, step: Step) -> str:
        match step.statement:
            case ir.Obligation():
                return r"\Phi"
            case ir.Return():
                return self._observables()
            case _:
                return r"\Psi"

    def _branch(self, step: Step) -> str:
        sides = [
            judgment(self._body(body), "", rf"\Phi\wedge {sign}c\langle 1\rangle ", r"\Psi")
            for sign, body in zip(("", r"\neg "), step.bodies, strict=True)
        ]
        observable = r"\quad\text{(published)}" if step.node.fields.get("publish") is True else ""
        same = rf"\Phi\Rightarrow {_SAME_WAY}{observable}"
        return figure(step.node.rule, [*sides, same], judgment(self.statement(step), "", r"\Phi", r"\Psi"))

    def _draw(self, step: Step) -> str:
        cases = list(coupled(self.reading, step, _CENTERS))
        if len(cases) == 1:
            return self._coupling(step, cases[0], r"\Phi")
        inner = [
            self._coupling(step, case, rf"\Phi\wedge {guard(place)}") for place, case in enumerate(cases, 1)
        ]
        return figure("Case", inner, judgment(self.statement(step), "", r"\Phi", r"\Psi"))

    def guards(self, step: Step) -> list[str]:
        """When the cases of a draw apply."""
        infix = self.reading.infix()
        whens = [case.when for case in coupled(self.reading, step)]
        said = [r"\text{otherwise}" if when is None else math(infix.formula(when)) for when in whens]
        return [f"{guard(place)}:\\ {item}" for place, item in enumerate(said, 1)] if len(said) > 1 else []

    def _coupling(self, step: Step, case: Coupled, before: str) -> str:
        asked = [math(item) for item in (case.distance, case.counted) if item]
        above = [rf"{before}\Rightarrow {f'({item})' if 'Rightarrow' in item else item}" for item in asked]
        above += [rf"\text{{adds }}{math(case.square)}\text{{ to }}\mu^2"] if case.square else []
        cost, mass, after = math(case.cost), math(case.mass), math(case.relation)
        cost = "" if case.square else cost
        return figure(case.rule, above, judgment(self.statement(step), cost, before, after, mass))

    def _by_chance(self, step: Step) -> tuple[str, list[str]]:
        """What [Chance] costs, if all pairs cost the same, and what it asks of each pair of outcomes."""
        rows, possible = [], list(chanced(self.reading, step).possible())
        for cost, pairs in possible:
            times = "" if cost == FREE else rf"\exp({math(cost)})\cdot "
            asked = [rf"p_{{{i}}}\langle 1\rangle \le {times}p_{{{j}}}\langle 2\rangle " for i, j in pairs]
            rows += [r"\quad ".join(asked[at : at + _PAIRS]) for at in range(0, len(asked), _PAIRS)]
        rows.append(r"\Phi\Rightarrow \text{no other pair of outcomes occurs}")
        return FREE if [cost for cost, _ in possible] == [FREE] else "", rows

    def _by_score(self, step: Step) -> tuple[str, list[str]]:
        """What [Choice] costs, and what it asks of the scores."""
        found = weighted(self.reading, step)
        own, other = (
            rf"(\mathsf{{score}}_{{{item}}}\langle 1\rangle -\mathsf{{score}}_{{{item}}}\langle 2\rangle )"
            for item in ("r", "j")
        )
        return math(found.cost), [rf"\Phi\Rightarrow \forall r,j.\quad {own}-{other}\le {math(found.within)}"]

    def _by_weight(self, step: Step) -> tuple[str, list[str]]:
        """What [Weigh] costs, and what it asks of the weights."""
        found = weighing(self.reading, step)
        cost = math(" + ".join(price for price, _ in found.prices) or "0")
        rows = [rf"\Phi\Rightarrow {math(asked)}" for asked in found.asked]
        return cost, [*rows, rf"\Phi\Rightarrow \text{{{found.few}}}"]

    # --- parts ------------------------------------------------------------------------------

    def _bound(self) -> tuple[str, str]:
        """ε and δ, with squares that the whole pays for."""
        epsilon, *rest = self.reading.index()
        return math(epsilon), ",".join(map(math, rest))

    def _number(self, step: Step) -> int:
        return self.numbers[step.node.place]

    def _body(self, steps: tuple[Step, ...]) -> str:
        if len(steps) > 2:
            return rf"({self.statement(steps[0])};\ldots;{self.statement(steps[-1])})"
        return ";".join(self.statement(step) for step in steps) or r"\mathsf{skip}"

    def _observables(self) -> str:
        output = math(self.reading.names.output)
        first, second = (rf"\mathsf{{out}}\langle {run}\rangle ={output}" for run in (1, 2))
        return rf"{first}\Rightarrow {second}"

    def _bounds(self) -> list[str]:
        infix, ghosts = self.reading.infix(), self.reading.names.ghosts
        costs = self.reading.certificate.costs.items()
        return [math(f"{ghosts[name]} ≤ {infix.term(cost.most)}") for name, cost in costs]

    def _changed(self, target: str) -> str:
        name = math(self.reading.names.variable(target))
        return ",".join(rf"e\langle {run}\rangle /{name}\langle {run}\rangle" for run in (1, 2))
