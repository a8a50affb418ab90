"""The library: what ``import synth`` gives, worked out in processes that can be killed."""
