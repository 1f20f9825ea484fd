"""The lines of a bundle: a file with everything needed to audit a battle offline.

How this works. A bundle is NDJSON in canonical bytes, one object to a line, each line ended by a
newline: the header, the blobs in the order of their digests, the events in order, the seal. `event`
of an event's line and `body` of parts and blobs are the very bytes that were hashed. A line of an
event holds every part that the bundle's viewer may read, those that say nothing included: so a part
that was withheld can be told from an empty one. An erased part stands there without salt and body.
"""

from collections.abc import Collection
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.responses import Receipt
from service.engine import hashing
from service.engine.log import canonical, parts
from service.engine.log.parts import PartName
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.patterns import whole
from service.engine.vocabulary.values import DiceMode, Digest, Seq, SideId
from service.replay.log.sealed_event import Evidence, OpenPart, commits_in
from service.replay.report.differences import UNREADABLE

FORMAT: Final = 1
"""The format that is written; a reader refuses any other."""

Fairness = Literal["verifiable", "sealed", "not_verified"]
Hex16 = Annotated[str, Meta(pattern=whole("[0-9a-f]{32}"))]
Signature = Annotated[str, Meta(pattern=whole("[0-9a-f]{128}"))]


class BundleLine(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """One line of a bundle."""


class BundleDice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the dice were made, and whether the bundle lets anyone check them.

    `fairness`: `verifiable` with the seed in the header, `sealed` as long as it is not revealed,
    `not_verified` where the table rolled its own dice.
    """

    algorithm: Literal["hmac_sha256_1"]
    """How faces are made from the seed: HMAC-SHA-256 streams, one per event and audience."""
    mode: DiceMode
    """`sealed`: the service drew the dice. `supplied`: the table rolled its own."""
    fairness: Fairness
    """`verifiable`: the seed is in the header. `sealed`: not revealed yet. `not_verified`: the
    table rolled its own dice."""


class BundleGrant(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From event `since` on the bundle holds what these sides may read."""

    since: Seq
    """First event that it is for, up to the next grant."""
    sides: tuple[SideId, ...]
    """Sides whose parts are in the bundle from there on."""


class BundleViewer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose parts the bundle holds: all (`gm`), those of some sides, or everyone's alone."""

    kind: Literal["gm", "sides", "observer"]
    """`gm`: all parts. `sides`: those of the sides granted. `observer`: only what everyone may
    read."""
    grants: tuple[BundleGrant, ...] = ()
    """What a viewer of kind `sides` was entitled to, in order of `since`."""

    def at(self, seq: int) -> Viewer:
        """Who this is at event `seq`."""
        if self.kind == "gm":
            return GAME_MASTER
        held = [grant for grant in self.grants if grant.since <= seq]
        return Viewer(sides=held[-1].sides) if held else Viewer()


class BundleHeader(BundleLine, frozen=True, kw_only=True, tag="bundle", forbid_unknown_fields=True):
    """The first line: what this is, and the seed if it was revealed."""

    format: Literal[1]
    """Format of the bundle."""
    encounter: Annotated[str, Meta(max_length=64)]
    """Id of the encounter."""
    ruleset: Annotated[str, Meta(max_length=40)]
    """Slug of its ruleset."""
    version: Annotated[str, Meta(max_length=20)]
    """Version of the ruleset that decided its events."""
    dice: BundleDice
    """How the dice were made and whether they can be checked."""
    commitment: Digest
    """Commitment to the seed, as event 1 states it."""
    seed: Digest | UnsetType = UNSET
    """The 32 bytes of the seed in hex; absent until it is revealed."""
    viewer: BundleViewer
    """Whose parts the bundle holds."""


class BundleBlob(BundleLine, frozen=True, kw_only=True, tag="blob", forbid_unknown_fields=True):
    """A map or content; `digest` is the SHA-256 of the bytes of `body`."""

    digest: Digest
    """SHA-256 of the bytes of `body`, in hex, by which events name it."""
    body: Raw
    """The map or content, in its canonical bytes."""


class BundlePart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part and the salt that opens its commitment; erased without both."""

    kind: Literal["text", "facts"]
    """`text` for free text, `facts` for everything else."""
    audience: SideId
    """Whose part it is: `everyone`, a side or `gm`."""
    salt: Hex16 | UnsetType = UNSET
    """16 bytes in hex that open the part's commitment; absent where the part was erased."""
    body: Raw | UnsetType = UNSET
    """The part in its canonical bytes; absent where it was erased."""


class BundleEvent(BundleLine, frozen=True, kw_only=True, tag="event", forbid_unknown_fields=True):
    """One event; `commits` are the commitments of all its parts, held here or not."""

    hash: Digest
    """Hash of the event over the bytes of `event`."""
    event: Raw
    """The hashed body in its canonical bytes: what everyone may know, without free text."""
    commits: tuple[Digest, ...]
    """SHA-256 commitments to every part in order, held here or not."""
    parts: tuple[BundlePart, ...]
    """Every part that the bundle's viewer may read, those that say nothing included."""


class BundleReceipt(Receipt, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service's signature over the head."""

    seq: Seq
    """The last event at the time of signing."""
    hash: Digest
    """Hash of that event (64 hex digits)."""
    sig: Signature
    """Ed25519 signature, in hex, over the other fields."""


class BundleSeal(BundleLine, frozen=True, kw_only=True, tag="seal", forbid_unknown_fields=True):
    """The last line: the head, its receipt, and the key to check that with.

    Whoever can replace the bundle can replace the key: compare it with a published one.
    """

    seq: Seq
    """Last event of the bundle."""
    hash: Digest
    """Hash of that event."""
    receipt: BundleReceipt
    """The service's signature over that event."""
    public_key: Digest
    """Ed25519 public key, 32 bytes in hex, to check the receipt with."""


AnyLine = BundleHeader | BundleBlob | BundleEvent | BundleSeal
LINES: Final[msgspec.json.Decoder[AnyLine]] = msgspec.json.Decoder(AnyLine)


NAMES_BLOBS: Final = ("encounter_created", "options_set")
"""The effects that name blobs, by `content` and `map`."""


class _NamingEffect(Struct):
    type: object
    content: object = UNSET
    map: object = UNSET


class _NamingEvent(Struct):
    effects: list[_NamingEffect]


_NAMING: Final = msgspec.json.Decoder(_NamingEvent)


def encoded(line: AnyLine) -> bytes:
    """The line's bytes, newline included."""
    return canonical.encode(line) + b"\n"


def fairness_of(mode: DiceMode, *, is_revealed: bool) -> Fairness:
    """What a bundle can say of its dice."""
    if mode == "supplied":
        return "not_verified"
    return "verifiable" if is_revealed else "sealed"


def parts_for(viewer: Viewer, sides: tuple[str, ...]) -> tuple[PartName, ...]:
    """The parts that a viewer may read of an event, in their fixed order."""
    return tuple(name for name in parts.part_names(sides) if viewer.may_know(name[1]))


def event_line(evidence: Evidence, viewer: Viewer, sides: tuple[str, ...]) -> BundleEvent:
    """An event as a bundle for this viewer has it; `evidence` holds all parts."""
    return BundleEvent(
        hash=evidence.hash,
        event=Raw(evidence.body),
        commits=tuple(commit.hex() for commit in commits_in(evidence.commits)),
        parts=tuple(_part(evidence, name) for name in parts_for(viewer, sides)),
    )


def _part(evidence: Evidence, name: PartName) -> BundlePart:
    kind: Literal["text", "facts"] = "text" if name[0] == parts.TEXT else "facts"
    opened = evidence.opened.get(name)
    if opened is None:
        return BundlePart(kind=kind, audience=name[1])
    return BundlePart(kind=kind, audience=name[1], salt=opened.salt.hex(), body=Raw(opened.body))


def evidence_in(line: BundleEvent) -> Evidence:
    """What a line of a bundle says of its event."""
    opened: dict[PartName, OpenPart] = {
        (part.kind, part.audience): OpenPart(bytes.fromhex(part.salt), bytes(part.body))
        for part in line.parts
        if part.salt is not UNSET and part.body is not UNSET
    }
    erased = frozenset((part.kind, part.audience) for part in line.parts if part.body is UNSET)
    return Evidence(
        hash=line.hash,
        body=bytes(line.event),
        commits=bytes.fromhex("".join(line.commits)),
        opened=opened,
        erased=erased,
    )


def named_in(event: bytes, digests: Collection[str]) -> list[str]:
    """Those of the blobs that the effects of an event's body name, in the order of naming."""
    if not any(digest.encode() in event for digest in digests):
        return []
    try:
        effects = _NAMING.decode(event).effects
    except UNREADABLE:
        return []
    named = [
        digest
        for effect in effects
        if effect.type in NAMES_BLOBS
        for digest in (effect.content, effect.map)
        if isinstance(digest, str)
    ]
    return [each for each in dict.fromkeys(named) if each in digests]


def blob_line(body: bytes) -> BundleBlob:
    """A blob as a bundle has it; `body` are its canonical bytes."""
    return BundleBlob(digest=hashing.blob_digest(body), body=Raw(body))
