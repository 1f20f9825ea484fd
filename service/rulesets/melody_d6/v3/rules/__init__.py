"""The rules that version 3 has otherwise than those before."""
