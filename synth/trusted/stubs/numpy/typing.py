"""numpy.typing: its types are known to the reader."""
