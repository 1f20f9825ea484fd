"""Lasting Melodies in play: how they begin and end, and who comes under them (ML-LAST).

How this works. A song in play is a marker on the table; the warriors that it affects carry its id.
It takes its name with it when it ends, whatever ended it. A song at one warrior affects that one
until it ends; one with a template looks at everybody who ends a movement.
"""

from typing import Final

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import StopMelody
from service.rulesets.melody_d6.content import content_of, melody_of
from service.rulesets.melody_d6.deciding.exposure import Exposure, takes_hold
from service.rulesets.melody_d6.deciding.influences import classified
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.rules.lasting import (
    ML_LAST_3,
    ML_LAST_4,
    ML_LAST_5,
    ML_LAST_8,
    Ending,
    ending_without,
    require_song_to_stop,
    touch,
)
from service.rulesets.melody_d6.rules.templates import coverage_of
from service.rulesets.melody_d6.shapes import laid
from service.rulesets.melody_d6.state import (
    BattleState,
    Song,
    is_fleeing,
    is_on_table,
    song_named,
    song_of,
)

_RULES: Final[dict[Ending, str]] = {
    "dampened": ML_LAST_5,
    "stopped": ML_LAST_4,
    "singer_gone": ML_LAST_3,
    "singer_fled": ML_LAST_3,
}


def require_stop(view: State[BattleState], action: StopMelody) -> Song:
    """The warrior keeps a song in play, which may be stopped in either side's turn.

    Raises Refused("no_melody_in_play").
    """
    song = song_of(view.rule, action.combatant)
    kept = require_song_to_stop(None if song is None else song.id)
    return _named(view.rule, kept)


def stop(resolution: Resolution, action: StopMelody) -> None:
    """A singer stops its song. Raises Refused."""
    end(resolution.effects, require_stop(resolution.view, action), "stopped")


def end(effects: BattleEffects, song: Song, ending: Ending) -> None:
    """A song is in play no longer: nobody is affected by it any more, in upload order."""
    rule = _RULES[ending]
    effects.emit(
        own.MarkerRemoved(rule=rule, marker=song.id, combatant=song.combatant, cause=ending)
    )
    for warrior in effects.rule.combatants:
        if song.id in warrior.songs:
            lose(effects, warrior.id, song.id, rule=rule)


def singer_left(effects: BattleEffects, singer: str, ending: Ending) -> None:
    """The song of a singer who is killed, leaves the table or flees ends at once, if it has one."""
    song = song_of(effects.rule, singer)
    if song is not None:
        end(effects, song, ending)


def warrior_left(effects: BattleEffects, combatant: str) -> None:
    """Who is on the table no more is affected by nothing."""
    for song in existing(effects.rule, combatant).songs:
        lose(effects, combatant, song, rule=ML_LAST_8)


def ending_of_singer(rule: BattleState, singer: str) -> Ending | None:
    """Why a song of this singer would end at once as it now is; None where it could be kept."""
    warrior = existing(rule, singer)
    return ending_without(is_on_table=is_on_table(warrior), is_fleeing=is_fleeing(warrior))


def gain(effects: BattleEffects, combatant: str, song: str) -> None:
    """A song affects a warrior from now on."""
    effects.emit(
        own.ConditionGained(
            rule=ML_LAST_8, combatant=combatant, condition="melody", item=song, cause="melody"
        )
    )


def lose(effects: BattleEffects, combatant: str, song: str, *, rule: str) -> None:
    """A song affects a warrior no longer; others may go on."""
    effects.emit(own.ConditionLost(rule=rule, combatant=combatant, condition="melody", item=song))


def moved(resolution: Resolution, combatant: str) -> None:
    """A warrior has ended a move, charge, push or flight where it stands: songs with a template.

    It leaves those that it touches no more and is tested by those that it touches anew, in the
    order in which they were sung. One that is on the table no more is left alone.
    """
    for song in resolution.rule.songs:
        if is_on_table(existing(resolution.rule, combatant)):
            _look_again(resolution, combatant, song)


def _look_again(resolution: Resolution, combatant: str, song: Song) -> None:
    effects = resolution.effects
    warrior, template = existing(effects.rule, combatant), laid(song.shape)
    if template is None:
        return
    coverage = coverage_of(template, spot_of(warrior), warrior.base_radius)
    match touch(coverage, is_affected=song.id in warrior.songs):
        case "test":
            exposure = exposure_of(effects.state, song)
            if exposure and takes_hold(resolution, exposure, combatant, coverage):
                gain(effects, combatant, song.id)
        case "leave":
            lose(effects, combatant, song.id, rule=ML_LAST_8)
        case "stay" | "apart":
            pass


def exposure_of(battle: State[BattleState], song: Song) -> Exposure | None:
    """What a song in play exposes warriors to; None where the content has its Melody no more."""
    melody = melody_of(content_of(battle), song.melody)
    if melody is None:
        return None
    return Exposure(melody, song.combatant, classified(song))


def _named(rule: BattleState, song: str) -> Song:
    named = song_named(rule, song)
    if named is None:
        raise KeyError(song)
    return named
