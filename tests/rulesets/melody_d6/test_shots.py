"""Shots as steps: who may be shot at, what is shown, what dice do, and what an ambush brings."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Roll
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Shoot
from service.rulesets.melody_d6.attack_effects import AttackAgainst, AttackResolved, Detail, Further
from service.rulesets.melody_d6.deciding import shots
from service.rulesets.melody_d6.deciding.hits import GuardShot, Shot, weigh
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.shots import require_target
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.state import Combatant
from service.rulesets.melody_d6.terrain import FeatureKind
from tests.rulesets.melody_d6.refusals import refusal
from tests.rulesets.melody_d6.steps import Skirmish, box, told, warrior

Step = Callable[[Resolution], None]

BYSTANDER = warrior("b9", 59_000, 39_000, sight=1000)


def fired(
    weapon: str = "longbow", *, guard: GuardShot | None = None
) -> Callable[[Resolution], None]:
    """The shot of a1 at b1 as a step."""
    return lambda on: shots.resolve(on, "a1", "b1", weapon, guard=guard)


def shooter(*conditions: str, x: int = 10_000, y: int = 10_000, **sheet: Any) -> Combatant:
    """a1 with most of the sample's weapons."""
    weapons = ("longbow", "rifle", "volley_gun", "silenced_pistol", "blade")
    return warrior("a1", x, y, **({"conditions": conditions, "weapons": weapons} | sheet))


def draws(first: int) -> tuple[DrawRun, ...]:
    return (DrawRun(stream=0, number=first),)


@pytest.mark.rule("ML-SHOOT-2")
@pytest.mark.rule("ML-SHOOT-6")
def test_all_hit_dice_then_all_wound_dice_then_all_saves() -> None:
    """E56: long range and cover, three shots, two hits, one wound, saved."""
    wall = box("wall", "low_wall", 20_000, 9000, 20_400, 11_000)
    battle = Skirmish(
        shooter(), warrior("b1", 21_900, 10_000, armour=4), BYSTANDER, features=(wall,)
    )
    assert battle.after(fired("volley_gun"), (5, 4, 6, 3, 2, 4)) == (
        AttackResolved(
            rule="ML-SHOOT-2",
            target="b1",
            outcome="hit",
            detail=Detail(
                attacker="a1",
                item="volley_gun",
                mode="shot",
                roll=Roll(sides=6, faces=(5, 4, 6), total=15, draws=draws(1)),
                base=4,
                breakdown=(
                    Line(rule="ML-SHOOT-3", amount=-1, note="long_range"),
                    Line(rule="ML-SHOOT-4", amount=-1, note="cover"),
                ),
                pool=2,
                reasons=("total", "total", "natural_6"),
                hits=2,
                against=AttackAgainst(target="b1", needed=7),
                wounds=Further(
                    target="b1",
                    purpose="wound",
                    roll=Roll(sides=6, faces=(3, 2), total=5, draws=draws(4)),
                    needed=3,
                    successes=1,
                ),
                saves=Further(
                    target="b1",
                    purpose="save",
                    roll=Roll(sides=6, faces=(4,), total=4, draws=draws(6)),
                    needed=4,
                    successes=1,
                ),
            ),
        ),
    )


@pytest.mark.rule("ML-SHOOT-4")
@pytest.mark.parametrize(
    ("kind", "notes"), [("low_wall", ["cover"]), ("debris", ["cover"]), ("other", [])]
)
def test_not_every_low_feature_gives_cover(kind: FeatureKind, notes: list[str]) -> None:
    wall = box("wall", kind, 17_000, 9000, 17_400, 11_000)
    battle = Skirmish(shooter(), warrior("b1", 18_000, 10_000), BYSTANDER, features=(wall,))
    (resolved,) = battle.after(fired(), (1,))
    assert isinstance(resolved, AttackResolved)
    assert [line.note for line in resolved.detail.breakdown] == notes


