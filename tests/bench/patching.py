"""One battle followed with patches of its document, next to the same streams without them.

The limit is our own stream of the same battle as it is without `state=patch`, measured immediately
before and after. One subscriber says what an event costs more: the CPU of the service per action,
of which everything but the stream is the same. A hundred that see the same tell what making it once
for all of them saves; six views of a battle with secrets what each view costs.
"""

from argparse import Namespace
from functools import partial

from _attending import Heard, Listen, Stand, allow_connections, listened
from _battles import BATTLES
from _load import Client, bodies_of
from _measuring import Table, at_least, at_most, between, parser
from _service import Service
from msgspec import Struct

BATTLE = BATTLES["crossfire-d6"]
SEATS = {"red": ("red",), "blue": ("blue",), "both": ("red", "blue"), "nobody": ()}
"""Players by the sides they see; who controls none observes. With the GM that is five views."""

PLAIN = ""
ADDED = {
    "patches": "?state=patch",
    "patches and scenes": "?state=patch&scene=patch",
    "patches and sentences": "?state=patch&narrate=en",
}
"""What is asked for, by its name in the table."""

SETTINGS = {"WARLOG_STREAMS_PER_CALLER": "100000"}
COST_TARGET = at_most(1.5)
RATE_TARGET = at_least(0.7)


class Audience(Struct, frozen=True, kw_only=True):
    """So many streams of each of these seats, None for the game master."""

    name: str
    count: int
    seats: tuple[str | None, ...] = (None,)


def heard_of(service: Service, audience: Audience, query: str, seconds: float) -> Heard:
    """A new battle of the service before an audience."""
    seats = [
        {"id": seat, "role": "player" if sides else "observer", "sides": sides}
        for seat, sides in SEATS.items()
    ]
    creation = {**BATTLE.creation, "seats": seats}
    encounter = Client(service.url, service.key).created(creation)
    path = f"/v1/encounters/{encounter}"
    stands = tuple(
        Stand(url=service.url, path=f"{path}/stream{query}", count=audience.count, seat=seat)
        for seat in audience.seats
    )
    return listened(
        Listen(
            stands=stands,
            url=service.url,
            path=f"{path}/actions",
            key=service.key,
            bodies=tuple([body.decode() for body in bodies_of(BATTLE.unordered, 1)]),
            actors=1,
            seconds=seconds,
            paced_seconds=0,
            pids=(service.pid,),
        )
    )


def measure(table: Table, service: Service, audience: Audience, given: Namespace) -> None:
    """An audience with each of what is added, next to itself without."""
    for name, query in ADDED.items():
        plain = partial(heard_of, service, audience, PLAIN, given.seconds)
        ours = partial(heard_of, service, audience, query, given.seconds)
        rounds = list(between(given.rounds, plain, ours))
        called = f"{audience.name}, {name}"
        without = [(_cost(before) + _cost(after)) / 2 for _, before, after in rounds]
        costs = [_cost(found) for found, _, _ in rounds]
        ratios = [cost / limit for cost, limit in zip(costs, without, strict=True)]
        held = audience.count > 1 and name == "patches"
        table.add(
            f"{called}: CPU per event / without", ratios, target=COST_TARGET if held else None
        )
        table.add("… CPU per event", costs, "µs")
        table.add("… CPU per event without", without, "µs")
        rates = [2 * found.rate / (one.rate + two.rate) for found, one, two in rounds]
        table.add("… deliveries/s / without", rates, target=RATE_TARGET if held else None)
        table.add("… deliveries/s", [found.rate for found, _, _ in rounds], "deliveries/s")
        table.add("… deliveries/s without", [one.rate for _, one, _ in rounds], "deliveries/s")
        flaws = [float(found.flaws.total) for found, _, _ in rounds]
        table.add("… lost, doubled, out of order, ended", flaws, target=at_most(0))


def _cost(heard: Heard) -> float:
    """CPU of the service per event, in microseconds."""
    return 1e6 * heard.cpu / heard.events


def main() -> None:
    """Measure and print."""
    given = parser(__doc__, rounds=3, seconds=2).parse_args()
    allow_connections()
    audiences = (
        Audience(name="one stream", count=1),
        Audience(name="100 streams of one view", count=100),
        Audience(name="5 views, 20 streams each", count=20, seats=(None, *SEATS)),
    )
    with Table(given.rows) as table, Service(SETTINGS) as service:
        for audience in audiences:
            measure(table, service, audience, given)


if __name__ == "__main__":
    main()
