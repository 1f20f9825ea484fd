"""What `/docs/effects` says of scenes is what happens in them, in every rulebook and for all."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, get_args

import pytest
from msgspec import ValidationError

from service.api.docs.scene_effects import EVERY, SCENE_EFFECTS, SceneEffect
from service.api.openapi.rulesets import effect_of
from service.errors import Refused
from service.rulesets import RULESETS
from tests.kit.random_battles import BY_PLAYER, Overruled, ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.scene_changes import (
    UNCHANGED,
    Difference,
    Seen,
    seen_alone,
    seen_in,
    seen_of_anybody,
    seen_on_the_way,
    words_for_out,
)
from tests.kit.seat_changes import SeatChanges
from tests.kit.table import Table, seated
from tests.soak import with_soak

BATTLES: Final = 2
EVENTS: Final = 40
STEP: Final = 20
"""Events between two states in which anything is tried on anybody."""

FOLLOWED: Final = frozenset({"combatants", "areas", "shapes", "combatants[].x", "combatants[].y"})
"""What the bounds of a map without its own depend on."""

MARKED: Final = re.compile("`[^`]+`")

Parts = tuple[set[str], set[str], set[str]]
"""What appears, changes and goes."""

DECLARED: Final = {each.effect: each for each in SCENE_EFFECTS}


def test_every_effect_of_every_rulebook_is_told_once() -> None:
    tags = [
        kind.__struct_config__.tag
        for ruleset in RULESETS.values()
        for kind in get_args(effect_of(ruleset))
    ]
    assert sorted(each.effect for each in SCENE_EFFECTS) == sorted(set(tags))


def test_both_languages_say_something_of_what_changes() -> None:
    for each in SCENE_EFFECTS:
        assert bool(each.en) == bool(each.ru)
        assert each.en or not (each.is_whole or each.appears or each.changes or each.goes)
        assert {*MARKED.findall(each.en)} == {*MARKED.findall(each.ru)}


def battle(rig: Rig, number: int) -> Table:
    """A battle in which seats come and go and the game master overrules."""
    setup = rig.battles.setup(number, with_secrets=True)
    table = seated(rig.ruleset, setup, dice="supplied" if number % 2 else "sealed")
    deed = Overruled(rig.battles, number, SeatChanges(number, chance=0.5))
    play(table, number, EVENTS, by=BY_PLAYER, deed=deed)
    return table


def opened(rig: Rig, how: Mapping[str, str], *later: str) -> Table:
    """A battle with hidden combatants that ended, and what was opened with that and later."""
    table = seated(rig.ruleset, rig.brawl.setup)
    ask(table, {"type": "start_encounter"})
    ask(table, {"type": "end_encounter", **how})
    for each in later:
        ask(table, {"type": "reveal", "open": each})
    return table


def overruled(rig: Rig) -> Table:
    """A battle in which the game master says of somebody all that means being out of it.

    A seat then takes over a side of which somebody is hidden.
    """
    table = seated(rig.ruleset, rig.brawl.setup)
    ask(table, {"type": "start_encounter"})
    for condition in words_for_out(rig.ruleset):
        for holds in (True, False):
            change = {"type": "condition", "condition": condition, "combatant": "b1"}
            with suppress(Refused, ValidationError):
                ask(table, {"type": "adjust", "changes": [{**change, "holds": holds}]})
    ask(table, {"type": "assign_control", "seat": "ann", "sides": ["red", "blue"]})
    return table


def seen(rig: Rig) -> Iterator[Seen]:
    """All that is seen to change in battles of a ruleset."""
    golden = rig.golden[f"{rig.name}-sealed"].play()
    yield from seen_in(golden, ("gm", *(seat.id for seat in golden.state.linear.seats)))
    yield from seen_of_anybody(golden, STEP)
    yield from seen_on_the_way(golden)
    yield from seen_alone(rig)
    yield from seen_in(overruled(rig))
    yield from seen_in(opened(rig, {"reveal": "now", "open": "sides"}, "all"))
    yield from seen_in(opened(rig, {"reveal": "now"}, "sides"))
    yield from seen_in(opened(rig, {"reveal": "later"}, "sides"))
    for number in range(BATTLES):
        yield from seen_in(battle(rig, number))


@pytest.mark.parametrize("rig", with_soak(RIGS[3:4], [*RIGS[:3], *RIGS[4:]]), ids=repr)
def test_effects_change_all_of_a_scene_that_is_declared_and_nothing_else(rig: Rig) -> None:
    changed: dict[str, Parts] = defaultdict(lambda: (set(), set(), set()))
    for each in seen(rig):
        assert each.is_told or each.difference == UNCHANGED, "who is not told sees no change"
        parts = changed[each.kind]
        for known, more in zip(parts, without_bounds(each), strict=True):
            known.update(more)
    tags = {str(kind.__struct_config__.tag) for kind in get_args(effect_of(rig.ruleset))}
    whole = {each.effect for each in SCENE_EFFECTS if each.is_whole} & tags
    assert {effect for effect in whole if any(changed.pop(effect))} == whole
    declared = {
        each.effect: declared_in(rig.ruleset.slug, each)
        for each in SCENE_EFFECTS
        if each.effect in tags - whole
    }
    assert {effect: parts for effect, parts in changed.items() if any(parts)} == {
        effect: parts for effect, parts in declared.items() if any(parts)
    }


def without_bounds(each: Seen) -> Difference:
    """What changed, without bounds that follow something else that changed."""
    difference = each.difference
    declared = DECLARED[each.kind]
    if declared.is_whole or "bounds" in declared.changes or "bounds" not in difference.changes:
        return difference
    assert FOLLOWED & (difference.appears | difference.changes | difference.goes)
    return difference._replace(changes=difference.changes - {"bounds"})


def declared_in(slug: str, effect: SceneEffect) -> Parts:
    """The parts that appear, change and go in a rulebook."""
    appears, changes, goes = (
        {part for part, slugs in parts.items() if slug in slugs or slugs == EVERY}
        for parts in (effect.appears, effect.changes, effect.goes)
    )
    return appears, changes, goes
