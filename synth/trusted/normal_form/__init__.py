"""Rewritings that keep a program's distribution, and what is computed of its chances."""
