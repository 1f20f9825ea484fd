"""What a suppressed combatant must do before its movement phase may end (SQ-SUP-5).

How this works. The way to the nearest cover is judged on what the combatant's side may know, and
only of one that has a suppression which is due. One search outward from all cover of the map gives
the prices of every cell that is asked about.
"""

from collections.abc import Iterable, Mapping
from functools import partial

from service.engine.geometry.points import Cell
from service.engine.geometry.price_field import price_at
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of, cells_held
from service.rulesets.squad_d100.rules.duty import CoverField, require_no_further_step
from service.rulesets.squad_d100.rules.ground import cover_prices, is_inside, is_passable
from service.rulesets.squad_d100.rules.movement import Footing, may_step, neighbours
from service.rulesets.squad_d100.rules.poses import standing_price
from service.rulesets.squad_d100.state import BattleState, Combatant, is_kneeling, points_left

Blobs = Mapping[str, object]


def footing_of(rule: BattleState, blobs: Blobs, mover: Combatant) -> Footing:
    """Where the steps of a combatant may lead, as far as its side may know."""
    ground, held = ground_of(rule, blobs), cells_held(rule, mover)
    return Footing(
        width=ground.width,
        height=ground.height,
        is_passable=lambda cell: is_passable(ground, cell),
        is_occupied=held.__contains__,
        corner_rule=rule.options.corner_rule,
    )


def cover_field(
    rule: BattleState, blobs: Blobs, actor: Combatant, wanted: Iterable[Cell]
) -> CoverField | None:
    """The price of the nearest cover from these cells; what was found is kept for the next check.

    None where there is no duty. Of no cell off the map it may be asked.
    """
    if not any(each.due for each in actor.suppressions):
        return None
    ground, held = ground_of(rule, blobs), cells_held(rule, actor)
    sought = frozenset(each for each in wanted if is_inside(ground, each))
    corner_rule, covers = rule.options.corner_rule, rule.lookups.covers
    key, inputs = (actor.side, len(sought)), (ground, held, corner_rule, sought)
    prices = covers.find(key, inputs)
    if prices is None:
        found = cover_prices(ground, held, corner_rule, sought)
        prices = covers.keep(key, inputs, found)
    return partial(price_at, prices)


def require_duty_done(rule: BattleState, blobs: Blobs, actor: Combatant) -> None:
    """The combatant need not, or cannot, go on towards cover. Raises Refused("must_seek_cover")."""
    here = cell_of(actor)
    around = tuple(neighbours(here))
    field = cover_field(rule, blobs, actor, (here, *around))
    if field is None:
        return
    footing = footing_of(rule, blobs, actor)
    steps = (there for there in around if may_step(footing, here, there))
    must_stand = is_kneeling(actor) and rule.options.kneel_move == "forbid"
    price = standing_price() if must_stand else 0
    require_no_further_step(field, here, steps, points_left(actor), price)
