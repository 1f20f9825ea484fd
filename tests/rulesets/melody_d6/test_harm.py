"""Harm that is no attack: wounds of Melodies, damage, healing, stuns, and what ends with a life."""

from typing import Literal

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Roll
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import harm
from service.rulesets.melody_d6.deciding.harm import Doer
from service.rulesets.melody_d6.rules.wounds import Hit
from tests.rulesets.melody_d6.steps import Skirmish, veil, warrior

SONG = Doer("melody", combatant="b1", item="ember_march")
EMBER = Hit(strength=4, pen=0, damage=1)
SOURCE = fx.Source(combatant="b1", item="ember_march")


def victims(**sheet: object) -> Skirmish:
    return Skirmish(warrior("a1", 20_000, 10_000, **sheet), warrior("b1", 40_000, 10_000))


def roll(face: int, number: int, stream: int = 0) -> Roll:
    return Roll(sides=6, faces=(face,), total=face, draws=(DrawRun(stream=stream, number=number),))


@pytest.mark.rule("ML-SHOOT-6")
def test_the_dice_of_a_song_are_checks_of_the_victim() -> None:
    battle = victims(armour=5, health_max=2)
    effects = battle.after(lambda on: harm.wound(on, "a1", EMBER, SONG), (3, 4))
    assert effects == (
        own.CheckResolved(
            rule="ML-SHOOT-6",
            check="wound",
            combatant="a1",
            outcome="success",
            roll=roll(3, 1),
            needed=3,
            source=SOURCE,
        ),
        own.CheckResolved(
            rule="ML-SHOOT-6",
            check="save",
            combatant="a1",
            outcome="failure",
            roll=roll(4, 2),
            needed=5,
            source=SOURCE,
        ),
        fx.Hurt(
            rule="ML-SHOOT-6",
            combatant="a1",
            amount=1,
            health=1,
            band="badly_hurt",
            cause="melody",
            source=SOURCE,
        ),
    )


@pytest.mark.rule("ML-SHOOT-6")
@pytest.mark.parametrize(
    ("dice", "checks", "lost"),
    [
        ((2,), [("wound", "failure")], False),
        ((3, 5), [("wound", "success"), ("save", "success")], False),
        ((3, 1), [("wound", "success"), ("save", "failure")], True),
    ],
)
def test_whether_a_song_takes_a_wound(
    dice: tuple[int, ...], checks: list[tuple[str, str]], lost: bool
) -> None:
    battle, results = victims(armour=5, health_max=2), []
    effects = battle.after(lambda on: results.append(harm.wound(on, "a1", EMBER, SONG)), dice)
    tests = [each for each in effects if isinstance(each, own.CheckResolved)]
    assert [(each.check, each.outcome) for each in tests] == checks
    assert (results, len(effects) > len(tests)) == ([lost], lost)


def test_the_dice_of_a_hidden_victim_are_its_sides() -> None:
    battle = victims(hidden=True)
    (check,) = battle.after(lambda on: harm.wound(on, "a1", EMBER, SONG), (2,))
    assert isinstance(check, own.CheckResolved)
    assert check.roll == roll(2, 1, stream=1)


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        (0, []),
        (1, [("hurt", "a1", 1, 2), ("condition_lost", "a1", "on_guard", "suffered")]),
        (2, [("hurt", "a1", 2, 1), ("condition_lost", "a1", "on_guard", "suffered")]),
        (
            3,
            [
                ("hurt", "a1", 3, 0),
                ("condition_lost", "a1", "on_guard", "gone"),
                ("felled", "a1", "out"),
            ],
        ),
        (
            20,
            [
                ("hurt", "a1", 3, 0),
                ("condition_lost", "a1", "on_guard", "gone"),
                ("felled", "a1", "out"),
            ],
        ),
    ],
)
def test_damage_takes_wounds_the_guard_and_at_last_the_life(
    amount: int, told: list[tuple[object, ...]]
) -> None:
    battle, results = victims(health_max=3, conditions=("on_guard",)), []
    story = battle.story(lambda on: results.append(harm.damage(on, "a1", amount, SONG)))
    assert (story, results) == (told, [amount > 0])


