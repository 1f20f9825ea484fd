"""What is answered to an attack stays with those who answer until all have answered."""

from typing import Any

import pytest

from service.engine.log.canonical import encode
from tests.kit.two_worlds import Action, why_not
from tests.rulesets.seeker_d100.setups import battle_of, fighter, only, reply, seated, wall, weapon


def salvo() -> dict[str, Any]:
    """Red a can reach both t and u of the blue side with one grenade; both may take cover."""
    thrower = fighter("a", "red", 0, 0, weapons=[weapon("w_grenade")])
    crowd = [fighter(name, "blue", 20, y) for name, y in (("t", 0), ("u", 2))]
    everyone = [thrower, *crowd, fighter("b", "red", 40, 40)]
    return {
        "combatants": everyone,
        "battle": battle_of(*everyone),
        "map": {"cover": [wall(22)]},
    }


CHOICES: tuple[Action, ...] = (
    {"type": "take_cover", "cover": "wall", "to": {"x": 23, "y": 0}},
    {"type": "take_cover", "cover": "wall", "to": {"x": 22, "y": 1}},
    {"type": "pass"},
    {"type": "pass", "reason": "timeout"},
)
THROW: Action = {"type": "attack", "combatant": "a", "weapon": "w_grenade", "target": "t"}


@pytest.mark.parametrize("first", range(len(CHOICES)))
@pytest.mark.parametrize("second", range(len(CHOICES)))
def test_nobody_else_knows_an_answer_before_all_are_given(first: int, second: int) -> None:
    one, other = seated(salvo()), seated(salvo())
    events = []
    for table, choice in ((one, CHOICES[first]), (other, CHOICES[second])):
        table.ask({"type": "start_encounter"})
        table.ask(THROW, "ann")
        events.append(table.ask(reply(table, "t", choice), "bob"))
    for by in ("ann", "eve"):
        assert encode(one.shown(events[0].seq, by)) == encode(other.shown(events[1].seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        for probe in ({"type": "aim", "combatant": "b"}, reply(one, "u", {"type": "pass"}), THROW):
            assert why_not(one, probe, by) == why_not(other, probe, by)
        for who in ("a", "b", "t", "u"):
            assert encode(one.legal(who, by)) == encode(other.legal(who, by))
    assert (encode(one.view("gm")) == encode(other.view("gm"))) == (first == second)


def test_an_answer_taken_back_tells_nothing_either() -> None:
    one, other = seated(salvo()), seated(salvo())
    dive = {"type": "take_cover", "cover": "wall", "to": {"x": 23, "y": 2}}
    for table, choice, later in ((one, CHOICES[0], CHOICES[2]), (other, CHOICES[2], dive)):
        table.ask({"type": "start_encounter"})
        table.ask(THROW, "ann")
        table.ask(reply(table, "t", choice), "bob")
        table.ask({"type": "rewind", "to": 3}, "bob")
        table.ask(reply(table, "u", later), "bob")
    for by in ("ann", "eve"):
        for seq in range(1, 7):
            assert encode(one.shown(seq, by)) == encode(other.shown(seq, by))
        assert encode(one.view(by)) == encode(other.view(by))


def test_all_answers_are_stated_once_all_are_given() -> None:
    table = seated(salvo())
    table.ask({"type": "start_encounter"})
    table.ask(THROW, "ann")
    first, second = (name for name, _ in table.questions)
    table.ask(reply(table, "u", CHOICES[2]), "bob")
    done = table.ask(reply(table, "t", CHOICES[0]), "bob")
    seen: Any = table.shown(done.seq, "ann")
    assert only(seen["effects"], "decision_closed") == [
        {
            "type": "decision_closed",
            "decision_id": first,
            "how": "answered",
            "choice": "take_cover",
            "full": CHOICES[0],
        },
        {"type": "decision_closed", "decision_id": second, "how": "passed", "choice": "pass"},
    ]
