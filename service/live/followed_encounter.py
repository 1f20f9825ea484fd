"""One encounter as a process follows it: where it stands, and who is given what comes next.

How this works. Events come from this process, from others, and from the log, in any order, twice or
not at all. A channel takes the one that continues the hash it stands at, and no other; what is
ahead waits, and the log is asked for what is missing. So everybody who is live is given each event
once and in order. Whoever is behind reads the log up to where the channel stands and is live from
then on, in the same moment; what was sent while somebody is behind is kept for a while, so that the
last steps need no reading.

An event after which somebody may see more or less is only taken together with the state behind it.
From then on every live follower is grouped anew by what it may see; who is no seat any more is sent
away before the event, and whose rights were stated anew is greeted anew behind it.

Nothing here waits: between two events nobody can come, go or change.
"""

import asyncio
from typing import Final, Protocol
from uuid import UUID

from service.encounters.loaded import EncounterTerms
from service.encounters.principal import by_of
from service.encounters.responses import TimerView
from service.engine.visibility.scope import Viewer
from service.live.heartbeat import Pulse, Sign
from service.live.outgoing_event import Fresh
from service.live.presence import CALL_SECONDS, Attendance, RollCall
from service.live.recent_events import Recent
from service.live.records import (
    Page,
    PresenceChange,
    Record,
    unplaced,
)
from service.live.subscription import Follower, StreamTally, write_all
from service.live.throttle import Throttle
from service.live.view_rights import Rights

MOST_WAITING: Final = 256 * 1024
"""Bytes a client may leave unread and still be live."""

CHECK_BYTES: Final = 64 * 1024
"""So much may have been written before it is looked at who left too much unread."""

LITTLE_WAITING: Final = 64 * 1024
"""Bytes a client that was behind may leave unread and be sent more, and be live again."""

RUN: Final = 32
"""Events that go out with one write at most."""

AHEAD: Final = 64
"""Events that wait for those before them."""

KNOWN_HASHES: Final = 64
"""Hashes of what was sent are remembered for so many events."""


class Works(Protocol):
    """What a channel asks for and cannot do itself, at once or later."""

    tally: StreamTally

    def ask(self, channel: "FollowedEncounter") -> None:
        """Read the log: something is missing, or does not fit."""
        ...

    def bring(self, channel: "FollowedEncounter", follower: Follower) -> None:
        """This one is behind now."""
        ...

    def attended(self, channel: "FollowedEncounter") -> None:
        """Others are to know which seats have a stream in this process."""
        ...

    def erased(self, channel: "FollowedEncounter") -> None:
        """Text of this encounter is going."""
        ...


