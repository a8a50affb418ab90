"""What things are called in a report: the user's names for all that the prover has names for.

Reader and product use names with ``%``, ``.`` and ``#`` for what has none in the program: the
counter of a ``for`` loop, the parts of a tuple, a draw inside an expression, an inlined function.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.printing import text as written

SIDES = ("⟨1⟩", "⟨2⟩")

_INLINED = re.compile(r"(\w+)%%(\d+)\.(.*)")
_NUMBERED = re.compile(r"(.*)%(?:in|new)?(\d+)")
_ENTRY = re.compile(r"(.*)%at\d+%(.*)")
_PART = re.compile(r"(.*)\.(\d+)")
_EVENT = re.compile(r"next#(branch|append|return|upward)\.(.*)\.(\d+)")
_ASPECT = re.compile(r"(.*)#(\w+)")


def parted(symbol: str) -> tuple[str, str]:
    """The name that a symbol of the product stands for, and the mark of its run, if it has one.

    ``@`` and ``!`` begin what only tells symbols apart.
    """
    side = ""
    for mark, shown in zip(("<1>", "<2>"), SIDES, strict=True):
        if symbol.endswith(mark):
            symbol, side = symbol[: -len(mark)], shown
    return symbol.split("@")[0].split("!")[0], side


@dataclass(frozen=True)
class Names:
    """The names of one mechanism, as seen from inside of some loops."""

    analysis: Analysis
    inside: frozenset[int] = frozenset()

    @property
    def mechanism(self) -> ir.Mechanism:
        """The mechanism that is spoken of."""
        return self.analysis.mechanism

    def at_loop(self, number: int) -> Names:
        """The names at the head of a loop: there, ``i`` is the value that it is about to take."""
        return replace(self, inside=self._around.get(number, frozenset()))

    # --- expressions ------------------------------------------------------------------------

    def expression(self, item: ir.Expression) -> str:
        """An expression of the program."""
        return written(self._renamed(item, ""))

    def one_sided(self, item: ir.Expression, side: str, private: frozenset[str]) -> str:
        """An expression in one of the runs: what may differ between them is marked."""
        return written(self._renamed(item, side, private))

    def _renamed(
        self, item: ir.Expression, side: str, private: frozenset[str] = frozenset()
    ) -> ir.Expression:
        match item:
            case ir.Variable(name=name, sort=sort):
                return ir.Variable(self.variable(name) + (side if name in private else ""), sort)
            case ir.Read(source=source, index=index, sort=sort):
                inner = ", ".join(written(self._renamed(part, side, private)) for part in index)
                mark = side if source in private else ""
                shown = f"{source}({inner})" if self._is_function(source) else f"{source}[{inner}]"
                return ir.Variable(shown + mark, sort)
            case ir.Element(source=source, index=index, component=component, sort=sort):
                inner = written(self._renamed(index, side, private))
                mark = side if source in private else ""
                return ir.Variable(f"{self._entry(source, inner, component)}{mark}", sort)
            case ir.Operation(ir.Operator.SUBTRACT, (ir.Constant(value=0), inner), sort):
                return ir.Operation(ir.Operator.NEGATE, (self._renamed(inner, side, private),), sort)
            case ir.Operation(operator=operator, operands=operands, sort=sort):
                parts = tuple(self._renamed(part, side, private) for part in operands)
                return ir.Operation(operator, parts, sort)
            case _:
                return item

    def _is_function(self, name: str) -> bool:
        return self.mechanism.parameter(name).kind is ir.ParameterKind.FUNCTION

    def _entry(self, source: str, index: str, component: int) -> str:
        shape = self.mechanism.lists.get(source)
        part = f".{component}" if shape is not None and len(shape.components) > 1 else ""
        return f"{self.variable(source)}[{index}]{part}"

    # --- variables --------------------------------------------------------------------------

    def variable(self, name: str) -> str:
        """A variable of the typed program."""
        aspect = _ASPECT.fullmatch(name)
        if aspect:
            whole, part = self.variable(aspect.group(1)), aspect.group(2)
            return f"len({whole})" if part == "len" else f"{whole}.{part}"
        if name.endswith(".none"):
            return f"({self.variable(name.removesuffix('.none'))} is None)"
        if name in self._counters:
            return self._counter(name)
        if name in self._hidden_draws:
            return self._numbered("draw", f"({self._hidden_draws[name]})", len(self._hidden_draws))
        return self._plain(name)

    def _plain(self, name: str) -> str:
        inlined = _INLINED.fullmatch(name)
        if inlined:
            function, number, rest = inlined.groups()
            calls = len({other for other in self._inlined if other[0] == function})
            return f"{self._numbered(function, f'#{number}', calls)}.{self._plain(rest)}"
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
            return self._numbered(stem, f"#{number}", self._stems[stem])
        return name

    @staticmethod
    def _numbered(stem: str, mark: str, count: int) -> str:
        return stem if count <= 1 else stem + mark

    def _counter(self, name: str) -> str:
        loop = self._counters[name]
        alias = self._aliases.get(name)
        if alias is not None and loop.loop in self.inside:
            return self._plain(alias)
        several = len(self._counters) + ("iterations" in self.taken)
        return self._numbered("iterations", f"({loop.span.line})", several)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The names that the program itself uses."""
        found = {*self.mechanism.variables, *self.mechanism.lists}
        return frozenset(found | {item.name for item in self.mechanism.parameters})

    @property
    def output(self) -> str:
        """What the output of run 1 is called."""
        return "output" if "b" in self.taken else "b"

    # --- tables -----------------------------------------------------------------------------

    @cached_property
    def _loops(self) -> tuple[ir.Loop, ...]:
        return tuple(item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))

    @cached_property
    def _counters(self) -> dict[str, ir.Loop]:
        return {item.counter: item for item in self._loops if item.counter is not None}

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
            match.group(1) if (match := _NUMBERED.fullmatch(name)) else name for name in self.taken
        )

    # --- events -----------------------------------------------------------------------------

    def component(self, kind: str, source: str, component: int) -> str:
        """A part of the output: of b, or of the next entry of a list."""
        if kind == "append":
            whole = f"next({self.variable(source)})"
            count = len(self.mechanism.lists[source].components)
        else:
            whole, count = self.output, self._returned
        return f"{whole}.{component}" if count > 1 else whole

    @property
    def returns_several(self) -> bool:
        """Whether the output has more than one scalar."""
        return self._returned > 1

    @cached_property
    def _returned(self) -> int:
        found = [
            len(item.values) for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Return)
        ]
        return max(found, default=1)

    def truth(self, kind: str, source: str, component: int, value: bool) -> str:
        """A boolean event, and the value that it has."""
        if kind == "branch":
            line = self.analysis.branches[int(source)].span.line
            return f"line {line}: condition {'true' if value else 'false'} next"
        if kind == "upward":
            return f"{source}{SIDES[0]} {'<=' if value else '>='} {source}{SIDES[1]}"
        name = self.component(kind, source, component)
        return name if value else f"not {name}"

    # --- symbols of the product -------------------------------------------------------------

    def symbol(self, name: str) -> str:
        """A symbol of the product."""
        name, side = parted(name)
        event = _EVENT.fullmatch(name)
        if event:
            return self.component(event.group(1), event.group(2), int(event.group(3)))
        if name.endswith(".none"):
            return f"({self.variable(name.removesuffix('.none'))}{side} is None)"
        return self.variable(name) + side

    def boolean(self, name: str, value: bool) -> str:
        """A boolean symbol of the product, or its negation."""
        plain, _ = parted(name)
        event = _EVENT.fullmatch(plain)
        if event:
            return self.truth(event.group(1), event.group(2), int(event.group(3)), value)
        aspect = _ASPECT.fullmatch(plain)
        if aspect and aspect.group(2) == "upward":
            return self.truth("upward", aspect.group(1), 0, value)
        shown = self.symbol(name)
        if value:
            return shown
        if plain.endswith(".none"):
            return shown.replace(" is None)", " is not None)")
        return f"not {shown}"

    def budgets(self) -> frozenset[str]:
        """Real parameters; they come last in a bound."""
        return frozenset(
            item.name
            for item in self.mechanism.parameters
            if item.kind is ir.ParameterKind.SCALAR and item.sort is ir.Sort.REAL
        )
