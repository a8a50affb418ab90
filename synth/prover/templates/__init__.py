"""Couplings of two draws, as template files declare them, verified before they are used."""
