"""SQ-FIRE: what a burning cell does to whoever enters it or begins a turn on it."""

from typing import Final, Literal

from service.rulesets.squad_d100.rules.wounds import WoundKind

SQ_FIRE_1: Final = "SQ-FIRE-1"
SQ_FIRE_2: Final = "SQ-FIRE-2"

FireEffect = Literal["light_wound", "heavy_wound", "none"]
"""What fire does."""

_WOUNDS: Final[dict[FireEffect, WoundKind | None]] = {
    "light_wound": "light",
    "heavy_wound": "heavy",
    "none": None,
}


def wound_on_entering(is_burning: bool, effect: FireEffect) -> WoundKind | None:
    """SQ-FIRE-1: entering a cell of fire gives a light wound, or what the table has chosen.

    Each cell entered counts. Default, not in the source text.
    """
    return _WOUNDS[effect] if is_burning else None


def wound_at_turn_start(is_burning: bool, effect: FireEffect) -> WoundKind | None:
    """SQ-FIRE-2: beginning a turn on a cell of fire gives the same as entering it.

    Default, not in the source text.
    """
    return wound_on_entering(is_burning, effect)
