"""Every registered ruleset gives the suites of this folder its rig."""

from dataclasses import replace
from typing import Any

import pytest

from service.api.openapi.rulesets import edition_of
from service.engine.ruleset.definition import Ruleset
from service.rulesets import RULESETS
from tests.kit.rigs import EVERY_RIG, lacks


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=edition_of)
def test_a_registered_ruleset_has_a_rig(ruleset: Ruleset[Any]) -> None:
    if (fault := lacks(ruleset)) is not None:
        pytest.fail(fault, pytrace=False)
    assert [rig.ruleset for rig in EVERY_RIG].count(ruleset) == 1


@pytest.mark.parametrize(
    ("slug", "version", "home"),
    [
        ("zombies-d4", "1", "tests/rulesets/zombies_d4/rig.py"),
        ("crossfire-d6", "9", "tests/rulesets/crossfire_d6/v9/rig.py"),
    ],
)
def test_a_ruleset_without_a_rig_is_told_where_it_must_be(
    slug: str, version: str, home: str
) -> None:
    stranger = replace(RULESETS["crossfire-d6", "1"], slug=slug, version=version)
    assert lacks(stranger) == f"{slug} {version} has no rig: {home} must define RIG."
