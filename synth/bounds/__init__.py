"""Functions of the public parameters: what scales, costs and bounds are, and how they are written."""
