"""Dice that the table rolls: who brings them, and what becomes of an action that waits for them."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
import pytest

from service.encounters.requests import ActRequest
from service.errors import Forbidden, Refused
from tests.encounters.table import Table, creation, effects, end_turn, fighter, shoot


async def waiting(table: Table, *fighters: dict[str, object]) -> tuple[UUID, dict[str, object]]:
    """A battle where Rita has shot and is asked for five dice, and her answer."""
    encounter = await table.started(creation(*fighters, dice="supplied"))
    asked = await table.seat("rita").act(encounter, shoot("r1", "b1"))
    [decision] = msgspec.json.decode(asked.answer.decisions)
    return encounter, {
        "type": "answer",
        "decision_id": decision["id"],
        "choice": {"type": "roll"},
    }


def adjust(*changes: Mapping[str, object]) -> dict[str, object]:
    return {"type": "adjust", "changes": list(changes)}


async def test_an_action_that_can_no_longer_happen_is_void_and_nobody_waits(table: Table) -> None:
    encounter, answer = await waiting(table)
    acted = await table.act(encounter, adjust({"type": "hp", "combatant": "b1", "value": -100}))
    assert effects(acted.answer.events[0])[-2:] == ["decision_closed", "action_stopped"]
    assert (await table.state(encounter))["pending"] == []
    with pytest.raises(Refused, match="decision_closed"):
        await table.seat("rita").act(encounter, answer, dice=[1, 1, 1, 1, 1])
    await table.seat("rita").act(encounter, end_turn("r1"))


async def test_an_action_that_needs_other_dice_now_asks_for_those(table: Table) -> None:
    encounter, _ = await waiting(table)
    change = {"type": "condition", "combatant": "b1", "condition": "prone"}
    acted = await table.act(encounter, adjust(change))
    [decision] = msgspec.json.decode(acted.answer.decisions)
    assert (decision["id"], decision["roll"]["count"]) == ("d4.1", 4)
    answer = {"type": "answer", "decision_id": "d4.1", "choice": {"type": "roll"}}
    done = await table.seat("rita").act(encounter, answer, dice=[1, 1, 1, 1])
    assert "attack_resolved" in effects(done.answer.events[0])


async def test_an_action_that_needs_the_same_dice_goes_on_waiting(table: Table) -> None:
    encounter, answer = await waiting(table)
    acted = await table.act(encounter, adjust({"type": "hp", "combatant": "b1", "value": 30}))
    assert effects(acted.answer.events[0]) == ["adjusted", "hurt"]
    done = await table.seat("rita").act(encounter, answer, dice=[1, 1, 1, 1, 1])
    assert "attack_resolved" in effects(done.answer.events[0])


async def test_the_gm_answers_for_a_player_who_does_not(table: Table) -> None:
    encounter, answer = await waiting(table)
    with pytest.raises(Forbidden, match="not_your_decision"):
        await table.seat("bob").act(encounter, answer, dice=[1, 1, 1, 1, 1])
    done = await table.act(encounter, answer, dice=[1, 1, 1, 1, 1])
    body = msgspec.json.decode(done.answer.events[0].event)
    assert (body["by"]["role"], body["action"]) == ("gm", answer)


async def test_a_forced_pass_of_a_roll_leaves_everything_as_it_was(table: Table) -> None:
    encounter, answer = await waiting(table)
    before = await table.state(encounter, 2)
    forced = {"type": "force_pass", "decision_id": answer["decision_id"]}
    with pytest.raises(Forbidden, match="gm_only"):
        await table.seat("rita").act(encounter, forced)
    await table.act(encounter, forced)
    assert await table.state(encounter) == before


async def test_only_the_gm_brings_faces_with_an_action(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    with pytest.raises(Refused, match="faces_not_taken"):
        await table.seat("rita").act(encounter, shoot("r1", "b1"), dice=[1, 1, 1, 1, 1])
    plain = msgspec.structs.replace(table.who, scopes=frozenset({"play", "read"}))
    request = ActRequest.read({"action": shoot("r1", "b1"), "dice": [1, 1, 1, 1, 1]}, 32)
    with pytest.raises(Forbidden, match="scope_missing"):
        await table.encounters.write_path.act(plain, encounter, request, "k", None)


async def test_who_may_not_act_is_told_so_before_anything_about_dice_or_seqs(table: Table) -> None:
    encounter = await table.started()
    for action in ({"type": "end_encounter"}, {"type": "set_terrain", "cells": [{"x": 0, "y": 0}]}):
        with pytest.raises(Forbidden, match="gm_only"):
            await table.seat("rita").act(encounter, action, dice=[6])
    with pytest.raises(Forbidden, match="observer_cannot_act"):
        await table.seat("olaf").act(encounter, {"type": "rewind", "to": 99})


async def test_a_reckless_players_dice_end_up_as_draws_and_nowhere_else(table: Table) -> None:
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0))
    encounter, answer = await waiting(table, *people)
    done = await table.seat("rita").act(encounter, answer, dice=[6, 6, 6, 1, 1])
    second = msgspec.json.decode(done.answer.decisions)[0]
    damage = await table.seat("rita").act(
        encounter, answer | {"decision_id": second["id"]}, dice=[5] * second["roll"]["count"]
    )
    bodies = [msgspec.json.decode(each.answer.events[0].event) for each in (done, damage)]
    faces = [[draw["face"] for draw in body["draws"]] for body in bodies]
    assert faces == [[6, 6, 6, 1, 1], [5] * second["roll"]["count"]]
    assert all(set(body["action"]) == {"type", "decision_id", "choice"} for body in bodies)
