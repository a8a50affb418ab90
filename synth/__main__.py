"""Where ``synth`` and ``python -m synth`` begin: Ctrl-C is obeyed while everything else is imported, too."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit.  Who started this may have it ignore SIGINT."""
    obeys = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if obeys:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from synth.support.imports import quickly
    from synth.support.leaving import run_and_leave

    with quickly():
        from synth.app.cli import main as command_line

    try:
        if obeys:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run_and_leave(command_line)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said


if __name__ == "__main__":
    main()
