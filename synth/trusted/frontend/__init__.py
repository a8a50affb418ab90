"""From Python's syntax to the typed program.  Program files are parsed, never executed."""
