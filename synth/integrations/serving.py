"""Where ``synth-language-server`` begins."""

from __future__ import annotations

import sys

WRONG_USAGE = 2


def main() -> None:
    """Serve an editor on standard input and output; exit with 2 where pygls is missing."""
    try:
        from synth.integrations.language_server import server
    except ModuleNotFoundError as error:
        print(f"synth: error: no module {error.name}: pip install pygls", file=sys.stderr)
        sys.exit(WRONG_USAGE)
    server().start_io()


if __name__ == "__main__":
    main()
