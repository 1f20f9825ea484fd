"""Players who take back whatever they may, over HTTP: two services that differ in secrets alone.

Every answer, every refusal of a rewind and every record of every stream must be equal byte for
byte, but for what follows from the seed or the clock of the database.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from itertools import product
from typing import Any

import pytest

from service.engine.vocabulary.values import DiceMode
from service.eventstore.embedded import Dsns
from tests.api.worlds import World, limited, masked, serving, twin_databases
from tests.hostile.battle import UNKNOWING, Tree
from tests.hostile.served import BehindPort
from tests.hostile.worlds import Worlds, setups_of
from tests.kit.rig import Rig, there
from tests.kit.rigs import OF_COMBATANTS

pytestmark = pytest.mark.slow

MODES: tuple[DiceMode, ...] = ("sealed", "supplied")
CASES = [pytest.param(rig, mode, id=f"{rig}-{mode}") for rig, mode in product(OF_COMBATANTS, MODES)]
HALF = [CASES[2 * number + number % 2] for number in range(len(OF_COMBATANTS))]
"""Each ruleset with one kind of dice, in turn; the long form has both."""
EVENTS, MANY = 24, 60
FEW = 5
"""Battles at most that are played until one of them holds what the test is about: one does."""
LONG = 10


@pytest.fixture(scope="module")
async def databases(server: str) -> AsyncIterator[tuple[Dsns, Dsns]]:
    """Two databases."""
    async with twin_databases(server) as pair:
        yield pair


def played(
    databases: tuple[Dsns, Dsns], rig: Rig, mode: DiceMode, number: int, events: int
) -> Counter[str]:
    """What came to pass in a battle of which both tell alike."""
    slug = rig.ruleset.slug
    name = f"{slug}-{mode}-{number}"
    with ExitStack() as stack:
        battles = []
        setups = setups_of(rig, number, mode)
        for dsns, setup, unseen in zip(databases, setups, ("h", "k"), strict=True):
            served = stack.enter_context(serving(dsns, name))
            world = World(served, slug, limited(dict(setup)), unseen, name=name, dice=mode)
            stack.callback(world.close)
            battles.append(BehindPort(world))
        one, other = battles
        worlds = Worlds(rig, (one, other), f"{number} {mode}")
        worlds.play(events)
        compare_logs(worlds, one, other)
    for stream, tap in one.taps.items():
        compare_streams(stream, worlds, tap.rest(), other.taps[stream].rest())
    return worlds.counts


def compare_logs(worlds: Worlds, one: BehindPort, other: BehindPort) -> None:
    """The log once more as a whole, and its audit, but for events by which the worlds parted."""
    for by in UNKNOWING:
        pages = [
            [each for each in battle.events(by) if each["seq"] not in worlds.parted]
            for battle in (one, other)
        ]
        assert told(pages[0]) == told(pages[1]), by
        reports = [battle.audit(by) for battle in (one, other)]
        verdicts = [
            [each for each in report["verdicts"] if each["seq"] not in worlds.parted]
            for report in reports
        ]
        assert told(verdicts[0]) == told(verdicts[1]), by
        assert reports[0]["clean"] is reports[1]["clean"] is True
    for by, battle in product(("gm", *UNKNOWING), (one, other)):
        require_undoing(battle, by)


def require_undoing(battle: BehindPort, by: str) -> None:
    """What a rewind undid, as an event read by itself and the audit tell it, is what somebody finds
    who has the log and follows its bases."""
    log = {each["seq"]: each for each in battle.events(by)}
    verdicts = {each["seq"]: each for each in battle.audit(by)["verdicts"]}
    for seq, record in log.items():
        assert "undoing" not in record
        base = record["event"]["base"]
        if base == seq - 1:
            assert "undoing" not in verdicts[seq]
            continue
        before, since = counted(log, seq - 1), counted(log, base)
        undone = [entry(log[each]) for each in sorted(before - since)]
        restored = [entry(log[each]) for each in sorted(since - before)]
        undoing = {
            "undone_count": len(undone),
            "undone": undone,
            "restored_count": len(restored),
            "restored": restored,
        }
        assert battle.event(seq, by)["undoing"] == verdicts[seq]["undoing"] == undoing


def counted(log: Mapping[int, Tree], seq: int) -> set[int]:
    """The events that count after this one: from base to base."""
    found = set()
    while seq:
        found.add(seq)
        seq = log[seq]["event"]["base"]
    return found


def entry(record: Tree) -> Tree:
    """Whose an event is, and the word of its action where that may be known."""
    event = record.get("seen", record["event"])
    action = {"action": event["action"]["type"]} if "action" in event else {}
    return {"seq": record["seq"], "by": event["by"], **action}


def told(tree: object) -> bytes:
    """The JSON of something, masked."""
    return masked(json.dumps(tree, separators=(",", ":")).encode())


def compare_streams(name: str, worlds: Worlds, first: list[bytes], second: list[bytes]) -> None:
    """Record by record, but for heartbeats, which come when they come.

    Clocks that were set again when the worlds parted are set back by the rewind behind that.
    """
    one, other = (by_event(records) for records in (first, second))
    assert one.keys() == other.keys(), name
    for seq in one.keys() - worlds.parted:
        if seq in worlds.mended:
            assert unpatched(one[seq][0]) == unpatched(other[seq][0]), (name, seq)
        else:
            assert one[seq] == other[seq], (name, seq)


def unpatched(record: bytes) -> bytes:
    """An event without its patch: that leads back from where the worlds had parted."""
    return record.partition(b',"patch":')[0]


def by_event(records: list[bytes]) -> Mapping[int, list[bytes]]:
    """The records from each event to the next, masked; those before the first one under 0."""
    found: dict[int, list[bytes]] = {0: []}
    seq = 0
    for record in records:
        if b"heartbeat" in record:
            continue
        if b'"type":"event"' in record:
            seq = seq_of(record)
            found[seq] = []
        found[seq].append(masked(record))
    return found


def seq_of(record: bytes) -> int:
    """Of which event a record of a stream or a frame of a socket shows."""
    data: Any = json.loads(record[record.index(b"{") :].partition(b"\n")[0])
    return int(data["seq"])


@pytest.mark.soak
@pytest.mark.parametrize(("rig", "mode"), HALF)
def test_no_rewind_tells_what_is_hidden(
    databases: tuple[Dsns, Dsns], rig: Rig, mode: DiceMode
) -> None:
    wanted = {"rewind by a player", "rewind by a player refused"}
    if there(rig.hostile).asks_unseen:
        wanted.add("in one world alone")
    counts: Counter[str] = Counter()
    for number in range(3, 3 + FEW):
        counts += played(databases, rig, mode, number, EVENTS)
        if wanted <= counts.keys():
            return
    assert wanted <= counts.keys()


@pytest.mark.soak
@pytest.mark.parametrize(("rig", "mode"), CASES)
def test_no_rewind_tells_what_is_hidden_in_many_battles(
    databases: tuple[Dsns, Dsns], rig: Rig, mode: DiceMode
) -> None:
    counts: Counter[str] = Counter()
    for number in range(4, 4 + LONG):
        counts += played(databases, rig, mode, number, MANY)
    assert counts["rewind by a player"] > LONG
