"""Seats as callers know them: given, invited to, taken away; and who am I."""
