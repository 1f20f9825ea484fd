"""Combatants by their ids: who is there, and what an effect does to one of them."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import change_combatant, combatant_of, existing, require_combatant
from service.engine.battle.state import Combatant, UnknownEffect
from service.engine.vocabulary import effects as fx
from service.errors import Refused
from tests.engine.kit.battle import battle, somebody

ANN, BEN = somebody("ann"), somebody("ben", "blue")
RULE = battle(ANN, BEN)


def test_whoever_is_there_is_found_by_its_id() -> None:
    for find in (combatant_of, existing, require_combatant):
        assert [find(RULE, name) for name in ("ann", "ben", "ann")] == [ANN, BEN, ANN]


@pytest.mark.parametrize("name", ["cal", "Ann", ""])
def test_whoever_is_not_there_is_none_a_mistake_or_refused(name: str) -> None:
    assert combatant_of(RULE, name) is None
    with pytest.raises(KeyError):
        existing(RULE, name)
    with pytest.raises(Refused) as caught:
        require_combatant(RULE, name)
    assert (caught.value.code, caught.value.params) == ("unknown_combatant", {"combatant": name})


def heal(combatant: Combatant, effect: fx.ResourceChanged) -> Combatant:
    return replace(combatant, health=effect.now)


def test_an_effect_changes_the_combatant_it_names_alone() -> None:
    effect = fx.ResourceChanged(combatant="ben", resource="health", now=2)
    assert change_combatant(RULE, effect, heal).combatants == (ANN, replace(BEN, health=2))


@pytest.mark.parametrize(
    ("combatant", "says"), [(UNSET, "ResourceChanged of nobody"), ("cal", "no combatant cal")]
)
def test_an_effect_on_nobody_who_is_there_cannot_be_applied(combatant: Any, says: str) -> None:
    effect = fx.ResourceChanged(combatant=combatant, resource="health", now=2)
    with pytest.raises(UnknownEffect, match=says):
        change_combatant(RULE, effect, heal)
