"""What every movement ends with, be it a move, a charge, a push or a flight.

How this works. Whoever ends beside somebody hidden has met him, and both are known from then on, so
that nobody is engaged with an enemy of whom he cannot know. Then comes automatic detection along
the way, then the lasting templates entered or left; whoever is engaged now leaves guard and
masking.
"""

from collections.abc import Sequence

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.deciding import lasting
from service.rulesets.melody_d6.deciding.detection import detect_on_way, rallied
from service.rulesets.melody_d6.deciding.discovery import reveal
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import is_known_to, opponents
from service.rulesets.melody_d6.rules.masking import is_mask_lost_at, is_masking_place
from service.rulesets.melody_d6.rules.movement import Base
from service.rulesets.melody_d6.state import BattleState, is_masked, is_on_table


def after_movement(
    resolution: Resolution,
    combatant: str,
    way: Sequence[Spot],
    *,
    met: Sequence[str] = (),
) -> None:
    """The end of a warrior's movement, told already, where it now stands.

    `way` are its points, the first one where it stood before; `met` are those who were in the way.
    A warrior in flight detects nobody.
    """
    effects = resolution.effects
    if not is_on_table(existing(effects.rule, combatant)):
        return
    _meet(effects, combatant, met)
    detect_on_way(effects, combatant, way)
    lasting.moved(resolution, combatant)
    engage(effects, combatant)


def is_mask_lost_there(battle: State[BattleState], combatant: str, end: Spot) -> bool:
    """Whether a masked warrior that ends a move or push at this point loses its masking."""
    warrior = existing(battle.rule, combatant)
    if not is_masked(warrior):
        return False
    options = battle.rule.options
    is_place = is_masking_place(
        Base(end, warrior.base_radius),
        ground_of(battle).obstacles,
        options.mask_near,
        options.measure,
    )
    return is_mask_lost_at(is_place=is_place, leaving_cover=options.mask_leaving_cover)


def engage(effects: BattleEffects, combatant: str) -> None:
    """A warrior and those with whom it is engaged leave guard and masking, in upload order.

    Not by somebody of whom its side does not know, whom the game master has put beside it.
    """
    warrior = existing(effects.rule, combatant)
    against = [
        each
        for each in opponents(effects.rule, warrior)
        if is_known_to(each, warrior.side) and is_known_to(warrior, each.side)
    ]
    if not against:
        return
    for each in sorted((warrior, *against), key=lambda each: each.number):
        leave_guard(effects, each.id, "engaged")
        lose_mask(effects, each.id, "engaged")


def _meet(effects: BattleEffects, combatant: str, met: Sequence[str]) -> None:
    """Those who were in the way or stand in contact and were hidden become known, and it with them.

    They detect from then on.
    """
    rule = effects.rule
    warrior = existing(rule, combatant)
    against = [each.id for each in opponents(rule, warrior)]
    unseen = [each for each in dict.fromkeys((*met, *against)) if existing(rule, each).hidden]
    if warrior.hidden and (unseen or against):
        unseen.append(combatant)
    for each in unseen:
        reveal(effects, each, "contact")
    for each in unseen:
        rallied(effects, each)
