"""What a combatant may do in its shooting phase, as far as a viewer knows.

How this works. What may be shot at does not depend on the weapon, nor on how one shoots, so the
targets are judged once. They are combatants anywhere, but objects only in cells at most
`MOST_CELLS` away, though shots reach farther; so are the cells for a grenade.
"""

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import Final

from msgspec import UNSET

from service.engine.battle.state import State
from service.engine.geometry.points import Cell as At
from service.engine.ruleset.legal_nodes import (
    Domain,
    DomainPoint,
    DomainTarget,
    LegalNode,
    NodeSource,
    Params,
    int_range,
    is_allowed,
    list_of,
    node,
    one_of,
    one_of_points,
    with_params,
)
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100.deciding.aim import require_ammunition, require_marks
from service.rulesets.squad_d100.deciding.melee import require_blow
from service.rulesets.squad_d100.deciding.phases import require_shooting_phase
from service.rulesets.squad_d100.deciding.throws import is_open
from service.rulesets.squad_d100.ground import ground_of, line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.grenades import longest_throw
from service.rulesets.squad_d100.rules.ground import cells_of_terrain, field_of_view
from service.rulesets.squad_d100.rules.shots import (
    BURST_ROUNDS,
    SNAP_SHOTS,
    require_dual,
    shots_due,
)
from service.rulesets.squad_d100.rules.suppression import SUPPRESSION_ROUNDS
from service.rulesets.squad_d100.state import BattleState, Combatant
from service.rulesets.squad_d100.terrain import UNIT, Cell
from service.rulesets.squad_d100.weapons import is_automatic

View = State[BattleState]
"""The battle as somebody may know it."""

MOST_CELLS: Final = 24
"""Cells around a combatant within which objects and cells are listed."""

_LONGEST_REACH: Final = 10
"""The greatest value of the option `melee_reach`."""

_MOST_ADDED: Final = 1000


def shooting_sources(view: View, actor: Combatant, *, is_gm: bool) -> tuple[NodeSource, ...]:
    """The nodes of the shooting phase; snap shots with two hands have one of their own."""
    if not is_allowed(lambda: require_shooting_phase(view, actor)):
        return ()
    more = {"gm_modifier": int_range(-_MOST_ADDED, _MOST_ADDED, optional=True)} if is_gm else {}
    return (
        NodeSource("attack", partial(_shots, view, actor, more)),
        NodeSource("other", partial(_throw, view, actor, more)),
        NodeSource("attack", partial(_melee, view, actor, more)),
        NodeSource("other", partial(_reload, actor)),
    )


def _shots(view: View, actor: Combatant, more: Params) -> Iterator[LegalNode]:
    aims = _aims(view, actor)
    yield from _single_shots(actor, aims, more)
    yield from _snap_shots(view, actor, aims, more)
    yield from _suppress(actor, aims)


def _reload(actor: Combatant) -> Iterator[LegalNode]:
    if actor.weapons:
        weapons = [each.id for each in actor.weapons]
        yield node({"weapon": one_of(weapons)}, ask.Reload(combatant=actor.id, weapon=weapons[0]))


def _aims(view: View, actor: Combatant) -> tuple[ask.Aim, ...]:
    """Everything that may be shot at: combatants, then cells row by row."""
    ground = ground_of(view)
    objects = sorted(
        (*cells_of_terrain(ground, "explosive_cargo"), *cells_of_terrain(ground, "fuel")),
        key=lambda cell: (cell[1], cell[0]),
    )
    aims = (
        *(ask.Aim(target=each.id) for each in view.rule.combatants),
        *(
            ask.Aim(cell=Cell(x=each[0], y=each[1]))
            for each in objects
            if _is_within(actor, each, MOST_CELLS)
        ),
    )
    return tuple(each for each in aims if is_allowed(partial(require_marks, view, actor, (each,))))


def _single_shots(actor: Combatant, aims: tuple[ask.Aim, ...], more: Params) -> Iterator[LegalNode]:
    """Aimed shots and bursts; a weapon is listed for combatants, and once more for objects."""
    if not aims:
        return
    target, cell = aims[0].target, aims[0].cell
    loaded = [each.id for each in actor.weapons if _has_rounds(actor, each.id, 1)]
    if loaded:
        aimed = ask.AimedShot(combatant=actor.id, weapon=loaded[0], target=target, cell=cell)
        yield node({"weapon": _weapons_at(loaded, aims), **more}, aimed)
    automatic = _automatic(actor, BURST_ROUNDS)
    if automatic:
        burst = ask.Burst(combatant=actor.id, weapon=automatic[0], target=target, cell=cell)
        yield node({"weapon": _weapons_at(automatic, aims), **more}, burst)


