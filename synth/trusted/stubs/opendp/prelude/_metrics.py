"""opendp: metrics, of which nothing is asked but what they are."""

from synth.stubs import generator

Absolute = generator("Absolute", "None")
L1 = generator("L1", "None")
L2 = generator("L2", "None")
Symmetric = generator("Symmetric", "None")
Discrete = generator("Discrete", "None")
