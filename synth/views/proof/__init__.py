"""The proof that the prover found, as a table."""
