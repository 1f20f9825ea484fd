"""Terrible Mistakes: what they do around the singer (ML-SING-9)."""

from typing import Final

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.kit.streams import stream_for
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Sing
from service.rulesets.melody_d6.content import content_of, mistakes_of
from service.rulesets.melody_d6.deciding.harm import Doer
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.song_effects import Strain, melody_sung, scare, strike
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.melodies import MelodyPanic, MistakeEntry
from service.rulesets.melody_d6.occupancy import are_near, spot_of
from service.rulesets.melody_d6.rules.mistakes import ML_SING_9, mistake_row
from service.rulesets.melody_d6.rules.songs import ML_HOARSE_1
from service.rulesets.melody_d6.state import BattleState, is_on_table

D6: Final = 6


def happen(resolution: Resolution, action: Sing) -> None:
    """A D6 names the row; its entries happen in listed order, around where the singer is."""
    melody = melody_sung(resolution, action)
    effects, singer = resolution.effects, action.combatant
    stream = stream_for(effects.rule, singer)
    roll = resolution.dice.roll(1, D6, "mistake", stream=stream, combatant=singer)
    effects.emit(
        own.Rolled(
            rule=ML_SING_9,
            purpose="mistake",
            combatant=singer,
            roll=roll,
            value=str(roll.total),
        )
    )
    table = mistakes_of(content_of(effects.state), melody)
    doer, place = Doer("mistake", singer, melody.id), spot_of(existing(effects.rule, singer))
    strain = Strain(ML_SING_9, doer, place, set())
    for entry in mistake_row(table.rows, roll.total):
        _befall(resolution, entry, singer, strain)


def _befall(resolution: Resolution, entry: MistakeEntry, singer: str, strain: Strain) -> None:
    if entry.scope == "singer_unit" and isinstance(entry.effect, MelodyPanic):
        unit = existing(resolution.rule, singer).unit
        scare(resolution, unit, entry.effect.modifier, strain)
        return
    for victim in _concerned(resolution.rule, entry, singer):
        strike(resolution, entry.effect, victim, strain)


def _concerned(rule: BattleState, entry: MistakeEntry, singer: str) -> tuple[str, ...]:
    """Whom an entry strikes: the singer, or all others on the table near it, in upload order."""
    if entry.radius is UNSET:
        return (singer,)
    centre, reach = existing(rule, singer), entry.radius
    others = (each for each in rule.combatants if each.id != singer and is_on_table(each))
    return tuple(each.id for each in others if are_near(rule, centre, each, reach))


def end_hoarseness(effects: BattleEffects) -> None:
    """A round has begun: whoever was hoarse until the one before has its voice again."""
    rule = effects.rule
    for each in rule.combatants:
        if "hoarse" in each.conditions and each.hoarse_until < rule.round:
            effects.emit(
                own.ConditionLost(
                    rule=ML_HOARSE_1, combatant=each.id, condition="hoarse", cause="round_began"
                )
            )
