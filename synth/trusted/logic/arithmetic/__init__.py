"""Exact arithmetic of public numbers: polynomials, exponentials, what Gaussian noise costs."""
