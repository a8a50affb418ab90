"""The commands, each in a file of its own; see :mod:`synth.app.cli`."""
