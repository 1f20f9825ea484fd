"""How rolls and wounds must fit the sheets that were shown, for audits that lack parts."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction, Number, as_shown, impossible, unlike
from service.engine.ruleset.shown_sheets import SheetOf, ShownSheet, Tree, misreckoned, number_in
from service.rulesets.melody_d6.rules.fights import defender_melee
from service.rulesets.melody_d6.rules.wounds import health_after


class _Against(Struct, frozen=True, kw_only=True):
    target: str
    base: Number = UNSET


class _Detail(Struct, frozen=True, kw_only=True):
    attacker: str
    mode: str | UnsetType = UNSET
    base: Number = UNSET
    against: _Against | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    detail: _Detail | UnsetType = UNSET


class _Check(Struct, frozen=True, kw_only=True):
    check: str
    combatant: str
    base: Number = UNSET
    needed: Number = UNSET
    resistance: str | UnsetType = UNSET


def sheet_contradictions(
    effect: Tree, sheet_of: SheetOf, _options: TableOptions
) -> Iterator[Contradiction]:
    """What an effect says otherwise than the sheets. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_attack(attack.detail, sheet_of)
        case "check_resolved":
            check = as_shown(effect, _Check)
            yield from _of_check(check, sheet_of(check.combatant))
        case "hurt" | "healed":
            yield from misreckoned(effect, sheet_of, health_after)
        case _:
            pass


def _of_attack(detail: _Detail, sheet_of: SheetOf) -> Iterator[Contradiction]:
    """Shots begin with accuracy, both dice of a fight with melee."""
    skill = "melee" if detail.mode == "fight" else "accuracy"
    yield from unlike("detail.base", detail.base, sheet_of(detail.attacker).number(skill))
    if detail.against is not UNSET and detail.mode == "fight":
        melee = sheet_of(detail.against.target).number("melee")
        if melee is not UNSET:
            bonuses = {defender_melee(melee, is_stunned=stunned) for stunned in (False, True)}
            yield from impossible("detail.against.base", detail.against.base, bonuses)


def _of_check(check: _Check, sheet: ShownSheet) -> Iterator[Contradiction]:
    """Tests begin with a number of the sheet, or have to stay at it."""
    match check.check:
        case "mobility":
            yield from unlike("needed", check.needed, sheet.number("mobility"))
        case "detection":
            yield from unlike("base", check.base, sheet.number("mobility"))
        case "song":
            yield from unlike("base", check.base, sheet.number("song_bonus", "singer"))
        case "dampening":
            yield from unlike("base", check.base, sheet.number("dampen_bonus", "singer"))
        case "panic" | "rally":
            yield from unlike("base", check.base, sheet.number("courage"))
        case "resistance":
            yield from unlike("needed", check.needed, _resistance(check.resistance, sheet))
        case _:
            pass


def _resistance(to: str | UnsetType, sheet: ShownSheet) -> Number:
    """The number of a resistance of the sheet; UNSET where several have that name."""
    listed = sheet.stated.get("resistances")
    named = [
        number_in(each, "value")
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict) and each.get("to") == to
    ]
    return named[0] if len(named) == 1 else UNSET
