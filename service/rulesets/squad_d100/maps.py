"""Maps: the text that a game master pastes, and the immutable blob that everyone may see."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE, GM, SubjectId
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import Metadata, NameText, SideId
from service.rulesets.squad_d100.rules.map_checks import LONGEST_SIDE
from service.rulesets.squad_d100.rules.words import Posture
from service.rulesets.squad_d100.sheets import (
    ArmourClass,
    Attribute,
    Health,
    MostHealth,
    WoundCount,
)
from service.rulesets.squad_d100.terrain import MAX_CHANGES, CellCoordinate
from service.rulesets.squad_d100.weapons import ApClass, Grenades, Weapons

Glyph = Annotated[str, Meta(min_length=1, max_length=1)]
"""One character."""

MOST_ENTRIES = 500


class MapBlob(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ground of a map as it was laid, without units: what everyone may see."""

    rows: Annotated[
        Annotated[
            tuple[Annotated[str, Meta(min_length=1, max_length=LONGEST_SIDE)], ...],
            Meta(max_length=LONGEST_SIDE),
        ],
        EVERYONE,
    ] = ()
    """Rows of equal length from the top down, one glyph of the legend for each cell."""


class UnderCell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terrain below a unit of the text."""

    x: Annotated[CellCoordinate, GM]
    """Column of the unit, from 0."""
    y: Annotated[CellCoordinate, GM]
    """Row of the unit, from 0."""
    glyph: Annotated[Glyph, GM]
    """Glyph of a terrain on which one can stand."""


class RosterItems(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lies in a cell of `weapons_ammo` for whoever picks up first."""

    weapons: Annotated[Weapons, GM] = ()
    """Weapons that lie there."""
    grenades: Annotated[Grenades, GM] = ()
    """Grenades that lie there."""


class RosterEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields of units of the text: of all of a `glyph`, or of the one at (`x`, `y`).

    What is left out stays as it is. Entries count in their order, the later one field by field.
    """

    glyph: Annotated[Glyph | UnsetType, GM] = UNSET
    """Glyph of the units; absent where a cell is stated."""
    x: Annotated[CellCoordinate | UnsetType, GM] = UNSET
    """Column of the unit or of the things; absent where a glyph is stated."""
    y: Annotated[CellCoordinate | UnsetType, GM] = UNSET
    """Row of the unit or of the things; absent where a glyph is stated."""
    items: Annotated[RosterItems | UnsetType, GM] = UNSET
    """What lies in the cell, which is `weapons_ammo`; nothing else is stated with it."""
    id: Annotated[
        Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)] | UnsetType,
        GM,
    ] = UNSET
    """Id of the unit; only by its cell. Absent: its character, or kind and cell."""
    name: Annotated[NameText | UnsetType, GM] = UNSET
    """Name to display."""
    metadata: Annotated[Metadata | UnsetType, GM] = UNSET
    """JSON object of the table's own, as a string."""
    side: Annotated[SideId | UnsetType, GM] = UNSET
    """Side it fights for."""
    hidden: Annotated[bool | UnsetType, GM] = UNSET
    """Whether only its own side and the game master know of it."""
    strength: Annotated[Attribute | UnsetType, GM] = UNSET
    """Strength (STR)."""
    agility: Annotated[Attribute | UnsetType, GM] = UNSET
    """Agility (AGI)."""
    accuracy: Annotated[Attribute | UnsetType, GM] = UNSET
    """Accuracy (ACC)."""
    endurance: Annotated[Attribute | UnsetType, GM] = UNSET
    """Endurance (END)."""
    health: Annotated[Health | UnsetType, GM] = UNSET
    """Hit points now."""
    health_max: Annotated[MostHealth | UnsetType, GM] = UNSET
    """Hit points when unhurt."""
    armour_class: Annotated[ArmourClass | UnsetType, GM] = UNSET
    """Armour class, 0 without armour."""
    melee_ap: Annotated[ApClass | UnsetType, GM] = UNSET
    """Armour-piercing class hand to hand."""
    posture: Annotated[Posture | UnsetType, GM] = UNSET
    """Whether it stands or kneels."""
    heavy_wounds: Annotated[WoundCount | UnsetType, GM] = UNSET
    """Heavy wounds it has."""
    light_wounds: Annotated[WoundCount | UnsetType, GM] = UNSET
    """Light wounds it has."""
    weapons: Annotated[Weapons | UnsetType, GM] = UNSET
    """Its weapons, all of them."""
    grenades: Annotated[Grenades | UnsetType, GM] = UNSET
    """Its grenades, all of them."""


class MapImport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A map as text, the terrain below its units, and what they are; the game master's."""

    text: Annotated[Annotated[str, Meta(max_length=140_000)], GM]
    """Rows of equal length, each ending with a line feed but maybe the last; one glyph of the
    legend for each cell."""
    under: Annotated[Annotated[tuple[UnderCell, ...], Meta(max_length=MAX_CHANGES)], GM] = ()
    """Terrain below units; left out: empty floor."""
    roster: Annotated[Annotated[tuple[RosterEntry, ...], Meta(max_length=MOST_ENTRIES)], GM] = ()
    """What the units are, entry by entry."""


class Fold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell of the text whose character was read as a glyph that looks like it."""

    x: Annotated[CellCoordinate, EVERYONE]
    """Column of the cell."""
    y: Annotated[CellCoordinate, EVERYONE]
    """Row of the cell."""
    glyph: Annotated[Glyph, EVERYONE]
    """Character that stood there."""
    read_as: Annotated[Glyph, EVERYONE]
    """Glyph of the legend that it counts as."""
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the unit that stands there; absent for terrain."""
