"""Second versions of the toy ruleset, each different in one thing."""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args

import msgspec
from msgspec.structs import replace as changed

from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import By
from service.errors import Refused
from tests.toy.model import Create, Hide, Step, Strike, ToyAction, ToyEffect, ToyState
from tests.toy.rules import RULESET, Effects, decide

Rules = Callable[[State[ToyState], do.Action, By, int, Dice], Effects]


def version(rules: Rules, **more: Any) -> Ruleset[Any]:
    """Version 2 with these rules."""
    return replace(RULESET, version="2", decide=rules, **more)


def harder(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """Who is hurt loses a point more, by a separate rule."""
    effects = decide(state, action, by, seq, dice)
    return tuple(_harder(effect) if isinstance(effect, fx.Hurt) else effect for effect in effects)


def _harder(hurt: fx.Hurt) -> fx.Hurt:
    line = Modifier(rule="TY-HURT-2", amount=1)
    return changed(hurt, amount=hurt.amount + 1, breakdown=(*hurt.breakdown, line))


def luckier(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """Whoever strikes throws a die for luck first."""
    if isinstance(action, Strike):
        dice.roll(1, 8, "luck", combatant=action.combatant)
    return decide(state, action, by, seq, dice)


def slower(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """Nobody may step."""
    if isinstance(action, Step):
        raise Refused("cell_impassable", rule="TY-STEP-3", x=0, y=0)
    return decide(state, action, by, seq, dice)


def turned(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """Rounds begin before turns end."""
    effects = decide(state, action, by, seq, dice)
    return effects if not isinstance(action, do.EndTurn) else effects[1:] + effects[:1]


def open_minded(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """Nobody hides."""
    return () if isinstance(action, Hide) else decide(state, action, by, seq, dice)


def forgetful(rule: ToyState, effect: fx.Effect) -> ToyState:
    """Nobody knows what hiding is."""
    if isinstance(effect, fx.Hidden):
        raise LookupError("hidden")
    return RULESET.evolve(rule, effect)


ANNOTATED: Any = Annotated
MANY: Any = tuple
KNOWN: Any = reduce(or_, (kind for kind in get_args(ToyEffect) if kind is not fx.Hidden))
PlainEvent = msgspec.defstruct(
    "PlainEvent",
    [
        ("action", Annotated[ToyAction | Create, EVERYONE]),
        ("effects", ANNOTATED[MANY[KNOWN, ...], EVERYONE]),
    ],
    bases=(Event,),
    frozen=True,
    kw_only=True,
)
"""An event in which nobody can hide."""

HARDER = version(harder)
SAME = version(decide)
LUCKIER = version(luckier)
SLOWER = version(slower)
TURNED = version(turned)
FORGETFUL = version(decide, evolve=forgetful)
PLAIN = version(open_minded, event=PlainEvent)
