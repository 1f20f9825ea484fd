"""Memory of a process per 1,000 encounters of 8 combatants, live and idle, next to a floor.

Every encounter is created, started and played a while over HTTP; what the process has grown by
is counted, after a restart in every round and behind so many others that whatever a process keeps
of the last ones only is full. The idle ones are played within a process of their own and counted
once they are at rest, behind as many that rest already: by what Python has allocated, since the
room that they took while they were live stays with the process. The floor is what 1,000 such
battles take as the leanest structs that one would write for them, also in a separate process.
"""

import asyncio
import gc
import os
import secrets
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from uuid import UUID

import msgspec
from _battles import BATTLES
from _load import Client
from _measuring import Table, at_most, paired, parser
from _service import Service
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from service.api.services import Encounters
from service.app import compose, system_sources
from service.encounters.principal import SCOPES, Principal
from service.encounters.receipts import Signer
from service.encounters.requests import ActRequest
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.rulesets import RULESETS

WARM = 400
PLAYED = 10
AT_ONCE = 16
ROUNDS_TO_REST = 2
BATCHES = 3
FLOOR_BATTLES = 4_000
NOTES, NOTE_LETTERS, PER_REQUEST = 12_000, 500, 32
MEBIBYTE = 1 << 20
LIVE, IDLE = 1.3, 0.25


class _Condition(Struct, gc=False):
    kind: str
    source: int
    until: int


class _Actor(Struct, gc=False):
    id: int
    name: str
    hp: int
    max_hp: int
    temp: int
    ac: int
    init: int
    mods: list[int]
    slots: list[int]
    conds: list[_Condition]
    res: dict[str, int]
    x: int
    y: int
    action: bool
    bonus: bool
    reaction: bool
    alive: bool


class _Encounter(Struct, gc=False):
    id: int
    seed: bytes
    seq: int
    round: int
    turn: int
    order: list[int]
    actors: list[_Actor]
    draws: int
    chain: bytes
    status: str


def _encounter(number: int) -> _Encounter:
    actors = [
        _Actor(
            id=index,
            name=f"Actor {number}-{index}",
            hp=43,
            max_hp=60,
            temp=0,
            ac=15,
            init=18 - index,
            mods=[index % 5, 2, 3, 1, 0, 4],
            slots=[4, 3, 2, 0, 0, 0, 0, 0, 0],
            conds=[_Condition("poisoned", 2, 9), _Condition("blessed", 1, 12)],
            res={"ki": 3, "rage": 2},
            x=5,
            y=index,
            action=True,
            bonus=True,
            reaction=True,
            alive=True,
        )
        for index in range(8)
    ]
    return _Encounter(
        id=number,
        seed=secrets.token_bytes(32),
        seq=400,
        round=7,
        turn=3,
        order=list(range(8)),
        actors=actors,
        draws=900,
        chain=secrets.token_bytes(32),
        status="active",
    )


def floor_bytes() -> int:
    """What the structs of many battles add to this process."""
    gc.collect()
    before = resident(os.getpid())
    kept = [
        msgspec.msgpack.decode(msgspec.msgpack.encode(_encounter(number)), type=_Encounter)
        for number in range(FLOOR_BATTLES)
    ]
    return (resident(os.getpid()) - before) // len(kept)


