"""Hidden ground that an attack or a walk comes across: found, and made known to everyone."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.geometry.distance import cells_apart
from service.engine.geometry.features import Border, features_of
from service.engine.geometry.lines import (
    WalkedLine,
    cells_crossed,
    centre_line,
    met,
    vertices_inside,
)
from service.engine.geometry.points import Cell as Point
from service.engine.geometry.spaces import cells_of
from service.engine.kit.combatants import existing
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.deciding.attack_line import Aim, sight_along
from service.rulesets.crossfire_d6.fighters import space_of
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.melee import can_strike
from service.rulesets.crossfire_d6.rules.position import Sight, has_cover_here
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.terrain import GroundBorder, GroundCell, TerrainChange

_Ends = tuple[Point, Point]


def shot_meets(
    rule: BattleState, blobs: Mapping[str, object], aim: Aim
) -> tuple[TerrainChange, ...]:
    """The hidden ground that makes a shot otherwise than everyone would think.

    None if the position and the visibility are what they seem. Else what lies on the line that
    seemed best and on the one that is; if that is nothing, on any line between the two.
    """
    if not rule.secrets:
        return ()
    seeming, real = _sights(rule, blobs, aim)
    if _judged(seeming) == _judged(real):
        return ()
    on_lines = _on_lines(rule.secrets, (_ends(seeming), _ends(real)))
    return on_lines or _on_lines(rule.secrets, _all_lines(aim))


def sight_taken(rule: BattleState, blobs: Mapping[str, object], aim: Aim) -> Sight:
    """The line an attack uses: the one everybody would think of, unless it is otherwise."""
    if not rule.secrets:
        return sight_along(rule, public_board(rule, blobs), aim)
    seeming, real = _sights(rule, blobs, aim)
    return seeming if _judged(seeming) == _judged(real) else real


def _sights(rule: BattleState, blobs: Mapping[str, object], aim: Aim) -> tuple[Sight, Sight]:
    """What the position seems to be on the ground that everyone knows, and what it is."""
    seeming = sight_along(rule, public_board(rule, blobs), aim)
    return seeming, sight_along(rule, board_of(rule, blobs), aim)


def strike_meets(
    rule: BattleState, blobs: Mapping[str, object], aim: Aim
) -> tuple[TerrainChange, ...]:
    """The hidden ground that stands between the two of a melee attack, none if none does.

    Where cover counts in melee, what makes the position otherwise belongs to it.
    """
    reach, rule_of_diagonals = aim.weapon.reach_ft, rule.options.diagonal_rule
    ground = board_of(rule, blobs).ground
    if not can_strike(ground, aim.shooter.space, aim.mark.space, reach, rule_of_diagonals):
        within = (
            (a, t)
            for a, t in _all_lines(aim)
            if FEET_PER_CELL * cells_apart(t[0] - a[0], t[1] - a[1], rule_of_diagonals) <= reach
        )
        return _on_lines(rule.secrets, within)
    return shot_meets(rule, blobs, aim) if rule.options.cover_vs_melee else ()


def lay_open(
    unfolding: EffectBuilder[BattleState],
    blobs: Mapping[str, object],
    changes: tuple[TerrainChange, ...],
) -> None:
    """Hidden ground is met: everyone knows it, and posture lost with it is lost."""
    if changes:
        before = unfolding.rule
        unfolding.emit(own.TerrainChanged(changes=changes, cause="met"))
        lose_cover(unfolding, before, blobs)


def lose_cover(
    unfolding: EffectBuilder[BattleState], before: BattleState, blobs: Mapping[str, object]
) -> None:
    """Whoever was in or behind cover `before`, and has none now, is open, at no cost.

    Judged on the ground that everyone knows. A posture that had nothing behind it before, since
    the game master said so or the cover is his secret, stays.
    """
    had = public_board(before, blobs).ground
    has = public_board(unfolding.rule, blobs).ground
    for was in before.combatants:
        combatant = existing(unfolding.rule, was.id)
        if (
            combatant.posture != "open"
            and not has_cover_here(space_of(combatant), has)
            and has_cover_here(space_of(was), had)
        ):
            unfolding.emit(
                own.PostureChanged(combatant=combatant.id, posture="open", cause="cover_lost")
            )


def _judged(sight: Sight) -> tuple[object, ...]:
    return sight.position, sight.is_smoke_on_line, sight.is_target_dark


def _ends(sight: Sight) -> _Ends:
    ax, ay, tx, ty = sight.line
    return (ax, ay), (tx, ty)


def _all_lines(aim: Aim) -> Iterable[_Ends]:
    return ((a, t) for a in cells_of(aim.shooter.space) for t in cells_of(aim.mark.space))


def _on_lines(
    secrets: tuple[TerrainChange, ...], lines: Iterable[_Ends]
) -> tuple[TerrainChange, ...]:
    drawn = tuple((ends, centre_line(*ends)) for ends in lines)
    return tuple(
        secret for secret in secrets if any(_is_touched(secret, ends, line) for ends, line in drawn)
    )


def _is_touched(secret: TerrainChange, ends: _Ends, line: WalkedLine) -> bool:
    if secret.cell is not UNSET:
        return _is_cell_touched(secret.cell, ends, line)
    return secret.border is not UNSET and _is_border_touched(secret.border, line)


def _is_cell_touched(cell: GroundCell, ends: _Ends, line: WalkedLine) -> bool:
    place = (cell.x, cell.y)
    return (
        place in ends
        or place in cells_crossed(line)
        or any(x - 1 <= cell.x <= x and y - 1 <= cell.y <= y for x, y in vertices_inside(line))
    )


def _is_border_touched(side: GroundBorder, line: WalkedLine) -> bool:
    border: Border = ("V" if side.axis == "v" else "H", side.x, side.y)
    beyond = (side.x, side.y + 1) if side.axis == "v" else (side.x + 1, side.y)
    vertices = vertices_inside(line)
    return (
        bool(met(features_of((), (border,)), line))
        or (side.x, side.y) in vertices
        or beyond in vertices
    )
