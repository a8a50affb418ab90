"""Puts this folder, and the helpers of tests/language, on the path of all tests; turns the cache off.

Examples of properties are the same in every run.
"""

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent / "language"))
os.environ["SYNTH_CACHE"] = ""
settings.register_profile("the same in every run", derandomize=True, database=None)
settings.load_profile("the same in every run")
