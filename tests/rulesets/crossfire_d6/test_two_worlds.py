"""Two worlds that differ only in secrets are one and the same to whoever does not know them.

The secrets are the green side's, whom the game master plays, and hidden ground. Red, blue and an
onlooker do the same in both worlds; the green side does something else in each. Whatever any of the
three may read must be equal byte for byte, until somebody meets a secret: that is an outcome.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from service.engine.log.canonical import encode
from service.engine.log.event import Event
from service.errors import WarlogError
from tests.rulesets.crossfire_d6.battles import HEIGHT, WIDTH, random_fighter, random_setup
from tests.rulesets.crossfire_d6.table import Table, blade, fighter, in_progress, rifle
from tests.rulesets.reseating import seating_of
from tests.rulesets.seated import effects_of

UNKNOWING = ("ann", "bob", "eve")
PLAYER_OF = {"red": "ann", "blue": "bob"}
QUIET = {"move", "change_posture", "set_facing", "go_prone", "stand_up"}
EVENTS = 60

Action = Mapping[str, Any]


def world(number: int, variant: int) -> dict[str, Any]:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    dice = Random(1000 * number + variant)
    taken = {(each["place"]["x"], each["place"]["y"]) for each in known}
    rows = setup["map"]["rows"]
    cells = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    free = [cell for cell in cells if rows[cell[1]][cell[0]] == "." and cell not in taken]
    dice.shuffle(free)
    hidden = random_fighter(dice, "h", "green", free.pop(), False)
    more = [random_fighter(dice, f"x{n}", "green", free.pop(), False) for n in range(variant)]
    secrets = [
        {**hidden, "hidden": True, "name": f"the {variant}th"},
        *({**each, "hidden": True, "conditions": ["helpless"]} for each in more),
    ]
    setup["combatants"] = [*known, *secrets]
    setup["options"] |= {"initiative": "fixed", "attack_reveals": False}
    setup["hidden_terrain"] = {
        "cells": [
            {"x": x, "y": y, "kind": dice.choice(["solid", "cover"]), "smoke": True, "dark": True}
            for x, y in free[:variant]
        ]
    }
    return setup


@pytest.mark.parametrize("number", range(10))
def test_a_battle_among_secrets_looks_the_same(number: int) -> None:
    one, other = Table(world(number, 0)), Table(world(number, 3))
    start = {"type": "start_encounter"}
    compare(one, other, one.ask(start), other.ask(start))
    dice = Random(number)
    while len(one.events) < EVENTS and one.turn is not None:
        combatant = one.turn
        if combatant == "h":
            pairs = [(quiet(one, dice), quiet(other, dice)), (end_turn("h"), end_turn("h"))]
            by = "gm"
        else:
            by = PLAYER_OF[one.combatant(combatant).side]
            compare_choices(one, other, combatant, by)
            action: Action = dice.choice(one.samples(combatant, 4, by))
            pairs = [(action, action)]
        for first, second in pairs:
            events = one.ask(first, by), other.ask(second, by)
            if any(map(meets_a_secret, events)):
                assert len(one.events) > 2
                return
            compare(one, other, *events)
        for first, second in seating_of("h", ("h", "x0", "x2"), dice):
            compare(one, other, one.ask(first), other.ask(second))


def test_most_of_these_battles_go_on_for_long() -> None:
    lengths = []
    for number in range(10):
        table = Table(world(number, 3))
        table.ask({"type": "start_encounter"})
        dice = Random(number)
        while len(table.events) < EVENTS and table.turn is not None:
            by = PLAYER_OF.get(table.combatant(table.turn).side, "gm")
            deed: Action = quiet(table, dice) if by == "gm" else table.samples(table.turn, 1, by)[0]
            if meets_a_secret(table.ask(deed, by)):
                break
            if by == "gm":
                table.ask(end_turn("h"))
        lengths.append(len(table.events))
    assert sorted(lengths)[3] >= EVENTS // 2


def end_turn(combatant: str) -> Action:
    return {"type": "end_turn", "combatant": combatant}


def quiet(table: Table, dice: Random) -> Action:
    """Something the hidden one does that nobody notices."""
    sampled = [each for each in table.samples("h", 12) if each["type"] in QUIET]
    return dice.choice(sampled)


def meets_a_secret(event: Event) -> bool:
    effects = effects_of(event)
    causes = {each.get("cause") for each in effects} | {each.get("outcome") for each in effects}
    return not causes.isdisjoint({"met", "contact", "obstructed"})


def compare(one: Table, other: Table, first: Event, second: Event) -> None:
    """The last event and the state, as everybody who does not know sees them."""
    for by in UNKNOWING:
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert encode(one.seating(by)) == encode(other.seating(by))


def compare_choices(one: Table, other: Table, combatant: str, by: str) -> None:
    """What may be done, what it would do, and why not."""
    assert encode(one.legal(combatant, by)) == encode(other.legal(combatant, by))
    actions = one.samples(combatant, 8, by)
    assert actions == other.samples(combatant, 8, by)
    for action in actions:
        assert encode(one.preview(action, by)) == encode(other.preview(action, by))
    for probe in probes(one, combatant):
        assert answer(one, probe, by) == answer(other, probe, by)
        assert why_not(one, probe, by) == why_not(other, probe, by)


def probes(table: Table, combatant: str) -> list[Action]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    return [
        {"type": "ranged_attack", "combatant": combatant, "weapon": "rifle", "target": "h"},
        {"type": "melee_attack", "combatant": combatant, "weapon": "blade", "target": "x1"},
        {"type": "hide", "combatant": combatant, "against": "h"},
        {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": combatant},
        {"type": "set_facing", "combatant": "h", "facing": "N"},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "move", "combatant": combatant, "path": [{"x": place.x + 2, "y": place.y}]},
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    ]


def answer(table: Table, action: Action, by: str) -> object:
    return refusal(lambda: table.preview(action, by))


def why_not(table: Table, action: Action, by: str) -> object:
    return refusal(lambda: table.ask(action, by))


def refusal(attempt: Callable[[], object]) -> object:
    """Code, rule and facts of the refusal that these attempts all meet."""
    with pytest.raises(WarlogError) as raised:
        attempt()
    error = raised.value
    return error.code, getattr(error, "rule", None), encode(error.params)


def duel(*secrets: Action, **more: Any) -> dict[str, Any]:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    known = [
        fighter("a", "red", 0, 0, weapons=[rifle(), blade()]),
        fighter("t", "blue", 6, 0, weapons=[rifle(), blade()]),
    ]
    everyone: list[Action] = [*known, *secrets]
    order = in_progress(*(str(each["id"]) for each in everyone))
    return {"combatants": everyone, "battle": order, **more}


def pair(first: dict[str, Any], second: dict[str, Any]) -> tuple[Table, Table]:
    one, other = Table(first), Table(second)
    start = {"type": "start_encounter"}
    compare(one, other, one.ask(start), other.ask(start))
    return one, other


def both(one: Table, other: Table, action: Action, by: str = "gm") -> None:
    compare(one, other, one.ask(action, by), other.ask(action, by))


def test_unseen_shooters_partners_and_allies_change_no_dice_that_everyone_sees() -> None:
    behind = {"weapons": [rifle(), blade()], "hidden": True}
    far = fighter("h", "red", 0, 30, **behind)
    near = fighter("h", "red", 7, 0, **behind)
    one, other = Table(duel(far)), Table(duel(near))
    for table in (one, other):
        table.ask({"type": "start_encounter"})
        table.ask({"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"})
    assert one.events[-1].draws == other.events[-1].draws
    for by in ("bob", "eve"):
        assert encode(one.shown(3, by)) == encode(other.shown(3, by))


def test_whatever_is_done_to_somebody_unseen_looks_alike() -> None:
    hidden = fighter("h", "green", 9, 9, weapons=[rifle()], hidden=True)
    one, other = pair(duel(hidden), duel(hidden))
    newcomer = fighter("i", "green", 2, 2, hidden=True)
    deeds: list[tuple[Action, Action]] = [
        (
            adjusted({"type": "hp", "combatant": "h", "value": 3}),
            {"type": "set_terrain", "cells": [{"x": 3, "y": 0, "kind": "cover"}], "secret": True},
        ),
        (
            adjusted({"type": "condition", "combatant": "h", "condition": "prone"}),
            {"type": "add_combatant", "combatant": newcomer},
        ),
        (
            adjusted({"type": "hide", "combatant": "h"}),
            {"type": "remove_combatant", "combatant": "i"},
        ),
    ]
    for first, second in deeds:
        compare(one, other, one.ask(first), other.ask(second))


def adjusted(change: Action) -> Action:
    return {"type": "adjust", "changes": [change]}


def test_an_unseen_attacker_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False, "pool_floor": 0}
    shot = rifle(attack_dice=0)
    blow = blade(attack_dice=0, reach_ft=20)
    one, other = pair(
        duel(fighter("h", "green", 0, 9, weapons=[shot], hidden=True), options=options),
        duel(fighter("h", "green", 3, 0, weapons=[blow], hidden=True), options=options),
    )
    both(one, other, end_turn("a"))
    both(one, other, end_turn("t"))
    first = {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": "a"}
    second = {"type": "melee_attack", "combatant": "h", "weapon": "blade", "target": "a"}
    compare(one, other, one.ask(first), other.ask(second))
    seen: Any = one.shown(len(one.events), "eve")
    assert "action" not in seen
    attack = {"type": "attack_resolved", "target": "a", "outcome": "miss"}
    assert seen["effects"] == [attack]


def test_how_an_unseen_attacker_did_it_is_not_told_by_the_rule_that_decided() -> None:
    options = {"attack_reveals": False, "natural_crit_sixes": 1}
    shot = rifle(attack_dice=50, damage_dice=0)
    blow = blade(damage_dice=0, reach_ft=20)
    one, other = pair(
        duel(fighter("h", "green", 0, 9, weapons=[shot], hidden=True), options=options),
        duel(fighter("h", "green", 3, 0, weapons=[blow], hidden=True), options=options),
    )
    both(one, other, adjusted({"type": "condition", "combatant": "t", "condition": "helpless"}))
    easy = {"type": "stat", "combatant": "t", "stat": "ranged_defence", "value": 0}
    both(one, other, adjusted(easy))
    both(one, other, end_turn("a"))
    first = {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": "t"}
    second = {"type": "melee_attack", "combatant": "h", "weapon": "blade", "target": "t"}
    compare(one, other, one.ask(first), other.ask(second))
    for table, rule in ((one, "CF-SD-3"), (other, "CF-HELP-1")):
        attack = effects_of(table.events[-1])[1]
        assert (attack["outcome"], attack["detail"]["rule"]) == ("critical", rule)


def test_hidden_numbers_are_neither_shown_nor_foretold() -> None:
    options = {"enemy_numbers": "hidden", "enemy_health": "band", "initiative": "fixed"}
    plain = fighter("t", "blue", 6, 0, weapons=[rifle(), blade()], pin_count=2)
    odd = {
        **plain,
        "health": 17,
        "health_max": 17,
        "soak": 9,
        "speed_ft": 15,
        "agi_pool": 4,
        "int_pool": 5,
        "pin_resistance": 1,
        "melee_defence": 12,
        "ranged_defence": 180,
        "ignored_rules": ["CF-ALLY-1"],
        "weapons": [rifle(attack_dice=3, range_increment_ft=20), blade(reach_ft=10)],
    }
    shooter = fighter("a", "red", 0, 0, weapons=[rifle(attack_dice=2), blade()], pin_count=1)
    order = in_progress("a", "t")
    setups = [
        {"combatants": [shooter, target], "options": options, "battle": order}
        for target in (plain, odd)
    ]
    one, other = Table(setups[0]), Table(setups[1])
    start = {"type": "start_encounter"}
    first, second = one.ask(start), other.ask(start)
    for by in ("ann", "eve"):
        assert encode(one.shown(1, by)) == encode(other.shown(1, by))
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
    assert encode(one.legal("a", "ann")) == encode(other.legal("a", "ann"))
    for action in one.samples("a", 40, "ann"):
        assert encode(one.preview(action, "ann")) == encode(other.preview(action, "ann"))
    shot = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
    told = one.preview(shot, "ann")
    assert (told.odds, told.unknown) == ((), ("needed", "suppression"))
    assert {"pool", "needed"}.isdisjoint(told.facts)


def test_the_side_itself_and_the_game_master_see_what_others_do_not() -> None:
    hidden = fighter("h", "blue", 3, 3, weapons=[rifle()], hidden=True)
    table = Table(duel(hidden))
    table.ask({"type": "start_encounter"})
    known = {by: [each["id"] for each in state_of(table, by)["combatants"]] for by in UNKNOWING}
    assert known == {"ann": ["a", "t"], "bob": ["a", "t", "h"], "eve": ["a", "t"]}
    assert [each["id"] for each in state_of(table, "gm")["combatants"]] == ["a", "t", "h"]


def state_of(table: Table, by: str) -> Any:
    return msgspec.json.decode(encode(table.view(by)))
