"""What is left where a target is missed: each part of an action, a rebuild and an audit alone.

No part does more than it must: an HTTP server that only answers, the rules from decision to hash, a
statement that only inserts rows, reading rows that nobody opens. What an action would come to if
all that is between the parts were free is their sum, and next to P32, P1, `eventsourcing`,
Pokémon Showdown and boardgame.io's reducer that is the most that this build could reach. Everything
looks for garbage as seldom as the service does.
"""

import asyncio
import itertools
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from uuid import UUID

import asyncpg
import msgspec
from _battles import BATTLES, measured
from _deciding import begun, decided
from _driving import Found, Load, drive, played
from _measuring import Table, arguments, percentile
from _peers import peers
from _reference import Reference
from _service import Service, answering
from msgspec.structs import replace

from service.encounters.loader import sides_of
from service.engine.battle import fold as folding
from service.engine.log import event as events
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action
from service.eventstore.records import EncounterRow, EventBody
from service.eventstore.store import EventStore
from service.rulesets import RULESETS, latest
from service.server.garbage_collection import collect_seldom

T = TypeVar("T")

SLUG = "crossfire-d6"
"""The rulebook of the load."""

DECISIONS = 800
EVENTS = 1_000
BATCH = 20
LIST = 16
MICRO = 1e6

_TABLE = """
    CREATE TABLE IF NOT EXISTS floor_event (
        encounter uuid NOT NULL, seq integer NOT NULL, body json NOT NULL, hash bytea NOT NULL,
        PRIMARY KEY (encounter, seq))
"""
_INSERT = """
    INSERT INTO floor_event (encounter, seq, body, hash)
    SELECT * FROM unnest($1::uuid[], $2::integer[], $3::json[], $4::bytea[])
"""


def rules_us(slug: str) -> float:
    """CPU of an action from decision to hash, the mean over a battle's actions."""
    ruleset = _ruleset(slug)
    battle, taken = begun(ruleset, BATTLES[slug].creation), 0.0
    cycle = itertools.cycle(BATTLES[slug].cycle)
    for tree in itertools.islice(cycle, DECISIONS):
        action: Action = msgspec.convert(tree, ruleset.action)
        began = time.process_time()
        decided(battle, action)
        taken += time.process_time() - began
        battle.act(action)
    return MICRO * taken / DECISIONS


def http_us(seconds: int) -> float:
    """CPU of an HTTP server per request that it only answers."""
    with answering("asgi") as (url, pid):
        found = drive(Load(url=url, path="/echo", pid=pid, seconds=seconds))
    return 1000 * found.per_action_ms(found.cpu)


class Rows:
    """Rows as long as events, inserted by one statement and nothing else."""

    def __init__(self, url: str, body: str) -> None:
        self._url = url
        self._body = body

    def cpu_us(self, batch: int, seconds: float) -> float:
        """CPU of the inserting process per row."""
        began = time.process_time()
        taken = asyncio.run(self._inserted(batch, seconds))
        return MICRO * (time.process_time() - began) / (batch * len(taken))

    def lone_ms(self, seconds: float) -> float:
        """What one durable row takes, the median."""
        return 1000 * percentile(asyncio.run(self._inserted(1, seconds)), 0.5)

    async def _inserted(self, batch: int, seconds: float) -> list[float]:
        connection = await asyncpg.connect(self._url)
        await connection.execute(_TABLE)
        insert = await connection.prepare(_INSERT)
        seqs, bodies, hashes = [1] * batch, [self._body] * batch, [bytes(32)] * batch
        taken: list[float] = []
        until = time.perf_counter() + seconds
        while (began := time.perf_counter()) < until:
            ids = [UUID(bytes=secrets.token_bytes(16)) for _ in range(batch)]
            await insert.fetch(ids, seqs, bodies, hashes)
            taken.append(time.perf_counter() - began)
        await connection.close()
        return taken


