"""Everything the rulebook says in words, in both languages; plain data."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule, Term
from service.rulesets.melody_d6.catalogue.geometry import GEOMETRY
from service.rulesets.melody_d6.catalogue.guard import GUARD
from service.rulesets.melody_d6.catalogue.harm import HARM
from service.rulesets.melody_d6.catalogue.masking import MASKING
from service.rulesets.melody_d6.catalogue.melodies import MELODIES
from service.rulesets.melody_d6.catalogue.messages import MESSAGES
from service.rulesets.melody_d6.catalogue.sentences import SENTENCES
from service.rulesets.melody_d6.catalogue.setup_terms import SETUP_TERMS
from service.rulesets.melody_d6.catalogue.songs import SONGS
from service.rulesets.melody_d6.catalogue.terms import TERMS as RULE_TERMS
from service.rulesets.melody_d6.catalogue.turns import TURNS

RULES: Final[tuple[Rule, ...]] = (
    *GEOMETRY,
    *TURNS,
    *SONGS,
    *MELODIES,
    *MASKING,
    *GUARD,
    *HARM,
)
"""Every rule, in the catalogue's order."""

TERMS: Final[tuple[Term, ...]] = (*RULE_TERMS, *SETUP_TERMS)
"""Every word that is told in both languages."""

__all__ = ["MESSAGES", "RULES", "SENTENCES", "TERMS"]
