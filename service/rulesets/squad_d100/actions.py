"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.kit.targets import require_one
from service.engine.visibility.audience import (
    BEARER,
    CHOICE,
    EVERYONE,
    GM,
    HEALTH,
    TEXT,
    MentionId,
    SubjectId,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Metadata
from service.errors import Malformed
from service.rulesets.squad_d100.maps import Fold, MapImport
from service.rulesets.squad_d100.rules.words import Posture
from service.rulesets.squad_d100.sheets import Health
from service.rulesets.squad_d100.state import (
    MAX_COMBATANTS,
    BattleState,
    Cache,
    Combatant,
    Options,
)
from service.rulesets.squad_d100.terrain import MAX_CHANGES, Cell, TerrainChange
from service.rulesets.squad_d100.weapons import ItemId

Stat = Literal[
    "strength",
    "agility",
    "accuracy",
    "endurance",
    "armour_class",
    "melee_ap",
    "health_max",
    "heavy_wounds",
    "light_wounds",
]
"""The numbers of a sheet that the game master may set."""

GmModifier = Annotated[int, Meta(ge=-1000, le=1000)]
"""What the game master adds to each d100 of an action."""


class Aim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one shot is aimed at: a combatant, or an object in a cell."""

    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant shot at; absent for an object."""
    cell: Annotated[Cell | UnsetType, EVERYONE] = UNSET
    """Cell of the cargo or fuel shot at; absent for a combatant."""


class RolledDeed(do.CombatantAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of the shooting phase whose rolls the game master may change."""

    GM_FIELDS: ClassVar[tuple[str, ...]] = ("gm_modifier",)

    gm_modifier: Annotated[GmModifier | UnsetType, EVERYONE] = UNSET
    """Added to every d100 of the action, by the game master alone: below 0 it helps. Absent: 0."""

    @property
    def added(self) -> int:
        """What the game master adds to every d100 of the action."""
        return 0 if self.gm_modifier is UNSET else self.gm_modifier


class AimedFire(RolledDeed, do.FormedAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fire at one target, a combatant or an object."""

    weapon: Annotated[ItemId, EVERYONE]
    """Id of a weapon of the shooter's."""
    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant shot at; absent for an object."""
    cell: Annotated[Cell | UnsetType, EVERYONE] = UNSET
    """Cell of the cargo or fuel shot at; absent for a combatant."""

    def require_form(self) -> None:
        """It names a combatant or a cell. Raises Malformed."""
        require_one(self, "target", "cell")


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Walk along `path`, in the movement phase; enemies on watch may shoot at every step."""

    path: Annotated[Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=64)], EVERYONE]
    """Cells in order, each next to the one before, without the cell where the walk begins. A step
    costs 4 movement points, a diagonal one 6 (SQ-MOVE-2, SQ-MOVE-3)."""


class Kneel(do.CombatantAction, frozen=True, kw_only=True, tag="kneel", forbid_unknown_fields=True):
    """Kneel down, for 4 movement points."""


class Stand(do.CombatantAction, frozen=True, kw_only=True, tag="stand", forbid_unknown_fields=True):
    """Stand up, for 8 movement points."""


class ToggleDoor(
    do.CombatantAction, frozen=True, kw_only=True, tag="toggle_door", forbid_unknown_fields=True
):
    """Open or close a door in a cell beside; enemies on watch may shoot."""

    cell: Annotated[Cell, EVERYONE]
    """Cell of the door, at distance 1."""


class PickUp(
    do.CombatantAction, frozen=True, kw_only=True, tag="pick_up", forbid_unknown_fields=True
):
    """Pick up weapons and ammunition in the own cell: all magazines are full then."""


class Sprint(
    do.CombatantAction, frozen=True, kw_only=True, tag="sprint", forbid_unknown_fields=True
):
    """More movement points instead of the shooting phase, once a turn."""


class EndMovement(
    do.CombatantAction, frozen=True, kw_only=True, tag="end_movement", forbid_unknown_fields=True
):
    """Go on to the shooting phase; movement points that are left are lost."""


class AimedShot(AimedFire, frozen=True, kw_only=True, tag="aimed_shot", forbid_unknown_fields=True):
    """One shot; uses the shooting phase."""


