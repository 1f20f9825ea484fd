"""Limits: what one client may send, ask for and keep open, and what becomes of the rest."""
