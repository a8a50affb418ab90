"""What a page shows, as plain data: texts and places; the templates escape and arrange them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Margin:
    """What stands beside a line of the program: a sampling site's coupling, or why the line is blamed."""

    text: str
    site: int | None = None


@dataclass(frozen=True)
class SourceLine:
    """A line of the program; ``gap`` says that lines of the file are left out before it."""

    number: int
    text: str
    margin: tuple[Margin, ...] = ()
    blamed: bool = False
    gap: bool = False


@dataclass(frozen=True)
class CaseRow:
    """When draws of a site are coupled how, at what cost: in symbols, and in words."""

    when: str
    k: str
    cost: str
    coupling: str
    words: str


@dataclass(frozen=True)
class SiteRow:
    """A sampling site; ``site`` is its place among all."""

    line: int
    draw: str
    site: int
    cases: tuple[CaseRow, ...]


@dataclass(frozen=True)
class Fact:
    """A part of an invariant, in symbols and in words."""

    symbols: str
    words: str


@dataclass(frozen=True)
class InvariantRow:
    """What holds at the head of a loop, or of the entries of a list."""

    line: int
    about: str
    facts: tuple[Fact, ...]


# --- two runs -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One value of an input in both runs."""

    left: str
    right: str

    @property
    def differs(self) -> bool:
        """Whether it is marked."""
        return self.left != self.right


@dataclass(frozen=True)
class InputRow:
    """A parameter in both runs, entry by entry; ``is_list`` says that it has entries."""

    name: str
    entries: tuple[Entry, ...]
    is_list: bool

    @property
    def differs(self) -> bool:
        """Whether the runs have another value of it."""
        return any(entry.differs for entry in self.entries)


@dataclass(frozen=True)
class Curve:
    """The density of a draw in one run: a path, its centre, and the value that is drawn."""

    path: str
    center: float
    value: float
    center_text: str
    value_text: str


@dataclass(frozen=True)
class Segment:
    """A stretch of the ledger: what a draw has paid; ``now`` is the draw that is looked at."""

    x: float
    width: float
    site: int
    now: bool


@dataclass(frozen=True)
class Ledger:
    """What has been paid so far, against the bound: a bar of 100 units where the bound ends at ``limit``."""

    segments: tuple[Segment, ...]
    limit: float
    paid: str
    bound: str
    now: str


@dataclass(frozen=True)
class Moment:
    """One draw in both runs.  ``phase`` says whether it is before, at or after the output's draw."""

    number: int
    line: int
    where: str
    draw: str
    site: int
    kind: str
    when: str
    k: str
    words: tuple[str, ...]
    phase: str
    values: tuple[str, str]
    curves: tuple[Curve, Curve] | None
    then: tuple[str, ...]
    chances: tuple[float, float] | None
    state: tuple[InputRow, ...]
    ledger: Ledger | None


@dataclass(frozen=True)
class Column:
    """A draw in the picture of the whole: the places of both values, and where k is written."""

    number: int
    x: float
    left: float
    right: float
    label: str
    k: str
    kind: str
    site: int


@dataclass(frozen=True)
class Chart:
    """All draws from left to right, on one scale with marks."""

    width: float
    height: float
    columns: tuple[Column, ...]
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class PairOfRuns:
    """Two coupled runs that end in one output."""

    output: str
    inputs: tuple[InputRow, ...]
    moments: tuple[Moment, ...]
    chart: Chart | None
    total: str


# --- a witness ------------------------------------------------------------------------------


@dataclass(frozen=True)
class OutputRow:
    """An output with its probabilities on the two inputs, and the loss."""

    output: str
    left: str
    right: str
    loss: str
    marked: bool


@dataclass(frozen=True)
class Refutation:
    """A witness: inputs, output, probabilities; ``plot`` is an image of the two laws, or None.

    ``measure`` says what ``loss`` is, ``share`` is the claim's part of it, of 100.
    """

    at: str
    inputs: tuple[InputRow, ...]
    output: str
    left: str
    right: str
    claim: str
    measure: str
    loss: str
    words: str
    share: float | None
    table: tuple[OutputRow, ...]
    plot: str | None
    remark: str


@dataclass(frozen=True)
class Distributions:
    """The outputs on two inputs, where these are compared themselves."""

    inputs: tuple[InputRow, ...]
    table: tuple[OutputRow, ...]
    plot: str | None
    remark: str


# --- pages ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """One mechanism."""

    name: str
    file: str
    line: int
    verdict: str
    badge: str
    headline: str
    standing: str
    facts: tuple[tuple[str, str], ...]
    source: tuple[SourceLine, ...]
    sites: tuple[SiteRow, ...] = ()
    argument: tuple[str, ...] = ()
    runs: tuple[PairOfRuns, ...] = ()
    without_runs: str = ""
    unit: str = "nats"
    invariants: tuple[InvariantRow, ...] = ()
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    derivation: str = ""
    refutation: Refutation | None = None
    distributions: Distributions | None = None
    obstacle: tuple[str, ...] = ()
    advice: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
    necessary: tuple[str, ...] = ()
    index: str = ""


@dataclass(frozen=True)
class Table:
    """A caption, the names of columns, and rows of texts."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Fragment:
    """A result for a notebook: what it is about, what it says, facts with their names, and tables."""

    title: str
    says: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class IndexRow:
    """A mechanism, or a function that can't be read, in the list of all."""

    name: str
    file: str
    line: int
    verdict: str
    bound: str
    said: str
    href: str


@dataclass(frozen=True)
class Index:
    """The list of all, with how many there are of each verdict."""

    title: str
    rows: tuple[IndexRow, ...]
    counts: tuple[tuple[str, int], ...]
