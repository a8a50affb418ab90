"""Results, errors and progress on a terminal."""
