"""What must never be accepted.  README.md says what the hunt tries, and by which oracle."""
