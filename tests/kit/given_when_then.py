"""Play a battle of any ruleset in memory, asked for in the words of the HTTP interface.

given(RULESET, creation).when(action, dice=(1, 1)).then(effects)
given(RULESET, creation, *actions).when(action).refused("out_of_range", "CF-RANGE-2")

`creation` is the body of `POST /v1/encounters` without the ruleset's name; the battle is started.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from service.encounters.requests import convert
from service.engine.battle.linear import Seat
from service.engine.battle.permission import require_askable
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By, DiceMode, Side
from service.errors import Forbidden, Malformed, Refused, WarlogError
from tests.kit.table import GM, Table, seat_by, tree_of

Tree = Mapping[str, Any]
START: Tree = {"type": "start_encounter"}
REFUSALS = (Malformed, Forbidden, Refused)


class Creation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a creation states besides its ruleset."""

    dice: DiceMode = "sealed"
    sides: tuple[Side, ...]
    seats: tuple[Seat, ...] = ()
    setup: dict[str, object]


def opened(ruleset: Ruleset[Any], creation: Tree) -> Table:
    """A battle that is not started yet. Raises Malformed, Refused."""
    stated = convert(creation, Creation)
    setup = convert(stated.setup, ruleset.setup, "$.setup")
    return Table(ruleset, setup, sides=stated.sides, seats=stated.seats, dice=stated.dice)


def played(ruleset: Ruleset[Any], creation: Tree, *actions: Tree) -> Table:
    """A battle that runs, after these actions of the game master."""
    table = opened(ruleset, creation)
    for action in (START, *actions):
        act(table, action)
    return table


def act(table: Table, action: Tree, *, by: str = "gm", dice: tuple[int, ...] = ()) -> Event:
    """The event of an action by the game master (`gm`) or a seat.

    Raises Malformed, Forbidden, Refused.
    """
    asked: Action = convert(action, table.ruleset.action, "$.action")
    return table.act(asked, asker(by), dice)


def preview(table: Table, action: Tree, *, by: str = "gm") -> Any:
    """What the action would do, as JSON values. Raises Malformed, Forbidden, Refused."""
    asked: Action = convert(action, table.ruleset.action, "$.action")
    require_askable(table.state, asked, asker(by), len(table.sealed) + 1)
    return tree_of(table.ruleset.preview(table.state, asked, asker(by)))


def asker(name: str) -> By:
    """The game master, or the seat of that name."""
    return GM if name == "gm" else seat_by(name)


def rolled(sides: int, *faces: int, number: int = 1, seq: int | None = None) -> Tree:
    """A roll of public draws from `number` on, named by event `seq` if it is told again."""
    named = {} if seq is None else {"seq": seq}
    draws = [{"stream": 0, "number": number, **named}]
    return {"sides": sides, "faces": list(faces), "total": sum(faces), "draws": draws}


@dataclass(frozen=True)
class Refusal:
    """Why not: the code, the rule if one says so, and the facts."""

    code: str
    rule: str | None = None
    params: dict[str, Any] = field(default_factory=dict)


def refusal_of(error: WarlogError) -> Refusal:
    """What an error shows."""
    rule = error.rule if isinstance(error, Refused) else None
    return Refusal(error.code, rule, tree_of(error.params))


@dataclass(frozen=True)
class Asked:
    """What came of one action: its effects as JSON values, or the refusal."""

    outcome: list[dict[str, Any]] | Refusal

    def then(self, *effects: Tree) -> None:
        """Exactly these effects followed, in this order."""
        assert self.outcome == list(effects)

    def refused(self, code: str, rule: str | None = None, **params: object) -> None:
        """It was refused with exactly this."""
        assert self.outcome == Refusal(code, rule, dict(params))


@dataclass(frozen=True)
class Given:
    """A battle at some moment."""

    table: Table

    def foretold(self, action: Tree, *, by: str = "gm") -> Any:
        """The preview of an action as JSON values, or the refusal that it foretells."""
        try:
            return preview(self.table, action, by=by)
        except REFUSALS as error:
            return refusal_of(error)

    def when(self, action: Tree, *, by: str = "gm", dice: tuple[int, ...] = ()) -> Asked:
        """Ask for an action; a refused one must leave the battle and its log as they were."""
        before = _standing(self.table)
        try:
            event = act(self.table, action, by=by, dice=dice)
        except REFUSALS as error:
            assert _standing(self.table) == before, "a refused action left a trace"
            return Asked(refusal_of(error))
        assert len(event.draws) == len(dice), "dice were left over"
        return Asked(tree_of(event.effects))


def given(ruleset: Ruleset[Any], creation: Tree, *actions: Tree) -> Given:
    """A running battle after these actions of the game master."""
    return Given(played(ruleset, creation, *actions))


def _standing(table: Table) -> tuple[int, bytes, bytes]:
    state = table.state
    return len(table.sealed), canonical.encode(state.rule), canonical.encode(state.linear)
