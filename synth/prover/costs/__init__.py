"""What couplings cost: rational functions of the parameters, payments, and the bounds to try."""
