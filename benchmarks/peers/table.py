"""What synth and its peers said and took, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import median

HEAD = (
    "| row | claim | synth | s | peer says | s | ratio | of processor s |",
    "|---|---|---|---:|---|---:|---:|---:|",
)


@dataclass(frozen=True)
class Line:
    """One mechanism, asked of synth and of a peer, one after the other.

    ``claim`` says whether the claim is true; the peer's seconds are None where it gave no answer within ``limit``.
    """

    peer: str
    row: str
    claim: bool
    synth: str
    synth_seconds: float
    synth_processor: float
    words: str
    peer_seconds: float | None
    peer_processor: float | None
    limit: float
    load: float

    @property
    def ratio(self) -> float:
        """The peer's seconds on the clock by synth's; a lower bound where the peer gave no answer."""
        return (self.limit if self.peer_seconds is None else self.peer_seconds) / self.synth_seconds

    @property
    def processor_ratio(self) -> float:
        """The same of processor seconds; not a number where the peer gave no answer."""
        return nan if self.peer_processor is None else self.peer_processor / self.synth_processor


def markdown(lines: Sequence[Line]) -> str:
    """The rows of one peer, and the median of their ratios."""
    rows = [*HEAD, *map(_row, lines)]
    return "\n".join(rows) + f"\n\n{_median(lines)}\n"


def _row(line: Line) -> str:
    claim = "true" if line.claim else "false"
    seconds = f"> {line.limit:g}" if line.peer_seconds is None else f"{line.peer_seconds:.1f}"
    processor = "–" if line.peer_processor is None else _short(line.processor_ratio)
    return (
        f"| `{line.row.partition('::')[2]}` | {claim} | {line.synth} | {line.synth_seconds:.1f} "
        f"| {_escaped(line.words)} | {seconds} | {_ratio(line)} | {processor} |"
    )


def _ratio(line: Line) -> str:
    return ("> " if line.peer_seconds is None else "") + _short(line.ratio)


def _median(lines: Sequence[Line]) -> str:
    answered = [line for line in lines if line.peer_processor is not None and not _failed(line)]
    if not answered:
        return "The peer answered none."
    clock = _short(median(line.ratio for line in answered))
    processor = _short(median(line.processor_ratio for line in answered))
    return f"Medians where the peer answered ({len(answered)} of {len(lines)}): {clock}, of processor seconds {processor}."


def _failed(line: Line) -> bool:
    return line.words.startswith("error")


def _short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _escaped(words: str) -> str:
    return words.replace("|", "\\|").replace("`", "'")
