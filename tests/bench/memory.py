"""Memory of the serving process per 1,000 live encounters of 8 combatants, beside a floor.

Every encounter is created, started and played a while over HTTP; what the process has grown by
is counted, after a restart in every round. The floor is what 1,000 such battles take as the
leanest structs that one would write for them, in a process of their own.
"""

import gc
import os
import secrets
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec
from _battles import BATTLES
from _load import Client
from _measuring import Table, at_most, paired, parser
from _service import Service
from msgspec import Struct

WARM = 50
PLAYED = 10
FLOOR_BATTLES = 4_000
MEBIBYTE = 1 << 20


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
            table.missing("memory of live encounters", "needs /proc", at_most(1.5))
            return
        with Service() as service:
            pairs = list(paired(given.rounds, floor, lambda: live(service, given.encounters)))
        table.add("floor per 1,000 battles", [limit for _, limit in pairs], "MiB")
        table.add("service per 1,000 live encounters", [ours for ours, _ in pairs], "MiB")
        ratios = [ours / limit for ours, limit in pairs]
        table.add("live encounters / floor", ratios, target=at_most(1.5))


if __name__ == "__main__":
    main()
