"""Combatants that come in: their sheets are checked, completed and put into the battle."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing, is_out
from service.engine.battle.state import State
from service.engine.kit.combatants import require_newcomer
from service.engine.vocabulary.client_ids import ONCE, alike, require_distinct
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.content import (
    BUILT_IN,
    armour_sample,
    armour_samples,
    weapon_sample,
    weapon_samples,
)
from service.rulesets.seeker_d100.deciding.holds import end_answers_and_hold
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.armour import SK_ARM_4
from service.rulesets.seeker_d100.state import (
    MAX_COMBATANTS,
    BattleState,
    Combatant,
    Condition,
    band_of,
    is_held,
)
from service.rulesets.seeker_d100.weapons import BARE_HANDS, BodyArmour, Weapon, WeaponSample

_SAMPLED: Final = (
    "skill",
    "delivery",
    "damage",
    "lethality",
    "radius",
    "shots",
    "ammo",
    "range_m",
)


def require_entry(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """A combatant may come in: a new id, a side of the battle, a sheet without contradictions.

    Raises Refused("duplicate_combatant"), ("too_many_combatants"), ("unknown_side"),
    ("unknown_sample"); Malformed for numbers that contradict each other.
    """
    require_newcomer(battle.rule, combatant, MAX_COMBATANTS, path)
    if combatant.health_max and combatant.health > combatant.health_max:
        raise Malformed(path=f"{path}.health", allowed=f"0 to {combatant.health_max}")
    _require_weapons(battle, combatant, path)
    _require_armour(battle, combatant, path)


def _require_weapons(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    ids = [weapon.id for weapon in combatant.weapons]
    require_distinct(ids, f"{path}.weapons")
    _require_hands(combatant.weapons, f"{path}.weapons")
    _require_items(ids, combatant.held_items, f"{path}.held_items")
    for index, sheet_weapon in enumerate(combatant.weapons):
        where = f"{path}.weapons[{index}]"
        if sheet_weapon.sample is not UNSET and weapon_sample(battle, sheet_weapon.sample) is None:
            raise Refused(
                "unknown_sample",
                path=f"{where}.sample",
                sample=sheet_weapon.sample,
                allowed=[sample.id for sample in weapon_samples(battle)],
            )
        weapon = whole_weapon(weapon_samples(battle), sheet_weapon)
        if weapon.skill is UNSET:
            raise Malformed(path=f"{where}.skill", allowed="a skill, or a sample that has one")
        for name in ("radius", "shots"):
            span = getattr(weapon, name)
            if span is not UNSET and span.min > span.max:
                raise Malformed(path=f"{where}.{name}.max", allowed=f"{span.min} and more")


def _require_hands(weapons: tuple[Weapon, ...], path: str) -> None:
    """Raises Malformed for an id that differs from `w_unarmed` in case alone, or dropped hands."""
    for index, weapon in enumerate(weapons):
        if weapon.id == BARE_HANDS:
            if weapon.dropped:
                raise Malformed(path=f"{path}[{index}].dropped", allowed="false for bare hands")
        elif alike(weapon.id, (BARE_HANDS,)):
            raise Malformed(path=f"{path}[{index}].id", allowed=ONCE)


def require_item(item: str, path: str) -> None:
    """Bare hands are no item: nobody holds, drops or loses them. Raises Malformed."""
    if alike(item, (BARE_HANDS,)):
        raise Malformed(path=path, allowed="items, not bare hands")


def _require_items(weapons: list[str], held: tuple[str, ...], path: str) -> None:
    """Raises Malformed for bare hands, an item held twice, or a weapon's id in another case."""
    require_distinct(held, path, "")
    for index, item in enumerate(held):
        require_item(item, f"{path}[{index}]")
        weapon = alike(item, weapons)
        if weapon not in (None, item):
            raise Malformed(path=f"{path}[{index}]", allowed=ONCE)


