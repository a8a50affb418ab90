"""What the kernel computes of a program: its parts, and the chances of what it returns."""
