"""``synth completion``: prints the script with which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

VARIABLE = "_SYNTH_COMPLETE"


def run(main: click.Command, shell: str) -> int:
    """Print click's own script for a shell; the exit status."""
    kind = get_completion_class(shell)
    assert kind is not None
    print(kind(main, {}, "synth", VARIABLE).source(), flush=True)
    return 0
