"""Area effects: whom they reach, saves in the order of entry, one damage roll for all.

How this works. Everybody in the area who is not dead saves, friends and whoever used it included;
then the damage is rolled, even if nobody is there, so that it does not tell of hidden creatures. A
hidden creature that suffers stays hidden. Where only hidden walls keep the effect from somebody
whom everyone knows, these walls become known; cover is that which everybody knows (default, not in
the seed).
"""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.state import State, scope_of
from service.engine.dice.dice import Dice
from service.engine.geometry.corner_lines import features_on
from service.engine.geometry.features import Feature
from service.engine.geometry.open_lines import open_line_from
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space
from service.engine.kit.streams import stream_for
from service.engine.visibility.scope import narrow
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import total
from service.engine.vocabulary.rolls import discounted, told_again
from service.engine.vocabulary.values import Place, Roll
from service.errors import Refused
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.actions import AreaAttack
from service.rulesets.tactical_d20.creatures import cover_override_of, lines_of, space_of
from service.rulesets.tactical_d20.deciding.attack_resolution import reveal_attacker
from service.rulesets.tactical_d20.deciding.damage import roll_harm, wound
from service.rulesets.tactical_d20.deciding.discovery import lay_open
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import acting, require_standard, settle, spend
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.ground import ground_of, hidden_changes, public_ground
from service.rulesets.tactical_d20.rules.areas import (
    cover_from,
    damage_after_save,
    is_in_area,
    is_saved,
    reflex_lines,
)
from service.rulesets.tactical_d20.rules.defaults import D20
from service.rulesets.tactical_d20.rules.ground import Ground
from service.rulesets.tactical_d20.rules.movement import off_edge
from service.rulesets.tactical_d20.state import BattleState, Combatant, area_named, is_dead
from service.rulesets.tactical_d20.weapons import DamageDice


class Burst(NamedTuple):
    """An area effect about to be used: where, how far, how hard, and by whom.

    `item` is its id on the sheet; absent where the game master states it.
    """

    attacker: str
    item: str | UnsetType
    origin: Cell
    radius_ft: int
    dc: int
    damage: DamageDice
    spread: bool


def area_attack(resolution: Resolution, action: AreaAttack) -> None:
    """The effects of an area effect."""
    burst = require_area(resolution.view, action)
    effects = resolution.effects
    spend(effects, action.combatant, "standard")
    reveal_attacker(effects, action.combatant)
    _meet_walls(effects, burst)
    ground = public_ground(effects.state)
    victims = tuple(
        _saved(effects.rule, ground, burst, creature, resolution.dice)
        for creature in reached(effects.rule, ground_of(effects.state), burst)
    )
    effects.emit(_resolved(burst, victims))
    _do_damage(resolution, burst, victims)
    settle(effects)


def require_area(view: State[BattleState], action: AreaAttack) -> Burst:
    """All preconditions of an area effect on what the asker may know (`view`).

    Raises Refused with the code of the first check that fails.
    """
    attacker = acting(view.rule, action.combatant)
    require_standard(attacker)
    burst = _burst(attacker, action)
    _require_on_map(burst.origin, ground_of(view).bounds)
    return burst


def _require_on_map(vertex: Cell, bounds: Bounds | None) -> None:
    """The vertex is a corner of a cell of the map. Raises Refused("off_map")."""
    x, y = vertex
    around = (Space(x - 1, y - 1), Space(x, y - 1), Space(x - 1, y), Space(x, y))
    edges = [off_edge(cell, bounds) for cell in around]
    edge = edges[0]
    if edge is not None and None not in edges:
        raise Refused("off_map", x=x, y=y, bounds=list(edge))


def _burst(attacker: Combatant, action: AreaAttack) -> Burst:
    """What the action states, or the sheet. Raises Refused("unknown_area")."""
    origin = (action.origin.x, action.origin.y)
    if action.radius_ft is not UNSET and action.dc is not UNSET and action.damage is not UNSET:
        spread = action.spread is not UNSET and action.spread
        return Burst(attacker.id, UNSET, origin, action.radius_ft, action.dc, action.damage, spread)
    area = None if action.area is UNSET else area_named(attacker, action.area)
    if area is None:
        allowed = [each.id for each in attacker.areas]
        raise Refused("unknown_area", area=action.area, allowed=allowed)
    return Burst(attacker.id, area.id, origin, area.radius_ft, area.dc, area.damage, area.spread)


