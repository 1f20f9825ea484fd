"""Tells the other processes by way of Redis: one server, or a cluster.

How this works. Every encounter has a channel of sharded pub/sub, which on a cluster lives on the
server that owns its slot. Each server that owns slots has a node here: a teller with the messages
that wait for it, and a listener with the encounters followed there, each on a connection of its
own and each kept up by itself, so that a server that hangs holds nobody else up. Which servers
there are is asked at the start, now and then, and whenever one of them does not do what it should;
messages without a server wait until that is known, as long as they are news.

Nothing here is waited for by anybody: what is published is queued, what is lost is read from the
log. Whoever follows hears `Missed` each time listening begins, and closes the gap before it.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.fanout.connection import LOST, Endpoint, RedisDialer
from service.fanout.fanout import FanoutTally, Hear, new_process
from service.fanout.message_mac import MessageSealer, Unsound
from service.fanout.messages import EncounterMessage, FanoutMessage, Missed
from service.fanout.outbox import MOST, MOST_BYTES, Letter, Outbox
from service.fanout.publisher import Publisher
from service.fanout.subscriber import Listener
from service.fanout.supervisor import Backoff, Complaint, kept_up
from service.fanout.topology import Topology, Unfit, encounter_of, surveyed

SURVEY_SECONDS: Final = 30.0
"""How often it is asked which servers there are when nothing calls for it."""


class RedisNode(Struct, frozen=True):
    """One server: what waits for it, what is heard from it, and the work on both."""

    outbox: Outbox
    listener: Listener
    tasks: tuple[asyncio.Task[None], ...]

    async def stop(self) -> list[Letter]:
        """End it; give what still waits."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return self.outbox.take_all()


