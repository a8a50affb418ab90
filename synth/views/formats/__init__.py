"""What a run over mechanisms prints, in the formats that people and other tools read."""
