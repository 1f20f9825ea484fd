"""Questions about a battle that are no actions: the cover table of one attacker.

How this works. The table is worked out of what the caller may know and of nothing else, by the
rules that weigh an attack: on the ground that everyone knows, with the creatures of whom all who
may know of that attack know. What the caller may not know counts as absent; where its being there
could change a row, the row names it as unknown.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.geometry.spaces import Space
from service.engine.inspection import Inspection, Pieces
from service.engine.kit.inspections import CombatantId
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.creatures import (
    attack_audience,
    concealment_override_of,
    counting,
    cover_override_of,
    elevation_of,
    fighter_of,
    fighters_of,
    lines_of,
    space_of,
)
from service.rulesets.tactical_d20.ground import ground_of, public_ground
from service.rulesets.tactical_d20.rules.concealment import concealment_against
from service.rulesets.tactical_d20.rules.cover import cover_against, overruled
from service.rulesets.tactical_d20.rules.flanking import flanking_report
from service.rulesets.tactical_d20.rules.geometry import are_adjacent, distance_ft
from service.rulesets.tactical_d20.rules.ground import Fighter, Ground
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    CoverReport,
    CoverSource,
    ground_part,
)
from service.rulesets.tactical_d20.rules.total_cover import (
    TD_TOTAL_1,
    closing,
    has_line_of_effect,
)
from service.rulesets.tactical_d20.rules.unseen import has_line_of_sight
from service.rulesets.tactical_d20.rules.words import AttackMode, LineOptions, Sense
from service.rulesets.tactical_d20.state import BattleState, Combatant, is_dead

FARTHEST_REACH_FT: Final = 100
"""What an unknown reach is at most."""

_SENSES: Final[tuple[tuple[Sense, ...], ...]] = ((), ("low_light",), ("darkvision",))
"""What unknown senses may be, as far as it makes a difference."""

Claim = Literal["yes", "no", "unknown"]
"""Whether something holds, as far as the caller may know."""

Unknown = Literal["cover_override", "concealment_override", "blur", "senses", "reach"]
"""Something that the caller may not know."""


class CoverQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose cover table."""

    attacker: CombatantId
    """Id of the combatant from whom the lines run."""
    mode: AttackMode = "ranged"
    """Whether the table is for strikes or for shots: creatures in the way, adjacent targets in
    smoke and flanking make a difference."""


class CoverRow(Struct, frozen=True, kw_only=True):
    """What one target has against the attacker."""

    target: str
    """Id of the combatant at whom the lines end."""
    distance_ft: int
    """Feet between the two (TD-GEO-2)."""
    line_of_effect: bool
    """Whether a line of effect leads to it (TD-GEO-6); without one its cover is total."""
    line_of_sight: Claim
    """Whether the attacker sees it (TD-GEO-6); not where it is unseen (TD-UNSEEN-1)."""
    cover: CoverReport
    """Its cover (TD-COVER-1), or the game master's word on it (TD-COVER-8)."""
    concealment: ConcealmentReport
    """Its concealment (TD-CONC-2, TD-CONC-6), or the game master's word on it (TD-CONC-7)."""
    flanked: Claim | UnsetType = UNSET
    """Whether the attacker flanks it (TD-FLANK-1); absent for shots."""
    partner: str | UnsetType = UNSET
    """Id of the first who flanks it with the attacker, of those whose reach is known."""
    unknown: tuple[Unknown, ...] = ()
    """What the caller may not know and what could change this row: overrides and blur of the
    target, senses of the attacker, reach of those who may flank."""


class CoverTable(Struct, frozen=True, kw_only=True):
    """The cover of everybody in the caller's view who is not dead against one attacker."""

    attacker: str
    """Id of the combatant from whom the lines run."""
    mode: AttackMode
    """Whether it is for strikes or for shots."""
    targets: tuple[CoverRow, ...]
    """The others, friends included, in the order of entry."""


class _Attacker(Struct, frozen=True, kw_only=True):
    """An attacker and what is the same for all targets of its table.

    `walls` is the ground whose walls close lines, `ground` the one that gives cover. `fighters` are
    all creatures, `farthest` the same with the reach that they could have at most. `senses` are
    those that the attacker may have.
    """

    rule: BattleState
    combatant: Combatant
    mode: AttackMode
    space: Space
    walls: Ground
    ground: Ground
    options: LineOptions
    fighters: tuple[Fighter, ...]
    farthest: tuple[Fighter, ...]
    senses: tuple[tuple[Sense, ...], ...]


