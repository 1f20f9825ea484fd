"""What a rulebook states of itself: one record, and the types of its fields."""
