"""Picking up weapons and ammunition."""

from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import LONGEST_ID
from service.engine.vocabulary.values import Place
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import PickUp
from service.rulesets.squad_d100.deciding.cover_duty import require_duty_done
from service.rulesets.squad_d100.deciding.phases import moving, spend_points
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.ground import terrain_at
from service.rulesets.squad_d100.rules.loot import MOST_ITEMS, SQ_LOOT_1, free_ids, require_loot
from service.rulesets.squad_d100.rules.movement import require_points
from service.rulesets.squad_d100.state import BattleState, Cache, Combatant, points_left
from service.rulesets.squad_d100.terrain import TerrainChange
from service.rulesets.squad_d100.weapons import rounds_of


def require_pick_up(view: State[BattleState], action: PickUp) -> int:
    """All preconditions of picking up; the price in movement points.

    Raises what `moving` does, then Refused("nothing_here"), ("not_enough_mp") or
    ("must_seek_cover").
    """
    rule = view.rule
    actor = moving(rule, action.combatant)
    cell = cell_of(actor)
    ground = ground_of(view)
    require_loot(cell, is_loot=terrain_at(ground, cell) == "weapons_ammo")
    require_points(points_left(actor), rule.options.pickup_cost, SQ_LOOT_1)
    require_duty_done(view, actor)
    return rule.options.pickup_cost


def pick_up(resolution: Resolution, action: PickUp) -> None:
    """The effects of picking up: full magazines, what lay there, and a floor."""
    price = require_pick_up(resolution.view, action)
    effects = resolution.effects
    spend_points(effects, action.combatant, price)
    actor = next(each for each in effects.rule.combatants if each.id == action.combatant)
    _fill(effects, actor)
    x, y = cell_of(actor)
    _take(effects, actor, x, y)
    change = TerrainChange(x=x, y=y, terrain="floor")
    effects.emit(
        own.TerrainChanged(
            rule=SQ_LOOT_1,
            changes=(change,),
            cause="picked_up",
            source=fx.Source(combatant=action.combatant),
        )
    )


def _fill(effects: BattleEffects, actor: Combatant) -> None:
    for weapon in actor.weapons:
        if rounds_of(weapon) != weapon.magazine:
            effects.emit(
                own.ResourceChanged(
                    rule=SQ_LOOT_1,
                    combatant=actor.id,
                    resource="rounds",
                    item=weapon.id,
                    now=weapon.magazine,
                )
            )


def _take(effects: BattleEffects, actor: Combatant, x: int, y: int) -> None:
    """What the game master has laid into the cell, as far as there is room for it."""
    cache = next(
        (each for each in effects.rule.caches if (each.x, each.y) == (x, y)), Cache(x=x, y=y)
    )
    weapons = cache.weapons[: MOST_ITEMS - len(actor.weapons)]
    grenades = cache.grenades[: MOST_ITEMS - len(actor.grenades)]
    if not (weapons or grenades):
        return
    wanted = [*(each.id for each in weapons), *(each.id for each in grenades)]
    carried = [*(each.id for each in actor.weapons), *(each.id for each in actor.grenades)]
    ids = free_ids(wanted, carried, LONGEST_ID)
    effects.emit(
        own.ItemsTaken(
            rule=SQ_LOOT_1,
            combatant=actor.id,
            place=Place(x=x, y=y),
            weapons=tuple(replace(each, id=new) for each, new in zip(weapons, ids, strict=False)),
            grenades=tuple(
                replace(each, id=new)
                for each, new in zip(grenades, ids[len(weapons) :], strict=True)
            ),
        )
    )
