"""The couplings that proofs may use, each with a solver's verdict on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from synth.app.alone import alone
from synth.app.workers import MAX_MEMORY_BYTES, Channel, restrict

_SECONDS = 60.0


@dataclass(frozen=True)
class Row:
    """One coupling of a distribution; the formulas as its file has them.

    With a ``lemma`` that says what it costs, only the rest has been decided by a solver.

    If it is not sound: ``violated`` says which condition fails, for draws of sort ``sort``, and
    ``counterexample`` for which values, where the solver gave some.
    """

    distribution: str
    coupling: str
    relation: str
    k: str
    requirement: str
    distance: str
    source: str
    file: str
    sound: bool
    sort: str | None = None
    violated: str | None = None
    counterexample: dict[str, str] | None = None
    lemma: str | None = None


def verified(files: Sequence[Path]) -> tuple[Row, ...]:
    """The bundled couplings, and those of these files.  Raises TemplateError."""

    def work(channel: Channel) -> tuple[Row, ...]:
        channel.stage("verifying the couplings")
        restrict(_SECONDS, MAX_MEMORY_BYTES)
        return tuple(_rows(files))

    return alone(work, "templates", _SECONDS)


def _rows(files: Sequence[Path]) -> Iterator[Row]:
    """In the worker: read and verify one file after the other."""
    from synth.prover.templates.loading import Template, bundled_folder, read_template, verify

    bundled = sorted(bundled_folder().iterdir(), key=lambda item: item.name)
    known: dict[str, Template] = {}
    for path in (*(item for item in bundled if item.name.endswith(".toml")), *files):
        template = read_template(path, known)
        old = known[template.name].couplings if template.name in known else ()
        known[template.name] = template
        for coupling, verdict in zip(template.couplings, verify(template), strict=True):
            if coupling not in old:
                yield Row(
                    distribution=template.name,
                    coupling=coupling.name,
                    relation=coupling.relation.text,
                    k=coupling.shift_formula.text,
                    requirement=coupling.requirement_formula.text,
                    distance=coupling.distance_formula.text,
                    source=coupling.source,
                    file=str(path),
                    sound=verdict.sound,
                    sort=None if verdict.sort is None else verdict.sort.value,
                    violated=verdict.violated,
                    counterexample=verdict.counterexample,
                    lemma=template.lemma,
                )
