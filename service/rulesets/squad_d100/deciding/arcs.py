"""Where a suppressed combatant cannot shoot (SQ-SUP-4, SQ-SUP-6)."""

from service.engine.battle.roster import combatant_of
from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.suppression import is_anyone_barring
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down


def is_arc_barred(
    rule: BattleState,
    shooter: Combatant,
    target: Combatant | None,
    cell: Cell,
    *,
    due_only: bool,
) -> bool:
    """Whether a suppression bars a shot at a target (None: an object) in `cell`.

    In the own turn those count that are due; a reaction shot is barred by all (`due_only` False),
    unless the table allows it. Suppressors whom `rule` does not know of bar nothing there.
    """
    if not shooter.suppressions:
        return False
    options = rule.options
    if not due_only and options.suppressed_reaction == "allowed":
        return False
    suppressors: list[tuple[str, Cell]] = []
    for suppression in shooter.suppressions:
        by = combatant_of(rule, suppression.by) if isinstance(suppression.by, str) else None
        is_counted = suppression.due or not due_only
        if is_counted and by is not None and not is_down(by):
            suppressors.append((by.id, cell_of(by)))
    target_id = None if target is None else target.id
    return is_anyone_barring(
        cell_of(shooter), (target_id, cell), suppressors, options.suppression_arc
    )
