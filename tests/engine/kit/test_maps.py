"""A map known by its digest, and the largest one."""

import pytest
from msgspec.structs import replace

from service.engine.battle.terms import NO_TERMS
from service.engine.kit.maps import MAX_BORDERS, MAX_CELLS, MapByDigest, map_of
from service.engine.vocabulary import effects as fx
from tests.engine.kit.battle import battle, state_of

DIGEST, OTHER = "5d" * 32, "a1" * 32


def test_the_largest_map_has_room_for_each_of_its_cells_and_all_their_sides() -> None:
    side = 256
    assert (side * side, 2 * side * (side + 1)) == (MAX_CELLS, MAX_BORDERS)


def test_maps_are_equal_by_their_digest_whatever_is_drawn_on_them() -> None:
    laid = MapByDigest(DIGEST, ("#",))
    assert laid == MapByDigest(DIGEST, ("..",))
    assert laid != MapByDigest(OTHER, ("#",))
    assert laid != DIGEST
    assert {laid: "board"}[MapByDigest(DIGEST, ("..",))] == "board"


def test_the_map_of_a_battle_is_the_one_it_names_and_else_the_bare_one() -> None:
    terms = NO_TERMS.with_blobs({DIGEST: ("#",), OTHER: ("..",)})
    laid = map_of(replace(state_of(battle(map=DIGEST)), terms=terms), ())
    bare = map_of(replace(state_of(battle()), terms=terms), ())
    assert [(each.digest, each.blob) for each in (laid, bare)] == [(DIGEST, ("#",)), ("", ())]


def test_what_is_no_map_is_not_taken_for_one() -> None:
    terms = NO_TERMS.with_blobs({DIGEST: fx.EncounterStarted()})
    with pytest.raises(TypeError, match=DIGEST):
        map_of(replace(state_of(battle(map=DIGEST)), terms=terms), ())
