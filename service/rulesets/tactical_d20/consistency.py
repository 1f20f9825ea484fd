"""What the visible data of this ruleset's effects must agree in, for audits that lack parts."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
    Lines,
    Number,
    ShownDetail,
    ShownHurt,
    ShownRoll,
    as_shown,
    impossible,
    summed,
    unexplained,
    unlike,
    unsaid,
)
from service.rulesets.tactical_d20.rules.areas import damage_after_save, is_saved
from service.rulesets.tactical_d20.rules.concealment import is_missed
from service.rulesets.tactical_d20.rules.defaults import attack_outcome, damage_dealt


class _Concealment(Struct, frozen=True, kw_only=True):
    percent: Number = UNSET


class _Detail(ShownDetail, frozen=True, kw_only=True):
    result: Number = UNSET
    miss_chance: ShownRoll | UnsetType = UNSET
    concealment: _Concealment | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    outcome: str
    detail: _Detail | UnsetType = UNSET


class _AreaDetail(Struct, frozen=True, kw_only=True):
    needed: Number = UNSET


class _Victim(Struct, frozen=True, kw_only=True):
    outcome: str
    roll: ShownRoll | UnsetType = UNSET
    base: Number = UNSET
    breakdown: Lines = UNSET
    result: Number = UNSET


class _Report(Struct, frozen=True, kw_only=True):
    facts: dict[str, int] | UnsetType = UNSET


class _Hurt(ShownHurt, frozen=True, kw_only=True):
    reports: tuple[_Report, ...] = ()


class _Area(Struct, frozen=True, kw_only=True):
    victims: tuple[_Victim, ...] = ()
    detail: _AreaDetail | UnsetType = UNSET


def contradictions(effect: Mapping[str, object], options: TableOptions) -> Iterator[Contradiction]:
    """What an effect says of itself that does not fit. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_attack(attack.outcome, attack.detail, options)
        case "area_resolved":
            yield from _of_area(as_shown(effect, _Area))
        case "hurt":
            yield from _of_hurt(as_shown(effect, _Hurt))
        case _:
            pass


def _of_attack(outcome: str, detail: _Detail, options: TableOptions) -> Iterator[Contradiction]:
    yield from unlike("detail.pool", detail.pool, summed(detail.base, detail.breakdown))
    against = detail.against
    if against is not UNSET:
        needed = summed(against.base, against.breakdown)
        yield from unlike("detail.against.needed", against.needed, needed)
    if detail.roll is UNSET:
        return
    natural, pool = detail.roll.total, detail.pool
    yield from unexplained("detail.breakdown", detail.breakdown, options)
    yield from unsaid("detail.pool", pool, options)
    if against is not UNSET:
        yield from unsaid("detail.against.needed", against.needed, options)
    yield from unlike("detail.result", detail.result, pool if pool is UNSET else natural + pool)
    needed = UNSET if against is UNSET else against.needed
    outcomes: set[str]
    if pool is UNSET or needed is UNSET:
        # A hidden armour class was reached, or it was not.
        outcomes = {attack_outcome(natural, 0, each) for each in (natural, natural + 1)}
    else:
        outcomes = {attack_outcome(natural, pool, needed)}
    if against is UNSET:
        # At a cell, where nobody need have been.
        outcomes.add("miss")
    yield from impossible("outcome", outcome, _behind_concealment(outcomes, detail))


def _of_hurt(hurt: _Hurt) -> Iterator[Contradiction]:
    """Dice and bonus of the weapon come to the damage, of a saved area effect to half of it."""
    for place, report in enumerate(hurt.reports):
        if report.facts is UNSET or not {"roll", "bonus", "damage"} <= report.facts.keys():
            continue
        facts, at = report.facts, f"reports[{place}].facts"
        yield from unlike(f"{at}.roll", facts["roll"], hurt.rolled)
        damage = damage_dealt((facts["roll"],), facts["bonus"])
        yield from unlike(f"{at}.damage", facts["damage"], damage)
        if "half" in facts:
            half = damage_after_save(damage, is_saved=True)
            yield from unlike(f"{at}.half", facts["half"], half)
        yield from unlike("amount", hurt.amount, facts.get("half", damage))


def _behind_concealment(outcomes: set[str], detail: _Detail) -> set[str]:
    """What is left of these outcomes by the d%, which is rolled for hits alone."""
    if detail.miss_chance is UNSET:
        return outcomes
    hits, missed = outcomes - {"miss"}, {"miss_concealment"}
    percent = UNSET if detail.concealment is UNSET else detail.concealment.percent
    if percent is UNSET:
        return hits | missed
    return missed if is_missed(percent, detail.miss_chance.total) else hits


def _of_area(area: _Area) -> Iterator[Contradiction]:
    needed = UNSET if area.detail is UNSET else area.detail.needed
    for place, victim in enumerate(area.victims):
        for each in _of_victim(victim, needed):
            yield each.within(f"victims[{place}]")


def _of_victim(victim: _Victim, needed: Number) -> Iterator[Contradiction]:
    bonus = summed(victim.base, victim.breakdown)
    if victim.roll is UNSET:
        return
    result = bonus if bonus is UNSET else victim.roll.total + bonus
    yield from unlike("result", victim.result, result)
    if victim.result is not UNSET and needed is not UNSET:
        outcome = "success" if is_saved(victim.result, needed) else "failure"
        yield from unlike("outcome", victim.outcome, outcome)
