"""The rulebook of `seeker-d100`, one module per chapter."""
