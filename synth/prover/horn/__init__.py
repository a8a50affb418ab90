"""Terms, constrained Horn clauses, and the solvers behind them."""