def _weapons_at(weapons: list[str], aims: tuple[ask.Aim, ...]) -> Domain:
    targets = [each.target for each in aims if each.target is not UNSET]
    cells = [(each.cell.x, each.cell.y) for each in aims if each.cell is not UNSET]
    at_targets = {"target": one_of(targets)} if targets else {}
    at_cells = {"cell": one_of_points(cells, UNIT)} if cells else {}
    return one_of(
        with_params(weapon, at) for at in (at_targets, at_cells) if at for weapon in weapons
    )


def _snap_shots(
    view: View, actor: Combatant, aims: tuple[ask.Aim, ...], more: Params
) -> Iterator[LegalNode]:
    """Two shots with one weapon, or with two hands."""
    if not aims:
        return
    each_at = one_of(map(_target, aims))
    weapons = [each.id for each in actor.weapons if _has_rounds(actor, each.id, SNAP_SHOTS)]
    if weapons:
        example = ask.SnapShots(
            combatant=actor.id, weapon=weapons[0], targets=(aims[0],) * SNAP_SHOTS
        )
        yield node(
            {"weapon": one_of(weapons), "targets": list_of(each_at, SNAP_SHOTS), **more}, example
        )
    per_hand = view.rule.options.dual_shots_per_hand
    shots = shots_due(is_dual=True, per_hand=per_hand)
    pairs = [
        (first.id, second.id)
        for first, second in permutations(actor.weapons, 2)
        if is_allowed(partial(require_dual, (first.id, first.kind), (second.id, second.kind)))
        and _has_rounds(actor, first.id, per_hand)
        and _has_rounds(actor, second.id, per_hand)
    ]
    if pairs:
        example = ask.SnapShots(
            combatant=actor.id, dual=True, weapons=pairs[0], targets=(aims[0],) * shots
        )
        params: Params = {
            "dual": one_of([True]),
            "weapons": one_of(pairs),
            "targets": list_of(each_at, shots),
        }
        yield node({**params, **more}, example)


def _target(aim: ask.Aim) -> DomainTarget:
    cell = UNSET if aim.cell is UNSET else DomainPoint(aim.cell.x, aim.cell.y)
    return DomainTarget(target=aim.target, cell=cell)


def _suppress(actor: Combatant, aims: tuple[ask.Aim, ...]) -> Iterator[LegalNode]:
    targets = [each.target for each in aims if isinstance(each.target, str)]
    weapons = _automatic(actor, SUPPRESSION_ROUNDS)
    if targets and weapons:
        example = ask.Suppress(combatant=actor.id, weapon=weapons[0], target=targets[0])
        yield node({"weapon": one_of(weapons), "target": one_of(targets)}, example)


def _throw(view: View, actor: Combatant, more: Params) -> Iterator[LegalNode]:
    grenades = [each.id for each in actor.grenades if each.count]
    cells = _cells_in_throw(view, actor) if grenades else []
    if cells:
        example = ask.ThrowGrenade(
            combatant=actor.id, grenade=grenades[0], cell=Cell(x=cells[0][0], y=cells[0][1])
        )
        yield node(
            {"grenade": one_of(grenades), "cell": one_of_points(cells, UNIT), **more}, example
        )


def _cells_in_throw(view: View, actor: Combatant) -> list[At]:
    """The cells nearby into which a grenade may be thrown, row by row."""
    options, here = view.rule.options, cell_of(actor)
    ground = ground_of(view)
    reach = min(longest_throw(actor.strength), MOST_CELLS)
    lines = line_options(options)._replace(sight_range=reach)
    seen = field_of_view(ground, here, lines)
    return [cell for cell in seen if is_open(ground, cell)]


def _melee(view: View, actor: Combatant, more: Params) -> Iterator[LegalNode]:
    attempts = [
        ask.MeleeAttack(combatant=actor.id, target=each.id)
        for each in view.rule.combatants
        if each.place is not UNSET and _is_within(actor, cell_of(each), _LONGEST_REACH)
    ]
    allowed = [each for each in attempts if is_allowed(partial(require_blow, view, each))]
    if allowed:
        yield node({"target": one_of(each.target for each in allowed), **more}, allowed[0])


def _has_rounds(actor: Combatant, weapon: str, rounds: int) -> bool:
    return is_allowed(lambda: require_ammunition(actor, ((weapon, rounds),)))


def _automatic(actor: Combatant, rounds: int) -> list[str]:
    """The automatic weapons with so many rounds."""
    return [
        each.id
        for each in actor.weapons
        if is_automatic(each) and _has_rounds(actor, each.id, rounds)
    ]


def _is_within(actor: Combatant, cell: At, most: int) -> bool:
    """Whether a cell is so many king's steps away at most; no metric says less."""
    x, y = cell_of(actor)
    return max(abs(cell[0] - x), abs(cell[1] - y)) <= most