@pytest.mark.rule("ML-SHOOT-2")
def test_a_miss_rolls_nothing_more() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 10_000, armour=4), BYSTANDER)
    (resolved,) = battle.after(fired(), (2,))
    assert isinstance(resolved, AttackResolved)
    detail = resolved.detail
    assert (resolved.outcome, detail.hits, detail.reasons) == ("miss", 0, ("total",))
    assert (detail.wounds, detail.saves, detail.ambush) == (UNSET, UNSET, False)


@pytest.mark.rule("ML-SHOOT-6")
def test_each_unsaved_wound_costs_the_damage_and_none_left_is_death() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 10_000, health_max=3, armour=4), BYSTANDER)
    story = battle.after(fired("volley_gun"), (4, 4, 5, 4, 4, 4, 4, 3, 1))
    assert story[1:] == (
        fx.Hurt(
            rule="ML-SHOOT-6",
            combatant="b1",
            amount=2,
            health=1,
            band="badly_hurt",
            cause="attack",
            source=fx.Source(combatant="a1", item="volley_gun"),
        ),
    )
    assert [told(each) for each in battle.after(fired(), (6, 6, 1))][1:] == [
        ("hurt", "b1", 1, 0),
        ("felled", "b1", "out"),
    ]
    assert existing(battle.rule, "b1").band == "down"


@pytest.mark.rule("ML-SHOOT-6")
def test_more_wounds_than_are_left_take_what_is_left() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 10_000, health_max=2), BYSTANDER)
    assert battle.story(fired("volley_gun"), (6, 6, 6, 6, 6, 6))[1:] == [
        ("hurt", "b1", 2, 0),
        ("felled", "b1", "out"),
    ]


@pytest.mark.rule("ML-GUARD-8")
@pytest.mark.parametrize(
    ("lost_on", "dice", "left"),
    [
        ("damage", (3, 3), False),
        ("damage", (3, 4), True),
        ("hit", (3, 3), True),
        ("hit", (3, 4), True),
        ("hit", (2,), False),
    ],
)
def test_a_guard_leaves_with_a_wound_or_where_the_table_wants_it_with_a_hit(
    lost_on: str, dice: tuple[int, ...], left: bool
) -> None:
    """E52, with strength 3: 4 wounds."""
    target = warrior("b1", 20_000, 10_000, health_max=2, conditions=("on_guard",))
    battle = Skirmish(shooter(), target, BYSTANDER, guard_lost_on=lost_on)
    lost = ("condition_lost", "b1", "on_guard", "suffered")
    assert (lost in battle.story(fired(), dice)) == left


@pytest.mark.rule("ML-GUARD-8")
def test_a_guard_who_is_saved_stays_and_one_who_is_killed_is_gone() -> None:
    saved = warrior("b1", 20_000, 10_000, armour=5, conditions=("on_guard",))
    battle = Skirmish(shooter(), saved, BYSTANDER)
    assert battle.story(fired(), (3, 4, 5)) == [("attack_resolved", "b1", "hit", (3,))]
    assert battle.story(fired(), (3, 4, 4))[1:] == [
        ("hurt", "b1", 1, 0),
        ("condition_lost", "b1", "on_guard", "gone"),
        ("felled", "b1", "out"),
    ]


@pytest.mark.rule("ML-SHOOT-1")
@pytest.mark.parametrize(
    ("x", "sight", "code", "told"),
    [
        (35_000, 24_000, None, {}),
        (35_001, 24_000, "out_of_sight", {"sight": 24_000}),
        (35_001, 30_000, "out_of_range", {"longest": 24_000}),
    ],
)
def test_sight_is_looked_at_before_range(
    x: int, sight: int, code: str | None, told: dict[str, int]
) -> None:
    """E54."""
    battle = Skirmish(shooter(sight=sight), warrior("b1", x, 10_000), BYSTANDER)
    refused = refusal(lambda: require_target(battle.state, "a1", "b1", "rifle"))
    assert refused == (None if code is None else (code, "ML-SHOOT-1", {"target": "b1", **told}))


