"""Two worlds that differ only in secrets are one and the same to whoever does not know them.

The secrets are the green side's, whom the game master plays, hidden cover, and remarks for the game
master alone. Red, blue and an onlooker do the same in both worlds; the green side does something
else in each. Whatever any of the three may read must be equal byte for byte, until somebody meets
a secret: that is an outcome. That somebody unseen has a turn, or no more, everybody may see: who is
felled unseen ends a comparison, too.
"""

from random import Random
from typing import Any

import msgspec
import pytest

from service.engine.log.canonical import encode
from service.engine.log.event import Event
from tests.rulesets.reseating import seating_of
from tests.rulesets.seated import effects_of
from tests.rulesets.seeker_d100.battles import (
    HEIGHT,
    WIDTH,
    next_deed,
    random_change,
    random_fighter,
    random_setup,
)
from tests.rulesets.seeker_d100.table import Table, battle_of, fighter, only, wall, weapon
from tests.rulesets.seeker_d100.worlds import (
    UNKNOWING,
    Action,
    adjusted,
    answer,
    compare,
    end_turn,
    reply,
    why_not,
)

PLAYER_OF = {"red": "ann", "blue": "bob"}
QUIET = {"move", "aim", "dodge", "resist", "end_turn"}
EVENTS = 60


def world(number: int, variant: int) -> dict[str, Any]:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    dice = Random(1000 * number + variant)
    spots = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    hidden = random_fighter(dice, "h", "green", dice.choice(spots), False)
    secrets = [
        {**hidden, "hidden": True, "conditions": ["unaware"], "name": f"the {variant}th"},
        *(
            random_fighter(dice, f"x{n}", "green", dice.choice(spots), False)
            | {"hidden": True, "conditions": ["unconscious"]}
            for n in range(variant)
        ),
    ]
    setup["combatants"] = [*known, *secrets]
    setup["battle"] = battle_of(*setup["combatants"])
    setup["options"] |= {"attack_reveals": False, "redraw_each_round": False}
    setup["hidden_cover"] = [random_change(dice, f"h{n}") for n in range(variant)]
    return setup


@pytest.mark.parametrize("number", range(10))
def test_a_battle_among_secrets_looks_the_same(number: int) -> None:
    one, other = pair(world(number, 0), world(number, 3))
    dice = Random(number)
    while len(one.events) < EVENTS and one.turn is not None:
        assert one.turn == other.turn
        if one.turn == "h":
            first, second, by = quiet(one, dice), quiet(other, dice), "gm"
        else:
            compare_choices(one, other, one.turn, PLAYER_OF[one.combatant(one.turn).side])
            chosen = next_deed(one, dice, PLAYER_OF.__getitem__)
            assert chosen is not None
            (first, by), second = chosen, chosen[0]
        events = one.ask(first, by), other.ask(second, by)
        if any(map(meets_a_secret, events)):
            return
        compare(one, other, *events)
        if dice.random() < 0.2:
            remark(one, other)
        for word, elsewhere in seating_of("h", ("h", "x0", "x2"), dice):
            compare(one, other, one.ask(word), other.ask(elsewhere))


def remark(one: Table, other: Table) -> None:
    notes = ({"type": "note", "gm_text": word} for word in ("the cellar", "up on the roof"))
    compare(one, other, one.ask(next(notes)), other.ask(next(notes)))


def test_most_of_these_battles_go_on_for_long() -> None:
    lengths = []
    for number in range(10):
        table = Table(world(number, 3))
        table.ask({"type": "start_encounter"})
        dice = Random(number)
        while len(table.events) < EVENTS and table.turn is not None:
            chosen = next_deed(table, dice, lambda side: PLAYER_OF.get(side, "gm"))
            assert chosen is not None
            deed, by = (quiet(table, dice), "gm") if table.turn == "h" else chosen
            if meets_a_secret(table.ask(deed, by)):
                break
        lengths.append(len(table.events))
    assert sorted(lengths)[3] >= EVENTS // 2, lengths


def quiet(table: Table, dice: Random) -> Action:
    """Something the hidden one does that nobody notices."""
    sampled = [each for each in table.samples("h", 20) if each["type"] in QUIET]
    return dice.choice(sampled)


def meets_a_secret(event: Event) -> bool:
    effects = effects_of(event)
    if any(each["combatant"] == "h" for each in only(effects, "felled")):
        return True
    return not {each.get("cause") for each in effects}.isdisjoint({"met", "contact"})


def compare_choices(one: Table, other: Table, combatant: str, by: str) -> None:
    """What may be done, what it would do, and why not: by whose turn it is, and by who is asked."""
    asked = [(name, player_of(one, name)) for _, name in one.asked]
    for who, seat in [(combatant, by), *asked]:
        assert encode(one.legal(who, seat)) == encode(other.legal(who, seat))
        actions = one.samples(who, 6, seat)
        assert actions == other.samples(who, 6, seat)
        for action in actions:
            assert encode(one.preview(action, seat)) == encode(other.preview(action, seat))
    for probe in probes(one, combatant):
        assert answer(one, probe, by) == answer(other, probe, by)
        assert why_not(one, probe, by) == why_not(other, probe, by)


