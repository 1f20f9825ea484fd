"""What shots, throws, blows and walks would do."""
