"""Puts this folder on the path of all tests, for the helpers in it."""