class FollowedEncounter:
    """One encounter; it exists while somebody follows it. `hash` is that of event `seq`, in hex."""

    def __init__(
        self,
        encounter: UUID,
        tenant: UUID,
        terms: EncounterTerms,
        place: tuple[int, str],
        rights: Rights,
        works: Works,
    ) -> None:
        self.encounter = encounter
        self.tenant = tenant
        self.terms = terms
        self.seq, self.hash = place
        self.rights = rights
        self.attendance = Attendance()
        self.pulse = Pulse(encounter, terms.ruleset)
        self.timed = 0
        self.deadlines: dict[Viewer, tuple[TimerView, ...]] = {}
        self.beat_at = 0.0
        self.erasures = 0
        self.is_over = False
        self.telling = Throttle(lambda: works.attended(self), CALL_SECONDS)
        self._roll = RollCall(self.attendance, self._say_presence)
        self._works = works
        self._groups: dict[Viewer, dict[Follower, None]] = {}
        self._behind: dict[Follower, None] = {}
        self._ahead: dict[int, Fresh] = {}
        self._recent = Recent()
        self._hashes: dict[int, str] = {self.seq: self.hash}
        self._moves: list[asyncio.Future[None]] = []
        self._unchecked = 0

    @property
    def is_empty(self) -> bool:
        """Whether nobody follows."""
        return not self._groups and not self._behind

    @property
    def followers(self) -> tuple[Follower, ...]:
        """Everybody, live or behind."""
        return (*self._live(), *self._behind)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """What those who are live may see of the next event, each view once."""
        return tuple(self._groups)

    def enter(self, follower: Follower) -> None:
        """Be followed by one more, from its own place."""
        self._behind[follower] = None
        seat = follower.who.acting_for
        if seat is None:
            return
        follower.granted_at = self.rights.granted_at(seat)
        if self.attendance.came(seat):
            self.attend()
            self.telling.ask()

    def leave(self, follower: Follower) -> None:
        """Be followed no longer by one that is over."""
        self._take_out(follower)
        seat = follower.who.acting_for
        if seat is not None and self.attendance.went(seat):
            self.attend()
            self.telling.ask()

    def is_joined(self, follower: Follower) -> bool:
        """Whether one that is behind is live now: it stands here, and nothing is owed to it."""
        is_owed = not follower.is_greeted or follower.timed != self.timed
        if is_owed or not self.is_at(follower) or follower.sink.waiting >= LITTLE_WAITING:
            return False
        for seat in sorted(follower.present ^ self.present):
            follower.sink.write(self._presence(seat))
        self._take_out(follower)
        self._group(follower, self.seq + 1)
        return True

    def is_at(self, follower: Follower) -> bool:
        """Whether one that is behind stands where this stands."""
        return follower.seq == self.seq and follower.hash8 == self.hash[:8]

    def fall_behind(self, follower: Follower) -> None:
        """Bring one that was live up by itself from here."""
        if follower.viewer is None:
            return
        self._take_out(follower)
        follower.seq, follower.hash8 = self.seq, self.hash[:8]
        follower.present, follower.timed = self.present, self.timed
        self._behind[follower] = None
        self._works.bring(self, follower)

    async def moved(self) -> None:
        """Wait until it stands elsewhere than now."""
        move: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._moves.append(move)
        await move

    def is_known(self, fresh: Fresh) -> bool:
        """Whether an event that is not ahead is one that was sent, as far as is remembered."""
        return self._hashes.get(fresh.seq) == fresh.hash

    def is_continued(self, tail: list[Fresh]) -> bool:
        """Whether what was read of the log goes with what was sent."""
        for fresh in tail:
            if self._hashes.get(fresh.seq, fresh.hash) != fresh.hash:
                return False
            if fresh.seq == self.seq + 1 and fresh.prev != self.hash:
                return False
        return True

    @property
    def is_full(self) -> bool:
        """Whether it is better to send something before more is offered."""
        return len(self._ahead) >= AHEAD

    def offer(self, fresh: Fresh) -> None:
        """An event from wherever; `advance` sends what can be sent."""
        if fresh.seq <= self.seq:
            if not self.is_known(fresh):
                self._works.ask(self)
            return
        known = self._ahead.get(fresh.seq)
        if known is None or known.hash != fresh.hash or known.worth < fresh.worth:
            self._ahead[fresh.seq] = fresh
        if len(self._ahead) > AHEAD:
            # The first ones are needed first, and the log has the others.
            del self._ahead[max(self._ahead)]
            self._works.ask(self)

    def advance(self) -> None:
        """Send what follows, as far as it is at hand; ask for the rest."""
        run: list[Fresh] = []
        seq, head = self.seq, self.hash
        while (fresh := self._ahead.pop(seq + 1, None)) is not None:
            if fresh.prev != head or not self._is_usable(fresh):
                self._works.ask(self)
                break
            rights = self._rights_with(fresh)
            if rights is not self.rights or fresh.seq <= rights.newest:
                self._send(run)
                run = []
                self._send_apart(fresh, rights)
            else:
                run.append(fresh)
            if len(run) == RUN:
                self._send(run)
                run = []
            seq, head = fresh.seq, fresh.hash
        self._send(run)
        if self._ahead:
            self._works.ask(self)

    def hash8_of(self, seq: int) -> str | None:
        """The first digits of an event's hash, if it was sent lately."""
        known = self._hashes.get(seq)
        return None if known is None else known[:8]

    def doubt(self) -> None:
        """Look whether the log is what was sent of it."""
        self._works.ask(self)

    def replay(self, follower: Follower) -> bool:
        """Bring one on by what was sent a moment ago; whether that was of any use."""
        is_used = False
        for fresh in self._recent.behind(follower.seq, follower.hash8):
            viewer = self.rights.viewer(follower.by, fresh.seq)
            if not fresh.is_shown_to(viewer) or follower.sink.waiting >= LITTLE_WAITING:
                break
            follower.write(fresh.record(viewer, self.terms))
            self._works.tally.delivered += 1
            is_used = True
        return is_used

    def attend(self) -> None:
        """Tell who came and who went."""
        self._roll.call()

    @property
    def present(self) -> frozenset[str]:
        """The seats that are here, as those who are live were told."""
        return self._roll.present

    def say_to(self, viewer: Viewer, record: Record) -> None:
        """Tell those who are live and see so much."""
        for follower in tuple(self._groups.get(viewer, ())):
            follower.sink.write(record)
        self._written(record.size)

    def beat(self, sign: Sign) -> None:
        """Tell those who are live that this is still the log's end."""
        if self._groups:
            self._check()
            self._say(self.pulse.beat((self.seq, self.hash), sign))

    def be_over(self) -> None:
        """Nobody follows any more."""
        self.is_over = True
        self.telling.finish()
        self._roll.cancel()
        self._wake()

    def _live(self) -> list[Follower]:
        return [follower for group in self._groups.values() for follower in group]

    def _take_out(self, follower: Follower) -> None:
        if follower.viewer is not None:
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

    def _is_usable(self, fresh: Fresh) -> bool:
        """Whether all that is needed to send it is at hand."""
        rights = self.rights
        if fresh.seq > rights.at and not fresh.is_certain(rights.is_opened):
            return False
        if not fresh.lacking:
            return True
        return fresh.seq > rights.newest and all(map(fresh.is_shown_to, self._groups))

    def _rights_with(self, fresh: Fresh) -> Rights:
        """The rights that hold for an event: other ones than before only if something changed."""
        linear = fresh.linear
        if linear is None or fresh.at <= self.rights.at or self.rights.are_those_of(linear):
            return self.rights
        return Rights(linear, self.terms.sides, fresh.at)

    def _send_apart(self, fresh: Fresh, rights: Rights) -> None:
        """Send one event before or with which rights changed."""
        changed: list[Follower] = []
        if rights is not self.rights:
            self.rights = rights
            changed = [each for each in self.followers if self._is_changed(each)]
        for follower in self._live():
            self._take_out(follower)
            self._group(follower, fresh.seq)
        self._send([fresh])
        for follower in changed:
            follower.is_greeted = False
            self.fall_behind(follower)

    def _is_changed(self, follower: Follower) -> bool:
        """Whether somebody's rights were stated anew. Who has none any more is sent away.

        That they are the same as before counts, too: control of somebody hidden may have changed.
        """
        seat = follower.who.acting_for
        if seat is None or follower.is_over or self.rights.at < follower.since:
            return False
        known = self.rights.seat(seat)
        if known is None:
            follower.stream.bye_from(follower, "revoked")
            return False
        granted_at = self.rights.granted_at(seat)
        is_changed = granted_at != follower.granted_at
        follower.granted_at, follower.by = granted_at, by_of(follower.who, known.role)
        return is_changed

    def _send(self, run: list[Fresh]) -> None:
        if not run:
            return
        most = 0
        for viewer, group in tuple(self._groups.items()):
            records = tuple([fresh.record(viewer, self.terms) for fresh in run])
            out = records[0] if len(records) == 1 else Page(records)
            most = max(most, out.size)
            write_all(group, out)
            self._works.tally.delivered += len(group) * len(run)
        self._works.tally.encoded += sum([fresh.encoded for fresh in run])
        self._move_to(run)
        self._written(most)

    def _move_to(self, run: list[Fresh]) -> None:
        last = run[-1]
        self.seq, self.hash = last.seq, last.hash
        for fresh in run:
            self._hashes[fresh.seq] = fresh.hash
        while len(self._hashes) > KNOWN_HASHES:
            del self._hashes[next(iter(self._hashes))]
        if self._behind:
            self._recent.add(run)
        if any(fresh.erases for fresh in run):
            self._recent.clear()
            self._works.erased(self)
        self._wake()

    def _wake(self) -> None:
        moves, self._moves = self._moves, []
        for move in moves:
            if not move.done():
                move.set_result(None)

    def _written(self, size: int) -> None:
        """So much more went to each who is live, of whatever kind."""
        self._unchecked += size
        if self._unchecked > CHECK_BYTES:
            self._check()

    def _check(self) -> None:
        """Let fall behind who left too much unread."""
        self._unchecked = 0
        for follower in self._live():
            if follower.sink.waiting > MOST_WAITING:
                self.fall_behind(follower)

    def _say(self, record: Record) -> None:
        for follower in self._live():
            follower.sink.write(record)
        self._written(record.size)

    def _say_presence(self, seat: str) -> None:
        self._say(self._presence(seat))

    def _presence(self, seat: str) -> Record:
        body = PresenceChange(
            encounter=str(self.encounter),
            ruleset=self.terms.ruleset,
            seat=seat,
            present=seat in self.present,
        )
        return unplaced(self.encounter, body)
