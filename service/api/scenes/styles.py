"""How pictures look: the style sheet, and the hatches and strokes of kinds of ground."""

from collections.abc import Mapping
from typing import Final

ATTACK: Final = "attack"
"""The kind of a line that is an attack, and how it is drawn."""

WAY: Final = "path"
"""The kind of a line that is a leg of somebody's way."""

STYLE: Final = """
svg{--ink:#1b1b1b;--paper:#fff;--faint:#c9c9c9;--ground:#8a8a8a;--alarm:#b3261e}
@media (prefers-color-scheme:dark){
svg{--ink:#ececec;--paper:#17181a;--faint:#3c3f44;--ground:#8f949c;--alarm:#ff8a80}}
text{fill:var(--ink);font:14px sans-serif}
.paper{fill:var(--paper)}.grid{stroke:var(--faint);stroke-width:1}
.ink{stroke:var(--ink);fill:none}.ground{stroke:var(--ground);fill:none}
.solid{fill:var(--ink)}.side{stroke:var(--ink);stroke-width:2;fill:var(--paper)}
.frame{stroke:var(--faint);stroke-width:1;fill:none}
.out{opacity:.45}.hidden{stroke-dasharray:4 3}.turn{stroke-width:4}
.attack{stroke:var(--alarm);stroke-width:3;fill:none}.head{fill:var(--alarm)}.area{stroke:var(--alarm);
stroke-width:2;stroke-dasharray:8 4;fill:none}.wall{stroke:var(--ink);stroke-width:6}
.low{stroke:var(--ink);stroke-width:6;stroke-dasharray:10 5}.pane{stroke:var(--ink);stroke-width:2}
.veil{stroke:var(--ground);stroke-width:8;stroke-dasharray:2 4}
.trace{stroke:var(--ink);fill:none}
.dotted{stroke-width:5;stroke-linecap:round;stroke-dasharray:0 10}
.base{stroke:var(--ink);fill:var(--paper);fill-opacity:.6}
.edge{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:6 3}
.high{stroke-width:4;stroke-dasharray:none}
.lying{stroke:var(--ink);stroke-width:2;stroke-dasharray:2 5;stroke-linecap:round;fill:none}
.way{stroke-width:2;stroke-dasharray:6 6}
.space{stroke:var(--ink);stroke-dasharray:1 3;fill:none}
.label{text-anchor:middle;font-size:12px;paint-order:stroke;stroke:var(--paper);stroke-width:4px;
stroke-linejoin:round}
"""

HATCHES: Final[Mapping[str, str]] = {
    "cover": "M0 10L10 0",
    "smoke": "M2 5h2M7 9h2M7 1h2",
    "opaque": "M0 5q2.5 -5 5 0t5 0",
    "dim": "M0 0L10 10",
    "dark": "M0 0L10 10M0 10L10 0",
    "height": "M0 5h10",
    "fire": "M0 9L5 1L10 9",
    "fuel": "M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
    "explosive_cargo": "M2 2l6 6M8 2l-6 6",
    "weapons_ammo": "M5 1v8M1 5h8",
    "reserved": "M4 5h2",
    "door": "M0 2h10M0 8h10",
    "open_door": "M0 2h3M7 2h3M0 8h3M7 8h3",
    "shootable_obstacle": "M3 0v10M7 0v10",
    "solid_obstacle": "M0 0L10 10M10 0L0 10M5 0v10",
    "building": "M0 0L10 10M10 0L0 10",
    "column": "M0 2h10M0 7h10M2 0v10M7 0v10",
    "low_wall": "M0 5h10M5 0v5",
    "rock": "M1 7L5 3L9 7",
    "debris": "M1 2l3 3M9 6l-3 3M7 1h2",
}
"""How kinds of ground are hatched; any other kind is hatched upright."""

STROKES: Final[Mapping[str, str]] = {
    "solid": "wall",
    "glass": "pane",
    "smoke": "veil",
    "opaque": "veil",
}
"""How ground is drawn that is a line; any other kind is broken."""

WHOLE: Final[Mapping[str, str]] = {
    "solid": "solid",
    "wall": "solid",
    "attack_cell": "area",
}
"""How whole cells are drawn that are not hatched."""

TRACES: Final[Mapping[str, str]] = {"concealment": "trace dotted", WAY: "trace way"}
"""How lines that decided an attack are drawn; any other kind is thin."""
AREAS: Final[Mapping[str, str]] = {"melody": "lying"}
"""How areas are drawn that lie on the ground; any other kind is one of the last event."""

UPRIGHT: Final = "M5 0v10"
