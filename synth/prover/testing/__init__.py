"""Concrete executions on small adjacent inputs, which refute strategies before any solver is asked."""
