"""When time is over: limits, pauses and extensions, worked out on values alone.

How this works. A limit counts from the moment at which what it limits began, in the time of the
database; time during a pause does not count, and an extension is added. A decision began with the
event that opened it, a turn with the event that says `turn_began`; where units have turns within
that of their side, the side's own time starts over when one of them ends. A rewind by the game
master starts over the time of what it goes back to; one by a player does not, or a player who takes
moves back again and again would have all the time in the world.

Only the decisions of the top group have a clock: others cannot be answered yet. The service ends
what it can: it passes where the decision offers `pass`, and ends a turn while no decision is open.
Any other overdue decision stays open, for the game master to see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from msgspec import UNSET, UnsetType, to_builtins

from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import recorded
from service.encounters.responses import TimerView
from service.engine.battle.state import RuleState, scope_of
from service.engine.battle.turn import TurnHolder, audience_of_turn
from service.engine.visibility.scope import Viewer, audience_of
from service.eventstore.timers import Clock, ClockPause, Moment

MILLISECOND: Final = timedelta(milliseconds=1)
SECOND: Final = timedelta(seconds=1)
NOTHING: Final = timedelta()


NAMED_BY: Final = ("decision_id", "turn", "unit", "side")
"""Fields by which a request names a deadline."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an encounter is: its rule state at a committed head, event `seq`, and the turn.

    `is_over` says that no time will ever be over again.
    """

    rule: RuleState
    turn: TurnHolder | None
    seq: int
    hash: str
    is_over: bool

    @classmethod
    def of(cls, battle: LoadedEncounter) -> "Standing":
        """Where it is now."""
        rule, is_revealed = battle.state.rule, battle.state.linear.seed is not UNSET
        is_over = is_revealed or (rule.status != "setup" and not rule.options.has_time_limit)
        turn = battle.ruleset.turn(rule)
        return cls(rule=rule, turn=turn, seq=battle.seq, hash=battle.hash, is_over=is_over)


@dataclass(frozen=True, slots=True)
class SoughtStarts:
    """Whose beginning must be found: the decisions that event `asked_by` opened, the turn."""

    asked_by: int | None
    turn: bool


@dataclass(frozen=True, slots=True)
class StartEvents:
    """The events from which the open decisions and the turn count, as far as they have a limit."""

    decision: Moment | None = None
    turn: Moment | None = None

    def lack(self, sought: SoughtStarts) -> bool:
        """Whether something that is sought was not found yet."""
        return (sought.asked_by is not None and self.decision is None) or (
            sought.turn and self.turn is None
        )


@dataclass(frozen=True, slots=True)
class Timer:
    """One deadline: of a decision, or of a turn.

    `name` is unique in the encounter, before a rewind and after; `subject` is the name its
    extensions are kept under, which a player's rewind leaves as it is. `can_end` says whether
    the service may do anything about it now.
    """

    name: str
    subject: str
    began: datetime
    seconds: int
    audience: str
    can_end: bool
    decision_id: str | None = None
    turn: TurnHolder | None = None

    @property
    def action(self) -> dict[str, object]:
        """What the service does when the time is over."""
        if self.turn is not None:
            ending: dict[str, object] = to_builtins(self.turn.ending)
            return ending
        passing = {"type": "pass", "reason": "timeout"}
        return {"type": "answer", "decision_id": self.decision_id, "choice": passing}

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The fields of a request that name it, each with its value there; the narrowest first."""
        if self.turn is None:
            return (("decision_id", str(self.decision_id)),)
        turn = self.turn
        named = (("turn", turn.combatant), ("unit", turn.unit), ("side", turn.side))
        return tuple((field, name) for field, name in named if name is not UNSET)

    def allowed(self, clock: Clock) -> timedelta:
        """The limit with all extensions."""
        extra = clock.extra_ms.get(self.subject, 0)
        return timedelta(seconds=self.seconds, milliseconds=extra)

    def expires_at(self, clock: Clock) -> datetime:
        """When the time is over, if it is not paused any more."""
        return deadline(self.began, self.allowed(clock), clock.pauses)

    def left(self, clock: Clock) -> timedelta:
        """The time left now, or since the clock was stopped; negative: over for so long."""
        until = clock.paused_at or clock.now
        return self.allowed(clock) - elapsed(self.began, until, clock.pauses)

    def is_over(self, clock: Clock) -> bool:
        """Whether the time is over."""
        return clock.paused_at is None and self.expires_at(clock) <= clock.now


