"""``synth templates``: lists the couplings that proofs may use, each with a solver's verdict on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from synth.app.couplings import Row, verified
from synth.support.display import MAX_LETTERS, shown
from synth.views.formats.json_object import print_results

SOUND, UNSOUND = 0, 1


def run(files: tuple[Path, ...], as_json: bool) -> int:
    """List the templates; 1 if a coupling is unsound.  Raises TemplateError."""
    rows = verified(files)
    status = SOUND if all(row.sound for row in rows) else UNSOUND
    if as_json:
        print_results([asdict(row) for row in rows], status)
    else:
        _print(rows)
    return status


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
            print(shown(f"{row.file}: {_why(row)}", MAX_LETTERS))


def _why(row: Row) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in (row.counterexample or {}).items())
    text = f"coupling {row.coupling} of {row.distribution} is not sound on draws of sort {row.sort}: "
    text += f"can't prove that {row.violated}"
    return f"{text}; it fails for {values}" if values else text
