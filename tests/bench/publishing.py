"""What telling other processes costs, and what a second process brings: with a separate Redis.

Acknowledged actions a second of a process that publishes every event to Redis, next to one on the
same database that does not; 64 connections, each in a separate encounter. Then two processes
that tell each other, half of the connections on each, next to one with all of them.

Last one battle with subscribers on two processes, while actions come at a paced rate to one of
them: latency from a post to its receipt there and on the other one, which hears of it over Redis;
without Redis the other one finds the events in the log. All on the cores of one machine, which the
load, PostgreSQL and Redis share.
"""

from concurrent.futures import ThreadPoolExecutor

from _attending import Heard, Listen, Stand, allow_connections, listened
from _battles import BATTLES
from _driving import Found, drive
from _load import Client, bodies_of
from _measuring import Table, arguments, at_least, at_most, between, paired
from _redis import private_redis
from _service import Service
from msgspec.structs import replace

CONNECTIONS = 64
SUBSCRIBERS = 200
RATE = 20.0
BATTLE = BATTLES["crossfire-d6"]
REDIS = "WARLOG_REDIS_URL"
SETTINGS = {"WARLOG_STREAMS_PER_CALLER": "100000"}

Place = tuple[str, int]
"""Address and id of a process."""


def acted(service: Service, places: tuple[Place, ...], seconds: float) -> list[Found]:
    """What loads on these processes found, which act at the same time."""
    loads = [
        replace(service.load(seconds), url=url, pid=pid, connections=CONNECTIONS // len(places))
        for url, pid in places
    ]
    with ThreadPoolExecutor(len(loads)) as pool:
        return list(pool.map(drive, loads))


def rate_of(found: list[Found]) -> float:
    """Of all of them together."""
    return sum([each.rate for each in found])


def followed(service: Service, places: tuple[Place, ...], seconds: float) -> Heard:
    """A battle at the first of these processes, followed at all of them."""
    url, _ = places[0]
    encounter = Client(url, service.key).created(BATTLE.creation)
    path = f"/v1/encounters/{encounter}"
    count = SUBSCRIBERS // len(places)
    return listened(
        Listen(
            stands=tuple(
                [Stand(url=each, path=f"{path}/stream", count=count) for each, _ in places]
            ),
            url=url,
            path=f"{path}/actions",
            key=service.key,
            bodies=tuple([body.decode() for body in bodies_of(BATTLE.unordered, 1)]),
            seconds=1,
            rate=RATE,
            paced_seconds=seconds,
            pids=tuple([pid for _, pid in places]),
        )
    )


def add_cost(table: Table, service: Service, off: Place, on: Place, rounds: int, secs: int) -> None:
    """Publishing, on against off."""
    for place in (off, on):
        acted(service, (place,), 1)
    found = [
        (told, mean_of(before, after))
        for [told], [before], [after] in between(
            rounds, lambda: acted(service, (off,), secs), lambda: acted(service, (on,), secs)
        )
    ]
    table.add("one process, nobody told", [alone.rate for _, alone in found], "actions/s")
    table.add("one process that publishes", [told.rate for told, _ in found], "actions/s")
    ratios = [told.rate / alone.rate for told, alone in found]
    table.add("publishing / nobody told", ratios, target=at_least(0.9))
    costs = [told.per_action_ms(told.cpu) / alone.per_action_ms(alone.cpu) for told, alone in found]
    table.add("… CPU of the service per action", costs)
    table.add("… latency p99", [told.p99_ms for told, _ in found], "ms")


def mean_of(before: Found, after: Found) -> Found:
    """Of rates and costs."""
    return replace(
        after,
        actions=before.actions + after.actions,
        seconds=before.seconds + after.seconds,
        cpu=before.cpu + after.cpu,
    )


def add_two(
    table: Table, service: Service, places: tuple[Place, ...], rounds: int, secs: int
) -> None:
    """Two processes against one."""
    acted(service, places, 1)
    pairs = list(
        paired(
            rounds,
            lambda: rate_of(acted(service, places[:1], secs)),
            lambda: acted(service, places, secs),
        )
    )
    table.add("two processes that publish", [rate_of(found) for found, _ in pairs], "actions/s")
    table.add("two processes / one", [rate_of(found) / rate for found, rate in pairs])
    tails = [max(each.p99_ms for each in found) for found, _ in pairs]
    table.add("… latency p99 of the slower one", tails, "ms")


def add_deliveries(table: Table, name: str, found: list[Heard]) -> None:
    """Latency of deliveries at each process, and what went wrong."""
    for number, where in enumerate(("where it happened", "at the other process")):
        if len(found[0].p99_ms) > number:
            table.add(f"{name}: p50 {where}", [each.p50_ms[number] for each in found], "ms")
            table.add(f"{name}: p99 {where}", [each.p99_ms[number] for each in found], "ms")
    flaws = [float(each.flaws.total) for each in found]
    table.add("… lost, doubled, out of order, ended", flaws, target=at_most(0))


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__, rounds=3, seconds=2)
    allow_connections()
    with Table(given.rows) as table, private_redis() as redis, Service(SETTINGS) as service:
        off = (service.url, service.pid)
        with service.another() as apart:
            found = [followed(service, (off, apart), given.seconds)]
            add_deliveries(table, f"{SUBSCRIBERS} streams, no Redis", found)
        service.settings[REDIS] = redis
        with service.another() as first, service.another() as second:
            add_cost(table, service, off, first, given.rounds, given.seconds)
            add_two(table, service, (first, second), given.rounds, given.seconds)
            rounds = range(given.rounds)
            alone = [followed(service, (first,), given.seconds) for _ in rounds]
            add_deliveries(table, f"{SUBSCRIBERS} streams, one process", alone)
            both = [followed(service, (first, second), given.seconds) for _ in rounds]
            add_deliveries(table, f"{SUBSCRIBERS} streams, two processes", both)
            ratios = [two.p99_ms[1] / one.p99_ms[0] for two, one in zip(both, alone, strict=True)]
            table.add("p99 at the other process / one process", ratios)


if __name__ == "__main__":
    main()
