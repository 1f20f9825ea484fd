"""Battles played to their end in memory, per ruleset, and what the table feels of it.

Runs count by the CPU time of the process that plays them: battles of 8 after their start, for five
rounds at most, every side by one policy. How many come to nothing within fifteen rounds is counted
over random battles of the kit, which end sooner. Next to a running simulation, latencies are those
of actions that fall due at fixed times, at a third of the highest rate, against the same without
one immediately before and after.
"""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args
from urllib.parse import urlsplit

import msgspec
from _battles import BATTLES, Battle
from _driving import drive
from _measuring import Table, arguments, at_most, between
from _service import Service
from msgspec.structs import replace

from service.encounters.simulations.job import key_of, played
from service.encounters.simulations.messages import Policy, SimulationOrder
from service.encounters.simulations.simulated_battle import MASTER, SimulatedBattle
from service.engine.battle.continuation import continuation
from service.engine.log import canonical
from service.engine.ruleset.definition import Ruleset
from service.rulesets import latest
from tests.kit import given_when_then as tables
from tests.kit.random_battles import ask
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import seated

RUNS, MAX_ROUNDS = 3, 5
RANDOM_BATTLES, LONG = 8, 15
SEED = "07" * 32
BESIDE = "crossfire-d6"


def order_of(ruleset: Ruleset[Any], battle: Battle, policy: Policy) -> SimulationOrder:
    """Play on from the start of a battle."""
    stated = {name: value for name, value in battle.creation.items() if name != "ruleset"}
    table = tables.played(ruleset, stated)
    rule = table.state.rule
    taken = replace(continuation(ruleset, table.state, MASTER, "sealed"), status=rule.status)
    return SimulationOrder(
        ruleset=ruleset.slug,
        version=ruleset.version,
        rule=msgspec.Raw(canonical.encode(taken)),
        blobs={name: msgspec.Raw(canonical.encode(blob)) for name, blob in table.blobs.items()},
        actions=(),
        policies={side.id: policy for side in rule.sides},
        max_rounds=MAX_ROUNDS,
        seed=SEED,
    )


def runs_a_second(order: SimulationOrder) -> float:
    """Battles for each second of CPU time."""
    began = time.process_time()
    for _ in played(order, range(RUNS)):
        pass
    return RUNS / (time.process_time() - began)


def undecided_percent(rig: Rig, policy: Policy) -> float:
    """Of some random battles, each played on twice."""
    count = 0
    for number in range(1, RANDOM_BATTLES + 1):
        table = seated(rig.ruleset, rig.battles.setup(number))
        ask(table, {"type": "start_encounter"})
        rule = table.state.rule
        taken = replace(
            continuation(rig.ruleset, table.state, MASTER, "sealed"), status=rule.status
        )
        for run in range(2):
            key, policies = key_of(bytes(32), run), {side.id: policy for side in rule.sides}
            end = SimulatedBattle(rig.ruleset, taken, table.blobs, key, policies, LONG).play()
            count += not end.is_decided
    return 50 * count / RANDOM_BATTLES


class Client:
    """A key that has battles played."""

    def __init__(self, service: Service) -> None:
        load = service.load(1)
        parts = urlsplit(load.url)
        self._address = (str(parts.hostname), parts.port)
        self._headers = {"Authorization": f"Bearer {load.key}", "Content-Type": "application/json"}
        made = json.loads(self._post("/v1/encounters", BATTLES[BESIDE].creation).read())
        self._encounter = f"/v1/encounters/{made['encounter']}"
        self._post(f"{self._encounter}/actions", {"action": {"type": "start_encounter"}}).read()
        self._keys = 0

    @contextmanager
    def simulating(self) -> Iterator[None]:
        """A simulation that is under way, and ended afterwards."""
        order = {"at": 2, "n": 1000, "max_rounds": MAX_ROUNDS, "seed": SEED}
        answer = self._post(f"{self._encounter}/forks/simulations", order)
        if answer.status != 200 or not answer.readline():
            raise SystemExit(f"no simulation: {answer.status}")
        yield
        answer.close()

    def _post(self, path: str, tree: object) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(*self._address)
        key = {"Idempotency-Key": f"{path}-{time.monotonic_ns()}", "Accept": "*/*"}
        if path.endswith("simulations"):
            key["Accept"] = "text/event-stream"
        connection.request("POST", path, json.dumps(tree), {**self._headers, **key})
        return connection.getresponse()


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        for slug, battle in BATTLES.items():
            ruleset = latest(slug)
            for policy in get_args(Policy):
                name = f"{slug}: battles played on for {MAX_ROUNDS} rounds, {policy}"
                if ruleset is None:
                    table.missing(name, "no such ruleset")
                    continue
                order = order_of(ruleset, battle, policy)
                found = [runs_a_second(order) for _ in range(given.rounds)]
                table.add(name, found, "/CPU s")
        for rig in RIGS:
            for policy in get_args(Policy):
                name = f"{rig!r}: random battles undecided after {LONG} rounds, {policy}"
                table.add(name, [undecided_percent(rig, policy)], "%")
        with Service() as service:
            load = service.load(given.seconds)
            load = replace(load, rate=drive(load).rate / 3)
            client = Client(service)

            def beside() -> float:
                with client.simulating():
                    return drive(load).p99_ms

            rounds = list(between(given.rounds, lambda: drive(load).p99_ms, beside))
        ours = [each for each, _, _ in rounds]
        alone = [(before + after) / 2 for _, before, after in rounds]
        table.add("actions at a third of the highest rate: p99", alone, "ms")
        table.add("… beside a simulation: p99", ours, "ms")
        ratios = [one / other for one, other in zip(ours, alone, strict=True)]
        table.add("p99 beside a simulation / without", ratios, target=at_most(2))


if __name__ == "__main__":
    main()
