"""What previews of these rules tell."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.ruleset.definition import Odds
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.shots import Manner
from service.rulesets.squad_d100.terrain import Cell
from service.rulesets.squad_d100.weapons import Damage


class ForeseenShot(Struct, frozen=True, kw_only=True):
    """One roll to hit, as it would be now: a shot, a round, a throw or a blow."""

    mode: Manner
    """Manner of the attack."""
    target: str | UnsetType = UNSET
    """Id of the target; absent for an object and a throw."""
    cell: Cell | UnsetType = UNSET
    """Cell of the object or of the throw; absent for a target."""
    item: str | UnsetType = UNSET
    """Id of the weapon or grenades; absent hand to hand."""
    rounds: int
    """Rounds that the roll stands for; 0 hand to hand and of a throw."""
    distance: int
    """Distance in cells (SQ-DIST-1)."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What is added to the die; absent where the option `breakdowns` hides it."""
    pool: int | UnsetType = UNSET
    """Sum of what is added to the die; absent of suppression."""
    threshold: int | UnsetType = UNSET
    """What the result must be less than; absent of suppression."""
    ap_class: int | UnsetType = UNSET
    """Armour-piercing class; absent at an object."""
    armour_class: int | UnsetType = UNSET
    """Armour class of the target; absent where the caller may not know it, at an object and of a
    throw."""
    damage: Damage | UnsetType = UNSET
    """Damage of a penetration, before the heavy wound; absent at an object."""
    odds: tuple[Odds, ...]
    """Exact chances of this roll, once it is rolled: `critical_success`, `hit`, `miss` and
    `critical_failure`."""
    zones: tuple[Odds, ...] | UnsetType = UNSET
    """Exact chances of `penetration`, `green`, `yellow`, `red` and `no_hit`, once it is rolled;
    absent where the caller may not know the armour, at an object and of a throw."""


class ForeseenFall(Struct, frozen=True, kw_only=True):
    """What all shots of an action come to for one target."""

    target: str
    """Id of the target."""
    odds: tuple[Odds, ...]
    """Exact chances that it goes `down`, or is `standing` afterwards."""


class ForeseenVictim(Struct, frozen=True, kw_only=True):
    """What the blast of a grenade would do to one combatant whom the caller knows of."""

    target: str
    """Id of the combatant."""
    armour_class: int | UnsetType = UNSET
    """Its armour class; absent where the caller may not know it."""
    odds: tuple[Odds, ...]
    """Exact chances of `penetration`, `green`, `yellow` and `red`, and that it is `unreached`,
    scatter included; where the armour is not known of `reached` and `unreached`. Explosions that
    follow are not counted."""


class ForeseenTest(Struct, frozen=True, kw_only=True):
    """Somebody on watch who tests as far as the caller knows."""

    combatant: str
    """Id of the watcher."""
    steps: int | UnsetType = UNSET
    """Steps of a walk that are made before; absent for a door."""
    threshold: int | UnsetType = UNSET
    """What its die must be less than (SQ-VIG-3); absent where the caller may not know it."""
    odds: tuple[Odds, ...] = ()
    """Exact chances of the test, `success` and `failure`; empty where the threshold is not known.
    """


class Facts(Struct, frozen=True, kw_only=True):
    """Shots, a throw, a blow, a walk or a price; nothing of the others' numbers that are hidden.

    Attacks: `shots` to `victims`. Movement: `price_mp` of `left_mp`, `end` and `tests`.
    """

    shots: tuple[ForeseenShot, ...] | UnsetType = UNSET
    """The rolls to hit in the order of firing; of a burst and of suppression one for all rounds."""
    rolls: int | UnsetType = UNSET
    """How many times the one shot of a burst or of suppression is rolled; absent otherwise."""
    felled: tuple[ForeseenFall, ...] | UnsetType = UNSET
    """What the whole comes to for each target; absent where the caller may not know its health or
    armour, at objects and of a throw."""
    victims: tuple[ForeseenVictim, ...] | UnsetType = UNSET
    """Of a throw: whom of those the caller knows of its blast may reach, by number."""
    rounds_left: dict[str, int] | UnsetType = UNSET
    """Rounds in each weapon used, or grenades of that kind, afterwards; absent hand to hand."""
    price_mp: int | UnsetType = UNSET
    """Movement points that it costs."""
    gained_mp: int | UnsetType = UNSET
    """Movement points that a sprint gives; absent otherwise."""
    left_mp: int | UnsetType = UNSET
    """Movement points that are there before."""
    end: Cell | UnsetType = UNSET
    """The cell where the path ends."""
    tests: tuple[ForeseenTest, ...] | UnsetType = UNSET
    """Enemies on watch who would test, as far as the caller knows; absent without any."""