class StoredLog:
    """A stored battle of one rulebook, read and folded part by part."""

    def __init__(self, service: Service, slug: str) -> None:
        self._runner = asyncio.Runner()
        self._store = self._run(EventStore.open(service.dsns.app))
        row = self._run(self._store.log.head(played(service.url, service.key, slug, EVENTS)))
        if row is None:
            raise SystemExit(f"no battle of {slug}")
        self._row: EncounterRow = row
        self._ruleset = RULESETS[row.ruleset, row.version]
        self.rows = self._read()

    def close(self) -> None:
        """Close the store."""
        self._run(self._store.close())
        self._runner.close()

    def read_us(self) -> float:
        """CPU per event of reading rows that are not opened."""
        return _per_event(self._read, len(self.rows))

    def open_us(self) -> float:
        """CPU per event of opening what the fold reads."""
        decoder = events.facts_decoder_of(self._ruleset.event)
        sides = sides_of(self.rows[0].body, None)

        def opened() -> None:
            for each in self.rows[1:]:
                events.decode(decoder, each.body, each.parts, sides)

        return _per_event(opened, len(self.rows))

    def fold_us(self) -> float:
        """CPU per event of stepping from state to state."""
        ruleset, first = self._ruleset, self.rows[0]
        sides = sides_of(first.body, None)
        decoders = events.decoder_of(ruleset.event), events.facts_decoder_of(ruleset.event)
        begun = folding.apply(
            ruleset, None, events.decode(decoders[0], first.body, first.parts, sides)
        )
        facts = [events.decode(decoders[1], each.body, each.parts, sides) for each in self.rows[1:]]

        def folded() -> None:
            state = begun
            for each in facts:
                after = folding.apply_facts(ruleset, state, each)
                if after is None:
                    raise SystemExit("an event that needs all of itself")
                state = after

        return _per_event(folded, len(self.rows))

    def _read(self) -> tuple[EventBody, ...]:
        log, encounter = self._store.log, self._row.id
        return self._run(log.bodies(encounter, after=0, until=EVENTS, limit=EVENTS))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def _per_event(work: Callable[[], object], count: int) -> float:
    began = time.process_time()
    work()
    return MICRO * (time.process_time() - began) / count


def _ruleset(slug: str) -> Ruleset[Any]:
    ruleset = latest(slug)
    if ruleset is None:
        raise SystemExit(f"{slug} is not registered")
    return ruleset


def _body() -> str:
    """An event of the load, as it is stored."""
    battle = begun(_ruleset(SLUG), BATTLES[SLUG].creation)
    battle.act(msgspec.convert(BATTLES[SLUG].cycle[0], battle.ruleset.action))
    return battle.sealed[-1].body.decode()


def add_actions(table: Table, service: Service, rounds: int, seconds: int) -> None:
    """Of an action over HTTP: the parts, their sum next to ours, and the rates that it allows."""
    reference, rows = Reference(service.admin, seconds), Rows(service.admin, _body())
    load = service.load(seconds)
    drive(load)
    ours: list[Found] = [drive(load) for _ in range(rounds)]
    http = [http_us(seconds) for _ in range(rounds)]
    rules = [rules_us(SLUG) for _ in range(rounds)]
    inserts = [rows.cpu_us(BATCH, seconds) for _ in range(rounds)]
    many = [reference.inserts_per_second(32) for _ in range(rounds)]
    one = [reference.inserts_per_second(1) for _ in range(rounds)]
    costs = [1000 * found.per_action_ms(found.cpu) for found in ours]
    sums = [sum(parts) for parts in zip(http, rules, inserts, strict=True)]
    listed = [(h / LIST) + r + i for h, r, i in zip(http, rules, inserts, strict=True)]
    table.add("an HTTP server that only answers, CPU per request", http, "µs")
    table.add(f"{SLUG}: rules from decision to hash, CPU per action", rules, "µs")
    table.add(f"one statement of {BATCH} rows, CPU per row", inserts, "µs")
    table.add("floor: the sum, CPU per action", sums, "µs")
    table.add("ours: CPU of the service per action", costs, "µs")
    table.add("… / floor", _over(costs, sums))
    table.add("floor: actions / P32", [MICRO / a / b for a, b in zip(sums, many, strict=True)])
    table.add("floor: lists / P32", [MICRO / a / b for a, b in zip(listed, many, strict=True)])
    table.add("floor: hot encounter / P1", [MICRO / a / b for a, b in zip(sums, one, strict=True)])


