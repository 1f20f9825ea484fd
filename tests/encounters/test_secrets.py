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
    record = await asker.encounters.reads.event(asker.who, encounter, seq)
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
    view = await table.encounters.reads.view(table.seat("olaf").who, encounter, None)
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


async def test_seats_that_come_and_change_tell_nothing_of_the_unseen_they_control(
    table: Table,
) -> None:
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 9, 9, hidden=True))
    encounter = await table.started(battle(*people))
    control = {"sides": [], "combatants": ["b1", "r1"]}
    vera = {"id": "vera", "role": "player", "name": "Vera", **control}
    await table.act(encounter, {"type": "add_seat", "seat": vera})
    await table.act(encounter, {"type": "change_seat", "seat": "vera", "role": "gm"})
    await table.act(encounter, {"type": "remove_seat", "seat": "vera"})
    told = [(await seen(table, encounter, seq, "rita"))["effects"] for seq in (3, 4, 5)]
    shown = {"id": "vera", "role": "player", "sides": [], "combatants": ["r1"]}
    assert told == [
        [{"type": "seat_changed", "seat": {**shown, "name": "Vera"}}],
        [{"type": "seat_changed", "seat": {**shown, "role": "gm"}}],
        [
            {
                "type": "seat_changed",
                "seat": {"id": "vera", "role": "gm", "sides": [], "combatants": []},
                "removed": True,
            }
        ],
    ]
    assert "b1" in str((await seen(table, encounter, 4, "bob"))["effects"])


async def test_whoever_was_game_master_reads_what_it_could_read_then_and_no_more(
    table: Table,
) -> None:
    encounter = await table.started(battle(fighter("r1", "red", 0, 0), fighter("b1", "blue", 9, 9)))
    for role, word in (("gm", "canary-then"), ("observer", "canary-later")):
        await table.act(encounter, {"type": "change_seat", "seat": "olaf", "role": role})
        await table.act(encounter, {"type": "note", "gm_text": word})
    olaf = table.seat("olaf")
    page = await olaf.encounters.reads.events(olaf.who, encounter, None, 100)
    told = msgspec.json.encode(page)
    assert b"canary-then" in told
    assert b"canary-later" not in told
    now = await olaf.encounters.reads.view(olaf.who, encounter, None)
    assert b"canary" not in bytes(now.table)
    then = await olaf.encounters.reads.view(olaf.who, encounter, 4)
    assert b"canary-then" in bytes(then.table)


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
        view = await table.encounters.reads.view(table.seat(seat).who, encounter, None)
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
    view = await table.encounters.reads.view(bob.who, encounter, None)
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
    page = await rita.encounters.reads.events(rita.who, encounter, None, 100)
    told = msgspec.json.encode(page.events)
    view = await rita.encounters.reads.view(rita.who, encounter, None)
    assert b"butler" in told
    assert b"gardener" not in told
    assert b"ghost" not in msgspec.json.encode((page.events, view))
    await table.act(encounter, {"type": "end_encounter", "open": "all"})
    page = await rita.encounters.reads.events(rita.who, encounter, None, 100)
    assert b"gardener" in msgspec.json.encode(page.events)


# --- answers of another side ----------------------------------------------------------------------

BLADE = {"id": "blade", "sample": "w_machete"}
GRENADE = {"id": "grenade", "sample": "w_grenade"}
WALL = {"id": "wall", "start": {"x": 22, "y": -5}, "end": {"x": 22, "y": 5}, "armour": 10}


