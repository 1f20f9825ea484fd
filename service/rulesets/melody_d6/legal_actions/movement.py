"""What a warrior and its unit may do in the movement phase: move, charge, mask, leave masking."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from service.engine.ruleset.legal_nodes import (
    LegalNode,
    PathBounds,
    PathDomain,
    is_allowed,
    node,
    one_of,
    points,
    some_of,
    with_params,
)
from service.rulesets.melody_d6.actions import Charge, Mask, Move, Path, Unmask
from service.rulesets.melody_d6.deciding.masks import require_mask, require_unmask
from service.rulesets.melody_d6.deciding.moves import require_free
from service.rulesets.melody_d6.legal_actions.ways import (
    Leeway,
    View,
    charges_of,
    leeway_of,
    paths_of,
)
from service.rulesets.melody_d6.occupancy import enemies_of
from service.rulesets.melody_d6.state import Combatant
from service.rulesets.melody_d6.terrain import UNIT

LONGEST_PATH: Final = 12
"""Waypoints of a path at most."""

MOST_MASKED: Final = 20
"""Warriors whom one declaration masks at most."""

METRIC: Final = "legs_rounded_up"


def movement_nodes(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Move and charge, of a warrior who acts in the movement phase."""
    if not is_allowed(lambda: require_free(view.rule, actor)):
        return
    leeway = leeway_of(view, actor)
    paths = paths_of(leeway)
    if paths:
        way = path_domain(leeway, paths)
        yield node({"path": way}, Move(combatant=actor.id, path=paths[0]))
    yield from _charge(leeway, enemies_of(view.rule, actor.side))


def _charge(leeway: Leeway, enemies: Sequence[Combatant]) -> Iterator[LegalNode]:
    ways = [(enemy.id, charges_of(leeway, enemy)) for enemy in enemies]
    possible = [(enemy, paths) for enemy, paths in ways if paths]
    if possible:
        targets = one_of(
            with_params(enemy, {"path": path_domain(leeway, paths)}) for enemy, paths in possible
        )
        enemy, paths = possible[0]
        example = Charge(combatant=leeway.mover.id, target=enemy, path=paths[0])
        yield node({"target": targets}, example)


def path_domain(leeway: Leeway, accepted: Sequence[Path]) -> PathDomain:
    """Where a path starts, what it may cost, and some that are accepted."""
    x, y = leeway.here
    return PathDomain(
        path=PathBounds(
            x=x,
            y=y,
            unit=UNIT,
            budget=leeway.allowance,
            longest=LONGEST_PATH,
            metric=METRIC,
        ),
        accepted=tuple([points((each.x, each.y) for each in path) for path in accepted]),
    )


def unmask_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Leave masking, in either phase."""
    action = Unmask(combatant=actor.id)
    if is_allowed(lambda: require_unmask(view, action)):
        yield node({}, action)


def mask_node(view: View, members: Sequence[str]) -> Iterator[LegalNode]:
    """Mask some of these members of a unit: each who may alone may with the others."""
    able = [
        each
        for each in members
        if is_allowed(partial(require_mask, view, Mask(combatants=(each,))))
    ]
    if able:
        several = some_of(able, 1, min(len(able), MOST_MASKED))
        yield node({"combatants": several}, Mask(combatants=(able[0],)))
