"""What an action would do, as far as the asker may know; nothing is drawn.

Shots, throws and blows tell what they are made of and exact odds, walks and doors what they cost
and who would test (`previews/`). What depends on numbers that are hidden from the asker is named in
`unknown` and left out.
"""

from typing import assert_never

from msgspec import to_builtins

from service.engine.battle.state import State, viewer_of
from service.engine.kit.perception import perceive
from service.engine.kit.previews import rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100.decide import GmAction, decide
from service.rulesets.squad_d100.deciding.magazines import require_reload
from service.rulesets.squad_d100.previews.facts import Facts
from service.rulesets.squad_d100.previews.melee import preview_blow
from service.rulesets.squad_d100.previews.movement import (
    preview_door,
    preview_move,
    preview_price,
)
from service.rulesets.squad_d100.previews.shots import preview_shots, preview_suppression
from service.rulesets.squad_d100.previews.throws import preview_throw
from service.rulesets.squad_d100.state import BattleState

View = State[BattleState]
"""The battle as somebody may know it."""


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Nobody is ever asked for an answer. Raises the
    same Refused, Forbidden or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    viewer = viewer_of(by, state.rule, state.linear)
    view = perceive(state, viewer)
    require_asked(answers, ())
    return rehearse(_sketch(view, action, viewer), decide, view, action, by)


def _sketch(view: View, action: do.Action, viewer: Viewer) -> Preview:
    if isinstance(action, ask.ShootingDeed):
        return _shooting(view, action, viewer)
    if isinstance(action, ask.Move):
        return preview_move(view, action, viewer)
    if isinstance(action, ask.ToggleDoor):
        return preview_door(view, action, viewer)
    if isinstance(action, ask.Kneel | ask.Stand | ask.PickUp | ask.Sprint | ask.EndMovement):
        return preview_price(view, action)
    if isinstance(action, ask.Deed | GmAction):
        return Preview(legal=True, facts={})
    raise Refused("no_preview", action=str(action.__struct_config__.tag))


def _shooting(view: View, action: ask.ShootingDeed, viewer: Viewer) -> Preview:
    match action:
        case ask.AimedShot() | ask.SnapShots() | ask.Burst():
            return preview_shots(view, action, viewer)
        case ask.Suppress():
            return preview_suppression(view, action, viewer)
        case ask.ThrowGrenade():
            return preview_throw(view, action, viewer)
        case ask.MeleeAttack():
            return preview_blow(view, action, viewer)
        case ask.Reload():
            weapon = require_reload(view, action)
            facts = Facts(rounds_left={weapon.id: weapon.magazine})
            return Preview(legal=True, facts=to_builtins(facts))
        case _:
            assert_never(action)
