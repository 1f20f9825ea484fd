"""A battle: deciding an action, the reducer, decisions, permissions, rewinds."""
