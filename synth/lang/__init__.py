"""What a program file imports: ``from synth.lang import *`` is its first line; see ``runtime``."""

from synth.lang.runtime import *  # noqa: F403
from synth.lang.runtime import __all__ as __all__
