"""What calls answer. Absent fields are None; what depends on the ruleset is plain JSON."""

from typing import Any

from msgspec import Struct

from warlog.problems import ProblemBody
from warlog.records import Decision, Event, Json, Receipt, Timer


class RulesetSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ruleset and its versions, the newest last."""

    slug: str
    versions: tuple[str, ...]
    default: str | None = None


class RulesetList(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the service plays, and what a client may send at most."""

    rulesets: tuple[RulesetSummary, ...]
    limits: dict[str, int]


class EncounterSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a list of encounters; `status` is `setup`, `running` or `ended`."""

    encounter: str
    ruleset: str
    version: str
    status: str
    seq: int
    created_at: str
    title: str | None = None
    metadata: Json | None = None


class EncounterPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Encounters in order; `next` is the cursor of the next page, None on the last."""

    encounters: tuple[EncounterSummary, ...]
    next: str | None = None


class EncounterView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An encounter after event `seq`, as the caller may see it."""

    encounter: str
    ruleset: str
    version: str
    created_at: str
    seq: int
    hash: str
    head: int
    state: Json
    table: Json
    decisions: tuple[Decision, ...]
    title: str | None = None
    metadata: Json | None = None
    timers: tuple[Timer, ...] | None = None
    receipt: Receipt | None = None


class CreatedAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A new encounter and its first event."""

    encounter: str
    ruleset: str
    view: EncounterView
    events: tuple[Event, ...]
    receipt: Receipt


class Stopped(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why not all actions of a list were applied: from `index` on none was."""

    index: int
    reason: str
    problem: ProblemBody | None = None


class ForkAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A battle taken up again; `token` is that of its seat `gm`, shown once."""

    encounter: str
    ruleset: str
    fork_of: Json
    view: EncounterView
    events: tuple[Event, ...]
    accepted: int
    receipt: Receipt
    stopped: Stopped | None = None
    token: str | None = None


class SimulationAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of battles that were played on: `ended` is `complete`, or `time` if not of all.

    `left_out` had begun when the time was up; `simulation` has the counts.
    """

    encounter: str
    ruleset: str
    version: str
    at: int
    seed: str
    max_rounds: int
    asked: int
    ended: str
    left_out: int
    simulation: Json


class ActionsAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of an action or a list; `version` is the last seq, `etag` the head behind it."""

    ruleset: str
    accepted: int
    events: tuple[Event, ...]
    version: int
    etag: str
    decisions: tuple[Decision, ...]
    receipt: Receipt
    stopped: Stopped | None = None


class PreviewAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action would do: `odds` are fractions `{outcome, num, den}`, `unknown` what hides."""

    ruleset: str
    version: int
    legal: bool
    facts: Json
    odds: tuple[Json, ...]
    opens: tuple[str, ...]
    unknown: tuple[str, ...]


class InspectionAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a question that is no action."""

    ruleset: str
    version: int
    inspection: str
    answer: Any


class EventPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Events in order; `next` is the cursor behind the last of them, `head` the log's end."""

    ruleset: str
    events: tuple[Event, ...]
    next: str
    head: int


class SeatView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat: `has_joined` if somebody has its token, `is_present` if somebody follows there.

    `devices` is how many have a token, shown to game masters and to the seat itself.
    """

    id: str
    role: str
    sides: tuple[str, ...]
    combatants: tuple[str, ...]
    has_joined: bool
    is_present: bool
    devices: int | None = None
    name: str | None = None
    metadata: Json | None = None
    invited_until: str | None = None


class SeatList(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All seats of an encounter."""

    seats: tuple[SeatView, ...]
    version: int


class Invitation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How somebody comes to a seat: good once, until `expires_at`."""

    code: str
    link: str
    expires_at: str


class InvitationAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A new invitation; it is shown once, so a repeated answer has none."""

    seat: str
    invitation: Invitation | None = None


class SeatAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat that was given or changed, and the event that says so."""

    events: tuple[Event, ...]
    version: int
    etag: str
    receipt: Receipt
    seat: SeatView | None = None
    invitation: Invitation | None = None


class JoinAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The seat that somebody came to. Keep `token`: the service knows its hash alone."""

    encounter: str
    seat: str
    role: str
    token: str


class MyBattle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Status of an encounter for the caller; `turn` is plain JSON, as the ruleset shows it."""

    ruleset: str
    encounter: EncounterSummary
    is_my_move: bool
    decisions: tuple[Decision, ...]
    turn: Any = None
    turn_side: str | None = None
    turn_unit: str | None = None


class MySeat(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="seat"):
    """Who asks by a seat's token."""

    seat: SeatView
    battle: MyBattle


class MyKey(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="key"):
    """Who asks by a key: running encounters of its tenant."""

    key: str
    scopes: tuple[str, ...]
    battles: tuple[MyBattle, ...]
    next: str | None = None


class TimersAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All deadlines, at `now` by the service's clock."""

    encounter: str
    now: str
    paused: bool
    timers: tuple[Timer, ...]


class TombstoneView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is left of a deleted encounter."""

    encounter: str
    seq: int
    hash: str
    deleted_at: str


class PublishedKey(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key that the service signs with, or did; `x` is its public half in base64url."""

    kid: str
    x: str
    created_at: str
    kty: str
    crv: str
    use: str
    retired_at: str | None = None


class KeySet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every key that ever signed a receipt, the oldest first."""

    keys: tuple[PublishedKey, ...]
