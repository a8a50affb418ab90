"""The invariants of a proof, per loop and local list, with notes on the names that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pysmt.fnode import FNode

from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import rational
from synth.prover.costs.potentials import Rise
from synth.prover.coupling_proof import Derived
from synth.prover.horn.horn import Predicate
from synth.prover.horn.terms import TRUE, substitute
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.substitution import replaced
from synth.views.proof.costs import Counter, counters
from synth.views.proof.formulas import Writer
from synth.views.proof.names import SIDES, Names
from synth.views.results import Invariant, Result

_INDEX = "j"


def with_invariants(result: Result, parts: Sequence[Derived]) -> Result:
    """The result with the invariants of the parts' solutions, and notes on the names that it uses."""
    invariants: list[Invariant] = []
    notes = list(result.notes)
    for part in parts:
        names, costs = Names(Analysis(part.mechanism)), counters(part)
        found = tuple(item for item in _invariants(part, names, costs) if item.conjuncts)
        sites = {item.span.line for item in names.analysis.sites.values()}
        cases = [case for site in result.sites if site.line in sites for case in site.cases]
        text = [item.formula for item in found] + [f"{case.k}\n{case.cost}" for case in cases]
        invariants += found
        notes += _notes(names, costs, "\n".join(text))
    return replace(result, loops=tuple(invariants), notes=tuple(dict.fromkeys(notes)))


def _invariants(part: Derived, names: Names, costs: tuple[Counter, ...]) -> Iterator[Invariant]:
    solution = part.solution
    units = {item.ghost: (item.name, item.unit) for item in costs}
    for loop in ir.statements(part.mechanism.body):
        if isinstance(loop, ir.Loop) and f"loop {loop.loop}" in solution:
            here = names.at_loop(loop.loop)
            risen = tuple(_risen(here, costs, part.rises, loop))
            yield _of_loop(Writer(here, units), loop, solution[f"loop {loop.loop}"], risen)
    for predicate in part.system.predicates:
        name = predicate.name.removeprefix("entries of ")
        if name in part.mechanism.lists:
            yield _of_entries(Writer(names, units), name, predicate, solution[predicate.name])


def _of_loop(writer: Writer, loop: ir.Loop, formula: FNode, risen: tuple[str, ...]) -> Invariant:
    return Invariant(loop.span.line, "loop", (*risen, *writer.conjuncts([formula])))


def _risen(
    names: Names, costs: tuple[Counter, ...], rises: Mapping[str, Rise], loop: ir.Loop
) -> Iterator[str]:
    """How far the costs have come that potentials bound."""
    for item in costs:
        rise = rises.get(item.ghost)
        if rise is not None and rise.indexed.loop == loop.loop:
            counter = rise.potential.counter
            shown = ir.Variable(names.variable(counter.name), counter.sort)
            sum_ = replaced(rise.potential.risen(), {counter.name: shown})
            bound = rational(rise.weight) * rational(sum_)
            yield f"{item.name} <= {rational_text(bound, names.budgets())}"


def _of_entries(writer: Writer, name: str, predicate: Predicate, formula: FNode) -> Invariant:
    """What holds of an entry of a local list, in run 1 and run 2."""
    mechanism = writer.names.mechanism
    line = next(
        (
            item.span.line
            for item in ir.statements(mechanism.body)
            if isinstance(item, ir.NewList) and item.target == name
        ),
        mechanism.span.line,
    )
    real = [item for item in predicate.formals if item.symbol_name() == f"{name}#real"]
    known = substitute(formula, {item: TRUE() for item in real}).simplify() if real else formula
    shown = writer.names.variable(name)
    conjuncts = tuple(_entry_names(item, name, shown) for item in writer.conjuncts([known]))
    return Invariant(line, f"entry {_INDEX} of {shown}", conjuncts)


def _entry_names(text: str, name: str, shown: str) -> str:
    text = re.sub(rf"{re.escape(name)}\[0\]", f"{shown}[{_INDEX}]", text)
    text = re.sub(rf"{re.escape(name)}\[(\d+)\]", rf"{shown}[{_INDEX}][\1]", text)
    return text.replace(f"{shown}.index", _INDEX)


# --- notes ----------------------------------------------------------------------------------


def _notes(names: Names, costs: tuple[Counter, ...], text: str) -> Iterator[str]:
    """A sentence for each name in the text that the program doesn't have."""
    yield from _cost_notes(names, costs, text)
    for parameter in names.mechanism.parameters:
        if parameter.metric is None:
            continue
        name = parameter.name
        if parameter.metric.kind is ir.MetricKind.CHANGE_ONE:
            yield from _change_notes(name, text)
        if f"{name}.spent" in text:
            entry = f"abs({name}[j]{SIDES[1]} - {name}[j]{SIDES[0]})"
            yield f"{name}.spent is the sum of {entry} over the entries read so far"
        if f"{name}.latest" in text:
            yield f"{name}.latest is the largest index of {name} that has been read so far, -1 at the start"
    for name, line in sorted(set(re.findall(r"\b(iterations(?:\((\d+)\))?)", text))):
        yield f"{name} counts the finished iterations of the loop{f' in line {line}' if line else ''}"


def _change_notes(name: str, text: str) -> Iterator[str]:
    found = set(re.findall(rf"\b{name}\.(changed?)\b", text))
    if found:
        note = f"{name}.changed is the index at which {name} differs"
        entry = f"{name}[{name}.changed]"
        change = f", {name}.change = {entry}{SIDES[1]} - {entry}{SIDES[0]}"
        yield note + (change if "change" in found else "")


def _cost_notes(names: Names, costs: tuple[Counter, ...], text: str) -> Iterator[str]:
    used = [item for item in costs if re.search(rf"\b{item.name}\b", text)]
    if len(costs) == 1 and used:
        yield f"{used[0].name} is what the couplings have cost so far"
    elif used:
        parts = []
        for item in used:
            lines = sorted({names.analysis.sites[site].span.line for site in item.sites})
            word = "line" if len(lines) == 1 else "lines"
            parts.append(f"{item.name} of {word} {', '.join(map(str, lines))}")
        yield f"costs so far: {', '.join(parts)}"
