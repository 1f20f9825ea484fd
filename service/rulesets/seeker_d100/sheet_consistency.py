"""How rolls and wounds must fit the sheets that were shown, for audits that lack parts."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
    Lines,
    Number,
    as_shown,
    impossible,
    summed,
    unlike,
)
from service.engine.ruleset.shown_sheets import SheetOf, ShownSheet, Tree, misreckoned
from service.rulesets.seeker_d100.rules.damage import health_after
from service.rulesets.seeker_d100.rules.escape import break_free_chance
from service.rulesets.seeker_d100.rules.movement import movement_skill
from service.rulesets.seeker_d100.weapons import BARE_HANDS


class _Detail(Struct, frozen=True, kw_only=True):
    attacker: str
    item: str | UnsetType = UNSET
    base: Number = UNSET


class _Answered(Struct, frozen=True, kw_only=True):
    combatant: str
    kind: str
    needed: Number = UNSET


class _Victim(Struct, frozen=True, kw_only=True):
    answered: _Answered | UnsetType = UNSET


class _Attack(_Victim, frozen=True, kw_only=True):
    detail: _Detail | UnsetType = UNSET
    victims: tuple[_Victim, ...] = ()


class _Opposed(Struct, frozen=True, kw_only=True):
    combatant: str
    needed: Number = UNSET
    breakdown: Lines = UNSET


class _Check(_Opposed, frozen=True, kw_only=True):
    check: str
    opposed: _Opposed | UnsetType = UNSET


def sheet_contradictions(
    effect: Tree, sheet_of: SheetOf, _options: TableOptions
) -> Iterator[Contradiction]:
    """What an effect says otherwise than the sheets. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved" | "area_resolved":
            yield from _of_attack(as_shown(effect, _Attack), sheet_of)
        case "check_resolved":
            check = as_shown(effect, _Check)
            needed = summed(_check_skill(sheet_of(check.combatant), check.check), check.breakdown)
            yield from unlike("needed", check.needed, needed)
            if check.opposed is not UNSET:
                theirs = sheet_of(check.opposed.combatant).number("unarmed", "skills")
                needed = summed(theirs, check.opposed.breakdown)
                yield from unlike("opposed.needed", check.opposed.needed, needed)
        case "hurt" | "healed":
            yield from misreckoned(effect, sheet_of, health_after)
        case _:
            pass


def _of_attack(attack: _Attack, sheet_of: SheetOf) -> Iterator[Contradiction]:
    """An attack begins with the skill of its weapon, an answer is held against one of its own."""
    detail = attack.detail
    if detail is not UNSET:
        skill = _attack_skill(sheet_of(detail.attacker), detail.item)
        yield from unlike("detail.base", detail.base, skill)
    yield from _of_answer(attack.answered, sheet_of)
    for place, victim in enumerate(attack.victims):
        for each in _of_answer(victim.answered, sheet_of):
            yield each.within(f"victims[{place}]")


def _of_answer(answered: _Answered | UnsetType, sheet_of: SheetOf) -> Iterator[Contradiction]:
    if answered is UNSET:
        return
    sheet = sheet_of(answered.combatant)
    names = ("melee_weapon", "unarmed") if answered.kind == "resist" else ("dodge",)
    skills = [skill for name in names if (skill := sheet.number(name, "skills")) is not UNSET]
    added = sheet.number("next_roll")
    if len(skills) < len(names) or (added is UNSET and sheet.states("next_roll")):
        return
    # Whether the game master's last word on a roll was meant for this one is not told here.
    bonuses = (0,) if added is UNSET else (0, added)
    chances = {skill + bonus for skill in skills for bonus in bonuses}
    yield from impossible("answered.needed", answered.needed, chances)


def _attack_skill(sheet: ShownSheet, item: str | UnsetType) -> Number:
    """The skill of an attack: that of its weapon, of bare hands for whatever has none."""
    if item is UNSET or item == BARE_HANDS:
        return sheet.number("unarmed", "skills")
    skill = sheet.listed("weapons", item).get("skill")
    return sheet.number(skill, "skills") if isinstance(skill, str) else UNSET


def _check_skill(sheet: ShownSheet, check: str) -> Number:
    """What a check begins with."""
    match check:
        case "take_cover":
            return sheet.number("dodge", "skills")
        case "movement":
            dexterity = sheet.number("dexterity")
            return dexterity if dexterity is UNSET else movement_skill(dexterity)
        case "break_free":
            strength, unarmed = sheet.number("strength"), sheet.number("unarmed", "skills")
            if strength is UNSET or unarmed is UNSET:
                return UNSET
            return break_free_chance(strength, unarmed)
        case _:
            return UNSET
