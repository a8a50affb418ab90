"""Loads the command and the prover, in a process that others are forked from; starts no solver."""

from synth.app.loading import load_command, load_prover
from synth.app.workers import keep_freed_memory

load_command()
load_prover()
keep_freed_memory()