class SnapShots(
    RolledDeed,
    do.FormedAction,
    frozen=True,
    kw_only=True,
    tag="snap_shots",
    forbid_unknown_fields=True,
):
    """Two shots at +10 each, or with two hands; uses the shooting phase."""

    weapon: Annotated[ItemId | UnsetType, EVERYONE] = UNSET
    """Id of a weapon of the shooter's; absent with two hands."""
    dual: Annotated[bool, EVERYONE] = False
    """Whether the shooter uses two hands (SQ-SHOOT-8)."""
    weapons: Annotated[
        Annotated[tuple[ItemId, ...], Meta(min_length=2, max_length=2)] | UnsetType, EVERYONE
    ] = UNSET
    """Ids of two pistols or revolvers, which take turns; absent unless `dual`."""
    targets: Annotated[Annotated[tuple[Aim, ...], Meta(min_length=1, max_length=8)], EVERYONE]
    """What each shot is aimed at, in order: 2 shots, with two hands 2 for each shot of a hand."""

    def require_form(self) -> None:
        """One weapon, or two with two hands; each shot names one target. Raises Malformed."""
        if self.dual is (self.weapons is UNSET):
            raise Malformed(path="$.weapons", allowed="two with dual, else absent")
        if self.dual is (self.weapon is not UNSET):
            raise Malformed(path="$.weapon", allowed="absent with dual, else one")
        for index, aim in enumerate(self.targets):
            if (aim.target is UNSET) == (aim.cell is UNSET):
                raise Malformed(path=f"$.targets[{index}].target", allowed="either target or cell")


class Burst(AimedFire, frozen=True, kw_only=True, tag="burst", forbid_unknown_fields=True):
    """Five rounds of an automatic weapon at +30 each; uses the shooting phase."""


class Suppress(
    do.CombatantAction, frozen=True, kw_only=True, tag="suppress", forbid_unknown_fields=True
):
    """Fifteen rounds of an automatic weapon that pin a target down; uses the shooting phase."""

    weapon: Annotated[ItemId, EVERYONE]
    """Id of an automatic weapon of the shooter's."""
    target: Annotated[SubjectId, EVERYONE]
    """Id of the combatant to suppress."""


class ThrowGrenade(
    RolledDeed, frozen=True, kw_only=True, tag="throw_grenade", forbid_unknown_fields=True
):
    """Throw a grenade into a cell; uses the shooting phase."""

    grenade: Annotated[ItemId, EVERYONE]
    """Id of grenades of the thrower's."""
    cell: Annotated[Cell, EVERYONE]
    """Cell to throw it into, at most half the strength away (SQ-GREN-1)."""


class MeleeAttack(
    RolledDeed, frozen=True, kw_only=True, tag="melee_attack", forbid_unknown_fields=True
):
    """Strike somebody within reach; uses the shooting phase."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the combatant to strike."""


class Reload(
    do.CombatantAction, frozen=True, kw_only=True, tag="reload", forbid_unknown_fields=True
):
    """Fill the magazine of a weapon; uses the shooting phase."""

    weapon: Annotated[ItemId, EVERYONE]
    """Id of a weapon of the combatant's."""


AnyChoice = PassChoice | RollChoice
"""What an answer may choose."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision: state the faces of the table's dice."""

    choice: Annotated[AnyChoice, CHOICE]
    """One of the decision's `options`."""


class Configure(
    do.Configure, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True
):
    """Set all options anew, lay another map, or state other metadata, before the start.

    A new map takes the units of the one before with it, and its changed terrain.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    """All options: what is left out has its default; absent: they stay as they are."""
    map: Annotated[MapImport | UnsetType, GM] = UNSET
    """The ground and its units from now on; absent: they stay as they are."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """JSON object of the table's own, as a string; absent: it stays as it is."""


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a combatant in; in a running battle its first turn is in the next round."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet: an id new to the battle, a side of the battle, a free cell or none."""


class SetTerrain(
    do.SetTerrain, frozen=True, kw_only=True, tag="set_terrain", forbid_unknown_fields=True
):
    """State cells anew; it moves and harms nobody who stands there."""

    cells: Annotated[
        Annotated[tuple[TerrainChange, ...], Meta(min_length=1, max_length=MAX_CHANGES)], EVERYONE
    ]
    """Cells as they are from now on; the last one stated for a place counts."""


