"""Steps from one program to another with the same law of the output, each checked by itself."""
