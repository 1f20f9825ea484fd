"""SK-INIT: the deck, the draw and the order of the cards.

How this works. A card is its index in the canonical deck, 4 * (rank - 2) + suit, the jokers
behind. The deck is shuffled while it is drawn from: one die of as many sides as cards are left
names the place of the card, and the card that lay first takes that place. So the cards that are
left, as they lie, are all one has to remember.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from service.errors import Refused

SK_INIT_1: Final = "SK-INIT-1"
SK_INIT_3: Final = "SK-INIT-3"
SK_INIT_6: Final = "SK-INIT-6"

AceRank = Literal["high", "low"]

DeckSize = Literal[52, 54]

SUITS: Final = "♠♣♥♦"
"""The suits in the order in which equal ranks act."""

JOKER_RANK: Final = 15
ACE_RANK: Final = 14
BLACK_JOKER: Final = 52

_FACES: Final = {11: "J", 12: "Q", 13: "K", ACE_RANK: "A"}
_SUITED: Final = 52


class Card(NamedTuple):
    """Rank 2 to 15 (J 11, Q 12, K 13, A 14, joker 15) and suit 0 to 3 (jokers: black 0, red 1)."""

    rank: int
    suit: int


def card_order(cards: Mapping[str, int], ace: AceRank) -> tuple[str, ...]:
    """SK-INIT-1: who acts when is decided by the cards drawn.

    Combatants by id with the index of their card, the first to act first.
    Source: «Порядок действий … определяется случайно, путем вытягивания карт из колоды».
    """
    return tuple(sorted(cards, key=lambda each: (-seniority(cards[each], ace), suit(cards[each]))))


def card_of(index: int) -> Card:
    """SK-INIT-2: the card at an index of the canonical deck, 4 * (rank - 2) + suit.

    52 is the black joker and 53 the red one; a deck of 52 has neither.
    Default, not in the source text.
    """
    if index >= _SUITED:
        return Card(JOKER_RANK, index - _SUITED)
    return Card(index // 4 + 2, index % 4)


def card_word(index: int) -> str:
    """A card as it is written: `7♠`, `10♦`, `A♥`, `black_joker`, `red_joker`."""
    if index >= _SUITED:
        return "black_joker" if index == BLACK_JOKER else "red_joker"
    rank, colour = card_of(index)
    return f"{_FACES.get(rank, rank)}{SUITS[colour]}"


def canonical_deck(size: DeckSize) -> tuple[int, ...]:
    """All cards of a deck in their canonical order."""
    return tuple(range(size))


def drawn_card(deck: tuple[int, ...], face: int) -> tuple[int, tuple[int, ...]]:
    """SK-INIT-3: a card is drawn by one die of as many sides as cards are left.

    `deck` are the cards left as they lie. The card, and the cards left after it: the first of
    them lies where the drawn one lay. A die of one side is rolled too.
    Default, not in the source text.
    """
    first, *others = deck
    if face == 1:
        return first, tuple(others)
    drawn = others[face - 2]
    others[face - 2] = first
    return drawn, tuple(others)


def require_cards(left: int, wanted: int) -> None:
    """So many cards must be left before any die is drawn. Raises Refused("deck_exhausted")."""
    if wanted > left:
        raise Refused("deck_exhausted", rule=SK_INIT_3, left=left, wanted=wanted)


def seniority(index: int, ace: AceRank) -> int:
    """SK-INIT-4: the higher rank acts first; a low ace has rank 1 and comes after the 2.

    Source: «старшинство».
    """
    rank = card_of(index).rank
    return 1 if rank == ACE_RANK and ace == "low" else rank


def suit(index: int) -> int:
    """SK-INIT-5: of the same rank spades act first, then clubs, hearts, diamonds.

    Of two jokers the black one; the lower number acts first.
    Source: «первыми ходят черные, следом — красные … ♠️ → ♣️ → ♥️ → ♦️».
    """
    return card_of(index).suit


def order_rules(cards: Iterable[int]) -> tuple[str, ...]:
    """The rules that put these cards into their order: by rank, by suit where ranks are equal."""
    ranks = [card_of(index).rank for index in cards]
    different = len(set(ranks))
    by_rank = ("SK-INIT-4",) if different > 1 else ()
    return (*by_rank, *(("SK-INIT-5",) if different < len(ranks) else ()))


def is_drawn_in(round_: int, *, redraw_each_round: bool) -> bool:
    """SK-INIT-6: one draw serves the whole scene, unless each round has its own full deck.

    Rounds count from 1. Source: «в боевой сцене».
    """
    return round_ == 1 or redraw_each_round
