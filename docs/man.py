"""Writes the manual pages, ``python docs/man.py``, from the help of the commands."""

from __future__ import annotations

from copy import copy
from importlib.metadata import version
from pathlib import Path

import click
from click_man.core import generate_man_page

from synth.app.cli import main

FOLDER = Path(__file__).parent / "man"
_NOTES = """.SH ENVIRONMENT
.TP
\\fBSYNTH_CACHE\\fP
Folder of the verdicts that are kept; empty: none are.
.TP
\\fBSYNTH_TRACEBACK\\fP
With 1, Python's traceback of a defect stands before its message.
.SH EXIT STATUS
0 proved, valid or done; 1 refuted or invalid; 2 wrong usage; 3 unknown or incomplete; 4 a file that
can't be read; 70 a defect of synth; 74 output that can't be written; 130 interrupted.
"""


def pages() -> dict[str, str]:
    """The text of each page by the name of its file."""
    group = copy(main)
    group.commands = {name: _summed_up(command) for name, command in sorted(main.commands.items())}
    found = {"synth.1": _page("synth", group) + _NOTES}
    for name, command in group.commands.items():
        found[f"synth-{name}.1"] = _page(f"synth {name}", command)
    return found


def _summed_up(command: click.Command) -> click.Command:
    """The command with the whole first line of its help as its summary; click cuts it off."""
    summed_up = copy(command)
    summed_up.short_help = (command.help or "").split("\n\n")[0].replace("\n", " ").rstrip(".")
    return summed_up


def _page(name: str, command: click.Command) -> str:
    number = version("synth")
    text = generate_man_page(click.Context(command, info_name=name), number, date=f"version {number}")
    return text.rstrip() + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
