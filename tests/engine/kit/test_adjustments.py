"""What the game master's changes have in common: the remark, secrecy, places and numbers."""

from typing import Any

import pytest
from msgspec import UNSET

from service.engine.battle.fold import EffectBuilder
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_stat
from service.engine.kit.bounds import NumberBounds
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Malformed
from tests.engine.kit.battle import battle, effects_on, somebody, state_of

ANN = somebody("ann")
LURKER = somebody("lurker", "blue", hidden=True)
RULE = battle(ANN, LURKER)
TO_ANN = alter.SetHp(combatant="ann", value=3)
TO_LURKER = alter.SetHp(combatant="lurker", value=3)


@pytest.mark.parametrize(
    ("stated", "is_secret"),
    [((TO_ANN,), False), ((TO_ANN, TO_LURKER), False), ((TO_LURKER, TO_LURKER), True)],
)
def test_overruling_is_secret_only_if_everyone_may_know_of_no_change(
    stated: tuple[alter.SetHp, ...], is_secret: bool
) -> None:
    effects = effects_on(RULE)
    changes = list(overrule(effects, stated, "Because."))
    assert effects.emitted == (fx.Adjusted(reason="Because.", secret=is_secret),)
    assert changes == [(each, f"$.changes[{at}]") for at, each in enumerate(stated)]


def test_overruling_needs_no_reason() -> None:
    effects = effects_on(RULE)
    assert next(overrule(effects, (TO_ANN,), UNSET)) == (TO_ANN, "$.changes[0]")
    assert effects.emitted == (fx.Adjusted(secret=False),)


def test_whoever_is_put_down_stands_there() -> None:
    effects = effects_on(RULE)
    put_down(effects, alter.SetPlace(combatant="ann", place=Place(x=4, y=2)), ANN)
    assert effects.emitted == (
        fx.Moved(combatant="ann", manner="placed", start=ANN.place, end=Place(x=4, y=2)),
    )
    assert effects.rule.combatants[0].place == Place(x=4, y=2)


def test_whoever_is_hidden_is_known_to_his_side_alone() -> None:
    effects = effects_on(RULE)
    set_hidden(effects, alter.HideCombatant(combatant="ann"), fx.Revealed)
    assert effects.emitted == (fx.Hidden(combatant="ann"),)
    assert [each.hidden for each in effects.rule.combatants] == [True, True]


def test_whoever_is_revealed_is_shown_with_his_whole_sheet() -> None:
    effects = effects_on(RULE)
    set_hidden(effects, alter.RevealCombatant(combatant="lurker"), fx.Revealed)
    shown = somebody("lurker", "blue")
    assert effects.emitted == (fx.Revealed(combatant=shown, cause="gm"),)
    assert effects.rule.combatants == (ANN, shown)


def stat(value: int) -> Any:
    return alter.SetStat(combatant="ann", stat="speed_ft", value=value)


@pytest.mark.parametrize("value", [0, 200])
def test_a_number_of_the_sheet_is_set_within_its_bounds(value: int) -> None:
    effects = EffectBuilder(state_of(RULE), lambda rule, effect: rule)
    set_stat(effects, stat(value), NumberBounds(0, 200), "$.changes[2]")
    assert effects.emitted == (
        fx.StatChanged(combatant="ann", stat="speed_ft", now=value, cause="gm"),
    )


@pytest.mark.parametrize("value", [-1, 201])
def test_a_number_beyond_its_bounds_changes_nothing(value: int) -> None:
    effects = EffectBuilder(state_of(RULE), lambda rule, effect: rule)
    with pytest.raises(Malformed) as caught:
        set_stat(effects, stat(value), NumberBounds(0, 200), "$.changes[2]")
    assert caught.value.params == {"path": "$.changes[2].value", "allowed": "0 to 200"}
    assert effects.emitted == ()
