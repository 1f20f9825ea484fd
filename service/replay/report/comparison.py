"""What a log would have been under another version of its ruleset; wire types."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType

ComparisonResult = Literal["same", "differs", "unavailable", "gone"]
"""`same`: the other version gives just this log. `differs`: it gives another somewhere.
`unavailable`: this could not be found out. `gone`: the encounter was deleted meanwhile."""

ChangeKind = Literal["differs", "refused", "unreadable"]
"""`differs`: other draws or effects. `refused`: the other version does not allow it. `unreadable`:
it cannot read the event, or cannot apply it."""


class EventChange(Struct, frozen=True, kw_only=True):
    """An event that the other version would not have given."""

    seq: int
    """Event that is another."""
    action: str | UnsetType = UNSET
    """Type of its action; absent where the other version cannot read it."""
    kind: ChangeKind
    """`differs`: other draws or effects come of it. `refused`: the other version does not allow it.
    `unreadable`: the other version cannot read it."""
    path: str | UnsetType = UNSET
    """Where it first differs, as in a verdict; absent where nothing can be told."""
    stored: Raw | UnsetType = UNSET
    """Value that the log has there; absent where it has none."""
    recomputed: Raw | UnsetType = UNSET
    """Value that the other version gives there; absent where it gives none."""
    code: str | UnsetType = UNSET
    """Code of the refusal; absent where nothing is refused."""
    rule: str | UnsetType = UNSET
    """Rule that forbids it; absent where no rule is named."""
    params: Mapping[str, object] | UnsetType = UNSET
    """Parameters of the refusal by name; absent where nothing is refused."""


class ThrownDie(Struct, frozen=True, kw_only=True):
    """One die as one version throws it."""

    purpose: str
    """What the die is thrown for."""
    sides: int
    """Sides of the die."""
    face: int | UnsetType = UNSET
    """Face that comes up; absent where only the table could have told it."""


class DrawChange(Struct, frozen=True, kw_only=True):
    """The first draw of an event that the other version makes otherwise, or does not make."""

    seq: int
    """Event that the die is thrown in."""
    place: int
    """Place of the draw among those of its event, from 1."""
    stored: ThrownDie | UnsetType = UNSET
    """Die as the log has it; absent where the log has no more."""
    recomputed: ThrownDie | UnsetType = UNSET
    """Die as the other version throws it; absent where it throws no more."""


class VersionComparison(Struct, frozen=True, kw_only=True, tag_field="type", tag="comparison"):
    """A log decided again, event by event, under another version of its ruleset.

    It answers a question about the other version and is no verdict on the log: no seal is looked
    at. Behind an event that differs the comparison goes on from what is stored, so that each event
    is a question by itself: what would have come of it there and then.
    """

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version that decided its events."""
    against: str
    """Version that they are decided again under."""
    head: int
    """Last event of the log."""
    hash: str
    """Hash of that event."""
    result: ComparisonResult
    """`same`: the other version gives just this log. `differs`: some events are others.
    `unavailable`: it could not be found out, `reason` says why. `gone`: deleted meanwhile."""
    decided: int = 0
    """Events that were decided again."""
    differing: int = 0
    """How many of them are others."""
    undecided: int = 0
    """Events behind one that the other version cannot read: nothing can be said of them."""
    first: EventChange | UnsetType = UNSET
    """First event that is another; absent where none is."""
    first_draw: DrawChange | UnsetType = UNSET
    """First draw that is another, in the first event that draws otherwise; absent where none is."""
    draws: int = 0
    """Events that draw otherwise: other dice, other faces, another order."""
    effects: Mapping[str, int] = {}
    """Events by the types of those effects in them that are others; `order` where they are the same
    in another order."""
    rules: Mapping[str, int] = {}
    """Events by the rules named in what differs of them, or that forbid them."""
    refusals: Mapping[str, int] = {}
    """Events that are refused, by code."""
    reason: str | UnsetType = UNSET
    """Why not all of it could be found out; absent otherwise. `version_unknown`: this build does
    not have the other version. `parts_withheld`: the log is not all open. `secret_missing`: the
    service no longer holds what its parts are sealed with. `log_cut_off`: events are missing.
    `log_damaged`: an event cannot be read, or stands in another's place. `blob_missing`: a map or
    content is not there. `failed`: the work itself failed, in the way that `error` names."""
    error: str | UnsetType = UNSET
    """What the work failed with; absent where it did not."""

    @property
    def is_settled(self) -> bool:
        """Whether the same build would say the same of this log again."""
        return self.error is UNSET and self.result != "gone"

    @property
    def events(self) -> int:
        """How many events were looked at."""
        return self.decided + self.undecided
