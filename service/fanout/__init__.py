"""Announces stored events to the other processes, over Redis; nothing with a single process."""
