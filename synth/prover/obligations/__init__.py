"""What must hold in every single run, and whether runs end."""
