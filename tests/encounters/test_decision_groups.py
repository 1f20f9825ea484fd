"""Questions asked of several at once, over the whole write path: keys, processes, views, audit."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
import pytest

from service.app import compose
from service.engine.log import canonical
from service.errors import Forbidden, Refused
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from tests.encounters.table import SIGNER, SOURCES, Table, new_table
from tests.toy.rules import RULESETS
from tests.toy.sweeps import SEATS, SIDES, TARGETS, melee

Tree = Mapping[str, object]


@pytest.fixture
async def toys(store: EventStore) -> Table:
    """A service that knows the toy ruleset."""
    table = await new_table(store)
    return Table(compose(store, RULESETS, SIGNER, SOURCES), table.who)


async def swept(toys: Table) -> UUID:
    """A battle in which Anders has swept at all."""
    fighters = msgspec.to_builtins(melee().state.rule.combatants)
    encounter = await toys.started(
        {
            "ruleset": "toy",
            "sides": msgspec.to_builtins(SIDES),
            "seats": msgspec.to_builtins(SEATS),
            "setup": {"fighters": fighters},
        }
    )
    while (turn := (await toys.state(encounter))["turn"]) != "anders":
        await toys.act(encounter, {"type": "end_turn", "combatant": turn})
    sweep = {"type": "sweep", "combatant": "anders", "targets": list(TARGETS)}
    await toys.seat("ann").act(encounter, sweep)
    return encounter


async def asked(toys: Table, encounter: UUID) -> dict[str, str]:
    """The ids of the open questions by whom they are about."""
    view = await toys.encounters.reads.view(toys.who, encounter, None)
    decisions = msgspec.json.decode(view.decisions)
    return {decision["combatant"]: decision["id"] for decision in decisions}


def to(question: str, kind: str, **more: object) -> Tree:
    return {"type": "answer", "decision_id": question, "choice": {"type": kind} | more}


async def test_an_answer_under_the_same_key_is_harmless(toys: Table) -> None:
    encounter = await swept(toys)
    questions = await asked(toys, encounter)
    bob = toys.seat("bob")
    dodge = to(questions["berta"], "dodge")
    first = await bob.act(encounter, dodge, key="once")
    again = await bob.act(encounter, dodge, key="once")
    assert (first.replayed, again.replayed) == (False, True)
    assert msgspec.json.encode(again.answer.events) == msgspec.json.encode(first.answer.events)
    with pytest.raises(Refused) as caught:
        await bob.act(encounter, to(questions["berta"], "pass"))
    assert caught.value.code == "decision_closed"
    with pytest.raises(Forbidden) as forbidden:
        await bob.act(encounter, to(questions["gerda"], "pass"))
    assert forbidden.value.code == "not_your_decision"


async def test_what_one_answered_is_in_nothing_that_others_read(toys: Table) -> None:
    encounter = await swept(toys)
    questions = await asked(toys, encounter)
    answered = to(questions["berta"], "parry", guard="high")
    head = (await toys.seat("bob").act(encounter, answered)).answer.version
    for seat, knows in (("ann", False), ("gil", False), ("eve", False), ("bob", True)):
        reader = toys.seat(seat)
        record = await reader.encounters.reads.event(reader.who, encounter, head)
        view = await reader.encounters.reads.view(reader.who, encounter, None)
        assert (b"guard" in msgspec.json.encode(record)) == knows
        assert b"guard" not in msgspec.json.encode(view)


async def test_a_group_is_answered_across_processes_and_audits_clean(
    toys: Table, store: EventStore
) -> None:
    encounter = await swept(toys)
    opened = (await toys.encounters.reads.view(toys.who, encounter, None)).head
    questions = await asked(toys, encounter)
    await toys.seat("gil").act(encounter, to(questions["gerda"], "parry", guard="low"))
    other = Table(compose(store, RULESETS, SIGNER, SOURCES), toys.who)
    await other.act(encounter, {"type": "rewind", "to": opened + 1})
    fresh = await asked(other, encounter)
    assert sorted(fresh) == ["berta", "bruno"]
    third = Table(compose(store, RULESETS, SIGNER, SOURCES), toys.who)
    await third.seat("bob").act(encounter, to(fresh["bruno"], "pass"))
    acted = await toys.seat("bob").act(encounter, to(fresh["berta"], "dodge"))
    record = acted.answer.events[0]
    whole = msgspec.json.decode(record.event if record.seen is msgspec.UNSET else record.seen)
    closed = [each for each in whole["effects"] if each["type"] == "decision_closed"]
    assert [(each["choice"], each["how"]) for each in closed] == [
        ("dodge", "answered"),
        ("parry", "answered"),
        ("pass", "passed"),
    ]
    assert closed[1]["full"] == {"type": "parry", "guard": "low"}
    report = await audit_stored(toys.encounters.reads, toys.who, encounter)
    assert report.clean, report.first_failure
    assert canonical.encode(await toys.state(encounter)) == canonical.encode(
        await third.state(encounter)
    )
