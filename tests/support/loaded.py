"""Loads the prover, in a process that others are forked from; starts no solver."""

from synth.app.loading import load_prover
from synth.app.workers import keep_freed_memory

load_prover()
keep_freed_memory()
