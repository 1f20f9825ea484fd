"""Masking as it is declared, shot at and completed, and left."""

from typing import Any

import pytest
from msgspec.structs import replace

from service.rulesets.melody_d6.actions import Mask
from service.rulesets.melody_d6.deciding import masks
from service.rulesets.melody_d6.state import Combatant, Condition
from tests.rulesets.melody_d6.field import Field, enemy, refused, terrain, told, warrior

WALL = terrain("wall", "low_wall", (20_000, 10_000, 24_000, 10_400))
FAR = enemy("e", 2000, 2000)
GUARD = enemy("g", 30_000, 20_000, "on_guard", weapons=("rifle",))
NOBODY = "window_skipped nobody_eligible"


def behind(name: str, *conditions: Condition, x: int = 22_000, **more: Any) -> Combatant:
    """A warrior of side a behind the wall."""
    return warrior(name, x, 11_500, *conditions, **more)


def battle(*warriors: Combatant, fp: int = 3, **more: Any) -> Field:
    return Field(*warriors, ground=(WALL,), fp=fp, **more)


def test_a_squad_masks_for_one_price() -> None:
    # E40: three FP, three members, one action; a second one in the same activation is refused.
    squad = [behind("m", x=21_000), behind("n"), behind("o", x=23_000), behind("p", x=24_100)]
    field = battle(*squad, FAR)
    assert field.mask("o", "m", "n") == [
        {
            "type": "resource_changed",
            "rule": "ML-MASK-1",
            "side": "a",
            "resource": "fp",
            "now": 2,
        },
        {"type": "mask_declared", "rule": "ML-MASK-4", "combatants": ["o", "m", "n"]},
        *[
            {
                "type": "condition_gained",
                "rule": "ML-GUARD-11",
                "combatant": each,
                "condition": "fleeting",
            }
            for each in ("o", "m", "n")
        ],
        {"type": "window_skipped", "kind": "guard_window", "why": "nobody_eligible"},
        *[
            {
                "type": "condition_gained",
                "rule": "ML-MASK-4",
                "combatant": each,
                "condition": "masked",
            }
            for each in ("o", "m", "n")
        ],
    ]
    assert [each.masked_this_turn for each in field.rule.combatants] == [True] * 3 + [False] * 2
    assert [each.moved for each in field.rule.combatants] == [False] * 5
    assert refused(lambda: field.mask("p")) == ("mask_already_declared", {"rule": "ML-MASK-1"})
    assert refused(lambda: field.move("m", (21_000, 12_000)))[0] == "already_moved"
    assert told(field.move("p", (25_000, 12_000)))[-1] == "moved p 25000,12000"


@pytest.mark.parametrize(
    ("masker", "code"),
    [
        (behind("m", "masked"), "already_masked"),
        (behind("m", "exposed"), "exposed"),
        (behind("m", "attacked"), "attacked_this_turn"),
        (behind("m", "stunned"), "warrior_stunned"),
        (behind("m", "fleeing"), "warrior_fleeing"),
        (behind("m", "out"), "actor_incapacitated"),
        (behind("m", unit="a2"), "warrior_not_in_active_unit"),
        (warrior("m", 22_000, 11_901), "cannot_mask_here"),
    ],
)
def test_not_everybody_may_mask(masker: Combatant, code: str) -> None:
    field = battle(masker, behind("n", x=24_000), FAR)
    assert refused(lambda: field.mask("n", "m"))[0] == code
    assert refused(lambda: field.mask("m"))[0] == code


def test_checks_go_warrior_by_warrior_and_points_come_last() -> None:
    field = battle(behind("m"), behind("n", "exposed", x=24_000), FAR, fp=0)
    assert refused(lambda: field.mask("m", "m", "n")) == (
        "duplicate_warrior",
        {"rule": "ML-MASK-1", "combatant": "m"},
    )
    assert refused(lambda: field.mask("m", "n", "m"))[0] == "exposed"
    points = ("insufficient_fp", {"rule": "ML-MASK-1", "fp": 0, "needed": 1})
    assert refused(lambda: field.mask("m")) == points
    stunned = battle(behind("m"), behind("n", "stunned", x=24_000), FAR, mask_declared=True)
    assert refused(lambda: stunned.mask("m", "n"))[0] == "warrior_stunned"
    assert refused(lambda: stunned.mask("m", "m"))[0] == "mask_already_declared"


