"""The sample weapons and armour of the rulebook, and the blobs that a creation names.

Source: tables «Пример оружия | Урон», «Пример оружия | Навык | Смертельность | Радиус», «Броня».
The skills of the first table are defaults, not in the source text.
"""

from typing import Annotated, Final, Literal, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle.state import State
from service.engine.battle.terms import Terms
from service.engine.map_check import MapReport, attempt, report_of
from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.client_ids import require_distinct
from service.engine.vocabulary.content_names import ContentNames, TitledLists
from service.errors import Malformed
from service.rulesets.seeker_d100.rules.armour import Material, material_value
from service.rulesets.seeker_d100.rules.words import AttackSkill, DamageDice, Metres
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.terrain import MAX_COVERS, Cover
from service.rulesets.seeker_d100.weapons import (
    BARE_HANDS,
    IMPROVISED,
    ArmourSample,
    WeaponSample,
)

MAX_SAMPLES: Final = 500


class Content(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Weapons and armour that sheets and covers may refer to by `sample`."""

    weapons: Annotated[
        Annotated[tuple[WeaponSample, ...], Meta(max_length=MAX_SAMPLES)], EVERYONE
    ] = ()
    """Weapon samples, each id once."""
    armour: Annotated[
        Annotated[tuple[ArmourSample, ...], Meta(max_length=MAX_SAMPLES)], EVERYONE
    ] = ()
    """Samples of body armour and cover, each id once."""


class MapInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The covers of a map. In `cells`, places are columns and rows of `cell_m` metres each."""

    unit: Annotated[Literal["metres", "cells"], EVERYONE] = "metres"
    """What places of the covers count: metres, or columns and rows of `cell_m` metres each."""
    cover: Annotated[Annotated[tuple[Cover, ...], Meta(max_length=MAX_COVERS)], EVERYONE] = ()
    """All covers of the map in its `unit`, each id once."""


class Blob(Struct, frozen=True, kw_only=True):
    """What a digest names: a map (`unit` and `cover`) or content (`weapons` and `armour`)."""

    unit: Annotated[Literal["metres", "cells"] | UnsetType, EVERYONE] = UNSET
    """Unit of the map's places; absent if this is content."""
    cover: Annotated[tuple[Cover, ...] | UnsetType, EVERYONE] = UNSET
    """Covers of the map, sorted by id; absent if this is content."""
    weapons: Annotated[tuple[WeaponSample, ...] | UnsetType, EVERYONE] = UNSET
    """Weapon samples of the content; absent if this is a map."""
    armour: Annotated[tuple[ArmourSample, ...] | UnsetType, EVERYONE] = UNSET
    """Armour samples of the content; absent if this is a map."""


def map_blob(board: MapInput) -> Blob:
    """A map as it is kept, sorted. Raises Malformed for an id that stands twice or is reserved."""
    require_distinct([cover.id for cover in board.cover], "$.map.cover")
    cover = tuple(sorted(board.cover, key=lambda segment: segment.id))
    return Blob(unit=board.unit, cover=cover)


def check_map(stated: MapInput, _: Struct) -> MapReport:
    """The first problem of a map, if there is one."""
    return report_of(attempt(map_blob, stated), stated)


def content_blob(content: Content) -> Blob:
    """Content as it is kept. Raises Malformed for an id that stands twice."""
    _require_once([sample.id for sample in content.weapons], "$.content.weapons")
    _require_once([sample.id for sample in content.armour], "$.content.armour")
    return Blob(weapons=content.weapons, armour=content.armour)


def _require_once(ids: list[str], path: str) -> None:
    for index, each in enumerate(ids):
        if each in ids[:index]:
            raise Malformed(path=f"{path}[{index}].id", allowed="each id once")


def named_blob(terms: Terms, digest: str | UnsetType) -> Blob | None:
    """The map or content of this digest, if the battle names one."""
    return None if digest is UNSET else cast("Blob | None", terms.blobs.get(digest))


def weapon_samples(battle: State[BattleState]) -> tuple[WeaponSample, ...]:
    """The weapons of the battle's content."""
    content = named_blob(battle.terms, battle.rule.content)
    return () if content is None or content.weapons is UNSET else content.weapons


def weapon_sample(battle: State[BattleState], sample: str) -> WeaponSample | None:
    """A weapon of the battle's content, if it has one of that id."""
    return next((each for each in weapon_samples(battle) if each.id == sample), None)


def armour_samples(battle: State[BattleState]) -> tuple[ArmourSample, ...]:
    """The pieces of armour of the battle's content."""
    content = named_blob(battle.terms, battle.rule.content)
    return () if content is None or content.armour is UNSET else content.armour


def armour_sample(battle: State[BattleState], sample: str) -> ArmourSample | None:
    """A piece of armour of the battle's content, if it has one of that id."""
    return next((each for each in armour_samples(battle) if each.id == sample), None)


def _ordinary(
    sample: str, en: str, ru: str, damage: tuple[int, int, int], skill: AttackSkill
) -> WeaponSample:
    count, sides, bonus = damage
    dice = DamageDice(count=count, sides=sides, bonus=bonus)
    return WeaponSample(id=sample, en=en, ru=ru, damage=dice, skill=skill)


def _radii(least: int, most: int) -> Metres:
    return Metres(min=least, max=most)


def _armour(material: Material, en: str, ru: str) -> ArmourSample:
    return ArmourSample(id=material, value=material_value(material), en=en, ru=ru)


BUILT_IN: Final = Content(
    weapons=(
        _ordinary(BARE_HANDS, "bare hands and feet", "голые руки и ноги", (1, 4, -1), "unarmed"),
        _ordinary(
            "w_knuckles",
            "knuckledusters, weighted glove, steel-toed boots",
            "кастет, свинчатка, ботинки со стальным носком",
            (1, 4, 0),
            "unarmed",
        ),
        _ordinary(
            "w_knife", "ordinary knife or axe", "обычный нож или топор", (1, 4, 0), "melee_weapon"
        ),
        _ordinary(
            "w_combat_knife",
            "combat knife or club",
            "боевой нож или дубинка",
            (1, 6, 0),
            "melee_weapon",
        ),
        _ordinary(
            "w_machete",
            "tomahawk, machete, baseball bat",
            "томагавк, мачете, бейсбольная бита",
            (1, 8, 0),
            "melee_weapon",
        ),
        _ordinary(
            "w_pistol_small",
            "pistol, small calibre",
            "пистолет (малый калибр)",
            (1, 8, 0),
            "ranged",
        ),
        _ordinary("w_revolver", "revolver", "револьвер", (1, 10, 0), "ranged"),
        _ordinary("w_carbine", "carbine", "карабин", (1, 12, 0), "ranged"),
        _ordinary("w_rifle", "rifle", "винтовка", (1, 12, 2), "ranged"),
        _ordinary("w_shotgun", "shotgun", "дробовик", (2, 10, 0), "ranged"),
        WeaponSample(
            id="w_smg",
            en="submachine gun",
            ru="пистолет-пулемёт",
            skill="ranged",
            lethality=10,
            radius=_radii(1, 3),
        ),
        WeaponSample(
            id="w_assault_rifle",
            en="assault rifle",
            ru="автомат",
            skill="ranged",
            lethality=10,
            radius=_radii(1, 3),
        ),
        WeaponSample(
            id="w_heavy_rifle",
            en="heavy rifle",
            ru="тяжёлая винтовка",
            skill="ranged",
            lethality=20,
        ),
        WeaponSample(
            id="w_lmg",
            en="light machine gun",
            ru="лёгкий пулемёт",
            skill="heavy_weapons",
            lethality=10,
            radius=_radii(3, 3),
        ),
        WeaponSample(
            id="w_hmg",
            en="stationary machine gun",
            ru="станковый пулемёт",
            skill="heavy_weapons",
            lethality=20,
            radius=_radii(3, 3),
        ),
        WeaponSample(
            id="w_grenade",
            en="hand grenade",
            ru="ручная граната",
            skill="athletics",
            delivery="explosive",
            lethality=15,
            radius=_radii(10, 10),
        ),
        WeaponSample(
            id=IMPROVISED,
            en="improvised explosive",
            ru="самодельная взрывчатка",
            skill="demolitions",
            radius=_radii(10, 10),
        ),
    ),
    armour=(
        _armour("heavy_armour", "heavy armour", "тяжёлая броня"),
        _armour("wall", "wall", "стена"),
        _armour("thick_door", "thick door", "толстая дверь"),
        _armour("car_side", "side of a car", "стенка автомобиля"),
        _armour("thick_wall", "thick wall", "толстая стена"),
        _armour("concrete", "concrete", "бетон"),
        _armour("stone", "stone", "камень"),
        _armour("armoured_car", "armoured car", "броневик"),
        _armour("sandbag", "sandbag", "мешок с песком"),
        _armour("reinforced_wall", "reinforced wall", "укреплённая стена"),
        _armour("light_tank", "light tank", "лёгкий танк"),
    ),
)
"""The samples of the rulebook. `w_ied` has no lethality there: it is the option's."""

_HANDS: Final = tuple(sample for sample in BUILT_IN.weapons if sample.id == BARE_HANDS)


def _titled(blob: Blob | None) -> TitledLists:
    samples = () if blob is None or blob.weapons is UNSET else blob.weapons
    own = tuple(sample for sample in samples if sample.id == BARE_HANDS)
    return {"samples": samples, "hands": own or _HANDS}


NAMES: Final = ContentNames(
    lists=_titled, kinds={"sample": ("samples",), "item": ("hands",), "weapon": ("hands",)}
)
"""How weapons are called in sentences whose sheets give them no name: by what they are one of.

Bare hands are called so whether or not a sheet is known that has them.
"""
