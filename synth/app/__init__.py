"""The program: command line, processes, cache, cluster."""
