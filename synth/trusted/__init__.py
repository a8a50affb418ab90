"""All that a verdict of ``synth check`` rests on, and nothing else; see README.md in this folder."""
