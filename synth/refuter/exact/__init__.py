"""Exact inference: the probabilities of outputs on a concrete input, enclosed."""
