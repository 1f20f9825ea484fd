"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.geometry.arcs import Heading
from service.engine.visibility.audience import (
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
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Metadata
from service.errors import Malformed
from service.rulesets.crossfire_d6.maps import MapInput
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.state import (
    MAX_COMBATANTS,
    BattleState,
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
    """Cells that the north-west cell of its space enters, each next to the one before; the cell
    where it stands is left out. At most `speed_ft` feet long, while prone one step."""
    posture: Annotated[Posture | UnsetType, EVERYONE] = UNSET
    """Posture at the end; all but `open` need solid or cover next to the space there. Absent:
    `open`."""
    facing: Annotated[Heading | UnsetType, EVERYONE] = UNSET
    """Where it looks at the end (CF-FACE-2); absent: as before."""


class ChangePosture(
    do.CombatantAction, frozen=True, kw_only=True, tag="change_posture", forbid_unknown_fields=True
):
    """Take cover, go behind it or come out, in the same cell; costs an action."""

    posture: Annotated[Posture, EVERYONE]
    """Another posture than the present one; all but `open` need solid or cover next to the
    space."""


class SetFacing(
    do.CombatantAction, frozen=True, kw_only=True, tag="set_facing", forbid_unknown_fields=True
):
    """Look another way; free, in one's own turn."""

    facing: Annotated[Heading, EVERYONE]
    """Where it looks from now on (CF-FACE-3)."""


class RangedAttack(
    do.CombatantAction, frozen=True, kw_only=True, tag="ranged_attack", forbid_unknown_fields=True
):
    """Shoot; costs an action. `reckless` shoots without regard for an ally near the target."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of a ready weapon of the attacker's, `ranged` or `both`."""
    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy to shoot at."""
    reckless: Annotated[bool, EVERYONE] = False
    """Shoot without the penalty for an ally near the target, whom a miss may hit; needs the option
    `allow_reckless_fire` (CF-ALLY-3)."""


class MeleeAttack(
    do.CombatantAction, frozen=True, kw_only=True, tag="melee_attack", forbid_unknown_fields=True
):
    """Strike; costs an action."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of a ready weapon of the attacker's, `melee` or `both`."""
    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy to strike, within the weapon's reach."""


class Hide(do.CombatantAction, frozen=True, kw_only=True, tag="hide", forbid_unknown_fields=True):
    """Shake off an enemy's suppression by agility against intellect; costs an action."""

    against: Annotated[SubjectId, EVERYONE]
    """Id of an enemy who gains dice of suppression against the hider now (CF-PIN-6)."""


class GoProne(
    do.CombatantAction, frozen=True, kw_only=True, tag="go_prone", forbid_unknown_fields=True
):
    """Lie down; free."""


class StandUp(
    do.CombatantAction, frozen=True, kw_only=True, tag="stand_up", forbid_unknown_fields=True
):
    """Get up; costs an action."""


class Configure(
    do.Configure, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True
):
    """Set all options anew, lay another map, or state other metadata, before the start.

    A new map begins without changed and hidden terrain.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    """All options: what is left out has its default; absent: they stay as they are."""
    map: Annotated[MapInput | UnsetType, EVERYONE] = UNSET
    """The ground from now on; absent: it stays as it is."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a combatant in; in a running battle it rolls initiative at once."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet: an id new to the battle, a side of the battle, a free place."""


class SetTerrain(
    do.SetTerrain,
    do.FormedAction,
    frozen=True,
    kw_only=True,
    tag="set_terrain",
    forbid_unknown_fields=True,
):
    """State cells and borders anew, whole; `secret` ones only the game master knows."""

    cells: Annotated[Annotated[tuple[GroundCell, ...], Meta(max_length=4096)], EVERYONE] = ()
    """Cells as they are from now on, what is left out having its default; the last one stated for a
    place counts."""
    borders: Annotated[Annotated[tuple[GroundBorder, ...], Meta(max_length=4096)], EVERYONE] = ()
    """Borders as they are from now on; the last one stated for a place counts."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """Whether only the game master knows of it until somebody meets it."""

    def require_form(self) -> None:
        """A cell or a border is stated. Raises Malformed."""
        if not (self.cells or self.borders):
            raise Malformed(path="$.cells", allowed="at least one cell or border")


class SetCondition(alter.SetCondition, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[Condition, EVERYONE]
    """The condition that is set or lifted."""


class SetResource(alter.SetResource, frozen=True, kw_only=True, tag="resource"):
    """The actions left in this turn."""

    resource: Annotated[Literal["actions"], EVERYONE]
    """Always `actions`, the one resource of these rules."""
    value: Annotated[Annotated[int, Meta(ge=0, le=5)], EVERYONE]
    """Actions left in this turn."""


class SetStat(alter.SetStat, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]
    """Which number: `speed_ft` in feet (up to 200), `agi_pool` and `int_pool` in d6 (30),
    `pin_resistance` in dice (20), the defences (200), `soak` and `health_max` in points
    (10,000)."""


class SetHp(alter.SetHp, frozen=True, kw_only=True, tag="hp"):
    """Health has this value; falling follows from it, and so does coming round."""

    value: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH]
    """Health points from now on: at 0 and less `helpless` or `dead` (CF-SD-4)."""


class SetPosition(alter.Change, frozen=True, kw_only=True, tag="position"):
    """The position against one enemy, whatever the map says; without one the map counts again."""

    versus: Annotated[SubjectId, EVERYONE]
    """Id of the enemy against whom the position counts."""
    position: Annotated[Position | UnsetType, EVERYONE] = UNSET
    """What counts instead of posture and map (CF-POS-1); absent: those count again."""


class SetPin(alter.Change, frozen=True, kw_only=True, tag="pin"):
    """The turns counted by suppression; the origin stays unless it is stated."""

    count: Annotated[Turns, NUMBERS]
    """Own turns counted from now on: dice of suppression (CF-PIN-1)."""
    origin: Annotated[Cell | UnsetType, EVERYONE] = UNSET
    """Cell from which staying is measured (CF-PIN-2); absent: it stays."""


class FaceTo(alter.Change, frozen=True, kw_only=True, tag="facing"):
    """Look that way."""

    facing: Annotated[Heading, EVERYONE]
    """Where it looks from now on."""


class SetPosture(alter.Change, frozen=True, kw_only=True, tag="posture"):
    """Hold this posture."""

    posture: Annotated[Posture, EVERYONE]
    """The posture from now on; whether there is cover is not asked."""


class SetReady(alter.Change, frozen=True, kw_only=True, tag="ready"):
    """A weapon is ready (in hand and loaded), or is not."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of one of its weapons."""
    ready: Annotated[bool, EVERYONE]
    """Whether the weapon is in hand and loaded from now on."""


AnyChange = (
    SetHp
    | alter.SetPlace
    | SetCondition
    | SetResource
    | SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
    | SetPosition
    | SetPin
    | FaceTo
    | SetPosture
    | SetReady
)
"""One thing the game master overrules."""


class Adjust(do.Adjust, frozen=True, kw_only=True, tag="adjust", forbid_unknown_fields=True):
    """Overrule: the changes are taken as given, in their order; draws nothing."""

    changes: Annotated[
        Annotated[tuple[AnyChange, ...], Meta(min_length=1, max_length=100)], EVERYONE, BEARER
    ]
    """What is overruled, one after the other."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Why, as a remark in the log; absent: none. No rule reads it."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[RollChoice | PassChoice, CHOICE]
    """`roll`, with the faces as `dice` beside the action; these rules ask for nothing but dice."""


AttackAction = RangedAttack | MeleeAttack
"""An attack on an enemy."""

Deed = (
    Move
    | ChangePosture
    | SetFacing
    | RangedAttack
    | MeleeAttack
    | Hide
    | GoProne
    | StandUp
    | do.EndTurn
)
"""What a combatant does in its turn."""


AnyAction: TypeAlias = Deed | do.SharedAction[Configure, AddCombatant, SetTerrain, Adjust, Answer]
"""Everything that may be asked of a battle that exists."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, the order of turns and whose turn it is.

    Without a turn the first of the order begins; without an order initiative is rolled at the
    start. Whose turn it is has all actions left unless its sheet says otherwise.
    """

    round: Annotated[Annotated[int, Meta(ge=1, le=100_000)], EVERYONE] = 1
    """Number of the present round."""
    order: Annotated[Annotated[tuple[Score, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE] = ()
    """The order of turns, the first to act first; whoever is left out rolls initiative at the
    start."""
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
    """Those who are there from the beginning, in their order of entry."""
    hidden_terrain: Annotated[HiddenTerrain | UnsetType, GM] = UNSET
    """Ground that only the game master knows until it is met; absent: none."""
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
    """Round, order and turn of a battle in progress; absent, the battle begins anew."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
