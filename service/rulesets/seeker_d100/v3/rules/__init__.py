"""The rules that version 3 has otherwise, or besides: one module per chapter."""
