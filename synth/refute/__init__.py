"""Rigorous counterexamples: exact output probabilities, the search for a witness, and its check."""
