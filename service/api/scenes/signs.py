"""The signs of a picture as the data of SVG paths, in whole pixels."""

from collections.abc import Mapping
from math import hypot
from typing import Final

from service.engine.scene import SceneCombatant

_NOSES: Final[Mapping[str, tuple[int, int]]] = {
    "N": (0, -10),
    "NE": (7, -7),
    "E": (10, 0),
    "SE": (7, 7),
    "S": (0, 10),
    "SW": (-7, 7),
    "W": (-10, 0),
    "NW": (-7, -7),
}
"""Compass directions in tenths of a length."""


def arrow_head(x: int, y: int, to_x: int, to_y: int, room: int) -> str:
    """The head of an arrow from (x, y), whose tip keeps `room` to its end; nothing if too short."""
    length = hypot(to_x - x, to_y - y)
    if length <= room:
        return ""
    east, south = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - east * room, to_y - south * room
    back_x, back_y = tip_x - east * 12, tip_y - south * 12
    corners = (
        (tip_x, tip_y),
        (back_x - south * 6, back_y + east * 6),
        (back_x + south * 6, back_y - east * 6),
    )
    return "M" + "L".join(f"{round(at_x)} {round(at_y)}" for at_x, at_y in corners) + "z"


def form(name: str, x: int, y: int, radius: int) -> str:
    """The outline of a sign around (x, y), as the data of an SVG path."""
    r, half = radius, radius // 2
    match name:
        case "circle":
            return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
        case "square":
            return f"M{x - r} {y - r}h{2 * r}v{2 * r}h{-2 * r}z"
        case "diamond":
            return f"M{x} {y - r}L{x + r} {y}L{x} {y + r}L{x - r} {y}z"
        case "triangle":
            return f"M{x} {y - r}L{x + r} {y + r}H{x - r}z"
        case _:
            return (
                f"M{x - half} {y - r}h{2 * half}L{x + r} {y}L{x + half} {y + r}h{-2 * half}L{x - r}"
                f" {y}z"
            )


def nose(combatant: SceneCombatant, x: int, y: int, radius: int) -> str:
    """A stroke outwards, where the combatant looks."""
    facing = combatant.facing if isinstance(combatant.facing, str) else ""
    if facing not in _NOSES:
        return ""
    dx, dy = _NOSES[facing]
    reach = max(radius // 3, 2) + radius
    start = f"{x + dx * radius // 10} {y + dy * radius // 10}"
    return f"M{start}L{x + dx * reach // 10} {y + dy * reach // 10}"


def marks_of(combatant: SceneCombatant, x: int, y: int, radius: int) -> str:
    """One stroke for `hurt`, two for `badly_hurt`, a cross for down or out of the battle."""
    half = max(radius // 2, 2)
    if combatant.is_out or combatant.band == "down":
        return f"M{x - half} {y - half}l{2 * half} {2 * half}m0 {-2 * half}l{-2 * half} {2 * half}"
    strokes = {"hurt": (0,), "badly_hurt": (-3, 3)}.get(
        combatant.band if isinstance(combatant.band, str) else "", ()
    )
    return "".join(f"M{x + dx} {y - half}v{2 * half}" for dx in strokes)


def marker(kind: str, x: int, y: int) -> str:
    """A marker around (x, y), as the data of an SVG path: a mask, a sight, two arrows, a flash."""
    match kind:
        case "masked":
            return f"M{x - 6} {y - 3}h12v3a6 5 0 0 1 -12 0z"
        case "on_guard":
            return f"M{x - 4} {y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M{x - 7} {y}h14M{x} {y - 7}v14"
        case "fleeing":
            return f"M{x - 5} {y - 4}l4 4l-4 4M{x + 1} {y - 4}l4 4l-4 4"
        case "stunned":
            return f"M{x - 6} {y + 3}l4 -6l4 6l4 -6"
        case _:
            return f"M{x - 3} {y - 3}h6v6h-6z"
