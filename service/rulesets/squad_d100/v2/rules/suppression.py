"""SQ-SUP: the suppressed, read in the catalogue's very words."""

from typing import Final

from service.rulesets.squad_d100.rules.suppression import SuppressionReading

READING: Final = SuppressionReading(
    is_walker_followed=True, is_reaction_wasted=True, is_wall_left=True
)
"""Arcs end where suppressors are now, reactions count as shots, and a wall has a way out of it."""
