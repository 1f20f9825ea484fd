"""Ambush at the mill, a battle of `crossfire-d6`."""
