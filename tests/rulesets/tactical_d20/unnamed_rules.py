"""The rules that no worked example can name, and why: what they say, other rules' lines show."""

from collections.abc import Mapping
from typing import Final

UNNAMED: Final[Mapping[str, str]] = {
    "TD-FLANK-2": "definition: who counts; the report of TD-FLANK-1 names the partner",
    "TD-FLANK-3": "definition: who does not count; there is no line of TD-FLANK-1 then",
    "TD-FLANK-4": "definition: when two stand opposite; told as the partner of TD-FLANK-1",
    "TD-FLANK-5": "definition: whose cells count; told as the partner of TD-FLANK-1",
    "TD-CONC-1": "definition: what concealment is; reports tell its per cent",
    "TD-CONC-9": "definition: which senses pass over TD-CONC-8; there is no source of it then",
    "TD-COVER-4": "definition: that creatures cover, too; TD-SOFT-1 is the line",
    "TD-COVER-9": "definition: where lines of an area begin; the report's corner is the origin",
    "TD-LOW-2": "definition: how near a low obstacle must be; there is no line of TD-LOW-1 else",
    "TD-LOW-3": "definition: who shoots over a low obstacle; there is no line of TD-LOW-1 then",
    "TD-SOFT-2": "definition: what living cover is not; told as `can_hide` and by no Reflex",
    "TD-GEO-1": "definition: how points are measured",
    "TD-GEO-3": "definition: of control; told by who flanks and who is asked",
    "TD-GEO-4": "definition: when a line meets ground; reports tell what each line meets",
    "TD-GEO-5": "definition: of a pinch; reports tell what each line meets",
    "TD-GEO-6": "definition: of both lines; TD-TOTAL-1 and TD-UNSEEN-1 refuse",
    "TD-GEO-7": "definition: of opposite sides, for TD-FLANK-4",
}
"""Rule id -> reason."""
