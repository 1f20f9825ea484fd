"""What verifying comes to; absent fields are None.

Encoded as JSON by msgspec a report is that of the JavaScript client.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warlog.verifier.receipts import Head, KeptVerdict

Signer: TypeAlias = Literal["trusted", "unknown", "wrong", "none"]


class Progress(Struct, frozen=True, kw_only=True):
    """How much was judged so far."""

    bytes: int
    lines: int
    events: int


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A difference. Of an event it has `line`, `seq` and `path`, of the whole log `where`.

    `code` is the word of the specification, such as `hash`, `draws`, `receipt_forged`; `detail` is
    what is there and what belongs there, in the language that was asked for.
    """

    code: str
    line: int | None = None
    seq: int | None = None
    path: str | None = None
    where: str | None = None
    detail: str


class Remark(Struct, frozen=True, kw_only=True):
    """What is no difference: `clock_went_back`."""

    code: str
    count: int


class BundleSummary(Struct, frozen=True, kw_only=True):
    """What the header says."""

    encounter: str
    ruleset: str
    version: str
    viewer: str


class SigningKey(Struct, frozen=True, kw_only=True):
    """The key that the seal names."""

    id: str
    public_key: str


class ToldAgain(Struct, frozen=True, kw_only=True):
    """So many dice of event `seq` that a later one tells again whose action is not shown."""

    seq: int
    dice: int


class DiceReport(Struct, frozen=True, kw_only=True):
    """`visible` dice are those that the bundle shows, `checked` those drawn again that fit,
    whatever else is wrong.

    `taken_up` of them belong to the log that a fork continues: no seed of this log gives them.
    That an action waited for those of `told_again` was not checked.

    `seed`: whether it is there, and the one that the first event commits to. `origin`: whether the
    service made it or the creator of the encounter gave it, as that event says.
    """

    mode: Literal["sealed", "supplied", "unknown"]
    seed: Literal["absent", "fits", "wrong"]
    visible: int
    checked: int
    taken_up: int
    told_again: tuple[ToldAgain, ...]
    contributions: int
    origin: Literal["os", "given", "unknown"]


class Counts(Struct, frozen=True, kw_only=True):
    """How many there are of each.

    `parts` are those in the bundle, `withheld` those of which it has the commitment alone, `erased`
    the texts that are gone: neither could be checked.
    """

    bytes: int
    lines: int
    blobs: int
    events: int
    parts: int
    withheld: int
    erased: int
    rewinds: int
    findings: int


class KeptReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was kept, and what it shows; no verdict where the bundle was not read to its end."""

    encounter: str | None = None
    kid: str | None = None
    seq: int
    hash: str
    verdict: KeptVerdict | None = None


class Report(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bundle, judged by nothing but what it contains, and not by the rules of the game.

    `clean`: nothing at all was found; who signed is another question. `signer` is `trusted` for one
    of the keys that were named, `unknown` where none were, `wrong` for another than those, `none`
    where no genuine signature over the head was found. `findings` are at most 100, in the order in
    which they were found; `counts.findings` has them all. `unknown` is the first ruleset, version
    or type that this verifier does not have (`version_unknown`): then the bundle is not clean, and
    not wrong either unless there are findings.
    """

    clean: bool
    signer: Signer
    first: Finding | None = None
    findings: tuple[Finding, ...]
    unknown: Finding | None = None
    remarks: tuple[Remark, ...]
    bundle: BundleSummary | None = None
    head: Head | None = None
    key: SigningKey | None = None
    dice: DiceReport
    counts: Counts
    heads: tuple[KeptReport, ...]
    receipts: tuple[KeptReport, ...]
