"""What reaches those who may not know it: numbers, unseen people, what they are asked."""

from uuid import UUID

import msgspec

from tests.encounters.table import Table, creation, fighter, shoot

HIDDEN_NUMBERS = {"options": {"initiative": "fixed", "enemy_numbers": "hidden"}}
SEATS = [
    {"id": "rita", "role": "player", "sides": ["red"]},
    {"id": "bob", "role": "player", "sides": ["blue"]},
    {"id": "olaf", "role": "observer"},
]


def battle(*fighters: dict[str, object], **options: object) -> dict[str, object]:
    """A creation with these options on top of a fixed order."""
    setup = {"options": {"initiative": "fixed"} | options, "combatants": list(fighters)}
    return creation(setup=setup)


async def seen(table: Table, encounter: UUID, seq: int, seat: str) -> dict[str, object]:
    """An event as a seat reads it."""
    asker = table.seat(seat)
    record = await asker.encounters.event(asker.who, encounter, seq)
    whole = record.event if record.seen is msgspec.UNSET else record.seen
    tree = msgspec.json.decode(whole, type=dict[str, object])
    return {name: tree.get(name) for name in ("action", "draws", "effects")}


async def test_a_number_that_the_gm_sets_is_no_more_public_than_the_sheet(table: Table) -> None:
    encounter = await table.started(
        battle(
            fighter("r1", "red", 0, 0),
            fighter("b1", "blue", 6, 0),
            enemy_numbers="hidden",
            enemy_health="none",
        )
    )
    changes = [
        {"type": "stat", "combatant": "b1", "stat": "ranged_defence", "value": 17},
        {"type": "pin", "combatant": "b1", "count": 17},
        {"type": "hp", "combatant": "b1", "value": 17},
    ]
    await table.act(encounter, {"type": "adjust", "changes": changes})
    bare = [{"type": c["type"], "combatant": "b1"} for c in changes]
    bare[0]["stat"] = "ranged_defence"
    for seat in ("rita", "olaf"):
        told = await seen(table, encounter, 3, seat)
        assert told["action"] == {"type": "adjust", "changes": bare}
        assert b"17" not in msgspec.json.encode(told)
    own = await seen(table, encounter, 3, "bob")
    assert own["action"] == {"type": "adjust", "changes": changes}


async def test_the_turns_one_has_hidden_from_an_enemy_are_ones_own_number(table: Table) -> None:
    hiding = [{"combatant": "b1", "offset": 17}]
    encounter = await table.create(
        battle(
            fighter("r1", "red", 0, 0, pin_count=17, hidden_from=hiding),
            fighter("b1", "blue", 6, 0),
            enemy_numbers="hidden",
        )
    )
    shown = {}
    for seat in ("rita", "bob", "olaf"):
        state = await table.seat(seat).state(encounter)
        [red, _] = state["combatants"]
        shown[seat] = red["hidden_from"]
    assert shown == {
        "rita": hiding,
        "bob": [{"combatant": "b1"}],
        "olaf": [{"combatant": "b1"}],
    }


async def test_whom_a_seat_controls_unseen_tells_nobody_whose_secrets_it_shares(
    table: Table,
) -> None:
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 9, 9, hidden=True))
    tree = battle(*people)
    tree["seats"] = [*SEATS, {"id": "vera", "role": "player", "combatants": ["b1"]}]
    encounter = await table.create(tree)
    view = await table.encounters.view(table.seat("olaf").who, encounter, None)
    told = msgspec.json.decode(view.table)
    assert told["seats"][3] == {"id": "vera", "role": "player", "sides": [], "combatants": []}
    assert [grant for grant in told.get("grants", []) if grant["seat"] == "vera"] == []
    await table.act(
        encounter, {"type": "assign_control", "seat": "olaf", "sides": [], "combatants": ["b1"]}
    )
    event = await seen(table, encounter, 2, "rita")
    assert event["effects"] == [
        {"type": "control_changed", "seat": "olaf", "sides": [], "combatants": []}
    ]


async def test_a_question_for_the_dice_of_somebody_unseen_is_for_its_side_alone(
    table: Table,
) -> None:
    tree = battle(
        fighter("r1", "red", 0, 0, hidden=True),
        fighter("b1", "blue", 6, 0),
        attack_reveals=False,
    )
    encounter = await table.started(tree | {"dice": "supplied"})
    rita = table.seat("rita")
    asked = await rita.act(encounter, shoot("r1", "b1"))
    [own] = msgspec.json.decode(asked.answer.decisions)
    assert (own["seat"], own["roll"]["count"]) == ("rita", 5)
    for seat in ("bob", "olaf"):
        view = await table.encounters.view(table.seat(seat).who, encounter, None)
        assert msgspec.json.decode(view.decisions) == []
        told = await seen(table, encounter, 3, seat)
        assert told == {
            "action": None,
            "draws": [],
            "effects": [{"type": "decision_opened", "first": True}],
        }
    answer = {"type": "answer", "decision_id": own["id"], "choice": {"type": "roll"}}
    await rita.act(encounter, answer, dice=[1, 1, 1, 1, 1])
    told = await seen(table, encounter, 4, "bob")
    assert told == {
        "action": None,
        "draws": [],
        "effects": [{"type": "attack_resolved", "target": "b1", "outcome": "miss"}],
    }


async def test_an_enemys_hidden_dice_are_asked_of_the_enemy(table: Table) -> None:
    tree = battle(
        fighter("r1", "red", 0, 0, pin_count=2, actions_left=2),
        fighter("b1", "blue", 6, 0, int_pool=7),
        enemy_numbers="hidden",
    )
    encounter = await table.started(tree | {"dice": "supplied"})
    rita, bob = table.seat("rita"), table.seat("bob")
    asked = await rita.act(encounter, {"type": "hide", "combatant": "r1", "against": "b1"})
    [ours] = msgspec.json.decode(asked.answer.decisions)
    assert (ours["seat"], ours["roll"]["count"]) == ("rita", 3)
    answer = {"type": "answer", "decision_id": ours["id"], "choice": {"type": "roll"}}
    rolled = await rita.act(encounter, answer, dice=[1, 2, 3])
    assert msgspec.json.decode(rolled.answer.decisions) == []
    view = await table.encounters.view(bob.who, encounter, None)
    [theirs] = msgspec.json.decode(view.decisions)
    assert (theirs["side"], theirs["roll"]["count"]) == ("blue", 7)
    answer["decision_id"] = theirs["id"]
    done = await bob.act(encounter, answer, dice=[1, 1, 1, 1, 1, 1, 1])
    assert done.answer.version == 5


async def test_a_battle_taken_up_again_keeps_its_new_secrets(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, {"type": "note", "gm_text": "the butler"})
    await table.act(encounter, {"type": "end_encounter", "open": "all"})
    await table.act(encounter, {"type": "rewind", "to": 3})
    await table.act(encounter, {"type": "note", "gm_text": "the gardener"})
    hidden = fighter("ghost", "blue", 3, 3, hidden=True)
    await table.act(encounter, {"type": "add_combatant", "combatant": hidden})
    rita = table.seat("rita")
    page = await rita.encounters.events(rita.who, encounter, None, 100)
    told = msgspec.json.encode(page.events)
    view = await rita.encounters.view(rita.who, encounter, None)
    assert b"butler" in told
    assert b"gardener" not in told
    assert b"ghost" not in msgspec.json.encode((page.events, view))
    await table.act(encounter, {"type": "end_encounter", "open": "all"})
    page = await rita.encounters.events(rita.who, encounter, None, 100)
    assert b"gardener" in msgspec.json.encode(page.events)
