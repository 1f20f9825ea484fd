"""What an action would do, as far as the asker may know; nothing is drawn.

Shots, fights, songs and dampenings tell what they are made of, whom they reach, and exact odds up
to the first question; movements what they cost and whom they uncover (`previews/`). `opens` are the
questions that may come before those rolls, `follows` those after them. What depends on numbers that
are hidden from the asker is named in `unknown` and left out.
"""

from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from service.engine.battle.state import State, viewer_of
from service.engine.kit.perception import perceive
from service.engine.kit.previews import rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.melody_d6 import actions as ask
from service.rulesets.melody_d6.decide import GmAction, decide
from service.rulesets.melody_d6.deciding.guard_shots import require_unasked
from service.rulesets.melody_d6.deciding.hits import GuardShot
from service.rulesets.melody_d6.deciding.shots import require_shoot
from service.rulesets.melody_d6.previews.attacks import preview_fight, preview_shot
from service.rulesets.melody_d6.previews.decisions import preview_answer, preview_dampening
from service.rulesets.melody_d6.previews.facts import Facts
from service.rulesets.melody_d6.previews.follow_ups import after_action, guards_asked
from service.rulesets.melody_d6.previews.foreseen_tests import panic_test
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.movement import (
    preview_charge,
    preview_end_of_movement,
    preview_mask,
    preview_move,
)
from service.rulesets.melody_d6.previews.songs import preview_song
from service.rulesets.melody_d6.state import BattleState


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Questions are put to sides, so no answer of
    anybody's is taken as given. Raises the same Refused, Forbidden or Malformed as `decide`,
    Refused("no_preview") for what the engine decides by itself, and Refused("not_asked").
    """
    viewer = viewer_of(by, state.rule, state.linear)
    asker = Asker(perceive(state, viewer), viewer)
    require_asked(answers, ())
    if isinstance(action, ask.Answer | do.ForcePass):
        return preview_answer(state, asker, action, by)
    rehearsed = rehearse(_sketch(asker, action), decide, asker.view, action, by)
    return replace(rehearsed, follows=after_action(asker, action))


def _sketch(asker: Asker, action: do.Action) -> Preview:
    match action:
        case ask.Shoot():
            require_shoot(asker.view, action)
            return preview_shot(asker, action.combatant, action.target, action.weapon)
        case ask.GuardShoot():
            require_unasked(asker.view, action)
            how = GuardShot(charged=False)
            return preview_shot(asker, action.combatant, action.target, action.weapon, guard=how)
        case ask.Fight():
            return preview_fight(asker, action)
        case ask.Sing():
            return preview_song(asker, action)
        case ask.DampenLasting():
            return preview_dampening(asker, action)
        case _:
            return _sketch_of_movement(asker, action)


def _sketch_of_movement(asker: Asker, action: do.Action) -> Preview:
    match action:
        case ask.Move():
            return preview_move(asker, action)
        case ask.Charge():
            return preview_charge(asker, action)
        case ask.Mask():
            return preview_mask(asker, action)
        case ask.EndMovement():
            return preview_end_of_movement(asker, action)
        case ask.Unmask() | do.EndSideTurn():
            return Preview(legal=True, facts={}, opens=guards_asked(asker))
        case ask.GmPanicTest():
            return _panic(asker, action)
        case _ if isinstance(action, ask.Deed | ask.GmDeed | GmAction):
            return Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))


def _panic(asker: Asker, action: ask.GmPanicTest) -> Preview:
    test = panic_test(asker, action.unit, action.modifier)
    facts = Facts(panic=UNSET if test is None else test)
    odds = () if test is None else test.odds
    return Preview(legal=True, facts=to_builtins(facts), odds=odds)
