"""A load of ranged attacks over HTTP, from a process of its own: prints what came of it as JSON.

    python _load.py URL KEY CONNECTIONS SECONDS

Each connection plays one encounter of 8 combatants: every turn five shots, then the next turn.
"""

import asyncio
import json
import sys
import time
import uuid
from itertools import count

import uvloop

SHOTS_PER_TURN = 5
COMBATANTS = 8


class Connection:
    """One kept-alive HTTP/1.1 connection."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._host = host
        self._port = port
        self._head = f"Host: {host}:{port}\r\nAuthorization: Bearer {key}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object, key: str) -> tuple[int, bytes]:
        """Status and body of the answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        content = json.dumps(body, separators=(",", ":")).encode()
        writer.write(
            f"POST {path} HTTP/1.1\r\n{self._head}Content-Type: application/json\r\n"
            f"Idempotency-Key: {key}\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        return int(head[9:12]), await reader.readexactly(length)


def fighter(index: int) -> dict[str, object]:
    """One of two lines that face each other at 30 feet, too tough to fall."""
    line, place = divmod(index, COMBATANTS // 2)
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "place": {"x": line * 6, "y": place * 3},
        "health": 10_000,
        "health_max": 10_000,
        "soak": 100,
        "ranged_defence": 18,
        "melee_defence": 15,
        "int_pool": 3,
        "agi_pool": 3,
        "weapons": [
            {
                "id": "rifle",
                "kind": "ranged",
                "attack_dice": 6,
                "damage_dice": 2,
                "range_increment_ft": 60,
            }
        ],
    }


def creation() -> dict[str, object]:
    """An encounter whose order is given, so that nobody rolls for it."""
    ids = [f"c{index}" for index in range(COMBATANTS)]
    return {
        "ruleset": "crossfire-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "options": {"initiative": "fixed", "actions_per_turn": SHOTS_PER_TURN, "pin_cap": 3},
            "combatants": [fighter(index) for index in range(len(ids))],
        },
    }


async def play(connection: Connection, until: float, latencies: list[float]) -> None:
    """Shoot until the time is up; every acknowledged action counts."""
    run = uuid.uuid4().hex
    status, body = await connection.post("/v1/encounters", creation(), run)
    if status != 201:
        raise SystemExit(body.decode())
    path = f"/v1/encounters/{json.loads(body)['encounter']}/actions"
    numbers = count()
    await connection.post(path, {"action": {"type": "start_encounter"}}, f"{run}{next(numbers)}")
    while True:
        for turn in range(COMBATANTS):
            shooter, target = f"c{turn}", f"c{(turn + COMBATANTS // 2) % COMBATANTS}"
            shot = {"type": "ranged_attack", "combatant": shooter, "weapon": "rifle"}
            for action in [
                *[shot | {"target": target}] * SHOTS_PER_TURN,
                {"type": "end_turn", "combatant": shooter},
            ]:
                began = time.perf_counter()
                if began > until:
                    return
                status, body = await connection.post(
                    path, {"action": action}, f"{run}{next(numbers)}"
                )
                if status != 201:
                    raise SystemExit(f"{status} {body.decode()} for {action}")
                latencies.append(time.perf_counter() - began)


async def main(url: str, key: str, connections: int, seconds: float) -> None:
    """Run the load and print {"actions", "seconds", "p50_ms", "p99_ms"}."""
    host, port = url.removeprefix("http://").split(":")
    latencies: list[float] = []
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            connection = Connection(host, int(port), key)
            group.create_task(play(connection, began + seconds, latencies))
    taken = time.perf_counter() - began
    latencies.sort()
    print(
        json.dumps(
            {
                "actions": len(latencies),
                "seconds": taken,
                "p50_ms": latencies[len(latencies) // 2] * 1000,
                "p99_ms": latencies[len(latencies) * 99 // 100] * 1000,
            }
        )
    )


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
