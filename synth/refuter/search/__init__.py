"""The search for inputs and outputs on which a claim fails."""
