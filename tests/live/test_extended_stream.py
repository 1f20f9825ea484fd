"""A stream with patches whose database is away: it stays open, and ends when it is to end."""

from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

import pytest
from msgspec import UNSET

from service.encounters.cache import LoadedEncounter, caller_of
from service.encounters.documents import Documents
from service.encounters.principal import Principal
from service.encounters.requests import Additions
from service.errors import DatabaseAway
from service.live import shared_additions
from service.live.extended_stream import ExtendedStream, StreamStart
from service.live.fair_queue import FairQueue
from service.live.records import Record, farewell, unplaced
from service.live.shared_additions import DocumentSources, SharedAdditions
from service.live.sinks import Subscription
from tests.live.clients import FakeSink
from tests.patience import until

ENCOUNTER = UUID(int=1)
WHO = Principal(tenant=UUID(int=2), scopes=frozenset(), key_id=UUID(int=3))


@dataclass
class Outage:
    """A stream that asked, and how often the database was asked in vain."""

    sink: FakeSink = field(default_factory=FakeSink)
    failures: list[Exception] = field(default_factory=list)
    subscription: Subscription = field(default_factory=lambda: Subscription(lambda: None))
    asked: int = 0

    def __post_init__(self) -> None:
        documents = cast("Documents", None)
        sources = DocumentSources(documents, caller_of, self.away, self.away)
        self.shared = SharedAdditions(sources, FairQueue(lambda: False))
        starts = {ENCOUNTER: StreamStart(None, is_far=False)}
        self.stream = ExtendedStream(
            self.sink, WHO, starts, Additions(state=True), self.shared, self.failures.append
        )
        self.stream.write(Record("hello", ENCOUNTER, 1, "0a1b2c3d", b'{"type":"hello"}'))
        self.stream.begin(self.subscription)

    async def away(self, _: UUID, __: UUID) -> LoadedEncounter | None:
        self.asked += 1
        raise DatabaseAway

    @property
    def told(self) -> list[str]:
        """The kinds of what the client was shown."""
        return [record.kind for record in self.sink.records]


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_additions, "RETRY_SECONDS", 0.001)


async def test_it_ends_with_the_last_word_while_the_database_is_away() -> None:
    outage = Outage()
    await until(lambda: outage.asked > 2)
    assert (outage.told, outage.sink.is_closed) == ([], False)
    outage.stream.write(Record("event", ENCOUNTER, 2, "0a1b2c3e", b'{"type":"event"}'))
    assert outage.stream.waiting == len(b'{"type":"hello"}{"type":"event"}')
    outage.stream.write(unplaced(ENCOUNTER, farewell(UNSET, "shutdown")))
    outage.stream.close()
    outage.subscription.end()
    await outage.shared.settle()
    assert (outage.told, outage.sink.is_closed, outage.failures) == (["bye"], True, [])


async def test_it_ends_when_its_owner_lets_go_while_the_database_is_away() -> None:
    outage = Outage()
    await until(lambda: outage.asked > 2)
    outage.subscription.cancel()
    await outage.shared.settle()
    assert (outage.told, outage.sink.is_closed, outage.failures) == ([], False, [])
