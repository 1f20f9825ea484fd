"""Tables whose options limit decisions and turns, and ways to let their time pass."""

from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from service.app import compose
from service.encounters.principal import Principal
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from tests.encounters.table import SIGNER, SOURCES, Table, creation
from tests.toy import battles, sweeps
from tests.toy.rules import RULESETS

TURN, DECISION = 3600, 1800
SLACK = 60
"""So many seconds a test may take, and only that is asserted of them."""
TABLES = ("clock", "clock_pause", "clock_change", "clock_command")

AGED = (
    "UPDATE event SET recorded_at = recorded_at - $1::interval WHERE encounter_id = $2",
    "UPDATE clock SET due = due - $1::interval, paused_at = paused_at - $1::interval"
    " WHERE encounter_id = $2",
    "UPDATE clock_pause SET paused_at = paused_at - $1::interval,"
    " resumed_at = resumed_at - $1::interval WHERE encounter_id = $2",
)


def timed(**options: object) -> dict[str, object]:
    """Red against blue, an hour for a turn."""
    tree = creation()
    given: Any = tree["setup"]
    setup = {**given, "options": {**given["options"], "turn_seconds": TURN, **options}}
    return {**tree, "setup": setup}


def toy_tree(seats: object, sides: object, fighters: object, **more: object) -> dict[str, object]:
    """A battle of the toy ruleset, with a limit for both."""
    return {
        "ruleset": "toy",
        "sides": msgspec.to_builtins(sides),
        "seats": msgspec.to_builtins(seats),
        "setup": {
            "fighters": msgspec.to_builtins(fighters),
            "options": {"decision_seconds": DECISION, "turn_seconds": 10 * TURN},
        },
        **more,
    }


def toy_of(store: EventStore, who: Principal) -> Table:
    """A process that knows the toy ruleset."""
    return Table(compose(store, RULESETS, SIGNER, SOURCES), who)


async def turn_to(toys: Table, encounter: UUID, name: str) -> None:
    """End turns until it is this combatant's."""
    while (turn := (await toys.state(encounter))["turn"]) != name:
        await toys.act(encounter, {"type": "end_turn", "combatant": turn})


async def struck(toys: Table, **more: object) -> tuple[UUID, str]:
    """A battle in which Anders struck at Berta, whom Bob is asked about; the question."""
    tree = toy_tree(battles.SEATS, battles.SIDES, battles.SETUP.fighters, **more)
    encounter = await toys.create(tree)
    faces = [20, 10, 5] if more.get("dice") == "supplied" else None
    await toys.act(encounter, {"type": "start_encounter"}, dice=faces)
    await turn_to(toys, encounter, "anders")
    while not (asked := await questions(toys, encounter)):
        strike = {"type": "strike", "combatant": "anders", "target": "berta"}
        await toys.act(encounter, strike, dice=[5] if faces else None)
    return encounter, asked["berta"]


async def swept(toys: Table) -> tuple[UUID, dict[str, str]]:
    """A battle in which Anders swept at three others; the questions by whom they are about."""
    fighters = sweeps.melee().state.rule.combatants
    encounter = await toys.started(toy_tree(sweeps.SEATS, sweeps.SIDES, fighters))
    await turn_to(toys, encounter, "anders")
    sweep = {"type": "sweep", "combatant": "anders", "targets": list(sweeps.TARGETS)}
    await toys.seat("ann").act(encounter, sweep)
    return encounter, await questions(toys, encounter)


async def questions(table: Table, encounter: UUID) -> dict[str, str]:
    """The ids of the open questions by whom they are about."""
    view = await table.encounters.reads.view(table.who, encounter, None)
    return {each["combatant"]: each["id"] for each in msgspec.json.decode(view.decisions)}


def to(question: str, kind: str, **more: object) -> dict[str, object]:
    """An answer."""
    return {"type": "answer", "decision_id": question, "choice": {"type": kind} | more}


async def time_passes(database: Dsns, encounter: UUID, seconds: int, *tables: Table) -> None:
    """All that was recorded so far was so many seconds earlier; `tables` are asked to look
    again.
    """
    for table in tables:
        await table.encounters.timing.upcoming.settle()
    admin = await asyncpg.connect(database.admin)
    # Nobody below a superuser can: the log is protected from its owner too.
    await admin.execute("SET session_replication_role = replica")
    for statement in AGED:
        await admin.execute(
            statement.replace("$1", f"'{seconds} s'").replace("$2", "$1"), encounter
        )
    await admin.close()
    for table in tables:
        table.encounters.timing._start_events.clear()


async def rows(database: Dsns, encounter: UUID) -> dict[str, list[dict[str, Any]]]:
    """What is stored of the clock of an encounter, by table."""
    admin = await asyncpg.connect(database.admin)
    found = {
        name: [
            dict(row)
            for row in await admin.fetch(f"SELECT * FROM {name} WHERE encounter_id = $1", encounter)
        ]
        for name in TABLES
    }
    await admin.close()
    return found


async def deeds(table: Table, encounter: UUID, after: int = 0) -> list[tuple[str, str]]:
    """Who did what behind event `after`."""
    page = await table.encounters.reads.events(table.who, encounter, str(after), 100)
    trees = [msgspec.json.decode(record.event) for record in page.events]
    return [(tree["by"]["kind"], tree["action"]["type"]) for tree in trees]


async def require_clean(table: Table, encounter: UUID) -> None:
    """Every event was decided by the rules, and overruled by nobody."""
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert report.clean, report.first_failure
    assert set(report.counts) <= {"match", "override"}


async def left(table: Table, encounter: UUID) -> dict[str, int]:
    """Seconds left, by decision or combatant."""
    answer = await table.encounters.reads.timers(table.who, encounter)
    return {
        str(each.decision_id or each.turn): each.left_seconds
        for each in answer.timers
        if each.left_seconds is not msgspec.UNSET
    }


def about(seconds: int) -> range:
    """What may be left of so much while a test runs."""
    return range(seconds - SLACK, seconds + 1)


async def change(table: Table, encounter: UUID, key: str, do: str, **more: object) -> bool:
    """Pause, resume or extend; whether the key had done so before."""
    tree = {"do": do, **more}
    return (await table.encounters.writes.change_timers(table.who, encounter, tree, key)).replayed
