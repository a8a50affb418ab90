"""What the symbols of a certificate are called for people: ``threshold⟨1⟩``, ``i₂``, ``cost₀``, ``next₁₆``.

A name without a run is the same in both.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.proof_state import assigned
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text

RUNS = {"<1>": "⟨1⟩", "<2>": "⟨2⟩", "<>": ""}
INDEX = "j"

_EVENT = re.compile(r"next#(branch|append|return)\.(.*)\.(\d+)")
_VERSION = re.compile(r"!\d+$")
_ELEMENT = re.compile(r"(.*)!\d+\[(\d+)\]")
_INLINED = re.compile(r".*%%\d+\.")
_ENTRY = re.compile(r"(.*)%at\d+%(.*)")
_HIDDEN = re.compile(r"%(?:%|in|new)?(\d+)")
_COMPONENT = re.compile(r"(.*)\[(\d+)\]")


def subscript(number: int) -> str:
    """A number in small digits below the line."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def split(atom: str) -> tuple[str, str]:
    """The name in a symbol, and the mark of its run: ``<1>``, ``<2>``, ``<>`` or nothing."""
    inner = atom.strip("|")
    for mark in RUNS:
        if inner.endswith(mark):
            return inner.removesuffix(mark), mark
    return inner, ""


@dataclass(frozen=True)
class Names:
    """The names of one certificate."""

    mechanism: ir.Mechanism
    certificate: Certificate

    # --- the program ------------------------------------------------------------------------

    def variable(self, name: str) -> str:
        """A variable or list of the typed program, or a list's length."""
        if name.startswith("len("):
            return f"len({self.variable(name[4:-1])})"
        return self._shown.get(name, name)

    def code(self, expression: ir.Expression) -> str:
        """An expression of the program, in Python's syntax."""
        return text(self._renamed(expression))

    def _renamed(self, item: ir.Expression) -> ir.Expression:
        match item:
            case ir.Variable(name=name, sort=sort):
                return ir.Variable(self.variable(name), sort)
            case ir.Length(sequence=sequence):
                return ir.Variable(f"len({self.variable(sequence)})", ir.Sort.INT)
            case ir.Read(source=source, index=index, sort=sort):
                return ir.Variable(self.entry(source, ", ".join(self.code(part) for part in index)), sort)
            case ir.Element(source=source, index=index, component=component, sort=sort):
                return ir.Variable(self.element(source, component, self.code(index)), sort)
            case ir.Operation(ir.Operator.SUBTRACT, (ir.Constant(value=0), inner), sort):
                return ir.Operation(ir.Operator.NEGATE, (self._renamed(inner),), sort)
            case ir.Operation(operands=operands):
                return replace(item, operands=tuple(self._renamed(part) for part in operands))
            case _:
                return item

    def entry(self, source: str, index: str) -> str:
        """An entry of an input."""
        called = self.mechanism.parameter(source).kind is ir.ParameterKind.FUNCTION
        return f"{source}({index})" if called else f"{source}[{index}]"

    def element(self, source: str, component: int, index: str) -> str:
        """A component of an entry of a local list."""
        several = len(self.mechanism.lists[source].components) > 1
        return f"{self.variable(source)}[{index}]" + (subscript(component) if several else "")

    @cached_property
    def _shown(self) -> dict[str, str]:
        """Names without the reader's marks; those that would coincide keep them."""
        names = (*self.mechanism.variables, *self.mechanism.lists)
        shown = {name: _unmarked(name) for name in names}
        given = {item.name for item in self.mechanism.parameters}
        times = Counter((*shown.values(), *(given - shown.keys())))
        return {name: written if times[written] == 1 else name for name, written in shown.items()}

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """The variables that the user has not written."""
        return tuple(name for name in self.mechanism.variables if _HIDDEN.search(_INLINED.sub("", name)))

    @cached_property
    def public(self) -> frozenset[str]:
        """Parameters that are the same in both runs, always."""
        changed = assigned(self.mechanism.body)
        return frozenset(i.name for i in self.mechanism.parameters if i.metric is None) - changed

    def label(self, label: str) -> str:
        """The label of a block."""
        return _unmarked(label)

    # --- symbols ----------------------------------------------------------------------------

    def symbol(self, atom: str, shared: frozenset[str]) -> str:
        """A symbol without arguments; ``shared`` are the variables that agree in both runs."""
        name, mark = split(atom)
        name = _VERSION.sub("", name)
        if name in self.ghosts:
            return self.ghosts[name]
        name = name.removesuffix("#start")
        part = _COMPONENT.fullmatch(name)
        if part and part[1] in self.mechanism.lists:
            return self.element(part[1], int(part[2]), INDEX) + RUNS[mark]
        owner, aspect, kind = name.rpartition("#")
        if aspect:
            return INDEX if kind == "index" else f"{owner}.{kind}"
        return self.in_run(name, "" if name in shared or name in self.public else RUNS.get(mark, ""))

    def in_run(self, name: str, side: str) -> str:
        """A variable in one of the runs; without a side it is the same in both."""
        return self.variable(name) + side

    def applied(self, atom: str, inner: str) -> str | None:
        """An entry of an input or, where the kernel speaks, of a local list; None for other functions."""
        name, mark = split(atom)
        part = _ELEMENT.fullmatch(name)
        if part and part[1] in self.mechanism.lists:
            return self.element(part[1], int(part[2]), inner) + RUNS[mark]
        return self.entry(name.removesuffix("[]"), inner) + RUNS[mark] if name.endswith("[]") else None

    @cached_property
    def ghosts(self) -> dict[str, str]:
        """The costs, and what run 1 publishes next."""
        costs = {name: f"cost{subscript(place)}" for place, name in enumerate(self.certificate.costs)}
        return costs | {name: self._event(name) for name in self.certificate.events}

    @cached_property
    def output(self) -> str:
        """What the output of run 1 is called."""
        taken = {*self._shown.values(), *(item.name for item in self.mechanism.parameters)}
        return next(name for name in ("b", "out", "output", "b°") if name not in taken)

    def _event(self, name: str) -> str:
        """What run 1 publishes next at a branch, an append or the return."""
        found = _EVENT.fullmatch(name)
        assert found is not None, "the kernel knows no other events"
        kind, source, component = found[1], found[2], int(found[3])
        if kind == "branch":
            line = self.branches[int(source)].span.line
            alone = [item.span.line for item in self.branches.values()].count(line) == 1
            return f"next{subscript(line)}" + ("" if alone else f".{subscript(int(source))}")
        if kind == "append":
            several = len(self.mechanism.lists[source].components) > 1
            return f"next({self.variable(source)})" + (subscript(component) if several else "")
        return self.output + (subscript(component) if self._returned > 1 else "")

    @cached_property
    def branches(self) -> dict[int, ir.If]:
        """The branches by their numbers."""
        return {item.branch: item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.If)}

    @cached_property
    def _returned(self) -> int:
        ends = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Return))
        return max((len(item.values) for item in ends), default=1)


def _unmarked(name: str) -> str:
    remembered = _ENTRY.fullmatch(name)
    if remembered:
        return f"{_unmarked(remembered.group(1))}[{_unmarked(remembered.group(2))}]"
    return _HIDDEN.sub(lambda found: subscript(int(found[1])), name).replace("%local", "′")
