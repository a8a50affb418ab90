"""The typed program, and what is computed of it: all later stages see this form only."""
