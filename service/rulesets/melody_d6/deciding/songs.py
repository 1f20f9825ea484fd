"""Songs, from their checks to what the dice make of them (ML-SING-11).

How this works. A song is declared: its singer is known and loses its masking, its action is spent.
Its dice are rolled, and may wait for a reroll; once they stand they say what the song is. A Mistake
or a failure ends it. A success may be dampened (`dampening.py`), then it takes effect
(`song_effects.py`). Where a question is asked the song stops, and goes on here with the answer.
"""

from typing import Final

from msgspec import UNSET

from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.rolls import told_again
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Dampen, Reroll, Sing
from service.rulesets.melody_d6.deciding import mistakes
from service.rulesets.melody_d6.deciding.dampening import (
    ask_to_dampen,
    dampen_song,
    require_dampener,
)
from service.rulesets.melody_d6.deciding.dampening import (
    is_still_asked as is_dampening_asked,
)
from service.rulesets.melody_d6.deciding.discovery import attack_begins
from service.rulesets.melody_d6.deciding.influences import lines
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.requirements import (
    require_acting,
    require_action,
    require_melody,
)
from service.rulesets.melody_d6.deciding.rerolls import (
    REROLL,
    Stood,
    as_rolled,
    ask_for_reroll,
    require_reroll,
    roll_again,
    song_sources,
    sources_now,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.song_effects import melody_sung, take_effect
from service.rulesets.melody_d6.deciding.targets import require_aim
from service.rulesets.melody_d6.deciding.windows import skip
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.occupancy import is_engaged
from service.rulesets.melody_d6.points import point_at
from service.rulesets.melody_d6.questions import DampenContext, Question, RerollContext
from service.rulesets.melody_d6.remainders import (
    SongDampenRemainder,
    SongRemainder,
    SungMelody,
)
from service.rulesets.melody_d6.rules.dampening import is_dampening_barred
from service.rulesets.melody_d6.rules.lasting import require_free_voice
from service.rulesets.melody_d6.rules.masking import (
    is_given_away_by_song,
    require_masked_before,
)
from service.rulesets.melody_d6.rules.movement import ML_MOVE_6
from service.rulesets.melody_d6.rules.songs import (
    ML_SING_1,
    ML_SING_11,
    after_roll,
    classification,
    classification_after,
    is_power_sung,
    is_sung,
    require_voice,
    song_rules,
)
from service.rulesets.melody_d6.rules.turns import ML_TURN_4
from service.rulesets.melody_d6.state import BattleState, Combatant, song_of

D6: Final = 6


def require_sing(view: State[BattleState], action: Sing) -> tuple[Combatant, Melody]:
    """All preconditions of a song, on what its singer's side knows: the singer and the Melody.

    Raises Refused("unknown_combatant") for the target, ("unknown_melody"), what `require_acting`
    does, ("action_spent"), ("masked_this_turn"), ("not_a_singer"), ("melody_not_known"),
    ("hoarse"), ("lasting_in_play"), ("engaged") and what `require_aim` does, checked in this order.
    """
    rule = view.rule
    if action.target is not UNSET:
        require_combatant(rule, action.target)
    melody = require_melody(view, action.melody)
    singer = require_acting(rule, action.combatant, "action")
    require_action(singer)
    if is_given_away_by_song(singing_reveals=rule.options.singing_reveals):
        require_masked_before(singer.id, masked_this_turn=singer.masked_this_turn)
    _require_voice(rule, singer, melody)
    if is_engaged(rule, singer):
        raise Refused("engaged", rule=ML_MOVE_6, combatant=singer.id)
    require_aim(view, singer, melody, action)
    return singer, melody


def _require_voice(rule: BattleState, singer: Combatant, melody: Melody) -> None:
    if singer.singer is UNSET:
        raise Refused("not_a_singer", rule=ML_SING_11, combatant=singer.id)
    if melody.id not in singer.singer.melodies:
        known = list(singer.singer.melodies)
        raise Refused("melody_not_known", rule=ML_SING_11, melody=melody.id, allowed=known)
    require_voice(rule.round, singer.hoarse_until)
    song = song_of(rule, singer.id)
    require_free_voice(None if song is None else song.id)


def sing(resolution: Resolution, action: Sing) -> None:
    """Declare a song and roll its dice; it goes on as far as nobody is asked. Raises Refused."""
    require_sing(resolution.view, action)
    effects, singer = resolution.effects, action.combatant
    attack_begins(effects, singer)
    effects.emit(own.ResourceChanged(rule=ML_TURN_4, combatant=singer, resource="action", now=0))
    if is_given_away_by_song(singing_reveals=effects.rule.options.singing_reveals):
        lose_mask(effects, singer, "sang", fleeting=True)
    _roll(resolution, action)


def _roll(resolution: Resolution, action: Sing) -> None:
    rule = resolution.rule
    singer, melody = existing(rule, action.combatant), melody_sung(resolution, action)
    count = 0 if singer.singer is UNSET else singer.singer.song_dice
    stream = stream_for(rule, singer.id)
    roll = resolution.dice.roll(count, D6, "song", stream=stream, combatant=singer.id)
    classified = classification(roll.faces)
    remainder = SongRemainder(
        roll=told_again(roll, resolution.seq),
        breakdown=lines(resolution.state, singer, "mod_song"),
        origin=point_at(singer.place),
    )
    sources = song_sources(rule, singer, classified)
    if not sources:
        if not is_dampening_barred(classified):
            skip(resolution, REROLL, "nobody_eligible")
        _stand(resolution, action, remainder, as_rolled(roll))
        return
    resolution.effects.emit(
        own.Rolled(rule=ML_SING_1, purpose="song", combatant=singer.id, roll=roll)
    )
    context = RerollContext(
        combatant=singer.id,
        roll="song",
        melody=melody.id,
        dice=roll.faces,
        total=roll.total + _added(singer, remainder),
        needed=melody.difficulty,
        classification=classified,
        sources=sources,
    )
    ask_for_reroll(resolution, context, remainder)


def after_reroll(resolution: Resolution, remainder: SongRemainder, choice: Reroll | None) -> None:
    """The dice of a song stand, after the reroll that was chosen, if one was."""
    action = waiting_song(resolution)
    stood = as_rolled(remainder.roll)
    if choice is not None:
        stood = roll_again(resolution, action.combatant, remainder.roll, choice, "song")
    _stand(resolution, action, remainder, stood)


def _stand(resolution: Resolution, action: Sing, remainder: SongRemainder, stood: Stood) -> None:
    """What a song comes to once its dice stand."""
    sung, is_successful = _tell(resolution, action, remainder, stood)
    match after_roll(sung.classification, is_successful=is_successful):
        case "mistake":
            mistakes.happen(resolution, action)
        case "success":
            is_asked = not is_dampening_barred(sung.classification) and ask_to_dampen(
                resolution, action, sung
            )
            if not is_asked:
                take_effect(resolution, action, sung)
        case "failure":
            pass


def _tell(
    resolution: Resolution, action: Sing, remainder: SongRemainder, stood: Stood
) -> tuple[SungMelody, bool]:
    """State the song: what it counts as in the end, and whether it succeeds."""
    rule, first = resolution.rule, remainder.roll.faces
    singer, melody = existing(rule, action.combatant), melody_sung(resolution, action)
    total = stood.total + _added(singer, remainder)
    classified = classification_after(
        stood.source, first, stood.faces, is_power_uncovered=rule.options.ui_uncovers_power
    )
    rules = song_rules(first, stood.source, classified)
    if classified == "monstrous_power":
        is_automatic = rule.options.mp_auto_success
        is_successful = is_power_sung(total, melody.difficulty, is_automatic=is_automatic)
        classified = classified if is_successful else "none"
    else:
        is_successful = classified == "none" and is_sung(total, melody.difficulty)
    resolution.effects.emit(
        own.CheckResolved(
            rule=rules[0],
            rules=rules[1:] or UNSET,
            check="song",
            combatant=singer.id,
            outcome="success" if is_successful else "failure",
            roll=stood.roll,
            reroll=UNSET if stood.reroll is None else stood.reroll,
            base=_bonus(singer),
            breakdown=remainder.breakdown,
            total=total,
            needed=melody.difficulty,
            melody=melody.id,
            classification=classified,
        )
    )
    return SungMelody(
        classification=classified, result=total, origin=remainder.origin
    ), is_successful


def after_dampen(
    resolution: Resolution, remainder: SongDampenRemainder, choice: Dampen | None
) -> None:
    """A song goes on after the window in which it could be dampened."""
    action = waiting_song(resolution)
    if choice is None:
        take_effect(resolution, action, remainder.sung)
    else:
        dampen_song(resolution, action, remainder, choice)


def require_answer(view: State[BattleState], decision: Decision, choice: Reroll | Dampen) -> None:
    """The reroll or the dampener named is possible, on what its chooser knows.

    Raises Refused("no_such_decision") where the question is about nothing that it knows of, and
    what `require_reroll` and `require_dampener` do.
    """
    context = decision.context if isinstance(decision, Question) else UNSET
    if isinstance(choice, Reroll) and isinstance(context, RerollContext):
        require_reroll(view.rule, context, choice)
    elif isinstance(choice, Dampen) and isinstance(context, DampenContext):
        require_dampener(view.rule, context, choice)
    else:
        raise Refused("no_such_decision", rule=ML_SING_11, decision_id=decision.id)


def is_still_asked(rule: BattleState, decision: Question) -> bool:
    """Whether a question about a song or a dampening would be put as the battle is now."""
    match decision.context:
        case DampenContext() as context:
            return is_dampening_asked(rule, context)
        case RerollContext() as context:
            return bool(sources_now(rule, context))
        case _:
            return False


def waiting_song(resolution: Resolution) -> Sing:
    """The action that waits, which is a song."""
    action = resolution.action
    if not isinstance(action, Sing):
        raise TypeError(f"{type(action).__name__} is no song")
    return action


def _bonus(singer: Combatant) -> int:
    return 0 if singer.singer is UNSET else singer.singer.song_bonus


def _added(singer: Combatant, remainder: SongRemainder) -> int:
    """What is added to the dice."""
    return _bonus(singer) + sum(line.amount for line in remainder.breakdown)