def add_lone(table: Table, service: Service, rounds: int, seconds: int) -> None:
    """Of an action that runs alone: how long, and how long its parts alone."""
    rows = Rows(service.admin, _body())
    alone = replace(service.load(seconds), connections=1)
    drive(alone)
    ours = [drive(alone).p50_ms for _ in range(rounds)]
    with answering("litestar") as (url, _):
        echo = replace(alone, url=url, path="/echo", pid=None, database_pid=None)
        drive(echo)
        echoes = [drive(echo).p50_ms for _ in range(rounds)]
    inserts = [rows.lone_ms(seconds) for _ in range(rounds)]
    rules = [rules_us(SLUG) / 1000 for _ in range(rounds)]
    limits = [a + b for a, b in zip(echoes, inserts, strict=True)]
    table.add("an echo alone, p50", echoes, "ms")
    table.add("one durable row alone, p50", inserts, "ms")
    table.add("an action alone, p50", ours, "ms")
    table.add("… / (echo + row)", _over(ours, limits))
    floors = [a + b for a, b in zip(limits, rules, strict=True)]
    table.add("floor: (echo + row + rules) / (echo + row)", _over(floors, limits))


def add_logs(table: Table, service: Service, rounds: int) -> None:
    """Of rebuilds and audits: the parts per event, and the ratios that they allow."""
    beside = peers()
    rebuilds = [] if beside is None else [MICRO / beside.rebuilt_per_second(service.admin)]
    choices = [] if beside is None else [MICRO / beside.choices_per_second()]
    moves = [] if beside is None else [MICRO / beside.moves_per_second()]
    for name, theirs in (
        ("eventsourcing: rebuild, per event", rebuilds),
        ("Pokémon Showdown, per choice", choices),
        ("boardgame.io's reducer, per move", moves),
    ):
        if theirs:
            table.add(name, theirs, "µs")
    for slug in measured():
        log = StoredLog(service, slug)
        read = [log.read_us() for _ in range(rounds)]
        opened = [log.open_us() for _ in range(rounds)]
        folded = [log.fold_us() for _ in range(rounds)]
        rules = [rules_us(slug) for _ in range(rounds)]
        log.close()
        table.add(f"{slug}: reading an event's row", read, "µs")
        table.add(f"{slug}: opening what the fold reads", opened, "µs")
        table.add(f"{slug}: stepping from state to state", folded, "µs")
        table.add(f"{slug}: rules from decision to hash", rules, "µs")
        unfolded = [a + b for a, b in zip(read, opened, strict=True)]
        decided_again = [a + b for a, b in zip(read, rules, strict=True)]
        for limit, parts, name in (
            (rebuilds, unfolded, "rebuild / eventsourcing, if stepping were free"),
            (choices, decided_again, "audit / Showdown, if it only read and decided"),
            (moves, decided_again, "audit / boardgame.io's reducer, if it only read and decided"),
        ):
            if limit:
                table.add(f"floor: {slug}: {name}", [limit[0] / each for each in parts])


def _over(values: list[float], limits: list[float]) -> list[float]:
    return [value / limit for value, limit in zip(values, limits, strict=True)]


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    collect_seldom()
    with Table(given.rows) as table, Service() as service:
        add_actions(table, service, given.rounds, given.seconds)
        add_lone(table, service, given.rounds, given.seconds)
        add_logs(table, service, given.rounds)


if __name__ == "__main__":
    main()
