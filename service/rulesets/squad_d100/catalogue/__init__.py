"""Everything the rulebook says in words, in both languages; plain data."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule
from service.rulesets.squad_d100.catalogue.ground import GROUND
from service.rulesets.squad_d100.catalogue.harm import HARM
from service.rulesets.squad_d100.catalogue.messages import MESSAGES
from service.rulesets.squad_d100.catalogue.movement import MOVEMENT
from service.rulesets.squad_d100.catalogue.sentences import SENTENCES
from service.rulesets.squad_d100.catalogue.shots import SHOTS
from service.rulesets.squad_d100.catalogue.terms import TERMS

RULES: Final[tuple[Rule, ...]] = (*GROUND, *MOVEMENT, *SHOTS, *HARM)
"""Every rule, in the catalogue's order."""

__all__ = ["MESSAGES", "RULES", "SENTENCES", "TERMS"]
