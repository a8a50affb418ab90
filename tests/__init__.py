"""The tests of synth: what must never be accepted, what must be proved, and each wing by itself."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The repository."""
