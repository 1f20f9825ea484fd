"""What the golden battles of all rulebooks share: who plays, and what the table rolls."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from service.engine.battle.linear import Seat
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Answer
from service.engine.vocabulary.choices import RollChoice
from service.engine.vocabulary.values import By, DiceMode, Side
from service.errors import Refused
from tests.kit.table import Table, samples, seat_by

Tree = Mapping[str, Any]

RED: Final = seat_by("rosa")
BLUE: Final = seat_by("boris")
SEAT_OF: Final = {"red": RED, "blue": BLUE}


def staged(
    ruleset: Ruleset[Any],
    setup: Struct,
    title: str,
    number: int,
    dice: DiceMode = "sealed",
    named: tuple[str, str] = ("The Reds", "The Blues"),
) -> Table:
    """A battle at seq 1 whose id ends with `number`: Rosa is red, Boris is blue, Olga looks on."""
    red, blue = named
    return Table(
        ruleset,
        setup,
        sides=(Side(id="red", name=red), Side(id="blue", name=blue)),
        seats=(
            Seat(id="rosa", role="player", sides=("red",), name="Rosa"),
            Seat(id="boris", role="player", sides=("blue",)),
            Seat(id="olga", role="observer"),
        ),
        dice=dice,
        title=title,
        encounter=f"01939f5e-7c00-7abc-8def-{number:012x}",
    )


def is_legal(table: Table, tree: Tree, by: By) -> bool:
    """Whether a player may do this, on what it knows."""
    try:
        table.ruleset.preview(table.state, table.read(tree), by)
    except Refused:
        return False
    return True


def offered(table: Table, combatant: str, count: int) -> list[Tree]:
    """Things that a combatant may do or answer, as its player is shown."""
    by = seat_of(table, combatant)
    return list(samples(table.ruleset, table.state, combatant, by, count))


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
