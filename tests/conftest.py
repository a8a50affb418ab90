"""Puts this folder, and the helpers of tests/language, on the path of all tests; turns the cache off."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "language"))
os.environ["SYNTH_CACHE"] = ""