@pytest.mark.rule("ML-SHOOT-1")
def test_the_measure_says_whether_bases_count() -> None:
    battle = Skirmish(shooter(), warrior("b1", 34_000, 10_000), BYSTANDER, measure="centre")
    assert refusal(lambda: require_target(battle.state, "a1", "b1", "rifle")) is None
    farther = Skirmish(shooter(), warrior("b1", 34_001, 10_000), BYSTANDER, measure="centre")
    told = refusal(lambda: require_target(farther.state, "a1", "b1", "rifle"))
    assert told == ("out_of_sight", "ML-SHOOT-1", {"target": "b1", "sight": 24_000})


@pytest.mark.rule("ML-SHOOT-1")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        (warrior("b1", 20_000, 10_000), None),
        (warrior("b1", 20_000, 10_000, conditions=("out",)), "target_gone"),
        (warrior("b1", 20_000, 10_000, conditions=("fled",)), "target_gone"),
        (warrior("b1", 20_000, 10_000, conditions=("masked",)), "target_masked"),
        (warrior("b1", 50_000, 10_000, conditions=("masked",)), "target_masked"),
        (warrior("b1", 20_000, 20_000), "target_engaged"),
        (warrior("b1", 20_000, 30_000), "no_line_of_sight"),
        (warrior("b1", 20_000, 10_000, side="a"), "target_friendly"),
    ],
)
def test_what_bars_a_target(target: Combatant, code: str | None) -> None:
    """E83: masked comes before range."""
    house = box("house", "building", 14_000, 18_000, 16_000, 22_000)
    friend = warrior("a2", 21_100, 20_000)
    battle = Skirmish(shooter(), target, friend, BYSTANDER, features=(house,))
    told = refusal(lambda: require_target(battle.state, "a1", "b1", "rifle"))
    assert (None if told is None else told[0]) == code


@pytest.mark.rule("ML-SHOOT-1")
def test_a_mover_is_aimed_at_where_it_is_and_engaged_with_nobody_on_its_way() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 20_000), warrior("a2", 21_100, 20_000))

    def aim(at: tuple[int, int] | None, *, is_on_its_way: bool) -> str | None:
        told = refusal(
            lambda: require_target(
                battle.state, "a1", "b1", "rifle", at=at, is_on_its_way=is_on_its_way
            )
        )
        return None if told is None else told[0]

    assert aim(None, is_on_its_way=False) == "target_engaged"
    assert aim(None, is_on_its_way=True) is None
    assert aim((50_000, 10_000), is_on_its_way=True) == "out_of_sight"


@pytest.mark.rule("ML-SHOOT-5")
@pytest.mark.rule("ML-GUARD-11")
@pytest.mark.rule("ML-GUARD-12")
@pytest.mark.parametrize(
    ("target", "charged", "stacks", "notes"),
    [
        ((), False, False, []),
        (("fleeting",), False, False, ["guard_fleeting"]),
        ((), True, False, ["guard_charged"]),
        (("fleeting",), True, False, ["guard_fleeting"]),
        (("fleeting",), True, True, ["guard_fleeting", "guard_charged"]),
    ],
)
def test_a_guards_penalties_stand_last(
    target: tuple[str, ...], charged: bool, stacks: bool, notes: list[str]
) -> None:
    """E48."""
    battle = Skirmish(
        shooter("dazed"),
        warrior("b1", 30_000, 10_000, conditions=target),
        BYSTANDER,
        guard_penalty_stacks=stacks,
    )
    a1, b1 = (existing(battle.rule, name) for name in ("a1", "b1"))
    rifle = next(each for each in SAMPLE.weapons if each.id == "rifle")
    own_turn = weigh(battle.state, Shot(a1, b1, rifle))
    on_guard = weigh(battle.state, Shot(a1, b1, rifle, GuardShot(charged)))
    assert [line.note for line in own_turn.breakdown] == ["long_range", "dazed"]
    assert [line.note for line in on_guard.breakdown] == ["long_range", "dazed", *notes]
    assert (own_turn.pool, on_guard.pool) == (2, 2 - len(notes))


