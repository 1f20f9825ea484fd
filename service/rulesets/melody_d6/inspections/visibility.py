"""Who sees whom."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.inspections.pairs import (
    Claim,
    WarriorQuery,
    blocking,
    claim,
    edge_distance,
    require_present,
)
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.occupancy import are_near
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table


class Sighting(Struct, frozen=True, kw_only=True):
    """Somebody else on the table, as a warrior sees it."""

    combatant: str
    """Id of the other."""
    distance_u: int
    """Between the edges of both bases, rounded up, or between their centres where the table
    measures so (ML-GEO-2)."""
    blocked_by: tuple[str, ...]
    """Ids of the features that block the line of sight, by id; none: it is free (ML-GEO-6)."""
    sees: Claim
    """Whether the warrior sees the other (ML-GEO-7)."""
    is_seen: Claim
    """Whether the other sees the warrior (ML-GEO-7)."""


class Visibility(Struct, frozen=True, kw_only=True):
    """Whom a warrior sees and who sees it, all round (ML-GEO-7)."""

    combatant: str
    """Id of the warrior."""
    place: Place
    """Where it stands."""
    sight_u: int | UnsetType = UNSET
    """How far it sees; absent where the caller may not know."""
    others: tuple[Sighting, ...]
    """Everybody else on the table, friends included, in the order of entry."""


def inspect_visibility(
    state: State[BattleState], query: WarriorQuery, viewer: Viewer
) -> Visibility:
    """Whom a warrior sees and who sees it.

    Raises Refused("unknown_combatant") or ("actor_incapacitated").
    """
    rule, ground = state.rule, ground_of(state)
    warrior, scope = require_present(rule, query.combatant), scope_of(rule)
    is_known = knows_numbers(warrior, scope, viewer)
    return Visibility(
        combatant=warrior.id,
        place=warrior.place,
        sight_u=warrior.sight if is_known else UNSET,
        others=tuple(
            _sighting(rule, ground, warrior, other, is_known, knows_numbers(other, scope, viewer))
            for other in rule.combatants
            if other.id != warrior.id and is_on_table(other)
        ),
    )


def _sighting(
    rule: BattleState,
    ground: Ground,
    warrior: Combatant,
    other: Combatant,
    is_known: bool,
    is_other_known: bool,
) -> Sighting:
    blocked_by = blocking(ground, warrior, other)
    is_near, is_near_other = (
        are_near(rule, warrior, other, each.sight) for each in (warrior, other)
    )
    return Sighting(
        combatant=other.id,
        distance_u=edge_distance(rule, warrior, other),
        blocked_by=blocked_by,
        sees="no" if blocked_by else claim(is_near, is_known),
        is_seen="no" if blocked_by else claim(is_near_other, is_other_known),
    )
