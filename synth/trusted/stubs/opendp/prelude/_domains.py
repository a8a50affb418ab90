"""opendp: domains of numbers and of lists of them; reals that are unclear may be no numbers."""

from synth.stubs import generator

Integer = generator("Integer", "None")
Real = generator("Real", "None")
Unclear = generator("Unclear", "None")
Integers = generator("Integers", "None")
Reals = generator("Reals", "None")
Unclears = generator("Unclears", "None")