def reached(rule: BattleState, ground: Ground, burst: Burst) -> tuple[Combatant, ...]:
    """Everybody in the area who is not dead, on this ground, in the order of entry."""
    return tuple(
        creature
        for creature in rule.combatants
        if not is_dead(creature) and _is_in(rule, ground, burst, space_of(creature))
    )


def _is_in(rule: BattleState, ground: Ground, burst: Burst, space: Space) -> bool:
    return is_in_area(
        ground,
        burst.origin,
        space,
        burst.radius_ft,
        rule.options.diagonal_rule,
        spread=burst.spread,
    )


def _meet_walls(effects: BattleEffects, burst: Burst) -> None:
    """Hidden walls that keep the effect from somebody whom all may know become known."""
    rule = effects.rule
    if not rule.secrets:
        return
    seeming, real = public_ground(effects.state), ground_of(effects.state)
    spared = {creature.id for creature in reached(rule, seeming, burst)}
    spared -= {creature.id for creature in reached(rule, real, burst)}
    met: set[Feature] = set()
    for creature in rule.combatants:
        if creature.id in spared and not creature.hidden:
            space = space_of(creature)
            line = open_line_from(seeming.walls, burst.origin, space)
            if line is not None:
                met.update(features_on(real.walls, *line, None, space, along=False))
    lay_open(effects, hidden_changes(rule, tuple(sorted(met))))


def _saved(
    rule: BattleState, ground: Ground, burst: Burst, creature: Combatant, dice: Dice
) -> own.Victim:
    """The save of one creature behind the cover of the ground that everyone knows.

    Its die is for those who may know of it and of the attacker.
    """
    cover = cover_from(
        ground,
        burst.origin,
        space_of(creature),
        height_ft=creature.height_ft,
        options=lines_of(rule),
        override=cover_override_of(creature, burst.attacker),
    )
    lines = reflex_lines(cover, spread=burst.spread)
    stream = stream_for(rule, burst.attacker, creature.id)
    roll = dice.roll(1, D20, "reflex", stream=stream, combatant=creature.id)
    result = roll.total + creature.reflex + total(lines)
    return own.Victim(
        target=creature.id,
        outcome="success" if is_saved(result, burst.dc) else "failure",
        roll=roll,
        base=creature.reflex,
        breakdown=lines,
        result=result,
        cover=cover,
    )


def _resolved(burst: Burst, victims: tuple[own.Victim, ...]) -> own.AreaResolved:
    x, y = burst.origin
    return own.AreaResolved(
        area=fx.Shape(kind="blast", origin=Place(x=x, y=y), radius=burst.radius_ft),
        outcome="carried_out",
        victims=victims,
        detail=own.AreaDetail(
            attacker=burst.attacker, item=burst.item, needed=burst.dc, spread=burst.spread
        ),
    )


def _do_damage(resolution: Resolution, burst: Burst, victims: tuple[own.Victim, ...]) -> None:
    """One roll for all, then what it does to each, in the order of entry."""
    effects = resolution.effects
    stream = stream_for(effects.rule, burst.attacker)
    harm = roll_harm(burst.damage, "hit", burst.attacker, stream, resolution.dice)
    if harm.roll is not UNSET:
        harm = harm._replace(roll=_emit_roll(resolution, burst, harm.roll, victims))
    for victim in victims:
        saved = victim.outcome == "success"
        half = damage_after_save(harm.amount, is_saved=True) if saved else None
        wound(effects, victim.target, harm._replace(half=half), burst.attacker, burst.item)


def _emit_roll(
    resolution: Resolution, burst: Burst, roll: Roll, victims: tuple[own.Victim, ...]
) -> Roll:
    """Emit the damage roll; its form for repetition in each wound.

    To those who may know of none of the victims it concerned nobody.
    """
    effects = resolution.effects
    scope = scope_of(effects.rule)
    audience = scope.subject(burst.attacker)
    known = [each for each in victims if narrow(audience, scope.subject(each.target)) == audience]
    shown = roll if known else discounted(roll, "nobody_affected")
    effects.emit(fx.Rolled(purpose="damage", combatant=burst.attacker, roll=shown))
    return told_again(roll, resolution.seq)
