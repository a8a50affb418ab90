"""The hunt for what is called valid and is not true."""
