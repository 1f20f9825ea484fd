"""What may be asked in a battle: the warriors' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import (
    ACTORS,
    BEARER,
    CHOICE,
    EVERYONE,
    HEALTH,
    TEXT,
    SubjectId,
    UnitId,
    UnitMention,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import Choice, PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Metadata, SideId
from service.rulesets.melody_d6.content import Content
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.points import PathPoint, Point
from service.rulesets.melody_d6.rules.songs import RerollSource
from service.rulesets.melody_d6.sheets import WoundsLeft
from service.rulesets.melody_d6.state import (
    MAX_COMBATANTS,
    MAX_SONGS,
    MAX_UNITS,
    BattleState,
    Combatant,
    Force,
    Phase,
    RoundNumber,
    Song,
    SongId,
    Unit,
    UnitKind,
)
from service.rulesets.melody_d6.terrain import MAX_FEATURES, FeatureChange
from service.rulesets.melody_d6.weapons import ContentId

Path = Annotated[tuple[Point, ...], Meta(max_length=12)]
"""Waypoints in order, the start not among them; none is refused as `path_empty`."""

Stat = Literal[
    "mobility",
    "move",
    "accuracy",
    "melee",
    "toughness",
    "armour",
    "courage",
    "sight",
    "health_max",
]
"""The numbers of a sheet that the game master may set."""

AdjustedCondition = Literal[
    "masked", "exposed", "on_guard", "fleeing", "stunned", "dazed", "hoarse"
]
"""The conditions that the game master may set and clear."""

DieIndexes = Annotated[tuple[Annotated[int, Meta(ge=0, le=100)], ...], Meta(max_length=20)]
"""Places of dice in a roll, from 0."""


class Activate(do.UnitAction, frozen=True, kw_only=True, tag="activate_unit"):
    """Activate a unit of the side whose turn it is (ML-TURN-3)."""


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Move along a path, in the movement phase; the enemy's guards may shoot."""

    path: Annotated[Path, EVERYONE]
    """Waypoints in order, without the point where it stands."""


class Charge(
    do.CombatantAction, frozen=True, kw_only=True, tag="charge", forbid_unknown_fields=True
):
    """Move into contact with an enemy (ML-MOVE-6)."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy."""
    path: Annotated[Path, EVERYONE]
    """Waypoints in order, without the point where it stands; the last within 100 u of the enemy."""


class Unmask(
    do.CombatantAction, frozen=True, kw_only=True, tag="unmask", forbid_unknown_fields=True
):
    """Leave masking."""


class Mask(do.JointAction, frozen=True, kw_only=True, tag="mask", forbid_unknown_fields=True):
    """Mask warriors of the active unit, once per activation (ML-MASK-1)."""

    combatants: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(min_length=1, max_length=20)], EVERYONE, ACTORS
    ]
    """Ids of the warriors who mask, each once."""


class EndMovement(
    do.UnitAction, frozen=True, kw_only=True, tag="end_movement", forbid_unknown_fields=True
):
    """Go on to the action phase; detection is rolled for."""


class Shoot(do.CombatantAction, frozen=True, kw_only=True, tag="shoot", forbid_unknown_fields=True):
    """Shoot at an enemy, in the action phase."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy."""
    weapon: Annotated[ContentId, EVERYONE]
    """Id of a weapon that the warrior carries."""


class Fight(do.CombatantAction, frozen=True, kw_only=True, tag="fight", forbid_unknown_fields=True):
    """Fight an enemy in contact, in the action phase (ML-FIGHT-1)."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy."""
    weapon: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of a melee weapon that the warrior carries; absent: its first, or none."""


class Sing(do.CombatantAction, frozen=True, kw_only=True, tag="sing", forbid_unknown_fields=True):
    """Sing a Melody, in the action phase (ML-SING-11)."""

    melody: Annotated[ContentId, EVERYONE]
    """Id of a Melody that the singer knows."""
    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the warrior it is for, where the Melody is for one; absent else."""
    point: Annotated[Point | UnsetType, EVERYONE] = UNSET
    """Where the centre of the template lies, where the Melody places one; absent else."""
    aim: Annotated[Point | UnsetType, EVERYONE] = UNSET
    """Point that the template of a ray is aimed at, any but the singer's centre; absent else."""


