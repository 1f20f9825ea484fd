"""Forks of battles with the table's dice: an attack waits for more dice when they are taken up."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.engine.battle.actors import Actor
from service.engine.battle.linear import Seat
from service.engine.vocabulary.actions import Answer
from service.engine.vocabulary.choices import RollChoice
from tests.kit.table import GM, Table
from tests.replay.staging import SEAT_OF
from tests.rulesets.crossfire_d6 import golden as crossfire
from tests.rulesets.melody_d6 import golden as melody
from tests.rulesets.seeker_d100 import golden as seeker
from tests.rulesets.squad_d100 import golden as squad
from tests.rulesets.tactical_d20 import golden as tactical

SEATS: Final = (
    Seat(id="rosa", role="player", sides=("red",)),
    Seat(id="boris", role="player", sides=("blue",)),
)


def forked(
    parent: Table,
    play_turn: Callable[[Table], None],
    action: Callable[..., Any],
    is_place: Callable[[Table, int], bool] | None = None,
) -> Table:
    """A battle that continues with dice of the service where an attack has its first faces.

    The attack has those and draws the rest; then a turn is played. `is_place` finds another event
    to go on from, at which dice are asked for.
    """
    found = is_place or _has_faces
    seq = next(seq for seq in parent.rules if found(parent, seq))
    fork = Table.continuing(parent, seq, seats=SEATS, dice="sealed")
    fork.act(action(type="start_encounter"))
    decision = fork.state.rule.pending[-1].decisions[0]
    fork.act(Answer(decision_id=decision.id, choice=RollChoice()), GM)
    while not any(event.draws for event in fork.events[3:]):
        play_turn(fork)
    fork.act(action(type="end_encounter", reveal="now"))
    return fork


def _has_faces(table: Table, seq: int) -> bool:
    """Whether an action waits there for more dice than it has."""
    pending = table.rules[seq].pending
    return bool(pending and pending[-1].declared and pending[-1].declared.faces)


def _has_standing_roll(table: Table, seq: int) -> bool:
    """Whether dice are asked for while a roll stands that answers attacks."""
    rule: Any = table.rules[seq]
    return bool(rule.pending) and any(each.standing_roll for each in rule.combatants)


def _activation(table: Table) -> None:
    """The rest of the activation that is open, then turns."""
    unit = table.state.rule.turn_unit
    if not unit:
        melody.play_turn(table)
        return
    by = SEAT_OF[table.state.rule.turn_side]
    for name in melody.members(table, unit):
        deed = melody.liked(table, Actor(combatant=name), by, melody.LIKES[name])
        if deed is not None:
            melody.take(table, deed, by)
    if table.state.rule.turn_unit == unit:
        melody.take(table, {"type": "end_activation", "unit": unit}, by)


FORKS: Final[Mapping[str, Callable[[], Table]]] = {
    "crossfire": lambda: forked(crossfire.supplied_battle(), crossfire.play_turn, crossfire.action),
    "melody": lambda: forked(melody.supplied(), _activation, melody.action),
    "seeker": lambda: forked(seeker.supplied(), seeker.play_turn, seeker.action),
    "standing": lambda: forked(
        seeker.supplied(), seeker.play_turn, seeker.action, _has_standing_roll
    ),
    "squad": lambda: forked(squad.supplied(), squad.play_turn, squad.action),
    "tactical": lambda: forked(tactical.supplied(), tactical.play_turn, tactical.action),
}
"""The forks by the word in the names of their bundles."""