def seeker(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
    """A combatant of seeker-d100 who is good at everything."""
    skills = {"athletics": 60, "melee_weapon": 60, "unarmed": 60, "dodge": 60}
    weapons = [BLADE, GRENADE]
    place = {"x": x, "y": y}
    sheet = {"id": name, "side": side, "place": place, "health": 90}
    return {**sheet, "skills": skills, "weapons": weapons, **more}


def salvo(*fighters: dict[str, object], **options: object) -> dict[str, object]:
    """A battle under the rules of seeker-d100, in this order of turns, with a wall at x = 22."""
    cards = [{"combatant": each["id"], "card": 51 - 4 * n} for n, each in enumerate(fighters)]
    setup = {
        "options": options,
        "map": {"cover": [WALL]},
        "combatants": list(fighters),
        "battle": {"cards": cards, "turn": fighters[0]["id"]},
    }
    return creation(ruleset="seeker-d100", setup=setup)


async def questions(table: Table, encounter: UUID, seat: str) -> dict[str, str]:
    """The ids of the open decisions that a seat sees, by combatant."""
    view = await table.encounters.reads.view(table.seat(seat).who, encounter, None)
    return {each["combatant"]: each["id"] for each in msgspec.json.decode(view.decisions)}


def reply(question: str, kind: str, **more: object) -> dict[str, object]:
    return {"type": "answer", "decision_id": question, "choice": {"type": kind, **more}}


async def test_answers_are_sealed_until_all_are_given(table: Table) -> None:
    encounter = await table.started(
        salvo(
            seeker("r1", "red", 0, 0),
            seeker("b1", "blue", 20, 0),
            seeker("b2", "blue", 20, 2),
        )
    )
    throw = {"type": "attack", "combatant": "r1", "weapon": "grenade", "target": "b1"}
    await table.seat("rita").act(encounter, throw)
    asked = await questions(table, encounter, "rita")
    assert asked == {"b1": "d3.1", "b2": "d3.2"}
    bob = table.seat("bob")
    dive = {"cover": "wall", "to": {"x": 23, "y": 0}}
    await bob.act(encounter, reply(asked["b1"], "take_cover", **dive))
    for seat in ("rita", "olaf"):
        told = await seen(table, encounter, 4, seat)
        assert told["action"] == {"type": "answer", "decision_id": "d3.1"}
        assert told["effects"] == [{"type": "decision_closed", "decision_id": "d3.1"}]
        assert await questions(table, encounter, seat) == {"b2": "d3.2"}
    own = await seen(table, encounter, 4, "bob")
    assert own["action"] == reply("d3.1", "take_cover", **dive)
    view = await table.encounters.reads.view(table.seat("rita").who, encounter, None)
    assert b"take_cover" not in bytes(view.state).replace(b'"options":["take_cover","pass"]', b"")
    await bob.act(encounter, reply(asked["b2"], "pass"))
    told = await seen(table, encounter, 5, "olaf")
    effects = told["effects"]
    assert isinstance(effects, list)
    assert effects[:2] == [
        {
            "type": "decision_closed",
            "decision_id": "d3.1",
            "how": "answered",
            "choice": "take_cover",
            "full": {"type": "take_cover", **dive},
        },
        {"type": "decision_closed", "decision_id": "d3.2", "how": "passed", "choice": "pass"},
    ]


async def test_somebody_unseen_is_asked_in_secret_and_answers_in_secret(table: Table) -> None:
    encounter = await table.started(
        salvo(
            seeker("r1", "red", 0, 0),
            seeker("b1", "blue", 20, 0),
            seeker("b2", "blue", 20, 2, hidden=True),
        )
    )
    throw = {"type": "attack", "combatant": "r1", "weapon": "grenade", "target": "b1"}
    await table.seat("rita").act(encounter, throw)
    assert await questions(table, encounter, "rita") == {"b1": "d3.1"}
    assert await questions(table, encounter, "bob") == {"b1": "d3.1", "b2": "d3.b1"}
    bob = table.seat("bob")
    await bob.act(encounter, reply("d3.b1", "pass"))
    told = await seen(table, encounter, 4, "rita")
    assert told == {"action": None, "draws": [], "effects": []}
    await bob.act(encounter, reply("d3.1", "pass"))
    told = await seen(table, encounter, 5, "rita")
    assert b"b2" not in msgspec.json.encode(told)
    assert b"d3.b1" not in msgspec.json.encode(told)


async def test_hidden_numbers_of_those_who_answer_stay_hidden(table: Table) -> None:
    encounter = await table.started(
        salvo(
            seeker("r1", "red", 0, 0),
            seeker("b1", "blue", 1, 0, strength=17, dexterity=17, health=17),
            enemy_numbers="hidden",
            enemy_health="band",
            breakdowns="own",
        )
    )
    strike = {"type": "attack", "combatant": "r1", "weapon": "blade", "target": "b1"}
    await table.seat("rita").act(encounter, strike)
    await table.seat("bob").act(encounter, reply("d3.1", "resist", weapon="blade"))
    for seat in ("rita", "olaf"):
        view = await table.encounters.reads.view(table.seat(seat).who, encounter, None)
        state = msgspec.json.decode(view.state)
        [enemy] = [each for each in state["combatants"] if each["id"] == "b1"]
        assert {"strength", "dexterity", "health"}.isdisjoint(enemy)
        assert enemy["skills"] == {}
        told = await seen(table, encounter, 4, seat)
        effects: object = told["effects"]
        assert isinstance(effects, list)
        [attack] = [each for each in effects if each.get("target") == "b1"]
        assert {"needed", "breakdown"}.isdisjoint(attack["answered"])
