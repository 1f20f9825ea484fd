"""Which rule sets the amount of a line of cover whose own rule says only why there is cover."""

from collections.abc import Mapping
from typing import Final

from service.rulesets.tactical_d20.rules.cover import TD_COVER_8
from service.rulesets.tactical_d20.rules.cover_grades import bonus_of, rule_of
from service.rulesets.tactical_d20.rules.low_obstacles import TD_LOW_1
from service.rulesets.tactical_d20.rules.words import FeatureGrade

_GRADELESS: Final = (TD_LOW_1, TD_COVER_8)
"""Rules by which cover of any grade counts: a low obstacle, the game master's word."""

_GRADES: Final[tuple[FeatureGrade, ...]] = ("partial", "normal", "improved")
_BY_AC: Final = {bonus_of(grade).ac: rule_of(grade) for grade in _GRADES}
_BY_REFLEX: Final = {bonus_of(grade).reflex: rule_of(grade) for grade in _GRADES}


def amount_rules(line: Mapping[str, object], path: str) -> tuple[str, ...]:
    """The rule of the grade of cover that makes a line of armour class or Reflex what it is.

    None of a line that already names a rule of a grade, or that counts for nothing.
    """
    amount, rules = line.get("amount"), line.get("rules")
    if line.get("rule") not in _GRADELESS or not isinstance(amount, int) or rules:
        return ()
    grade = (_BY_REFLEX if path.startswith("victims") else _BY_AC).get(amount)
    return () if grade is None else (grade,)
