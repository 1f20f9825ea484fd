"""SK-ARM: body armour, helmets and cover against damage and lethality."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from service.engine.geometry.segments import Spot
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.called import CalledIgnores, cover_beyond, does_protect
from service.rulesets.seeker_d100.rules.cover import CoverSegment, best_cover, cover_between
from service.rulesets.seeker_d100.rules.damage import NOTE_FLOOR
from service.rulesets.seeker_d100.rules.words import ArmouredPart, BodyPart, Delivery

SK_ARM_4: Final = "SK-ARM-4"
SK_ARM_6: Final = "SK-ARM-6"
SK_ARM_7: Final = "SK-ARM-7"

VersusLethality = Literal["none", "downgrade"]
"""What armour makes of a lethal success: nothing, or the damage of a failure."""

Material = Literal[
    "heavy_armour",
    "wall",
    "thick_door",
    "car_side",
    "thick_wall",
    "concrete",
    "stone",
    "armoured_car",
    "sandbag",
    "reinforced_wall",
    "light_tank",
]

HELMET: Final = 1

NOTE_BODY: Final = "body_armour"
NOTE_HELMET: Final = "helmet"
NOTE_COVER: Final = "cover"

_VALUES: Final[dict[Material, int]] = {
    "heavy_armour": 5,
    "wall": 5,
    "thick_door": 5,
    "car_side": 5,
    "thick_wall": 10,
    "concrete": 10,
    "stone": 10,
    "armoured_car": 10,
    "sandbag": 15,
    "reinforced_wall": 15,
    "light_tank": 20,
}


class Armour(NamedTuple):
    """The armour that counts against one attack.

    `cover` is None where no cover counts; a cover of value 0 is one.
    """

    body: int = 0
    helmet: int = 0
    cover: int | None = None


def damage_after(damage: int, armour: int) -> int:
    """SK-ARM-1: armour of N takes N off the damage, never below 0. Doubling comes first.

    Source: «Броня 5 означает уменьшение урона на 5».
    """
    return max(0, damage - armour)


def armour_total(armour: Armour) -> int:
    """SK-ARM-2: body armour and cover both reduce an ordinary attack, and add up.

    Source: «Оба вида уменьшают урон от обычных атак».
    """
    return sum(value or 0 for value in armour)


def helmet_value(*, has_helmet: bool, part: BodyPart | None) -> int:
    """SK-ARM-3: a helmet adds 1 against an uncalled attack, and against a shot at the head.

    `part` is the one called, None for an uncalled attack.
    Source: «Армейская каска | +1».
    """
    return HELMET if has_helmet and part in (None, "head") else 0


def material_value(material: Material) -> int:
    """SK-ARM-4: the armour of what one wears, sits in or hides behind.

    Source: table «Броня».
    """
    return _VALUES[material]


def worn_armour(
    body: int,
    parts: tuple[ArmouredPart, ...],
    *,
    has_helmet: bool,
    part: BodyPart | None,
    ignores: CalledIgnores,
) -> Armour:
    """The worn armour that counts; `body` (0: none) protects `parts`, `part` is the one called."""
    helmet = helmet_value(has_helmet=has_helmet, part=part)
    if part is None:
        return Armour(body=body, helmet=helmet)
    return Armour(
        body=body if does_protect(parts, part, ignores) else 0,
        helmet=helmet if does_protect(("head",), part, ignores) else 0,
    )


def counting_cover(
    covers: Iterable[CoverSegment],
    *,
    delivery: Delivery,
    origin: Spot,
    victim: Spot,
    burst: Spot | None = None,
    is_over_cover: bool = False,
    part: BodyPart | None = None,
) -> CoverSegment | None:
    """SK-ARM-5: the cover that counts for a victim lies between it and the attack's origin.

    For an explosive between thrower (`origin`) or `burst` and victim, the better of both;
    thrown over cover only the latter. None against blows and shots at a part of the body.
    Default, not in the source text.
    """
    if delivery == "melee" or part is not None:
        return None
    segments = tuple(covers)
    if burst is None:
        return cover_between(origin, victim, segments)
    beyond = cover_beyond(burst, victim, segments)
    if is_over_cover:
        return beyond
    either = (beyond, cover_between(origin, victim, segments))
    return best_cover(cover for cover in either if cover is not None)


def does_worn_downgrade(armour: Armour, versus: VersusLethality) -> bool:
    """SK-ARM-6: worn armour does not stop a lethal success, unless `body_vs_lethality` says so.

    Then a success deals the damage of a failure. A piece of 0 is no armour.
    Source: «по-разному влияют на атаки с показателем Смертельности»; how is a default, not in
    the source text.
    """
    return versus == "downgrade" and armour.body + armour.helmet > 0


def does_cover_downgrade(armour: Armour, versus: VersusLethality) -> bool:
    """SK-ARM-7: cover of any value, 0 too, turns a lethal success into the damage of a failure.

    From the same die; where none was rolled, percentile dice are rolled for their digits only.
    Source: «по-разному влияют на атаки с показателем Смертельности»; how is a default, not in
    the source text.
    """
    return versus == "downgrade" and armour.cover is not None


_PIECES: Final = (("SK-ARM-2", NOTE_BODY), ("SK-ARM-3", NOTE_HELMET), ("SK-ARM-5", NOTE_COVER))
"""Rule and note of each piece, in the order body, helmet, cover."""


def armour_lines(armour: Armour) -> tuple[Modifier, ...]:
    """What armour takes off, in the order body, helmet, cover; pieces of 0 are left out."""
    return tuple(
        Modifier(rule=rule, amount=-value, note=note)
        for (rule, note), value in zip(_PIECES, armour, strict=True)
        if value
    )


def floor_line(armour: Armour, damage: int) -> Modifier | None:
    """The line of what armour would take off beyond `damage`; none where it would not."""
    too_much = armour_total(armour) - damage
    return Modifier(rule="SK-ARM-1", amount=too_much, note=NOTE_FLOOR) if too_much > 0 else None


def ignored_lines(counting: Armour, uncalled: Armour, rule: str) -> tuple[Modifier, ...]:
    """What a called shot ignores by `rule`: pieces that take more off an `uncalled` attack."""
    return tuple(
        Modifier(rule=rule, amount=0, note=note, facts={"armour": value})
        for (_, note), value, counted in zip(_PIECES, uncalled, counting, strict=True)
        if value and value > (counted or 0)
    )
