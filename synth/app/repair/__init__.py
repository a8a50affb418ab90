"""Scales that make a claim provable: an untrusted search on top of the prover."""
