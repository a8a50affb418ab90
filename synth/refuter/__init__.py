"""Rigorous counterexamples: exact output probabilities, and the search for a witness."""
