"""Time limits: what is due when, and what becomes of it."""
