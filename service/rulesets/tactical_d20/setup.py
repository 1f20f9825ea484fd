"""What a creation states of a battle, and how it becomes event 1 and the blobs it names."""

from typing import Annotated, Final, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import creation_of
from service.engine.battle.setup import Header
from service.rulesets.tactical_d20.actions import Battle, Configure, CreateBattle
from service.rulesets.tactical_d20.maps import MapBlob, MapInput, blob_of
from service.rulesets.tactical_d20.rules.words import Gravity
from service.rulesets.tactical_d20.state import MAX_COMBATANTS, Combatant, Options
from service.rulesets.tactical_d20.terrain import HiddenTerrain

C = TypeVar("C", bound=CreateBattle)

SLUG: Final = "tactical-d20"
VERSION: Final = "1"


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle to create. `battle` makes it a prepared one: a battle in progress.

    Without a map the ground is free and has no edge.
    """

    options: Options = Options()
    """What this table chooses among the rules' variants; what is left out has its default."""
    gravity: Gravity = "normal"
    """Whether things have weight; in `zero` gravity the knocked down spin (TD-PRONE-4)."""
    map: MapInput | UnsetType = UNSET
    """The ground that everyone knows; absent, it is free and has no edge."""
    hidden_terrain: HiddenTerrain | UnsetType = UNSET
    """Ground laid over the map that only the game master knows until it is met; absent: none."""
    combatants: Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    """Those who are there from the beginning, in their order of entry; more may be added later."""
    battle: Battle | UnsetType = UNSET
    """Round, order and turn of a battle in progress; absent, the battle begins anew."""


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup."""
    return create_as(CreateBattle, VERSION, setup, header)


def create_as(kind: type[C], version: str, setup: Setup, header: Header) -> C:
    """The same in the type of a version."""
    terms = creation_of(kind, (SLUG, version), header, setup.options, setup.combatants)
    return replace(
        terms,
        gravity=setup.gravity,
        map=header.digests[0] if setup.map is not UNSET else UNSET,
        hidden_terrain=setup.hidden_terrain,
        battle=setup.battle,
    )


def blobs(stated: object) -> tuple[MapBlob, ...]:
    """The map of a setup, or of a `configure` that lays another one. Raises Malformed."""
    if isinstance(stated, Setup | Configure) and stated.map is not UNSET:
        return (blob_of(stated.map),)
    return ()
