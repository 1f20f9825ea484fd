"""Whom a template would cover."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import State
from service.engine.geometry.templates import Coverage
from service.engine.kit.inspections import CombatantId
from service.engine.kit.targets import require_one
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Coordinate, Word
from service.errors import Malformed, Refused
from service.rulesets.melody_d6.actions import Sing
from service.rulesets.melody_d6.content import content_of
from service.rulesets.melody_d6.deciding.requirements import require_melody
from service.rulesets.melody_d6.deciding.targets import require_aim, under
from service.rulesets.melody_d6.inspections.pairs import require_present
from service.rulesets.melody_d6.melodies import AnyTemplate, DiscTemplate
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.rules.targets import require_direction
from service.rulesets.melody_d6.shapes import laid, shape_of
from service.rulesets.melody_d6.state import BattleState, Combatant
from service.rulesets.melody_d6.weapons import ContentId


class CoverageQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which template lies where; of a Melody, or of the content by itself."""

    combatant: CombatantId | UnsetType = UNSET
    """Id of the singer: where a ray begins; not needed for a disc without a Melody."""
    melody: ContentId | UnsetType = UNSET
    """Id of the Melody; absent where a template is stated."""
    template: ContentId | UnsetType = UNSET
    """Id of the template; absent where a Melody is stated."""
    x: Coordinate
    """u to the east: of a disc's centre, or of the point that a ray is aimed at."""
    y: Coordinate
    """u to the south: of a disc's centre, or of the point that a ray is aimed at."""


class CoveredBase(Struct, frozen=True, kw_only=True):
    """Somebody under a template."""

    combatant: str
    """Id of the warrior."""
    coverage: Coverage
    """`full`: affected without a die (ML-TPL-1); `part`: by a die (ML-TPL-2)."""


class TemplateCoverage(Struct, frozen=True, kw_only=True):
    """Whom a template would cover if it lay so, whatever turns and dice say."""

    shape: Shape
    """The template as it would lie."""
    refused: Word | UnsetType = UNSET
    """Why the Melody could not be sung there: `off_table`, `out_of_range` or `no_line_of_sight`;
    absent where it could, and without a Melody."""
    combatants: tuple[CoveredBase, ...]
    """Friend and foe on the table under it, in the order of entry."""


def inspect_coverage(
    state: State[BattleState], query: CoverageQuery, _: Viewer
) -> TemplateCoverage:
    """The template as it would lie, and who would be under it.

    Raises Malformed, Refused("unknown_combatant"), ("actor_incapacitated"), ("unknown_melody") or
    ("zero_direction").
    """
    require_one(query, "melody", "template")
    rule, spot = state.rule, (query.x, query.y)
    singer = UNSET if query.combatant is UNSET else require_present(rule, query.combatant)
    template = _template(state, query)
    if isinstance(template, DiscTemplate):
        shape = shape_of(template, spot, spot)
    elif singer is UNSET:
        raise Malformed(path="$.combatant", allowed="the singer, where a ray begins")
    else:
        require_direction(spot_of(singer), spot)
        shape = shape_of(template, spot_of(singer), spot)
    placed = laid(shape)
    reached = () if placed is None else under(rule, placed, query.combatant or "")
    covered = {each.combatant: each.coverage for each in reached}
    return TemplateCoverage(
        shape=shape,
        refused=UNSET if singer is UNSET else _refusal_of_song(state, query, singer),
        combatants=tuple(
            CoveredBase(combatant=each.id, coverage=covered[each.id])
            for each in rule.combatants
            if each.id in covered
        ),
    )


def _template(state: State[BattleState], query: CoverageQuery) -> AnyTemplate:
    """The template asked about. Raises Malformed or Refused("unknown_melody")."""
    templates = {each.id: each for each in content_of(state).templates}
    if query.melody is UNSET:
        stated, field = query.template, "template"
    else:
        if query.combatant is UNSET:
            raise Malformed(path="$.combatant", allowed="the singer of the Melody")
        melody = require_melody(state, query.melody)
        stated, field = melody.template, "melody"
    if stated is UNSET or stated not in templates:
        allowed = "a Melody with a template" if field == "melody" else ", ".join(templates)
        raise Malformed(path=f"$.{field}", allowed=allowed)
    return templates[stated]


def _refusal_of_song(
    state: State[BattleState], query: CoverageQuery, singer: Combatant
) -> str | UnsetType:
    """Why the Melody could not be sung there, if it is asked about one."""
    if query.melody is UNSET:
        return UNSET
    melody = require_melody(state, query.melody)
    point = Point(x=query.x, y=query.y)
    song = Sing(
        combatant=singer.id,
        melody=melody.id,
        point=point if melody.targeting == "point" else UNSET,
        aim=point if melody.targeting == "ray" else UNSET,
    )
    try:
        require_aim(state, singer, melody, song)
    except Refused as refusal:
        return refusal.code
    return UNSET
