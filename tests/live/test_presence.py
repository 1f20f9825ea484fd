"""Who is at the table, over all processes: announced, forgotten, and at most once a second."""

import secrets
import time
from uuid import UUID

import pytest

from service.encounters.principal import Principal, seat_principal
from service.eventstore.store import EventStore
from service.fanout.messages import PRESENCE_SECONDS, Missed, Presence
from service.live import presence
from service.live.followed_encounter import MOST_WAITING
from service.live.presence import CALL_SECONDS, GRACE_SECONDS, Attendance
from service.live.records import PresenceChange, unplaced
from tests.encounters.table import Table
from tests.live.clients import Client, joined, wired
from tests.patience import PATIENCE_SECONDS, until


def graced(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on an absence is due so long after the end of the last stream."""
    monkeypatch.setattr(presence, "GRACE_SECONDS", seconds)


def changes(client: Client) -> list[tuple[str, bool]]:
    """Who came and went, as a client was shown."""
    return [(each["seat"], each["present"]) for each in client.sink.of("presence")]


async def test_presence_is_known_in_all_processes_and_forgotten_with_them(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    graced(monkeypatch, 0.0)
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
            hub.report_absences()

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
    assert channel.attendance.lapse(float("inf"))
    channel.report_presence()
    assert here.encounters.hub.present(encounter) == ()
    assert changes(master) == [
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
        here.encounters.hub.receive(Presence(encounter=encounter, process="elsewhere", seats=seats))

    began = time.monotonic()
    for _ in range(500):
        announce(("rita", "bob"))
        announce(())
        announce(("rita",))
    await until(lambda: here.encounters.hub.present(encounter) == ("rita",))
    seconds = time.monotonic() - began
    assert len(changes(master)) <= 2 * (seconds / CALL_SECONDS + 1)
    assert dict(changes(master)) == {"bob": False, "rita": True}


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


async def test_a_seat_that_comes_back_soon_was_never_absent(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    graced(monkeypatch, PATIENCE_SECONDS)
    encounter, hub = await table.started(), table.encounters.hub
    master = await joined(table, encounter)
    for _ in range(5):
        rita = await joined(table.seat("rita"), encounter)
        rita.leave()
        hub.report_absences()
    assert changes(master) == [("rita", True)]
    graced(monkeypatch, 0.0)
    (await joined(table.seat("rita"), encounter)).leave()
    assert hub.present(encounter) == ("rita",)
    hub.report_absences()
    await until(lambda: changes(master) == [("rita", True), ("rita", False)])


async def test_whoever_comes_back_first_finds_those_whose_absence_is_not_due(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    graced(monkeypatch, PATIENCE_SECONDS)
    encounter, hub = await table.started(), table.encounters.hub
    for name in ("rita", "bob"):
        (await joined(table.seat(name), encounter)).leave()
    assert not hub.channels
    olaf = await joined(table.seat("olaf"), encounter)
    assert olaf.sink.bodies[0]["presence"] == ["bob", "olaf", "rita"]
    await joined(table.seat("bob"), encounter)
    assert changes(olaf) == []
    olaf.leave()
    assert hub.present(encounter) == ("bob", "olaf", "rita")


async def test_a_seat_that_is_removed_is_absent_at_once_in_all_processes(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    graced(monkeypatch, PATIENCE_SECONDS)
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    rita = await joined(here.seat("rita"), encounter)
    (await joined(here.seat("bob"), encounter)).leave()
    master, far = await joined(here, encounter), await joined(there, encounter)

    def present_there() -> tuple[str, ...]:
        messages, wires.messages = wires.messages, []
        for message in messages:
            there.encounters.hub.receive(message)
        return there.encounters.hub.present(encounter)

    await until(lambda: present_there() == ("bob", "rita"))
    for name in ("rita", "bob"):
        await here.act(encounter, {"type": "remove_seat", "seat": name})
    await rita.over()
    assert rita.sink.last_word == ("bye", "revoked")
    await until(lambda: here.encounters.hub.present(encounter) == present_there() == ())
    for client in (master, far):
        assert {("rita", False), ("bob", False)} <= {*changes(client)}


async def test_a_token_that_is_revoked_ends_the_grace_of_its_seat(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    graced(monkeypatch, PATIENCE_SECONDS)
    encounter, hub = await table.started(), table.encounters.hub
    master = await joined(table, encounter)
    rita, bob = [
        await joined(Table(table.encounters, stranger(table, encounter, name)), encounter)
        for name in ("rita", "bob")
    ]
    bob.leave()
    assert hub.present(encounter) == ("bob", "rita")
    await hub.end_revoked()
    await rita.over()
    await until(lambda: hub.present(encounter) == ())
    assert dict(changes(master)) == {"rita": False, "bob": False}


def stranger(table: Table, encounter: UUID, seat: str) -> Principal:
    """A seat by a token that is good no longer."""
    return seat_principal(table.who.tenant, encounter, seat, secrets.token_bytes(32))


async def test_the_last_message_of_a_process_holds_until_the_absence_is_due(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    process = here.encounters.hub.fanout.process
    (await joined(here.seat("rita"), encounter)).leave()
    last = wires.messages[-1]
    assert isinstance(last, Presence)
    assert (last.process, last.seats) == (process, ("rita",))
    assert 0 < last.holds_seconds <= GRACE_SECONDS
    attendance = Attendance()
    attendance.note_elsewhere(last, 100.0)
    assert not attendance.lapse(100.0 + last.holds_seconds - 0.01)
    assert attendance.everywhere == {"rita"}
    assert attendance.lapse(100.0 + last.holds_seconds)
    assert attendance.everywhere == frozenset()


def test_an_absence_is_due_after_the_grace_of_the_last_stream() -> None:
    who = Principal(tenant=UUID(int=1), scopes=frozenset(), acting_for="rita")
    attendance = Attendance()
    assert [attendance.arrive("rita"), attendance.arrive("rita")] == [True, False]
    attendance.depart(who, "rita", 50.0)
    assert (attendance.departed, attendance.holds_seconds(50.0)) == (frozenset(), PRESENCE_SECONDS)
    attendance.depart(who, "rita", 60.0)
    assert (attendance.here, attendance.departed) == (("rita",), frozenset({who}))
    assert attendance.holds_seconds(62.5) == 8
    assert (attendance.lapse(60.0 + GRACE_SECONDS - 0.01), attendance.here) == (False, ("rita",))
    assert (attendance.lapse(60.0 + GRACE_SECONDS), attendance.here) == (True, ())
    assert (attendance.dismiss(who), attendance.lapse(1e9)) == (False, False)
