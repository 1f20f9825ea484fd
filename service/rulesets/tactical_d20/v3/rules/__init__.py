"""Rules that version 3 adds, one module per chapter."""
