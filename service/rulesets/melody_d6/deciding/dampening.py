"""Dampening: the window before a song takes effect, attempts at songs in play, and their dice.

How this works. After a song that may be dampened the other side is asked, if one of its singers
could. The attempt's dice may wait for a reroll of their own; then they stand, and the song either
comes to nothing, ends, or goes on to its effects. What it has to reach is fixed when it begins.
"""

from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.battle.decision_groups import UNNUMBERED
from service.engine.battle.roster import combatant_of, existing, require_combatant
from service.engine.battle.state import State
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.rolls import told_again
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Dampen, DampenLasting, Reroll, Sing
from service.rulesets.melody_d6.content import content_of, melody_of
from service.rulesets.melody_d6.deciding.influences import lines
from service.rulesets.melody_d6.deciding.lasting import end
from service.rulesets.melody_d6.deciding.requirements import require_able, require_side_turn
from service.rulesets.melody_d6.deciding.rerolls import (
    REROLL,
    Stood,
    as_rolled,
    ask_for_reroll,
    dampening_sources,
    roll_again,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.song_effects import melody_sung, take_effect
from service.rulesets.melody_d6.deciding.windows import ask, skip
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.occupancy import are_near
from service.rulesets.melody_d6.questions import DampenContext, Question, RerollContext
from service.rulesets.melody_d6.remainders import (
    DampenRemainder,
    SongDampenRemainder,
    SungMelody,
)
from service.rulesets.melody_d6.rules.dampening import (
    ML_DAMP_1,
    ML_DAMP_6,
    automatic_result,
    dampening_outcome,
    dampening_rules,
    may_dampen,
)
from service.rulesets.melody_d6.rules.lasting import (
    ML_LAST_5,
    ML_LAST_7,
    DampeningTarget,
    creation_target,
    is_attempt_left,
    require_attempt_left,
    require_not_monstrous,
    stays_in_play,
)
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    Song,
    force_of,
    is_fleeing,
    is_on_table,
    is_stunned,
    other_side,
    song_named,
)

D6: Final = 6
DAMPEN: Final = "dampen"


def eligible_dampeners(rule: BattleState, singer: Combatant) -> tuple[Combatant, ...]:
    """Singers of the other side who could dampen what this one sings, in upload order."""
    return tuple(
        each
        for each in rule.combatants
        if each.side != singer.side and _is_able(rule, each, singer)
    )


def _is_able(rule: BattleState, dampener: Combatant, singer: Combatant) -> bool:
    return dampener.singer is not UNSET and may_dampen(
        is_on_table=is_on_table(dampener),
        is_fleeing=is_fleeing(dampener),
        is_stunned=is_stunned(dampener),
        is_near=_is_near(rule, dampener, singer),
    )


def _is_near(rule: BattleState, dampener: Combatant, singer: Combatant) -> bool:
    reach = rule.options.dampen_range
    return reach is UNSET or are_near(rule, dampener, singer, reach)


def _require_singer_near(rule: BattleState, dampener: Combatant, singer: Combatant) -> None:
    if not _is_near(rule, dampener, singer):
        raise Refused("out_of_range", rule=ML_DAMP_1, longest=rule.options.dampen_range)


def ask_to_dampen(resolution: Resolution, action: Sing, sung: SungMelody) -> bool:
    """Ask the other side whether it dampens a song, if it may; whether it is asked."""
    rule = resolution.rule
    singer = existing(rule, action.combatant)
    dampeners = eligible_dampeners(rule, singer)
    melody = melody_sung(resolution, action)
    if singer.hidden or not dampeners or not _is_attempt_left(rule, singer, melody):
        skip(resolution, DAMPEN, "hidden" if singer.hidden else "nobody_eligible")
        return False
    target = _target(rule, melody, sung)
    question = Question(
        id=UNNUMBERED,
        kind=DAMPEN,
        opened_by=0,
        side=other_side(rule, singer.side),
        options=(DAMPEN, "pass"),
        default="pass",
        context=DampenContext(
            combatant=singer.id,
            melody=melody.id,
            target_kind=target.kind,
            target_number=target.number,
            dampeners=tuple(each.id for each in dampeners),
        ),
    )
    ask(resolution, question, SongDampenRemainder(sung=sung))
    return True


