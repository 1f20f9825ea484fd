"""The rulebooks; pure and independent of one another. Here they are all listed."""

from collections.abc import Mapping
from typing import Any, Final

from service.engine.ruleset import Ruleset
from service.rulesets import crossfire_d6, melody_d6, seeker_d100, squad_d100, tactical_d20

RULESETS: Final[Mapping[tuple[str, str], Ruleset[Any]]] = {
    (crossfire_d6.RULESET.slug, crossfire_d6.RULESET.version): crossfire_d6.RULESET,
    (melody_d6.RULESET.slug, melody_d6.RULESET.version): melody_d6.RULESET,
    (seeker_d100.RULESET.slug, seeker_d100.RULESET.version): seeker_d100.RULESET,
    (squad_d100.RULESET.slug, squad_d100.RULESET.version): squad_d100.RULESET,
    (tactical_d20.RULESET.slug, tactical_d20.RULESET.version): tactical_d20.RULESET,
}
"""Every ruleset of this build by slug and version, each slug's versions in order of release."""


def latest(slug: str) -> Ruleset[Any] | None:
    """The newest version of a ruleset, None if there is no such ruleset."""
    versions = [ruleset for (name, _), ruleset in RULESETS.items() if name == slug]
    return versions[-1] if versions else None
