"""The rules that version 2 has otherwise than version 1."""
