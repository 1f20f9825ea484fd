"""Rewinds over one event, over 50 and over 500, deep in a long log: none costs more than another.

Three encounters of equal length go on, back and forth over so many events. Compared are, in one
run: the action, reading the rewind with what it undid, reading a page of events from the first that
was undone, the state at the head without any cache, and an audit of the whole log. A rewind names
the last hundred of what it undid, so the one over 500 names twice as many as the one over 50; the
pages are of one length. Before every rewind notes are left, so that what it goes back to does not
lie right behind a snapshot. The state of the last event is at hand, so one step back folds nothing;
any other folds what follows the last snapshot before it, at most 64 events. The first read behind a
rewind waits for the snapshot that it makes.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from uuid import UUID

import httpx
from _battles import measured
from _driving import played
from _measuring import Table, at_most, parser
from _service import Service

from service.encounters.loader import Loader
from service.eventstore.records import EncounterRow
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_log
from service.rulesets import RULESETS

STEPS = (1, 50, 500)
TIMES = 20
"""Rewinds of each encounter in one round, each with its redo."""
NOTES = 31
"""Events before each rewind."""
PAGE = 50
"""Events of a page, all before the rewind."""
WORK = ("action", "read of a rewind", "page of events", "cold state", "audit")


class Rewinder:
    """One encounter that goes back over so many events, and forth again."""

    def __init__(self, service: Service, encounter: UUID, steps: int) -> None:
        self._client = httpx.Client(
            base_url=f"{service.url}/v1/encounters/{encounter}",
            headers={"Authorization": f"Bearer {service.key}"},
        )
        self._dsn = service.dsns.app
        self._encounter = encounter
        self._steps = steps
        self._head = int(self._client.get("").raise_for_status().json()["seq"])

    def round(self) -> dict[str, float]:
        """Milliseconds of each kind of work; of the audit CPU time for each event."""
        taken: dict[str, list[float]] = {name: [] for name in WORK}
        for _ in range(TIMES):
            self._go_on()
            ahead = self._head
            back = self._head - self._steps
            taken["action"].append(_ms(partial(self._rewind, back)))
            taken["read of a rewind"].append(_ms(partial(self._get, f"/events/{self._head}")))
            taken["page of events"].append(_ms(partial(self._page, min(back, ahead - PAGE))))
            taken["cold state"].append(asyncio.run(self._cold_ms()))
            self._rewind(ahead)
        taken["audit"].append(asyncio.run(self._audit_ms()))
        return {name: median(values) for name, values in taken.items()}

    def _go_on(self) -> None:
        self._act({"actions": [{"action": {"type": "note", "text": "hm"}}] * NOTES})

    def _rewind(self, to: int) -> None:
        self._act({"action": {"type": "rewind", "to": to}})

    def _act(self, body: dict[str, object]) -> None:
        answer = self._client.post(
            "/actions", json=body, headers={"Idempotency-Key": secrets.token_hex(8)}
        )
        self._head = int(answer.raise_for_status().json()["version"])

    def _page(self, after: int) -> None:
        hash8 = self._get(f"/events/{after}")["hash"][:8]
        self._get(f"/events?after={after}-{hash8}&limit={PAGE}")

    def _get(self, path: str) -> dict[str, str]:
        told: dict[str, str] = self._client.get(path).raise_for_status().json()
        return told

    async def _cold_ms(self) -> float:
        store = await EventStore.open(self._dsn)
        row = await self._row(store)
        began = time.perf_counter()
        ruleset = RULESETS[row.ruleset, row.version]
        await Loader(store).state_at(row.id, ruleset, row.head_seq)
        taken = 1000 * (time.perf_counter() - began)
        await store.close()
        return taken

    async def _audit_ms(self) -> float:
        store = await EventStore.open(self._dsn)
        row = await self._row(store)
        began = time.process_time()
        report = await audit_log(store.log, row, RULESETS)
        taken = 1000 * (time.process_time() - began)
        await store.close()
        if not report.clean:
            raise SystemExit(f"{self._encounter} is not clean")
        return taken / row.head_seq

    async def _row(self, store: EventStore) -> EncounterRow:
        row = await store.log.head(self._encounter)
        if row is None:
            raise SystemExit(f"{self._encounter} is not there")
        return row


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument(
        "--events", type=int, default=5_000, help="of each log (default %(default)s)"
    )
    given = options.parse_args()
    with Table(given.rows) as table, Service() as service:
        slug = measured()[0]
        rewinders = {
            steps: Rewinder(service, played(service.url, service.key, slug, given.events), steps)
            for steps in STEPS
        }
        for rewinder in rewinders.values():
            rewinder.round()
        rounds = [
            {steps: rewinder.round() for steps, rewinder in rewinders.items()}
            for _ in range(given.rounds)
        ]
        for name in WORK:
            unit = "CPU ms/event" if name == "audit" else "ms"
            for steps in STEPS:
                figures = [each[steps][name] for each in rounds]
                table.add(f"{steps} steps: {name}", figures, unit)
            near, far = STEPS[-2:]
            ratios = [each[far][name] / each[near][name] for each in rounds]
            table.add(f"{far} steps / {near}: {name}", ratios, target=at_most(1.3))


if __name__ == "__main__":
    main()
