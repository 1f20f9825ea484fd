"""What attacks, area effects and walks would do."""
