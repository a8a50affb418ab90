"""Rewritings that bring a program closer to what couplings can relate, as steps that the kernel checks."""
