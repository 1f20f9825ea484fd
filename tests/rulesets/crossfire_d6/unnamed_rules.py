"""The rules that no worked example can name, and why: what they say, other rules' lines show."""

from collections.abc import Mapping
from typing import Final

UNNAMED: Final[Mapping[str, str]] = {
    "CF-GEN-1": "definition: what an amount is; every line has one, and `pool` is base and amounts",
    "CF-GEN-2": "definition: the names of the chapter's mechanics, which decide nothing",
    "CF-RANGE-3": "definition: what a distance is; attacks tell it as `distance_ft`",
    "CF-COVER-1": "definition: an open position has no line; CF-COVER-2 is the line of the others",
    "CF-COVER-3": "definition: the sum of two lines, CF-COVER-2 and CF-PIN-1",
    "CF-POS-1": "definition: the three positions; attacks tell theirs as `position`",
    "CF-POS-3": "definition: of `open`, which attacks tell as `position`",
    "CF-POS-4": "definition: of `in_cover`, which attacks tell as `position`",
    "CF-POS-8": "definition: going back is a change of posture, CF-POS-2, at the cost of CF-SD-1",
    "CF-PIN-3": "definition: how displacement is measured; CF-PIN-1 and CF-PIN-2 say what it does",
    "CF-XFIRE-1": "definition: of crossfire; the line of CF-XFIRE-2 names those who take part",
    "CF-FLANK-2": "definition: of opposite; the line of CF-FLANK-1 names the partner",
    "CF-FACE-1": "definition: the eight directions; `facing` is one of them",
    "CF-GEO-1": "definition: how points are measured",
    "CF-GEO-2": "definition: when a segment crosses a cell",
    "CF-GEO-4": "definition: when a corner is pinched; CF-GEO-3 and CF-POS-5 refuse for it",
    "CF-GEO-5": "order: how the position is worked out, line by line; the line used is told",
    "CF-GEO-6": "definition: when a segment passes opposite sides, for CF-FLANK-2",
}
"""Rule id -> reason."""