class Guard(do.CombatantAction, frozen=True, kw_only=True, tag="guard", forbid_unknown_fields=True):
    """Go on guard, in the action phase (ML-GUARD-1)."""


class EndActivation(
    do.UnitAction, frozen=True, kw_only=True, tag="end_activation", forbid_unknown_fields=True
):
    """The activation of a unit is over."""


class StopMelody(
    do.CombatantAction, frozen=True, kw_only=True, tag="stop_melody", forbid_unknown_fields=True
):
    """Stop one's lasting Melody, in either side's turn (ML-LAST-4)."""


class DampenLasting(
    do.CombatantAction, frozen=True, kw_only=True, tag="dampen_lasting", forbid_unknown_fields=True
):
    """Try to dampen a lasting Melody in play (ML-LAST-7)."""

    song: Annotated[SongId, EVERYONE]
    """Id of the song."""


class GuardShoot(
    do.CombatantAction, frozen=True, kw_only=True, tag="guard_shoot", forbid_unknown_fields=True
):
    """Shoot on guard in the enemy's turn, unasked (ML-GUARD-4)."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy."""
    weapon: Annotated[ContentId, EVERYONE]
    """Id of a weapon that the warrior carries."""
    path_point: Annotated[PathPoint | UnsetType, EVERYONE] = UNSET
    """Only in the answer to a window in which somebody moves; refused here."""


class GmReveal(do.Action, frozen=True, kw_only=True, tag="gm_reveal", forbid_unknown_fields=True):
    """Take the masking of a warrior away (ML-MASK-15)."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the warrior."""


class GmPanicTest(
    do.Action, frozen=True, kw_only=True, tag="gm_panic_test", forbid_unknown_fields=True
):
    """Let a unit take a panic test (ML-PANIC-1)."""

    unit: Annotated[UnitId, EVERYONE]
    """Id of the unit."""
    modifier: Annotated[Annotated[int, Meta(ge=-12, le=12)], EVERYONE] = 0
    """Added to its Courage."""


class GuardShot(Choice, frozen=True, kw_only=True, tag="guard_shoot"):
    """Shoot on guard (ML-GUARD-9)."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the warrior on guard who shoots."""
    target: Annotated[SubjectId, EVERYONE]
    """Id of the enemy."""
    weapon: Annotated[ContentId, EVERYONE]
    """Id of a weapon that the warrior carries."""
    path_point: Annotated[PathPoint | UnsetType, EVERYONE] = UNSET
    """Where on its way the mover is shot at; absent: the furthest point used so far. Version 2
    ignores it once the mover is on its way no more (ML-GUARD-13), as for any other target."""


class Reroll(Choice, frozen=True, kw_only=True, tag="reroll"):
    """Roll dice of a song or a dampening again (ML-SING-7, ML-UI-1)."""

    source: Annotated[RerollSource, EVERYONE]
    """Where the reroll comes from."""
    dice: Annotated[DieIndexes, EVERYONE]
    """Places of the dice to roll again, from 0, each once and at least one."""


class Dampen(Choice, frozen=True, kw_only=True, tag="dampen"):
    """Dampen the Melody (ML-DAMP-1)."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the singer who dampens."""


AnyChoice = PassChoice | RollChoice | GuardShot | Reroll | Dampen
"""What an answer may choose."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[AnyChoice, CHOICE]
    """One of the decision's `options`."""


class Configure(
    do.Configure, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True
):
    """Set all options anew, lay another map, bring other content or metadata, before the start."""

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    """All options: what is left out has its default; absent: they stay as they are."""
    map: Annotated[MapInput | UnsetType, EVERYONE] = UNSET
    """The table from now on; absent: it stays as it is."""
    content: Annotated[Content | UnsetType, EVERYONE] = UNSET
    """Weapons, Melodies, templates and mistake tables from now on; absent: they stay."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """JSON object of the table's own, as a string; absent: it stays as it is."""


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a warrior in."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet: an id new to the battle, a unit of its side or a new one, a free place."""
    kind: Annotated[UnitKind, EVERYONE] = "lone"
    """What its unit is, where that is new; else ignored."""


