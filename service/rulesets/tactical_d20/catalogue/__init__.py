"""Everything the rulebook says in words, in both languages; plain data."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule
from service.rulesets.tactical_d20.catalogue.cover import COVER
from service.rulesets.tactical_d20.catalogue.geometry import GEOMETRY_AND_DEFAULTS
from service.rulesets.tactical_d20.catalogue.messages import MESSAGES
from service.rulesets.tactical_d20.catalogue.sentences import SENTENCES
from service.rulesets.tactical_d20.catalogue.terms import TERMS
from service.rulesets.tactical_d20.catalogue.visibility import FLANKING_AND_VISIBILITY

RULES: Final[tuple[Rule, ...]] = (*FLANKING_AND_VISIBILITY, *COVER, *GEOMETRY_AND_DEFAULTS)
"""Every rule, in the catalogue's order."""

__all__ = ["MESSAGES", "RULES", "SENTENCES", "TERMS"]
