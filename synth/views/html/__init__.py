"""Results and documents as pages of HTML that need no network."""
