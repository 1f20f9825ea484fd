"""How rolls and wounds must fit the sheets that were shown, for audits that lack parts."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction, Number, as_shown, unlike
from service.engine.ruleset.shown_sheets import SheetOf, Tree, misreckoned, number_in
from service.rulesets.tactical_d20.deciding.damage import health_after


class _Against(Struct, frozen=True, kw_only=True):
    target: str
    base: Number = UNSET


class _Detail(Struct, frozen=True, kw_only=True):
    attacker: str
    item: str | UnsetType = UNSET
    defence: str | UnsetType = UNSET
    base: Number = UNSET
    against: _Against | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    detail: _Detail | UnsetType = UNSET


class _AreaDetail(Struct, frozen=True, kw_only=True):
    attacker: str
    item: str | UnsetType = UNSET
    needed: Number = UNSET


class _Victim(Struct, frozen=True, kw_only=True):
    target: str
    base: Number = UNSET


class _Area(Struct, frozen=True, kw_only=True):
    victims: tuple[_Victim, ...] = ()
    detail: _AreaDetail | UnsetType = UNSET


def sheet_contradictions(
    effect: Tree, sheet_of: SheetOf, _options: TableOptions
) -> Iterator[Contradiction]:
    """What an effect says otherwise than the sheets. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_attack(attack.detail, sheet_of)
        case "area_resolved":
            yield from _of_area(as_shown(effect, _Area), sheet_of)
        case "hurt" | "healed":
            yield from misreckoned(effect, sheet_of, health_after)
        case _:
            pass


def _of_attack(detail: _Detail, sheet_of: SheetOf) -> Iterator[Contradiction]:
    """A roll begins with the bonus of the weapon, what it has to reach with an armour class."""
    weapon = sheet_of(detail.attacker).listed("weapons", detail.item)
    yield from unlike("detail.base", detail.base, number_in(weapon, "attack_bonus"))
    if detail.against is not UNSET and detail.defence is not UNSET:
        base = sheet_of(detail.against.target).number(detail.defence, "ac")
        yield from unlike("detail.against.base", detail.against.base, base)


def _of_area(area: _Area, sheet_of: SheetOf) -> Iterator[Contradiction]:
    """A save begins with the reflexes of its roller and has to reach the number of the effect."""
    if area.detail is not UNSET:
        used = sheet_of(area.detail.attacker).listed("areas", area.detail.item)
        yield from unlike("detail.needed", area.detail.needed, number_in(used, "dc"))
    for place, victim in enumerate(area.victims):
        reflex = sheet_of(victim.target).number("reflex")
        yield from unlike(f"victims[{place}].base", victim.base, reflex)
