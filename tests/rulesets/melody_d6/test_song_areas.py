"""The template of an instant Melody is shown before what it does."""

from typing import Any

import pytest

from tests.kit.given_when_then import Asked
from tests.rulesets.melody_d6.skirmishes import in_turn, warrior

Tree = dict[str, Any]
SINGER: Tree = {"singer": {"melodies": ["dazzle_chord", "drum_of_dread"]}}


def areas(asked: Asked) -> list[Tree]:
    assert isinstance(asked.outcome, list)
    return [each for each in asked.outcome if each["type"] == "area_resolved"]


@pytest.mark.rule("ML-SING-12")
def test_a_template_is_told_with_whom_it_covers_in_the_order_of_entry() -> None:
    people = (
        warrior("b1", 20000, 10000),
        warrior("a1", 10000, 10000, **SINGER),
        warrior("a2", 15000, 10000),
        warrior("b2", 20100, 12000),
    )
    battle = in_turn(*people, unit="A1", phase="action")
    song = {"type": "sing", "combatant": "a1", "melody": "dazzle_chord"}
    asked = battle.when({**song, "aim": {"x": 11000, "y": 10000}}, dice=(3, 5, 4))
    assert areas(asked) == [
        {
            "type": "area_resolved",
            "rule": "ML-SING-12",
            "combatant": "a1",
            "melody": "dazzle_chord",
            "area": {
                "kind": "cone",
                "origin": {"x": 10000, "y": 10000},
                "aim": {"x": 11000, "y": 10000},
                "length": 9600,
                "half_width": 2800,
            },
            "outcome": "success",
            "victims": [
                {"target": "b1", "outcome": "part"},
                {"target": "a2", "outcome": "full"},
            ],
        }
    ]


def test_a_melody_at_one_warrior_has_no_area() -> None:
    people = (warrior("a1", 10000, 10000, **SINGER), warrior("b1", 20000, 10000))
    battle = in_turn(*people, unit="A1", phase="action")
    song = {"type": "sing", "combatant": "a1", "melody": "drum_of_dread", "target": "b1"}
    asked = battle.when(song, dice=(4, 5, 1, 1))
    assert areas(asked) == []
