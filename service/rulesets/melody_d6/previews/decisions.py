"""The preview of answers: the shot, the reroll or the dampening that is chosen."""

from typing import assert_never

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.decisions import require_open
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import existing
from service.engine.ruleset.definition import Odds, Preview
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.breakdown import total
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.errors import Refused
from service.rulesets.melody_d6.actions import (
    Answer,
    AnyChoice,
    Dampen,
    DampenLasting,
    GuardShot,
    Reroll,
)
from service.rulesets.melody_d6.content import content_of, melody_of
from service.rulesets.melody_d6.deciding.dampening import require_dampen_lasting
from service.rulesets.melody_d6.deciding.detection import found_on_way, is_asked_before_shots
from service.rulesets.melody_d6.deciding.guard_shots import is_met_on_way, way_behind, way_point
from service.rulesets.melody_d6.deciding.hits import GuardShot as Manner
from service.rulesets.melody_d6.deciding.influences import lines
from service.rulesets.melody_d6.deciding.rerolls import rerolls_left
from service.rulesets.melody_d6.deciding.resume import require_answer, waiting_for
from service.rulesets.melody_d6.previews.attacks import preview_shot
from service.rulesets.melody_d6.previews.facts import Facts, ForeseenDampening, ForeseenSong
from service.rulesets.melody_d6.previews.follow_ups import after_answer
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.song_odds import (
    DAMPENING_OUTCOMES,
    SONG_OUTCOMES,
    certain,
    dampening_odds,
    dampening_reroll_odds,
    reroll_odds,
    song_outcome,
)
from service.rulesets.melody_d6.previews.songs import terms_of
from service.rulesets.melody_d6.questions import (
    DampenContext,
    GuardContext,
    Question,
    RerollContext,
)
from service.rulesets.melody_d6.rules.dampening import dampening_outcome
from service.rulesets.melody_d6.rules.lasting import TargetKind
from service.rulesets.melody_d6.state import Combatant, is_masked

NOTHING = Preview(legal=True)


def preview_answer(asker: Asker, action: Answer | do.ForcePass) -> Preview:
    """The preview of an answer. Raises Forbidden, Refused as deciding it would.

    Refused("no_preview") for faces of the table, and where the caller may not know what is asked.
    """
    state, by = asker.state, asker.by
    decision = require_open(state, action.decision_id, by)
    choice = action.choice if isinstance(action, Answer) else PassChoice()
    if isinstance(choice, RollChoice) or "roll" in decision.options:
        raise _untold(action)
    require_answer(asker.view, state.rule, decision, choice, by)
    known = _as_known(asker, decision)
    preview = _preview(asker, action, known, choice)
    if not isinstance(known, Question):
        return preview
    _, remainder = waiting_for(state.rule, decision)
    return replace(preview, follows=after_answer(asker, known, choice, remainder))


def _preview(
    asker: Asker, action: Answer | do.ForcePass, known: Decision, choice: AnyChoice
) -> Preview:
    context = known.context if isinstance(known, Question) else UNSET
    match choice:
        case GuardShot() if isinstance(context, GuardContext):
            return _shot(asker, context, choice)
        case Dampen() if isinstance(context, DampenContext):
            return _dampening(asker, context, choice)
        case Reroll() if isinstance(context, RerollContext):
            return _reroll(asker, context, choice)
        case PassChoice():
            return _passed(asker, known)
        case GuardShot() | Dampen() | Reroll() | RollChoice():
            raise _untold(action)
        case _:
            assert_never(choice)


def _as_known(asker: Asker, decision: Decision) -> Decision:
    """The question without what the asker may not know of it."""
    top = asker.rule.pending[-1].decisions
    return next(each for each in top if each.id == decision.id)


def _untold(action: do.Action) -> Refused:
    return Refused("no_preview", action=str(action.__struct_config__.tag))


def _shot(asker: Asker, context: GuardContext, shot: GuardShot) -> Preview:
    is_met = is_met_on_way(asker.view, context, shot.target)
    how = Manner(charged=is_met and context.target == shot.combatant)
    at = way_point(context, shot.path_point) if is_met else None
    return preview_shot(
        asker,
        shot.combatant,
        shot.target,
        shot.weapon,
        guard=how,
        at=at,
        is_found=is_met and _is_found(asker, context, shot),
    )


