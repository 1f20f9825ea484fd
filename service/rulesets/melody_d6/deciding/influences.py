"""What lasting Melodies add to the numbers of a warrior, as lines of its breakdowns (ML-LAST-9)."""

from typing import Final, Literal

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.rulesets.melody_d6.content import Content, content_of, melody_of
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.melodies import ModHitAt, ModHitBy, ModMove, ModSong
from service.rulesets.melody_d6.rules.lasting import ML_LAST_9, Influence, stacked
from service.rulesets.melody_d6.rules.songs import Classification, effects_of
from service.rulesets.melody_d6.state import BattleState, Combatant, Song

InfluenceKind = Literal["mod_move", "mod_hit_by", "mod_hit_at", "mod_song"]
"""What a lasting Melody changes: the allowance, shots by the warrior or at it, songs."""

RolledInfluence = Literal["mod_hit_by", "mod_hit_at", "mod_song"]
"""Those that are added to a roll."""

_KINDS: Final[dict[InfluenceKind, type[ModMove | ModHitBy | ModHitAt | ModSong]]] = {
    "mod_move": ModMove,
    "mod_hit_by": ModHitBy,
    "mod_hit_at": ModHitAt,
    "mod_song": ModSong,
}

_NOTES: Final[dict[RolledInfluence, str]] = {
    "mod_hit_by": "melody_by",
    "mod_hit_at": "melody_at",
    "mod_song": "melody_song",
}


def influences(
    battle: State[BattleState], warrior: Combatant, kind: InfluenceKind
) -> tuple[Influence, ...]:
    """What each Melody that affects a warrior adds, in the order in which they were sung."""
    if not warrior.songs:
        return ()
    content = content_of(battle)
    return stacked(
        Influence(song.melody, _delta(content, song, kind), song.combatant)
        for song in battle.rule.songs
        if song.id in warrior.songs
    )


def lines(
    battle: State[BattleState], warrior: Combatant, kind: RolledInfluence
) -> tuple[Line, ...]:
    """What they add to a roll as lines; each names its singer, and is unseen with that one.

    On what somebody knows who does not know of the singer, it names neither singer nor Melody.
    """
    return tuple(
        _line(each, kind, is_known=combatant_of(battle.rule, each.singer) is not None)
        for each in influences(battle, warrior, kind)
    )


def _line(each: Influence, kind: RolledInfluence, *, is_known: bool) -> Line:
    if not is_known:
        return Line(rule=ML_LAST_9, amount=each.delta, note=_NOTES[kind])
    return Line(
        rule=ML_LAST_9,
        amount=each.delta,
        note=_NOTES[kind],
        combatants=(each.singer,),
        melody=each.melody,
    )


def classified(song: Song) -> Classification:
    """As what a song in play was sung."""
    return "monstrous_power" if song.monstrous else "none"


def _delta(content: Content, song: Song, kind: InfluenceKind) -> int:
    """What one song adds: all that its Melody says of this number, taken together."""
    melody = melody_of(content, song.melody)
    if melody is None:
        return 0
    effects = effects_of(classified(song), melody.effects, melody.mp_effects)
    changes = _KINDS[kind]
    return sum(each.delta for each in effects if isinstance(each, changes))
