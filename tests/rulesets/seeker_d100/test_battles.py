"""What happens in random battles of this ruleset, next to what the suites of all ask."""

from tests.kit.random_battles import BY_PLAYER, Overruled, play
from tests.kit.table import effects_of
from tests.rulesets.seeker_d100.battles import BATTLES, random_setup
from tests.rulesets.seeker_d100.setups import battle_of, fighter, only, seated, wall, weapon

EVENTS = 120


def test_these_battles_have_decisions_of_every_kind() -> None:
    closed: set[tuple[object, ...]] = set()
    is_reissued = False
    for number in range(6):
        table = seated(random_setup(number, with_secrets=True))
        play(table, number, EVENTS, by=BY_PLAYER, deed=Overruled(BATTLES, number))
        told = [effect for event in table.events for effect in effects_of(event)]
        closed |= {(e.get("how"), e.get("choice")) for e in only(told, "decision_closed")}
        is_reissued |= any(each["decisions"] for each in only(told, "rewound"))
    assert is_reissued
    assert closed == {
        (None, None),
        ("answered", "dodge"),
        ("answered", "resist"),
        ("answered", "take_cover"),
        ("passed", "pass"),
        ("timeout", "pass"),
        ("forced", "pass"),
        ("void", None),
    }


def test_an_answer_that_is_listed_is_taken_though_the_target_was_put_elsewhere() -> None:
    thrower = fighter("a", "red", 0, 0, weapons=[weapon("w_grenade")])
    people = [thrower, fighter("t", "blue", 20, 0), fighter("u", "blue", 20, 2)]
    board = {"cover": [wall(22)]}
    table = seated({"combatants": people, "map": board, "battle": battle_of(*people)})
    table.ask({"type": "start_encounter"})
    table.ask({"type": "attack", "combatant": "a", "weapon": "w_grenade", "target": "t"})
    away = {"type": "place", "combatant": "t", "place": {"x": 90, "y": 90}}
    table.ask({"type": "adjust", "changes": [away]})
    dives = [each for each in table.samples("u", 20) if each["choice"] != {"type": "pass"}]
    assert dives
    table.ask(dives[0], "bob")
    assert [who for _, who in table.questions] == ["t"]