def _is_attempt_left(rule: BattleState, singer: Combatant, melody: Melody) -> bool:
    """Whether the other side may try, as far as attempts at lasting Melodies are limited."""
    if not stays_in_play(melody.duration):
        return True
    attempts = force_of(rule, other_side(rule, singer.side)).dampenings
    return is_attempt_left(False, attempts, rule.options.lasting_dampen_limit)


def _target(rule: BattleState, melody: Melody, sung: SungMelody) -> DampeningTarget:
    return creation_target(
        melody.duration,
        sung.result,
        melody.difficulty,
        rule.options.lasting_dampen_at_creation,
    )


def is_still_asked(rule: BattleState, context: DampenContext) -> bool:
    """Whether the window before a song would be opened as the battle is now."""
    singer = combatant_of(rule, context.combatant)
    return singer is not None and not singer.hidden and bool(eligible_dampeners(rule, singer))


def require_dampener(rule: BattleState, context: DampenContext, choice: Dampen) -> None:
    """The warrior named could dampen the song, on what its chooser knows.

    Raises Refused("unknown_combatant"), what `require_able` does, ("not_a_singer"),
    ("out_of_range") or ("wrong_choice") for one of the singing side, checked in this order.
    """
    dampener = require_combatant(rule, choice.combatant)
    singer = require_combatant(rule, context.combatant)
    require_able(dampener)
    if dampener.singer is UNSET:
        raise Refused("not_a_singer", rule=ML_DAMP_1, combatant=dampener.id)
    _require_singer_near(rule, dampener, singer)
    if dampener.side == singer.side:
        raise Refused("wrong_choice", rule=ML_DAMP_1, allowed=list(context.dampeners))


def dampen_song(
    resolution: Resolution, action: Sing, remainder: SongDampenRemainder, choice: Dampen
) -> None:
    """The attempt at a song that has just succeeded."""
    rule = resolution.rule
    melody = melody_sung(resolution, action)
    if stays_in_play(melody.duration):
        _count_attempt(resolution.effects, existing(rule, choice.combatant).side)
    target = _target(rule, melody, remainder.sung)
    _attempt(resolution, choice.combatant, melody.id, target, remainder.sung)


def require_dampen_lasting(view: State[BattleState], action: DampenLasting) -> Song:
    """All preconditions of an attempt at a song in play, on what its side knows.

    Raises Refused("not_your_turn"), what `require_able` does, ("no_such_song"),
    ("dampen_own_melody"), ("not_a_singer"), ("melody_monstrous"), ("dampen_limit") or
    ("out_of_range"), checked in this order.
    """
    rule = view.rule
    dampener = require_combatant(rule, action.combatant)
    if rule.options.lasting_dampen_when == "own_turn":
        require_side_turn(rule, dampener.side)
    require_able(dampener)
    song, singer = _require_song(rule, action.song)
    if singer.side == dampener.side:
        raise Refused("dampen_own_melody", rule=ML_LAST_7, song=song.id)
    if dampener.singer is UNSET:
        raise Refused("not_a_singer", rule=ML_DAMP_1, combatant=dampener.id)
    require_not_monstrous(rule.round, song.round, is_power=song.monstrous)
    require_attempt_left(
        song.dampened_in == rule.round,
        force_of(rule, dampener.side).dampenings,
        rule.options.lasting_dampen_limit,
    )
    _require_singer_near(rule, dampener, singer)
    return song


def _require_song(rule: BattleState, song: str) -> tuple[Song, Combatant]:
    """A song in play whose singer is known, and that one. Raises Refused("no_such_song")."""
    named = song_named(rule, song)
    singer = None if named is None else combatant_of(rule, named.combatant)
    if named is None or singer is None:
        known = [each.id for each in rule.songs if combatant_of(rule, each.combatant)]
        raise Refused("no_such_song", rule=ML_LAST_7, song=song, allowed=known)
    return named, singer


def dampen_lasting(resolution: Resolution, action: DampenLasting) -> None:
    """An attempt at a song in play; it costs no action. Raises Refused."""
    song = require_dampen_lasting(resolution.view, action)
    effects, rule = resolution.effects, resolution.rule
    _count_attempt(effects, existing(rule, action.combatant).side)
    effects.emit(
        own.SongDampening(
            rule=ML_LAST_7, marker=song.id, combatant=song.combatant, round=rule.round
        )
    )
    melody = melody_of(content_of(resolution.state), song.melody)
    difficulty = 0 if melody is None else melody.difficulty
    target = DampeningTarget("difficulty", difficulty)
    _attempt(resolution, action.combatant, song.melody, target, UNSET)


