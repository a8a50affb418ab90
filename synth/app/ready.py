"""``synth prove`` in a process that has loaded what it needs before it is told what to prove.

``python -m synth.app.ready`` waits for its arguments, a JSON list in one line of standard input.  They are
all that it is told, and it ends with its work: so it says what a process says that is started then.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from synth.app.loading import load_command
from synth.support.leaving import run_and_leave


def main() -> None:
    """Load, wait and prove; end where nobody asks."""
    obeys = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if obeys:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until there is work, there is nothing to say
    load_command()
    line = sys.stdin.readline()
    if not line:
        return
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    if obeys:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    from synth.app.cli import main as command_line

    run_and_leave(lambda: command_line(["prove", *json.loads(line)]))


if __name__ == "__main__":
    main()