def _require_armour(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    armour = combatant.body_armour
    if armour is UNSET:
        return
    if (armour.value is UNSET) == (armour.sample is UNSET):
        raise Malformed(path=f"{path}.body_armour", allowed="a value or a sample")
    if armour.sample is not UNSET and armour_sample(battle, armour.sample) is None:
        raise Refused(
            "unknown_sample",
            rule=SK_ARM_4,
            path=f"{path}.body_armour.sample",
            sample=armour.sample,
            allowed=[sample.id for sample in armour_samples(battle)],
        )


def whole_weapon(samples: Iterable[WeaponSample], weapon: Weapon) -> Weapon:
    """A weapon with everything it leaves out taken from its sample, if that is among `samples`."""
    sample = next((each for each in samples if each.id == weapon.sample), None)
    if sample is None:
        return weapon
    left_out = [name for name in _SAMPLED if getattr(weapon, name) is UNSET]
    if weapon.damage is not UNSET or weapon.lethality is not UNSET:
        left_out = [name for name in left_out if name not in ("damage", "lethality")]
    return replace(weapon, **{name: getattr(sample, name) for name in left_out})


def _hands(battle: State[BattleState]) -> Weapon:
    """Bare hands as the content states them, else as the rulebook does."""
    own_sample = weapon_sample(battle, BARE_HANDS)
    sample = own_sample or next(weapon for weapon in BUILT_IN.weapons if weapon.id == BARE_HANDS)
    fields = {name: getattr(sample, name) for name in _SAMPLED}
    return Weapon(id=BARE_HANDS, sample=BARE_HANDS if own_sample else UNSET, **fields)


def completed(battle: State[BattleState], combatant: Combatant, number: int) -> Combatant:
    """A combatant as the battle keeps it: numbered, completed from samples, without holds.

    A combatant without health is dead, and one that is out answers no attack (SK-STAND-3).
    """
    if is_out(combatant) or not combatant.health:
        combatant = replace(combatant, answering=UNSET, standing_roll=UNSET)
    if combatant.standing_roll is not UNSET:
        undrawn = replace(combatant.standing_roll, draw=UNSET)
        combatant = replace(combatant, standing_roll=undrawn)
    most = combatant.health_max or max(combatant.health, 1)
    samples = weapon_samples(battle)
    weapons = tuple(whole_weapon(samples, weapon) for weapon in combatant.weapons)
    if all(weapon.id != BARE_HANDS for weapon in weapons):
        weapons = (*weapons, _hands(battle))
    return replace(
        combatant,
        number=number,
        health_max=most,
        band=band_of(combatant.health, most, is_out=is_out(combatant)),
        conditions=_conditions(combatant),
        body_armour=_armour(battle, combatant),
        weapons=weapons,
        held_by=UNSET,
        holding=UNSET,
    )


def _armour(battle: State[BattleState], combatant: Combatant) -> object:
    armour = combatant.body_armour
    if armour is UNSET or armour.sample is UNSET or armour.value is not UNSET:
        return armour
    sample = armour_sample(battle, armour.sample)
    value = 0 if sample is None else sample.value
    return BodyArmour(value=value, sample=armour.sample, parts=armour.parts)


def _conditions(combatant: Combatant) -> tuple[Condition, ...]:
    """The stated conditions, and those that follow from the sheet's fields and health."""
    statable: list[Condition] = ["unaware", "unconscious", "dead"]
    held: list[Condition] = [
        condition for condition in statable if condition in combatant.conditions
    ]
    fields: list[tuple[Condition, object]] = [
        ("aim", combatant.aim),
        ("answering", combatant.answering),
        ("standing_roll", combatant.standing_roll),
        ("next_roll", combatant.next_roll),
        ("movement_test", combatant.movement_test),
    ]
    held += [condition for condition, value in fields if value is not UNSET]
    if not combatant.health and "dead" not in held:
        held.append("dead")
    return tuple(held)


def enter(effects: BattleEffects, combatant: Combatant, number: int) -> None:
    """Put a combatant into the battle; its hold follows with `tie`, once its holder is there."""
    effects.emit(own.CombatantAdded(combatant=completed(effects.state, combatant, number)))


def tie(effects: BattleEffects, combatant: Combatant, path: str) -> None:
    """The hold on a combatant that comes in held; its own answers to attacks end with that.

    Raises Refused("unknown_combatant"), Malformed where a holder would hold two or itself, or is
    out or held (SK-GRAB-5).
    """
    hold = combatant.held_by
    if hold is UNSET:
        return
    holder = combatant_of(effects.rule, hold.holder)
    if holder is None:
        raise Refused("unknown_combatant", combatant=hold.holder)
    held = existing(effects.rule, combatant.id)
    is_bound = holder.holding is not UNSET or is_held(holder) or is_out(holder)
    if holder.id == held.id or is_bound or held.holding is not UNSET:
        raise Malformed(
            path=f"{path}.held_by.holder",
            allowed="somebody else, active, who holds nobody and whom nobody holds",
        )
    effects.emit(
        own.LinkChanged(
            link="hold",
            combatant=combatant.id,
            other=holder.id,
            tied=True,
            facts={"natural": hold.natural, "level": hold.level},
        )
    )
    end_answers_and_hold(effects, held.id)


def require_holding(newcomers: Sequence[Combatant], combatant: Combatant, path: str) -> None:
    """Raises Malformed unless the held combatant is stated too and its `held_by` agrees."""
    if combatant.holding is UNSET:
        return
    held = [
        sheet.id
        for sheet in newcomers
        if sheet.held_by is not UNSET and sheet.held_by.holder == combatant.id
    ]
    if combatant.holding not in held:
        raise Malformed(
            path=f"{path}.holding", allowed="whoever states held_by with this combatant as holder"
        )


def carries_battle(combatant: Combatant) -> bool:
    """Whether a combatant comes in with the state of a battle in progress."""
    fields = (
        combatant.aim,
        combatant.answering,
        combatant.standing_roll,
        combatant.held_by,
        combatant.next_roll,
        combatant.movement_test,
    )
    return not combatant.actions_left or any(field is not UNSET for field in fields)
