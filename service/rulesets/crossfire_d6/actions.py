"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine import actions as do
from service.engine.audience import (
    BEARER,
    CHOICE,
    EVERYONE,
    GM,
    HEALTH,
    NUMBERS,
    SECRET,
    TEXT,
    MentionId,
    SubjectId,
)
from service.engine.geometry.arcs import Facing
from service.engine.vocabulary import LongText, Metadata
from service.rulesets.crossfire_d6.maps import MapInput
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.state import (
    MAX_COMBATANTS,
    Combatant,
    Condition,
    Options,
    Score,
    Turns,
    WeaponId,
)
from service.rulesets.crossfire_d6.terrain import Cell, GroundBorder, GroundCell, HiddenTerrain

Stat = Literal[
    "speed_ft",
    "agi_pool",
    "int_pool",
    "pin_resistance",
    "melee_defence",
    "ranged_defence",
    "soak",
    "health_max",
]
"""The numbers of a sheet that the game master may set."""


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Walk along `path`, the cells of the space's north-west cell; costs an action.

    The posture at the end is the named one, else `open`.
    """

    path: Annotated[Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=200)], EVERYONE]
    posture: Annotated[Posture | UnsetType, EVERYONE] = UNSET
    facing: Annotated[Facing | UnsetType, EVERYONE] = UNSET


class ChangePosture(
    do.CombatantAction, frozen=True, kw_only=True, tag="change_posture", forbid_unknown_fields=True
):
    """Take cover, go behind it or come out, in the same cell; costs an action."""

    posture: Annotated[Posture, EVERYONE]


class SetFacing(
    do.CombatantAction, frozen=True, kw_only=True, tag="set_facing", forbid_unknown_fields=True
):
    """Look another way; free, in one's own turn."""

    facing: Annotated[Facing, EVERYONE]


class RangedAttack(
    do.CombatantAction, frozen=True, kw_only=True, tag="ranged_attack", forbid_unknown_fields=True
):
    """Shoot; costs an action. `reckless` shoots without regard for an ally near the target."""

    weapon: Annotated[WeaponId, EVERYONE]
    target: Annotated[SubjectId, EVERYONE]
    reckless: Annotated[bool, EVERYONE] = False


class MeleeAttack(
    do.CombatantAction, frozen=True, kw_only=True, tag="melee_attack", forbid_unknown_fields=True
):
    """Strike; costs an action."""

    weapon: Annotated[WeaponId, EVERYONE]
    target: Annotated[SubjectId, EVERYONE]


class Hide(do.CombatantAction, frozen=True, kw_only=True, tag="hide", forbid_unknown_fields=True):
    """Shake off an enemy's suppression by agility against intellect; costs an action."""

    against: Annotated[SubjectId, EVERYONE]


class GoProne(
    do.CombatantAction, frozen=True, kw_only=True, tag="go_prone", forbid_unknown_fields=True
):
    """Lie down; free."""


class StandUp(
    do.CombatantAction, frozen=True, kw_only=True, tag="stand_up", forbid_unknown_fields=True
):
    """Get up; costs an action."""


class Configure(do.Action, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True):
    """Set all options anew, lay another map, or state other metadata, before the start.

    A new map begins without changed and hidden terrain.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    map: Annotated[MapInput | UnsetType, EVERYONE] = UNSET
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a combatant in; in a running battle it rolls initiative at once."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class SetTerrain(
    do.Action, frozen=True, kw_only=True, tag="set_terrain", forbid_unknown_fields=True
):
    """State cells and borders anew, whole; `secret` ones only the game master knows."""

    cells: Annotated[Annotated[tuple[GroundCell, ...], Meta(max_length=4096)], EVERYONE] = ()
    borders: Annotated[Annotated[tuple[GroundBorder, ...], Meta(max_length=4096)], EVERYONE] = ()
    secret: Annotated[bool, EVERYONE, SECRET] = False


class SetCondition(do.SetCondition, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[Condition, EVERYONE]


class SetResource(do.SetResource, frozen=True, kw_only=True, tag="resource"):
    """The actions left in this turn."""

    resource: Annotated[Literal["actions"], EVERYONE]
    value: Annotated[Annotated[int, Meta(ge=0, le=5)], EVERYONE]


class SetStat(do.SetStat, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]


class SetHp(do.SetHp, frozen=True, kw_only=True, tag="hp"):
    """Health has this value; falling follows from it, and so does coming round."""

    value: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH]


class SetPosition(do.Change, frozen=True, kw_only=True, tag="position"):
    """The position against one enemy, whatever the map says; without one the map counts again."""

    versus: Annotated[SubjectId, EVERYONE]
    position: Annotated[Position | UnsetType, EVERYONE] = UNSET


class SetPin(do.Change, frozen=True, kw_only=True, tag="pin"):
    """The turns counted by suppression; the origin stays unless it is stated."""

    count: Annotated[Turns, NUMBERS]
    origin: Annotated[Cell | UnsetType, EVERYONE] = UNSET


class FaceTo(do.Change, frozen=True, kw_only=True, tag="facing"):
    """Look that way."""

    facing: Annotated[Facing, EVERYONE]


class SetPosture(do.Change, frozen=True, kw_only=True, tag="posture"):
    """Hold this posture."""

    posture: Annotated[Posture, EVERYONE]


class SetReady(do.Change, frozen=True, kw_only=True, tag="ready"):
    """A weapon is ready (in hand and loaded), or is not."""

    weapon: Annotated[WeaponId, EVERYONE]
    ready: Annotated[bool, EVERYONE]


AnyChange = (
    SetHp
    | do.SetPlace
    | SetCondition
    | SetResource
    | SetStat
    | do.RevealCombatant
    | do.HideCombatant
    | SetPosition
    | SetPin
    | FaceTo
    | SetPosture
    | SetReady
)
"""One thing the game master overrules."""


class Adjust(do.Action, frozen=True, kw_only=True, tag="adjust", forbid_unknown_fields=True):
    """Overrule: the changes are taken as given, in their order; draws nothing."""

    changes: Annotated[
        Annotated[tuple[AnyChange, ...], Meta(min_length=1, max_length=100)], EVERYONE, BEARER
    ]
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[do.RollChoice | do.PassChoice, CHOICE]


AnyAction = (
    Move
    | ChangePosture
    | SetFacing
    | RangedAttack
    | MeleeAttack
    | Hide
    | GoProne
    | StandUp
    | do.EndTurn
    | Configure
    | AddCombatant
    | do.RemoveCombatant
    | do.AssignControl
    | do.AddSeat
    | do.ChangeSeat
    | do.RemoveSeat
    | do.StartEncounter
    | SetTerrain
    | Adjust
    | Answer
    | do.ForcePass
    | do.EndEncounter
    | do.Reveal
    | do.Erase
    | do.Contribute
    | do.NoteAction
    | do.Rewind
)
"""Everything that may be asked of a battle that exists."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, the order of turns and whose turn it is.

    Without a turn the first of the order begins; without an order initiative is rolled at the
    start. Whose turn it is has all actions left unless its sheet says otherwise.
    """

    round: Annotated[Annotated[int, Meta(ge=1, le=100_000)], EVERYONE] = 1
    order: Annotated[Annotated[tuple[Score, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE] = ()
    turn: Annotated[MentionId | UnsetType, EVERYONE] = UNSET


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
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    hidden_terrain: Annotated[HiddenTerrain | UnsetType, GM] = UNSET
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
