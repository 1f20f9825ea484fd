"""Attacks in the own turn: allowed on what the asker knows, offered to enemies nearby, then made.

How this works. The standard action is spent and the attacker comes out of hiding. A shot from a
cell that enemies control waits for what they do about it; it is dropped if the attacker is out
then, or if the game master's word has made it impossible meanwhile. Where the version judges it
again, it is made as if it were asked for then.
"""

from service.engine.battle.roster import combatant_of, is_out, require_combatant
from service.engine.battle.state import State
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.tactical_d20.actions import Attack, AttackCell
from service.rulesets.tactical_d20.creatures import is_known_to_side
from service.rulesets.tactical_d20.deciding.aim import Aim, aim_again
from service.rulesets.tactical_d20.deciding.attack_line import (
    require_attack,
    require_guess,
    require_line,
    require_target,
    require_weapon,
)
from service.rulesets.tactical_d20.deciding.attack_resolution import (
    reveal_attacker,
    strike,
    strike_cell,
)
from service.rulesets.tactical_d20.deciding.opportunities import enemies_to_ask, offer
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import settle, spend
from service.rulesets.tactical_d20.ground import ground_of, public_ground
from service.rulesets.tactical_d20.state import BattleState


def attack(resolution: Resolution, action: Attack | AttackCell) -> None:
    """The effects of an attack."""
    require(resolution.view, action)
    effects = resolution.effects
    spend(effects, action.combatant, "standard")
    reveal_attacker(effects, action.combatant)
    aim = aim_again(effects.rule, action)
    enemies = enemies_to_ask(effects.state, aim.attacker) if aim.is_shot else ()
    if enemies:
        offer(resolution, enemies, action)
        return
    _make(resolution, aim)
    settle(effects)


def require(view: State[BattleState], action: Attack | AttackCell) -> Aim:
    """All preconditions of an attack. Raises Refused with the code of the first that fails."""
    if isinstance(action, AttackCell):
        return require_guess(view, action)
    return require_attack(view, action)


def go_on(resolution: Resolution, action: Attack | AttackCell) -> None:
    """A shot that has waited: made, unless its attacker is out or it has become impossible.

    `by` asked for it: a player's is dropped if his side does not know of the target any more.
    """
    aim = _possible_still(resolution.state, action, resolution.by)
    if aim is not None:
        _make(resolution, aim)


def make_again(resolution: Resolution, action: Attack | AttackCell) -> None:
    """A shot that has waited and is allowed as the battle is now."""
    reveal_attacker(resolution.effects, action.combatant)
    _make(resolution, aim_again(resolution.rule, action))


def _possible_still(battle: State[BattleState], action: Attack | AttackCell, by: By) -> Aim | None:
    """The attack in the battle as it stands, if it is possible on the ground its asker knows."""
    rule = battle.rule
    attacker = combatant_of(rule, action.combatant)
    if attacker is None or is_out(attacker):
        return None
    try:
        require_weapon(attacker, action.weapon)
        if isinstance(action, Attack):
            target = require_combatant(rule, action.target)
            require_target(attacker, target)
            if by.role != "gm" and not is_known_to_side(target, attacker.side):
                return None
        aim = aim_again(rule, action)
        known_ground = ground_of if by.role == "gm" else public_ground
        require_line(rule, known_ground(battle), aim)
    except Refused:
        return None
    return aim


def _make(resolution: Resolution, aim: Aim) -> None:
    if aim.is_guess:
        strike_cell(resolution, aim)
    else:
        strike(resolution, aim)
