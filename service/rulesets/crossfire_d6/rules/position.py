"""CF-POS and CF-GEO-5: what a combatant is against one enemy, and along which line.

How this works. Every pair of a cell of the attacker and a cell of the target is joined by the
line of their centres. A line free of solid features is judged by the postures and the cover it
meets next to either fighter. A line that solid features interrupt may still be replaced by lean
lines: a fighter in cover whose own corner is all that stands in the way may use an orthogonal
neighbour of his cell. Of all lines the best for the attacker is used: open before in cover
before blocked, then clear before obscured, then the least (a.y, a.x, t.y, t.x) of its ends, lean
cells included. So the answer does not depend on the order in which lines are tried.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from service.engine.geometry.features import (
    Feature,
    Features,
    adjacent_features,
    has_border_between,
    has_marked_cell,
    is_adjacent,
)
from service.engine.geometry.lines import centre_line, features_met, is_met
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of, has_cell
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.geometry import features_on_line
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Position, Posture

CF_POS_2: Final = "CF-POS-2"
CF_POS_6: Final = "CF-POS-6"
CF_POS_9: Final = "CF-POS-9"

_RANK: Final[dict[Position, int]] = {"open": 0, "in_cover": 1, "blocked": 2}

_SIDEWAYS: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))

_Ends = tuple[Cell, Cell]
"""The cells at the attacker's and at the target's end of a line."""

_Preference = tuple[int, bool, int, int, int, int]

_WORST: Final[_Preference] = (3, True, 0, 0, 0, 0)


class Sight(Struct, frozen=True, kw_only=True):
    """The position of a target against an attacker, and the line it was read off.

    `line` is (ax, ay, tx, ty), lean cells included. `features` gave the cover or closed the
    line. `by_own_posture`: the attacker's own blocked posture closed a line that was free of
    solid features. `is_intervening`: cover next to neither fighter gave the cover (CF-POS-9).
    """

    position: Position
    line: tuple[int, int, int, int]
    features: tuple[Feature, ...] = ()
    is_smoke_on_line: bool = False
    is_target_dark: bool = False
    by_own_posture: bool = False
    is_intervening: bool = False


class _Pair(Struct, frozen=True, kw_only=True):
    """The two fighters on their ground, as the judgement of single lines needs them."""

    ground: Ground
    attacker: Fighter
    target: Fighter
    intervening: bool


def position_against(
    sight: Sight, override: Position | None = None, reverse: Position | None = None
) -> Sight:
    """CF-POS-1: against each enemy a combatant is open, in cover or blocked.

    Computed from the declared posture and the map (CF-GEO-5). The game master's word for this
    target and this attacker (`override`) replaces it; the line stays, without features if the map
    says otherwise. His word for the two exchanged (`reverse`) decides only whether there is a
    line, which is the same both ways: where he contradicts himself, there is none.
    Source: "Существует 3 позиции".
    """
    if reverse is not None and has_line(override or sight.position) != has_line(reverse):
        override = "open" if override is None and has_line(reverse) else "blocked"
    if override is None:
        return sight
    is_as_seen = override == sight.position
    return msgspec.structs.replace(
        sight,
        position=override,
        features=sight.features if is_as_seen else (),
        by_own_posture=False,
        is_intervening=sight.is_intervening and is_as_seen,
    )


def posture_change_cost(present: Posture, wanted: Posture) -> int:
    """CF-POS-2: changing the posture takes a movement: one action. (As end of a move: included.)

    Raises Refused("nothing_changes") if it is the present one.
    Source: "требуют использования передвижения, чтобы между ними переключаться".
    """
    if present == wanted:
        raise Refused("nothing_changes", rule=CF_POS_2, posture=present)
    return 1


def seeks_cover(posture: Posture) -> bool:
    """CF-POS-3: only who declares it is in cover; merely standing next to a feature is open.

    Source: "Персонаж без бонусов от укрытия считается открытым".
    """
    return posture == "in_cover"


def has_line(position: Position) -> bool:
    """CF-POS-4: who is open or in cover can shoot at that enemy without moving, and be shot at.

    Source: "может совершать дальнобойную атаку по противнику без использования передвижения".
    """
    return position != "blocked"


def require_line_of_sight(sight: Sight) -> None:
    """CF-POS-5: against a blocked target there is no line of sight; somebody has to move.

    Raises Refused("line_of_sight_blocked").
    Source: "нужно потратить действие на перемещение, чтобы выстрелить".
    """
    if not has_line(sight.position):
        raise Refused("line_of_sight_blocked", rule="CF-POS-5", **_facts(sight))


def require_not_hiding(sight: Sight) -> None:
    """CF-POS-6: who hides wholly behind his own cover cannot shoot across it either.

    Sight is symmetrical. Asked before CF-POS-5, which refuses everything else.
    Raises Refused("attacker_is_blocked").
    Source: "не может быть полностью защищен … и в то же время совершать дальнобойные атаки".
    """
    if not has_line(sight.position) and sight.by_own_posture:
        raise Refused("attacker_is_blocked", rule=CF_POS_6, **_facts(sight))


def require_cover_here(space: Space, posture: Posture, ground: Ground) -> None:
    """CF-POS-7: a posture is taken where one stands, without leaving the cell.

    Any but `open` needs a feature, solid or cover, adjacent to the space.
    Raises Refused("no_cover_here").
    Source: "не обязательно выводит персонажа из его квадрата".
    """
    if posture != "open" and not has_cover_here(space, ground):
        raise Refused(
            "no_cover_here",
            rule="CF-POS-7",
            posture=posture,
            x=space.x,
            y=space.y,
            allowed=["open"],
        )


def has_cover_here(space: Space, ground: Ground) -> bool:
    """Whether a feature is adjacent to a space: what `in_cover` and `blocked` need."""
    return any(adjacent_features(features, space) for features in (ground.cover, ground.solid))


def intervening_cover(
    cover: tuple[Feature, ...], attacker: Space, target: Space, *, is_counted: bool
) -> tuple[Feature, ...]:
    """CF-POS-9: the cover on a line that protects an otherwise open target.

    Nobody is covered for the length of an attack only, and cover that is not adjacent to the
    target gives nothing, unless the option `intervening_cover` is on: then cover adjacent to
    neither fighter does.
    Source: "не существует позиции, когда персонаж заблокирован, но открывается только во время
    совершения дальнобойной атаки".
    """
    if not is_counted:
        return ()
    return tuple(
        feature
        for feature in cover
        if not is_adjacent(feature, attacker) and not is_adjacent(feature, target)
    )


def best_sight(
    ground: Ground, attacker: Fighter, target: Fighter, *, intervening: bool = False
) -> Sight:
    """CF-GEO-5: the position of the target against the attacker by the best line there is.

    `intervening` is the option of CF-POS-9. Conditions, range and the game master's overruling
    are not looked at. Whether it is `blocked` is the same with the two exchanged.
    """
    pair = _Pair(ground=ground, attacker=attacker, target=target, intervening=intervening)
    direct, interrupted = _direct_lines(pair)
    sights = direct + _lean_lines(pair, interrupted, direct)
    best = min(sights, key=_preference, default=None)
    if best is None or best.position == "blocked":
        closed = _least_interrupted(pair, interrupted)
        best = min((sight for sight in (best, closed) if sight is not None), key=_preference)
    if best.position == "blocked" and any(sight.by_own_posture for sight in sights):
        return msgspec.structs.replace(best, by_own_posture=True)
    return best


def _direct_lines(pair: _Pair) -> tuple[list[Sight], list[_Ends]]:
    """The lines between the fighters' own cells: those free of solids judged, and the others.

    Pairs come in the order of preference, so the first open and clear line ends the search,
    unless an attacker in cover may still find a better one by leaning.
    """
    sights: list[Sight] = []
    interrupted: list[_Ends] = []
    for a in cells_of(pair.attacker.space):
        for t in cells_of(pair.target.space):
            if _is_met(pair.ground.solid, a, t):
                interrupted.append((a, t))
                continue
            sights.append(_judged(pair, a, t, ()))
            if _preference(sights[-1])[:2] == (0, False) and not seeks_cover(pair.attacker.posture):
                return sights[-1:], []
    return sights, interrupted


def _lean_lines(pair: _Pair, interrupted: list[_Ends], direct: list[Sight]) -> list[Sight]:
    """The lines round interrupted ones, free of solids and judged.

    Left out are lines that could not win: with the target leaning none is better than in cover.
    """
    if not (seeks_cover(pair.attacker.posture) or seeks_cover(pair.target.posture)):
        return []
    round_walls: dict[_Ends, tuple[Feature, ...]] = {}
    for a, t in interrupted:
        walls = features_on_line(pair.ground.solid, a, t)
        for ends in _lean_ends(pair, a, t, walls):
            round_walls.setdefault(ends, walls)
    sights: list[Sight] = []
    best = min(map(_preference, direct), default=_WORST)
    for a, t in sorted(round_walls, key=_order):
        rank = 0 if has_cell(pair.target.space, t) else 1
        if (rank, False, *_order((a, t))) < best and not _is_met(pair.ground.solid, a, t):
            sights.append(_judged(pair, a, t, round_walls[a, t]))
            best = min(best, _preference(sights[-1]))
    return sights


def _least_interrupted(pair: _Pair, interrupted: list[_Ends]) -> Sight | None:
    """The line to name where all are interrupted: clear before obscured, then by its ends."""
    first: Sight | None = None
    for a, t in interrupted:
        sight = _sight_along(pair, a, t, "blocked", ())
        if first is None or not _preference(sight)[1]:
            first = sight
        if not _preference(sight)[1]:
            break
    if first is None:
        return None
    ax, ay, tx, ty = first.line
    walls = features_on_line(pair.ground.solid, (ax, ay), (tx, ty))
    return msgspec.structs.replace(first, features=walls)


def _judged(pair: _Pair, a: Cell, t: Cell, round_walls: tuple[Feature, ...]) -> Sight:
    """Judge a line free of solid features; `round_walls` are those it was bent round."""
    cover = features_met(pair.ground.cover, centre_line(a, t))
    own = _next_to(cover, pair.attacker.space)
    if own and pair.attacker.posture == "blocked":
        return _sight_along(pair, a, t, "blocked", own, by_own_posture=True)
    if round_walls and not has_cell(pair.target.space, t):
        return _sight_along(pair, a, t, "in_cover", round_walls)
    near = _next_to(cover, pair.target.space)
    if near and pair.target.posture == "blocked":
        return _sight_along(pair, a, t, "blocked", near)
    if near and seeks_cover(pair.target.posture):
        return _sight_along(pair, a, t, "in_cover", near)
    between = intervening_cover(
        cover, pair.attacker.space, pair.target.space, is_counted=pair.intervening
    )
    sight = _sight_along(pair, a, t, "in_cover" if between else "open", between)
    return msgspec.structs.replace(sight, is_intervening=True) if between else sight


def _sight_along(
    pair: _Pair,
    a: Cell,
    t: Cell,
    position: Position,
    features: tuple[Feature, ...],
    *,
    by_own_posture: bool = False,
) -> Sight:
    """A line with what it gives. Its ends are on it, also if both are one lean cell."""
    smoke = pair.ground.smoke
    return Sight(
        position=position,
        line=(*a, *t),
        features=features,
        is_smoke_on_line=bool(smoke.cells) and (has_marked_cell(smoke, a) or _is_met(smoke, a, t)),
        is_target_dark=has_marked_cell(pair.ground.dark, t),
        by_own_posture=by_own_posture,
    )


def _lean_ends(pair: _Pair, a: Cell, t: Cell, walls: tuple[Feature, ...]) -> Iterator[_Ends]:
    """The ends of the lines that leaning puts in the place of the one from `a` to `t`.

    The target may lean if all solids on the line are adjacent to him, the attacker if all are
    adjacent to him, both together if each is adjacent to one of them.
    """
    ours, theirs = pair.attacker, pair.target
    can_a, can_t = seeks_cover(ours.posture), seeks_cover(theirs.posture)
    at_a = _next_to(walls, ours.space) if can_a else ()
    at_t = _next_to(walls, theirs.space) if can_t else ()
    if any(wall not in at_a and wall not in at_t for wall in walls):
        return
    starts = _lean_cells(pair.ground, ours.space, a) if can_a else ()
    ends = _lean_cells(pair.ground, theirs.space, t) if can_t else ()
    if at_t == walls:
        yield from ((a, end) for end in ends)
    if at_a == walls:
        yield from ((start, t) for start in starts)
    yield from ((start, end) for start in starts for end in ends)


def _lean_cells(ground: Ground, space: Space, cell: Cell) -> tuple[Cell, ...]:
    """The orthogonal neighbours a fighter may lean into: free of solids, not his own."""
    beside = tuple((cell[0] + dx, cell[1] + dy) for dx, dy in _SIDEWAYS)
    return tuple(
        other
        for other in beside
        if not has_cell(space, other)
        and not has_marked_cell(ground.solid, other)
        and not has_border_between(ground.solid, cell, other)
    )


def _next_to(features: tuple[Feature, ...], space: Space) -> tuple[Feature, ...]:
    return tuple(feature for feature in features if is_adjacent(feature, space))


def _is_met(features: Features, a: Cell, t: Cell) -> bool:
    return is_met(features, centre_line(a, t))


def _preference(sight: Sight) -> _Preference:
    ax, ay, tx, ty = sight.line
    is_obscured = sight.is_smoke_on_line or sight.is_target_dark
    return _RANK[sight.position], is_obscured, ay, ax, ty, tx


def _order(ends: _Ends) -> tuple[int, int, int, int]:
    (ax, ay), (tx, ty) = ends
    return ay, ax, ty, tx


def _facts(sight: Sight) -> dict[str, object]:
    return {"line": list(sight.line), "features": [list(feature) for feature in sight.features]}