class SetPosture(alter.Change, frozen=True, kw_only=True, tag="posture"):
    """Stand or kneel."""

    posture: Annotated[Posture, EVERYONE]
    """Posture from now on."""


class SetCondition(alter.SetCondition, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[Literal["watch"], EVERYONE]
    """`watch`: looks out for enemies; who is down follows from the health."""


class SetResource(alter.SetResource, frozen=True, kw_only=True, tag="resource"):
    """Movement points of its turn, rounds of a weapon, or grenades."""

    resource: Annotated[Literal["mp", "rounds", "grenades"], EVERYONE]
    """`mp`: movement points, of whose turn it is alone; `rounds` and `grenades` of `item`."""
    item: Annotated[ItemId | UnsetType, EVERYONE] = UNSET
    """Id of the weapon or the grenades; absent for `mp`."""


class SetStat(alter.SetStat, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]
    """Which number: an attribute before wounds (0 to 1,000), `armour_class` and `melee_ap` (0 to
    100), `health_max` (1 to 100,000), or how many wounds there are (0 to 10,000)."""


class SetHp(alter.SetHp, frozen=True, kw_only=True, tag="hp"):
    """Health has this value; who has none is down, who has some is not."""

    value: Annotated[Health, HEALTH]
    """Hit points from now on."""


class LiftSuppression(alter.Change, frozen=True, kw_only=True, tag="lift_suppression"):
    """No fire pins it down any more."""


AnyChange = (
    SetHp
    | alter.SetPlace
    | SetPosture
    | SetCondition
    | SetResource
    | SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
    | LiftSuppression
)
"""One thing the game master overrules."""


class Adjust(do.Adjust, frozen=True, kw_only=True, tag="adjust", forbid_unknown_fields=True):
    """Overrule: the changes are taken as given, in their order; draws nothing by itself."""

    changes: Annotated[
        Annotated[tuple[AnyChange, ...], Meta(min_length=1, max_length=100)], EVERYONE, BEARER
    ]
    """What is overruled, one after the other."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Why, as a remark in the log; absent: none. No rule reads it."""


Deed = (
    Move
    | Kneel
    | Stand
    | ToggleDoor
    | PickUp
    | Sprint
    | EndMovement
    | AimedShot
    | SnapShots
    | Burst
    | Suppress
    | ThrowGrenade
    | MeleeAttack
    | Reload
    | do.EndTurn
)
"""What a combatant does in its turn."""

AnyAction: TypeAlias = Deed | do.SharedAction[Configure, AddCombatant, SetTerrain, Adjust, Answer]
"""Everything that may be asked of a battle that exists."""


class OrderPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place in the order of turns of the present round."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the combatant who has it."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, its order of turns and whose turn it is.

    Without an order it is made at the start; without a turn the first of the order begins.
    """

    round: Annotated[Annotated[int, Meta(ge=1, le=100_000)], EVERYONE] = 1
    """Number of the present round."""
    order: Annotated[
        Annotated[tuple[OrderPlace, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """The order of turns of this round, the first to act first; whoever is left out has its first
    turn in the next."""
    turn: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant, one of the order, whose turn it is; absent: the first one able to act
    begins."""


class CreateBattle(
    do.CreateEncounter,
    frozen=True,
    kw_only=True,
    tag="create_encounter",
    forbid_unknown_fields=True,
):
    """Event 1 of a battle."""

    WHO: ClassVar[do.Who] = "gm"

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Those who are there from the beginning: the units of the map, then the others."""
    map_units: Annotated[tuple[MentionId, ...], GM] = ()
    """Ids of those who came with the map."""
    folds: Annotated[tuple[Fold, ...], EVERYONE] = ()
    """Characters of the map that were read as glyphs they look like."""
    caches: Annotated[tuple[Cache, ...], GM] = ()
    """What lies in cells of `weapons_ammo`."""
    doors: Annotated[tuple[Cell, ...], EVERYONE] = ()
    """Doors of the map that stand open."""
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
    """Round, order and turn of a battle in progress; absent, the battle begins anew."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
