"""Results for people: a verdict, a table of the couplings, the invariants, what is assumed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from synth.support.display import shown
from synth.trusted.frontend.claim import Claim
from synth.views.assumptions import specification_text
from synth.views.console.errors import excerpt
from synth.views.console.witness import lower_bound_lines, witness_lines
from synth.views.results import COMMAND_LINE, PROVED, REFUTED, UNKNOWN, Result

STYLES = {PROVED: "bold green", REFUTED: "bold red", UNKNOWN: "bold yellow"}
_UNLIMITED = 1000


def console() -> Console:
    """Standard output; in colour, and as wide as the window, on a terminal only."""
    width = None if sys.stdout.isatty() else _UNLIMITED
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=width)


def write(target: Console, *contents: RenderableType) -> None:
    """Print without the blanks that pad tables at the end of lines."""
    with target.capture() as captured:
        for content in contents:
            target.print(content)
    lines = captured.get().removesuffix("\n").split("\n")
    target.file.write("".join(f"{line.rstrip()}\n" for line in lines))
    target.file.flush()


def line_of(text: str, style: str = "") -> Text:
    """A text that others may have written, as a line or a cell of its own."""
    return Text(shown(text), style)


@dataclass(frozen=True)
class Report:
    """Prints results one after the other; ``with_files`` says which file each is from."""

    console: Console
    with_files: bool = False

    def result(self, item: Result) -> None:
        """One mechanism."""
        write(self.console, self._verdict(item), Padding(Group(*_details(item)), (0, 0, 0, 2), expand=False))

    def _verdict(self, item: Result) -> Text:
        name = f"{item.file}::{item.mechanism}" if self.with_files else item.mechanism
        line = Text.assemble((shown(name), "bold"), ": ", (item.verdict, STYLES[item.verdict]))
        if item.verdict == PROVED:
            line.append(shown(f", {item.bound}"))
        return line.append(f" ({item.seconds:.1f} s{', checked again from cache' if item.cached else ''})")


def _details(item: Result) -> Iterator[RenderableType]:
    stated = [f"stated beside it: {specification_text(item.specification)}"] if item.specification else []
    for line in (*stated, *_claim(item), *_reason(item), *witness_lines(item.witness or {})):
        yield line_of(line)
    for line in lower_bound_lines(item.lower_bound or {}):
        yield line_of(line)
    if item.sites:
        if item.verdict != PROVED:
            yield Text("")
            yield line_of(f"the best bound that was proved, {item.bound}, is paid here:")
        yield _sites(item)
    if item.loops:
        yield Text("")
        yield _invariants(item)
    notes = [*item.notes, *([item.assumptions] if item.assumptions else [])]
    if notes:
        yield Text("")
    for line in notes:
        yield line_of(line, "dim")


def claim_text(claim: Claim) -> str:
    """A claim in short."""
    if claim.notion is not None:
        return str(claim)
    if claim.delta is None:
        return claim.epsilon or "none"
    return f"({claim.epsilon}, {claim.delta})"


def _claim(item: Result) -> Iterator[str]:
    claim = item.claim
    if item.verdict == UNKNOWN:
        return
    if claim.epsilon is not None or claim.notion is not None:
        whose = f" (of the {COMMAND_LINE})" if item.claim_of == COMMAND_LINE else ""
        enough = str(item.bound) if claim.notion is not None else item.epsilon
        loose = f"; {enough} would do" if item.claim_is_loose else ""
        yield f"claim {claim_text(claim)}{whose}: {item.verdict}{loose}"
    elif claim.delta is not None:
        yield f"claim delta = {claim.delta}, without an epsilon: proved with the least one found"


def _reason(item: Result) -> Iterator[str]:
    if item.reason is not None:
        place = "" if item.reason_line is None else f"line {item.reason_line}: "
        yield place + item.reason
        for line in excerpt(item.file, item.reason_line, item.reason_column):
            yield line.replace("\t", "    ")
    if item.matters is not None and item.advice is not None:
        yield f"why it matters: {item.matters}"
        yield f"what to do: {item.advice} (more: synth explain {item.code})"
    for hint in item.hints:
        yield f"hint: {hint}"


def _sites(item: Result) -> Table:
    table = plain_table("line", "draw", "when", "coupling", "k", "cost")
    table.columns[0].justify = "right"
    for site in item.sites:
        first = str(site.line), site.draw
        for case in site.cases:
            table.add_row(*map(line_of, (*first, case.when, case.coupling, case.k, case.cost)))
            first = "", ""
    return table


def _invariants(item: Result) -> Table:
    table = plain_table("line", "invariant", "")
    table.columns[0].justify = "right"
    for invariant in item.loops:
        first = str(invariant.line), invariant.about
        for conjunct in invariant.conjuncts:
            table.add_row(*map(line_of, (*first, conjunct)))
            first = "", ""
    return table


def plain_table(*headers: str) -> Table:
    """A table without lines."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
    for header in headers:
        table.add_column(header, overflow="fold")
    return table
