"""What every effect of a ruleset does to a battle: one by one, on a state with some of all."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from service.engine.battle.state import RuleState, UnknownEffect
from service.engine.vocabulary import effects as fx
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS


def named(rig: Rig, effect: fx.Effect) -> str:
    """The id of a test about an effect."""
    return f"{rig}-{type(effect).__name__}"


CHANGES = [
    pytest.param(rig, effect, changes, id=named(rig, effect))
    for rig in RIGS
    for effect, changes in rig.reducer.changes
]
UNKNOWN = [
    pytest.param(rig, effect, why, id=f"{named(rig, effect)}-{why}")
    for rig in RIGS
    for effect, why in rig.reducer.unknown
]
CREATED = [
    pytest.param(rig, created, state, id=str(rig))
    for rig in RIGS
    for created, state in rig.reducer.created
]


@pytest.mark.parametrize(("rig", "effect", "changes"), CHANGES)
def test_an_effect_changes_this_of_the_state_and_nothing_else(
    rig: Rig, effect: fx.Effect, changes: Mapping[str, Any]
) -> None:
    rule = rig.reducer.rule
    assert rig.ruleset.evolve(rule, effect) == replace(rule, **changes)


@pytest.mark.parametrize(("rig", "effect", "why"), UNKNOWN)
def test_what_this_build_cannot_apply_is_not_passed_over(
    rig: Rig, effect: fx.Effect, why: str
) -> None:
    with pytest.raises(UnknownEffect, match=f"^{why}$"):
        rig.ruleset.evolve(rig.reducer.rule, effect)


@pytest.mark.parametrize(("rig", "created", "state"), CREATED)
def test_event_one_fills_a_blank_state_of_its_terms(
    rig: Rig, created: fx.EncounterCreated, state: RuleState
) -> None:
    assert rig.ruleset.initial(created) == state


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_the_options_of_another_ruleset_begin_no_state(rig: Rig) -> None:
    with pytest.raises(UnknownEffect, match="TableOptions"):
        rig.ruleset.initial(rig.reducer.unfit)
