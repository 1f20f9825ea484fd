"""The process that plays the battles: fed with one order, it tells how far it is and what came.

It is told the state, the actions and the request's seed, and nothing of where they come from.
"""

from collections.abc import Iterator
from hmac import digest
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import UNSET, Raw

from service.encounters.simulations.messages import (
    DoneRuns,
    FinishedSimulation,
    RefusedAction,
    SimulationOrder,
)
from service.encounters.simulations.simulated_battle import SimulatedBattle
from service.encounters.simulations.tally import BattleTally
from service.engine.battle.state import RuleState
from service.engine.ruleset import Ruleset
from service.errors import Forbidden, Refused, WarlogError
from service.rulesets import RULESETS

JOB: Final = f"{__name__}:simulated"

TELLINGS: Final = 1_000
"""So often at most it is told how many battles were played."""

_LABEL: Final = b"warlog/simulation/1\x00"


def simulated(lines: BinaryIO) -> Iterator[bytes]:
    """Progress, and at the end what came of the battles."""
    order = msgspec.json.decode(lines.read(), type=SimulationOrder)
    for line in played(order):
        yield msgspec.json.encode(line)


def played(order: SimulationOrder) -> Iterator[RefusedAction | DoneRuns | FinishedSimulation]:
    """Play all battles of an order, one after another."""
    ruleset: Ruleset[Any] = RULESETS[(order.ruleset, order.version)]
    rule: RuleState = msgspec.json.decode(order.rule, type=ruleset.state)
    blobs = {
        digest: msgspec.json.decode(body, type=ruleset.blob) for digest, body in order.blobs.items()
    }
    actions = [_action(ruleset, action) for action in order.actions]
    tally, every = BattleTally(rule), max(1, order.n // TELLINGS)
    for number in range(order.n):
        key = key_of(bytes.fromhex(order.seed), number)
        battle = SimulatedBattle(ruleset, rule, blobs, key, order.policies, order.max_rounds)
        refusal = battle.begin(actions)
        if refusal is not None and number == 0:
            yield _refused(refusal)
            return
        tally.add(battle.play())
        if (number + 1) % every == 0:
            yield DoneRuns(done=number + 1)
    yield FinishedSimulation(simulation=tally.simulation())


def key_of(seed: bytes, number: int) -> bytes:
    """The 32 bytes that all dice and choices of a battle come from; battles count from 0."""
    return digest(seed, _LABEL + number.to_bytes(8, "big"), "sha256")


def _action(ruleset: Ruleset[Any], action: Raw) -> Any:
    return msgspec.json.decode(action, type=ruleset.action)


def _refused(refusal: WarlogError) -> RefusedAction:
    params = dict(refusal.params)
    return RefusedAction(
        index=int(str(params.pop("index"))),
        code=refusal.code,
        rule=refusal.rule if isinstance(refusal, Refused) and refusal.rule else UNSET,
        is_forbidden=isinstance(refusal, Forbidden),
        params=params,
    )
