"""What the commands are called with."""
