"""Masking and leaving it: the declaration, the guards' window, and who is masked after it."""

from collections import Counter

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Mask, Unmask
from service.rulesets.melody_d6.deciding.detection import detect_on_way
from service.rulesets.melody_d6.deciding.mask_loss import become_fleeting, lose_mask
from service.rulesets.melody_d6.deciding.movements import engage
from service.rulesets.melody_d6.deciding.requirements import (
    require_able,
    require_acting,
    require_in_activation,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.windows import guard_window
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import (
    base_of,
    enemies_of,
    is_engaged,
    may_detect,
    spot_of,
)
from service.rulesets.melody_d6.remainders import MaskRemainder
from service.rulesets.melody_d6.rules.ambush import ML_AMB_4
from service.rulesets.melody_d6.rules.detection import ML_MASK_9, is_detected_on_way
from service.rulesets.melody_d6.rules.masking import (
    ML_MASK_1,
    ML_MASK_3,
    ML_MASK_4,
    ML_MASK_15,
    becomes_masked,
    is_masking_place,
    require_no_attack,
    require_points,
    require_undeclared,
)
from service.rulesets.melody_d6.rules.movement import ML_MOVE_6
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    force_of,
    is_fleeing,
    is_masked,
    is_on_table,
)


def require_mask(view: State[BattleState], action: Mask) -> int:
    """All preconditions of masking on what the warriors' side may know; the FP left afterwards.

    Raises what `require_acting` does, for each warrior in the listed order, then
    Refused("mask_already_declared"), for each ("duplicate_warrior"), ("already_masked"),
    ("exposed"), ("attacked_this_turn"), ("engaged"), ("cannot_mask_here") or
    ("too_close_to_enemy"), then ("insufficient_fp").
    """
    rule = view.rule
    warriors = [require_in_activation(rule, each, "movement") for each in action.combatants]
    for each in warriors:
        require_able(each)
    require_undeclared(is_declared=rule.mask_declared)
    named: Counter[str] = Counter()
    for each in warriors:
        named[each.id] += 1
        if named[each.id] > 1:
            raise Refused("duplicate_warrior", rule=ML_MASK_1, combatant=each.id)
        require_can_mask(view, each)
    return require_points(force_of(rule, warriors[0].side).fp, rule.options.mask_fp_cost)


def require_can_mask(view: State[BattleState], warrior: Combatant) -> None:
    """A warrior can mask where it stands, as far as its side knows.

    Raises Refused("already_masked"), ("exposed"), ("attacked_this_turn"), ("engaged"),
    ("cannot_mask_here") or ("too_close_to_enemy"), checked in this order.
    """
    rule = view.rule
    if is_masked(warrior):
        raise Refused("already_masked", rule=ML_MASK_15, combatant=warrior.id)
    if "exposed" in warrior.conditions:
        raise Refused("exposed", rule=ML_AMB_4, combatant=warrior.id)
    require_no_attack(warrior.id, attacked="attacked" in warrior.conditions)
    if is_engaged(rule, warrior):
        raise Refused("engaged", rule=ML_MOVE_6, combatant=warrior.id)
    require_masking_place(view, warrior)


def require_masking(view: State[BattleState], combatant: str) -> None:
    """One of those who mask could declare it still, but for its price.

    Raises what `require_acting` does, then what `require_can_mask` does.
    """
    require_can_mask(view, require_acting(view.rule, combatant, "movement"))


def require_masking_place(view: State[BattleState], warrior: Combatant) -> None:
    """A warrior stands where one can mask, and no alert enemy is too close.

    At deployment, too. Raises Refused("cannot_mask_here") or ("too_close_to_enemy").
    """
    rule, options = view.rule, view.rule.options
    obstacles = ground_of(view).obstacles
    if not is_masking_place(base_of(warrior), obstacles, options.mask_near, options.measure):
        raise Refused(
            "cannot_mask_here", rule=ML_MASK_3, combatant=warrior.id, within=options.mask_near
        )
    close = _too_close(rule, warrior)
    if close is not None:
        raise Refused("too_close_to_enemy", rule=ML_MASK_9, combatant=warrior.id, enemy=close.id)


def _too_close(rule: BattleState, warrior: Combatant) -> Combatant | None:
    """The first alert enemy within whose Mobility a warrior stands; a hidden one detects nobody."""
    way = (spot_of(warrior),)
    for enemy in enemies_of(rule, warrior.side):
        if may_detect(enemy) and is_detected_on_way(
            way, warrior.base_radius, base_of(enemy), enemy.mobility, rule.options.measure
        ):
            return enemy
    return None


def mask(resolution: Resolution, action: Mask) -> None:
    """Warriors of the active unit are about to mask. Raises Refused."""
    left = require_mask(resolution.view, action)
    effects = resolution.effects
    side = existing(effects.rule, action.combatants[0]).side
    effects.emit(own.ResourceChanged(rule=ML_MASK_1, side=side, resource="fp", now=left))
    effects.emit(own.MaskDeclared(rule=ML_MASK_4, combatants=action.combatants))
    for each in action.combatants:
        become_fleeting(effects, each)
    remainder = MaskRemainder(combatants=action.combatants)
    if not guard_window(resolution, "mask", action.combatants, remainder):
        complete(resolution, remainder)


def complete(resolution: Resolution, remainder: MaskRemainder) -> None:
    """Those who are there still and steady are masked, in the listed order.

    Where an enemy has come too close meanwhile, or was so unknown to their side, they are detected
    at once.
    """
    effects = resolution.effects
    for each in remainder.combatants:
        warrior = combatant_of(effects.rule, each)
        if warrior is None or is_masked(warrior):
            continue
        if becomes_masked(is_on_table=is_on_table(warrior), is_fleeing=is_fleeing(warrior)):
            effects.emit(own.ConditionGained(rule=ML_MASK_4, combatant=each, condition="masked"))
            detect_on_way(effects, each, (spot_of(warrior),), detects=False)
            engage(effects, each)


def require_unmask(view: State[BattleState], action: Unmask) -> None:
    """All preconditions of leaving masking.

    Raises what `require_acting` does, then Refused("not_masked").
    """
    warrior = require_acting(view.rule, action.combatant, "movement", "action")
    if not is_masked(warrior):
        raise Refused("not_masked", rule=ML_MASK_15, combatant=warrior.id)


def unmask(resolution: Resolution, action: Unmask) -> None:
    """A warrior leaves masking by its own will. Raises Refused."""
    require_unmask(resolution.view, action)
    lose_mask(resolution.effects, action.combatant, "voluntary", fleeting=True)
