"""One battle followed by 100, 500 and 1,000 subscribers, next to a server that only writes.

The limit is a bare server of somebody else's that writes what is posted to every subscriber: one
client posts records of the same size as ours, the next one behind the answer. It runs immediately
before and after ours. In ours eight clients act in one battle at the same time, back to back, one
action each; every event is decided, stored durably, encoded for each view and sent. A delivery
counts when a subscriber has it. Latency is from a post to its receipt, at a rate that leaves either
server idle most of the time, one post after the other.

While actions come back to back subscribers read once a dozen events are there, so that reading is
cheap; what they can take when writing costs next to nothing is measured as well. Every subscriber
counts what it hears by seq: nothing may be lost, come twice or out of order.

What an action costs before anything is delivered is measured with one subscriber, and taken off in
one row: for 100 subscribers it is most of it. With one client that acts, nothing is sent while its
next action is decided and stored; with eight, what is committed together goes out with one write.

Last a battle with secrets, followed first by the GM alone, so to speak, then with six different
views; actions come in lists of one turn.
"""

from argparse import Namespace
from collections.abc import Mapping
from functools import partial

from _attending import Heard, Listen, Stand, allow_connections, listened
from _battles import BATTLES, SHOTS_PER_TURN, Tree
from _load import Client, bodies_of
from _measuring import Table, at_least, at_most, between, parser, percentile
from _peers import NEEDED, Peers, peers
from _service import Service
from msgspec import Struct
from msgspec.structs import replace

ACTORS = 8
PACED_DELIVERIES = 20_000
"""A second, about."""
FASTEST_PACE = 40.0
PACED_SHARE = 0.75
"""Of the seconds in which actions come back to back."""
JOINED = 10
"""Records that the bare server gets in one post when it is the subscribers that are measured."""

RATE_TARGET = at_least(0.7)
COST_TARGET = at_most(1.5)
TAIL_TARGET = at_most(1.5)
TAIL_COUNT = 1_000
"""From so many subscribers on."""

ENCODED = "warlog_stream_records_encoded_total"

BATTLE = BATTLES["crossfire-d6"]
SEATS: Mapping[str, tuple[str, ...]] = {
    "red": ("red",),
    "blue": ("blue",),
    "green": ("green",),
    "both": ("red", "blue"),
    "nobody": (),
}
"""Players by the sides they see; who controls none observes. With the GM that is six views."""

SETTINGS = {"WARLOG_STREAMS_PER_CALLER": "100000"}


class Case(Struct, frozen=True, kw_only=True):
    """So many subscribers, of a stream of events or of a socket, and so many who act at once."""

    count: int
    is_socket: bool = False
    actors: int = ACTORS

    @property
    def name(self) -> str:
        """How the table calls it."""
        name = f"{self.count:,} {'sockets' if self.is_socket else 'streams'}"
        return name if self.actors > 1 else f"{name}, one client acts"


class Few(Struct, frozen=True, kw_only=True):
    """What a battle costs that next to nobody follows: bytes of an event, CPU of an action."""

    record_bytes: int
    action_us: float


def pace_of(count: int) -> float:
    """Posts a second in the paced part."""
    return min(FASTEST_PACE, PACED_DELIVERIES / count)


def few_of(table: Table, service: Service, rounds: int) -> Few:
    """Measure that."""
    found = [ours_of(service, Case(count=1), 1) for _ in range(rounds)]
    costs = [1e6 * each.cpu / each.events for each in found]
    few = Few(record_bytes=round(found[-1].record_bytes), action_us=percentile(costs, 0.5))
    table.add("one event on a stream", [few.record_bytes], "bytes")
    table.add("an action that one stream follows: CPU of the service", costs, "µs")
    return few


def limit_of(peers: Peers, count: int, record_bytes: int, seconds: float, joined: int = 1) -> Heard:
    """The bare server before so many subscribers."""
    with peers.raw_writes() as (url, pid):
        return listened(
            Listen(
                stands=(Stand(url=url, path="/sse", count=count),),
                url=url,
                path="/pub",
                record_bytes=record_bytes,
                joined=joined,
                actors=1,
                seconds=seconds,
                rate=pace_of(count),
                paced_seconds=PACED_SHARE * seconds,
                pids=(pid,),
            )
        )


