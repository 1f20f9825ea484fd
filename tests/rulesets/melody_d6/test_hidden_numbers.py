"""Where enemy numbers are hidden a side may dampen all the same; it is not shown what to reach."""

from typing import Any

from service.engine.battle.actors import Actor
from tests.kit.table import Table, effects_of, tree_of
from tests.rulesets.melody_d6.setups import at, battle_of, fighter, in_progress, seated, singing


def sung(**options: str) -> Table:
    """Ann's a sings until it succeeds; Bob's t may dampen."""
    people = [
        fighter("a", "red", 0, 0, **singing("ember_march", song_bonus=10)),
        fighter("t", "blue", 6, 0, **singing("ember_march")),
    ]
    table = seated(battle_of(people, battle=in_progress("a"), options=options), dice="supplied")
    table.ask({"type": "start_encounter"})
    song = {"type": "sing", "combatant": "a", "melody": "ember_march", "point": at(6, 6)}
    table.ask(song, dice=(3, 4))
    return table


def question(table: Table, by: str) -> Any:
    """The question to blue as somebody sees it."""
    [decision] = table.view(by)["pending"][-1]["decisions"]
    return decision


def test_whoever_is_asked_to_dampen_sees_who_could_and_not_the_result() -> None:
    table = sung(enemy_numbers="hidden")
    told = question(table, "bob")["context"]
    assert "target_number" not in told
    assert told["dampeners"] == ["t"]
    assert question(table, "ann")["context"]["target_number"] == 17
    assert question(sung(), "bob")["context"]["target_number"] == 17


def test_it_may_dampen_and_is_foretold_no_odds() -> None:
    table = sung(enemy_numbers="hidden")
    [node] = tree_of(table.legal_of(Actor(side="blue"), "bob"))
    answer = node["example"]
    assert answer["choice"] == {"type": "dampen", "combatant": "t"}
    preview = table.preview(answer, "bob")
    assert (preview.odds, preview.unknown) == ((), ("result",))
    event = table.ask(answer, dice=(6, 6))
    checks = [each for each in effects_of(event) if each["type"] == "check_resolved"]
    assert [(each["check"], each["outcome"]) for each in checks] == [("dampening", "success")]


def test_where_numbers_are_shown_the_odds_are_told() -> None:
    table = sung()
    [node] = tree_of(table.legal_of(Actor(side="blue"), "bob"))
    assert len(table.preview(node["example"], "bob").odds) == 2
