"""States as one viewer saw them, folded from what that viewer was told."""
