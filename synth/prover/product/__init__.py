"""The relational product of two runs under a strategy, as constrained Horn clauses."""
