"""Battles played to their end in memory: what they follow from, who chooses, what is counted."""

from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from service.encounters.simulations.job import key_of, played
from service.encounters.simulations.messages import (
    DoneRuns,
    FinishedSimulation,
    Policy,
    RefusedAction,
    Simulation,
    SimulationOrder,
)
from service.encounters.simulations.policies import Chooser, words_in
from service.encounters.simulations.shares import median, thousandths, wilson
from service.encounters.simulations.simulated_battle import MASTER
from service.engine.battle.continuation import continuation
from service.engine.dice.dice import DiceStream
from service.engine.log import canonical
from tests.kit.random_battles import ask
from tests.kit.rig import Rig, there
from tests.kit.rigs import RIGS, rig_of
from tests.kit.table import Table, seated

POLICIES: tuple[Policy, ...] = ("random", "simple")


def order_of(table: Table, policy: Policy, **more: Any) -> SimulationOrder:
    """The order to play on from where a battle stands."""
    rule = table.state.rule
    taken = replace(continuation(rule, table.ruleset.evolve, MASTER, "sealed"), status=rule.status)
    order = SimulationOrder(
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        rule=Raw(canonical.encode(taken)),
        blobs={name: Raw(canonical.encode(blob)) for name, blob in table.blobs.items()},
        actions=(),
        policies={side.id: policy for side in rule.sides},
        n=2,
        max_rounds=2,
        seed="07" * 32,
    )
    return replace(order, **more)


def simulation(order: SimulationOrder) -> Simulation:
    """What comes of an order."""
    *_, last = played(order)
    assert isinstance(last, FinishedSimulation)
    return last.simulation


def begun(rig: Rig) -> Table:
    """A battle that runs."""
    table = seated(rig.ruleset, rig.battles.setup(1, with_secrets=True))
    ask(table, {"type": "start_encounter"})
    return table


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_the_same_order_comes_to_the_same(rig: Rig, policy: Policy) -> None:
    table = begun(rig)
    before = canonical.encode(table.state.rule)
    order = order_of(table, policy)
    first = simulation(order)
    assert simulation(order) == first
    assert sum(each.count for each in first.outcomes) == first.n == 2
    assert {(side.id) for side in table.state.rule.sides} == {each.side for each in first.sides}
    assert 1 <= first.rounds.least <= first.rounds.most <= 2
    assert canonical.encode(table.state.rule) == before


def test_a_battle_follows_from_its_number_whatever_is_played_beside_it() -> None:
    table = begun(rig_of("seeker-d100"))
    order = order_of(table, "random", max_rounds=4)
    counts = [
        {each.combatant: each.count for each in simulation(replace(order, n=n)).combatants}
        for n in (1, 2, 3)
    ]
    assert all(counts[0][each] <= counts[1][each] <= counts[2][each] for each in counts[0])
    keys = {key_of(bytes.fromhex(order.seed), number) for number in range(50)}
    assert len(keys) == 50
    other = simulation(replace(order, n=3, seed="08" * 32))
    assert other != simulation(replace(order, n=3))


def test_it_is_told_how_far_it_is() -> None:
    table = begun(rig_of("squad-d100"))
    told = list(played(order_of(table, "random", n=3, max_rounds=1)))
    assert told[:3] == [DoneRuns(done=1), DoneRuns(done=2), DoneRuns(done=3)]
    assert isinstance(told[3], FinishedSimulation)


def test_actions_come_first_and_one_that_the_first_battle_refuses_is_refused() -> None:
    table = begun(rig_of("crossfire-d6"))
    [first, *_] = table.state.rule.combatants
    gone = [
        {"type": "start_encounter"},
        *(
            {"type": "remove_combatant", "combatant": each.id}
            for each in table.state.rule.combatants
            if each.side != first.side
        ),
    ]
    actions = tuple(Raw(msgspec.json.encode(each)) for each in gone)
    told = simulation(order_of(table, "random", actions=actions))
    assert [each.count for each in told.outcomes if each.side == first.side] == [2]
    nobody = Raw(b'{"type":"remove_combatant","combatant":"nobody"}')
    refused = list(played(order_of(table, "random", actions=(actions[0], nobody))))
    assert refused == [
        RefusedAction(index=1, code="unknown_combatant", params={"combatant": "nobody"})
    ]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_a_policy_knows_what_its_side_sees_and_no_more(rig: Rig, policy: Policy) -> None:
    worlds = there(rig.worlds)
    tables = [seated(rig.ruleset, worlds.world(worlds.long, variant)) for variant in (0, 1)]
    for table in tables:
        ask(table, {"type": "start_encounter"})
    assert canonical.encode(tables[0].state.rule) != canonical.encode(tables[1].state.rule)
    chosen = [[choice(table, policy, pick) for pick in range(12)] for table in tables]
    assert chosen[0] == chosen[1]
    assert any(chosen[0])


def choice(table: Table, policy: Policy, number: int) -> object:
    """What Ann's side would do."""
    picks = DiceStream(key_of(bytes(32), number), 0, 0)
    nodes = [node for each in table.legal_for("ann") for node in each.actions]
    chooser = Chooser(
        table.ruleset,
        policy,
        table.who("ann"),
        "red",
        lambda n: picks.face(n) - 1 if n > 1 else 0,
    )
    return chooser.choose(table.state, nodes, len(table.events) + 1)


@pytest.mark.parametrize("slug", ["seeker-d100", "squad-d100", "tactical-d20"])
def test_the_simple_policy_attacks_whom_it_sees(slug: str) -> None:
    rig = rig_of(slug)
    table = seated(rig.ruleset, there(rig.worlds).duel())
    ask(table, {"type": "start_encounter"})
    chosen = [choice(table, "simple", number) for number in range(4)]
    assert all("t" in words_in(each) for each in chosen), chosen


@pytest.mark.parametrize("of", [1, 2, 3, 10, 999, 1_000, 1_000_000])
def test_the_interval_is_that_of_wilson(of: int) -> None:
    getcontext().prec = 40
    z = Decimal("1.959964")
    for count in {0, 1, of // 3, of // 2, of - 1, of} & {*range(of + 1)}:
        p = Decimal(count) / of
        root = (p * (1 - p) / of + z * z / (4 * of * of)).sqrt()
        middle, scale = p + z * z / (2 * of), 1 + z * z / of
        low, high = wilson(count, of)
        assert 0 <= low <= 100_000 * count / of <= high <= 100_000
        assert abs(Decimal(low) - max(Decimal(0), (middle - z * root) / scale * 100_000)) <= 1
        assert (
            abs(Decimal(high) - min(Decimal(100_000), (middle + z * root) / scale * 100_000)) <= 1
        )


def test_numbers_are_told_as_decimal_strings() -> None:
    assert [median(each) for each in ([3], [1, 2], [5, 1, 3], [4, 2, 8, 6])] == [
        "3",
        "1.5",
        "3",
        "5",
    ]
    assert thousandths(Fraction(2, 3)) == "0.666"
    assert thousandths(Fraction(12)) == "12.000"