def ambush(*others: Combatant, **options: Any) -> Skirmish:
    """E41: a1 masked since before its turn, b1 at edge distance 10000, others of b1's unit."""
    return Skirmish(
        shooter("masked"),
        warrior("b1", 21_000, 10_000, unit="u"),
        *others,
        acting="unit_a1",
        **options,
    )


WITNESS = warrior("b2", 21_000, 14_000, unit="u")
BEHIND = warrior("b3", 21_000, 6000, unit="u")
HIDES_THE_SHOOTER = box("house", "building", 14_000, 6000, 16_000, 8500)
KILLED = [
    ("attack_resolved", "b1", "hit", (3,)),
    ("hurt", "b1", 1, 0),
    ("felled", "b1", "out"),
]


@pytest.mark.rule("ML-AMB-1")
@pytest.mark.rule("ML-AMB-2")
@pytest.mark.rule("ML-AMB-3")
@pytest.mark.rule("ML-AMB-5")
def test_a_quiet_kill_that_nobody_notices_leaves_the_shooter_masked() -> None:
    """E41: the draws are 3, 4, 5, 4, 4; b3 sees b1 and not the shooter."""
    battle = ambush(WITNESS, BEHIND, features=(HIDES_THE_SHOOTER,))
    assert battle.story(fired(), (3, 4, 5, 4, 4)) == [
        *KILLED,
        ("check_resolved", "mobility", "b2", "failure", (5,)),
        ("check_resolved", "panic", "b2", "failure", (4, 4)),
        ("condition_gained", "b2", "fleeing"),
        ("moved", "b2", "flight", (27_000, 14_000)),
        ("condition_gained", "b3", "fleeing"),
        ("moved", "b3", "flight", (27_000, 6000)),
    ]
    assert existing(battle.rule, "a1").conditions == ("masked",)


@pytest.mark.rule("ML-AMB-3")
def test_what_a_mobility_test_tells() -> None:
    battle = ambush(WITNESS)
    effects = battle.after(fired(), (3, 4, 5, 3, 4))
    tests = [each for each in effects if isinstance(each, own.CheckResolved)]
    mobility, panic = tests
    assert mobility == own.CheckResolved(
        rule="ML-TEST-1",
        check="mobility",
        combatant="b2",
        versus="a1",
        outcome="failure",
        roll=Roll(sides=6, faces=(5,), total=5, draws=draws(3)),
        needed=4,
        rules=("ML-AMB-3",),
    )
    assert panic.rules == ("ML-AMB-5",)
    (resolved,) = [each for each in effects if isinstance(each, AttackResolved)]
    assert resolved.detail.ambush


@pytest.mark.rule("ML-AMB-4")
@pytest.mark.rule("ML-AMB-6")
def test_one_witness_who_passes_exposes_the_shooter_and_all_of_them_roll() -> None:
    """E42."""
    battle = ambush(WITNESS, warrior("b4", 21_000, 13_000))
    assert battle.story(fired(), (3, 4, 4, 6, 3, 4)) == [
        *KILLED,
        ("check_resolved", "mobility", "b2", "success", (4,)),
        ("check_resolved", "mobility", "b4", "failure", (6,)),
        ("condition_lost", "a1", "masked", "attacked"),
        ("condition_gained", "a1", "fleeting"),
        ("condition_gained", "a1", "exposed"),
        ("check_resolved", "panic", "b2", "success", (3, 4)),
    ]


