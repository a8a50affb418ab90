"""``synth templates``: the couplings that proofs may use, each with a solver's verdict on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from synth.app.commands.alone import alone
from synth.app.workers import Channel
from synth.support.display import LONGEST, json_text, shown

SOUND, UNSOUND = 0, 1
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


def run(files: tuple[Path, ...], as_json: bool) -> int:
    """List the templates; 1 if a coupling is unsound.  Raises TemplateError."""
    rows = _verified(files)
    if as_json:
        print(json_text({"results": [asdict(row) for row in rows]}))
    else:
        _print(rows)
    return SOUND if all(row.sound for row in rows) else UNSOUND


def _verified(files: Sequence[Path]) -> tuple[Row, ...]:
    def work(channel: Channel) -> tuple[Row, ...]:
        channel.stage("verifying the couplings")
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
                    k=coupling.offset_formula.text,
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


def _print(rows: Sequence[Row]) -> None:
    from rich.text import Text

    from synth.views.console.results import console, line_of, plain_table, write

    table = plain_table("distribution", "coupling", "relation", "requires", "costs", "verdict", "source")
    for row in rows:
        sound = "sound by a lemma" if row.lemma else "sound"
        verdict = Text(sound, "green") if row.sound else Text("UNSOUND", "bold red")
        cost = (
            f"({row.distance})/scale"
            if " " in row.distance and not row.distance.endswith(")")
            else f"{row.distance}/scale"
        )
        if row.lemma:
            cost = "(epsilon, delta)"
        cells = (row.distribution, row.coupling, row.relation, row.requirement, cost)
        table.add_row(*map(line_of, cells), verdict, line_of(row.source))
    write(console(), table)
    for row in rows:
        if not row.sound:
            print(shown(f"{row.file}: {_why(row)}", LONGEST))


def _why(row: Row) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in (row.counterexample or {}).items())
    text = f"coupling {row.coupling} of {row.distribution} is not sound on draws of sort {row.sort}: "
    text += f"can't prove that {row.violated}"
    return f"{text}; it fails for {values}" if values else text
