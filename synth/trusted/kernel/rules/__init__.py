"""The rules of the logic: what each asks of a node, and what it pays."""