@pytest.mark.rule("ML-AMB-3")
@pytest.mark.parametrize(
    ("witness", "tests"),
    [
        (warrior("b2", 21_000, 14_000), True),
        (warrior("b2", 21_000, 14_000, conditions=("stunned",)), True),
        (warrior("b2", 21_000, 14_000, conditions=("fleeing",)), True),
        (warrior("b2", 21_000, 14_000, conditions=("out",)), False),
        (warrior("b2", 21_000, 14_000, side="a"), False),
        (warrior("b2", 21_000, 14_000, hidden=True), False),
        (warrior("b2", 21_000, 14_000, sight=10_000), False),
        (warrior("b2", 16_000, 19_000, sight=9000), False),
        (warrior("b2", 30_000, 10_000, sight=19_000), True),
        (warrior("b2", 30_000, 10_000, sight=18_999), False),
    ],
)
def test_who_is_a_witness(witness: Combatant, tests: bool) -> None:
    """Sight 10000: too short for the shooter; at (16000,19000) with 9000 too short for both."""
    battle = ambush(witness, BYSTANDER)
    dice = (3, 4, 6) if tests else (3, 4)
    checks = [each for each in battle.story(fired(), dice) if each[0] == "check_resolved"]
    assert checks == ([("check_resolved", "mobility", "b2", "failure", (6,))] if tests else [])


@pytest.mark.rule("ML-AMB-2")
@pytest.mark.rule("ML-AMB-5")
@pytest.mark.rule("ML-AMB-6")
def test_a_miss_gives_away_and_frightens_all_the_same() -> None:
    """E43."""
    assert ambush(WITNESS).story(fired(), (2, 3, 4)) == [
        ("attack_resolved", "b1", "miss", (2,)),
        ("condition_lost", "a1", "masked", "attacked"),
        ("condition_gained", "a1", "fleeting"),
        ("check_resolved", "panic", "b1", "success", (3, 4)),
    ]


@pytest.mark.rule("ML-AMB-2")
def test_a_loud_weapon_gives_away_without_a_mobility_test() -> None:
    """E44."""
    assert ambush(WITNESS).story(fired("rifle"), (3, 3, 3, 4)) == [
        *KILLED,
        ("condition_lost", "a1", "masked", "attacked"),
        ("condition_gained", "a1", "fleeting"),
        ("check_resolved", "panic", "b2", "success", (3, 4)),
    ]
    silenced = ambush(WITNESS).story(fired("silenced_pistol"), (4, 4, 5, 3, 4))
    assert silenced[3] == ("check_resolved", "mobility", "b2", "failure", (5,))


@pytest.mark.rule("ML-AMB-5")
def test_a_unit_without_anybody_steady_does_not_test() -> None:
    fleeing = warrior("b2", 21_000, 14_000, unit="u", conditions=("fleeing",), sight=1000)
    assert ambush(fleeing).story(fired(), (3, 4)) == KILLED


@pytest.mark.rule("ML-AMB-6")
def test_a_guard_in_ambush_is_no_fleeting_target_when_it_gives_itself_away() -> None:
    battle = Skirmish(
        shooter("masked", "on_guard"), warrior("b1", 21_000, 10_000), BYSTANDER, turn="b"
    )
    story = battle.story(fired(guard=GuardShot(charged=False)), (2, 3, 4))
    assert story == [
        ("attack_resolved", "b1", "miss", (2,)),
        ("condition_lost", "a1", "masked", "attacked"),
        ("check_resolved", "panic", "b1", "success", (3, 4)),
    ]


@pytest.mark.rule("ML-TEST-1")
def test_the_table_says_whether_a_six_fails() -> None:
    """E45."""
    keen = warrior("b2", 21_000, 14_000, mobility=6)
    for six_fails, outcome in ((True, "failure"), (False, "success")):
        battle = ambush(keen, BYSTANDER, mobility_six_fails=six_fails)
        assert ("check_resolved", "mobility", "b2", outcome, (6,)) in battle.story(
            fired(), (3, 4, 6)
        )


@pytest.mark.parametrize(("reveals", "stream"), [(True, 0), (False, 1)])
def test_a_hidden_shooter_becomes_known_or_its_dice_stay_its_sides(
    reveals: bool, stream: int
) -> None:
    battle = Skirmish(
        shooter(hidden=True), warrior("b1", 20_000, 10_000), BYSTANDER, attack_reveals=reveals
    )
    effects = battle.after(fired(), (3, 3))
    (resolved,) = [each for each in effects if isinstance(each, AttackResolved)]
    shown = [("revealed", "attack", "a1")] if reveals else []
    assert [told(each) for each in effects] == [*shown, ("attack_resolved", "b1", "hit", (3,))]
    known = [each.combatant.hidden for each in effects if isinstance(each, own.Revealed)]
    assert known == [False] * reveals
    assert resolved.detail.roll is not UNSET
    assert resolved.detail.roll.draws == (DrawRun(stream=stream, number=1),)


