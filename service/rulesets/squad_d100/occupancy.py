"""Who stands where: as the battle is, and as a side may know it.

Whoever is down occupies no cell (SQ-WOUND-6), and who has no place yet none either.
"""

from msgspec import UNSET

from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down


def cell_of(combatant: Combatant) -> Cell:
    """The cell of a combatant. Raises ValueError for one that stands nowhere."""
    if combatant.place is UNSET:
        raise ValueError(f"{combatant.id} stands nowhere")
    return (combatant.place.x, combatant.place.y)


def is_known_to(combatant: Combatant, side: str) -> bool:
    """Whether a side knows of a combatant."""
    return not combatant.hidden or combatant.side == side


def is_enemy(one: Combatant, other: Combatant) -> bool:
    """Whether two are of different sides, neither of them `neutral`."""
    return one.side != other.side and "neutral" not in (one.side, other.side)


def occupant(rule: BattleState, cell: Cell) -> Combatant | None:
    """Whoever occupies a cell."""
    for each in rule.combatants:
        if each.place is not UNSET and (each.place.x, each.place.y) == cell and not is_down(each):
            return each
    return None


def cells_held(rule: BattleState, mover: Combatant) -> frozenset[Cell]:
    """The cells that others occupy, as far as the mover's side knows of them."""
    return frozenset(
        (each.place.x, each.place.y)
        for each in rule.combatants
        if each.place is not UNSET
        and each.id != mover.id
        and not is_down(each)
        and is_known_to(each, mover.side)
    )
