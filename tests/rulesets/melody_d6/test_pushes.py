"""Pushes: where they lead, what stops them, and what they do to whom they move."""

import pytest

from service.rulesets.melody_d6.state import Combatant
from tests.rulesets.melody_d6.field import Field, enemy, terrain, told, warrior

ORIGIN = (10_000, 10_000)
FAR = warrior("a", 2000, 2000)
WALL = terrain("wall", "low_wall", (13_000, 11_000, 14_000, 11_400))
HOUSE = terrain("house", "building", (16_500, 11_000, 17_500, 13_000))


def test_a_push_ends_a_guard() -> None:
    # E59
    field = Field(FAR, enemy("g", 14_000, 12_000, "on_guard"))
    assert field.push("g", ORIGIN) == [
        {
            "type": "moved",
            "rule": "ML-MOVE-8",
            "combatant": "g",
            "manner": "push",
            "start": {"x": 14_000, "y": 12_000},
            "path": [{"x": 17_000, "y": 12_000}],
            "end": {"x": 17_000, "y": 12_000},
            "cost": 3000,
            "complete": True,
        },
        {
            "type": "condition_lost",
            "rule": "ML-GUARD-8",
            "combatant": "g",
            "condition": "on_guard",
            "cause": "forced",
        },
    ]


@pytest.mark.parametrize(
    "target",
    [
        enemy("g", 10_000, 10_000, "on_guard"),
        enemy("g", 14_000, 12_000, "on_guard", "out"),
        enemy("g", 33_000, 12_000, "on_guard"),
    ],
)
def test_some_pushes_move_nobody(target: Combatant) -> None:
    field = Field(FAR, target, enemy("e", 20_000, 20_000))
    assert field.push("g", ORIGIN) == []
    assert "on_guard" in field.combatant("g").conditions


def test_no_push_ends_on_somebody_or_in_a_building() -> None:
    guard = enemy("g", 14_000, 12_000, "on_guard")
    assert Field(FAR, guard, enemy("e", 17_999, 12_000)).push("g", ORIGIN) == []
    assert Field(FAR, guard, enemy("e", 17_999, 12_000, "out")).push("g", ORIGIN) != []
    assert Field(FAR, guard, enemy("e", 18_000, 12_000)).push("g", ORIGIN) != []
    assert Field(FAR, guard, ground=(HOUSE,)).push("g", ORIGIN) == []


def test_hidden_ones_who_alone_bar_a_push_become_known() -> None:
    guard, hidden = enemy("g", 14_000, 12_000), warrior("h", 17_999, 12_000, hidden=True)
    assert told(Field(FAR, guard, hidden).push("g", ORIGIN)) == ["revealed h contact"]
    beside = enemy("e", 17_000, 12_500)
    assert Field(FAR, guard, hidden, beside).push("g", ORIGIN) == []
    own = enemy("h", 17_999, 12_000, hidden=True)
    assert told(Field(FAR, guard, own).push("g", ORIGIN)) == ["revealed h contact"]
    unseen = enemy("g", 14_000, 12_000, hidden=True)
    assert Field(FAR, unseen, own).push("g", ORIGIN) == []


def test_a_masked_one_pushed_from_its_cover_is_masked_no_more() -> None:
    field = Field(FAR, enemy("g", 14_000, 12_000, "masked"), ground=(WALL,))
    assert told(field.push("g", ORIGIN)) == [
        "moved g 17000,12000",
        "condition_lost g masked left_cover",
    ]
    kept = {"mask_leaving_cover": "kept"}
    field = Field(FAR, enemy("g", 14_000, 12_000, "masked"), ground=(WALL,), options=kept)
    assert told(field.push("g", ORIGIN)) == ["moved g 17000,12000"]


def test_pushed_past_enemies_it_detects_and_is_detected() -> None:
    kept = {"mask_leaving_cover": "kept"}
    lookout = warrior("l", 15_500, 17_000, "masked")
    field = Field(FAR, lookout, enemy("g", 14_000, 12_000, "masked"), options=kept)
    assert told(field.push("g", ORIGIN)) == [
        "moved g 17000,12000",
        "condition_lost l masked detected_auto",
        "condition_lost g masked detected_auto",
        "window_skipped nobody_eligible",
    ]
    field = Field(FAR, lookout, enemy("g", 14_000, 12_000, "fleeing"), options=kept)
    assert told(field.push("g", ORIGIN)) == ["moved g 17000,12000"]


def test_pushed_into_contact_it_is_engaged() -> None:
    beside = warrior("l", 18_100, 12_000, "on_guard")
    field = Field(FAR, beside, enemy("g", 14_000, 12_000, "on_guard"))
    assert told(field.push("g", ORIGIN)) == [
        "moved g 17000,12000",
        "condition_lost g on_guard forced",
        "condition_lost l on_guard engaged",
    ]
