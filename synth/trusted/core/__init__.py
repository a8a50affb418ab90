"""The core language, which is what a proof is about."""
