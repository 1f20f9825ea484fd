"""Panic tests of units, the flight of those who fail, and rallying (ML-PANIC).

How this works. The dice are for everybody who may know who is named as the one who tests. That is
whose courage counts; but where he is hidden and others of the unit are not, one of those is named,
and the number to reach is told to nobody, lest it tell of the hidden one.
"""

from typing import Literal

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.kit.streams import stream_for
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding.detection import rallied
from service.rulesets.melody_d6.deciding.flight import flee
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.rules.panic import (
    ML_PANIC_1,
    ML_PANIC_4,
    NOTE_MODIFIER,
    PANIC_DICE,
    Member,
    holds,
    is_shaken,
    is_to_rally,
    nerve_of,
    spokesman_of,
)
from service.rulesets.melody_d6.rules.wounds import D6
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_fleeing,
    is_on_table,
    members_of,
)


def take_test(
    resolution: Resolution, unit: str, modifier: int = 0, *, rules: tuple[str, ...] = ()
) -> bool:
    """The panic test of a unit, and the flight of all who fail it, in upload order.

    `rules` are those that brought it about. Whether it failed: a unit in which nobody stands its
    ground does not test.
    """
    shaken = steady_members(resolution.rule, unit)
    if not shaken or _is_passed(resolution, "panic", unit, shaken, modifier, rules):
        return False
    _scatter(resolution, shaken)
    return True


def rally(resolution: Resolution, unit: str) -> bool:
    """The rally test of those of a unit who flee: whether they rallied; if not, they flee again.

    Nobody is tested where nobody flees. Whoever rallies notices masked enemies close by at once.
    """
    fleeing = fleeing_members(resolution.rule, unit)
    if not fleeing:
        return False
    if not _is_passed(resolution, "rally", unit, fleeing, 0, ()):
        _scatter(resolution, fleeing)
        return False
    effects = resolution.effects
    for member in fleeing:
        effects.emit(
            own.ConditionLost(
                rule=ML_PANIC_4, combatant=member.id, condition="fleeing", cause="rallied"
            )
        )
    for member in fleeing:
        rallied(effects, member.id)
    return True


def steady_members(rule: BattleState, unit: str) -> tuple[Combatant, ...]:
    """Those of a unit whom a panic test concerns, in upload order (ML-PANIC-2)."""
    return tuple(
        each
        for each in members_of(rule, unit)
        if is_shaken(is_on_table=is_on_table(each), is_fleeing=is_fleeing(each))
    )


def fleeing_members(rule: BattleState, unit: str) -> tuple[Combatant, ...]:
    """Those of a unit whom a rally test concerns, in upload order (ML-PANIC-4)."""
    return tuple(
        each
        for each in members_of(rule, unit)
        if is_to_rally(is_on_table=is_on_table(each), is_fleeing=is_fleeing(each))
    )


def _is_passed(
    resolution: Resolution,
    check: Literal["panic", "rally"],
    unit: str,
    tested: tuple[Combatant, ...],
    modifier: int,
    rules: tuple[str, ...],
) -> bool:
    members = tuple(Member(each.id, each.courage, each.hidden) for each in tested)
    nerve = nerve_of(members, modifier)
    named = spokesman_of(members, nerve.bearer)
    is_told = named == nerve.bearer
    roll = resolution.dice.roll(
        PANIC_DICE,
        D6,
        check,
        stream=stream_for(resolution.rule, named.id),
        combatant=named.id,
    )
    is_passed = holds(roll.total, nerve.needed)
    line = Line(rule=ML_PANIC_1, amount=modifier, note=NOTE_MODIFIER)
    resolution.effects.emit(
        own.CheckResolved(
            rule=ML_PANIC_1 if check == "panic" else ML_PANIC_4,
            check=check,
            combatant=named.id,
            unit=unit,
            outcome="success" if is_passed else "failure",
            roll=roll,
            base=nerve.bearer.courage if is_told else UNSET,
            breakdown=(line,) if modifier else (),
            needed=nerve.needed if is_told else UNSET,
            rules=rules or UNSET,
        )
    )
    return is_passed


def _scatter(resolution: Resolution, tested: tuple[Combatant, ...]) -> None:
    """Each flees at once, one after the other, as far as it is still there."""
    for member in tested:
        if is_on_table(existing(resolution.rule, member.id)):
            flee(resolution, member.id)
