"""What an audit says: one verdict per event, and a report over all of them; wire types."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.undone_events import Undoing
from service.engine.vocabulary.values import DiceMode, ForkOf
from service.replay.report.chances import Ratio, Remark, TailChance
from service.replay.report.differences import DrawDifference
from service.replay.report.interventions import Override, Rewinding
from service.replay.report.luck import LuckReport

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
    """Event that is judged."""
    verdict: Ruling
    """`match`: the rules give just this event. `mismatch`: they give another, or a seal is broken.
    `sealed_mismatch`: it differs in a part not open to all. `refused`: the rules forbid it.
    `override`: the game master's change, its consequences decided again. `unavailable`: cannot be
    judged here. `erased`: as `match`, free text gone. `sealed`: not all parts are at hand, the rest
    agrees."""
    path: str | UnsetType = UNSET
    """Where it first differs: `$` is the event, such as `$.effects[0].roll`; `hash` and `parts`
    stand beside it. Absent where nothing differs."""
    stored: Raw | UnsetType = UNSET
    """Value that the log has there; absent where it has none. Of one longer than 500 bytes a string
    with its beginning."""
    recomputed: Raw | UnsetType = UNSET
    """Value that the rules give there, shortened likewise; absent where they give none."""
    draw: DrawDifference | UnsetType = UNSET
    """First die that differs, whatever else does; absent where no die does."""
    code: str | UnsetType = UNSET
    """Code of the refusal, or why the event is `unavailable`; absent otherwise."""
    rule: str | UnsetType = UNSET
    """Rule that forbids it; absent where no rule is named."""
    params: Mapping[str, object] | UnsetType = UNSET
    """Parameters of the refusal by name; absent where there is no refusal."""
    broken: tuple[Broken, ...] = ()
    """Seals that do not hold: `hash` of the event, its place in the `chain`, a part's `commitment`,
    the `canonical` form of the bytes, `entitlement` to the parts held."""
    undoing: Undoing | UnsetType = UNSET
    """What a rewind undid and brought back; absent for any other event."""
    undone_by: int | UnsetType = UNSET
    """Rewind since which this event does not count; absent where it counts at the head. What never
    rewinds stays all the same, such as seats and notes."""


Progress = Callable[[EventVerdict], None]
"""Is told each event as it was judged."""


class LogProblem(Struct, frozen=True, kw_only=True):
    """Something wrong with the log or the bundle as a whole, not with one event.

    `code` is one of `header_differs`, `seed_does_not_fit`, `seed_missing`, `secret_missing`,
    `head_differs`, `rows_beyond_head`, `receipt_forged`, `receipt_of_unknown_key`,
    `receipt_of_another_encounter`, `receipt_beyond_head`, `receipt_differs`, `kept_beyond_head`,
    `kept_differs`, `key_differs`, `key_id_differs`, `erased_without_event`, `unnamed_blob`,
    `blob_order`, `snapshot_differs`.
    """

    code: str
    """What is wrong, such as `head_differs`, `seed_does_not_fit` or `receipt_forged`."""
    where: str
    """Where it was found, such as `seed`, `head`, `snapshot 40` or `receipts[0]`."""
    stored: str | UnsetType = UNSET
    """What stands there; absent where no value can be told."""
    expected: str | UnsetType = UNSET
    """What should stand there; absent where no value can be told."""


ReceiptRuling = Literal[
    "held", "forged", "of_unknown_key", "of_another_encounter", "beyond_head", "differs"
]
"""`held`: the log has just this event. `forged`: no signature of the key it names.
`of_unknown_key`: it names a key that is not known here, so nobody can tell. `beyond_head`: the log
does not reach so far any more. `differs`: another event stands in its place."""


SignerRuling = Literal["trusted", "unknown", "wrong"]
"""`trusted`: with a key that the reader has from elsewhere. `unknown`: with one that only the
bundle names, which proves nothing. `wrong`: not with one of those that the reader demanded."""


class ReceiptVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on one receipt that a client kept, as `seq` and `hash` tell it.

    `found` is what the log has instead: its last seq, or `seq-hash`.
    """

    seq: int
    """Event that the receipt is for."""
    hash: str
    """Hash that the receipt has of it."""
    verdict: ReceiptRuling
    """`held`: the log has just this event. `forged`: the named key did not sign it.
    `of_unknown_key`: the key is not known here. `of_another_encounter`: it is for another log.
    `beyond_head`: the log ends before. `differs`: another event stands there."""
    found: str | UnsetType = UNSET
    """What the log has instead: its last seq where the log ends before, `seq-hash` where another
    event stands there. Absent otherwise."""


class DieStatistics(Struct, frozen=True, kw_only=True):
    """What one seat's dice of one size came to, over the draws that the reader may see.

    `seat` is `gm` for a key by itself and for the service. `faces` counts each face from 1 up; it
    is absent for dice of more than 100 sides.
    """

    seat: str
    """Seat that asked for the events; `gm` for API keys by themselves and for the service."""
    sides: int
    """Sides of the dice."""
    count: int
    """How many were drawn."""
    undone: int
    """How many of them belong to events that were undone since: thrown they were all the same."""
    total: int
    """Sum of their faces."""
    mean: Ratio
    """Their mean: `total` by `count`."""
    expected: Ratio
    """The mean of a fair die of this size."""
    chance: TailChance | UnsetType = UNSET
    """How often the mean of so many fair dice is as far off as this one; absent for fewer than 30,
    which are too few to say. Read it with `remark`: of many kinds of dice some are far off."""
    faces: tuple[int, ...] | UnsetType = UNSET
    """How often each face came up, from face 1; absent for dice of more than 100 sides."""


