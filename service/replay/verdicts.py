"""What an audit says: one verdict per event, and a report over all of them; wire types."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.answers import Undoing
from service.engine.vocabulary import DiceMode

Ruling = Literal[
    "match",
    "mismatch",
    "sealed_mismatch",
    "refused",
    "override",
    "unavailable",
    "erased",
    "sealed",
]
"""`match`: the rules give exactly this event. `mismatch`: they give another, or the chain is
broken. `sealed_mismatch`: the difference lies in a part that not everyone may read. `refused`:
the rules would not have allowed it. `override`: the GM's change, taken as given, the rest decided
again. `unavailable`: this build does not know the ruleset version, or the state before could not
be read. `erased`: as `match`, its free text is gone. `sealed`: not every part up to here is at
hand, so only chain, commitments, visible draws and visible effects were checked."""

RULINGS: Final[tuple[Ruling, ...]] = (
    "match",
    "override",
    "erased",
    "sealed",
    "mismatch",
    "sealed_mismatch",
    "refused",
    "unavailable",
)
"""All rulings, the good ones first."""

FAULTS: Final[frozenset[Ruling]] = frozenset({"mismatch", "sealed_mismatch", "refused"})
"""Rulings that say something is wrong."""

Broken = Literal["hash", "chain", "commitment", "canonical", "entitlement"]
"""Which of the seals does not hold: the event's hash, its place behind the event before, a part
against its commitment, the form of the bytes, or which parts the bundle should hold."""


class EventVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on one event.

    `path` is where it first differs (`$` is the event, `hash` and `parts` stand beside it),
    `stored` and `recomputed` are the two values there, absent where there is none. `code`, `rule`
    and `params` say why the rules refuse it. `broken` names seals that do not hold. `undoing` tells
    of a rewind what it undid, as the reader may see it.
    """

    seq: int
    verdict: Ruling
    path: str | UnsetType = UNSET
    stored: Raw | UnsetType = UNSET
    recomputed: Raw | UnsetType = UNSET
    code: str | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    params: Mapping[str, object] | UnsetType = UNSET
    broken: tuple[Broken, ...] = ()
    undoing: Undoing | UnsetType = UNSET


class Problem(Struct, frozen=True, kw_only=True):
    """Something wrong with the log or the bundle as a whole, not with one event.

    `code` is one of `header_differs`, `seed_does_not_fit`, `seed_missing`, `secret_missing`,
    `head_differs`, `rows_beyond_head`, `receipt_forged`, `receipt_of_unknown_key`,
    `receipt_of_another_encounter`, `receipt_beyond_head`, `receipt_differs`, `key_differs`,
    `erased_without_event`,
    `snapshot_differs`.
    """

    code: str
    where: str
    stored: str | UnsetType = UNSET
    expected: str | UnsetType = UNSET


ReceiptRuling = Literal[
    "held", "forged", "of_unknown_key", "of_another_encounter", "beyond_head", "differs"
]
"""`held`: the log has just this event. `forged`: no signature of the key it names.
`of_unknown_key`: it names a key that is not known here, so nobody can tell. `beyond_head`: the log
does not reach so far any more. `differs`: another event stands in its place."""


class ReceiptVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on one receipt that a client kept, as `seq` and `hash` tell it.

    `found` is what the log has instead: its last seq, or `seq-hash`.
    """

    seq: int
    hash: str
    verdict: ReceiptRuling
    found: str | UnsetType = UNSET


class DieStatistics(Struct, frozen=True, kw_only=True):
    """What one seat's dice of one size came to, over the draws that the reader may see.

    `seat` is `gm` for a key by itself and for the service. `faces` counts each face from 1 up; it
    is absent for dice of more than 100 sides.
    """

    seat: str
    sides: int
    count: int
    total: int
    faces: tuple[int, ...] | UnsetType = UNSET


class DiceReport(Struct, frozen=True, kw_only=True):
    """How far the dice of this battle can be trusted.

    `fairness`: `verified` (every draw was made again from the seed and fits), `sealed` (the seed is
    not revealed yet), `not_verified` (the table rolled its own dice, or the audit failed).
    `grindable`: nobody contributed, or the creator gave the seed, so whoever held it could have
    chosen it for its dice. Only `last_contributor` together with a holder of the seed could have.
    """

    mode: DiceMode
    seed: Literal["os", "given"]
    fairness: Literal["verified", "sealed", "not_verified"]
    grindable: bool
    last_contributor: str | UnsetType = UNSET
    draws: int
    statistics: tuple[DieStatistics, ...]


class Report(Struct, frozen=True, kw_only=True):
    """An audit of a whole log; `clean` means that nothing in it is wrong or unavailable.

    `first_failure` is the first verdict that is neither good nor `sealed`. `receipt` tells whether
    the signature over the head is genuine, where there was one to look at; `receipts` are the
    verdicts on those that a client brought, in their order. A warning is
    `log_can_be_rewritten`: the service's database role could change the log.
    """

    encounter: str
    ruleset: str
    version: str
    viewer: Literal["gm", "sides", "observer"]
    head: int
    hash: str
    clean: bool
    counts: Mapping[Ruling, int]
    first_failure: EventVerdict | UnsetType = UNSET
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    receipt: Literal["genuine", "forged"] | UnsetType = UNSET
    receipts: tuple[ReceiptVerdict, ...] | UnsetType = UNSET
    dice: DiceReport | UnsetType = UNSET
    verdicts: Annotated[tuple[EventVerdict, ...], Meta(description="One per event, in order.")]