def cover(state: State[BattleState], query: CoverQuery, viewer: Viewer) -> Pieces[CoverTable]:
    """The cover table of one attacker, row by row. Raises Refused("unknown_combatant")."""
    rule = state.rule
    combatant = require_combatant(rule, query.attacker)
    scope = scope_of(rule)
    secretive = {each.id for each in rule.combatants if not knows_numbers(each, scope, viewer)}
    fighters = fighters_of(rule)
    attacker = _Attacker(
        rule=rule,
        combatant=combatant,
        mode=query.mode,
        space=space_of(combatant),
        walls=ground_of(state),
        ground=public_ground(state),
        options=lines_of(rule),
        fighters=fighters,
        farthest=tuple(
            replace(each, reach_ft=FARTHEST_REACH_FT) if each.id in secretive else each
            for each in fighters
        ),
        senses=_SENSES if combatant.id in secretive else (combatant.senses,),
    )
    rows: list[CoverRow] = []
    for target in rule.combatants:
        if target.id != combatant.id and not is_dead(target):
            rows.append(_row(attacker, target, is_known=target.id not in secretive))
            yield
    return CoverTable(attacker=combatant.id, mode=query.mode, targets=tuple(rows))


def _row(attacker: _Attacker, target: Combatant, *, is_known: bool) -> CoverRow:
    here, there = attacker.space, space_of(target)
    sights = {_is_seen(attacker, target, senses) for senses in attacker.senses}
    concealments = [_concealment(attacker, target, senses) for senses in attacker.senses]
    flanked, partner = _flanked(attacker, target)
    unknown: list[Unknown] = []
    if not is_known:
        unknown += ["cover_override", "concealment_override", "blur"]
    if len(sights) > 1 or any(each != concealments[0] for each in concealments):
        unknown.append("senses")
    if flanked == "unknown":
        unknown.append("reach")
    elevations = elevation_of(attacker.combatant), elevation_of(target)
    is_open = has_line_of_effect(attacker.walls, here, there)
    return CoverRow(
        target=target.id,
        distance_ft=distance_ft(
            here, elevations[0], there, elevations[1], attacker.options.diagonal_rule
        ),
        line_of_effect=is_open,
        line_of_sight="unknown" if len(sights) > 1 else _claim(holds=True in sights),
        cover=_cover(attacker, target) if is_open else _closed(attacker.walls, here, there),
        concealment=concealments[0],
        flanked=flanked,
        partner=partner,
        unknown=tuple(unknown),
    )


def _claim(*, holds: bool) -> Claim:
    return "yes" if holds else "no"


def _is_seen(attacker: _Attacker, target: Combatant, senses: tuple[Sense, ...]) -> bool:
    return has_line_of_sight(
        attacker.walls,
        attacker.space,
        space_of(target),
        senses,
        is_invisible="invisible" in target.conditions,
    )


def _cover(attacker: _Attacker, target: Combatant) -> CoverReport:
    pair = (attacker.combatant.id, target.id)
    others = _counting(attacker, attacker.fighters, target)
    return cover_against(
        attacker.ground,
        attacker.space,
        space_of(target),
        tuple([each for each in others if each.id not in pair]),
        mode=attacker.mode,
        height_ft=target.height_ft,
        options=attacker.options,
        override=cover_override_of(target, attacker.combatant.id),
    )


def _closed(walls: Ground, here: Space, there: Space) -> CoverReport:
    """Total cover, by the walls on the line between the nearest corners."""
    report = overruled("total")
    parts = tuple(map(ground_part, closing(walls, here, there)))
    source = CoverSource(rule=TD_TOTAL_1, ac=report.ac, reflex=report.reflex, ground=parts)
    return replace(report, sources=(source,))


def _concealment(
    attacker: _Attacker, target: Combatant, senses: tuple[Sense, ...]
) -> ConcealmentReport:
    here, there = attacker.space, space_of(target)
    return concealment_against(
        attacker.ground,
        here,
        there,
        is_adjacent_melee=attacker.mode == "melee"
        and are_adjacent(here, elevation_of(attacker.combatant), there, elevation_of(target)),
        senses=senses,
        blur_pct=target.blur_pct,
        options=attacker.options,
        override=concealment_override_of(target, attacker.combatant.id),
    )


def _flanked(attacker: _Attacker, target: Combatant) -> tuple[Claim | UnsetType, str | UnsetType]:
    """Whether the attacker flanks a target, and with whom, in melee."""
    if attacker.mode == "ranged":
        return UNSET, UNSET
    partner = _partner(attacker, attacker.fighters, target)
    if partner is not UNSET:
        return "yes", partner
    is_possible = _partner(attacker, attacker.farthest, target) is not UNSET
    return ("unknown" if is_possible else "no"), UNSET


def _partner(
    attacker: _Attacker, fighters: tuple[Fighter, ...], target: Combatant
) -> str | UnsetType:
    own = next(each for each in fighters if each.id == attacker.combatant.id)
    return flanking_report(
        attacker.ground,
        own,
        fighter_of(attacker.rule, target),
        _counting(attacker, fighters, target),
        attacker.options,
    ).partner


def _counting(
    attacker: _Attacker, fighters: tuple[Fighter, ...], target: Combatant
) -> tuple[Fighter, ...]:
    """Everybody whom all who may know of an attack on the target may know, by number."""
    audience = attack_audience(attacker.rule, attacker.combatant.id, target.id)
    return counting(attacker.rule, fighters, audience)


INSPECTIONS: Final = (
    Inspection(
        name="cover",
        says="The cover, concealment and flanking of everybody against one attacker.",
        query=CoverQuery,
        answer=CoverTable,
        inspect=cover,
    ),
)
