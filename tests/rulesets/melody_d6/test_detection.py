"""Detection rolls at the end of movement, as they are drawn and shown."""

import pytest

from service.rulesets.melody_d6.actions import GmReveal
from service.rulesets.melody_d6.deciding import detection
from service.rulesets.melody_d6.state import Combatant
from tests.rulesets.melody_d6.field import Field, enemy, told, warrior

SCOUT = warrior("s", 22_000, 20_500, moved=True)
MASKED = enemy("e", 22_000, 11_500, "masked")
NOBODY = "window_skipped nobody_eligible"


def test_a_roll_is_told_with_whom_it_concerns() -> None:
    # E34: the scout is 8 steps away; D6 + 4.
    field = Field(SCOUT, MASKED)
    found, lost = field.end_movement(4)
    assert found == {
        "type": "check_resolved",
        "rule": "ML-MASK-10",
        "check": "detection",
        "combatant": "s",
        "outcome": "success",
        "roll": {
            "sides": 6,
            "faces": [4],
            "total": 4,
            "draws": [{"stream": 0, "number": 1}],
        },
        "base": 4,
        "breakdown": [],
        "total": 8,
        "tested": [{"target": "e", "detected": True}],
    }
    assert lost == {
        "type": "condition_lost",
        "rule": "ML-MASK-12",
        "combatant": "e",
        "condition": "masked",
        "cause": "detected_roll",
        "source": {"combatant": "s"},
    }


def test_a_roll_too_low_finds_nobody_and_one_out_of_reach_is_not_made() -> None:
    [missed] = Field(SCOUT, MASKED).end_movement(3)
    assert (missed["outcome"], missed["total"]) == ("failure", 7)
    assert missed["tested"] == [{"target": "e", "detected": False}]
    far = warrior("s", 22_000, 22_501, moved=True)
    [told_of] = Field(far, MASKED).end_movement()
    assert told_of == {
        "type": "check_resolved",
        "rule": "ML-MASK-13",
        "check": "detection",
        "combatant": "s",
        "outcome": "out_of_reach",
        "base": 4,
        "breakdown": [],
        "tested": [{"target": "e", "detected": False}],
    }


def test_one_die_for_a_unit_and_units_in_the_order_of_entry() -> None:
    # E35, and another unit of one whom the nearer scout looks for.
    field = Field(
        warrior("s", 10_000, 18_000, moved=True),
        warrior("t", 20_000, 18_000),
        enemy("z", 20_000, 11_000, "masked", unit="b2"),
        enemy("e1", 10_000, 10_000, "masked", unit="b1"),
        enemy("e2", 13_000, 10_000, "masked", unit="b1"),
    )
    effects = field.end_movement(1, 3)
    checks = [
        (
            each["combatant"],
            each["total"],
            [(one["target"], one["detected"]) for one in each["tested"]],
        )
        for each in effects
        if each["type"] == "check_resolved"
    ]
    assert checks == [
        ("t", 5, [("z", False)]),
        ("s", 7, [("e1", True), ("e2", False)]),
    ]
    assert told(effects)[-1] == "condition_lost e1 masked detected_roll"


@pytest.mark.parametrize(
    "others",
    [
        (warrior("s", 22_000, 20_500),),
        (warrior("s", 22_000, 20_500, "fleeing", moved=True),),
        (warrior("s", 22_000, 20_500, "out", moved=True), warrior("t", 22_000, 20_500)),
        (warrior("s", 22_000, 20_500, moved=True, hidden=True), warrior("t", 22_000, 20_500)),
        (warrior("s", 22_000, 20_500, moved=True, unit="a2"), warrior("t", 22_000, 21_500)),
    ],
)
def test_somebody_of_the_active_unit_must_have_moved_and_be_there(
    others: tuple[Combatant, ...],
) -> None:
    assert Field(*others, MASKED).end_movement() == []


def test_the_nearest_member_looks_whether_it_moved_or_not() -> None:
    near = warrior("t", 22_000, 19_500)
    aside = warrior("u", 22_000, 18_500, unit="a2")
    [check, *_] = Field(SCOUT, near, aside, MASKED).end_movement(6)
    assert check["combatant"] == "t"
    options = {"detection_from": "side"}
    [check, *_] = Field(SCOUT, near, aside, MASKED, options=options).end_movement(6)
    assert check["combatant"] == "u"
    unseen = warrior("u", 22_000, 18_500, hidden=True)
    [check, *_] = Field(SCOUT, near, unseen, MASKED).end_movement(6)
    assert check["combatant"] == "t"


def test_nothing_is_rolled_for_those_who_are_hidden() -> None:
    unseen = enemy("e", 22_000, 11_500, "masked", hidden=True)
    assert Field(SCOUT, unseen).end_movement() == []
    beside = enemy("f", 22_000, 12_500, "masked")
    check, lost = Field(SCOUT, unseen, beside).end_movement(6)
    assert check["tested"] == [{"target": "f", "detected": True}]
    assert lost["combatant"] == "f"


def test_those_who_approach_in_the_open_are_looked_for_first() -> None:
    # E37: an open approach; the nearest alert enemy looks, then the mover's own unit does.
    approaching = warrior("m", 23_000, 11_500, "masked", "approaching", moved=True)
    still = warrior("n", 22_000, 11_500, "masked")
    lookout, other = enemy("e", 23_000, 18_000), enemy("f", 23_000, 17_000, "fleeing")
    masked = enemy("h", 24_000, 19_000, "masked", unit="b2")
    field = Field(approaching, still, lookout, other, masked)
    effects = field.end_movement(6, 1)
    assert told(effects) == [
        "check_resolved e",
        "condition_lost m masked detected_roll",
        "check_resolved m",
        NOBODY,
    ]
    assert (effects[0]["rule"], effects[0]["tested"]) == (
        "ML-MASK-11",
        [{"target": "m", "detected": True}],
    )
    assert (effects[2]["rule"], effects[2]["total"]) == ("ML-MASK-10", 5)


def test_who_has_lost_its_masking_since_is_not_looked_for() -> None:
    seen = warrior("m", 23_000, 11_500, "approaching", moved=True)
    assert Field(seen, enemy("e", 23_000, 18_000)).end_movement() == []
    hidden = enemy("e", 23_000, 18_000, hidden=True)
    approaching = warrior("m", 23_000, 11_500, "masked", "approaching", moved=True)
    assert Field(approaching, hidden).end_movement() == []


def test_whoever_rallies_detects_those_near_it() -> None:
    field = Field(
        warrior("s", 22_000, 16_500),
        enemy("e", 22_000, 11_500, "masked"),
        enemy("f", 22_000, 11_499, "masked"),
    )
    effects = field.carry_out(_any_action(), lambda each: detection.rallied(each.effects, "s"))
    assert told(effects) == ["condition_lost e masked detected_auto"]


def _any_action() -> GmReveal:
    return GmReveal(combatant="s")
