"""SK-INIT: deck, draw and order."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from service.errors import Refused
from service.rulesets.seeker_d100.rules.initiative import (
    AceRank,
    Card,
    DeckSize,
    canonical_deck,
    card_of,
    card_order,
    card_word,
    drawn_card,
    is_drawn_in,
    order_rules,
    require_cards,
    seniority,
    suit,
)
from tests.rulesets.seeker_d100.reducer import RULE, card
from tests.rulesets.seeker_d100.setups import RULESET


def drawn(faces: tuple[int, ...], size: DeckSize = 52) -> list[int]:
    """The cards of these dice, one after another."""
    deck, cards = canonical_deck(size), []
    for face in faces:
        card, deck = drawn_card(deck, face)
        cards.append(card)
    return cards


def order(faces: tuple[int, ...], size: DeckSize = 52, ace: AceRank = "high") -> str:
    """Who acts when, for combatants a, b, c, ..."""
    return "".join(card_order(dict(zip("abcdefgh", drawn(faces, size), strict=False)), ace))


@pytest.mark.rule("SK-INIT-2")
@pytest.mark.parametrize(
    ("index", "card", "word"),
    [
        (0, Card(2, 0), "2♠"),
        (1, Card(2, 1), "2♣"),
        (3, Card(2, 3), "2♦"),
        (4, Card(3, 0), "3♠"),
        (23, Card(7, 3), "7♦"),
        (35, Card(10, 3), "10♦"),
        (36, Card(11, 0), "J♠"),
        (41, Card(12, 1), "Q♣"),
        (46, Card(13, 2), "K♥"),
        (48, Card(14, 0), "A♠"),
        (51, Card(14, 3), "A♦"),
        (52, Card(15, 0), "black_joker"),
        (53, Card(15, 1), "red_joker"),
    ],
)
def test_a_card_is_its_place_in_the_canonical_deck(index: int, card: Card, word: str) -> None:
    assert card_of(index) == card
    assert card_word(index) == word


@pytest.mark.rule("SK-INIT-2")
def test_all_cards_differ_and_only_the_larger_deck_has_jokers() -> None:
    assert len({card_of(card) for card in canonical_deck(54)}) == 54
    assert canonical_deck(54)[52:] == (52, 53)
    assert {card_of(card).rank for card in canonical_deck(52)} == set(range(2, 15))


@pytest.mark.rule("SK-INIT-3")
@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((1, 51, 50), ["2♠", "A♦", "2♣"]),
        ((24, 22, 19, 19), ["7♦", "7♥", "7♠", "7♣"]),
        ((49, 1), ["A♠", "2♣"]),
        ((52, 51), ["A♦", "2♠"]),
        ((1, 1, 1), ["2♠", "2♣", "2♥"]),
        ((2, 1, 1), ["2♣", "2♠", "2♥"]),
        ((52, 1, 50), ["A♦", "2♣", "2♠"]),
    ],
)
def test_cards_come_from_the_place_the_die_names(faces: tuple[int, ...], words: list[str]) -> None:
    assert [card_word(card) for card in drawn(faces)] == words


@pytest.mark.rule("SK-INIT-3")
@given(st.tuples(*(st.integers(1, sides) for sides in range(52, 0, -1))))
def test_a_whole_deck_is_drawn_without_a_card_twice(faces: tuple[int, ...]) -> None:
    assert sorted(drawn(faces)) == list(range(52))


@pytest.mark.rule("SK-INIT-3")
@given(st.tuples(*(st.integers(1, sides) for sides in range(54, 34, -1))))
def test_the_draw_is_that_of_swapping_places(faces: tuple[int, ...]) -> None:
    places = list(range(54))
    for k, face in enumerate(faces):
        j = k + face - 1
        places[k], places[j] = places[j], places[k]
    assert drawn(faces, 54) == places[: len(faces)]


@pytest.mark.rule("SK-INIT-3")
def test_every_order_of_three_cards_is_as_likely() -> None:
    deals: Counter[tuple[int, ...]] = Counter()
    for faces in product(range(1, 4), range(1, 3), (1,)):
        deck: tuple[int, ...] = (7, 8, 9)
        cards = []
        for face in faces:
            card, deck = drawn_card(deck, face)
            cards.append(card)
        deals[tuple(cards)] += 1
    assert sorted(deals.values()) == [1] * 6


@pytest.mark.rule("SK-INIT-3")
def test_the_last_card_is_drawn_too_and_then_there_is_none() -> None:
    assert drawn_card((17,), 1) == (17, ())
    require_cards(left=1, wanted=1)
    with pytest.raises(Refused) as refused:
        require_cards(left=1, wanted=2)
    assert (refused.value.code, refused.value.rule) == ("deck_exhausted", "SK-INIT-3")
    assert refused.value.params == {"left": 1, "wanted": 2}


@pytest.mark.rule("SK-INIT-1")
@pytest.mark.parametrize(
    ("faces", "first_to_last"), [((1, 51, 50), "bac"), ((24, 22, 19, 19), "cdba"), ((1, 1), "ab")]
)
def test_the_cards_decide_who_acts_when(faces: tuple[int, ...], first_to_last: str) -> None:
    assert order(faces) == first_to_last


@pytest.mark.rule("SK-INIT-4")
@pytest.mark.parametrize(("ace", "rank", "first_to_last"), [("high", 14, "ab"), ("low", 1, "ba")])
def test_an_ace_is_the_highest_or_below_the_two(
    ace: AceRank, rank: int, first_to_last: str
) -> None:
    assert [seniority(card, ace) for card in (48, 49, 50, 51)] == [rank] * 4
    assert [seniority(card, ace) for card in (0, 47, 52, 53)] == [2, 13, 15, 15]
    assert order((49, 1), ace=ace) == first_to_last


@pytest.mark.rule("SK-INIT-5")
def test_suits_break_ties_from_spades_to_diamonds_and_jokers_from_black_to_red() -> None:
    assert [suit(card) for card in (20, 21, 22, 23)] == [0, 1, 2, 3]
    assert order((24, 22, 19, 19)) == "cdba"
    assert order((54, 52, 48), size=54) == "bac"


@pytest.mark.rule("SK-INIT-6")
@pytest.mark.parametrize(
    ("round_", "redraw", "is_drawn"),
    [(1, False, True), (2, False, False), (1, True, True), (2, True, True), (9, True, True)],
)
def test_cards_are_drawn_for_the_scene_or_for_each_round(
    round_: int, redraw: bool, is_drawn: bool
) -> None:
    assert is_drawn_in(round_, redraw_each_round=redraw) == is_drawn


@pytest.mark.rule("SK-INIT-4", "SK-INIT-5")
@pytest.mark.parametrize(
    ("cards", "rules"),
    [
        ((), ()),
        ((7,), ()),
        ((0, 4), ("SK-INIT-4",)),
        ((0, 1), ("SK-INIT-5",)),
        ((48, 0, 49), ("SK-INIT-4", "SK-INIT-5")),
        ((52, 53), ("SK-INIT-5",)),
        ((51, 52), ("SK-INIT-4",)),
    ],
)
def test_an_order_names_what_it_went_by(cards: tuple[int, ...], rules: tuple[str, ...]) -> None:
    assert order_rules(cards) == rules


def test_the_first_card_begins_a_deck() -> None:
    before = replace(RULE, deck=UNSET)
    assert RULESET.evolve(before, card(52, 52)).deck == (*range(1, 51), 0)
