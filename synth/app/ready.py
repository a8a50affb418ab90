"""``synth prove`` in a process that has loaded what it needs before it is told what to prove.

``python -m synth.app.ready [FD]`` waits for a line of standard input, a JSON object: the ``arguments`` of the
command, and digests of the documents that the kernel has ``accepted`` in this session.  These are all that it
is told, and it ends with its work: so it says what a process says that is started then.  To the file FD it
writes a JSON list of what is accepted now.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from synth.app.loading import load_command
from synth.app.session import Session
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

    told = json.loads(line)
    session = Session(frozenset(told["accepted"]), _tell)
    run_and_leave(lambda: command_line(["prove", *told["arguments"]], obj=session))


def _tell(accepted: frozenset[str]) -> None:
    """Write it where that was asked for."""
    for descriptor in map(int, sys.argv[1:]):
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(sorted(accepted), file)


if __name__ == "__main__":
    main()
