"""The invariants of a certificate, per loop and local list, with notes on the names that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from synth.bounds.rational import Rational
from synth.trusted.kernel.certificate import Node
from synth.trusted.logic.terms import Term, substitute, symbols
from synth.trusted.program import syntax as ir
from synth.views.certificate.couplings import Couplings
from synth.views.certificate.names import INDEX, split
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import FIRST, SECOND, PlainNames
from synth.views.certificate.steps import Step
from synth.views.results import Invariant, Site


@dataclass(frozen=True)
class Invariants:
    """Writes the invariants of one derivation."""

    couplings: Couplings

    @property
    def names(self) -> PlainNames:
        """What symbols are called."""
        return self.couplings.names

    def all(self) -> tuple[Invariant, ...]:
        """Those of loops in the order of the program, and those of lists."""
        reading = self.couplings.reading
        loops = [
            self._of_loop(step, step.statement)
            for step in reading.all_steps()
            if isinstance(step.statement, ir.Loop)
        ]
        entries = [self._of_entries(name) for name in reading.certificate.entries]
        return tuple(item for item in (*loops, *entries) if item.conjuncts)

    @cached_property
    def _units(self) -> dict[str, Rational]:
        """What a unit of each cost is worth, by the cost's name in a report."""
        certificate, writer = self.couplings.reading.certificate, self.couplings.writer
        found = {}
        for name, cost in certificate.costs.items():
            worth = writer.rational(cost.weight if cost.square is None else cost.square)
            found[self.names.ghosts[name]] = Rational.number(1) if worth.is_zero() else worth
        return found

    def _of_loop(self, step: Step, loop: ir.Loop) -> Invariant:
        terms = step.node.terms("invariant")
        inside = self.names.inside_of([loop.loop])
        alias = inside.aliased(loop.loop)
        if alias is not None and alias in {split(name)[0] for name in symbols(*terms)}:
            inside = self.names  # it speaks of the last value, too
        shared = self.couplings.agreeing | frozenset(step.node.names("equal"))
        writer = Plain(inside, self.couplings.reading.known, shared, units=self._units)
        return Invariant(loop.span.line, "loop", writer.conjuncts([_of_one(term, shared) for term in terms]))

    def _of_entries(self, name: str) -> Invariant:
        """What holds of an entry of a local list, in run 1 and run 2."""
        reading = self.couplings.reading
        mechanism = reading.mechanism
        made = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.NewList))
        line = next((item.span.line for item in made if item.target == name), mechanism.span.line)
        writer = Plain(self.names, reading.known, self.couplings.agreeing - {name}, units=self._units)
        conjuncts = writer.conjuncts((reading.certificate.entries[name],))
        return Invariant(line, f"entry {INDEX} of {self.names.variable(name)}", conjuncts)

    # --- notes ------------------------------------------------------------------------------

    def notes(self, invariants: Sequence[Invariant], sites: Sequence[Site]) -> Iterator[str]:
        """A sentence for each name in these that the program doesn't have."""
        cases = [case for site in sites for case in site.cases]
        parts = [item.formula for item in invariants] + [f"{case.k}\n{case.cost}" for case in cases]
        text = "\n".join(parts)
        yield from self._cost_notes(text)
        for parameter in self.names.mechanism.parameters:
            if parameter.metric is not None:
                yield from _aspects(parameter.name, parameter.metric.kind, text)
        yield from self._notes_of_steps(text)
        for name, line in sorted(set(re.findall(r"\b(iterations(?:\((\d+)\))?)", text))):
            yield f"{name} counts the finished iterations of the loop{f' in line {line}' if line else ''}"

    def _notes_of_steps(self, text: str) -> Iterator[str]:
        """What the steps of the certificate have added to the program, as far as it is read of."""
        names = [self.names.variable(name) for name in self.couplings.reading.added]
        used = [name for name in names if re.search(rf"(?<![\w.\[]){re.escape(name)}(?![\w.\[(])", text)]
        if used:
            verb = "is a variable" if len(used) == 1 else "are variables"
            said = "of the program that the proof is about, of which the output has the same law"
            yield f"{', '.join(used)} {verb} {said}"

    def _cost_notes(self, text: str) -> Iterator[str]:
        costs = self.couplings.reading.certificate.costs
        shown = [self.names.ghosts[name] for name in costs]
        used = [name for name in sorted(shown) if re.search(rf"\b{name}\b", text)]
        if len(costs) == 1 and used:
            yield f"{used[0]} is what the couplings have cost so far"
        elif used:
            parts = []
            for name in used:
                lines = sorted(self._payers.get(name, ()))
                word = "line" if len(lines) == 1 else "lines"
                parts.append(f"{name} of {word} {', '.join(map(str, lines))}" if lines else name)
            yield f"costs so far: {', '.join(parts)}"

    @cached_property
    def _payers(self) -> dict[str, set[int]]:
        """The lines of the draws that pay into each cost."""
        found: dict[str, set[int]] = {}
        for step in self.couplings.reading.all_steps():
            if isinstance(step.statement, ir.Draw | ir.Choose):
                for name in _paid(step):
                    if name in self.names.ghosts:
                        found.setdefault(self.names.ghosts[name], set()).add(step.statement.span.line)
        return found


def _of_one(term: Term, shared: frozenset[str]) -> Term:
    """The term with run 1's symbol for what is the same in run 2."""
    return substitute(term, {f"|{name}<2>|": f"|{name}<1>|" for name in shared})


def _paid(step: Step) -> Iterator[str]:
    """The costs that a draw pays into."""
    if step.node.rule == "Chance":
        yield from (name for name, _ in step.pairs[1].values())
        return
    leaves: list[Node] = [leaf for _, leaf in step.couplings] if isinstance(step.statement, ir.Draw) else []
    for node in (step.node, *leaves):
        for field in ("cost", "moved", "squeezed", "own", "total", "tail"):
            match node.fields.get(field):
                case str(name) | [str(name), str()] | [str(), str(), str(name)]:
                    yield name


def _aspects(name: str, kind: ir.MetricKind, text: str) -> Iterator[str]:
    if kind is ir.MetricKind.CHANGE_ONE:
        yield from _change_notes(name, text)
    if kind is ir.MetricKind.L2 and re.search(rf"\b{name}\.(spent|share)\b", text):
        yield f"{name}.share is the part of the squared distance of {name} that an entry has"
        yield f"{name}.spent is the sum of {name}.share over the entries read so far, at most 1"
    elif f"{name}.spent" in text:
        entry = f"abs({name}[{INDEX}]{SECOND} - {name}[{INDEX}]{FIRST})"
        yield f"{name}.spent is the sum of {entry} over the entries read so far"
    if f"{name}.latest" in text:
        yield f"{name}.latest is the largest index of {name} that has been read so far, -1 at the start"


def _change_notes(name: str, text: str) -> Iterator[str]:
    found = set(re.findall(rf"\b{name}\.(changed?)\b", text))
    if found:
        note = f"{name}.changed is the index at which {name} differs"
        entry = f"{name}[{name}.changed]"
        change = f", {name}.change = {entry}{SECOND} - {entry}{FIRST}"
        yield note + (change if "change" in found else "")
