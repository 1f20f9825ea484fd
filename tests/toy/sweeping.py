"""The toy ruleset's action that asks before it continues: everybody at once, in the order of
targets.

`dodge` needs a die of 4 or more, `parry` one of 5 (guard high) or 3 (guard low); whoever has no
grit cannot dodge. Then one die for the sweep (4 or more hits), the answers' dice and the damage
of each that is hit, always in the order of targets.
"""

from service.engine.battle import decision_groups
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import scope_of
from service.engine.dice.dice import Dice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.rolls import told_again
from service.engine.vocabulary.values import By, Roll
from service.errors import Refused
from tests.toy.fighting import HIT_FROM, fighter_of, hurt, revealed
from tests.toy.model import (
    DodgeChoice,
    Fighter,
    ParryChoice,
    Sweep,
    Threat,
    ToyChoice,
    ToyDecision,
    ToyState,
    Waiting,
)

Choices = dict[str, ToyChoice]


def sweep(told: EffectBuilder[ToyState], action: Sweep, by: By, seq: int, dice: Dice) -> None:
    """Ask whoever is swept at; nobody to ask, and it happens at once."""
    sweeper = fighter_of(told.rule, action.combatant)
    targets = [fighter_of(told.rule, name) for name in action.targets]
    for target in targets:
        if target.side == sweeper.side:
            raise Refused("target_not_hostile", target=target.id)
    asked = [_question(target, sweeper) for target in targets if target.health > 0]
    if asked:
        decision_groups.suspend(told, asked, action, by, seq)
        return
    told.emit(fx.WindowSkipped(kind="sweep", why="nobody"))
    _happens(told, action, {}, dice)


def _question(target: Fighter, sweeper: Fighter) -> ToyDecision:
    return ToyDecision(
        id=decision_groups.UNNUMBERED,
        kind="sweep",
        opened_by=0,
        side=target.side,
        combatant=target.id,
        options=("dodge", "parry", "pass") if target.grit else ("parry", "pass"),
        default="pass",
        context=Threat(attacker=sweeper.id),
    )


def resume(
    told: EffectBuilder[ToyState],
    action: Sweep,
    resumed: decision_groups.Resumed[Waiting, ToyChoice],
    dice: Dice,
) -> None:
    """Everybody has answered, or could not."""
    choices = {name: resumed.choice_of(name) for name in action.targets}
    known = {name: choice for name, choice in choices.items() if choice is not None}
    _happens(told, action, known, dice)


def _happens(told: EffectBuilder[ToyState], action: Sweep, choices: Choices, dice: Dice) -> None:
    roll = _roll(told, "sweep", action.combatant, dice)
    sweeper = fighter_of(told.rule, action.combatant)
    if sweeper.hidden:
        told.emit(revealed(sweeper, "attack"))
    told.emit(fx.Rolled(purpose="sweep", combatant=sweeper.id, roll=roll))
    detail = fx.AttackDetail(attacker=sweeper.id, roll=told_again(roll, dice.seq), pool=1)
    standing = [fighter_of(told.rule, name) for name in action.targets]
    answered = {each.id: _is_avoided(told, each, choices, dice) for each in standing}
    for target in standing:
        is_hit = roll.total >= HIT_FROM and not answered[target.id]
        outcome = "hit" if is_hit else ("avoided" if answered[target.id] else "miss")
        told.emit(fx.AttackResolved(target=target.id, outcome=outcome, detail=detail))
        if is_hit:
            hurt(told, target, _roll(told, "damage", target.id, dice))


def _is_avoided(
    told: EffectBuilder[ToyState], target: Fighter, choices: Choices, dice: Dice
) -> bool:
    choice = choices.get(target.id)
    match choice:
        case DodgeChoice():
            needed = HIT_FROM
        case ParryChoice(guard=guard):
            needed = 5 if guard == "high" else 3
        case _:
            return False
    roll = _roll(told, "dodge", target.id, dice)
    outcome = "success" if roll.total >= needed else "failure"
    check = str(choice.__struct_config__.tag)
    told.emit(fx.CheckResolved(check=check, combatant=target.id, outcome=outcome, roll=roll))
    return roll.total >= needed


def _roll(told: EffectBuilder[ToyState], purpose: str, who: str, dice: Dice) -> Roll:
    """One die, seen by whoever may know of the roller."""
    scope = scope_of(told.rule)
    return dice.roll(1, 6, purpose, stream=scope.stream_of(scope.subject(who)), combatant=who)
