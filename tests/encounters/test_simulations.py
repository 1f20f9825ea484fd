"""Battles played to their end in memory: what they follow from, who chooses, what is counted."""

from collections.abc import Iterator
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any, Final

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from service.encounters.simulations.job import key_of, played
from service.encounters.simulations.messages import (
    PlayedBattle,
    Policy,
    RefusedAction,
    Simulation,
    SimulationOrder,
)
from service.encounters.simulations.policies import Chooser, Menu
from service.encounters.simulations.shares import median, thousandths, wilson
from service.encounters.simulations.sight import Sight
from service.encounters.simulations.simulated_battle import MASTER
from service.encounters.simulations.tally import BattleTally
from service.engine.battle.continuation import continuation
from service.engine.dice.dice import DiceStream
from service.engine.kit.legal_actions import sources_for
from service.engine.log import canonical
from service.engine.narration.names import words_in
from service.engine.ruleset.legal_nodes import (
    CellsDomain,
    Domain,
    DomainCell,
    DomainPoint,
    DomainTarget,
    LegalNode,
    NodeSource,
    NodeUse,
    Params,
    PathBounds,
    PathDomain,
    PricedCell,
    PricedCellsDomain,
    list_of,
    node,
    object_of,
    one_of,
    points,
    some_of,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.actions import Kneel, Stand
from tests.kit.random_battles import ask
from tests.kit.rig import Rig, there
from tests.kit.rigs import RIGS, rig_of
from tests.kit.table import Table, seated

POLICIES: tuple[Policy, ...] = ("random", "simple")


def order_of(table: Table, policy: Policy, **more: Any) -> SimulationOrder:
    """The order to play on from where a battle is."""
    rule = table.state.rule
    taken = replace(continuation(table.ruleset, table.state, MASTER, "sealed"), status=rule.status)
    order = SimulationOrder(
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        rule=Raw(canonical.encode(taken)),
        blobs={name: Raw(canonical.encode(blob)) for name, blob in table.blobs.items()},
        actions=(),
        policies={side.id: policy for side in rule.sides},
        max_rounds=2,
        seed="07" * 32,
    )
    return replace(order, **more)


def simulation(table: Table, order: SimulationOrder, n: int = 2) -> Simulation:
    """What comes of the first battles of an order."""
    tally = BattleTally(table.state.rule)
    for line in played(order, range(n)):
        assert isinstance(line, PlayedBattle)
        tally.add(line.end)
    return tally.simulation()


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
    first = simulation(table, order)
    assert simulation(table, order) == first
    assert sum(each.count for each in first.outcomes) == first.played == 2
    assert {(side.id) for side in table.state.rule.sides} == {each.side for each in first.sides}
    assert 1 <= first.rounds.least <= first.rounds.most <= 2
    assert canonical.encode(table.state.rule) == before


def test_a_battle_follows_from_its_number_whatever_is_played_beside_it() -> None:
    table = begun(rig_of("seeker-d100"))
    order = order_of(table, "random", max_rounds=4)
    counts = [
        {each.combatant: each.count for each in simulation(table, order, n).combatants}
        for n in (1, 2, 3)
    ]
    assert all(counts[0][each] <= counts[1][each] <= counts[2][each] for each in counts[0])
    keys = {key_of(bytes.fromhex(order.seed), number) for number in range(50)}
    assert len(keys) == 50
    other = simulation(table, replace(order, seed="08" * 32), 3)
    assert other != simulation(table, order, 3)
    assert [*played(order, [2, 0])] == [*reversed([*played(order, [0, 2])])]


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
    told = simulation(table, order_of(table, "random", actions=actions))
    assert [each.count for each in told.outcomes if each.side == first.side] == [2]
    nobody = Raw(b'{"type":"remove_combatant","combatant":"nobody"}')
    refused = list(played(order_of(table, "random", actions=(actions[0], nobody)), range(2)))
    assert refused == [
        RefusedAction(
            index=1, kind="refused", code="unknown_combatant", params={"combatant": "nobody"}
        )
    ]


def test_a_refused_start_is_told_and_not_played() -> None:
    rig = rig_of("squad-d100")
    order = order_of(seated(rig.ruleset, rig.battles.setup(1)), "random")
    rule = msgspec.json.decode(order.rule)
    del rule["map"]
    bare = replace(order, rule=Raw(canonical.encode({**rule, "combatants": []})))
    assert list(played(bare, range(1))) == [
        RefusedAction(kind="refused", code="map_empty", params={})
    ]


def test_what_the_rules_cannot_read_is_malformed() -> None:
    table = begun(rig_of("squad-d100"))
    combatant = table.state.rule.combatants[0].id
    change = {"type": "hp", "combatant": combatant, "value": 9_999}
    action = {"type": "adjust", "changes": [change], "reason": "so much"}
    order = order_of(table, "random", actions=(Raw(msgspec.json.encode(action)),))
    [refused] = played(order, range(2))
    assert isinstance(refused, RefusedAction)
    assert (refused.index, refused.kind, refused.code) == (0, "malformed", "malformed")


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
    menu = Menu(sources_for(table.ruleset, table.state, table.who("ann")))
    chooser = Chooser(
        table.ruleset,
        policy,
        table.who("ann"),
        "red",
        lambda n: picks.face(n) - 1 if n > 1 else 0,
    )
    return chooser.choose(table.state, menu, len(table.events) + 1)


@pytest.mark.parametrize("slug", ["seeker-d100", "squad-d100", "tactical-d20"])
def test_the_simple_policy_attacks_whom_it_sees(slug: str) -> None:
    rig = rig_of(slug)
    table = seated(rig.ruleset, there(rig.worlds).duel())
    ask(table, {"type": "start_encounter"})
    chosen = [choice(table, "simple", number) for number in range(4)]
    assert all("t" in words_in(each) for each in chosen), chosen


def test_a_policy_works_out_no_more_than_it_looks_at() -> None:
    made: list[str] = []
    kneel, stand = Kneel(combatant="ann"), Stand(combatant="ann")
    rest = do.EndTurn(combatant="ann")

    def source(use: NodeUse, *examples: do.Action) -> NodeSource:
        def make() -> Iterator[LegalNode]:
            made.append(use)
            yield from (node({}, each) for each in examples)

        return NodeSource(use, make)

    menu = Menu([source("approach"), source("attack", kneel, stand), source("other", rest)])
    assert [each.type for each in menu.any(lambda n: 0)] == ["kneel", "stand"]
    assert [each.type for each in menu.of("attack")] == ["kneel", "stand"]
    assert made == ["approach", "attack"]
    assert [each.type for each in menu.any(lambda n: n - 1)] == ["end_turn"]
    assert made == ["approach", "attack", "other"]
    assert Menu([source("approach")]).any(lambda n: 0) == ()


SIGHT: Final = Sight(enemies=frozenset({"orc"}), friends=frozenset({"ann"}), goals=((9, 0),))


def seen(params: Params) -> LegalNode:
    """A node with these parameters."""
    return node(params, do.EndTurn(combatant="ann"))


def test_what_is_aimed_meets_enemies_alone() -> None:
    aims = one_of(["ann", "orc"])
    path = PathDomain(path=WAY)
    bow, hug = {"target": aims}, {"target": one_of(["ann"])}
    aimed = seen(
        {
            "weapon": one_of([with_params("bow", bow), with_params("hug", hug)]),
            "path": path,
            "door": one_of(["north", "ann"]),
            "choice": object_of({"who": some_of(["ann", "orc", 3], 1, 3)}),
            "targets": list_of(
                one_of([DomainTarget(target="orc"), DomainTarget(cell=DomainPoint(9, 9))]), 2
            ),
            "pair": one_of([("ann", "orc"), ("bow", "hug")]),
        }
    )
    assert SIGHT.aimed(aimed) == seen(
        {
            "weapon": one_of([with_params("bow", {"target": one_of(["orc"])})]),
            "path": path,
            "door": one_of(["north"]),
            "choice": object_of({"who": some_of(["orc"], 1, 3)}),
            "targets": list_of(one_of([DomainTarget(target="orc")]), 2),
            "pair": one_of([("ann", "orc")]),
        }
    )
    assert SIGHT.aimed(seen({"target": one_of(["ann"])})) is None
    assert SIGHT.aimed(seen({"path": path})) is None


WAY: Final = PathBounds(x=0, y=0, unit="u", budget=9, longest=2, metric="legs_rounded_up")
FEET: Final = tuple(
    DomainCell(x=x, y=0, cost_ft=5 * x, path=points([(x, 0)]), params={}) for x in (3, 8)
)
PRICES: Final = tuple(PricedCell(x=x, y=0, cost_mp=x, path=points([(x, 0)])) for x in (3, 8))


@pytest.mark.parametrize(
    ("listed", "nearest"),
    [
        (
            CellsDomain(cells=FEET, unit="cell", budget_ft=40, metric="equal"),
            CellsDomain(cells=FEET[1:], unit="cell", budget_ft=40, metric="equal"),
        ),
        (
            PricedCellsDomain(cells=PRICES, unit="cell", budget_mp=9),
            PricedCellsDomain(cells=PRICES[1:], unit="cell", budget_mp=9),
        ),
        (
            PathDomain(path=WAY, accepted=(points([(9, 1), (3, 0)]), points([(8, 0)]))),
            PathDomain(path=WAY, accepted=(points([(8, 0)]),)),
        ),
        (PathDomain(path=WAY), PathDomain(path=WAY)),
    ],
)
def test_the_listed_ends_of_a_move_that_are_nearest_to_an_enemy_are_kept(
    listed: Domain, nearest: Domain
) -> None:
    facing = one_of(["north", "ann"])
    assert SIGHT.nearest_ends(seen({"path": listed, "facing": facing})) == seen(
        {"path": nearest, "facing": facing}
    )


def test_a_node_without_a_path_keeps_what_it_lists() -> None:
    assert SIGHT.nearest_ends(seen({"facing": one_of(["north"])})) == seen(
        {"facing": one_of(["north"])}
    )


def test_the_simple_policy_passes_no_turn_in_which_it_can_begin() -> None:
    table = seated(rig_of("melody-d6").ruleset, rig_of("melody-d6").battles.setup(1))
    ask(table, {"type": "start_encounter"})
    turn = table.ruleset.turn(table.state.rule)
    assert turn is not None
    by = By(kind="key", id="gm", role="gm")
    menu = Menu(sources_for(table.ruleset, table.state, by))
    chooser = Chooser(table.ruleset, "simple", by, str(turn.side), lambda n: n - 1)
    chosen = chooser.choose(table.state, menu, len(table.events) + 1)
    assert chosen is not None
    assert chosen["type"] == "activate_unit"


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
