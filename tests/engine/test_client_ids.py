"""Ids that clients bring, and patterns that a text matches whole."""

import re
from typing import Annotated, Any

import msgspec
import pytest

from service.engine.visibility.audience import MentionId, OtherId, OwnId, SubjectId
from service.engine.vocabulary.client_ids import (
    ONCE,
    RESERVED_IDS,
    UNRESERVED,
    alike,
    require_distinct,
    require_new,
    require_unreserved,
)
from service.engine.vocabulary.patterns import published, whole
from service.engine.vocabulary.values import DecisionId, Digest, Facing, SeatId, SideId, Word
from service.errors import Malformed, Refused
from service.rulesets.crossfire_d6.state import WeaponId
from service.rulesets.seeker_d100.terrain import CoverId
from service.rulesets.seeker_d100.weapons import ItemId
from service.rulesets.seeker_d100.weapons import WeaponId as SeekerWeaponId

BROUGHT: tuple[Any, ...] = (
    *(SubjectId, MentionId, OtherId, OwnId, SeatId),
    *(WeaponId, SeekerWeaponId, ItemId, CoverId),
)
WORDS: tuple[tuple[Any, str], ...] = (
    (SideId, "red"),
    (Word, "prone"),
    (Facing, "NE"),
    (DecisionId, "d1.1"),
    (Digest, "0" * 64),
)


def is_taken(text: str, kind: Any) -> bool:
    try:
        msgspec.convert(text, kind)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("kind", BROUGHT)
def test_an_id_is_what_virtual_tabletops_use(kind: Any) -> None:
    for text in (
        "a",
        "8hRvDPnXGd0Q4ZkM",
        "A" * 64,
        "-",
        "_x",
        "0190a5f0-0000-7000-8000-AbCdEf012345",
    ):
        assert is_taken(text, kind)
    for text in ("", "A" * 65, "a b", "a.b", "a/b", "й", "a\n", "\na", "a\x00", "a;b", '"'):
        assert not is_taken(text, kind)


@pytest.mark.parametrize(("kind", "text"), WORDS)
def test_what_matches_a_pattern_ends_where_it_ends(kind: Any, text: str) -> None:
    assert is_taken(text, kind)
    for more in ("\n", " ", "\r", "\u2028"):
        assert not is_taken(text + more, kind)


def test_words_and_sides_stay_in_lower_case() -> None:
    assert not is_taken("Red", SideId)
    assert not is_taken("Prone", Word)


def test_a_pattern_is_published_as_a_schema_has_it() -> None:
    assert published(whole("[a-z]+")) == "^[a-z]+$"
    schema = msgspec.json.schema(Annotated[str, msgspec.Meta(pattern=whole("[a-z]+"))])
    assert published(schema["pattern"]) == "^[a-z]+$"
    assert re.search(whole("[a-z]+"), "abc\n") is None


def test_ids_that_differ_only_in_case_are_alike() -> None:
    assert alike("Ghoul", ["wolf", "ghoul", "GHOUL"]) == "ghoul"
    assert alike("ghoul2", ["ghoul"]) is None


@pytest.mark.parametrize("word", RESERVED_IDS)
def test_words_of_the_service_are_nobodys_id(word: str) -> None:
    for spelled in (word, word.upper(), word.capitalize()):
        with pytest.raises(Malformed) as refused:
            require_unreserved(spelled, "$.seat.id")
        assert refused.value.params == {"path": "$.seat.id", "allowed": UNRESERVED}
    require_unreserved(f"{word}_1", "$")


def test_each_id_of_a_kind_is_there_once() -> None:
    require_distinct(["a", "b", "A1"], "$.seats")
    with pytest.raises(Malformed) as refused:
        require_distinct(["a", "b", "B"], "$.seats")
    assert refused.value.params == {"path": "$.seats[2].id", "allowed": ONCE}
    with pytest.raises(Malformed) as refused:
        require_distinct(["a", "GM"], "$.held_items", "")
    assert refused.value.params == {"path": "$.held_items[1]", "allowed": UNRESERVED}


def test_a_combatant_comes_in_under_a_new_id() -> None:
    require_new("wolf", ["ghoul"], "$.combatant")
    with pytest.raises(Refused) as refused:
        require_new("Ghoul", ["wolf", "ghoul"], "$.combatant")
    assert refused.value.code == "duplicate_combatant"
    assert refused.value.params == {"combatant": "Ghoul", "taken": "ghoul"}
