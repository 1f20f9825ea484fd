"""What a creation states of a battle, and how it becomes event 1 and the blobs it names."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import creation_of
from service.engine.battle.setup import Header
from service.errors import Malformed
from service.rulesets.seeker_d100.actions import Battle, Configure, CreateBattle
from service.rulesets.seeker_d100.content import (
    BUILT_IN,
    Blob,
    Content,
    MapInput,
    content_blob,
    map_blob,
)
from service.rulesets.seeker_d100.deciding.join_battle import whole_weapon
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.state import MAX_COMBATANTS, Combatant, Options
from service.rulesets.seeker_d100.terrain import MAX_COVERS, CoverChange
from service.rulesets.seeker_d100.weapons import BARE_HANDS

SLUG: Final = "seeker-d100"
VERSION: Final = "1"


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle to create. `battle` makes it a prepared one: a battle in progress.

    `content` replaces the sample weapons and armour of the rulebook. Without a map there is no
    cover but what the game master adds; `hidden_cover` only he knows until an attack meets it.
    """

    options: Options = Options()
    """What the table chose; each option left out has its default."""
    map: MapInput | UnsetType = UNSET
    """Covers that everybody knows from the start; absent: no cover at all."""
    content: Content = BUILT_IN
    """Samples of weapons and armour; absent: those of the rulebook."""
    hidden_cover: Annotated[tuple[CoverChange, ...], Meta(max_length=MAX_COVERS)] = ()
    """Covers, in metres, that only the game master knows until an attack meets them; one with the
    id of a cover of the map is the truth behind it.
    """
    combatants: Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    """Who takes part from the start, in the order in which they get numbers and cards."""
    battle: Battle | UnsetType = UNSET
    """Round, cards and turn of a battle in progress; absent: it begins with round 1."""


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup.

    Raises Malformed for an aim or a prepared answer that no battle leads to. They are refused here
    and not where event 1 is decided: encounters that were stored with them are still audited clean.
    """
    for index, combatant in enumerate(setup.combatants):
        _require_in_progress(setup, combatant, f"$.setup.combatants[{index}]")
    content, *maps = header.digests
    terms = creation_of(CreateBattle, (SLUG, VERSION), header, setup.options, setup.combatants)
    return replace(
        terms,
        map=maps[0] if maps else UNSET,
        content=content,
        hidden_cover=setup.hidden_cover,
        battle=setup.battle,
    )


def _require_in_progress(setup: Setup, combatant: Combatant, path: str) -> None:
    """Aim was taken in a round that has begun; one dodges without a weapon and resists with one
    hand to hand, or bare hands (SK-AIM-1, SK-REACT-3, SK-RES-1).
    """
    begun = 1 if setup.battle is UNSET else setup.battle.round
    if combatant.aim is not UNSET and combatant.aim.round > begun:
        raise Malformed(path=f"{path}.aim.round", allowed=f"{begun} at most")
    answering = combatant.answering
    if answering is UNSET:
        return
    item = None if answering.item is UNSET else answering.item
    fits = item is None if answering.kind == "dodge" else _is_melee_weapon(setup, combatant, item)
    if not fits:
        raise Malformed(
            path=f"{path}.answering.item",
            allowed="absent with dodge, else a melee weapon of its own or w_unarmed",
        )


def _is_melee_weapon(setup: Setup, combatant: Combatant, item: str | None) -> bool:
    """Whether the combatant has a weapon of this id that resists; bare hands need not be stated."""
    for weapon in combatant.weapons:
        if weapon.id == item:
            skill = whole_weapon(setup.content.weapons, weapon).skill
            return skill is not UNSET and is_melee_skill(skill)
    return item == BARE_HANDS


def blobs(stated: object) -> tuple[Blob, ...]:
    """Content and map of a setup, or of a `configure` that states others. Raises Malformed."""
    if not isinstance(stated, Setup | Configure):
        return ()
    content = () if stated.content is UNSET else (content_blob(stated.content),)
    maps = () if stated.map is UNSET else (map_blob(stated.map),)
    return (*content, *maps)
