"""What version 2 says in words besides what version 1 says; plain data."""

from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Rule
from service.rulesets.tactical_d20 import RULESET as VERSION_1

ADDED: Final = (
    Rule(
        id="TD-TOTAL-2",
        en="An attack at a cell is none on anybody there who has total cover from the attacker by "
        "the game master's word: the next one in the cell is attacked, and if there is nobody "
        "else it is a miss as at an empty cell.",
        ru="Атака по клетке не касается того, у кого по слову ведущего полное укрытие от "
        "атакующего: атакован следующий, кто в этой клетке, а если больше там никого нет, это "
        "промах, как по пустой клетке.",
        source="«Существа не могут атаковать цели, находящиеся в полном укрытии»",
    ),
)
"""Rules that version 1 does not have; they stand behind TD-TOTAL-1."""

CATALOGUE: Final = with_rules(VERSION_1.catalogue, *ADDED, behind="TD-TOTAL-1")
"""The whole catalogue of version 2."""
