"""Dice follow the published vectors, are fair, and keep streams and events apart."""

import json
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import hashing
from service.engine.dice.dice import (
    DiceStream,
    Draw,
    EarlierFace,
    NeedFaces,
    RolledFor,
    SealedDice,
    SuppliedDice,
    die_width,
)
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM
from service.engine.vocabulary.values import DrawRun, Roll
from service.errors import Refused
from tests.engine import plain_dice

run = partial(DrawRun, stream=PUBLIC_STREAM)
PUBLISHED: dict[str, Any] = json.loads(plain_dice.VECTORS.read_text(encoding="utf-8"))
KEY = bytes.fromhex(PUBLISHED["dice_key"])


def test_the_published_vectors_are_what_a_plain_reading_of_the_contract_gives() -> None:
    assert plain_dice.vectors() == PUBLISHED


@pytest.mark.parametrize("case", PUBLISHED["dice"], ids=lambda case: case["about"])
def test_a_stream_gives_the_published_faces(case: dict[str, Any]) -> None:
    stream = DiceStream(KEY, case["seq"], case["stream"])
    assert [stream.face(sides) for sides in case["sides"]] == case["faces"]


def test_the_key_of_the_dice_is_the_published_one() -> None:
    seed = bytes.fromhex(PUBLISHED["seed"])
    given_values = tuple(bytes.fromhex(value) for value in PUBLISHED["contributions"])
    encounter = PUBLISHED["encounter"]
    assert hashing.commitment(seed) == PUBLISHED["commitment"]
    assert hashing.dice_key(seed, encounter, hashing.entropy(given_values)) == KEY
    alone = hashing.dice_key(seed, encounter, hashing.entropy(()))
    assert alone.hex() == PUBLISHED["dice_key_without_contributions"]
    block = hashing.stream_block(KEY, 3, 0, 0)
    assert block.hex() == PUBLISHED["first_block_of_event_3_stream_0"]


def test_the_vectors_hold_a_rejection_a_block_border_and_three_streams() -> None:
    cases = PUBLISHED["dice"]
    sizes = {sides for case in cases for sides in case["sides"]}
    assert {1, 6, 20, 100, 255, 256, 257} <= sizes
    assert any(case["rejected"] for case in cases if case["sides"][0] == 255)
    assert any(case["bytes_read"] > 32 for case in cases)
    assert {case["stream"] for case in cases} == {0, 1, 255}


@given(
    st.binary(min_size=32, max_size=32),
    st.integers(1, 2**31 - 1),
    st.integers(0, 255),
    st.lists(st.integers(1, 65_536), max_size=20),
)
def test_any_stream_is_what_a_plain_reading_of_the_contract_gives(
    key: bytes, seq: int, number: int, sizes: list[int]
) -> None:
    stream = DiceStream(key, seq, number)
    assert [stream.face(sides) for sides in sizes] == plain_dice.faces(key, seq, number, sizes)[0]


@pytest.mark.parametrize(
    ("sides", "width"), [(1, 1), (2, 1), (255, 1), (256, 1), (257, 2), (65_535, 2), (65_536, 2)]
)
def test_a_die_takes_the_fewest_bytes_that_hold_its_sides(sides: int, width: int) -> None:
    assert die_width(sides) == width


@pytest.mark.parametrize("sides", [-1, 0, 65_537])
def test_there_is_no_die_of(sides: int) -> None:
    with pytest.raises(ValueError, match="a die has 1 to 65536 sides"):
        die_width(sides)


@pytest.mark.parametrize("sides", [2, 6, 20, 100, 129, 257])
def test_every_face_is_equally_likely(sides: int) -> None:
    stream = DiceStream(KEY, 1, 0)
    each = 400 if sides <= 20 else 60
    counts = Counter(stream.face(sides) for _ in range(each * sides))
    assert set(counts) == set(range(1, sides + 1))
    # Chi-square in whole numbers. Its mean is sides - 1, its variance twice that; the bound is six
    # standard deviations, and the stream is fixed, so this either holds for ever or never.
    times_each = sum((counts[face] - each) ** 2 for face in range(1, sides + 1))
    excess = times_each - each * (sides - 1)
    assert excess < 0 or excess**2 < each**2 * 36 * 2 * (sides - 1)


