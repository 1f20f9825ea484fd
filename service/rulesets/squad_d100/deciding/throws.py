"""Thrown grenades: allowed on what the asker knows, rolled, astray if they miss, and gone off."""

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.breakdown import total
from service.engine.vocabulary.values import Place, Roll
from service.errors import Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import ThrowGrenade
from service.rulesets.squad_d100.attack_effects import AttackResolved, Detail
from service.rulesets.squad_d100.deciding.blasts import Blast, go_off
from service.rulesets.squad_d100.deciding.explosions import set_off_within
from service.rulesets.squad_d100.deciding.hits import Means
from service.rulesets.squad_d100.deciding.magazines import attack_begins, use_phase
from service.rulesets.squad_d100.deciding.phases import (
    acting,
    begin_shooting,
    require_shooting_phase,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.ground import ground_of, line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.aim import throw_breakdown
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.grenades import (
    D8,
    SQ_GREN_2,
    SQ_GREN_3,
    require_in_throw,
    scatter_steps,
    scattered,
    throw_outcome,
)
from service.rulesets.squad_d100.rules.ground import (
    Ground,
    has_sight_line,
    is_inside,
    is_open_door,
    terrain_at,
)
from service.rulesets.squad_d100.rules.lines import SQ_LOS_3
from service.rulesets.squad_d100.rules.shots import D100, Outcome, outcome_rule
from service.rulesets.squad_d100.state import (
    BattleState,
    Combatant,
    current,
    grenade_named,
    is_kneeling,
)
from service.rulesets.squad_d100.weapons import Grenade


def throw_grenade(resolution: Resolution, action: ThrowGrenade) -> None:
    """The effects of a throw."""
    thrower, grenade = require_throw(resolution.view, action)
    cell = (action.cell.x, action.cell.y)
    effects = resolution.effects
    begin_shooting(effects, thrower.id)
    left = grenade.count - 1
    effects.emit(
        own.ResourceChanged(combatant=thrower.id, resource="grenades", item=grenade.id, now=left)
    )
    use_phase(effects, thrower.id)
    attack_begins(effects, thrower.id)
    ground = ground_of(effects.state)
    roll, landing = _throw(resolution, ground, action, cell)
    means = Means(
        grenade.ap_class,
        grenade.damage,
        attacker=thrower.id,
        item=grenade.id,
        is_burning=grenade.burning,
    )
    go_off(resolution, ground, Blast(landing, grenade.radius, means, roll.total))
    set_off_within(resolution, landing, grenade.radius)
    settle(effects)


def require_throw(view: State[BattleState], action: ThrowGrenade) -> tuple[Combatant, Grenade]:
    """All preconditions of a throw (2.3). Raises Refused with the code of the first that fails."""
    thrower = acting(view.rule, action.combatant)
    require_shooting_phase(view, thrower)
    grenade = grenade_named(thrower, action.grenade)
    if grenade is None or grenade.count == 0:
        allowed = [each.id for each in thrower.grenades if each.count]
        raise Refused("no_grenade", grenade=action.grenade, allowed=allowed)
    ground, cell = ground_of(view), (action.cell.x, action.cell.y)
    if not is_inside(ground, cell):
        width, height = ground.width, ground.height
        raise Refused("out_of_map", x=cell[0], y=cell[1], width=width, height=height)
    here = cell_of(thrower)
    away = distance(here, cell, view.rule.options.distance_metric)
    require_in_throw(away, thrower.strength)
    if not has_sight_line(ground, here, cell, line_options(view.rule.options)):
        raise Refused("no_throw_line", rule=SQ_LOS_3, x=cell[0], y=cell[1])
    if not is_open(ground, cell):
        raise Refused("cell_blocked", rule=SQ_GREN_2, x=cell[0], y=cell[1])
    return thrower, grenade


def is_open(ground: Ground, cell: Cell) -> bool:
    """Whether a grenade can come down in a cell: on the map, no wall and no closed door."""
    if not is_inside(ground, cell):
        return False
    terrain = terrain_at(ground, cell)
    return terrain != "wall" and (terrain != "door" or is_open_door(ground, cell))


def _throw(
    resolution: Resolution, ground: Ground, action: ThrowGrenade, cell: Cell
) -> tuple[Roll, Cell]:
    """The roll of a throw, and the cell where the grenade comes down."""
    effects = resolution.effects
    rule = effects.rule
    thrower = existing(rule, action.combatant)
    stream = stream_for(rule, thrower.id)
    roll = resolution.dice.roll(1, D100, "throw", stream=stream, combatant=thrower.id)
    breakdown = throw_breakdown(is_kneeling=is_kneeling(thrower), gm_modifier=action.added)
    pool, threshold = total(breakdown), current(thrower, "acc")
    outcome = throw_outcome(roll.total, pool, threshold, rule.options.crit_success_max)
    scatter: Roll | UnsetType = UNSET
    landing = cell
    if outcome in ("miss", "critical_failure"):
        scatter = resolution.dice.roll(1, D8, "scatter", stream=stream, combatant=thrower.id)
        landing = landing_of(ground, cell, roll.total, scatter.total)
    detail = Detail(
        attacker=thrower.id,
        item=action.grenade,
        mode="throw",
        rounds=0,
        distance=distance(cell_of(thrower), cell, rule.options.distance_metric),
        roll=roll,
        breakdown=breakdown,
        pool=pool,
        result=roll.total + pool,
        threshold=threshold,
        rules=_rules_of(outcome),
        scatter=scatter,
        landing=Place(x=landing[0], y=landing[1]),
    )
    place = Place(x=cell[0], y=cell[1])
    effects.emit(AttackResolved(place=place, outcome=outcome, detail=detail))
    return roll, landing


def landing_of(ground: Ground, cell: Cell, natural: int, direction: int) -> Cell:
    """Where a throw that missed comes down."""
    return scattered(cell, direction, scatter_steps(natural), lambda each: is_open(ground, each))


def _rules_of(outcome: Outcome) -> tuple[str, ...]:
    """What makes the threshold, what decided the roll, and where the grenade goes then."""
    astray = (SQ_GREN_3,) if outcome in ("miss", "critical_failure") else ()
    return (SQ_GREN_2, outcome_rule(outcome), *astray)
