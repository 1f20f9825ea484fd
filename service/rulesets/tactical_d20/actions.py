"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import (
    BEARER,
    CHOICE,
    COUNTED,
    EVERYONE,
    GM,
    HEALTH,
    SECRET,
    TEXT,
    MentionId,
    OtherId,
    SubjectId,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import Choice, PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Metadata
from service.errors import Malformed
from service.rulesets.tactical_d20.maps import MapInput, require_whole
from service.rulesets.tactical_d20.rules.words import CoverGrade, Gravity
from service.rulesets.tactical_d20.state import (
    MAX_COMBATANTS,
    BattleState,
    Combatant,
    Condition,
    Options,
    Percent,
    Resource,
    Score,
)
from service.rulesets.tactical_d20.terrain import Borders, Cell, Cells, Corner, HiddenTerrain
from service.rulesets.tactical_d20.weapons import (
    AreaId,
    DamageDice,
    Difficulty,
    Radius,
    WeaponId,
)

Stat = Literal[
    "height_ft",
    "reach_ft",
    "eac",
    "kac",
    "reflex",
    "initiative",
    "speed_ft",
    "blur_pct",
    "health_max",
]
"""The numbers of a sheet that the game master may set."""


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Walk along `path`, the cells of the space's north-west cell; costs a move action.

    Before each step every enemy who controls the walker's space may attack out of turn.
    """

    path: Annotated[Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=200)], EVERYONE]
    """Cells that the north-west cell of its space enters, each next to the one before; the cell
    where it stands is left out. At most `speed_ft` feet long (TD-GEO-2), while prone one step."""


class Attack(
    do.CombatantAction, frozen=True, kw_only=True, tag="attack", forbid_unknown_fields=True
):
    """Strike or shoot at an enemy, as the weapon is; costs the standard action."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of a ready weapon of the attacker's."""
    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy to attack."""
    cover_corner: Annotated[Corner | UnsetType, EVERYONE] = UNSET
    """Corner of one of the attacker's cells that cover is judged from, also if it is worse; absent:
    the best one (TD-COVER-1)."""
    concealment_corner: Annotated[Corner | UnsetType, EVERYONE] = UNSET
    """Corner of one of the attacker's cells that concealment is judged from, only where the option
    `concealment_corner_chooser` is `attacker`; absent: the best one (TD-CONC-2)."""


class AttackCell(
    do.CombatantAction, frozen=True, kw_only=True, tag="attack_cell", forbid_unknown_fields=True
):
    """Strike or shoot at a cell where somebody unseen may be; costs the standard action."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of a ready weapon of the attacker's."""
    cell: Annotated[Cell, EVERYONE]
    """Cell that is attacked (TD-UNSEEN-2)."""
    cover_corner: Annotated[Corner | UnsetType, EVERYONE] = UNSET
    """Corner of one of the attacker's cells that cover is judged from; absent: the best one
    (TD-COVER-1)."""
    concealment_corner: Annotated[Corner | UnsetType, EVERYONE] = UNSET
    """Corner of one of the attacker's cells that concealment is judged from, only where the option
    `concealment_corner_chooser` is `attacker`; absent: the best one (TD-CONC-2)."""


class AreaAttack(
    do.CombatantAction,
    do.FormedAction,
    frozen=True,
    kw_only=True,
    tag="area_attack",
    forbid_unknown_fields=True,
):
    """Use an area effect of the sheet; costs the standard action.

    The game master, acting for somebody, may state radius, difficulty and damage instead.
    """

    GM_FIELDS: ClassVar[tuple[str, ...]] = ("radius_ft", "dc", "damage", "spread")

    area: Annotated[AreaId | UnsetType, EVERYONE] = UNSET
    """Id of one of the combatant's `areas`; absent where the game master states the effect."""
    origin: Annotated[Corner, EVERYONE]
    """Corner of the grid from which radius and lines are counted."""
    radius_ft: Annotated[Radius | UnsetType, EVERYONE] = UNSET
    """Radius in feet, by the game master alone; absent where `area` is stated."""
    dc: Annotated[Difficulty | UnsetType, EVERYONE] = UNSET
    """What a Reflex save must reach, by the game master alone; absent where `area` is stated."""
    damage: Annotated[DamageDice | UnsetType, EVERYONE] = UNSET
    """Damage for all, by the game master alone; absent where `area` is stated."""
    spread: Annotated[bool | UnsetType, EVERYONE] = UNSET
    """Whether it spreads round corners (TD-COVER-7), by the game master alone; absent where `area`
    is stated, and else as if false."""

    def require_form(self) -> None:
        """Either an area of the sheet, or radius, difficulty and damage. Raises Malformed."""
        stated = (self.radius_ft, self.dc, self.damage)
        is_own = self.area is not UNSET
        is_stated = all(each is not UNSET for each in stated)
        is_partly = any(each is not UNSET for each in (*stated, self.spread))
        if is_own == is_stated or (is_own and is_partly):
            raise Malformed(path="$.area", allowed="either area or radius_ft, dc and damage")


class DropProne(
    do.CombatantAction, frozen=True, kw_only=True, tag="drop_prone", forbid_unknown_fields=True
):
    """Lie down; costs the swift action."""


class StandUp(
    do.CombatantAction, frozen=True, kw_only=True, tag="stand_up", forbid_unknown_fields=True
):
    """Get up; costs a move action."""


class RightSelf(
    do.CombatantAction, frozen=True, kw_only=True, tag="right_self", forbid_unknown_fields=True
):
    """Stop spinning; costs a move action."""