@pytest.mark.parametrize(("y", "is_close"), [(16_500, True), (16_501, False)])
def test_nobody_masks_near_an_alert_enemy(y: int, *, is_close: bool) -> None:
    # E32
    field = battle(behind("m"), enemy("e", 22_000, y))
    if is_close:
        assert refused(lambda: field.mask("m")) == (
            "too_close_to_enemy",
            {"rule": "ML-MASK-9", "combatant": "m", "enemy": "e"},
        )
    else:
        assert told(field.mask("m"))[-1] == "condition_gained m masked"
    for conditions in (("fleeing",), ("out",)):
        field = battle(behind("m"), enemy("e", 22_000, y, *conditions), FAR)
        assert told(field.mask("m"))[-1] == "condition_gained m masked"
    field = battle(behind("m"), enemy("e", 22_000, y, hidden=True))
    assert told(field.mask("m"))[-1] == "condition_gained m masked"


def test_not_even_the_game_master_is_told_of_a_hidden_one_as_too_close() -> None:
    field = battle(behind("m"), enemy("e", 22_000, 16_000, hidden=True))
    assert masks.require_mask(field.state, Mask(combatants=("m",))) == 2


def test_who_is_engaged_does_not_mask() -> None:
    field = battle(behind("m"), enemy("e", 22_000, 12_600, mobility=0))
    assert refused(lambda: field.mask("m"))[0] == "engaged"


def test_guards_are_asked_and_the_rest_is_masked_then() -> None:
    field = battle(behind("m"), behind("n", x=24_000), behind("o", x=20_000), GUARD)
    opened = field.mask("m", "n", "o")
    assert told(opened)[-1] == "decision_opened guard_window"
    assert opened[-1]["decision"]["context"] == {
        "type": "guard_window",
        "trigger": "mask",
        "movers": ["m", "n", "o"],
        "guards": ["g"],
        "path": [],
        "used": {"leg": 0, "permille": 0},
    }
    meanwhile = (behind("m", "out"), behind("n", "fleeing", x=24_000))
    assert told(field.go_on(None, meanwhile)) == [
        "decision_closed",
        "condition_gained o masked",
    ]
    assert field.combatant("m").masked_this_turn is False


def test_an_enemy_who_has_come_close_meanwhile_detects_at_once() -> None:
    field = battle(behind("m"), GUARD)
    field.mask("m")
    close = enemy("g", 22_000, 16_500, "on_guard", weapons=("rifle",))
    assert told(field.go_on(None, (close,))) == [
        "decision_closed",
        "condition_gained m masked",
        "condition_lost m masked detected_auto",
        "decision_opened guard_window",
    ]


def test_hidden_maskers_are_shown_to_nobody() -> None:
    field = battle(behind("m", hidden=True), GUARD)
    assert told(field.mask("m"))[-2:] == ["window_skipped hidden", "condition_gained m masked"]


def test_masking_is_left_by_will() -> None:
    # E69
    field = battle(behind("m", "masked"), GUARD)
    assert told(field.unmask("m")) == [
        "condition_lost m masked voluntary",
        "condition_gained m fleeting",
        "decision_opened guard_window",
    ]
    field = battle(behind("m"), GUARD)
    assert refused(lambda: field.unmask("m")) == (
        "not_masked",
        {"rule": "ML-MASK-15", "combatant": "m"},
    )
    field = battle(behind("m", "masked"), FAR)
    field.rule = replace(field.rule, phase="action")
    assert told(field.unmask("m"))[-1] == NOBODY
    assert refused(lambda: field.mask("m"))[0] == "wrong_phase"
