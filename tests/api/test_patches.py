"""Who applies the patches of events holds what `GET` shows at each of them, from any cursor on.

The battles are random ones with secrets of every ruleset, played by the game master, with notes,
rewinds, changes of seats and of what is hidden in between. The patches are applied by a library
that is not ours.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final

import jsonpatch
import pytest

from service.encounters.documents import MOST_BEHIND
from service.eventstore.embedded import Dsns
from tests.api.people import Wire, bearer
from tests.api.surfaces import Tap, events, frames
from tests.api.worlds import KEY, SIDES, UNKNOWING, World, serving, twin_databases
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.soak import with_soak

pytestmark = pytest.mark.slow

EVENTS: Final = 30
"""So long are battles in the soak."""
FEWER_EVENTS: Final = 22
NUMBER: Final = 5
READERS: Final = (*UNKNOWING, "gm")
ASKED: Final = "state=patch&scene=patch&narrate=ru"


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database with a tenant and its key."""
    async with twin_databases(server) as pair:
        yield pair[0]


def document_at(wire: Wire, world: World, reader: str, seq: int) -> dict[str, Any]:
    """What `GET` shows of an event."""
    if seq == 0:
        return {}
    told = json.loads(wire.ask("GET", f"{world.battle}?at={seq}", world.by[reader]).body)
    scene = json.loads(wire.ask("GET", f"{world.battle}/scene?at={seq}", world.by[reader]).body)
    return {
        **{name: told[name] for name in ("decisions", "state", "table")},
        "scene": scene["scene"],
    }


def patched(wire: Wire, world: World, reader: str, after: int, limit: int) -> list[dict[str, Any]]:
    """A page of events with patches."""
    path = f"{world.battle}/events?{ASKED}&after={after}&limit={limit}"
    answer = wire.ask("GET", path, world.by[reader])
    assert answer.status == 200, answer
    page: list[dict[str, Any]] = json.loads(answer.body)["events"]
    return page


def deeds(world: World, dice: Random) -> Iterator[dict[str, Any]]:
    """What is done: mostly what the rules offer, and everything that changes what is seen."""
    yield {"type": "start_encounter"}
    while True:
        path = f"{world.battle}/legal-actions?sample=8"
        offered = json.loads(world.wire.ask("GET", path, world.owner).body).get("samples", [])
        people = [each["id"] for each in world.state()["state"]["combatants"]]
        what = dice.randrange(10)
        if what == 0:
            yield {"type": "note", "text": f"a note {dice.random()}", "gm_text": "and a secret"}
        elif what == 1 and world.head > 3:
            yield {"type": "rewind", "to": dice.randrange(2, world.head)}
        elif what == 2:
            change = {"type": dice.choice(["hide", "reveal"]), "combatant": dice.choice(people)}
            yield {"type": "adjust", "changes": [change], "reason": "it is so"}
        elif what == 3:
            side = dice.choice(["red", "blue"])
            yield {"type": "change_seat", "seat": "bob", "role": "player", "sides": [side]}
        elif offered:
            yield dice.choice(offered)


def played(world: World, dice: Random, length: int) -> None:
    """Play a while; refusals are left out."""
    for deed in deeds(world, dice):
        world.ask(deed)
        if world.head >= length:
            return


def explained(wire: Wire, world: World, reader: str, seq: int) -> str:
    """The words of an event's explanation."""
    path = f"{world.battle}/events/{seq}?explain=ru"
    told = json.loads(wire.ask("GET", path, world.by[reader]).body)
    return str(told["explanation"]["narration"])


def stories(tap: Tap) -> dict[int, str]:
    """What was described in words, by event."""
    told = map(record_of, tap.records)
    return {each["seq"]: each["narration"] for each in told if each["type"] == "event"}


def tidings(tap: Tap) -> list[dict[str, Any]]:
    """The events of a stream. How often a document is told again hangs on how fast it is read."""
    return [each for each in map(record_of, tap.records) if each["type"] == "event"]


def has_all_of(other: Tap, tap: Tap) -> bool:
    """Whether a stream brought as much as another one."""
    return len(tidings(tap)) >= len(tidings(other))


