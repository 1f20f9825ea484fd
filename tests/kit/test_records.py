"""What every ruleset's record promises, whatever its rules."""

from dataclasses import replace
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec import UNSET

from service.api.openapi.rulesets import edition_of
from service.encounters.creation import ruleset_of
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.catalogue import Rule
from service.rulesets import RULESETS, latest
from tests.kit.request_types import structs_of
from tests.toy.rules import RULESET as TOY


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), TOY], ids=edition_of)
def test_dice_are_asked_for_with_the_effect_that_is_read_again(ruleset: Ruleset[Any]) -> None:
    [effects, _] = get_args(get_type_hints(ruleset.event)["effects"])
    read = [kind for kind in get_args(effects) if kind.__struct_config__.tag == "decision_opened"]
    assert read == [ruleset.opened]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=edition_of)
def test_what_clients_send_is_refused_if_it_has_an_unknown_field(ruleset: Ruleset[Any]) -> None:
    kinds = structs_of(ruleset)
    assert [kind.cls.__name__ for kind in kinds if not kind.forbid_unknown_fields] == []
    assert {"Combatant", "Weapon", "Options", "Seat"} <= {kind.cls.__name__ for kind in kinds}


def test_every_ruleset_is_listed_by_its_own_slug_and_version() -> None:
    assert [(each.slug, each.version) for each in RULESETS.values()] == list(RULESETS)


def test_the_latest_version_of_a_ruleset_is_the_last_one_listed_that_is_not_ahead() -> None:
    listed = {slug: each for (slug, _), each in RULESETS.items() if not each.is_ahead}
    assert {slug: latest(slug) for slug, _ in RULESETS} == listed
    assert latest("zombies-d4") is None


def test_a_version_that_is_ahead_is_had_by_its_number_alone() -> None:
    first, second = RULESETS["tactical-d20", "1"], RULESETS["tactical-d20", "2"]
    ahead = replace(second, is_ahead=True)
    listed = {("tactical-d20", "1"): first, ("tactical-d20", "2"): ahead}
    assert ruleset_of("tactical-d20", UNSET, listed) is first
    assert ruleset_of("tactical-d20", "2", listed) is ahead


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=edition_of)
def test_a_definition_is_published_as_any_rule_is(ruleset: Ruleset[Any]) -> None:
    rules = ruleset.catalogue.rules
    alike = [Rule(id=each.id, en=each.en, ru=each.ru, source=each.source) for each in rules]
    assert msgspec.json.encode(rules) == msgspec.json.encode(alike)
