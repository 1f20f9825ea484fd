"""What the golden battles of all rulebooks share: who plays, and what the table rolls."""

from hashlib import sha256
from typing import Final

from service.engine.vocabulary.actions import Answer
from service.engine.vocabulary.choices import RollChoice
from service.engine.vocabulary.values import By
from tests.kit.table import Table, seat_by

RED: Final = seat_by("rosa")
BLUE: Final = seat_by("boris")
SEAT_OF: Final = {"red": RED, "blue": BLUE}


def seat_of(table: Table, name: str) -> By:
    """The player who acts for a combatant."""
    [fighter] = [combatant for combatant in table.state.rule.combatants if combatant.id == name]
    return SEAT_OF[fighter.side]


def faces(table: Table, count: int, sides: int) -> tuple[int, ...]:
    """What the table rolls: the same every time this script runs."""
    seed = sha256(f"{len(table.sealed)}/{count}/{sides}".encode()).digest()
    return tuple(seed[index % 32] % sides + 1 for index in range(count))


def roll_for(table: Table, by: By) -> bool:
    """Bring the dice that are asked for; whether any were."""
    pending = table.state.rule.pending
    decision = pending[-1].decisions[0] if pending else None
    if decision is None or decision.kind != "roll":
        return False
    roll = decision.roll
    answer = Answer(decision_id=decision.id, choice=RollChoice())
    table.act(answer, by, faces(table, roll.count, roll.sides))
    return True
