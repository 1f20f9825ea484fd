"""The rules that no worked example can name, and why: what they say, other rules' lines show."""

from collections.abc import Mapping
from typing import Final

UNNAMED: Final[Mapping[str, str]] = {
    "SQ-MAP-1": "definition: which glyph is what; told as the terrain and the units of a map",
    "SQ-MAP-3": "definition: what stops what; SQ-LOS-3 and SQ-MOVE-5 refuse",
    "SQ-MAP-5": "definition: what a unit glyph makes; told as the combatants who are added",
    "SQ-LOS-1": "definition: which cells a line crosses; SQ-LOS-3 refuses",
    "SQ-LOS-2": "definition: when a corner stops a line; SQ-LOS-3 refuses",
    "SQ-LOS-4": "definition: who sees what; told as the test of SQ-VIG-3 and by inspections",
    "SQ-DIST-1": "definition: how distances are counted; attacks tell theirs",
    "SQ-RANGE-1": "definition: which distance is which band; SQ-RANGE-2 to 4 are the lines",
    "SQ-RANGE-5": "definition: there is no line of another band, and no refusal of a distance",
    "SQ-EXP-3": "order: of explosions, first in, first out, row by row",
    "SQ-VIG-2": "definition: which step calls for a test; told as the test of SQ-VIG-3",
    "SQ-VIG-5": "order: who goes down at a step goes no further; told as the end of the turn",
}
"""Rule id -> reason."""
