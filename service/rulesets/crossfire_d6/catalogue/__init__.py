"""Everything the rulebook says in words, in both languages; plain data."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule
from service.rulesets.crossfire_d6.catalogue.geometry import GEOMETRY_AND_DEFAULTS
from service.rulesets.crossfire_d6.catalogue.messages import MESSAGES
from service.rulesets.crossfire_d6.catalogue.modifiers import MODIFIERS
from service.rulesets.crossfire_d6.catalogue.positions import POSITIONS
from service.rulesets.crossfire_d6.catalogue.sentences import SENTENCES
from service.rulesets.crossfire_d6.catalogue.terms import TERMS

RULES: Final[tuple[Rule, ...]] = (*POSITIONS, *MODIFIERS, *GEOMETRY_AND_DEFAULTS)
"""Every rule, in the catalogue's order."""

__all__ = ["MESSAGES", "RULES", "SENTENCES", "TERMS"]
