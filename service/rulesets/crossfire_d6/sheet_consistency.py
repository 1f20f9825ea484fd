"""How rolls and wounds must fit the sheets that were shown, for audits that lack parts."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction, Number, as_shown, unlike
from service.engine.ruleset.shown_sheets import SheetOf, Tree, misreckoned, number_in
from service.rulesets.crossfire_d6.deciding.wounds import health_after


class _Against(Struct, frozen=True, kw_only=True):
    target: str
    needed: Number = UNSET


class _Detail(Struct, frozen=True, kw_only=True):
    attacker: str
    mode: str
    item: str | UnsetType = UNSET
    base: Number = UNSET
    against: _Against | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    detail: _Detail | UnsetType = UNSET


def sheet_contradictions(
    effect: Tree, sheet_of: SheetOf, _options: TableOptions
) -> Iterator[Contradiction]:
    """What an effect says otherwise than the sheets. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_attack(attack.detail, sheet_of)
        case "hurt" | "healed":
            yield from misreckoned(effect, sheet_of, health_after)
        case _:
            pass


def _of_attack(detail: _Detail, sheet_of: SheetOf) -> Iterator[Contradiction]:
    """A roll begins with the dice of the weapon and is held against a defence."""
    weapon = sheet_of(detail.attacker).listed("weapons", detail.item)
    yield from unlike("detail.base", detail.base, number_in(weapon, "attack_dice"))
    if detail.against is not UNSET:
        defence = "ranged_defence" if detail.mode == "ranged" else "melee_defence"
        needed = sheet_of(detail.against.target).number(defence)
        yield from unlike("detail.against.needed", detail.against.needed, needed)
