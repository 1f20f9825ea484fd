"""One encounter as a process follows it: the last event sent, and who gets the next ones.

How this works. Events come from this process, from others, and from the log, in any order, twice or
not at all. The channel takes the event that continues the hash it is at, and no other; events
further ahead wait, and missing ones are read from the log. So every live follower is sent each
event once and in order. A follower that is behind reads the log up to where the channel is and
is live from then on, in the same moment; events sent while a follower is behind are kept for a
while, so that its last steps need no reading.

An event that changes what a seat may see is only taken together with the state behind it. From then
on every live follower is grouped again by what it may see; the stream of a seat that is gone ends
before the event, and a follower whose rights the event states gets a new hello behind it.

Nothing here awaits: between two events no follower can come, go or change. What is written to many
takes several turns (`deliveries`), and is finished before any of them goes or changes.
"""

import asyncio
from typing import Final, Protocol
from uuid import UUID

from service.encounters import access
from service.encounters.cache import EncounterTerms
from service.encounters.principal import Principal
from service.encounters.responses import TimerView
from service.engine.visibility.scope import Viewer
from service.errors import Forbidden, NotFound, Unauthenticated
from service.live.deliveries import Deliveries
from service.live.heartbeat import Sign, SignedHead
from service.live.outgoing_event import OutgoingEvent
from service.live.presence import CALL_SECONDS, Attendance, RollCall
from service.live.recent_events import RecentEvents
from service.live.records import (
    Page,
    PresenceChange,
    Record,
    unplaced,
)
from service.live.sent_hashes import SentHashes
from service.live.subscription import Follower, StreamTally
from service.live.throttle import Throttle
from service.live.view_rights import Rights

MOST_WAITING: Final = 256 * 1024
"""Bytes a client may leave unread and still be live."""

CHECK_BYTES: Final = 64 * 1024
"""Bytes written to the live followers between two checks of what each has left unread."""

LITTLE_WAITING: Final = 64 * 1024
"""Bytes a client that was behind may leave unread and be sent more, and be live again."""

RUN: Final = 32
"""Events of one write, at most."""

AHEAD: Final = 64
"""Events that may wait for those before them."""


class ChannelOwner(Protocol):
    """What a channel needs done and cannot do itself; each call returns at once."""

    tally: StreamTally

    def read_log(self, channel: "FollowedEncounter") -> None:
        """Read the log soon: an event is missing, or does not fit."""
        ...

    def catch_up(self, channel: "FollowedEncounter", follower: Follower) -> None:
        """Bring a follower up that is behind now."""
        ...

    def publish_presence(self, channel: "FollowedEncounter") -> None:
        """Tell the other processes which seats have a stream in this one."""
        ...

    def forget_pages(self, channel: "FollowedEncounter") -> None:
        """Forget encoded pages of this encounter: text of it is being erased."""
        ...

    def advance(self, channel: "FollowedEncounter") -> None:
        """Have it send what came while something was written to many."""
        ...


