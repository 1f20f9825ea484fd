"""What a creation states of a battle, and how it becomes event 1 and the blobs it names."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import creation_of
from service.engine.battle.setup import Header
from service.engine.vocabulary.values import Side
from service.rulesets.squad_d100.actions import Battle, Configure, CreateBattle
from service.rulesets.squad_d100.deciding.join_battle import require_sheet
from service.rulesets.squad_d100.doorways import doors_of
from service.rulesets.squad_d100.map_text import blob_of, imported, sides_of
from service.rulesets.squad_d100.maps import MapBlob, MapImport
from service.rulesets.squad_d100.state import MAX_COMBATANTS, Combatant, Options

SLUG: Final = "squad-d100"
VERSION: Final = "1"


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle to create. `battle` makes it a prepared one: a battle in progress.

    Sides of units on the map that the creation does not name follow those that it names. Without a
    map the battle cannot start.
    """

    options: Options = Options()
    """What this table chooses among the rules' variants; what is left out has its default."""
    map: MapImport | UnsetType = UNSET
    """The ground as text with its units; absent, `configure` lays one later."""
    combatants: Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    """Those who are there besides the units of the map, in their order of entry."""
    battle: Battle | UnsetType = UNSET
    """Round, order and turn of a battle in progress; absent, the battle begins anew."""


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup.

    Raises what the import of a map does, and Malformed for a sheet that does not fit together.
    """
    terms = creation_of(CreateBattle, (SLUG, VERSION), header, setup.options, setup.combatants)
    terms = replace(terms, battle=setup.battle)
    if setup.map is UNSET:
        return terms
    laid = imported(setup.map, setup.options.glyph_folding)
    for unit, path in zip(laid.combatants, laid.paths, strict=True):
        require_sheet(unit, path.replace("$", "$.setup", 1))
    stated = [side.id for side in header.sides]
    brought = [Side(id=side) for side in sides_of(laid.combatants) if side not in stated]
    return replace(
        terms,
        sides=(*header.sides, *brought),
        map=header.digests[0] if header.digests else UNSET,
        combatants=(*laid.combatants, *setup.combatants),
        map_units=tuple(each.id for each in laid.combatants),
        folds=laid.folds,
        caches=laid.caches,
        doors=doors_of(laid, are_open=setup.options.doors_open),
    )


def blobs(stated: object) -> tuple[MapBlob, ...]:
    """The map of a setup, or of a `configure` that lays another one; none that cannot be read."""
    if isinstance(stated, Setup | Configure) and stated.map is not UNSET:
        blob = blob_of(stated.map)
        return () if blob is None else (blob,)
    return ()