@pytest.mark.rule("ML-LAST-3")
def test_the_song_of_who_is_killed_ends_and_no_song_affects_the_dead() -> None:
    """Its end frees all whom it affected; of another's song the dead one alone is free."""
    heard = {"conditions": ("melody",), "songs": ("s1",)}
    battle = Skirmish(
        warrior("a1", 20_000, 10_000, **heard),
        warrior("a2", 30_000, 10_000, **heard),
        warrior("b1", 40_000, 10_000),
        songs=(veil("a1"),),
    )
    assert battle.story(lambda on: harm.damage(on, "a1", 1, SONG)) == [
        ("hurt", "a1", 1, 0),
        ("marker_removed", "s1", "singer_gone"),
        ("condition_lost", "a1", "melody", UNSET),
        ("condition_lost", "a2", "melody", UNSET),
        ("felled", "a1", "out"),
    ]
    battle = Skirmish(
        warrior("a1", 20_000, 10_000, **heard),
        warrior("a2", 30_000, 10_000, **heard),
        warrior("b1", 40_000, 10_000),
        songs=(veil("b1"),),
    )
    assert battle.story(lambda on: harm.damage(on, "a1", 1, SONG)) == [
        ("hurt", "a1", 1, 0),
        ("condition_lost", "a1", "melody", UNSET),
        ("felled", "a1", "out"),
    ]


def test_nobody_off_the_table_is_hurt_or_healed() -> None:
    battle = victims(conditions=("fled",), health_max=3, health=2)
    assert battle.story(lambda on: harm.damage(on, "a1", 1, SONG)) == []
    assert battle.story(lambda on: harm.heal(on, "a1", 1, SONG)) == []


@pytest.mark.parametrize(
    ("health", "amount", "told"),
    [
        (1, 1, [("healed", "a1", 1, 2)]),
        (1, 2, [("healed", "a1", 2, 3)]),
        (1, 3, [("healed", "a1", 2, 3)]),
        (3, 1, []),
    ],
)
def test_healing_stops_at_what_one_has_unhurt(
    health: int, amount: int, told: list[tuple[object, ...]]
) -> None:
    battle, results = victims(health_max=3, health=health), []
    story = battle.story(lambda on: results.append(harm.heal(on, "a1", amount, SONG)))
    assert (story, results) == (told, [bool(told)])


def test_what_healing_tells() -> None:
    battle = victims(health_max=3, health=1)
    (healed,) = battle.after(lambda on: harm.heal(on, "a1", 1, SONG))
    assert healed == fx.Healed(combatant="a1", amount=1, health=2, band="hurt", cause="melody")


@pytest.mark.rule("ML-STUN-1")
@pytest.mark.parametrize(
    ("acting", "until", "anew"),
    [(UNSET, UNSET, False), ("unit_b1", UNSET, False), ("unit_a1", "next_activation", True)],
)
def test_a_stun_within_ones_own_activation_outlasts_it(acting: str, until: str, anew: bool) -> None:
    """E79."""
    battle = Skirmish(
        warrior("a1", 20_000, 10_000, conditions=("on_guard",)),
        warrior("b1", 40_000, 10_000),
        acting=acting,
    )
    assert battle.after(lambda on: harm.stun(on, "a1", SONG)) == (
        own.ConditionGained(
            rule="ML-STUN-1", combatant="a1", condition="stunned", cause="melody", until=until
        ),
        own.ConditionLost(
            rule="ML-GUARD-8", combatant="a1", condition="on_guard", cause="suffered"
        ),
    )
    assert existing(battle.rule, "a1").stunned_anew == anew


@pytest.mark.rule("ML-GUARD-8")
def test_a_daze_ends_a_guard() -> None:
    battle = victims(conditions=("on_guard",))
    assert battle.story(lambda on: harm.daze(on, "a1", SONG)) == [
        ("condition_gained", "a1", "dazed"),
        ("condition_lost", "a1", "on_guard", "suffered"),
    ]


@pytest.mark.parametrize("state", ["out", "fled"])
def test_of_who_is_off_the_table_nothing_else_holds(state: Literal["out", "fled"]) -> None:
    battle = victims(
        conditions=("masked", "stunned", "hoarse", "fleeting", "exposed"),
        stunned_anew=True,
        hoarse_until=3,
    )
    before = existing(battle.rule, "a1")
    felled = own.Felled(combatant="a1", state=state)
    battle.after(lambda on: on.effects.emit(felled))
    assert existing(battle.rule, "a1") == replace(
        before, conditions=(state,), band="down", stunned_anew=False, hoarse_until=0
    )