def player_of(table: Table, combatant: str) -> str:
    return PLAYER_OF[table.combatant(combatant).side]


def probes(table: Table, combatant: str) -> list[Action]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    far = {"x": place.x + 40, "y": place.y}
    strike = {"combatant": combatant, "weapon": "w_unarmed"}
    question = f"d{len(table.events)}.c1"
    return [
        {"type": "attack", **strike, "target": "h"},
        {"type": "called_shot", **strike, "target": "x1", "part": "head"},
        {"type": "disarm", "combatant": combatant, "target": "h", "item": "radio"},
        {"type": "grapple", "combatant": combatant, "target": "x0"},
        {"type": "attack", "combatant": "h", "weapon": "w_unarmed", "target": combatant},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "aim", "combatant": "h"},
        {"type": "move", "combatant": combatant, "gait": "jog", "path": [far]},
        {"type": "answer", "decision_id": question, "choice": {"type": "dodge"}},
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    ]


def duel(*secrets: Action, **more: Any) -> dict[str, Any]:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    arms = [weapon("w_revolver"), weapon("w_machete"), weapon("w_grenade")]
    known = [fighter("a", "red", 0, 0, weapons=arms), fighter("t", "blue", 1, 0, weapons=arms)]
    everyone: list[Action] = [*known, *secrets]
    return {"combatants": everyone, "battle": battle_of(*everyone), **more}


def pair(first: dict[str, Any], second: dict[str, Any]) -> tuple[Table, Table]:
    one, other = Table(first), Table(second)
    for by in UNKNOWING:
        assert encode(one.shown(1, by)) == encode(other.shown(1, by))
    start = {"type": "start_encounter"}
    compare(one, other, one.ask(start), other.ask(start))
    return one, other


def both(one: Table, other: Table, action: Action, by: str = "gm") -> None:
    compare(one, other, one.ask(action, by), other.ask(action, by))


def test_whatever_is_done_to_somebody_unseen_looks_alike() -> None:
    hidden = fighter("h", "green", 9, 9, hidden=True)
    one, other = pair(duel(hidden), duel(hidden))
    newcomer = fighter("i", "green", 2, 2, hidden=True)
    ground = {key: value for key, value in wall(0).items() if key != "id"}
    crates = {"changes": [{"feature": "crates", "terrain": ground}], "secret": True}
    deeds: list[tuple[Action, Action]] = [
        (
            adjusted({"type": "hp", "combatant": "h", "value": 3}),
            {"type": "set_terrain", **crates},
        ),
        (
            adjusted({"type": "next_roll", "combatant": "h", "amount": 20}),
            {"type": "add_combatant", "combatant": newcomer},
        ),
        (
            adjusted({"type": "hide", "combatant": "h"}),
            {"type": "remove_combatant", "combatant": "i"},
        ),
    ]
    for first, second in deeds:
        compare(one, other, one.ask(first), other.ask(second))


def test_cards_of_those_unseen_do_not_change_those_that_everybody_sees() -> None:
    crowd = [fighter(f"h{n}", "green", 9, n, hidden=True) for n in range(4)]
    setups = [duel(*crowd[:1]), duel(*reversed(crowd))]
    tables = []
    for setup in setups:
        tables.append(Table({name: value for name, value in setup.items() if name != "battle"}))
        tables[-1].ask({"type": "start_encounter"})
    one, other = tables
    drawn = [
        [(draw.combatant, draw.face) for draw in table.events[-1].draws if draw.stream == 0]
        for table in tables
    ]
    assert drawn[0] == drawn[1]
    assert [who for who, _ in drawn[0]] == ["a", "t"]
    assert encode(one.view("eve")["cards"]) == encode(other.view("eve")["cards"])  # type: ignore[index]


def test_an_unseen_attacker_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False}
    blind = dict.fromkeys(("ranged", "melee_weapon"), 0)
    gun, blade = weapon("w_hmg", skill="ranged"), weapon("w_machete")
    one, other = pair(
        duel(
            fighter("h", "green", 0, 9, weapons=[weapon("w_rifle")], skills=blind, hidden=True),
            options=options,
        ),
        duel(
            fighter("h", "green", 1, 1, weapons=[blade, gun], skills=blind, hidden=True),
            options=options,
        ),
    )
    both(one, other, end_turn("a"))
    both(one, other, end_turn("t"))
    first, second = (
        {"type": "attack", "combatant": "h", "weapon": weapon, "target": "a"}
        for weapon in ("w_rifle", "w_machete")
    )
    compare(one, other, one.ask(first), other.ask(second))
    seen: Any = one.shown(len(one.events), "eve")
    assert "action" not in seen
    assert seen["draws"] == []
    assert only(seen["effects"], "attack_resolved") == [
        {"type": "attack_resolved", "target": "a", "outcome": "miss", "rule": "SK-ATK-1"}
    ]


