"""The rulebook of `crossfire-d6`, one module per chapter."""
