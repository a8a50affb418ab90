"""``python -m synth``."""

from synth.cli import main

if __name__ == "__main__":
    main()
