"""Certificates as Rocq files: a statement about the core program from first principles, and its proof."""