def require_viewed(wire: Wire, world: World, reader: str, dice: Random) -> None:
    """The game master who views what a seat sees is answered what the seat is, byte for byte."""
    seqs = dice.sample(range(1, world.head), 3)
    asked = [
        "?",
        *(f"{path}?at={seq}" for seq in seqs for path in ("", "/scene")),
        f"/events?{ASKED}&after={seqs[0]}&limit=64",
        "/events?limit=1000",
        *(f"/events/{seq}?" for seq in seqs),
        *(f"/events/{seq}?explain=en" for seq in seqs),
    ]
    for path in asked:
        own = wire.ask("GET", f"{world.battle}{path}", world.by[reader])
        viewed = wire.ask("GET", f"{world.battle}{path}&view={reader}", world.owner)
        assert (viewed.status, viewed.body) == (own.status, own.body), (reader, path)
        assert viewed.status == 200
        assert dict(viewed.headers).get("etag") == dict(own.headers).get("etag")


class Holder:
    """Somebody who keeps the document from a stream alone."""

    def __init__(self, tap: Tap) -> None:
        self.tap = tap

    def followed(self, told: Callable[[int], Any]) -> tuple[Any, list[str]]:
        """What is held in the end, and why it was told again; `told` is asked at every event."""
        held: Any = None
        reasons: list[str] = []
        for record in map(record_of, self.tap.records):
            match record["type"]:
                case "hello":
                    held = record.get("document", held)
                case "event":
                    held = jsonpatch.apply_patch(held, record["patch"])
                    assert held == told(record["seq"]), (record["seq"], record["patch"])
                case "resync":
                    reasons.append(record["reason"])
                    held = record["document"]
                case _:
                    pass
        return held, reasons

    def until(self, seq: int) -> None:
        """Wait until it was informed of this event."""
        heard = f'"seq":{seq},"hash"'.encode()
        self.tap.until(
            lambda tap: any(heard in each and b'"patch":' in each for each in tap.records),
            f"not told of {seq}",
        )


def record_of(text: bytes) -> dict[str, Any]:
    """A record, of a socket or of a stream of events."""
    if not text.startswith(b"{"):
        [text] = [line[6:] for line in text.split(b"\n") if line.startswith(b"data: ")]
    told: dict[str, Any] = json.loads(text)
    return told


