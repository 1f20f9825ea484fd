"""Who may act: a combatant, a unit or a side, by its id."""

from msgspec import UNSET, Struct, UnsetType


class Actor(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A combatant, a unit or a side; exactly one is stated."""

    combatant: str | UnsetType = UNSET
    """Id of the combatant; absent for a unit or a side."""
    unit: str | UnsetType = UNSET
    """Id of the unit; absent for a combatant or a side."""
    side: str | UnsetType = UNSET
    """Id of the side; absent for a combatant or a unit."""
