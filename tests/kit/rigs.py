"""The rigs of all registered rulesets, found where each has its tests."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from service.engine.battle.turn import turn_of_combatant
from service.engine.ruleset.definition import Ruleset
from service.rulesets import RULESETS
from tests.kit.rig import Rig


def home_of(ruleset: Ruleset[Any]) -> str:
    """The module in which the rig of a ruleset must be."""
    version = "" if ruleset.version == "1" else f".v{ruleset.version}"
    return f"tests.rulesets.{ruleset.slug.replace('-', '_')}{version}.rig"


def lacks(ruleset: Ruleset[Any]) -> str | None:
    """What is wrong if a ruleset has no rig, in one sentence."""
    home = home_of(ruleset)
    try:
        is_there = find_spec(home) is not None and hasattr(import_module(home), "RIG")
    except ModuleNotFoundError as error:
        if error.name is None or not home.startswith(error.name):
            raise
        is_there = False
    if is_there:
        return None
    path = home.replace(".", "/")
    return f"{ruleset.slug} {ruleset.version} has no rig: {path}.py must define RIG."


EVERY_RIG: Final[tuple[Rig, ...]] = tuple(
    import_module(home_of(ruleset)).RIG for ruleset in RULESETS.values() if lacks(ruleset) is None
)
"""Those of all versions. A ruleset without a rig is in none of the suites; `test_rigs.py` fails for
it. Over all versions run the suites that say what a version decides: worked examples, odds, what is
catalogued, frozen bytes and bundles.
"""

RIGS: Final[tuple[Rig, ...]] = tuple({rig.ruleset.slug: rig for rig in EVERY_RIG}.values())
"""Those of the newest versions, which alone get new battles unless asked otherwise. Over them run
all suites: what is shown, offered and refused is decided by modules that versions share.
"""

OF_COMBATANTS: Final = tuple(rig for rig in RIGS if rig.ruleset.turn is turn_of_combatant)
"""Those in which combatants have the turn one by one: what some suites do follows these turns."""


def rig_of(slug: str) -> Rig:
    """The rig of a ruleset's latest version."""
    return next(rig for rig in RIGS if rig.ruleset.slug == slug)


def rig_named(name: str) -> Rig:
    """The rig of a version by its name."""
    return next(rig for rig in EVERY_RIG if rig.name == name)
