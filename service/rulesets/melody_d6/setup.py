"""What a creation states of a battle, and how it becomes event 1 and the blobs it names."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import creation_of
from service.engine.battle.setup import Header
from service.engine.vocabulary.values import SideId
from service.rulesets.melody_d6.actions import Battle, Configure, CreateBattle
from service.rulesets.melody_d6.content import Blob, Content
from service.rulesets.melody_d6.content_checks import content_blob
from service.rulesets.melody_d6.map_check import map_blob
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.misfits import misfit, require_once
from service.rulesets.melody_d6.options import Options, without_later
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.state import (
    MAX_COMBATANTS,
    MAX_SONGS,
    MAX_UNITS,
    Combatant,
    Edge,
    Force,
    Points,
    Song,
    Unit,
)

SLUG: Final = "melody-d6"
VERSION: Final = "1"

EDGES: Final[tuple[Edge, Edge]] = ("west", "east")
"""Home edges of the first and the second side where none is stated."""


class SetupSide(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one of the two sides has."""

    id: SideId
    """Id of the side, one of the battle's."""
    home_edge: Edge | UnsetType = UNSET
    """Edge of the table that its warriors flee to (ML-PANIC-3); absent: `west` for the first side,
    `east` for the second."""
    fp: Points | UnsetType = UNSET
    """FP it has in a battle in progress; absent: `fp_per_turn` in its own turn, else 0."""
    dampenings: Annotated[int, Meta(ge=0, le=MAX_SONGS)] = 0
    """Attempts at lasting Melodies that it has made in this round (ML-LAST-7)."""


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle to create, of exactly two sides. `battle` makes it a prepared one.

    A prepared battle is one in progress: nobody is checked for whether it could have masked where
    it stands, and nothing that begins with a turn happens at its start.
    """

    options: Options = Options()
    """What this table chooses among the rules' variants; what is left out has its default."""
    map: MapInput | UnsetType = UNSET
    """The table and its terrain; absent: 36,000 by 24,000 u without terrain."""
    content: Content = SAMPLE
    """Weapons, Melodies, templates and mistake tables; absent: the sample of the rulebook."""
    sides: Annotated[tuple[SetupSide, ...], Meta(max_length=2)] = ()
    """What the two sides have; each one that is left out has its defaults."""
    units: Annotated[tuple[Unit, ...], Meta(max_length=MAX_UNITS)] = ()
    """All units in upload order, each with at least one member."""
    combatants: Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    """All warriors in upload order, which breaks every tie."""
    songs: Annotated[tuple[Song, ...], Meta(max_length=MAX_SONGS)] = ()
    """Lasting Melodies that are in play already; sheets name those that affect them."""
    battle: Battle | UnsetType = UNSET
    """Round, turn and activation of a battle in progress; absent: it begins anew."""


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup.

    Raises Refused("invalid_setup") unless there are two sides and the setup speaks of them,
    Malformed for an option of a later version.
    """
    sides = tuple(side.id for side in header.sides)
    if len(sides) != len(EDGES):
        raise misfit("side_count", "$.sides")
    require_once([each.id for each in setup.sides], "$.setup.sides", ".id")
    for index, each in enumerate(setup.sides):
        if each.id not in sides:
            raise misfit("unknown_reference", f"$.setup.sides[{index}].id", id=each.id)
    content, *maps = header.digests
    options = without_later(setup.options, "$.setup.options")
    terms = creation_of(CreateBattle, (SLUG, VERSION), header, options, setup.combatants)
    stated = {each.id: each for each in setup.sides}
    return replace(
        terms,
        map=maps[0] if maps else UNSET,
        content=content,
        forces=tuple(
            _force(side, edge, stated, setup) for side, edge in zip(sides, EDGES, strict=True)
        ),
        units=setup.units,
        songs=setup.songs,
        battle=setup.battle,
    )


def blobs(stated: object) -> tuple[Blob, ...]:
    """Content and map of a setup, or of a `configure` that states others.

    Raises Refused("invalid_setup"), Malformed.
    """
    if not isinstance(stated, Setup | Configure):
        return ()
    content = () if stated.content is UNSET else (content_blob(stated.content),)
    maps = () if stated.map is UNSET else (map_blob(stated.map),)
    return (*content, *maps)


def _force(side: str, edge: Edge, stated: Mapping[str, SetupSide], setup: Setup) -> Force:
    """What a side begins with."""
    own = stated.get(side, SetupSide(id=side))
    has_turn = setup.battle is not UNSET and setup.battle.turn_side == side
    points = setup.options.fp_per_turn if has_turn else 0
    return Force(
        side=side,
        home_edge=edge if own.home_edge is UNSET else own.home_edge,
        fp=points if own.fp is UNSET else own.fp,
        dampenings=own.dampenings,
    )