def sought_in(at: Standing) -> SoughtStarts:
    """What has a limit now."""
    rule, options = at.rule, at.rule.options
    is_running = rule.status == "running"
    is_asking = is_running and options.decision_seconds is not UNSET and bool(rule.pending)
    opened = [decision.opened_by for decision in rule.pending[-1].decisions] if is_asking else []
    return SoughtStarts(
        asked_by=opened[0] if opened else None,
        turn=is_running and options.turn_seconds is not UNSET and at.turn is not None,
    )


def found_at(moment: Moment, sought: SoughtStarts, origins: StartEvents) -> StartEvents:
    """What is known of the beginnings once this event was looked at, later ones before it."""
    is_anew = moment.rewound_by == "gm"
    decision, turn = origins.decision, origins.turn
    if decision is None and (is_anew or moment.seq == sought.asked_by):
        decision = moment
    if turn is None and (is_anew or moment.begins_turn):
        turn = moment
    return StartEvents(decision=decision, turn=turn)


def timers_of(at: Standing, origins: StartEvents) -> tuple[Timer, ...]:
    """All deadlines: of the decisions in their order, then of the turn."""
    sought = sought_in(at)
    timers: list[Timer] = []
    if sought.asked_by is not None and origins.decision is not None:
        timers += _asked(at.rule, origins.decision)
    if sought.turn and origins.turn is not None:
        timers += _turn(at, origins.turn)
    return tuple(timers)


def _asked(rule: RuleState, origin: Moment) -> list[Timer]:
    scope, seconds = scope_of(rule), rule.options.decision_seconds
    return [
        Timer(
            name=decision.id,
            subject=f"decision:{origin.seq}.{decision.opened_by}.{decision.number or 0}",
            began=origin.recorded_at,
            seconds=seconds,
            audience=audience_of(decision, scope),
            can_end="pass" in decision.options,
            decision_id=decision.id,
        )
        for decision in rule.pending[-1].decisions
        if seconds is not UNSET
    ]


def _turn(at: Standing, origin: Moment) -> list[Timer]:
    seconds = at.rule.options.turn_seconds
    if at.turn is None or seconds is UNSET:
        return []
    name = f"turn:{origin.seq}"
    return [
        Timer(
            name=name,
            subject=name,
            began=origin.recorded_at,
            seconds=seconds,
            audience=audience_of_turn(at.rule, at.turn),
            can_end=not at.rule.pending,
            turn=at.turn,
        )
    ]


def deadline(began: datetime, allowed: timedelta, pauses: Sequence[ClockPause]) -> datetime:
    """When so much time has passed since then, pauses left out.

    `pauses` are in order of their beginning; they may overlap. A pause that begins at that very
    moment does not put it off.
    """
    at, remaining = began, allowed
    for pause in pauses:
        if pause.resumed_at <= at:
            continue
        before = max(pause.paused_at - at, NOTHING)
        if before >= remaining:
            break
        remaining -= before
        at = pause.resumed_at
    return at + remaining


def elapsed(began: datetime, until: datetime, pauses: Sequence[ClockPause]) -> timedelta:
    """How much time has passed between the two, pauses left out."""
    total, at = NOTHING, began
    for pause in pauses:
        if pause.resumed_at <= at:
            continue
        total += max(min(pause.paused_at, until) - at, NOTHING)
        at = pause.resumed_at
    return total + max(until - at, NOTHING)


def extension(timer: Timer, clock: Clock, seconds: int) -> int:
    """The extra time of a timer, in milliseconds, that gives it so much more.

    Where the time is over already, so much from now on.
    """
    over = max(-timer.left(clock), NOTHING)
    return clock.extra_ms.get(timer.subject, 0) - (-over // MILLISECOND) + seconds * 1000


def shown(
    timers: Sequence[Timer], clock: Clock, viewer: Viewer, *, ticking: bool
) -> tuple[TimerView, ...]:
    """The timers that a viewer may know of.

    `ticking` says whether the time left is next to a deadline, too: it is another every second.
    """
    return tuple(
        _shown(timer, clock, ticking=ticking) for timer in timers if viewer.may_know(timer.audience)
    )


def _shown(timer: Timer, clock: Clock, *, ticking: bool) -> TimerView:
    is_paused = clock.paused_at is not None
    remaining: int | UnsetType = UNSET
    if is_paused or ticking:
        remaining = -(-max(timer.left(clock), NOTHING) // SECOND)
    turn = timer.turn
    return TimerView(
        decision_id=timer.decision_id or UNSET,
        turn=UNSET if turn is None else turn.combatant,
        side=UNSET if turn is None else turn.side,
        unit=UNSET if turn is None else turn.unit,
        paused=is_paused,
        expires_at=UNSET if is_paused else recorded(timer.expires_at(clock)),
        left_seconds=remaining,
    )
