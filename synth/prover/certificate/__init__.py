"""Writes a proof that was found as a certificate."""
