"""The certificate checker.  Of synth it imports the reader of programs, and the rewritings."""