@pytest.mark.rule("ML-AMB-1")
@pytest.mark.rule("ML-MASK-9")
def test_who_was_hidden_and_masked_close_to_enemies_shoots_from_ambush_all_the_same() -> None:
    """Known by its shot, it detects a masked enemy near it, and is detected by another."""
    battle = Skirmish(
        shooter("masked", hidden=True),
        warrior("b1", 21_000, 10_000, unit="u"),
        warrior("b2", 14_000, 10_000, conditions=("masked",)),
        BYSTANDER,
    )
    assert battle.story(fired(), (2, 3, 4)) == [
        ("revealed", "attack", "a1"),
        ("condition_lost", "b2", "masked", "detected_auto"),
        ("condition_lost", "a1", "masked", "detected_auto"),
        ("attack_resolved", "b1", "miss", (2,)),
        ("check_resolved", "panic", "b1", "success", (3, 4)),
    ]


@pytest.mark.rule("ML-SHOOT-1")
@pytest.mark.parametrize(
    ("sheet", "weapon", "refused"),
    [
        ({}, "rifle", None),
        ({"acted": True, "masked_this_turn": True}, "rifle", ("action_spent", {"combatant": "a1"})),
        (
            {"masked_this_turn": True, "x": 18_900},
            "rifle",
            ("masked_this_turn", {"combatant": "a1"}),
        ),
        ({"x": 18_900}, "blade", ("engaged", {"combatant": "a1"})),
        ({}, "blade", ("weapon_not_ranged", {"weapon": "blade"})),
        ({}, "crossbow", "unknown_weapon"),
        ({"acted": True, "unit": "v"}, "rifle", "warrior_not_in_active_unit"),
        ({"acted": True, "conditions": ("stunned",)}, "rifle", "warrior_stunned"),
        ({"x": 50_000}, "rifle", "out_of_sight"),
    ],
)
def test_what_a_shooter_must_be_free_to_do(
    sheet: dict[str, Any], weapon: str, refused: Any
) -> None:
    battle = Skirmish(shooter(**sheet), warrior("b1", 20_000, 10_000), BYSTANDER, acting="unit_a1")
    action = Shoot(combatant="a1", target="b1", weapon=weapon)
    told = refusal(lambda: shots.require_shoot(battle.state, action))
    if told is None or isinstance(refused, str):
        assert (told and told[0]) == refused
    else:
        assert (told[0], told[2]) == refused


def test_an_unknown_target_is_told_before_the_weapon_and_the_turn() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 10_000), BYSTANDER, turn="b")
    action = Shoot(combatant="a1", target="nobody", weapon="none")
    told = refusal(lambda: shots.require_shoot(battle.state, action))
    assert told == ("unknown_combatant", None, {"combatant": "nobody"})


def test_a_shot_that_is_not_allowed_does_nothing() -> None:
    battle = Skirmish(shooter(), warrior("b1", 50_000, 10_000), BYSTANDER, acting="unit_a1")
    action = Shoot(combatant="a1", target="b1", weapon="longbow")
    before = battle.rule

    def step() -> None:
        battle.after(lambda on: shots.shoot(on, action), (2,))

    told = refusal(step)
    assert (told and told[0], battle.rule) == ("out_of_sight", before)


def test_a_shot_spends_the_action() -> None:
    battle = Skirmish(shooter(), warrior("b1", 20_000, 10_000), BYSTANDER, acting="unit_a1")
    action = Shoot(combatant="a1", target="b1", weapon="longbow")
    story = battle.story(lambda on: shots.shoot(on, action), (2,))
    assert story == [
        ("resource_changed", "a1", "action", 0),
        ("attack_resolved", "b1", "miss", (2,)),
    ]
