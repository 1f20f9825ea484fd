"""TD-TOTAL: targets that no attack reaches."""

from typing import Final

from msgspec.structs import replace

from service.rulesets.tactical_d20.rules.cover import overruled
from service.rulesets.tactical_d20.rules.reports import CoverReport
from service.rulesets.tactical_d20.rules.words import CoverGrade

TD_TOTAL_2: Final = "TD-TOTAL-2"


def cover_from_guesses(override: CoverGrade | None) -> CoverReport | None:
    """TD-TOTAL-2: an attack at a cell is none on whoever there has total cover by the game master.

    `override` is the game master's word on his cover from the attacker, None without one. The cover
    that keeps the attack from him; None where he is attacked, as with any lesser word.
    Source: «Существа не могут атаковать цели, находящиеся в полном укрытии».
    """
    if override != "total":
        return None
    report = overruled(override)
    return replace(
        report, sources=tuple(replace(source, rule=TD_TOTAL_2) for source in report.sources)
    )