def _count_attempt(effects: BattleEffects, side: str) -> None:
    now = force_of(effects.rule, side).dampenings + 1
    effects.emit(own.ResourceChanged(rule=ML_LAST_7, side=side, resource="dampening", now=now))


def _attempt(
    resolution: Resolution,
    dampener: str,
    melody: str,
    target: DampeningTarget,
    sung: SungMelody | UnsetType,
) -> None:
    """Roll; the dice stand at once, or wait for the dampener's reroll."""
    rule = resolution.rule
    warrior = existing(rule, dampener)
    count = 0 if warrior.singer is UNSET else warrior.singer.song_dice
    stream = stream_for(rule, dampener)
    roll = resolution.dice.roll(count, D6, "dampening", stream=stream, combatant=dampener)
    remainder = DampenRemainder(
        dampener=dampener,
        roll=told_again(roll, resolution.seq),
        breakdown=lines(resolution.state, warrior, "mod_song"),
        target_kind=target.kind,
        target_number=target.number,
        sung=sung,
    )
    sources = dampening_sources(warrior, roll.faces)
    if not sources:
        skip(resolution, REROLL, "nobody_eligible")
        _stand(resolution, remainder, as_rolled(roll))
        return
    resolution.effects.emit(
        own.Rolled(purpose="dampening", combatant=dampener, roll=roll, rule=ML_DAMP_6)
    )
    context = RerollContext(
        combatant=dampener,
        roll="dampening",
        melody=melody,
        dice=roll.faces,
        total=roll.total + _bonus(warrior) + _sum(remainder.breakdown),
        needed=target.number,
        sources=sources,
    )
    ask_for_reroll(resolution, context, remainder)


def after_reroll(resolution: Resolution, remainder: DampenRemainder, choice: Reroll | None) -> None:
    """The dice of an attempt stand, after the reroll that was chosen, if one was."""
    stood = as_rolled(remainder.roll)
    if choice is not None:
        stood = roll_again(resolution, remainder.dampener, remainder.roll, choice, "dampening")
    _stand(resolution, remainder, stood)


def _stand(resolution: Resolution, remainder: DampenRemainder, stood: Stood) -> None:
    """What an attempt comes to: the song is dampened, or it goes on."""
    action = resolution.action
    is_dampened = _tell(resolution, remainder, stood)
    if isinstance(action, Sing):
        if not is_dampened and remainder.sung is not UNSET:
            take_effect(resolution, action, remainder.sung, was_tried=True)
    elif isinstance(action, DampenLasting) and is_dampened:
        song = song_named(resolution.rule, action.song)
        if song is not None:
            end(resolution.effects, song, "dampened")


def _tell(resolution: Resolution, remainder: DampenRemainder, stood: Stood) -> bool:
    """State the attempt; whether it dampens the song."""
    action, first = resolution.action, remainder.roll.faces
    warrior = existing(resolution.rule, remainder.dampener)
    base = _bonus(warrior)
    total = stood.total + base + _sum(remainder.breakdown)
    automatic = automatic_result(first)
    is_dampened = dampening_outcome(automatic, total, remainder.target_number)
    rule, *further = dampening_rules(first)
    if stood.reroll is not None:
        further.append(ML_DAMP_6)
    if remainder.target_kind == "difficulty":
        further.append(ML_LAST_5)
    resolution.effects.emit(
        own.CheckResolved(
            rule=rule,
            rules=tuple(further) or UNSET,
            check="dampening",
            combatant=warrior.id,
            outcome="success" if is_dampened else "failure",
            roll=stood.roll,
            reroll=UNSET if stood.reroll is None else stood.reroll,
            base=base,
            breakdown=remainder.breakdown,
            total=total,
            needed=remainder.target_number,
            automatic=automatic,
            target_kind=remainder.target_kind,
            melody=action.melody if isinstance(action, Sing) else UNSET,
            song=action.song if isinstance(action, DampenLasting) else UNSET,
        )
    )
    return is_dampened


def _bonus(warrior: Combatant) -> int:
    return 0 if warrior.singer is UNSET else warrior.singer.dampen_bonus


def _sum(breakdown: tuple[Line, ...]) -> int:
    return sum(line.amount for line in breakdown)