class FollowedEncounter:
    """One encounter with at least one follower. `hash` is that of event `seq`, in hex.

    `written_at` is when something was last written to all live followers, by the loop's time.
    `timer_changes` counts changes of deadlines, so that a follower knows whether its hello has the
    last ones. `sent` are the events sent lately. `erasures` is how often text was erased, as far as
    is known here.
    """

    def __init__(
        self,
        encounter: UUID,
        tenant: UUID,
        terms: EncounterTerms,
        place: tuple[int, str],
        rights: Rights,
        owner: ChannelOwner,
        attendance: Attendance | None = None,
    ) -> None:
        """`attendance` has the seats whose absence is not due yet, if any followed before."""
        self.encounter = encounter
        self.tenant = tenant
        self.terms = terms
        self.seq, self.hash = place
        self.rights = rights
        self.attendance = attendance or Attendance()
        self.written_at = 0.0
        self.signed_head = SignedHead(encounter, terms.ruleset)
        self.timer_changes = 0
        self.deadlines: dict[Viewer, tuple[TimerView, ...]] = {}
        self.heartbeat_at = 0.0
        self.erasures = 0
        self.is_over = False
        self.presence_throttle = Throttle(lambda: owner.publish_presence(self), CALL_SECONDS)
        self._roll = RollCall(self._present_seats, self._send_presence)
        self._owner = owner
        self._deliveries = Deliveries(lambda: owner.advance(self))
        self._groups: dict[Viewer, dict[Follower, None]] = {}
        self._behind: dict[Follower, None] = {}
        self._ahead: dict[int, OutgoingEvent] = {}
        self._recent = RecentEvents()
        self.sent = SentHashes(*place)
        self._moves: list[asyncio.Future[None]] = []
        self._unchecked = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is no follower."""
        return not self._groups and not self._behind

    @property
    def followers(self) -> tuple[Follower, ...]:
        """All followers, live or behind."""
        return (*self._live(), *self._behind)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """The views that live followers have of the next event, each once."""
        return tuple(self._groups)

    def enter(self, follower: Follower) -> None:
        """Take in a follower, behind at its own place."""
        self._behind[follower] = None
        if follower.who.reads_for is not None:
            follower.granted_at = self.rights.granted_at(follower.who.reads_for)
        seat = follower.who.acting_for
        if seat is not None and self.attendance.arrive(seat):
            self.report_presence()
            self.presence_throttle.request()

    def leave(self, follower: Follower) -> None:
        """Let go of a follower that is over."""
        self._take_out(follower)
        seat = follower.who.acting_for
        if seat is not None:
            self.attendance.depart(follower.who, seat, asyncio.get_running_loop().time())
        if follower.is_revoked:
            self.dismiss(follower.who)

    def dismiss(self, who: Principal) -> None:
        """Report a caller's seat as absent at once: its right to read is gone."""
        if self.attendance.dismiss(who):
            self.report_presence()
            self.presence_throttle.request()

    def join(self, follower: Follower) -> bool:
        """Make a follower live that is behind, if it is here and is owed nothing.

        Owed are a hello and the deadlines as they are now; its client must have read most of what
        was written. Returns whether it is live.
        """
        is_owed = not follower.is_greeted or follower.timer_changes != self.timer_changes
        if is_owed or not self.is_at(follower) or follower.sink.waiting >= LITTLE_WAITING:
            return False
        for seat in sorted(follower.present ^ self.present):
            follower.sink.write(self._presence(seat))
        self._take_out(follower)
        self._group(follower, self.seq + 1)
        return True

    def is_at(self, follower: Follower) -> bool:
        """Whether a follower that is behind is where the channel is."""
        return follower.seq == self.seq and follower.hash8 == self.hash[:8]

    def fall_behind(self, follower: Follower) -> None:
        """Let a live follower catch up by itself from here."""
        if follower.viewer is None:
            return
        self._take_out(follower)
        follower.seq, follower.hash8 = self.seq, self.hash[:8]
        follower.present, follower.timer_changes = self.present, self.timer_changes
        self._behind[follower] = None
        self._owner.catch_up(self, follower)

    async def wait_until_moved(self) -> None:
        """Wait until the channel is elsewhere than now, or is closed."""
        move: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._moves.append(move)
        await move

    @property
    def is_sending(self) -> bool:
        """Whether something is being written to many: it advances by itself behind that."""
        return self._deliveries.are_under_way

    @property
    def is_full(self) -> bool:
        """Whether as many events wait as may: `advance` before another is offered."""
        return len(self._ahead) >= AHEAD

    def offer(self, event: OutgoingEvent) -> None:
        """Take in an event of any source; `advance` sends what can be sent."""
        if event.seq <= self.seq:
            if not self.sent.has(event):
                self._owner.read_log(self)
            return
        waiting = self._ahead.get(event.seq)
        if waiting is None or waiting.hash != event.hash or waiting.worth < event.worth:
            self._ahead[event.seq] = event
        if len(self._ahead) > AHEAD:
            # The first ones are needed first; the last one can be read from the log.
            del self._ahead[max(self._ahead)]
            self._owner.read_log(self)

    def advance(self) -> None:
        """Send the events that continue the channel; have missing ones read from the log."""
        run: list[OutgoingEvent] = []
        seq, head = self.seq, self.hash
        while (event := self._ahead.pop(seq + 1, None)) is not None:
            if event.prev != head or not self._is_usable(event):
                self._owner.read_log(self)
                break
            rights = self._rights_with(event)
            if rights is not self.rights or event.seq <= rights.newest:
                self._send(run)
                run = []
                self._send_apart(event, rights)
            else:
                run.append(event)
            if len(run) == RUN:
                self._send(run)
                run = []
            seq, head = event.seq, event.hash
        self._send(run)
        if self._ahead:
            self._owner.read_log(self)

    def check_log(self) -> None:
        """Have the log compared with what was sent of it."""
        self._owner.read_log(self)

    def replay(self, follower: Follower) -> bool:
        """Bring a follower on by events sent a moment ago; whether there was one for it."""
        is_used = False
        for event in self._recent.behind(follower.seq, follower.hash8):
            viewer = self.rights.viewer(follower.by, event.seq)
            if not event.is_shown_to(viewer) or follower.sink.waiting >= LITTLE_WAITING:
                break
            follower.write(event.record(viewer, self.terms))
            self._owner.tally.delivered += 1
            is_used = True
        return is_used

    def report_presence(self) -> None:
        """Send which seats came and went, as far as it is time for each."""
        self._roll.call()

    @property
    def present(self) -> frozenset[str]:
        """The seats that are present, as it was sent to the live followers."""
        return self._roll.present

    def send_to(self, viewer: Viewer, record: Record) -> None:
        """Write a record to the live followers of one view."""
        self._deliveries.begin([(tuple(self._groups.get(viewer, ())), record)])
        self._written(record.size)

    def send_heartbeat(self, sign: Sign) -> None:
        """Write the signed end of the log to the live followers."""
        if self._groups:
            self._check()
            self._send_to_live(self.signed_head.heartbeat((self.seq, self.hash), sign))

    def close(self) -> None:
        """End it with its last follower: what waits for it continues, what is due is dropped.

        The other processes learn until when its seats are present.
        """
        self.is_over = True
        if self.attendance.here:
            self.presence_throttle.request()
        self.presence_throttle.finish()
        self._roll.cancel()
        self._wake()

    def _live(self) -> list[Follower]:
        return [follower for group in self._groups.values() for follower in group]

    def _take_out(self, follower: Follower) -> None:
        if follower.viewer is not None:
            self._deliveries.finish()
            group = self._groups[follower.viewer]
            del group[follower]
            if not group:
                del self._groups[follower.viewer]
            follower.viewer = None
        else:
            self._behind.pop(follower, None)
            if not self._behind:
                self._recent.clear()

    def _group(self, follower: Follower, seq: int) -> None:
        follower.viewer = self.rights.viewer(follower.by, seq)
        self._groups.setdefault(follower.viewer, {})[follower] = None

    def _is_usable(self, event: OutgoingEvent) -> bool:
        """Whether all is at hand that sending the event to each follower needs."""
        rights = self.rights
        if event.seq > rights.at and not event.is_certain(rights.is_opened):
            return False
        if not event.lacking:
            return True
        return event.seq > rights.newest and all(map(event.is_shown_to, self._groups))

    def _rights_with(self, event: OutgoingEvent) -> Rights:
        """The rights that hold for an event: the same object unless they changed."""
        linear = event.linear
        if linear is None or event.at <= self.rights.at or self.rights.are_those_of(linear):
            return self.rights
        return Rights(linear, self.terms.sides, event.at)

    def _send_apart(self, event: OutgoingEvent, rights: Rights) -> None:
        """Send one event by itself, before or with which rights changed."""
        changed: list[Follower] = []
        if rights is not self.rights:
            self.rights = rights
            changed = [follower for follower in self.followers if self._is_changed(follower)]
        for follower in self._live():
            self._take_out(follower)
            self._group(follower, event.seq)
        self._send([event])
        for follower in changed:
            follower.is_greeted = False
            self.fall_behind(follower)
        self.report_presence()

    def _is_changed(self, follower: Follower) -> bool:
        """Whether a follower's rights were stated again. One whose seat is gone is ended.

        Rights stated again count even if they are the same: a hello must not tell whether control
        of a hidden combatant changed.
        """
        seat = follower.who.reads_for
        if seat is None or follower.is_over or self.rights.at < follower.since:
            return False
        try:
            by = access.reader(follower.who, self.rights.seat)
        except (NotFound, Unauthenticated, Forbidden):
            follower.stream.bye_from(follower, "revoked")
            return False
        granted_at = self.rights.granted_at(seat)
        is_changed = granted_at != follower.granted_at
        follower.granted_at, follower.by = granted_at, by
        return is_changed

    def _send(self, run: list[OutgoingEvent]) -> None:
        if not run:
            return
        deliveries = []
        for viewer, group in self._groups.items():
            records = tuple([event.record(viewer, self.terms) for event in run])
            out = records[0] if len(records) == 1 else Page(records)
            deliveries.append((tuple(group), out))
            self._owner.tally.delivered += len(group) * len(run)
        self._owner.tally.encoded += sum([event.encoded for event in run])
        self.written_at = asyncio.get_running_loop().time()
        self._deliveries.begin(deliveries)
        self._move_to(run)
        self._written(max([out.size for _, out in deliveries], default=0))

    def _move_to(self, run: list[OutgoingEvent]) -> None:
        last = run[-1]
        self.seq, self.hash = last.seq, last.hash
        self.sent.add(run)
        if self._behind:
            self._recent.add(run)
        if any(event.erases for event in run):
            self._recent.clear()
            self._owner.forget_pages(self)
        self._wake()

    def _wake(self) -> None:
        moves, self._moves = self._moves, []
        for move in moves:
            if not move.done():
                move.set_result(None)

    def _written(self, size: int) -> None:
        """Count bytes that went to each live follower, of any kind of record."""
        self._unchecked += size
        if self._unchecked > CHECK_BYTES:
            self._check()

    def _check(self) -> None:
        """Let followers fall behind that left too much unread."""
        self._unchecked = 0
        for follower in self._live():
            if follower.sink.waiting > MOST_WAITING:
                self.fall_behind(follower)

    def _send_to_live(self, record: Record) -> None:
        self.written_at = asyncio.get_running_loop().time()
        self._deliveries.begin([(self._live(), record)])
        self._written(record.size)

    def _present_seats(self) -> frozenset[str]:
        """The seats that are present; one that was removed is not, whoever says so."""
        everywhere = self.attendance.everywhere
        return frozenset(seat for seat in everywhere if self.rights.seat(seat) is not None)

    def _send_presence(self, seat: str) -> None:
        self._send_to_live(self._presence(seat))

    def _presence(self, seat: str) -> Record:
        body = PresenceChange(
            encounter=str(self.encounter),
            ruleset=self.terms.ruleset,
            seat=seat,
            present=seat in self.present,
        )
        return unplaced(self.encounter, body)