class RedisFanout:
    """A Fanout by way of Redis. `key` has 32 bytes and is the same in all processes."""

    def __init__(self, url: str, key: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises ValueError if the address cannot be used."""
        self.process = new_process()
        self.tally = FanoutTally()
        self._clock = clock
        self._dialer = RedisDialer(url)
        self._sealer = MessageSealer(key, self.process)
        self._hear: Hear = _ignore
        self._followed: set[UUID] = set()
        self._topology: Topology | None = None
        self._nodes: dict[Endpoint, RedisNode] = {}
        self._unplaced = Outbox(self.tally, clock)
        self._is_stale = asyncio.Event()
        self._complaint = Complaint("looking for servers")

    @property
    def is_deaf(self) -> bool:
        """Whether messages about a followed encounter may be missed at this moment."""
        if self._topology is None:
            return True
        listeners = [node.listener for node in self._nodes.values()]
        placed = sum(listener.wanted for listener in listeners)
        return placed < len(self._followed) or any(each.is_deaf for each in listeners)

    @property
    def waiting(self) -> int:
        """Messages told and not yet on their way."""
        return len(self._unplaced) + sum(len(node.outbox) for node in self._nodes.values())

    def publish(self, message: EncounterMessage) -> None:
        """Tell it, soon, to whoever follows its encounter. Never blocks, never raises."""
        self.tally.told += 1
        node = self._node_of(message.encounter)
        outbox = self._unplaced if node is None else node.outbox
        outbox.put(message)

    def follow(self, encounter: UUID) -> None:
        """Hear what is told about this encounter from soon on; `Missed` says when that began."""
        if encounter in self._followed:
            return
        self._followed.add(encounter)
        node = self._node_of(encounter)
        if node is not None:
            node.listener.want(encounter)

    def leave(self, encounter: UUID) -> None:
        """Hear no more about this encounter."""
        if encounter not in self._followed:
            return
        self._followed.discard(encounter)
        node = self._node_of(encounter)
        if node is not None:
            node.listener.unwant(encounter)

    async def run(self, hear: Hear) -> None:
        """Tell and hear until cancelled; whatever happens to Redis meanwhile."""
        self._hear = hear
        pause = Backoff()
        try:
            while True:
                self._is_stale.clear()
                try:
                    await self._look()
                except Exception as error:  # a fault of ours must not end it for good
                    self._complaint.own_fault(error)
                await asyncio.sleep(pause.seconds())
                if await self._calls_within(SURVEY_SECONDS):
                    continue
                pause.reset()
        finally:
            await self._stop()

    async def _calls_within(self, seconds: float) -> bool:
        """Wait until something calls for another look; whether it did within so many seconds."""
        if self._topology is None:
            return True
        try:
            async with asyncio.timeout(seconds):
                await self._is_stale.wait()
        except TimeoutError:
            return False
        return True

    async def _look(self) -> None:
        """Ask which servers there are, and act on it; keep to what is known if none answers."""
        failure: Exception | None = None
        for endpoint in self._to_ask():
            wire = self._dialer.wire(endpoint)
            try:
                await wire.open()
                found = await surveyed(wire, endpoint, self._dialer)
            except (*LOST, Unfit) as error:
                failure = failure or error
            else:
                self._complaint.settled()
                await self._settle(found)
                return
            finally:
                await wire.close()
        if failure is not None:
            self._complaint.made(failure)

    def _to_ask(self) -> Iterator[Endpoint]:
        """The servers that are known, those first that work, and those that are named."""
        known = sorted(self._nodes, key=lambda endpoint: self._nodes[endpoint].listener.is_deaf)
        yield from known
        for endpoint in self._dialer.endpoints:
            if endpoint not in known:
                yield endpoint

    async def _settle(self, topology: Topology) -> None:
        """Have a node for each server, and everything at the node where it belongs."""
        if topology == self._topology:
            for node in self._nodes.values():
                node.listener.ask_again()
        else:
            await self._change(topology)
        for letter in self._unplaced.take_all():
            place = self._node_of(letter.message.encounter)
            (self._unplaced if place is None else place.outbox).put_all([letter])

    async def _change(self, topology: Topology) -> None:
        known, self._nodes = self._nodes, {}
        for endpoint in topology.endpoints:
            node = known.pop(endpoint, None)
            self._nodes[endpoint] = node or self._node(endpoint, len(topology.endpoints))
        self._topology = topology
        self._assign()
        for gone in known.values():
            self._unplaced.put_all(await gone.stop())

    def _assign(self) -> None:
        wanted: dict[Endpoint, set[UUID]] = {endpoint: set() for endpoint in self._nodes}
        for encounter in self._followed:
            owner = self._owner(encounter)
            if owner is not None:
                wanted[owner].add(encounter)
        for endpoint, encounters in wanted.items():
            self._nodes[endpoint].listener.want_just(encounters)

    def _node(self, endpoint: Endpoint, of: int) -> RedisNode:
        """The node of a server, one of so many, at work."""
        dial = partial(self._dialer.wire, endpoint)
        outbox = Outbox(self.tally, self._clock, MOST // of, MOST_BYTES // of)
        teller = Publisher(dial, outbox, self._sealer, self.tally, self._astray)
        listener = Listener(
            dial, self.tally, hear=self._open, begun=self._begun, lost=self._is_stale.set
        )
        return RedisNode(
            outbox,
            listener,
            tuple(
                asyncio.create_task(kept_up(work, self._is_stale.set, complaint))
                for work, complaint in (
                    (teller.tell, teller.complaint),
                    (listener.listen, listener.complaint),
                )
            ),
        )

    def _owner(self, encounter: UUID) -> Endpoint | None:
        return None if self._topology is None else self._topology.owner(encounter)

    def _node_of(self, encounter: UUID) -> RedisNode | None:
        owner = self._owner(encounter)
        return None if owner is None else self._nodes[owner]

    def _astray(self, letters: list[Letter]) -> None:
        """These belong elsewhere: keep them until it is known where."""
        self._unplaced.put_all(letters)
        self._is_stale.set()

    def _open(self, channel: bytes, sealed: bytes) -> None:
        """Pass on what was heard if it is sound, of somebody else, and still of interest."""
        encounter = encounter_of(channel)
        try:
            message = self._sealer.opened(sealed)
        except Unsound:
            self.tally.refused += 1
            return
        if message is None:
            return
        if message.encounter != encounter:
            self.tally.refused += 1
        elif encounter in self._followed:
            self.tally.heard += 1
            self._pass_on(message)

    def _begun(self, encounters: tuple[UUID, ...]) -> None:
        followed = tuple(each for each in encounters if each in self._followed)
        if followed:
            self._pass_on(Missed(encounters=followed))

    def _pass_on(self, message: FanoutMessage) -> None:
        try:
            self._hear(message)
        except Exception as error:  # whoever hears must not end the hearing
            self._complaint.own_fault(error)

    async def _stop(self) -> None:
        nodes = self._nodes.values()
        self._nodes = {}
        self._topology = None
        for node in nodes:
            self._unplaced.put_all(await node.stop())


def _ignore(_: FanoutMessage) -> None:
    pass