def test_a_hidden_draw_never_shifts_a_public_one() -> None:
    alone = SealedDice(KEY, 3)
    public = alone.roll(3, 6, "attack").faces
    mixed = SealedDice(KEY, 3)
    first = mixed.roll(1, 6, "attack").faces
    mixed.roll(5, 20, "sniff", stream=GM_STREAM)
    mixed.roll(2, 6, "initiative", stream=1)
    assert first + mixed.roll(2, 6, "attack").faces == public


def test_draws_are_remembered_in_order_and_numbered_within_their_streams() -> None:
    dice = SealedDice(KEY, 3)
    dice.roll(1, 6, "attack", combatant="ann")
    dice.roll(1, 20, "sniff", stream=GM_STREAM)
    dice.roll(1, 6, "damage")
    assert [(d.stream, d.number, d.purpose) for d in dice.draws] == [
        (0, 1, "attack"),
        (255, 1, "sniff"),
        (0, 2, "damage"),
    ]
    assert dice.draws[0] == Draw(
        stream=0, number=1, sides=6, face=5, purpose="attack", combatant="ann"
    )


def test_no_dice_are_no_draws() -> None:
    dice = SealedDice(KEY, 3)
    assert dice.roll(0, 6, "nothing") == Roll(sides=6, faces=(), total=0)
    assert dice.draws == []


def test_a_roll_names_its_draws_by_stream_and_number() -> None:
    dice = SealedDice(KEY, 3)
    dice.roll(2, 6, "attack")
    dice.roll(1, 20, "sniff", stream=GM_STREAM)
    roll = dice.roll(2, 6, "damage")
    faces = tuple(draw.face for draw in dice.draws[3:])
    named = (DrawRun(stream=PUBLIC_STREAM, number=3),)
    assert roll == Roll(sides=6, faces=faces, total=sum(faces), draws=named)


# --- the table's own dice -------------------------------------------------------------------------


def test_faces_of_the_table_are_taken_in_draw_order() -> None:
    dice = SuppliedDice((3, 6, 20), 3)
    assert dice.roll(2, 6, "attack").faces == (3, 6)
    assert dice.roll(1, 20, "check", stream=GM_STREAM).faces == (20,)
    dice.finish()
    assert [(d.stream, d.number, d.face) for d in dice.draws] == [
        (0, 1, 3),
        (0, 2, 6),
        (255, 1, 20),
    ]


def test_faces_that_are_missing_are_asked_for_and_nothing_is_drawn() -> None:
    dice = SuppliedDice((3, 6), 3)
    with pytest.raises(NeedFaces) as need:
        dice.roll(5, 6, "attack", combatant="ann")
    assert (need.value.count, need.value.sides, need.value.purpose) == (3, 6, "attack")
    assert need.value.combatant == "ann"
    assert dice.draws == []


@pytest.mark.parametrize("face", [-1, 0, 7])
def test_an_impossible_face_is_refused_with_its_die(face: int) -> None:
    dice = SuppliedDice((3, face), 3)
    with pytest.raises(Refused) as refusal:
        dice.roll(2, 6, "attack")
    assert refusal.value.code == "impossible_face"
    assert refusal.value.params == {"purpose": "attack", "sides": 6, "face": face, "die": 2}


def test_faces_left_over_are_refused() -> None:
    dice = SuppliedDice((3, 6, 1), 3)
    dice.roll(2, 6, "attack")
    with pytest.raises(Refused) as refusal:
        dice.finish()
    assert refusal.value.code == "too_many_faces"
    assert refusal.value.params == {"supplied": 3, "needed": 2, "purpose": "attack", "sides": 6}


def test_faces_of_earlier_answers_come_first_and_are_not_drawn_again() -> None:
    earlier = EarlierFace(3, run(number=1, seq=2)), EarlierFace(6, run(number=2, seq=2))
    dice = SuppliedDice((5,), 3, earlier=earlier)
    named = (run(number=1, seq=2),)
    assert dice.roll(2, 6, "attack") == Roll(sides=6, faces=(3, 6), total=9, draws=named)
    assert dice.roll(1, 6, "damage") == Roll(sides=6, faces=(5,), total=5, draws=(run(number=1),))
    assert dice.draws == [Draw(stream=0, number=1, sides=6, face=5, purpose="damage")]
    assert (dice.faces, dice.supplied) == ((5,), 1)