class OpportunityChoice(
    Choice, frozen=True, kw_only=True, tag="opportunity_attack", forbid_unknown_fields=True
):
    """Attack out of turn; costs the reaction."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of a ready melee weapon of the attacker's that reaches the target."""


class PassWalkChoice(
    Choice, frozen=True, kw_only=True, tag="pass_walk", forbid_unknown_fields=True
):
    """Decline for the rest of this walk: nobody asks again before its further steps.

    From version 3 on, about walks alone.
    """


AnyChoice = OpportunityChoice | PassChoice | PassWalkChoice | RollChoice
"""What an answer may choose."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[AnyChoice, CHOICE]
    """One of the decision's `options`, with what it needs."""


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

    cells: Annotated[Cells, EVERYONE] = ()
    """Cells as they are from now on, what is left out having its default; the last one stated for a
    place counts."""
    borders: Annotated[Borders, EVERYONE] = ()
    """Borders as they are from now on; the last one stated for a place counts."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """Whether only the game master knows of it until somebody meets it."""

    def require_form(self) -> None:
        """A cell or a border is stated, each of them whole. Raises Malformed."""
        if not (self.cells or self.borders):
            raise Malformed(path="$.cells", allowed="at least one cell or border")
        require_whole(self.cells, "$.cells")
        require_whole(self.borders, "$.borders")


class SetCondition(alter.SetCondition, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not; in zero gravity whoever is knocked down spins instead."""

    condition: Annotated[Condition, EVERYONE]
    """The condition that is set or lifted; `prone` in zero gravity is `spinning` (TD-PRONE-4)."""


class SetResource(alter.SetResource, frozen=True, kw_only=True, tag="resource"):
    """The actions left in this turn, or the reaction."""

    resource: Annotated[Resource, EVERYONE]
    """`standard`, `move` or `swift`: an action of this turn; `reaction`: the one of the round."""
    value: Annotated[Annotated[int, Meta(ge=0, le=1)], EVERYONE]
    """1: it may be spent, 0: it may not."""


class SetStat(alter.SetStat, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]
    """Which number: `height_ft` 1 to 200 and `reach_ft` 0 to 100 in feet, `eac` and `kac` (-50 to
    200), `reflex` and `initiative` (-50 to 100), `speed_ft` 0 to 1,000 feet, `blur_pct` in per
    cent, `health_max` up to 10,000 points."""


class SetHp(alter.SetHp, frozen=True, kw_only=True, tag="hp"):
    """Health has this value; falling follows from it, and so does coming round."""

    value: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH]
    """Hit points from now on: at 0 and less `unconscious` or `dead` (TD-SD-3)."""


class SetReady(alter.Change, frozen=True, kw_only=True, tag="ready"):
    """A weapon is ready, or is not."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of one of its weapons."""
    ready: Annotated[bool, EVERYONE]
    """Whether the weapon is in hand from now on."""


class SetCoverOverride(alter.Change, frozen=True, kw_only=True, tag="cover_override"):
    """The cover against one attacker, whatever the map says; without one the map counts again."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the target whose cover is overruled."""
    versus: Annotated[OtherId, EVERYONE]
    """Id of the attacker against whom it counts."""
    grade: Annotated[CoverGrade, EVERYONE, COUNTED] = "none"
    """What counts instead of the map (TD-COVER-8): `total` forbids attacks."""
    lifted: Annotated[bool, EVERYONE] = False
    """True: the map counts again, and `grade` is not read."""


class SetConcealmentOverride(alter.Change, frozen=True, kw_only=True, tag="concealment_override"):
    """The concealment from one attacker, whatever map, light and blur say."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the target whose concealment is overruled."""
    versus: Annotated[OtherId, EVERYONE]
    """Id of the attacker against whom it counts."""
    percent: Annotated[Percent, EVERYONE, COUNTED] = 0
    """What counts instead, in per cent (TD-CONC-7)."""
    lifted: Annotated[bool, EVERYONE] = False
    """True: map, light and blur count again, and `percent` is not read."""


class SetGravity(alter.TableChange, frozen=True, kw_only=True, tag="gravity"):
    """Things have weight, or have none."""

    gravity: Annotated[Gravity, EVERYONE]
    """Gravity from now on; whoever is prone or spins stays so (TD-PRONE-4)."""


AnyChange = (
    SetHp
    | alter.SetPlace
    | SetCondition
    | SetResource
    | SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
    | SetReady
    | SetCoverOverride
    | SetConcealmentOverride
    | SetGravity
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


WaitingAction = Move | Attack | AttackCell
"""What may provoke attacks out of turn; the action that waits while they are decided on."""

Deed = Move | Attack | AttackCell | AreaAttack | DropProne | StandUp | RightSelf | do.EndTurn
"""What a combatant does in its turn."""

AnyAction: TypeAlias = Deed | do.SharedAction[Configure, AddCombatant, SetTerrain, Adjust, Answer]
"""Everything that may be asked of a battle that exists."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, the order of turns and whose turn it is.

    Without a turn the first of the order begins; without an order initiative is rolled at the
    start. Whose turn it is has the actions left that its sheet says.
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
    gravity: Annotated[Gravity, EVERYONE] = "normal"
    """Whether things have weight."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Those who are there from the beginning, in their order of entry."""
    hidden_terrain: Annotated[HiddenTerrain | UnsetType, GM] = UNSET
    """Ground that only the game master knows until it is met; absent: none."""
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
    """Round, order and turn of a battle in progress; absent, the battle begins anew."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