def ours_of(service: Service, case: Case, seconds: float) -> Heard:
    """A new battle of the service before so many subscribers."""
    encounter = Client(service.url, service.key).created(BATTLE.creation)
    stand = stand_of(service, encounter, case.count, is_socket=case.is_socket)
    asked = listen_of(service, encounter, (stand,), bodies_of(BATTLE.unordered, 1), seconds)
    return listened(replace(asked, actors=case.actors))


def secret_of(service: Service, count: int, seconds: float, *, is_mixed: bool) -> Heard:
    """A battle with secrets before so many subscribers, with one view or six."""
    encounter = Client(service.url, service.key).created(secretive())
    seats = (None, *SEATS) if is_mixed else (None,)
    stands = tuple([stand_of(service, encounter, count // len(seats), seat) for seat in seats])
    bodies = bodies_of(BATTLE.cycle, SHOTS_PER_TURN + 1)
    asked = listen_of(service, encounter, stands, bodies, seconds)
    return listened(replace(asked, actors=1, paced_seconds=0))


def listen_of(
    service: Service,
    encounter: str,
    stands: tuple[Stand, ...],
    bodies: list[bytes],
    seconds: float,
) -> Listen:
    """What an audience of a battle is asked to do."""
    return Listen(
        stands=stands,
        url=service.url,
        path=f"/v1/encounters/{encounter}/actions",
        key=service.key,
        bodies=tuple([body.decode() for body in bodies]),
        seconds=seconds,
        rate=pace_of(sum([stand.count for stand in stands])),
        paced_seconds=PACED_SHARE * seconds,
        pids=(service.pid,),
    )


def stand_of(
    service: Service,
    encounter: str,
    count: int,
    seat: str | None = None,
    *,
    is_socket: bool = False,
) -> Stand:
    """So many streams of a battle."""
    path = f"/v1/encounters/{encounter}/{'socket' if is_socket else 'stream'}"
    return Stand(url=service.url, path=path, count=count, seat=seat, is_socket=is_socket)


def secretive() -> Tree:
    """The battle with a third side, seats, and numbers that a side keeps to itself."""
    setup = BATTLE.creation["setup"]
    options = {**setup["options"], "enemy_numbers": "hidden", "breakdowns": "own"}
    seats = [
        {"id": seat, "role": "player" if sides else "observer", "sides": sides}
        for seat, sides in SEATS.items()
    ]
    return {
        **BATTLE.creation,
        "sides": [{"id": "red"}, {"id": "blue"}, {"id": "green"}],
        "seats": seats,
        "setup": {**setup, "options": options},
    }


def measure(
    table: Table,
    service: Service,
    others: Peers | None,
    cases: tuple[Case, ...],
    few: Few,
    given: Namespace,
) -> None:
    """Cases of one count, next to its limit if there is one."""
    count = cases[0].count

    def ours() -> list[Heard]:
        return [ours_of(service, case, given.seconds) for case in cases]

    if others is None:
        rounds = [ours() for _ in range(given.rounds)]
        table.missing(f"{count:,} subscribers: W, the limit", NEEDED)
        limits = []
    else:
        limit = partial(limit_of, others, count, few.record_bytes, given.seconds)
        found = list(between(given.rounds, limit, ours))
        rounds = [each for each, _, _ in found]
        limits = [mean(before, after) for _, before, after in found]
        name = f"{count:,} subscribers: W, the limit"
        table.add(name, [each.rate for each in limits], "deliveries/s")
        table.add("… CPU per delivery", [each.cpu_us for each in limits], "µs")
        table.add("… p99 from post to receipt, paced", [each.p99_ms[0] for each in limits], "ms")
    for number, case in enumerate(cases):
        add_case(table, case, few, [each[number] for each in rounds], limits)


def add_case(table: Table, case: Case, few: Few, found: list[Heard], limits: list[Heard]) -> None:
    """The figures of one case, ratios first."""
    if limits:
        add_ratios(table, case, few, list(zip(found, limits, strict=True)))
    else:
        table.missing(f"{case.name}: deliveries/s / W", NEEDED, RATE_TARGET)
    table.add(f"{case.name}: ours", [ours.rate for ours in found], "deliveries/s")
    table.add("… of so many actions", [ours.action_rate for ours in found], "actions/s")
    table.add("… CPU per delivery", [ours.cpu_us for ours in found], "µs")
    if case.actors > 1:
        # With one it is the same measurement once more.
        table.add("… p99 from post to receipt, paced", [ours.p99_ms[0] for ours in found], "ms")
    table.add("… CPU of the subscribers per delivery", [ours.own_cpu_us for ours in found], "µs")
    add_flaws(table, found)


def mean(before: Heard, after: Heard) -> Heard:
    """Of rates, costs and latencies."""
    return replace(
        after,
        deliveries=before.deliveries + after.deliveries,
        seconds=before.seconds + after.seconds,
        cpu=before.cpu + after.cpu,
        p99_ms=((before.p99_ms[0] + after.p99_ms[0]) / 2,),
    )


def add_ratios(table: Table, case: Case, few: Few, pairs: list[tuple[Heard, Heard]]) -> None:
    """What there are targets for."""
    rates = [ours.rate / limit.rate for ours, limit in pairs]
    is_held = case.actors > 1
    table.add(f"{case.name}: deliveries/s / W", rates, target=RATE_TARGET)
    costs = [ours.cpu_us / limit.cpu_us for ours, limit in pairs]
    table.add("… CPU per delivery / limit", costs, target=COST_TARGET if is_held else None)
    besides = [ours.besides_us(few.action_us) / limit.cpu_us for ours, limit in pairs]
    table.add("… the same without the actions themselves", besides)
    if not is_held:
        return
    tails = [ours.p99_ms[0] / limit.p99_ms[0] for ours, limit in pairs]
    target = TAIL_TARGET if case.count >= TAIL_COUNT else None
    table.add("… p99 paced / limit", tails, target=target)


def add_flaws(table: Table, found: list[Heard]) -> None:
    """What every subscriber counted, and streams that ended."""
    flaws = [float(each.flaws.total) for each in found]
    table.add("… lost, doubled, out of order, ended", flaws, target=at_most(0))


def measure_views(table: Table, service: Service, count: int, given: Namespace) -> None:
    """The battle with secrets, seen in one way and in six."""
    one = partial(secret_of, service, count, given.seconds, is_mixed=False)
    encoded: list[float] = []

    def six() -> Heard:
        before = service.figure(ENCODED)
        found = secret_of(service, count, given.seconds, is_mixed=True)
        encoded.append((service.figure(ENCODED) - before) / found.all_events)
        return found

    pairs = [
        (found, mean(before, after)) for found, before, after in between(given.rounds, one, six)
    ]
    table.add(f"{count:,} streams, one view", [each.rate for _, each in pairs], "deliveries/s")
    table.add(f"{count:,} streams, six views", [each.rate for each, _ in pairs], "deliveries/s")
    table.add("… six views / one", [found.rate / each.rate for found, each in pairs])
    table.add("… encoded per event", encoded, target=at_most(1 + len(SEATS)))
    add_flaws(table, [found for found, _ in pairs])


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3, seconds=2)
    options.add_argument("--counts", default="100,500,1000", help="(default %(default)s)")
    given = options.parse_args()
    allow_connections()
    counts = [int(each) for each in given.counts.split(",")]
    most = counts[-1]
    others = peers()
    with Table(given.rows) as table, Service(SETTINGS) as service:
        few = few_of(table, service, given.rounds)
        if others is not None:
            ceiling = limit_of(others, counts[0], few.record_bytes, 1, JOINED).rate
            table.add("the subscribers, written to at little cost", [ceiling], "deliveries/s")
        for count in counts[:-1]:
            measure(table, service, others, (Case(count=count),), few, given)
        cases = (
            Case(count=most),
            Case(count=most, is_socket=True),
            Case(count=most, actors=1),
        )
        measure(table, service, others, cases, few, given)
        measure_views(table, service, most * 3 // 5, given)


if __name__ == "__main__":
    main()
