"""The rulebook of `tactical-d20`, one module per chapter."""