def test_a_roll_may_begin_with_kept_faces_and_end_with_new_ones() -> None:
    dice = SuppliedDice((5, 1), 3)
    dice.use_first((EarlierFace(3, run(number=4, seq=2)),))
    named = (run(number=4, seq=2, count=1), run(number=1, count=2))
    assert dice.roll(3, 6, "attack") == Roll(sides=6, faces=(3, 5, 1), total=9, draws=named)
    assert [(d.number, d.face) for d in dice.draws] == [(1, 5), (2, 1)]


ATTACK = RolledFor("attack", 6, "ann")
DAMAGE = RolledFor("damage", 6, "ann")


def test_what_earlier_faces_were_taken_for_is_remembered_also_where_more_are_needed() -> None:
    draws = run(number=1, seq=2), run(number=2, seq=2), run(number=1, seq=4)
    earlier = tuple(map(EarlierFace, (3, 6, 2), draws))
    dice = SuppliedDice((), 5, earlier=earlier)
    dice.roll(2, 6, "attack", combatant="ann")
    assert dice.earlier == earlier[2:]
    with pytest.raises(NeedFaces):
        dice.roll(3, 6, "damage", combatant="ann")
    kinds = (ATTACK, ATTACK, DAMAGE)
    assert dice.taken == tuple(map(EarlierFace, (3, 6, 2), draws, kinds))
    assert dice.earlier == ()


def test_earlier_faces_of_a_kind_serve_rolls_of_that_kind_only_and_new_ones_the_others() -> None:
    draws = run(number=1, seq=2), run(number=2, seq=2), run(number=1, seq=4)
    earlier = tuple(map(EarlierFace, (3, 6, 2), draws, (ATTACK, ATTACK, DAMAGE)))
    dice = SuppliedDice((8, 1), 5, earlier=earlier)
    assert dice.roll(1, 8, "attack", combatant="ann").faces == (8,)
    assert dice.roll(1, 6, "attack", combatant="bob").faces == (1,)
    named = (run(number=1, seq=2),)
    roll = dice.roll(1, 6, "attack", combatant="ann")
    assert roll == Roll(sides=6, faces=(3,), total=3, draws=named)
    with pytest.raises(NeedFaces) as need:
        dice.roll(3, 6, "damage", stream=GM_STREAM, combatant="ann")
    asked = need.value
    assert (asked.count, asked.sides, asked.purpose) == (2, 6, "damage")
    assert (asked.combatant, asked.stream) == ("ann", GM_STREAM)
    assert dice.taken == (earlier[0], earlier[2])
    assert dice.earlier == (earlier[1],)
    dice.finish()
    assert [(draw.face, draw.combatant) for draw in dice.draws] == [(8, "ann"), (1, "bob")]


@pytest.mark.parametrize(
    ("kept", "asked", "joined"), [(1, 0, 1), (0, 1, 1), (1, 1, 1), (1, 2, 255), (255, 1, 255)]
)
def test_new_faces_of_a_roll_that_some_may_not_know_are_not_for_them_either(
    kept: int, asked: int, joined: int
) -> None:
    dice = SuppliedDice((5,), 3, earlier=(EarlierFace(3, run(number=1, stream=kept, seq=2)),))
    roll = dice.roll(2, 6, "attack", stream=asked)
    new = run(number=1, stream=joined, count=1)
    assert roll.draws == (run(number=1, stream=kept, seq=2, count=1), new)
    assert [(draw.stream, draw.number) for draw in dice.draws] == [(joined, 1)]


def test_faces_that_wait_with_their_action_are_draws_of_the_question() -> None:
    dice = SuppliedDice((3, 6), 7)
    dice.roll(2, 6, "attack", combatant="ann")
    named = (run(number=1, stream=2),)
    assert dice.set_aside(2) == Roll(sides=6, faces=(3, 6), total=9, draws=named)
    assert dice.draws == [
        Draw(stream=2, number=1, sides=6, face=3, purpose="attack", combatant="ann"),
        Draw(stream=2, number=2, sides=6, face=6, purpose="attack", combatant="ann"),
    ]
