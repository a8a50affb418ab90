"""What a report calls the symbols of a certificate: ``i``, ``pair[1]⟨2⟩``, ``iterations(12)``, ``next(out)``.

Reader and prover use names with ``%``, ``.`` and ``#`` for what has none in the program: the counter of a
``for`` loop, the parts of a tuple, a draw inside an expression, an inlined function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.steps.crossing import crossing_name
from synth.views.certificate.names import Names, split

FIRST, SECOND = "⟨1⟩", "⟨2⟩"

CROSSING = crossing_name("")
"""What ends the name of the noise that a coin is tossed as."""

_INLINED = re.compile(r"(\w+)%%(\d+)\.(.*)")
_NUMBERED = re.compile(r"(.*)%(?:in|new)?(\d+)")
_ENTRY = re.compile(r"(.*)%at\d+%(.*)")
_PART = re.compile(r"(.*)\.(\d+)")
_EVENT = re.compile(r"next#(branch|append|return)\.(.*)\.(\d+)")
_UPWARD = "#upward"
_NONE = ".none"


@dataclass(frozen=True)
class PlainNames(Names):
    """The names of one certificate in a report, as seen from inside of some loops.

    There ``i`` is the value that it is about to take: the loop's counter, which ``i`` is set to.
    """

    inside: frozenset[int] = frozenset()

    def inside_of(self, loops: Iterable[int]) -> PlainNames:
        """The names inside of some loops, and of those around them."""
        return replace(self, inside=frozenset[int]().union(*(self._around[loop] for loop in loops)))

    @cached_property
    def analysis(self) -> Analysis:
        """What the program's text tells."""
        return Analysis(self.mechanism)

    # --- variables --------------------------------------------------------------------------

    def variable(self, name: str) -> str:
        """A variable of the typed program, or the length of a list."""
        if name.startswith("len("):
            whole = _PART.fullmatch(name[4:-1])  # all components of a list of tuples are as long
            return f"len({self.variable(whole.group(1) if whole else name[4:-1])})"
        if name.endswith(_NONE):
            return self.in_run(name, "")
        if name in self._counters:
            return self._counter(name)
        if name in self._hidden_draws:
            return _numbered("draw", f"({self._hidden_draws[name]})", len(self._hidden_draws))
        return self._plain(name)

    def is_hidden(self, name: str) -> bool:
        """Whether the program has no name for what is drawn."""
        return "%" in name.removesuffix(CROSSING).rpartition(".")[2]

    def in_run(self, name: str, side: str) -> str:
        """A variable in one of the runs; without a side it is the same in both."""
        if name.endswith(_NONE):
            return f"({self.variable(name.removesuffix(_NONE))}{side} is None)"
        return self.variable(name) + side

    def element(self, source: str, component: int, index: str) -> str:
        """A component of an entry of a local list."""
        several = len(self.mechanism.lists[source].components) > 1
        return f"{self.variable(source)}[{index}]" + (f".{component}" if several else "")

    def _plain(self, name: str) -> str:
        inlined = _INLINED.fullmatch(name)
        if inlined:
            function, number, rest = inlined.groups()
            calls = len({other for other in self._inlined if other[0] == function})
            return f"{_numbered(function, f'#{number}', calls)}.{self._plain(rest)}"
        remembered = _ENTRY.fullmatch(name)
        if remembered:
            return f"{self._plain(remembered.group(1))}[{self._plain(remembered.group(2))}]"
        if name.endswith("%local"):
            return f"{name.removesuffix('%local')}'"
        part = _PART.fullmatch(name)
        if part and "%" not in part.group(2):
            return f"{self._plain(part.group(1))}[{part.group(2)}]"
        numbered = _NUMBERED.fullmatch(name)
        if numbered:
            stem, number = numbered.groups()
            return _numbered(stem, f"#{number}", self._stems[stem])
        return name

    def _counter(self, name: str) -> str:
        loop = self._counters[name]
        alias = self._aliases.get(name)
        if alias is not None and loop.loop in self.inside:
            return self._plain(alias)
        several = len(self._counters) + ("iterations" in self._taken)
        return _numbered("iterations", f"({loop.span.line})", several)

    # --- what is paid, and what run 1 publishes ---------------------------------------------

    @cached_property
    def ghosts(self) -> dict[str, str]:
        """The costs, and what run 1 publishes next."""
        stem = "cost" if "cost" not in self.mechanism.variables else "paid"
        costs = sorted(self.certificate.costs)
        shown = {name: stem if len(costs) == 1 else f"{stem}{place}" for place, name in enumerate(costs, 1)}
        return shown | {name: self.event(name) for name in self.certificate.events}

    @property
    def output(self) -> str:
        """What the output of run 1 is called."""
        return "output" if "b" in self._taken else "b"

    @property
    def returns_several(self) -> bool:
        """Whether the output has more than one scalar."""
        return self._returned > 1

    def event(self, name: str) -> str:
        """What run 1 publishes next: a part of the output, or of the next entry of a list."""
        found = _EVENT.fullmatch(name)
        if found is None:
            return name
        kind, source, component = found[1], found[2], int(found[3])
        if kind == "branch":
            return f"line {self.branches[int(source)].span.line}: condition true next"
        if kind == "append":
            whole, count = f"next({self.variable(source)})", len(self.mechanism.lists[source].components)
        else:
            whole, count = self.output, self._returned
        return f"{whole}.{component}" if count > 1 else whole

    def truth(self, atom: str, positive: bool, shared: frozenset[str]) -> str:
        """A symbol that is true or false, and which of them."""
        name, _ = split(atom)
        if name.endswith(_UPWARD):
            source = name.removesuffix(_UPWARD)
            return f"{source}{FIRST} {'<=' if positive else '>='} {source}{SECOND}"
        shown = self.symbol(atom, shared)
        if positive:
            return shown
        if name in self.certificate.events and _EVENT.sub(r"\1", name) == "branch":
            return shown.replace(": condition true next", ": condition false next")
        if name.endswith(_NONE):
            return shown.replace(" is None)", " is not None)")
        return f"not {shown}"

    def budgets(self) -> frozenset[str]:
        """Real parameters; they come last in a bound."""
        return frozenset(
            item.name
            for item in self.mechanism.parameters
            if item.kind is ir.ParameterKind.SCALAR and item.sort is ir.Sort.REAL
        )

    # --- tables -----------------------------------------------------------------------------

    @cached_property
    def _taken(self) -> frozenset[str]:
        """The names that the program itself uses."""
        found = {*self.mechanism.variables, *self.mechanism.lists}
        return frozenset(found | {item.name for item in self.mechanism.parameters})

    @cached_property
    def _counters(self) -> dict[str, ir.Loop]:
        loops = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))
        return {item.counter: item for item in loops if item.counter is not None}

    @cached_property
    def _aliases(self) -> dict[str, str]:
        """Counters that are equal to the user's loop variable, which nothing else assigns."""
        values: dict[str, list[ir.Expression]] = {}
        for item in ir.statements(self.mechanism.body):
            if isinstance(item, ir.Assign):
                values.setdefault(item.target, []).append(item.value)
        found = {}
        for name, given in values.items():
            if len(given) == 1 and "%" not in name.rpartition(".")[2]:
                match given[0]:
                    case ir.Variable(name=counter) if counter in self._counters:
                        found[counter] = name
        return found

    def aliased(self, loop: int) -> str | None:
        """The variable whose next value a loop's counter stands for inside of the loop."""
        counters = (name for name, item in self._counters.items() if item.loop == loop)
        return next((self._aliases[name] for name in counters if name in self._aliases), None)

    @cached_property
    def _around(self) -> dict[int, frozenset[int]]:
        """Per loop, itself and the loops around it."""
        found: dict[int, frozenset[int]] = {}

        def visit(body: tuple[ir.Statement, ...], outer: frozenset[int]) -> None:
            for item in body:
                inner = outer
                if isinstance(item, ir.Loop):
                    inner = found[item.loop] = outer | {item.loop}
                for part in ir.blocks(item):
                    visit(part, inner)

        visit(self.mechanism.body, frozenset())
        return found

    @cached_property
    def _hidden_draws(self) -> dict[str, int]:
        """Draws inside expressions, with their lines."""
        return {
            draw.target: draw.span.line
            for draw in self.analysis.sites.values()
            if _NUMBERED.fullmatch(draw.target)
        }

    @cached_property
    def _inlined(self) -> frozenset[tuple[str, str]]:
        found = (_INLINED.fullmatch(name) for name in (*self.mechanism.variables, *self.mechanism.lists))
        return frozenset((item.group(1), item.group(2)) for item in found if item)

    @cached_property
    def _stems(self) -> Counter[str]:
        """How often the stem of a numbered name occurs, plain names included."""
        return Counter(
            match.group(1) if (match := _NUMBERED.fullmatch(name)) else name for name in self._taken
        )


def _numbered(stem: str, mark: str, count: int) -> str:
    return stem if count <= 1 else stem + mark