class ToldAgain(Struct, frozen=True, kw_only=True):
    """Dice that a later event tells again, where the reader does not see that its action waited."""

    seq: int
    """Event that has the draws."""
    dice: int
    """How many of them are told again so."""


class DiceReport(Struct, frozen=True, kw_only=True):
    """How far the dice of this battle can be trusted.

    `fairness`: `verified` (every visible draw of this log was made again from the seed and fits),
    `sealed` (the seed is not revealed yet), `not_verified` (the table rolled its own dice, or the
    audit failed).
    `grindable`: nobody contributed, or the creator gave the seed, so whoever held it could have
    chosen it for its dice. Only `last_contributor` together with a holder of the seed could have.
    """

    mode: DiceMode
    """`sealed`: the service drew the dice. `supplied`: the table rolled its own."""
    seed: Literal["os", "given", "unknown"]
    """Where the seed came from: `os` made by the service, `given` by the creator, `unknown` where a
    forged event 1 has another word."""
    fairness: Literal["verified", "sealed", "not_verified"]
    """`verified`: every visible draw was made again from the seed. `sealed`: the seed is not
    revealed yet. `not_verified`: the table rolled its own dice, or the audit failed."""
    grindable: bool
    """True where nobody contributed or the creator gave the seed: whoever held the seed could have
    chosen it for its dice."""
    last_contributor: str | UnsetType = UNSET
    """Seat that contributed last, which together with a holder of the seed could have chosen the
    dice; absent where nobody contributed."""
    draws: int
    """Dice that the reader may see."""
    checked: int
    """How many of them were drawn again from the seed and fit, whatever else is wrong; none of
    `taken_up`, and none where the seed is not at hand or the table rolled its own dice."""
    taken_up: int
    """How many of them belong to the log that a fork continues: no seed of this log gives them.
    They are told by what waited there and by rolls that stand."""
    told_again: tuple[ToldAgain, ...] = ()
    """Dice that are told again by an event whose action the reader does not see: that it waited for
    them was not checked. By the events that have the draws."""
    statistics: tuple[DieStatistics, ...]
    """What those dice came to, by seat and then by sides of the die."""
    remark: Remark | UnsetType = UNSET
    """What these statistics say, and what they do not; absent where no dice can be seen."""


class Report(Struct, frozen=True, kw_only=True):
    """An audit of a whole log; `clean` means that nothing in it is wrong or unavailable.

    `first_failure` is the first verdict that is neither good nor `sealed`. `receipt` tells whether
    the signature over the head is genuine, where there was one to look at, `signer` whose it is;
    `receipts` and `heads` are the verdicts on those that a client brought, in their order. A
    warning is `log_can_be_rewritten`: the service's database role could change the log.
    """

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version of the ruleset that decided its events."""
    viewer: Literal["gm", "sides", "observer"]
    """Whose eyes it was made with: `gm`, a player of some `sides`, or an `observer`."""
    head: int
    """Last event audited."""
    hash: str
    """Hash of that event; compare it with a receipt."""
    clean: bool
    """True where no event is wrong or `unavailable` and there are no problems."""
    counts: Mapping[Ruling, int]
    """How often each verdict was given; those never given are left out."""
    first_failure: EventVerdict | UnsetType = UNSET
    """First verdict that says wrong or `unavailable`; absent where there is none."""
    problems: tuple[LogProblem, ...] = ()
    """What is wrong with the log or bundle as a whole."""
    warnings: tuple[str, ...] = ()
    """`log_can_be_rewritten`: the service's database role could change the log. `clock_went_back`:
    an event says of itself that it is older than the one before it. `clock_was_ahead`: `at` of an
    event is 5 seconds or more after the database stored it; never in the audit of a bundle."""
    withheld_parts: int
    """Parts that are not at hand, such as facts of another side: only their commitments are. They
    were not checked."""
    erased_texts: int
    """Texts that the reader could have read and that were erased since; they were not checked."""
    receipt: Literal["genuine", "forged"] | UnsetType = UNSET
    """Whether the signature over a bundle's head is genuine; absent for a stored log."""
    signer: SignerRuling | UnsetType = UNSET
    """Whose key signed a bundle's head. `trusted`: one that the reader has from elsewhere.
    `unknown`: one that only the bundle names, so whoever forged it could have signed. `wrong`: none
    of those demanded. Absent for a stored log."""
    receipts: tuple[ReceiptVerdict, ...] | UnsetType = UNSET
    """A verdict on each receipt that the client sent, in their order; absent without any."""
    heads: tuple[ReceiptVerdict, ...] | UnsetType = UNSET
    """A verdict on each head that the reader noted, in their order; absent without any."""
    overrides: tuple[Override, ...] = ()
    """Every override that the reader may know of, in order."""
    rewinds: tuple[Rewinding, ...] = ()
    """Every rewind, in order."""
    dice: DiceReport | UnsetType = UNSET
    """How far the dice can be trusted; absent where event 1 cannot be read."""
    fork_of: ForkOf | UnsetType = UNSET
    """Event of another encounter that this one continues: how the battle stood there is taken as
    event 1 states it. Absent for a battle that began here."""
    luck: LuckReport | UnsetType = UNSET
    """How rolls came out against the odds that the reader could have known; absent unless it was
    asked for."""
    verdicts: Annotated[tuple[EventVerdict, ...], Meta(description="One per event, in order.")]
