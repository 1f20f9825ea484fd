"""The numbers of a sheet and their bounds."""

from typing import Annotated, Final

from msgspec import Meta

FULL: Final = 100_000
"""Health of a sheet that states none: as much as its `health_max`."""

Attribute = Annotated[int, Meta(ge=0, le=1000)]
"""Strength, agility, accuracy or endurance, before wounds."""

Health = Annotated[int, Meta(ge=0, le=FULL)]
"""Hit points left."""

MostHealth = Annotated[int, Meta(ge=1, le=FULL)]
"""Hit points when unhurt."""

ArmourClass = Annotated[int, Meta(ge=0, le=100)]
"""Armour class, 0 without armour."""

WoundCount = Annotated[int, Meta(ge=0, le=10_000)]
"""Wounds of one kind."""

Points = Annotated[int, Meta(ge=0, le=10_000)]
"""Movement points."""
