"""What version 2 says in words otherwise than version 1, or besides; plain data."""

from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Rule
from service.rulesets.seeker_d100 import RULESET as VERSION_1

CHANGED: Final = (
    Rule(
        id="SK-DODGE-1",
        en="A dodge of a melee attack is an opposed check against the attack roll; winning avoids "
        "damage, disarming and grappling.",
        ru="Уклонение от атаки ближнего боя — встречная проверка против броска атаки; победа "
        "избавляет от урона, обезоруживания и захвата.",
        source='«Это встречная проверка навыка "Уклонения" … против "Атаки"»',
    ),
)
"""Rules of version 1 that say something else here, each in its old place."""

ADDED: Final = (
    Rule(
        id="SK-DODGE-4",
        en="A thrown weapon or an arrow is avoided by a plain check of dodge: a success is enough, "
        "however good the attack roll was.",
        ru="От метательного оружия и стрел уклоняются простой проверкой Уклонения: достаточно "
        "успеха, каким бы хорошим ни был бросок атаки.",
        source="«Обычный бросок на Уклонение позволяет избежать стрелы или брошенного оружия»",
    ),
)
"""Rules that version 1 does not have; they stand behind SK-DODGE-3."""

CATALOGUE: Final = with_rules(VERSION_1.catalogue, *CHANGED, *ADDED, behind="SK-DODGE-3")
"""The whole catalogue of version 2."""
