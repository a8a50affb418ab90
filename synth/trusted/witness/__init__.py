"""The independent check of witnesses: another method, sharing no code with the search's probabilities."""
