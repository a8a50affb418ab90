"""The search for a coupling strategy that no test refutes, cheapest first."""
