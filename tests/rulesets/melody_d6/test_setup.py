"""A creation becomes event 1; what it states amiss is refused by its place and a reason."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.engine.battle.creation import created_by
from service.engine.battle.linear import Linear
from service.engine.battle.setup import Header
from service.engine.battle.state import State
from service.engine.hashing import blob_digest
from service.engine.log.canonical import encode
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Side
from service.errors import Malformed, Refused
from service.rulesets.melody_d6 import RULESET
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import gm_setup
from service.rulesets.melody_d6.evolve import evolve, initial
from service.rulesets.melody_d6.examples import EXAMPLES
from service.rulesets.melody_d6.setup import Setup, blobs, create
from service.rulesets.melody_d6.state import BattleState, Force

Tree = dict[str, Any]
Change = Callable[[Tree], object]

GM = By(kind="key", id="k", role="gm")
DUEL: Tree = dict(EXAMPLES.create_encounter[1].value["setup"])
UNDER_WAY: Tree = dict(EXAMPLES.create_encounter[0].value["setup"])


def event_1(stated: Tree, sides: tuple[str, ...] = ("a", "b")) -> tuple[fx.Effect, ...]:
    """The effects of a creation."""
    setup = msgspec.convert(stated, Setup)
    kept = {blob_digest(encode(blob)): blob for blob in blobs(setup)}
    header = Header(
        dice="sealed",
        commitment="0" * 64,
        seed="os",
        sides=tuple(Side(id=side) for side in sides),
        seats=(),
        reveal_by_days=30,
        digests=tuple(kept),
    )
    creation = create(setup, header)
    blank = initial(created_by(own.EncounterCreated, creation, GM))
    state = State(rule=blank, linear=Linear(), terms=RULESET.terms(kept))
    return gm_setup.create(state, creation, GM)


def battle(stated: Tree) -> BattleState:
    """The battle that a creation comes to."""
    created, *others = event_1(stated)
    assert isinstance(created, own.EncounterCreated)
    rule = initial(created)
    for effect in others:
        rule = evolve(rule, effect)
    return rule


def changed(change: Change, stated: Tree = DUEL) -> Tree:
    """A creation with something else in it."""
    tree = deepcopy(stated)
    change(tree)
    return tree


def refusal(stated: Tree, sides: tuple[str, ...] = ("a", "b")) -> tuple[object, ...]:
    """Code, reason and path of the refusal of a creation."""
    with pytest.raises((Refused, Malformed)) as refused:
        event_1(stated, sides)
    params = refused.value.params
    return refused.value.code, params.get("reason"), params.get("path")


def test_the_duel_is_kept_as_it_is_stated() -> None:
    rule = battle(DUEL)
    assert [(each.id, each.side, each.kind) for each in rule.units] == [
        ("A1", "a", "squad"),
        ("A2", "a", "lone"),
        ("B1", "b", "squad"),
        ("B2", "b", "lone"),
    ]
    assert [
        (each.id, each.unit, each.number, each.health, each.band) for each in rule.combatants
    ] == [
        ("a_singer", "A1", 1, 1, "unhurt"),
        ("a_bow", "A1", 2, 1, "unhurt"),
        ("a_rifle", "A1", 3, 1, "unhurt"),
        ("a_scout", "A2", 4, 1, "unhurt"),
        ("b_rifle1", "B1", 5, 1, "unhurt"),
        ("b_rifle2", "B1", 6, 1, "unhurt"),
        ("b_gunner", "B1", 7, 1, "unhurt"),
        ("b_chanter", "B2", 8, 2, "unhurt"),
    ]
    assert rule.forces == (
        Force(side="a", home_edge="west"),
        Force(side="b", home_edge="east"),
    )
    assert (rule.round, rule.turn_side, rule.side_order, rule.status) == (0, UNSET, (), "setup")


def test_event_1_tells_of_units_after_their_members_and_is_prepared_if_it_goes_on() -> None:
    fresh, under_way = event_1(DUEL), event_1(UNDER_WAY)
    assert [each.__struct_config__.tag for each in fresh] == [
        "encounter_created",
        *["force_set"] * 2,
        *["combatant_added"] * 8,
        *["unit_formed"] * 4,
    ]
    assert [each.__struct_config__.tag for each in under_way] == [
        "encounter_created",
        "round_began",
        "order_set",
        "turn_began",
        *["force_set"] * 2,
        *["combatant_added"] * 8,
        *["unit_formed"] * 4,
        "activation_began",
    ]
    terms = (fresh[0], under_way[0])
    assert [isinstance(each, own.EncounterCreated) and each.prepared for each in terms] == [
        False,
        True,
    ]


def test_a_battle_under_way_has_its_turn_activation_and_points() -> None:
    rule = battle(UNDER_WAY)
    assert (rule.round, rule.side_order, rule.turn_side, rule.turn_unit, rule.phase) == (
        2,
        ("a", "b"),
        "a",
        "A2",
        "movement",
    )
    assert [force.fp for force in rule.forces] == [3, 0]
    assert [unit.activated for unit in rule.units] == [False, True, False, False]


def in_progress(tree: Tree) -> None:
    tree["options"] = {"fp_per_turn": 5}
    tree["sides"] = [{"id": "b", "home_edge": "north", "fp": 4, "dampenings": 1}]
    tree["units"][0]["activated"] = True
    tree["battle"] |= {
        "turn_side": "b",
        "turn_unit": "B1",
        "phase": "action",
        "mask_declared": True,
    }
    singer, bow, rifle, scout, *_, chanter = tree["combatants"]
    singer |= {"rerolls_left": 0, "songs": ["mist"], "conditions": ["fleeting"]}
    bow |= {"conditions": ["on_guard", "masked"], "acted": True, "moved": True}
    rifle |= {"conditions": ["stunned"], "stunned_anew": True, "masked_this_turn": True}
    scout |= {"health": 0}
    chanter |= {"hoarse_until": 3, "health": 1}
    disc = {"kind": "disc", "origin": {"x": 9000, "y": 9000}, "radius": 2500}
    song = {
        "id": "mist",
        "melody": "veil_of_mist",
        "combatant": "a_singer",
        "shape": disc,
        "round": 1,
    }
    tree["songs"] = [song | {"monstrous": True, "dampened_in": 1}]


def test_what_a_battle_in_progress_states_is_kept() -> None:
    rule = battle(changed(in_progress, UNDER_WAY))
    assert (rule.side_order, rule.turn_side, rule.turn_unit, rule.phase, rule.mask_declared) == (
        ("a", "b"),
        "b",
        "B1",
        "action",
        True,
    )
    assert rule.forces == (
        Force(side="a", home_edge="west"),
        Force(side="b", home_edge="north", fp=4, dampenings=1),
    )
    assert [unit.activated for unit in rule.units] == [True, False, True, False]
    singer, bow, rifle, scout, *_, chanter = rule.combatants
    assert (singer.rerolls_left, singer.songs, singer.conditions) == (
        0,
        ("mist",),
        ("fleeting", "melody"),
    )
    assert (bow.conditions, bow.acted, bow.moved) == (("on_guard", "masked"), True, True)
    assert (rifle.conditions, rifle.stunned_anew, rifle.masked_this_turn) == (
        ("stunned",),
        True,
        True,
    )
    assert (scout.conditions, scout.band, scout.presence) == (("out",), "down", "out")
    assert (chanter.conditions, chanter.hoarse_until, chanter.band) == (
        ("hoarse",),
        3,
        "badly_hurt",
    )
    (song,) = rule.songs
    assert (song.id, song.melody, song.combatant, song.round, song.monstrous, song.dampened_in) == (
        "mist",
        "veil_of_mist",
        "a_singer",
        1,
        True,
        1,
    )


def test_a_round_whose_turn_is_not_stated_begins_with_the_start() -> None:
    rule = battle(changed(lambda tree: tree.update(battle={"round": 3, "first_side": "b"})))
    assert (rule.round, rule.side_order, rule.turn_side) == (2, ("b", "a"), UNSET)
    first = battle(changed(lambda tree: tree.update(battle={})))
    assert (first.round, first.side_order, first.turn_side) == (0, (), UNSET)


@pytest.mark.parametrize("sides", [(), ("a",), ("a", "b", "c")])
def test_a_battle_has_two_sides(sides: tuple[str, ...]) -> None:
    assert refusal(DUEL, sides) == ("invalid_setup", "side_count", "$.sides")


def unit(index: int, **fields: object) -> Change:
    return lambda tree: tree["units"][index].update(fields)


def sheet(index: int, **fields: object) -> Change:
    return lambda tree: tree["combatants"][index].update(fields)


def at(index: int, x: int, y: int) -> Change:
    return sheet(index, place={"x": x, "y": y})


def own_side(side: str) -> Change:
    return lambda tree: tree.update(sides=[{"id": side}])


def crowd(count: int) -> Change:
    """So many members of the first squad more."""

    def add(tree: Tree) -> None:
        for index in range(count):
            place = {"x": 1000 + 1100 * index, "y": 22000}
            tree["combatants"].append(
                {"id": f"x{index}", "side": "a", "unit": "A1", "place": place}
            )

    return add


def more_units(count: int) -> Change:
    """So many lone warriors more."""

    def add(tree: Tree) -> None:
        for index in range(count):
            place = {"x": 1000 + 1100 * index, "y": 22000}
            tree["units"].append({"id": f"U{index}", "side": "a", "kind": "lone"})
            newcomer = {"id": f"x{index}", "side": "a", "unit": f"U{index}", "place": place}
            tree["combatants"].append(newcomer)

    return add


MASKED = {"conditions": ["masked"]}


@pytest.mark.parametrize(
    ("change", "reason", "path"),
    [
        (own_side("c"), "unknown_reference", "$.setup.sides[0].id"),
        (unit(1, id="A1"), "duplicate_id", "$.units[1].id"),
        (unit(1, id="a1"), "duplicate_id", "$.units[1].id"),
        (unit(0, side="b"), "unknown_reference", "$.combatants[0].unit"),
        (sheet(3, unit="A3"), "unknown_reference", "$.combatants[3].unit"),
        (sheet(3, unit="A1"), "unit_empty", "$.units[1]"),
        (sheet(2, unit="A2"), "lone_needs_one", "$.units[1]"),
        (crowd(18), "number_range", "$.units[0]"),
        (more_units(19), "number_range", "$.units[22]"),
        (sheet(0, weapons=["sling"]), "unknown_reference", "$.combatants[0].weapons[0]"),
        (sheet(0, weapons=["blade", "blade"]), "duplicate_id", "$.combatants[0].weapons[1]"),
        (
            sheet(0, singer={"melodies": ["ember_march", "ode"]}),
            "unknown_reference",
            "$.combatants[0].singer.melodies[1]",
        ),
        (sheet(7, health=3), "number_range", "$.combatants[7].health"),
        (sheet(0, rerolls_left=2), "number_range", "$.combatants[0].rerolls_left"),
        (
            sheet(0, conditions=["exposed", "exposed"]),
            "duplicate_id",
            "$.combatants[0].conditions[1]",
        ),
        (sheet(0, songs=["s1"]), "unknown_reference", "$.combatants[0].songs[0]"),
        (at(0, 499, 12000), "out_of_bounds", "$.combatants[0].place"),
        (at(0, 4500, 23501), "out_of_bounds", "$.combatants[0].place"),
        (at(0, 17000, 16000), "in_high_terrain", "$.combatants[0].place"),
        (at(1, 4500, 12999), "base_overlap", "$.combatants[1].place"),
        (sheet(0, **MASKED), "mask_not_possible", "$.combatants[0].conditions"),
    ],
)
def test_what_does_not_fit_is_refused_by_place_and_reason(
    change: Change, reason: str, path: str
) -> None:
    assert refusal(changed(change)) == ("invalid_setup", reason, path)


@pytest.mark.parametrize(
    ("change", "params"),
    [
        (crowd(18), {"path": "$.units[0]", "id": "A1", "most": 20}),
        (more_units(19), {"path": "$.units[22]", "most": 20}),
        (sheet(7, health=3), {"path": "$.combatants[7].health", "most": 2}),
        (sheet(0, rerolls_left=2), {"path": "$.combatants[0].rerolls_left", "most": 1}),
    ],
)
def test_a_number_that_is_too_high_is_refused_with_the_highest(
    change: Change, params: Tree
) -> None:
    with pytest.raises(Refused) as refused:
        event_1(changed(change), ("a", "b"))
    assert refused.value.params == {"reason": "number_range", **params}


@pytest.mark.parametrize(
    "change",
    [
        crowd(17),
        more_units(18),
        sheet(7, health=2),
        sheet(0, rerolls_left=1),
        at(0, 500, 12000),
        at(0, 4500, 23500),
        at(0, 16000, 16000),
        at(1, 4500, 13000),
        at(0, 21000, 10200),
        sheet(3, **MASKED),
    ],
)
def test_what_just_fits(change: Change) -> None:
    assert battle(changed(change)).status == "setup"


def test_who_deploys_masked_is_four_steps_and_both_bases_from_an_enemy() -> None:
    def enemy(x: int) -> Tree:
        tree = changed(sheet(3, **MASKED))
        at(4, x, 5000)(tree)
        return tree

    assert refusal(enemy(14000)) == (
        "invalid_setup",
        "mask_not_possible",
        "$.combatants[3].conditions",
    )
    assert battle(enemy(14001)).combatants[3].conditions == ("masked",)
    unseen = changed(lambda tree: sheet(4, hidden=True)(tree), enemy(14000))
    assert battle(unseen).combatants[3].conditions == ("masked",)


def test_nobody_is_judged_by_where_it_masked_in_a_battle_in_progress() -> None:
    masked = changed(sheet(0, **MASKED), UNDER_WAY)
    assert battle(masked).combatants[0].conditions == ("masked",)


def song(**fields: object) -> Change:
    disc = {"kind": "disc", "origin": {"x": 9000, "y": 9000}, "radius": 2500}
    whole = {"id": "mist", "melody": "veil_of_mist", "combatant": "a_singer", "shape": disc}
    return lambda tree: tree.update(songs=[whole | fields])


@pytest.mark.parametrize(
    ("change", "reason", "path"),
    [
        (song(id="s2"), "duplicate_id", "$.songs[0].id"),
        (song(melody="ember_march"), "unknown_reference", "$.songs[0].melody"),
        (song(melody="ode"), "unknown_reference", "$.songs[0].melody"),
        (song(combatant="a_bow"), "unknown_reference", "$.songs[0].combatant"),
        (song(target="a_bow"), "template_shape_mismatch", "$.songs[0].target"),
        (
            song(shape={"kind": "model", "origin": {"x": 0, "y": 0}}),
            "template_shape_mismatch",
            "$.songs[0].shape",
        ),
    ],
)
def test_a_song_that_cannot_be_in_play(change: Change, reason: str, path: str) -> None:
    assert refusal(changed(change, UNDER_WAY)) == ("invalid_setup", reason, path)


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"turn_unit": "B1"}, ("invalid_setup", "unknown_reference", "$.battle.turn_unit")),
        ({"turn_unit": "A9"}, ("invalid_setup", "unknown_reference", "$.battle.turn_unit")),
        ({"turn_side": "c"}, ("unknown_side", None, None)),
        ({"first_side": "c"}, ("unknown_side", None, None)),
    ],
)
def test_a_turn_that_nobody_can_have(fields: Tree, refused: tuple[object, ...]) -> None:
    assert refusal(changed(lambda tree: tree["battle"].update(fields), UNDER_WAY)) == refused


def test_a_phase_belongs_to_an_activation() -> None:
    stated = changed(lambda tree: tree.update(battle={"turn_side": "a", "phase": "action"}))
    assert refusal(stated) == ("invalid_setup", "unknown_reference", "$.battle.turn_unit")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (sheet(1, id="a_singer"), "duplicate_combatant"),
        (sheet(1, id="gm"), "malformed"),
        (unit(1, id="gm"), "malformed"),
        (sheet(1, side="c"), "unknown_side"),
    ],
)
def test_shared_codes_of_combatants_stay(change: Change, code: str) -> None:
    assert refusal(changed(change))[0] == code
