"""What finite precision does to a proved ε: Theorem 4.5 of Gazeau, Miller & Palamidessi 2013.

``noised_real(checked_certificate(text), values)`` is the proved mechanism, ``bound(noise, implementation)``
its ε' in an implementation, ``table`` many of them, ``printed_example()`` what happens without rounding.
"""

from synth.precision.bound import ASSUMED, CHECKED, FAILED, Bound, Condition, bound, table
from synth.precision.closeness import Shift
from synth.precision.enclosures import Interval
from synth.precision.implementation import Format, Implementation, Kind
from synth.precision.noise import NoisedReal, NotProvedError, checked_certificate, noised_real
from synth.precision.scaling import Outcome, Scaling, example_for, printed_example, scaling

__all__ = [
    "ASSUMED",
    "CHECKED",
    "FAILED",
    "Bound",
    "Condition",
    "Format",
    "Implementation",
    "Interval",
    "Kind",
    "NoisedReal",
    "NotProvedError",
    "Outcome",
    "Scaling",
    "Shift",
    "bound",
    "checked_certificate",
    "example_for",
    "noised_real",
    "printed_example",
    "scaling",
    "table",
]