def test_a_wound_does_not_tell_what_kind_of_weapon_somebody_unseen_has() -> None:
    options = {"attack_reveals": False, "enemy_health": "none", "attack_roll_kills": False}
    sharp = {"ranged": 200}
    worlds = []
    for harm in ({"lethality": 1}, {"damage": {"sides": 4}}):
        gun = {"id": "gun", "skill": "ranged", **harm}
        sniper = fighter("h", "green", 0, 9, weapons=[gun], skills=sharp, hidden=True)
        setup = duel(sniper, options=options)
        setup["combatants"][0] |= {"health": 1000}
        worlds.append(setup)
    one, other = Table(worlds[0]), Table(worlds[1])
    for table in (one, other):
        table.ask({"type": "start_encounter"})
        table.ask(end_turn("a"))
        table.ask(end_turn("t"))
        table.ask({"type": "attack", "combatant": "h", "weapon": "gun", "target": "a"})
        assert only(effects_of(table.events[-1]), "hurt")
    for by in ("bob", "eve"):
        assert encode(one.shown(5, by)) == encode(other.shown(5, by))


# --- hidden numbers -------------------------------------------------------------------------------

HIDDEN = {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"}


def plain_and_odd() -> tuple[dict[str, Any], dict[str, Any]]:
    """The same battle with two sheets of t that look the same to an enemy."""
    arms = [weapon("w_revolver"), weapon("w_machete")]
    attacker = fighter("a", "red", 0, 0, weapons=arms)
    plain = fighter(
        "t", "blue", 1, 0, weapons=arms, body_armour={"value": 2, "parts": ["torso", "head"]}
    )
    odd = {
        **plain,
        "health": 17,
        "health_max": 17,
        "strength": 99,
        "dexterity": 1,
        "skills": dict.fromkeys(plain["skills"], 77),
        "body_armour": {"value": 9, "parts": ["torso", "head"]},
        "weapons": [
            weapon("w_revolver", damage={"count": 3, "sides": 4, "bonus": 1}, range_m=50),
            weapon("w_machete", damage={"sides": 12}),
        ],
    }
    first, second = (
        {"combatants": [attacker, t], "options": HIDDEN, "battle": battle_of(attacker, t)}
        for t in (plain, odd)
    )
    return first, second


def test_hidden_numbers_are_neither_shown_nor_foretold() -> None:
    one, other = Table(plain_and_odd()[0]), Table(plain_and_odd()[1])
    start = {"type": "start_encounter"}
    first, second = one.ask(start), other.ask(start)
    for by in ("ann", "eve"):
        assert encode(one.shown(1, by)) == encode(other.shown(1, by))
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert encode(one.legal("t", by)) == encode(other.legal("t", by))
    assert encode(one.legal("a", "ann")) == encode(other.legal("a", "ann"))
    for action in one.samples("a", 40, "ann"):
        assert encode(one.preview(action, "ann")) == encode(other.preview(action, "ann"))


def test_how_many_rounds_are_left_is_the_sides_own_number() -> None:
    tables = []
    for ammo in (5, 9):
        gun = weapon("w_pistol_small", ammo=ammo)
        people = [
            fighter("t", "blue", 1, 0, weapons=[gun]),
            fighter("a", "red", 0, 0),
        ]
        table = Table({"combatants": people, "options": HIDDEN, "battle": battle_of(*people)})
        table.ask({"type": "start_encounter"})
        table.ask({"type": "attack", "combatant": "t", "weapon": gun["id"], "target": "a"}, "bob")
        change = {"type": "resource", "combatant": "t", "resource": "ammo"}
        table.ask(adjusted({**change, "item": gun["id"], "value": ammo + 1}))
        tables.append(table)
    one, other = tables
    for by in ("ann", "eve"):
        for seq in range(1, 5):
            assert encode(one.shown(seq, by)) == encode(other.shown(seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
    assert encode(one.view("bob")) != encode(other.view("bob"))


def test_an_answer_of_hidden_skill_shows_its_roll_and_how_it_ended_no_more() -> None:
    table = Table(plain_and_odd()[0])
    table.ask({"type": "start_encounter"})
    table.ask({"type": "attack", "combatant": "a", "weapon": "w_machete", "target": "t"}, "ann")
    done = table.ask(reply(table, "t", {"type": "dodge"}), "bob")
    seen: Any = table.shown(done.seq, "ann")
    [attack] = only(seen["effects"], "attack_resolved")
    assert {"needed", "breakdown"}.isdisjoint(attack["answered"])


def test_the_side_itself_and_the_game_master_see_what_others_do_not() -> None:
    hidden = fighter("h", "blue", 3, 3, hidden=True)
    table = Table(duel(hidden))
    table.ask({"type": "start_encounter"})
    known = {by: [each["id"] for each in state_of(table, by)["combatants"]] for by in UNKNOWING}
    assert known == {"ann": ["a", "t"], "bob": ["a", "t", "h"], "eve": ["a", "t"]}
    assert [each["id"] for each in state_of(table, "gm")["combatants"]] == ["a", "t", "h"]


def state_of(table: Table, by: str) -> Any:
    return msgspec.json.decode(encode(table.view(by)))
