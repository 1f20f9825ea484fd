"""What is left of a value for a viewer: by the marks of its fields alone."""

from typing import Annotated

import pytest
from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    EVERYONE,
    GM,
    HEALTH,
    KEPT,
    NEEDED,
    NUMBERS,
    STREAM,
    TEXT,
    MentionId,
    OtherId,
    OwnId,
    SubjectId,
    UnitMention,
    unseen,
)
from service.engine.visibility.redaction import redacted
from service.engine.visibility.scope import GAME_MASTER, OBSERVER, Scope, Viewer

RED, BLUE, BOTH = Viewer(sides=("red",)), Viewer(sides=("blue",)), Viewer(sides=("red", "blue"))


class Gun(Struct, frozen=True, kw_only=True):
    id: Annotated[str, EVERYONE]
    range_m: Annotated[int, NUMBERS]


class Bow(Struct, frozen=True, kw_only=True):
    id: Annotated[str, EVERYONE]
    arrows: Annotated[int | UnsetType, NUMBERS, NEEDED] = UNSET


class Skills(Struct, frozen=True, kw_only=True):
    dodge: Annotated[int, NUMBERS] = 0


class Tie(Struct, frozen=True, kw_only=True):
    to: Annotated[OtherId, EVERYONE]
    strength: Annotated[int, NUMBERS] = 1


class Die(Struct, frozen=True, kw_only=True):
    stream: Annotated[int, EVERYONE, STREAM] = 0


class Fighter(Struct, frozen=True, kw_only=True):
    id: Annotated[OwnId, EVERYONE]
    side: Annotated[str, EVERYONE]
    hidden: Annotated[bool, EVERYONE] = False
    number: Annotated[int, GM, KEPT] = 0
    name: Annotated[str, TEXT] = ""
    health: Annotated[int, HEALTH, unseen(0)] = 9
    armour: Annotated[int, NUMBERS] = 2
    skills: Annotated[Skills, EVERYONE] = Skills()
    guns: Annotated[tuple[Gun, ...], EVERYONE] = ()
    bows: Annotated[tuple[Bow, ...] | UnsetType, EVERYONE] = UNSET
    ties: Annotated[tuple[Tie, ...], EVERYONE] = ()
    held_by: Annotated[Tie | UnsetType, EVERYONE, KEPT] = UNSET
    last_roll: Annotated[Die | UnsetType, EVERYONE] = UNSET
    unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET
    met: Annotated[tuple[SubjectId, ...], EVERYONE] = ()
    partner: Annotated[MentionId | UnsetType, EVERYONE] = UNSET


class Field(Struct, frozen=True, kw_only=True):
    fighters: Annotated[tuple[Fighter, ...], EVERYONE] = ()
    traps: Annotated[tuple[int, ...], GM] = ()


def scope(numbers: str = "shown", health: str = "exact") -> Scope:
    subjects = {"r": ("red", False), "b": ("blue", False), "h": ("blue", True)}
    return Scope(
        sides=("red", "blue"),
        subjects=subjects,
        numbers=numbers,
        health=health,
        units={"first": "everyone", "ghosts": "blue"},
    )


def left(
    fighter: Fighter, viewer: Viewer, numbers: str = "shown", health: str = "exact"
) -> Fighter:
    """What is left of one fighter on a field."""
    field = redacted(Field(fighters=(fighter,)), scope(numbers, health), viewer)
    assert field is not None
    [one] = field.fighters
    return one


BOB = Fighter(
    id="b",
    side="blue",
    number=7,
    name="Bob",
    health=5,
    armour=3,
    skills=Skills(dodge=40),
    guns=(Gun(id="gun", range_m=50),),
    bows=(Bow(id="bow", arrows=3), Bow(id="toy")),
)


def test_hidden_numbers_read_their_defaults_and_take_along_what_needs_them() -> None:
    bare = Fighter(id="b", side="blue", number=7, name="Bob", health=5)
    assert left(BOB, RED, numbers="hidden") == bare
    for viewer in (BLUE, BOTH, GAME_MASTER):
        assert left(BOB, viewer, numbers="hidden") is BOB
    assert left(BOB, RED) is BOB


def test_hidden_health_reads_what_its_mark_says() -> None:
    assert left(BOB, RED, health="band").health == 0
    assert left(BOB, BLUE, health="band") is BOB
    assert left(BOB, OBSERVER, health="exact") is BOB


def test_what_names_somebody_unseen_is_gone_but_what_is_kept_stays() -> None:
    tied = Fighter(
        id="b",
        side="blue",
        ties=(Tie(to="h"), Tie(to="r")),
        held_by=Tie(to="h"),
        met=("h", "r"),
        partner="h",
    )
    seen = Fighter(id="b", side="blue", ties=(Tie(to="r"),), held_by=Tie(to="h"), met=("r",))
    assert left(tied, RED) == seen
    assert left(tied, BLUE) is tied
    assert left(tied, BOTH) is tied


def test_an_array_of_which_nothing_is_left_reads_its_default() -> None:
    assert left(BOB, RED, numbers="hidden").bows is UNSET
    assert left(BOB, RED, numbers="hidden").guns == ()


def test_the_numbers_of_somebody_else_are_those_of_his_side() -> None:
    tied = Fighter(id="r", side="red", ties=(Tie(to="b", strength=4),))
    assert left(tied, RED, numbers="hidden") is tied
    assert left(tied, BLUE, numbers="hidden").ties == (Tie(to="b"),)


@pytest.mark.parametrize(
    ("stream", "knowing"), [(0, (RED, BLUE, OBSERVER)), (1, (RED,)), (2, (BLUE,)), (255, ())]
)
def test_a_die_is_left_to_those_who_may_know_its_stream(
    stream: int, knowing: tuple[Viewer, ...]
) -> None:
    rolled = Fighter(id="b", side="blue", last_roll=Die(stream=stream))
    for viewer in (RED, BLUE, OBSERVER):
        is_left = left(rolled, viewer).last_roll is not UNSET
        assert is_left == (viewer in knowing)


def test_a_unit_is_named_to_those_who_know_of_any_member() -> None:
    mate = Fighter(id="b", side="blue", unit="ghosts")
    assert left(mate, RED).unit is UNSET
    assert left(mate, BLUE) is mate
    known = Fighter(id="b", side="blue", unit="first")
    assert left(known, RED) is known


def test_of_a_field_the_hidden_and_the_game_masters_own_are_gone() -> None:
    ghost = Fighter(id="h", side="blue", hidden=True)
    field = Field(fighters=(BOB, ghost), traps=(1,))
    assert redacted(field, scope(), RED) == Field(fighters=(BOB,))
    assert redacted(field, scope(), BLUE) == Field(fighters=(BOB, ghost))
    assert redacted(field, scope(), GAME_MASTER) is field
    plain = Field(fighters=(BOB, ghost))
    assert redacted(plain, scope(), BLUE) is plain


def test_nothing_is_left_of_what_cannot_be_without_a_hidden_field() -> None:
    gun = Gun(id="gun", range_m=50)
    assert redacted(gun, scope(numbers="hidden"), RED, "blue") is None
    assert redacted(gun, scope(numbers="hidden"), BLUE, "blue") is gun
