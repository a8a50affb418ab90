"""What all wings may use and no verdict rests on."""
