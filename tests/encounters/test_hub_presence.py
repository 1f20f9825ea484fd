"""Presence, and other records that are no events: little of it, however much there is to tell."""

import time

from service.eventstore.store import EventStore
from service.fanout.messages import Presence
from service.live.followed_encounter import MOST_WAITING
from service.live.hub import MOST_INBOX
from service.live.presence import CALL_SECONDS
from service.live.records import PresenceChange, unplaced
from tests.encounters.following import joined, until, wired
from tests.encounters.table import Table

NOTE = {"type": "note", "text": "what was said"}


async def test_a_seat_that_comes_and_goes_all_the_time_is_told_of_once_a_second(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    master = await joined(here, encounter)

    def tell(seats: tuple[str, ...]) -> None:
        presence = Presence(encounter=encounter, process="elsewhere", seats=seats)
        here.encounters.hub.heard(presence)

    def changes() -> list[tuple[str, bool]]:
        return [(each["seat"], each["present"]) for each in master.sink.of("presence")]

    began = time.monotonic()
    for _ in range(500):
        tell(("rita", "bob"))
        tell(())
        tell(("rita",))
    await until(lambda: here.encounters.hub.present(encounter) == ("rita",))
    seconds = time.monotonic() - began
    assert len(changes()) <= 2 * (seconds / CALL_SECONDS + 1)
    assert dict(changes()) == {"bob": False, "rita": True}


async def test_who_reads_nothing_does_not_hoard_what_is_no_event(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    idle = await joined(here, encounter)
    [channel] = here.encounters.hub.channels.values()
    idle.sink.reads = False
    body = PresenceChange(
        encounter=str(encounter), ruleset="crossfire-d6", seat="s" * 1_000, present=True
    )
    for _ in range(10_000):
        for viewer in channel.viewers:
            channel.say_to(viewer, unplaced(encounter, body))
    assert idle.sink.waiting < 2 * MOST_WAITING
    idle.leave()


async def test_more_than_can_be_passed_on_is_left_to_the_log(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    there, wires = wired(table, store)
    client = await joined(here, encounter)
    await there.act(encounter, NOTE)
    await until(lambda: bool(wires.news))
    hub = here.encounters.hub
    presence = Presence(encounter=encounter, process="elsewhere", seats=())
    for _ in range(3 * MOST_INBOX):
        hub.heard(presence)
    hub.heard(wires.news[0])
    assert (hub.inbox, hub.tally.overflown) == (MOST_INBOX, 2 * MOST_INBOX + 1)
    await client.at(3)
    await until(lambda: hub.inbox == 0)
