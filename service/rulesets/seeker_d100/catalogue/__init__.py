"""Everything the rulebook says in words, in both languages; plain data."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule
from service.rulesets.seeker_d100.catalogue.actions import ACTIONS
from service.rulesets.seeker_d100.catalogue.answers import ANSWERS
from service.rulesets.seeker_d100.catalogue.harm import HARM
from service.rulesets.seeker_d100.catalogue.messages import MESSAGES
from service.rulesets.seeker_d100.catalogue.order import ORDER
from service.rulesets.seeker_d100.catalogue.sentences import SENTENCES
from service.rulesets.seeker_d100.catalogue.terms import TERMS

RULES: Final[tuple[Rule, ...]] = (*ORDER, *ACTIONS, *ANSWERS, *HARM)
"""Every rule, in the catalogue's order."""

__all__ = ["MESSAGES", "RULES", "SENTENCES", "TERMS"]
