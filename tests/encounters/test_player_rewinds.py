"""How far a player goes back: over its own drawless deeds, never over anybody else's."""

import msgspec
import pytest

from service.errors import Refused
from tests.encounters.table import Table, creation, shoot

STEP = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}


async def test_what_was_declared_for_the_tables_dice_is_not_withdrawn(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    rita = table.seat("rita")
    await rita.act(encounter, shoot("r1", "b1"))
    with pytest.raises(Refused) as refused:
        await rita.act(encounter, {"type": "rewind", "to": 2})
    assert (refused.value.code, refused.value.params) == (
        "rewind_not_allowed",
        {"to": 2, "earliest": 3},
    )


async def test_a_player_does_not_overturn_the_rewind_of_another(table: Table) -> None:
    encounter = await table.started()
    rita = table.seat("rita")
    await rita.act(encounter, STEP)
    await table.act(encounter, {"type": "rewind", "to": 2})
    with pytest.raises(Refused, match="rewind_not_allowed"):
        await rita.act(encounter, {"type": "rewind", "to": 3})
    assert (await rita.state(encounter))["combatants"][0]["place"] == {"x": 0, "y": 0}


async def test_a_player_does_not_bring_back_dice_that_were_undone(table: Table) -> None:
    encounter = await table.started()
    rita = table.seat("rita")
    await rita.act(encounter, shoot("r1", "b1"))
    await table.act(encounter, {"type": "rewind", "to": 2})
    with pytest.raises(Refused, match="rewind_not_allowed"):
        await rita.act(encounter, {"type": "rewind", "to": 3})


async def test_a_player_redoes_its_own_rewind(table: Table) -> None:
    encounter = await table.started()
    rita = table.seat("rita")
    await rita.act(encounter, STEP)
    await rita.act(encounter, {"type": "rewind", "to": 2})
    await rita.act(encounter, {"type": "rewind", "to": 3})
    assert (await rita.state(encounter))["combatants"][0]["place"] == {"x": 0, "y": 1}


async def test_a_question_asked_again_after_a_rewind_has_a_new_id(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    rita = table.seat("rita")
    asked = await rita.act(encounter, shoot("r1", "b1"))
    [old] = msgspec.json.decode(asked.answer.decisions)
    await table.act(encounter, {"type": "note", "text": "wait"})
    await table.act(encounter, {"type": "rewind", "to": 3})
    view = await rita.encounters.reads.view(rita.who, encounter, None)
    [new] = msgspec.json.decode(view.decisions)
    assert new == old | {"id": "d5.1"}
    answer = {"type": "answer", "decision_id": old["id"], "choice": {"type": "roll"}}
    with pytest.raises(Refused, match="decision_closed"):
        await rita.act(encounter, answer, dice=[1, 1, 1, 1, 1])
    await rita.act(encounter, answer | {"decision_id": new["id"]}, dice=[1, 1, 1, 1, 1])


async def test_a_player_is_told_how_far_it_goes_back_and_nobody_else_is(table: Table) -> None:
    encounter = await table.started()
    rita = table.seat("rita")

    async def undo(of: Table) -> dict[str, object]:
        view = await of.encounters.reads.view(of.who, encounter, None)
        told = msgspec.json.decode(view.table)
        return {name: told[name] for name in ("undo_to", "undo_bar") if name in told}

    assert await undo(rita) == {"undo_bar": "not_yours"}
    await rita.act(encounter, STEP)
    assert await undo(rita) == {"undo_to": 2, "undo_bar": "not_yours"}
    assert await undo(table) == {}
    await rita.act(encounter, shoot("r1", "b1"))
    assert await undo(rita) == {"undo_bar": "dice_or_reveal"}
