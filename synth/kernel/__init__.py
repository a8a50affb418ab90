"""The certificate checker.  Of synth it imports the language: the reader of programs, and the rewritings."""
