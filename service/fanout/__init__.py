"""Tells the other processes what was stored: Redis, or nobody when there is one process."""
