"""synth inside of other tools."""