class SetTerrain(
    do.SetTerrain, frozen=True, kw_only=True, tag="set_terrain", forbid_unknown_fields=True
):
    """State features anew; it moves and harms nobody who stands there."""

    features: Annotated[
        Annotated[tuple[FeatureChange, ...], Meta(min_length=1, max_length=MAX_FEATURES)], EVERYONE
    ]
    """Features as they are from now on; the last one stated for an id counts."""


class SetCondition(alter.SetCondition, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[AdjustedCondition, EVERYONE]
    """Condition to set or to clear."""


class SetResource(alter.SetResource, frozen=True, kw_only=True, tag="resource"):
    """Movement or action of a turn (1 left, 0 spent), or ordinary rerolls of the round."""

    resource: Annotated[Literal["movement", "action", "rerolls"], EVERYONE]
    """What to set."""


class SetFp(alter.TableChange, frozen=True, kw_only=True, tag="fp"):
    """A side has this many FP."""

    side: Annotated[SideId, EVERYONE]
    """Id of the side."""
    value: Annotated[Annotated[int, Meta(ge=0, le=20)], EVERYONE]
    """FP from now on."""


class SetStat(alter.SetStat, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]
    """Which number; `armour` 0 takes it away."""


class SetHp(alter.SetHp, frozen=True, kw_only=True, tag="hp"):
    """Wounds left; who has none is killed, who was killed and has some is on the table again."""

    value: Annotated[WoundsLeft, HEALTH]
    """Wounds left from now on."""


AnyChange = (
    SetHp
    | alter.SetPlace
    | SetCondition
    | SetResource
    | SetFp
    | SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
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
    Activate
    | Move
    | Charge
    | Unmask
    | Mask
    | EndMovement
    | Shoot
    | Fight
    | Sing
    | Guard
    | EndActivation
    | do.EndSideTurn
    | StopMelody
    | DampenLasting
    | GuardShoot
)
"""What warriors, units and sides do."""

GmDeed = GmReveal | GmPanicTest
"""What the game master asks for in terms of the rules."""

AnyAction: TypeAlias = (
    Deed | GmDeed | do.SharedAction[Configure, AddCombatant, SetTerrain, Adjust, Answer]
)
"""Everything that may be asked of a battle that exists."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, whose turn it is, its open activation, songs in play.

    Without a side the battle begins a turn at its start as usual.
    """

    round: Annotated[RoundNumber, EVERYONE] = 1
    """Number of the present round."""
    first_side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Id of the side that has the first turn of each round; absent: as the start finds out."""
    turn_side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Id of the side whose turn it is; absent: the first side's turn begins with the battle."""
    turn_unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET
    """Id of the unit, one of that side, whose activation is open; absent: none is."""
    phase: Annotated[Phase, EVERYONE] = "movement"
    """Phase of the open activation."""
    mask_declared: Annotated[bool, EVERYONE] = False
    """Whether the open activation has had its `mask`."""


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
    forces: Annotated[Annotated[tuple[Force, ...], Meta(max_length=2)], EVERYONE] = ()
    """Home edge and FP of each side."""
    units: Annotated[Annotated[tuple[Unit, ...], Meta(max_length=MAX_UNITS)], EVERYONE] = ()
    """All units; those of hidden warriors only for who knows one of them."""
    combatants: Annotated[
        Annotated[tuple[Combatant, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """Those who are there from the beginning, in upload order."""
    songs: Annotated[Annotated[tuple[Song, ...], Meta(max_length=MAX_SONGS)], EVERYONE] = ()
    """Lasting Melodies in play."""
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
    """Round, turn and activation of a battle in progress; absent, the battle begins anew."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