def _is_found(asker: Asker, context: GuardContext, shot: GuardShot) -> bool | None:
    """Whether the mover has detected the guard by then; None where its Mobility is not known."""
    guard, mover = existing(asker.rule, shot.combatant), existing(asker.rule, shot.target)
    if not is_masked(guard) or not is_asked_before_shots(asker.view):
        return False
    if not asker.knows_numbers(mover):
        return None
    found = found_on_way(asker.rule, mover, way_behind(context, shot.path_point))
    return any(each.id == guard.id for each in found)


def _dampening(asker: Asker, context: DampenContext, choice: Dampen) -> Preview:
    dampener = existing(asker.rule, choice.combatant)
    return attempt(
        asker, dampener, context.melody, context.target_kind, needed=context.target_number
    )


def preview_dampening(asker: Asker, action: DampenLasting) -> Preview:
    """The preview of an attempt at a song in play. Raises Refused as deciding it would."""
    song = require_dampen_lasting(asker.view, action)
    melody = melody_of(content_of(asker.view), song.melody)
    needed = 0 if melody is None else melody.difficulty
    dampener = existing(asker.rule, action.combatant)
    return attempt(asker, dampener, song.melody, "difficulty", needed=needed)


def attempt(
    asker: Asker,
    dampener: Combatant,
    melody: str,
    kind: TargetKind,
    *,
    needed: int | UnsetType,
) -> Preview:
    """An attempt to dampen: its odds are those of the first roll."""
    voice = dampener.singer
    dice, bonus = (0, 0) if voice is UNSET else (voice.song_dice, voice.dampen_bonus)
    added = lines(asker.view, dampener, "mod_song")
    is_known = asker.knows_numbers(dampener)
    facts = ForeseenDampening(
        melody=melody,
        dice=dice,
        base=asker.number(dampener, bonus),
        breakdown=asker.breakdown(dampener, added),
        target_kind=kind,
        needed=needed,
    )
    odds: tuple[Odds, ...] = ()
    unknown = () if is_known else ("dampen_bonus",)
    if needed is UNSET:
        unknown = (*unknown, "result")
    elif is_known:
        odds = dampening_odds(dice, bonus + total(added), needed)
    return Preview(
        legal=True,
        facts=Facts(dampening=facts),
        odds=odds,
        opens=("reroll",) if rerolls_left(dampener) else (),
        unknown=unknown,
    )


def _reroll(asker: Asker, context: RerollContext, choice: Reroll) -> Preview:
    if context.total is UNSET:
        return NOTHING
    bonus = context.total - sum(context.dice)
    if context.roll == "dampening":
        odds = dampening_reroll_odds(context.dice, choice.dice, bonus, context.needed)
        return Preview(legal=True, odds=odds)
    terms = terms_of(asker.rule, bonus, context.needed)
    song = ForeseenSong(melody=context.melody, dice=len(choice.dice), needed=context.needed)
    return Preview(
        legal=True,
        facts=Facts(song=song),
        odds=reroll_odds(context.dice, choice.dice, choice.source, terms),
    )


def _passed(asker: Asker, decision: Decision) -> Preview:
    """What stands if dice are not rolled again; of any other question nothing is foretold."""
    context = decision.context if isinstance(decision, Question) else UNSET
    if not isinstance(context, RerollContext) or context.total is UNSET:
        return NOTHING
    bonus = context.total - sum(context.dice)
    if context.roll == "dampening":
        is_dampened = dampening_outcome("none", context.total, context.needed)
        odds = certain(DAMPENING_OUTCOMES, "success" if is_dampened else "failure")
        return Preview(legal=True, odds=odds)
    terms = terms_of(asker.rule, bonus, context.needed)
    outcome = song_outcome(context.classification, sum(context.dice), terms)
    return Preview(legal=True, odds=certain(SONG_OUTCOMES, outcome))
