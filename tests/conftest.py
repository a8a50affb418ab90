"""Puts this folder, and the helpers of tests/language, on the path of all tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "language"))
