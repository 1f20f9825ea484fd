"""What a suppressed combatant must do before its movement phase may end (SQ-SUP-5).

How this works. The way to the nearest cover is judged on what the combatant's side may know, and
only of one that has a suppression which is due. One search outward from all cover of the map gives
the prices of every cell that is asked about. It is kept, and answers whatever is asked later of
some of these cells; so what asks of many should ask first.
"""

from collections.abc import Iterable
from functools import partial

from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.geometry.price_field import price_at
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of, cells_held
from service.rulesets.squad_d100.readings import Readings
from service.rulesets.squad_d100.rules.duty import (
    CoverField,
    price_of_leaving,
    require_no_further_step,
)
from service.rulesets.squad_d100.rules.ground import cover_prices, is_inside, is_passable
from service.rulesets.squad_d100.rules.movement import (
    Footing,
    may_step,
    neighbours,
    step_price,
)
from service.rulesets.squad_d100.rules.poses import standing_price
from service.rulesets.squad_d100.state import (
    BattleState,
    Combatant,
    CoverSearch,
    is_kneeling,
    points_left,
)


def footing_of(battle: State[BattleState], mover: Combatant) -> Footing:
    """Where the steps of a combatant may lead, as far as its side may know."""
    ground, held = ground_of(battle), cells_held(battle.rule, mover)
    return Footing(
        width=ground.width,
        height=ground.height,
        is_passable=lambda cell: is_passable(ground, cell),
        is_occupied=held.__contains__,
        corner_rule=battle.rule.options.corner_rule,
    )


def has_duty(actor: Combatant) -> bool:
    """Whether a combatant has a suppression that is due: only then it may have to seek cover."""
    return any(each.due for each in actor.suppressions)


def cover_field(
    battle: State[BattleState], actor: Combatant, wanted: Iterable[Cell]
) -> CoverField | None:
    """The prices of `ways_to_cover`; None where there is no duty."""
    return ways_to_cover(battle, actor, wanted) if has_duty(actor) else None


def ways_to_cover(
    battle: State[BattleState], actor: Combatant, wanted: Iterable[Cell]
) -> CoverField:
    """The price of the nearest cover from these cells; what was found is kept for the next check.

    Of no cell off the map it may be asked. Impassable cells have no way to cover, but that in which
    the combatant stands, if the version reads it so.
    """
    rule = battle.rule
    here, ground, held = cell_of(actor), ground_of(battle), cells_held(rule, actor)
    is_wall_left = battle.terms.read_as(Readings).is_wall_left
    is_in_wall = is_wall_left and not is_passable(ground, here)
    asked = (*wanted, *neighbours(here)) if is_in_wall else wanted
    sought = frozenset(each for each in asked if is_inside(ground, each))
    corner_rule, covers = rule.options.corner_rule, rule.lookups.covers
    inputs = (ground, held, corner_rule)
    search = covers.find(actor.side, inputs)
    if search is None or not sought <= search.sought:
        prices = cover_prices(ground, held, corner_rule, sought)
        search = covers.keep(actor.side, inputs, CoverSearch(sought, prices))
    field: CoverField = partial(price_at, search.prices)
    if not is_in_wall:
        return field
    price = price_of_leaving(field, footing_of(battle, actor), here)
    return lambda cell: price if cell == here else field(cell)


def require_duty_done(battle: State[BattleState], actor: Combatant) -> None:
    """The combatant need not, or cannot, go on towards cover. Raises Refused("must_seek_cover")."""
    if not has_duty(actor):
        return
    here, footing = cell_of(actor), footing_of(battle, actor)
    must_stand = is_kneeling(actor) and battle.rule.options.kneel_move == "forbid"
    price, left = standing_price() if must_stand else 0, points_left(actor)
    steps = [
        there
        for there in neighbours(here)
        if price + step_price(here, there) <= left and may_step(footing, here, there)
    ]
    if steps:
        field = cover_field(battle, actor, (here, *steps))
        require_no_further_step(field, here, steps, left, price)
