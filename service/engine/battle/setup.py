"""What the service adds to a creation: ids, digests and the commitment, as plain values."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.linear import Seat
from service.engine.vocabulary.values import DiceMode, Digest, Side


class Header(Struct, frozen=True, kw_only=True):
    """The terms of event 1 that every ruleset shares.

    `digests` name the ruleset's blobs in the order its `blobs` function returns them.
    """

    dice: DiceMode
    commitment: Digest
    seed: str
    sides: tuple[Side, ...]
    seats: tuple[Seat, ...]
    reveal_by_days: int
    digests: tuple[Digest, ...] = ()
    title: str | UnsetType = UNSET
    metadata: str | UnsetType = UNSET
