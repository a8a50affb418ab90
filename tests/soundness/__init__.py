"""The hunt for what is called valid and isn't true.  README.md says what is tried, and by which oracle.

Helpers of the neighbouring tests are on the path, as they are under pytest.
"""

import sys
from pathlib import Path

_TESTS = Path(__file__).parent.parent
sys.path[:0] = [
    str(folder) for folder in (_TESTS, *(_TESTS / name for name in ("kernel", "language", "refute")))
]
