"""What two fighters far apart cost tactical-d20 and crossfire-d6: lines, cover, sight, by distance.

Every question of the rules about two fighters and the ground between them is asked at distances
from 1 cell to the ends of the largest map, level, sloping and diagonal, of all pairs of sizes at
the ends and of some of them before. The ground has one wall on the nearest line, a wall right
across, or walls, smoke and cover scattered along the way. Everything is asked once, so that no
answer was kept from before. The table has the dearest question of each kind in processor time, and
where it was found. Sight of crossfire-d6 joins each cell of one fighter with each of the other,
4096 lines for the largest, so its rows have no target: they must not grow with the distance.
"""

import gc
import random
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, NamedTuple

from _measuring import Table, arguments, at_most

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.rulesets.crossfire_d6.rules import ground as crossfire
from service.rulesets.crossfire_d6.rules.position import best_sight
from service.rulesets.tactical_d20.rules import ground as tactical
from service.rulesets.tactical_d20.rules.areas import cover_from
from service.rulesets.tactical_d20.rules.concealment import concealment_against
from service.rulesets.tactical_d20.rules.cover import cover_against
from service.rulesets.tactical_d20.rules.total_cover import has_line_of_effect
from service.rulesets.tactical_d20.rules.words import LineOptions

LARGEST: Final = 8
FARTHEST: Final = 10_000
DISTANCES: Final = (1, 8, 32, 64, 128, 512, 4096, 2 * FARTHEST - LARGEST)
SLOPES: Final = ((1, 1), (1, 2), (1, 40), (0, 1))
"""Rows for so many columns."""

SCATTERED: Final = 300
MOST_MS: Final = 30


class Pair(NamedTuple):
    """Two spaces, the second to the south-east of the first or level with it."""

    near: Space
    far: Space


def pairs(distance: int) -> Iterator[Pair]:
    """Two spaces of each size so many columns apart; all sizes at the greatest distance alone."""
    is_last = distance == DISTANCES[-1]
    sizes = range(1, LARGEST + 1) if is_last else (1, 3, LARGEST)
    for rise, run in SLOPES:
        for size in sizes:
            for other in sizes:
                near = Space(-FARTHEST, -FARTHEST, size)
                far_x = near.x + size - 1 + distance - (size - 1 if is_last else 0)
                yield Pair(near, Space(far_x, near.y + (far_x - near.x) * rise // run, other))


def grounds(pair: Pair, chance: random.Random) -> Iterator[tuple[str, list[Feature]]]:
    """What may lie between the two: each with its name."""
    near, far = pair
    middle = ((near.x + near.size + far.x) // 2, (near.y + near.size + far.y) // 2)
    held = {*cells_of(near), *cells_of(far)}
    yield "one wall", _free([middle], held)
    across = [(middle[0], middle[1] + step) for step in range(-30, 31)]
    yield "a wall across", _free(across, held)
    columns = [chance.randint(near.x, far.x) for _ in range(SCATTERED)]
    run, rise = max(far.x - near.x, 1), far.y - near.y
    along = [(x, near.y + (x - near.x) * rise // run + chance.randint(-4, 12)) for x in columns]
    yield "scattered", _free(along, held)


def _free(cells: Iterable[Cell], held: set[Cell]) -> list[Feature]:
    return [Feature("cell", *cell) for cell in sorted(set(cells) - held)]


def questions(pair: Pair, parts: list[Feature]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Everything that the rules ask about two fighters and the ground between them."""
    near, far = pair
    walled = tactical.ground_of(walls=parts)
    mixed = tactical.ground_of(
        covers={
            part: tactical.CoverFeature(("normal", "partial")[at % 2])
            for at, part in enumerate(parts)
        },
        percents=dict.fromkeys(parts, 20),
    )
    options = LineOptions()
    yield "line of effect", partial(has_line_of_effect, walled, near, far)
    yield (
        "cover",
        partial(cover_against, mixed, near, far, (), mode="ranged", height_ft=6, options=options),
    )
    yield (
        "cover against an area",
        partial(cover_from, mixed, (near.x, near.y), far, height_ft=6, options=options),
    )
    yield (
        "concealment",
        partial(
            concealment_against,
            mixed,
            near,
            far,
            is_adjacent_melee=False,
            senses=(),
            blur_pct=0,
            options=options,
        ),
    )
    if near.size != far.size:
        return
    board = crossfire.Ground(solid=tactical.marked(parts))
    for posture in ("open", "in_cover"):
        fighters = [
            crossfire.Fighter(id=str(at), side=str(at), space=space, posture=posture)
            for at, space in enumerate(pair)
        ]
        yield f"crossfire sight, {posture}", partial(best_sight, board, *fighters)


def spent_ms(asked: Callable[[], object]) -> float:
    """Milliseconds of processor time that a question takes."""
    began = time.process_time()
    asked()
    return 1000 * (time.process_time() - began)


class Found(NamedTuple):
    """The dearest answer to a question, and the two who were asked about."""

    spent_ms: float
    distance: int
    pair: Pair


def dearest(distances: Iterable[int], chance: random.Random) -> dict[tuple[str, str], Found]:
    """The dearest answer to each question on each kind of ground."""
    found: dict[tuple[str, str], Found] = {}
    for distance in distances:
        gc.collect()
        for pair in pairs(distance):
            for ground, parts in grounds(pair, chance):
                for question, asked in questions(pair, parts):
                    spent = Found(spent_ms(asked), distance, pair)
                    found[question, ground] = max(found.get((question, ground), spent), spent)
    return found


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__, rounds=1)
    # The dearest of thousands would be a question in which all that is kept was collected.
    gc.disable()
    with Table(given.rows) as table:
        for name, distances in (
            (f"up to {DISTANCES[3]} cells apart", DISTANCES[:4]),
            (f"{DISTANCES[4]} to {DISTANCES[-1]} cells apart", DISTANCES[4:]),
        ):
            rounds = [dearest(distances, random.Random(90)) for _ in range(given.rounds)]
            for question, ground in rounds[0]:
                found = [each[question, ground] for each in rounds]
                near, far = found[0].pair
                where = f"sizes {near.size} and {far.size}, {found[0].distance} cells"
                is_bounded = not question.startswith("crossfire")
                table.add(
                    f"{question}, {ground}, {name} ({where})",
                    [each.spent_ms for each in found],
                    "ms",
                    at_most(MOST_MS) if is_bounded else None,
                )


if __name__ == "__main__":
    main()
