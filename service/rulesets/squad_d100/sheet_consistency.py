"""How rolls and wounds must fit the sheets that were shown, for audits that lack parts."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction, Number, as_shown, impossible, unlike
from service.engine.ruleset.shown_sheets import SheetOf, ShownSheet, Tree, misreckoned
from service.rulesets.squad_d100.rules.melee import melee_threshold
from service.rulesets.squad_d100.rules.shots import threshold_of
from service.rulesets.squad_d100.rules.vigilance import vigilance_threshold
from service.rulesets.squad_d100.rules.wounds import Weakened, current_attribute, hp_after
from service.rulesets.squad_d100.state import Options


class _Detail(Struct, frozen=True, kw_only=True):
    attacker: str
    mode: str | UnsetType = UNSET
    threshold: Number = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    detail: _Detail | UnsetType = UNSET


class _Check(Struct, frozen=True, kw_only=True):
    combatant: str
    needed: Number = UNSET


def sheet_contradictions(
    effect: Tree, sheet_of: SheetOf, options: TableOptions
) -> Iterator[Contradiction]:
    """What an effect says otherwise than the sheets. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            detail = as_shown(effect, _Attack).detail
            if detail is not UNSET:
                thresholds = _thresholds(detail.mode, sheet_of(detail.attacker))
                if thresholds:
                    yield from impossible("detail.threshold", detail.threshold, thresholds)
        case "check_resolved" if isinstance(options, Options):
            check = as_shown(effect, _Check)
            needed = _vigilance(sheet_of(check.combatant), options)
            yield from unlike("needed", check.needed, needed)
        case "hurt" | "healed":
            yield from misreckoned(effect, sheet_of, hp_after)
        case _:
            pass


def _thresholds(mode: str | UnsetType, sheet: ShownSheet) -> tuple[int, ...]:
    """What an attack of this mode may have to stay below; nothing where that is not known."""
    accuracy, agility = _current(sheet, "accuracy", "acc"), _current(sheet, "agility", "agi")
    if accuracy is UNSET:
        return ()
    if mode == "melee":
        return () if agility is UNSET else (melee_threshold(agility, accuracy),)
    if mode == "snap":
        # With two weapons, or with one.
        return tuple({threshold_of(accuracy, is_dual=is_dual) for is_dual in (False, True)})
    return (accuracy,)


def _vigilance(sheet: ShownSheet, options: Options) -> Number:
    accuracy, agility = _current(sheet, "accuracy", "acc"), _current(sheet, "agility", "agi")
    endurance = _current(sheet, "endurance", "end")
    if accuracy is UNSET or agility is UNSET or endurance is UNSET:
        return UNSET
    return vigilance_threshold(options.vigilance_target, accuracy, agility, endurance)


def _current(sheet: ShownSheet, name: str, attribute: Weakened) -> Number:
    """An attribute as the wounds leave it."""
    base = sheet.number(name)
    heavy, light = sheet.number("heavy_wounds"), sheet.number("light_wounds")
    if base is UNSET or heavy is UNSET or light is UNSET:
        return UNSET
    return current_attribute(base, attribute, heavy, light)
