"""Luck: how rolls came out against the odds that a preview would have shown; wire types."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from service.replay.report.chances import Ratio, Remark, TailChance

LeftOut = Literal[
    "unknown",
    "no_preview",
    "no_odds",
    "not_yours",
    "override",
    "sealed",
    "withheld",
    "too_many",
]
"""Why an event with dice, or one of the rolls that it makes for several, was left out. `unknown`:
something was hidden that decides. `no_preview`: the preview of its action tells no odds. `no_odds`:
it ended in a way that the preview gives no odds of: its foremost roll was wasted, or its way was
barred. `not_yours`: the reader could not have asked for the action. `override`: the game master's
change. `sealed`: the state before is not at hand, or the event does not hold. `withheld`: of the
state before, or of the event, the bundle does not tell what the preview looks at. `too_many`: so
many rolls are not looked at."""


class SeatLuck(Struct, frozen=True, kw_only=True):
    """The rolls of one seat whose odds were known before: the foremost one of each action, and the
    save of each whom an area effect reaches.
    """

    seat: str
    """Seat that asked for the actions; `gm` for API keys by themselves and for the service."""
    rolls: int
    """How many rolls have known odds."""
    purposes: Mapping[str, int]
    """How many of them were made for what: `attack`, `reflex` or the name of a check."""
    undone: int
    """How many of them belong to events that were undone since: made they were all the same."""
    successes: int
    """How many succeeded for whoever asked: an attack that hits, a check that is passed, an answer
    that keeps an attack off, a save against one's own area effect that fails."""
    expected: Ratio
    """How many were to be expected: the sum of the chances."""
    chance: TailChance | UnsetType = UNSET
    """How often chance alone is as far off, either way; absent for fewer than 30 rolls, which are
    too few to say. Read it with `remark`."""
    left_out: Mapping[LeftOut, int]
    """How many events with dice, or rolls for one of several, were left out, by the reason:
    `unknown` (hidden things decide), `no_preview` (a preview tells no odds), `no_odds` (it ended in
    a way that has none, such as a wasted shot), `not_yours` (not the reader's to preview),
    `override`, `sealed` (the state before is not at hand or the event does not hold), `withheld`
    (the bundle does not tell what the preview looks at), `too_many`."""
    further: Mapping[str, int]
    """What else was rolled in the events that count, by purpose, such as `damage`: whether it is
    rolled, or what for, follows from the rolls before it, so that a preview tells no odds of it by
    itself."""


class LuckReport(Struct, frozen=True, kw_only=True):
    """Luck as far as the reader could have known the odds before each roll."""

    seats: tuple[SeatLuck, ...]
    """Each seat that threw dice which the reader may see."""
    readers: tuple[str, ...] | UnsetType = UNSET
    """Of a bundle that lacks parts the seats of players by whose previews odds are told, as long as
    it holds all that they could see. Absent where the reader is known, or the game master."""
    remark: Remark
    """What these numbers say, and what they do not."""
