"""Measuring the prover on a list of programs with known verdicts."""