def digest_of(document: Any) -> str:
    """SHA-256 of a document as a client makes it, metadata left out."""

    def bare(tree: Any) -> Any:
        if isinstance(tree, dict):
            return {name: bare(each) for name, each in tree.items() if name != "metadata"}
        return [bare(each) for each in tree] if isinstance(tree, list) else tree

    text = json.dumps(bare(document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def follow(world: World, reader: str, query: str = "") -> Tap:
    """A stream with patches: the game master's is a socket."""
    url, by = world.served.url, world.by[reader]
    if reader == "gm":
        tap = frames(url, f"{world.battle}/socket?{ASKED}{query}", by)
    else:
        tap = events(url, f"{world.battle}/stream?{ASKED}{query}", by)
    tap.until(lambda each: each.count(b'"hello"') > 0, "no hello")
    return tap


def resumed(world: World, reader: str, told: Mapping[int, Any], after: int) -> None:
    """Whoever comes back with a cursor learns which document is meant, and continues with it."""
    holder = Holder(follow(world, reader, f"&after={after}"))
    holder.until(world.head)
    records = [record_of(each) for each in holder.tap.records]
    [hello] = [each for each in records if each["type"] == "hello"]
    assert hello["document_sha256"] == digest_of(told[after])
    assert "document" not in hello
    held = told[after]
    for event in (each for each in records if each["type"] == "event"):
        held = jsonpatch.apply_patch(held, event["patch"])
        assert held == told[event["seq"]]
    assert held == told[world.head]


@pytest.mark.parametrize(
    ("rig", "length"),
    with_soak([pytest.param(RIGS[-1], FEWER_EVENTS)], [pytest.param(rig, EVENTS) for rig in RIGS]),
    ids=repr,
)
def test_patches_lead_to_what_is_told(database: Dsns, rig: Rig, length: int) -> None:
    slug = rig.ruleset.slug
    dice = Random(f"{slug} {rig.ruleset.version}")
    with serving(database, slug) as served:
        setup = rig.battles.setup(NUMBER, with_secrets=True)
        sides = [side for side in SIDES if f'"{side}"' in json.dumps(setup)]
        name = f"{slug}-{rig.ruleset.version}"
        world = World(served, slug, setup, "h", name=name, sides=sides)
        holders = {reader: Holder(follow(world, reader)) for reader in READERS}
        path = f"{world.battle}/stream?{ASKED}"
        viewed = {
            reader: events(served.url, f"{path}&view={reader}", world.owner) for reader in UNKNOWING
        }
        played(world, dice, length)
        wire = Wire(served.url)
        for reader in UNKNOWING:
            holders[reader].until(world.head)
            holders[reader].tap.until(partial(has_all_of, viewed[reader]), "not as much as viewed")
            viewed[reader].until(partial(has_all_of, holders[reader].tap), "not as much as told")
            assert tidings(viewed[reader]) == tidings(holders[reader].tap)
            require_viewed(wire, world, reader, dice)
        for reader in READERS:
            told = {seq: document_at(wire, world, reader, seq) for seq in range(world.head + 1)}
            for after in (0, *dice.sample(range(1, world.head), 3)):
                document = told[after]
                for event in patched(wire, world, reader, after, dice.choice([5, MOST_BEHIND])):
                    document = jsonpatch.apply_patch(document, event["patch"])
                    assert document == told[event["seq"]], (reader, after, event["patch"])
            holders[reader].until(world.head)
            held, reasons = holders[reader].followed(told.__getitem__)
            assert held == told[world.head], reader
            assert set(reasons) <= {"rights_changed"}
            paged = {
                each["seq"]: each["narration"]
                for each in patched(wire, world, reader, 0, MOST_BEHIND)
            }
            assert stories(holders[reader].tap).items() <= paged.items()
            for seq in dice.sample(sorted(paged), 5):
                assert paged[seq] == explained(wire, world, reader, seq)
            resumed(world, reader, told, world.head - dice.randrange(1, 20))
        wire.close()
        world.close()


def test_what_earlier_events_show_otherwise_is_told_anew(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "anew") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="anew")
        holder = Holder(follow(world, "ann"))
        wire = Wire(served.url)
        now: list[Any] = []
        for deed in (
            {"type": "start_encounter"},
            {"type": "note", "text": "somebody's name"},
            {"type": "erase", "seqs": [3]},
            {"type": "change_seat", "seat": "ann", "role": "player", "sides": ["red", "blue"]},
            {"type": "end_encounter", "reveal": "later"},
            {"type": "reveal", "seed": True, "open": "sides"},
            {"type": "reveal", "seed": False, "open": "all"},
        ):
            world.act(deed)
            now.append(document_at(wire, world, "ann", world.head))
        holder.until(world.head)
        holder.tap.until(lambda tap: tap.count(b'"resync"') == 4, "not told anew")
        held, reasons = holder.followed(lambda seq: now[seq - 2])
        assert reasons == ["erased", "rights_changed", "opened", "opened"]
        assert held == now[-1] == document_at(wire, world, "ann", world.head)
        wire.close()
        world.close()


def test_who_missed_much_is_told_the_document_instead(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "far") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="far")
        for number in range(MOST_BEHIND + 1):
            world.act({"type": "note", "text": f"note {number}"})
        wire = Wire(served.url)
        near, far = (Holder(follow(world, "eve", f"&after={after}")) for after in (2, 1))
        near.until(world.head)
        assert near.tap.count(b'"patch":') == MOST_BEHIND
        far.tap.until(lambda tap: tap.count(b'"resync"') == 1, "not told anew")
        world.act({"type": "note", "text": "one more"})
        far.until(world.head)
        held, reasons = far.followed(lambda seq: document_at(wire, world, "eve", seq))
        assert reasons == ["too_far_behind"]
        assert held == document_at(wire, world, "eve", world.head)
        assert [each["seq"] for each in map(record_of, far.tap.records) if "patch" in each] == [
            world.head
        ]
        wire.close()
        world.close()


