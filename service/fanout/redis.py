"""The fan-out over Redis: one server, or a cluster.

How this works. Every encounter has a channel of sharded pub/sub, which on a cluster lives on the
server that owns its slot. Each server that owns slots has a node here: a publisher with the
messages that wait for it, and a subscriber with the encounters followed there, each on a separate
connection and each restarted by itself, so that a server that hangs does not delay the others.
Which servers there are is surveyed at the start, every `SURVEY_SECONDS`, and whenever one of them
fails; messages without a server wait until that is known, up to the age an outbox allows.

No caller waits for Redis: messages are queued, and events of lost messages are read from the log.
`Missed` is delivered each time a subscription begins, so that the gap before it is read too.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.fanout.connection import LOST, Endpoint, RedisDialer
from service.fanout.fanout import FanoutTally, OnMessage, new_process
from service.fanout.message_mac import MessageSealer, Unsound
from service.fanout.messages import EncounterMessage, FanoutMessage, Missed
from service.fanout.outbox import MOST, MOST_BYTES, Letter, Outbox
from service.fanout.publisher import Publisher
from service.fanout.subscriber import Subscriber
from service.fanout.supervisor import Backoff, Complaint, keep_running
from service.fanout.topology import Topology, Unfit, encounter_of, survey

SURVEY_SECONDS: Final = 30.0
"""Between two surveys of the servers while nothing fails."""


class RedisNode(Struct, frozen=True):
    """One server: its outbox, its subscriber, and the tasks of both."""

    outbox: Outbox
    subscriber: Subscriber
    tasks: tuple[asyncio.Task[None], ...]

    async def stop(self) -> list[Letter]:
        """Stop its tasks; the letters that still wait."""
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
        self._on_message: OnMessage = _ignore
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
        subscribers = [node.subscriber for node in self._nodes.values()]
        placed = sum(subscriber.subscription_count for subscriber in subscribers)
        return placed < len(self._followed) or any(subscriber.is_deaf for subscriber in subscribers)

    @property
    def waiting(self) -> int:
        """Messages submitted and not yet sent."""
        return len(self._unplaced) + sum(len(node.outbox) for node in self._nodes.values())

    def publish(self, message: EncounterMessage) -> None:
        """Send it soon to the processes that follow its encounter. Never blocks, never raises."""
        self.tally.submitted += 1
        node = self._node_of(message.encounter)
        outbox = self._unplaced if node is None else node.outbox
        outbox.put(message)

    def follow(self, encounter: UUID) -> None:
        """Receive messages about this encounter from soon on; `Missed` says when that began."""
        if encounter in self._followed:
            return
        self._followed.add(encounter)
        node = self._node_of(encounter)
        if node is not None:
            node.subscriber.subscribe(encounter)

    def leave(self, encounter: UUID) -> None:
        """Receive no more messages about this encounter."""
        if encounter not in self._followed:
            return
        self._followed.discard(encounter)
        node = self._node_of(encounter)
        if node is not None:
            node.subscriber.unsubscribe(encounter)

    async def run(self, on_message: OnMessage) -> None:
        """Publish and receive until cancelled; a lost Redis is connected to again."""
        self._on_message = on_message
        pause = Backoff()
        try:
            while True:
                self._is_stale.clear()
                try:
                    await self._survey()
                except Exception as error:  # a fault of ours must not end it for good
                    self._complaint.report_fault(error)
                await asyncio.sleep(pause.seconds())
                if await self._is_survey_needed_within(SURVEY_SECONDS):
                    continue
                pause.reset()
        finally:
            await self._stop()

    async def _is_survey_needed_within(self, seconds: float) -> bool:
        """Whether a failure calls for another survey within so many seconds; waits for it."""
        if self._topology is None:
            return True
        try:
            async with asyncio.timeout(seconds):
                await self._is_stale.wait()
        except TimeoutError:
            return False
        return True

    async def _survey(self) -> None:
        """Find out which servers there are, and have a node for each; no change if none answers."""
        failure: Exception | None = None
        for endpoint in self._endpoints():
            connection = self._dialer.dial(endpoint)
            try:
                await connection.open()
                topology = await survey(connection, endpoint, self._dialer)
            except (*LOST, Unfit) as error:
                failure = failure or error
            else:
                self._complaint.settle()
                await self._settle(topology)
                return
            finally:
                await connection.close()
        if failure is not None:
            self._complaint.report(failure)

    def _endpoints(self) -> Iterator[Endpoint]:
        """The servers to ask: those with a node, working ones first, then those of the URL."""
        working_first = sorted(
            self._nodes, key=lambda endpoint: self._nodes[endpoint].subscriber.is_deaf
        )
        yield from working_first
        for endpoint in self._dialer.endpoints:
            if endpoint not in working_first:
                yield endpoint

    async def _settle(self, topology: Topology) -> None:
        """Have a node for each server, and each letter and subscription at its node."""
        if topology == self._topology:
            for node in self._nodes.values():
                node.subscriber.retry()
        else:
            await self._change(topology)
        for letter in self._unplaced.take_all():
            place = self._node_of(letter.message.encounter)
            (self._unplaced if place is None else place.outbox).put_all([letter])

    async def _change(self, topology: Topology) -> None:
        former, self._nodes = self._nodes, {}
        for endpoint in topology.endpoints:
            node = former.pop(endpoint, None)
            self._nodes[endpoint] = node or self._node(endpoint, len(topology.endpoints))
        self._topology = topology
        self._assign()
        for node in former.values():
            self._unplaced.put_all(await node.stop())

    def _assign(self) -> None:
        assigned: dict[Endpoint, set[UUID]] = {endpoint: set() for endpoint in self._nodes}
        for encounter in self._followed:
            owner = self._owner(encounter)
            if owner is not None:
                assigned[owner].add(encounter)
        for endpoint, encounters in assigned.items():
            self._nodes[endpoint].subscriber.subscribe_only(encounters)

    def _node(self, endpoint: Endpoint, node_count: int) -> RedisNode:
        """The node of a server, at work, with its share of the bounds of all nodes."""
        dial = partial(self._dialer.dial, endpoint)
        outbox = Outbox(self.tally, self._clock, MOST // node_count, MOST_BYTES // node_count)
        publisher = Publisher(dial, outbox, self._sealer, self.tally, self._astray)
        subscriber = Subscriber(
            dial,
            self.tally,
            on_message=self._receive,
            on_begun=self._begun,
            on_lost=self._is_stale.set,
        )
        return RedisNode(
            outbox,
            subscriber,
            tuple(
                asyncio.create_task(keep_running(work, self._is_stale.set, complaint))
                for work, complaint in (
                    (publisher.run, publisher.complaint),
                    (subscriber.run, subscriber.complaint),
                )
            ),
        )

    def _owner(self, encounter: UUID) -> Endpoint | None:
        return None if self._topology is None else self._topology.owner(encounter)

    def _node_of(self, encounter: UUID) -> RedisNode | None:
        owner = self._owner(encounter)
        return None if owner is None else self._nodes[owner]

    def _astray(self, letters: list[Letter]) -> None:
        """Keep letters that belong to another server until the next survey, and call for one."""
        self._unplaced.put_all(letters)
        self._is_stale.set()

    def _receive(self, channel: bytes, sealed: bytes) -> None:
        """Deliver a message if it is genuine, of another process, and its encounter is followed."""
        encounter = encounter_of(channel)
        try:
            message = self._sealer.open(sealed)
        except Unsound:
            self.tally.refused += 1
            return
        if message is None:
            return
        if message.encounter != encounter:
            self.tally.refused += 1
        elif encounter in self._followed:
            self.tally.received += 1
            self._deliver(message)

    def _begun(self, encounters: tuple[UUID, ...]) -> None:
        followed = tuple(encounter for encounter in encounters if encounter in self._followed)
        if followed:
            self._deliver(Missed(encounters=followed))

    def _deliver(self, message: FanoutMessage) -> None:
        try:
            self._on_message(message)
        except Exception as error:  # a fault of the receiver must not end the subscription
            self._complaint.report_fault(error)

    async def _stop(self) -> None:
        nodes = self._nodes.values()
        self._nodes = {}
        self._topology = None
        for node in nodes:
            self._unplaced.put_all(await node.stop())


def _ignore(_: FanoutMessage) -> None:
    pass
