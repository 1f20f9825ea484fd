"""Questions that may follow in the same event, once the roll that a preview tells of was made.

How this works. Warriors of the active side who lose their masking within an action are shown to the
other side's guards in one window at its end, a shot in a window may be followed by that of the next
guard, and a song that stands may be dampened. Who was uncovered before is read off the waiting
action, as far as the caller knows of it: each of them lost its masking before everybody's eyes.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import UNSET

from service.engine.battle.roster import combatant_of, existing
from service.engine.ruleset.definition import Preview
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.rulesets.melody_d6 import actions as ask
from service.rulesets.melody_d6.content import content_of, melody_of
from service.rulesets.melody_d6.deciding.dampening import eligible_dampeners
from service.rulesets.melody_d6.deciding.detection import searches
from service.rulesets.melody_d6.deciding.targets import reached, shape_at
from service.rulesets.melody_d6.deciding.windows import GUARD_WINDOW, eligible_guards
from service.rulesets.melody_d6.melodies import MelodyPanic, MelodyReveal
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.song_odds import song_outcome
from service.rulesets.melody_d6.previews.songs import terms_of
from service.rulesets.melody_d6.questions import (
    GuardContext,
    Question,
    RerollContext,
)
from service.rulesets.melody_d6.remainders import (
    AnyRemainder,
    EndTurnRemainder,
    MoveRemainder,
)
from service.rulesets.melody_d6.rules.masking import is_given_away_by_song
from service.rulesets.melody_d6.state import (
    Combatant,
    is_masked,
    is_steady,
    members_of,
    other_side,
)

DAMPEN = "dampen"

Kinds = tuple[str, ...]
"""Kinds of decisions."""


def guards_asked(asker: Asker, without: str = "") -> Kinds:
    """The window that the other side's guards would have, as far as the asker knows.

    `without` is a guard who has shot by then.
    """
    rule = asker.rule
    if rule.turn_side is UNSET:
        return ()
    guards = eligible_guards(asker.view, other_side(rule, rule.turn_side))
    return (GUARD_WINDOW,) if any(each.id != without for each in guards) else ()


def preview_with_guards(asker: Asker, _action: do.Action) -> Preview:
    """The preview of an action after which the other side's guards are asked, and no more."""
    return Preview(legal=True, opens=guards_asked(asker))


def after_action(asker: Asker, action: do.Action) -> Kinds:
    """What may be asked at the end of an action that the rules have let through."""
    without = action.combatant if isinstance(action, ask.GuardShoot) else ""
    return _revealed(asker, _uncovered_by(asker, action), without)


def after_answer(
    asker: Asker, known: Question, choice: ask.AnyChoice, remainder: AnyRemainder
) -> Kinds:
    """What may be asked after an answer that is possible.

    `known` is the question without what the caller may not know of it.
    """
    shown = _revealed(asker, _known(asker, remainder.uncovered))
    match choice:
        case ask.GuardShot():
            return guards_asked(asker, without=choice.combatant)
        case ask.Reroll() | ask.Dampen() | PassChoice():
            pass
        case RollChoice():
            return ()
        case _:
            assert_never(choice)
    match known.context:
        case RerollContext(roll="song") as context:
            return (*_dampened(asker, context, choice), *shown)
        case GuardContext():
            return shown or _on_its_way(asker, remainder)
        case _:
            return shown


def _revealed(asker: Asker, uncovered: Iterable[Combatant], without: str = "") -> Kinds:
    """The window about those of the active side who are masked no longer, unless all are hidden."""
    is_shown = any(each.side == asker.rule.turn_side and not each.hidden for each in uncovered)
    return guards_asked(asker, without) if is_shown else ()


def _known(asker: Asker, warriors: Iterable[str]) -> Iterator[Combatant]:
    for each in warriors:
        warrior = combatant_of(asker.rule, each)
        if warrior is not None:
            yield warrior


def _uncovered_by(asker: Asker, action: do.Action) -> Iterator[Combatant]:
    """Masked warriors who lose their masking by an action, or may."""
    rule = asker.rule
    match action:
        case ask.Shoot() | ask.Fight() | ask.GmReveal():
            warriors = [existing(rule, action.combatant)]
        case ask.GuardShoot() if is_masked(existing(rule, action.combatant)):
            warriors = _shaken(asker, existing(rule, action.target).unit)
        case ask.GmPanicTest():
            warriors = _shaken(asker, action.unit)
        case ask.EndMovement():
            warriors = [each for search in searches(rule) for each in search.masked]
        case ask.Sing():
            warriors = list(_uncovered_by_song(asker, action))
        case _:
            warriors = []
    yield from (each for each in warriors if is_masked(each))


def _shaken(asker: Asker, unit: str) -> list[Combatant]:
    """Those of a unit who flee if it fails a panic test."""
    return [each for each in members_of(asker.rule, unit) if is_steady(each)]


def _uncovered_by_song(asker: Asker, action: ask.Sing) -> Iterator[Combatant]:
    rule, singer = asker.rule, existing(asker.rule, action.combatant)
    if is_given_away_by_song(singing_reveals=rule.options.singing_reveals):
        yield singer
    melody = melody_of(content_of(asker.view), action.melody)
    if melody is None:
        return
    effects = (*melody.effects, *melody.mp_effects)
    shape = shape_at(asker.view, melody, action, spot_of(singer))
    for each in reached(rule, shape, action):
        warrior = existing(rule, each.combatant)
        if any(isinstance(effect, MelodyReveal) for effect in effects):
            yield warrior
        if any(isinstance(effect, MelodyPanic) for effect in effects):
            yield from _shaken(asker, warrior.unit)


def _dampened(asker: Asker, context: RerollContext, choice: ask.AnyChoice) -> Kinds:
    """The window of a song that stands, unless it is known to fail."""
    singer = existing(asker.rule, context.combatant)
    if isinstance(choice, PassChoice) and context.total is not UNSET:
        bonus = context.total - sum(context.dice)
        terms = terms_of(asker.rule, bonus, context.needed)
        if song_outcome(context.classification, sum(context.dice), terms) != "success":
            return ()
    may_dampen = not singer.hidden and eligible_dampeners(asker.rule, singer)
    return (DAMPEN,) if may_dampen else ()


def _on_its_way(asker: Asker, remainder: AnyRemainder) -> Kinds:
    """What the rest of an action may open that no guard has stopped."""
    match remainder:
        case MoveRemainder():
            mover = combatant_of(asker.rule, remainder.combatant)
            masked = () if mover is None or not is_masked(mover) else (mover,)
            return _revealed(asker, masked)
        case EndTurnRemainder(stage="activation"):
            return guards_asked(asker)
        case _:
            return ()