def test_of_several_each_is_patched_and_those_far_behind_are_told_anew(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "several") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        worlds = [
            World(served, rig.ruleset.slug, setup, "h", name=f"several-{number}")
            for number in range(3)
        ]
        ids = [world.battle.removeprefix("/v1/encounters/") for world in worlds]
        path = f"/v1/stream?encounters={','.join(ids)}&{ASKED}"
        first = events(served.url, path, worlds[0].owner)
        first.until(lambda tap: tap.count(b'"document":') == len(ids), "no documents")
        for count, world in enumerate(worlds):
            for number in range([1, MOST_BEHIND, MOST_BEHIND + 1][count]):
                world.act({"type": "note", "text": f"note {number}"})
        wire = Wire(served.url)
        now = {
            each: document_at(wire, world, "gm", world.head)
            for each, world in zip(ids, worlds, strict=True)
        }
        first.until(lambda tap: tap.count(b'"patch":') == 2 * MOST_BEHIND + 2, "not all came")
        held: dict[str, Any] = {}
        greeted = ""
        for text in first.records:
            record = record_of(text)
            if record["type"] == "hello":
                held[record["encounter"]] = record["document"]
                greeted = text.partition(b"id: ")[2].partition(b"\n")[0].decode()
            elif record["type"] == "event":
                each = record["encounter"]
                held[each] = jsonpatch.apply_patch(held[each], record["patch"])
                assert record["narration"]
        assert held == now
        again = events(served.url, f"{path}&after={greeted}", worlds[0].owner)
        again.until(lambda tap: tap.count(b'"patch":') == MOST_BEHIND + 1, "not all came")
        again.until(lambda tap: tap.count(b'"resync"') == 1, "not told anew")
        records = [record_of(text) for text in again.records]
        [resync] = [each for each in records if each["type"] == "resync"]
        assert (resync["encounter"], resync["reason"]) == (ids[2], "too_far_behind")
        assert resync["document"] == now[ids[2]]
        known = {
            each["encounter"]: each.get("document_sha256")
            for each in records
            if each["type"] == "hello"
        }
        begun = [digest_of(document_at(wire, world, "gm", 1)) for world in worlds[:2]]
        assert known == dict(zip(ids, [*begun, None], strict=True))
        assert {each["encounter"] for each in records if "patch" in each} == {*ids[:2]}
        wire.close()
        for world in worlds:
            world.close()


def test_a_document_may_be_of_nothing_but_the_scene(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "scene") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="scene")
        tap = events(served.url, f"{world.battle}/stream?scene=patch", world.by["eve"])
        tap.until(lambda each: each.count(b'"hello"') == 1, "no hello")
        world.act({"type": "start_encounter"})
        tap.until(lambda each: each.count(b'"patch":') == 1, "no patch")
        [hello, event] = [each for each in map(record_of, tap.records) if "seq" in each]
        wire = Wire(served.url)
        seen = [{"scene": document_at(wire, world, "eve", seq)["scene"]} for seq in range(1, 3)]
        assert hello["document"] == seen[0]
        assert jsonpatch.apply_patch(hello["document"], event["patch"]) == seen[1]
        wire.close()
        world.close()


@pytest.mark.parametrize("path", ["events", "stream"])
def test_another_word_than_patch_is_refused(database: Dsns, path: str) -> None:
    with serving(database, "word") as served:
        wire = Wire(served.url)
        battle = "/v1/encounters/00000000-0000-7000-8000-000000000000"
        answer = wire.ask("GET", f"{battle}/{path}?state=whole", bearer(KEY))
        told = json.loads(answer.body)
        assert (answer.status, told["code"], told["params"]["path"]) == (
            400,
            "malformed",
            "query.state",
        )
        wire.close()


def test_metadata_of_a_seat_are_in_its_own_document_alone(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "own") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="own")
        carl = {"id": "carl", "role": "player", "sides": ["red"]}
        world.act({"type": "add_seat", "seat": carl})
        world.by["carl"] = {**world.owner, "Warlog-Seat": "carl"}
        wire = Wire(served.url)
        for reader in ("ann", "carl", "ann"):
            told = document_at(wire, world, reader, world.head)
            document: Any = {}
            for event in patched(wire, world, reader, 0, MOST_BEHIND):
                document = jsonpatch.apply_patch(document, event["patch"])
            assert document == told
            assert ('"plays"' in json.dumps(document)) is (reader == "ann")
        wire.close()
        world.close()
