"""Luck: how rolls came out against the odds that a preview would have shown; wire types."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from service.replay.report.chances import Ratio, Remark, TailChance

LeftOut = Literal["unknown", "no_preview", "not_yours", "override", "sealed", "too_many"]
"""Why an event with dice was left out. `unknown`: something was hidden that decides. `no_preview`:
the preview of its action tells no odds of it. `not_yours`: the reader could not have asked for the
action. `override`: the game master's change. `sealed`: the state before is not at hand, or the
event does not hold. `too_many`: so many rolls are not looked at."""


class SeatLuck(Struct, frozen=True, kw_only=True):
    """The rolls of one seat: the foremost one of each action, where its odds were known before."""

    seat: str
    """Seat that asked for the actions; `gm` for API keys by themselves and for the service."""
    rolls: int
    """How many rolls have known odds."""
    undone: int
    """How many of them belong to events that were undone since: made they were all the same."""
    successes: int
    """How many succeeded for whoever asked: an attack that hits, a check that is passed, an answer
    that keeps an attack off."""
    expected: Ratio
    """How many were to be expected: the sum of the chances."""
    chance: TailChance | UnsetType = UNSET
    """How often chance alone is as far off, either way; absent for fewer than 30 rolls, which are
    too few to say. Read it with `remark`."""
    left_out: Mapping[LeftOut, int]
    """How many events with dice were left out, by the reason: `unknown` (hidden things decide),
    `no_preview` (a preview tells no odds of it), `not_yours` (not the reader's to preview),
    `override`, `sealed` (the state before is not at hand or the event does not hold), `too_many`.
    """


class LuckReport(Struct, frozen=True, kw_only=True):
    """Luck as far as the reader could have known the odds before each roll."""

    seats: tuple[SeatLuck, ...]
    """Each seat that threw dice which the reader may see."""
    remark: Remark
    """What these numbers say, and what they do not."""
