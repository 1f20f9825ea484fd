"""The ground of a battle: its map with what changed since, as the rules look at it.

The rows that changed are made anew, once for each state of the terrain; all others are those of
the map.
"""

from msgspec import UNSET

from service.engine.battle.state import State
from service.rulesets.squad_d100.maps import MapBlob
from service.rulesets.squad_d100.rules.ground import OPEN_DOOR, Ground
from service.rulesets.squad_d100.rules.lines import LineOptions
from service.rulesets.squad_d100.rules.terrain import KINDS
from service.rulesets.squad_d100.state import BattleState, Options
from service.rulesets.squad_d100.terrain import ChangedRow


def ground_of(battle: State[BattleState]) -> Ground:
    """The ground of this state; one without rows where no map is laid."""
    rule = battle.rule
    if rule.map is UNSET:
        return Ground(rows=())
    grounds, inputs = rule.lookups.grounds, (rule.terrain,)
    ground = grounds.find(rule.map, inputs)
    if ground is not None:
        return ground
    rows = changed_rows(battle.terms.find(rule.map, MapBlob).rows, rule.terrain)
    return grounds.keep(rule.map, inputs, Ground(rows=rows))


def line_options(options: Options) -> LineOptions:
    """What this table has chosen about lines."""
    return LineOptions(
        corner_rule=options.corner_rule,
        x_blocks_sight=options.x_blocks_sight,
        sight_range=None if options.sight_range is UNSET else options.sight_range,
        distance_metric=options.distance_metric,
    )


def changed_rows(rows: tuple[str, ...], changes: tuple[ChangedRow, ...]) -> tuple[str, ...]:
    """The rows of a map with these cells changed."""
    laid = list(rows)
    for change in changes:
        row = list(rows[change.y])
        for cell in change.cells:
            is_open = cell.terrain == "door" and cell.open
            row[cell.x] = OPEN_DOOR if is_open else KINDS[cell.terrain].glyph
        laid[change.y] = "".join(row)
    return tuple(laid)
