"""The terms of a battle: what the rules find in them, and what they refuse."""

import pytest
from msgspec import Struct

from service.engine.battle.terms import NO_TERMS, Terms

DIGEST = "5d" * 32


class Readings(Struct, frozen=True):
    is_strict: bool = False


class Others(Struct, frozen=True):
    is_strict: bool = True


def test_a_blob_is_found_by_its_digest_as_what_it_is() -> None:
    terms = NO_TERMS.with_blobs({DIGEST: ("#",)})
    assert terms.find(DIGEST, tuple) == ("#",)
    with pytest.raises(TypeError, match="is no dict"):
        terms.find(DIGEST, dict)
    with pytest.raises(KeyError, match=DIGEST):
        NO_TERMS.find(DIGEST, tuple)


def test_blobs_that_an_action_brings_join_those_there_are_and_the_readings_stay() -> None:
    before = Terms(blobs={"a": 1}, readings=Readings())
    assert before.with_blobs({"b": 2}) == Terms(blobs={"a": 1, "b": 2}, readings=Readings())
    assert before.blobs == {"a": 1}


def test_readings_of_another_rulebook_are_refused() -> None:
    assert Terms(blobs={}, readings=Readings()).read_as(Readings) == Readings()
    for strange in (Others(), None):
        with pytest.raises(TypeError, match="instead of Readings"):
            Terms(blobs={}, readings=strange).read_as(Readings)
