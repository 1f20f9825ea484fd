"""Questions that are no actions: who sees whom, whom a template covers, what is in range.

All of them are answered from what the caller may know: whoever is hidden from it is in no answer.
Where a number that the caller may not know would decide, the answer is `unknown`.
"""

from typing import Final

from service.engine.inspection import Inspection
from service.rulesets.melody_d6.inspections.coverage import (
    CoverageQuery,
    TemplateCoverage,
    inspect_coverage,
)
from service.rulesets.melody_d6.inspections.pairs import WarriorQuery
from service.rulesets.melody_d6.inspections.ranges import RangeTable, inspect_ranges
from service.rulesets.melody_d6.inspections.visibility import Visibility, inspect_visibility

INSPECTIONS: Final = (
    Inspection(
        name="visibility",
        says="Whom a warrior sees and who sees it, how far they are apart, and what is between.",
        query=WarriorQuery,
        answer=Visibility,
        inspect=inspect_visibility,
    ),
    Inspection(
        name="coverage",
        says="Whom a template would cover in full and in part if it lay so.",
        query=CoverageQuery,
        answer=TemplateCoverage,
        inspect=inspect_coverage,
    ),
    Inspection(
        name="ranges",
        says="Ranges of a shooter's weapons to all enemies, and their cover against it.",
        query=WarriorQuery,
        answer=RangeTable,
        inspect=inspect_ranges,
    ),
)
