"""A process that plays battles: given an order, then number after number, it says how each ended.

It is sent the state, the actions and the request's seed, and nothing of where they come from.
"""

from collections.abc import Iterable, Iterator, Mapping
from hmac import digest
from typing import Any, BinaryIO, Final, Literal

import msgspec
from msgspec import UNSET, Raw

from service.encounters.simulations.messages import (
    BattleLine,
    PlayedBattle,
    RefusedAction,
    SimulationOrder,
)
from service.encounters.simulations.simulated_battle import RefusedStart, SimulatedBattle
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.errors import Forbidden, Malformed, Refused, WarlogError
from service.rulesets import RULESETS

JOB: Final = f"{__name__}:simulated"

_KINDS: Final[Mapping[type[WarlogError], Literal["refused", "forbidden", "malformed"]]] = {
    Refused: "refused",
    Forbidden: "forbidden",
    Malformed: "malformed",
}

_LABEL: Final = b"warlog/simulation/1\x00"


def simulated(lines: BinaryIO) -> Iterator[bytes]:
    """Play the battles whose numbers come line by line behind the order, each when it comes."""
    order = msgspec.json.decode(lines.readline(), type=SimulationOrder)
    for line in played(order, map(int, lines)):
        yield msgspec.json.encode(line)


def played(order: SimulationOrder, numbers: Iterable[int]) -> Iterator[BattleLine]:
    """Play these battles of an order, one after another.

    Ends with what is refused if number 0 does not begin as it was to.
    """
    ruleset: Ruleset[Any] = RULESETS[(order.ruleset, order.version)]
    rule: RuleState = msgspec.json.decode(order.rule, type=ruleset.state)
    blobs = {
        digest: msgspec.json.decode(body, type=ruleset.blob) for digest, body in order.blobs.items()
    }
    actions = [_action(ruleset, action) for action in order.actions]
    for number in numbers:
        key = key_of(bytes.fromhex(order.seed), number)
        battle = SimulatedBattle(ruleset, rule, blobs, key, order.policies, order.max_rounds)
        refusal = battle.begin(actions)
        if refusal is not None and number == 0:
            yield _refused(refusal)
            return
        yield PlayedBattle(number=number, end=battle.play())


def key_of(seed: bytes, number: int) -> bytes:
    """The 32 bytes that all dice and choices of a battle come from; battles count from 0."""
    return digest(seed, _LABEL + number.to_bytes(8, "big"), "sha256")


def _action(ruleset: Ruleset[Any], action: Raw) -> Any:
    return msgspec.json.decode(action, type=ruleset.action)


def _refused(refusal: RefusedStart) -> RefusedAction:
    error, kind = refusal.error, _KINDS[type(refusal.error)]
    return RefusedAction(
        index=refusal.at,
        kind=kind,
        code=error.code,
        rule=error.rule if isinstance(error, Refused) and error.rule else UNSET,
        params=dict(error.params),
    )
