"""Bounds in finite precision as data, and as plots."""