def floor() -> float:
    """MiB per 1,000 battles, in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return 1000 * pool.submit(floor_bytes).result() / MEBIBYTE


def live(service: Service, encounters: int) -> float:
    """MiB that the serving process grows by per 1,000 encounters, after a restart."""
    service.restart()
    client = Client(service.url, service.key)
    play(client, WARM)
    before = resident(service.pid)
    play(client, encounters)
    return 1000 / encounters * (resident(service.pid) - before) / MEBIBYTE


def play(client: Client, encounters: int) -> None:
    """So many encounters, created and played a while."""
    battle = BATTLES["crossfire-d6"]
    actions = {"actions": [{"action": action} for action in battle.cycle[:PLAYED]]}
    for _ in range(encounters):
        encounter = client.created(battle.creation)
        client.post(f"/v1/encounters/{encounter}/actions", actions)


def noted(service: Service) -> float:
    """MiB that a serving process grows by when it loads an encounter with many notes."""
    client = Client(service.url, service.key)
    encounter = client.created(BATTLES["crossfire-d6"].creation)
    path = f"/v1/encounters/{encounter}/actions"
    note = {"action": {"type": "note", "text": "n" * NOTE_LETTERS}}
    for _ in range(0, NOTES, PER_REQUEST):
        client.post(path, {"actions": [note] * PER_REQUEST})
    service.restart()
    client = Client(service.url, service.key)
    play(client, AT_ONCE)
    before = resident(service.pid)
    client.post(path, note)
    return (resident(service.pid) - before) / MEBIBYTE


def idle(service: Service, encounters: int) -> float:
    """MiB that a process grows by per 1,000 encounters that rest."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        grown = pool.submit(idle_bytes, service.dsns, service.tenant, encounters).result()
    return 1000 / encounters * grown / MEBIBYTE


def idle_bytes(dsns: Dsns, tenant: UUID, encounters: int) -> int:
    """What so many encounters at rest add to this process, of some times as many."""
    return asyncio.run(_idle_bytes(dsns, tenant, encounters))


async def _idle_bytes(dsns: Dsns, tenant: UUID, encounters: int) -> int:
    store = await EventStore.open(dsns.app, eraser_url=dsns.eraser)
    signer = Signer(kid="bench", key=Ed25519PrivateKey.generate())
    battles = compose(store, RULESETS, signer, system_sources())
    who = Principal(tenant=tenant, key_id=UUID(int=1), scopes=frozenset(SCOPES))
    sizes = []
    tracemalloc.start()
    for _ in range(BATCHES):
        for _ in range(0, encounters, AT_ONCE):
            await asyncio.gather(*[_played(battles, who) for _ in range(AT_ONCE)])
        for _ in range(ROUNDS_TO_REST):
            await battles.writes.rest()
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    await battles.writes.settle()
    await store.close()
    return (sizes[-1] - sizes[0]) // (BATCHES - 1)


async def _played(battles: Encounters, who: Principal) -> None:
    battle = BATTLES["crossfire-d6"]
    played = ({"type": "start_encounter"}, *battle.cycle[:PLAYED])
    created = await battles.writes.create(who, battle.creation, secrets.token_hex(8))
    request = ActRequest.read({"actions": [{"action": action} for action in played]}, len(played))
    key = secrets.token_hex(8)
    await battles.write_path.act(who, UUID(created.answer.encounter), request, key, None)


def resident(pid: int) -> int:
    """Resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument(
        "--encounters", type=int, default=500, help="made per round (default %(default)s)"
    )
    given = options.parse_args()
    with Table(given.rows) as table:
        if not Path("/proc/self/statm").exists():
            table.missing("memory of live encounters", "needs /proc", at_most(LIVE))
            table.missing("memory of idle encounters", "needs /proc", at_most(IDLE))
            return
        with Service() as service:
            pairs = list(
                paired(
                    given.rounds,
                    floor,
                    lambda: (live(service, given.encounters), idle(service, given.encounters)),
                )
            )
            grown = [noted(service) for _ in range(given.rounds)]
        table.add("floor per 1,000 battles", [limit for _, limit in pairs], "MiB")
        table.add("service per 1,000 live encounters", [ours for (ours, _), _ in pairs], "MiB")
        ratios = [ours / limit for (ours, _), limit in pairs]
        table.add("live encounters / floor", ratios, target=at_most(LIVE))
        table.add("service per 1,000 idle encounters", [ours for (_, ours), _ in pairs], "MiB")
        ratios = [ours / limit for (_, ours), limit in pairs]
        table.add("idle encounters / floor", ratios, target=at_most(IDLE))
        table.add(f"one encounter with {NOTES:,} notes of {NOTE_LETTERS} letters", grown, "MiB")


if __name__ == "__main__":
    main()
