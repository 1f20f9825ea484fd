"""The content of a battle: its weapons, Melodies, templates and mistake tables.

A creation brings content or plays with the sample of the rulebook. Either is kept under its digest,
as the map is: one type of blob holds the one or the other.
"""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle.state import State
from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.content_names import ContentNames, TitledLists
from service.rulesets.melody_d6.maps import Extent, Features
from service.rulesets.melody_d6.melodies import AnyTemplate, Melody, MistakeTable
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.weapons import Weapon

Weapons = Annotated[tuple[Weapon, ...], Meta(max_length=100)]
Melodies = Annotated[tuple[Melody, ...], Meta(max_length=100)]
Templates = Annotated[tuple[AnyTemplate, ...], Meta(max_length=50)]
MistakeTables = Annotated[tuple[MistakeTable, ...], Meta(max_length=50)]


class Content(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What sheets and actions refer to by id."""

    weapons: Annotated[Weapons, EVERYONE] = ()
    """Weapons, each id once."""
    melodies: Annotated[Melodies, EVERYONE] = ()
    """Melodies, each id once."""
    templates: Annotated[Templates, EVERYONE] = ()
    """Templates that Melodies name, each id once."""
    mistake_tables: Annotated[MistakeTables, EVERYONE] = ()
    """Mistake tables that Melodies name, each id once."""


class Blob(Struct, frozen=True, kw_only=True):
    """What a digest names: a map (`width`, `height`, `features`) or content (all others)."""

    width: Annotated[Extent | UnsetType, EVERYONE] = UNSET
    """How far the table reaches east, in u; absent if this is content."""
    height: Annotated[Extent | UnsetType, EVERYONE] = UNSET
    """How far the table reaches south, in u; absent if this is content."""
    features: Annotated[Features | UnsetType, EVERYONE] = UNSET
    """Terrain of the map, sorted by id; absent if this is content."""
    weapons: Annotated[Weapons | UnsetType, EVERYONE] = UNSET
    """Weapons of the content; absent if this is a map."""
    melodies: Annotated[Melodies | UnsetType, EVERYONE] = UNSET
    """Melodies of the content; absent if this is a map."""
    templates: Annotated[Templates | UnsetType, EVERYONE] = UNSET
    """Templates of the content; absent if this is a map."""
    mistake_tables: Annotated[MistakeTables | UnsetType, EVERYONE] = UNSET
    """Mistake tables of the content; absent if this is a map."""


NOTHING: Final = Content()
"""The content of a battle that has none."""


def content_of(battle: State[BattleState]) -> Content:
    """The content of this battle. Raises TypeError where its digest names a map."""
    rule = battle.rule
    if rule.content is UNSET:
        return NOTHING
    blob = battle.terms.find(rule.content, Blob)
    if (
        blob.weapons is UNSET
        or blob.melodies is UNSET
        or blob.templates is UNSET
        or blob.mistake_tables is UNSET
    ):
        raise TypeError(f"{rule.content} is no content")
    return Content(
        weapons=blob.weapons,
        melodies=blob.melodies,
        templates=blob.templates,
        mistake_tables=blob.mistake_tables,
    )


def weapon_of(content: Content, weapon: str) -> Weapon | None:
    """The weapon of that id, if there is one."""
    return next((each for each in content.weapons if each.id == weapon), None)


def melody_of(content: Content, melody: str) -> Melody | None:
    """The Melody of that id, if there is one."""
    return next((each for each in content.melodies if each.id == melody), None)


def template_of(content: Content, melody: Melody) -> AnyTemplate | None:
    """The template of a Melody; None for one of a single warrior."""
    return next((each for each in content.templates if each.id == melody.template), None)


def mistakes_of(content: Content, melody: Melody) -> MistakeTable:
    """The mistake table of a Melody. Raises KeyError where the content has none of that id."""
    return {each.id: each for each in content.mistake_tables}[melody.mistake_table]


def _titled(blob: Blob | None) -> TitledLists:
    if blob is None or blob.weapons is UNSET or blob.melodies is UNSET:
        return {}
    return {"weapons": blob.weapons, "melodies": blob.melodies}


NAMES: Final = ContentNames(
    lists=_titled,
    kinds={
        "weapon": ("weapons",),
        "melody": ("melodies",),
        "resistance": ("melodies",),
        "song": ("songs",),
        "marker": ("songs",),
        "item": ("weapons", "melodies", "songs"),
    },
    in_play={"songs": "melody"},
)
"""How weapons, Melodies and the Melodies in play are called in sentences."""
