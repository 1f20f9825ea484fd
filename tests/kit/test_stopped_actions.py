"""What waits for the table's dice stops as it would be refused, in versions that say so.

The game master changes random battles while players are asked for dice. An action that is refused
now says so with the code of that refusal; any other waits on, or happens.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.dice.dice import NeedFaces, SuppliedDice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import CombatantAction
from service.errors import Forbidden, Malformed, Refused
from tests.kit.random_battles import BY_PLAYER, ask, next_action
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated
from tests.replay.memory_audit import audit

EVENTS = 90
TELLING = [rig for rig in RIGS if rig.ruleset.tells_stops]

pytestmark = pytest.mark.parametrize("rig", TELLING, ids=repr)


def declared_in(table: Table) -> Any:
    """What a combatant does that waits for dice; None if nothing does."""
    pending = table.state.rule.pending
    declared = pending[-1].declared if pending else None
    if not declared:
        return None
    action: Any = msgspec.json.decode(declared.action, type=table.ruleset.action)
    return (action, declared.by) if isinstance(action, CombatantAction) else None


def refused_now(table: Table, action: Any, by: Any) -> str | None:
    """The code with which the rules would refuse an action that is stated now."""
    there = table.state
    rule = replace(there.rule, pending=tuple(g for g in there.rule.pending if not g.declared))
    state: State[Any] = State(rule, there.linear, there.terms)
    try:
        table.ruleset.decide(state, action, by, len(table.events) + 1, SuppliedDice((), 1))
    except NeedFaces:
        return None
    except (Refused, Forbidden) as refusal:
        return refusal.code
    return None


def overruled(rig: Rig, table: Table, dice: Random) -> str | None:
    """What becomes of a waiting action when the game master changes something: `stopped`, `waits`.

    None where the change is not possible, or brings dice of its own.
    """
    action, by = declared_in(table)
    ids = [each.id for each in table.state.rule.combatants]
    who = dice.choice([action.combatant, *ids])
    chosen: Mapping[str, Any] = {**dice.choice(rig.battles.blows), "combatant": who}
    if dice.random() < 0.5:
        chosen = rig.battles.change(dice, ids)
    try:
        event = table.ask({"type": "adjust", "changes": [chosen]})
    except (Refused, Malformed):
        return None
    stops = [each for each in event.effects if isinstance(each, fx.ActionStopped)]
    code = refused_now(table, action, by)
    if stops:
        assert [(each.combatant, each.code) for each in stops] == [(action.combatant, code)]
        return "stopped"
    assert code is None or not declared_in(table)
    return "waits"


def played(rig: Rig, number: int) -> set[str | None]:
    """What became of the actions of a battle that waited while something was changed."""
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=True), dice="supplied")
    dice, ends = Random(number), set()
    ask(table, {"type": "start_encounter"})
    while len(table.events) < EVENTS:
        if declared_in(table) and dice.random() < 0.6:
            ends.add(overruled(rig, table, dice))
            continue
        chosen = next_action(table, dice, BY_PLAYER)
        if chosen is None:
            break
        ask_for(table, *chosen)
    assert audit(table).clean
    return ends


def ask_for(table: Table, action: Mapping[str, Any], by: str) -> None:
    """Take an action; the dice that are asked for fall as they fall."""
    pending = table.state.rule.pending
    asked = pending[-1].decisions[0] if pending else None
    if by == "gm" or asked is None or asked.kind != "roll":
        ask(table, action, by) if by == "gm" else table.ask(action, by)
        return
    luck = Random(len(table.events))
    table.ask(action, by, tuple(luck.randint(1, asked.roll.sides) for _ in range(asked.roll.count)))


def test_what_waits_for_dice_stops_as_it_would_be_refused(rig: Rig) -> None:
    ends = {end for number in range(8) for end in played(rig, number)}
    assert ends >= {"stopped", "waits"}


@pytest.mark.soak
@pytest.mark.parametrize("number", range(8, 100))
def test_in_many_battles_it_does(rig: Rig, number: int) -> None:
    played(rig, number)
