"""Who is at the table, over all processes: announced, forgotten, and at most once a second."""

import time

from service.eventstore.store import EventStore
from service.fanout.messages import Missed, Presence
from service.live.followed_encounter import MOST_WAITING
from service.live.presence import CALL_SECONDS
from service.live.records import PresenceChange, unplaced
from tests.encounters.table import Table
from tests.live.clients import joined, wired
from tests.patience import until


async def test_presence_is_known_in_all_processes_and_forgotten_with_them(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, others = wired(table, store)
    master = await joined(here, encounter)
    rita = await joined(here.seat("rita"), encounter)
    second = await joined(here.seat("rita"), encounter)
    bob = await joined(there.seat("bob"), encounter)
    assert master.sink.of("presence") == [
        {
            "type": "presence",
            "encounter": str(encounter),
            "ruleset": "crossfire-d6",
            "seat": "rita",
            "present": True,
        }
    ]

    def pass_on() -> None:
        for hub, queue in ((there.encounters.hub, wires), (here.encounters.hub, others)):
            messages, queue.messages = queue.messages, []
            for message in messages:
                hub.receive(message)

    async def until_present(seats: set[str]) -> None:
        def are_known() -> bool:
            pass_on()
            return all(
                set(each.encounters.hub.present(encounter)) == seats for each in (here, there)
            )

        await until(are_known)

    await until_present({"rita", "bob"})
    late = await joined(there.seat("olaf"), encounter)
    assert late.sink.bodies[0]["presence"] == ["bob", "olaf", "rita"]
    await until_present({"rita", "bob", "olaf"})
    late.leave()
    rita.leave()
    await until_present({"rita", "bob"})
    second.leave()
    await until_present({"bob"})
    [channel] = here.encounters.hub.channels.values()
    channel.attendance.forget(float("inf"))
    channel.report_presence()
    assert here.encounters.hub.present(encounter) == ()
    changes = [(each["seat"], each["present"]) for each in master.sink.of("presence")]
    assert changes == [
        ("rita", True),
        ("bob", True),
        ("olaf", True),
        ("olaf", False),
        ("rita", False),
        ("bob", False),
    ]
    assert bob.sink.of("presence")[0]["seat"] == "rita"


async def test_a_process_that_begins_to_listen_asks_who_is_here(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    await joined(here.seat("rita"), encounter)
    wires.messages.clear()
    here.encounters.hub.receive(Missed(encounters=(encounter,)))
    await until(lambda: bool(wires.messages))
    wires.messages.clear()
    for number in range(100):
        stranger = Presence(encounter=encounter, process=f"stranger {number}", seats=())
        here.encounters.hub.receive(stranger)
    await until(lambda: bool(wires.messages))
    # They are all answered at once.
    process = here.encounters.hub.fanout.process
    assert wires.messages == [Presence(encounter=encounter, process=process, seats=("rita",))]


async def test_a_seat_that_comes_and_goes_all_the_time_is_told_of_once_a_second(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    master = await joined(here, encounter)

    def announce(seats: tuple[str, ...]) -> None:
        presence = Presence(encounter=encounter, process="elsewhere", seats=seats)
        here.encounters.hub.receive(presence)

    def changes() -> list[tuple[str, bool]]:
        return [(each["seat"], each["present"]) for each in master.sink.of("presence")]

    began = time.monotonic()
    for _ in range(500):
        announce(("rita", "bob"))
        announce(())
        announce(("rita",))
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
            channel.send_to(viewer, unplaced(encounter, body))
    assert idle.sink.waiting < 2 * MOST_WAITING
    idle.leave()
