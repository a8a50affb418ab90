"""Writes a proof that was found as a certificate, and certificates as what people and tools read."""
