"""CF-COVER and CF-OBSC: the cover penalty and its causes."""

import itertools

import msgspec
import pytest

from service.engine.geometry.features import Feature
from service.engine.vocabulary.breakdown import GroundPart, Modifier
from service.rulesets.crossfire_d6.rules.cover import (
    cover_modifier,
    gives_penalty,
    stacked_cover_penalty,
    visibility_modifier,
)
from service.rulesets.crossfire_d6.rules.defaults import added_dice
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.rules.suppression import (
    PinOptions,
    Streak,
    suppression_modifier,
)

COVER = Modifier(rule="CF-COVER-2", amount=-2)
ALLY = Modifier(rule="CF-ALLY-1", amount=-2)
SMOKE = Modifier(rule="CF-OBSC-1", amount=-2)
PRONE = Modifier(rule="CF-PRONE-1", amount=-1)


def replaced(line: Modifier) -> Modifier:
    note = "cover_penalty_applied"
    return Modifier(rule=line.rule, amount=0, note=note, rules=("CF-COVER-4",))


@pytest.mark.rule("CF-COVER-1")
@pytest.mark.parametrize(
    ("position", "gives"), [("open", False), ("in_cover", True), ("blocked", False)]
)
def test_only_a_target_in_cover_gives_a_penalty(position: Position, gives: bool) -> None:
    assert gives_penalty(position) == gives


@pytest.mark.rule("CF-COVER-2")
@pytest.mark.parametrize(
    ("position", "line"), [("open", None), ("in_cover", COVER), ("blocked", None)]
)
def test_cover_costs_two_dice(position: Position, line: Modifier | None) -> None:
    assert cover_modifier(position) == line


@pytest.mark.rule("CF-COVER-2")
def test_the_line_names_what_gives_the_cover() -> None:
    features = (Feature("H", -3, 2), Feature("V", 0, 4), Feature("cell", 1, 5))
    named = (
        GroundPart(kind="h", x=-3, y=2),
        GroundPart(kind="v", x=0, y=4),
        GroundPart(kind="cell", x=1, y=5),
    )
    line = msgspec.structs.replace(COVER, ground=named)
    assert cover_modifier("in_cover", features) == line
    between = msgspec.structs.replace(line, rules=("CF-POS-9",))
    assert cover_modifier("in_cover", features, is_intervening=True) == between


@pytest.mark.rule("CF-COVER-3")
@pytest.mark.parametrize(("suppression", "net"), [(0, -2), (1, -1), (2, 0), (3, 1)])
def test_suppression_offsets_cover_die_by_die(suppression: int, net: int) -> None:
    streak = Streak(origin=(0, 0), count=suppression)
    lines = (
        cover_modifier("in_cover"),
        suppression_modifier(streak, (0, 0), 0, 0, PinOptions()),
    )
    assert added_dice(tuple(line for line in lines if line is not None)) == net


@pytest.mark.rule("CF-COVER-4")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), ()),
        ((PRONE,), (PRONE,)),
        ((COVER,), (COVER,)),
        ((ALLY, SMOKE), (ALLY, replaced(SMOKE))),
        ((COVER, ALLY, SMOKE, PRONE), (COVER, replaced(ALLY), replaced(SMOKE), PRONE)),
    ],
)
def test_the_first_cover_penalty_counts_and_the_others_are_shown_with_0(
    lines: tuple[Modifier, ...], expected: tuple[Modifier, ...]
) -> None:
    assert stacked_cover_penalty(lines, "once") == expected
    assert stacked_cover_penalty(lines, "separate") == lines


@pytest.mark.rule("CF-COVER-4")
def test_a_penalty_that_a_trick_removed_is_not_the_first() -> None:
    ignored = Modifier(rule="CF-COVER-2", amount=0, note="penalty_ignored", rules=("CF-ALLY-2",))
    assert stacked_cover_penalty((ignored, ALLY, SMOKE), "once") == (
        ignored,
        ALLY,
        replaced(SMOKE),
    )


@pytest.mark.rule("CF-OBSC-1")
@pytest.mark.parametrize(
    ("smoke", "dark", "invisible"), tuple(itertools.product((False, True), repeat=3))
)
def test_poor_visibility_costs_two_dice_once_however_many_causes(
    smoke: bool, dark: bool, invisible: bool
) -> None:
    line = visibility_modifier(
        is_smoke_on_line=smoke, is_target_dark=dark, is_target_invisible=invisible
    )
    expected = Modifier(
        rule="CF-OBSC-1",
        amount=-2,
        facts={"smoke": int(smoke), "dark": int(dark), "invisible": int(invisible)},
    )
    assert line == (expected if smoke or dark or invisible else None)
