"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine import actions as do
from service.engine.audience import (
    BEARER,
    COUNTED,
    EVERYONE,
    GM,
    HEALTH,
    SECRET,
    TEXT,
    MentionId,
    SubjectId,
)
from service.engine.vocabulary import LongText, Metadata
from service.rulesets.seeker_d100.content import Content, MapInput
from service.rulesets.seeker_d100.rules.words import Gait, Intent
from service.rulesets.seeker_d100.state import (
    MAX_COMBATANTS,
    Amount,
    Card,
    Combatant,
    Condition,
    Drawn,
    Options,
)
from service.rulesets.seeker_d100.terrain import MAX_COVERS, CoverChange, CoverId, Point
from service.rulesets.seeker_d100.weapons import ItemId, Radius, Rounds, WeaponId

Stat = Literal[
    "strength",
    "dexterity",
    "ranged",
    "athletics",
    "melee_weapon",
    "unarmed",
    "heavy_weapons",
    "demolitions",
    "dodge",
    "body_armour",
    "helmet",
    "free_hands",
    "health_max",
]
"""The numbers of a sheet that the game master may set; `helmet` is 0 or 1."""


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Up to three metres beside another action (SK-MOVE-4)."""

    to: Annotated[Point, EVERYONE]
    when: Annotated[Literal["before", "after"], EVERYONE] = "before"


class Stepping(do.CombatantAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action that may carry a step."""

    step: Annotated[Step | UnsetType, EVERYONE] = UNSET


class TakeAim(Stepping, frozen=True, kw_only=True, tag="aim", forbid_unknown_fields=True):
    """Take aim: the attack action of the next turn has a bonus."""


class Armed(Stepping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with a weapon, at `target`, or with explosives at `point`.

    `radius` in metres and `shots` are the least the weapon allows unless they are stated.
    """

    weapon: Annotated[WeaponId, EVERYONE]
    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    point: Annotated[Point | UnsetType, EVERYONE] = UNSET
    radius: Annotated[Radius | UnsetType, EVERYONE] = UNSET
    shots: Annotated[Rounds | UnsetType, EVERYONE] = UNSET


class Attack(Armed, frozen=True, kw_only=True, tag="attack", forbid_unknown_fields=True):
    """A standard attack. `intent` only with melee weapons and bare hands; else `counter`."""

    intent: Annotated[Intent | UnsetType, EVERYONE] = UNSET


class CalledShot(Armed, frozen=True, kw_only=True, tag="called_shot", forbid_unknown_fields=True):
    """An attack at a part of the body, or explosives thrown over cover: exactly one of the two."""

    part: Annotated[ItemId | UnsetType, EVERYONE] = UNSET
    over_cover: Annotated[bool, EVERYONE] = False


class Disarm(Stepping, frozen=True, kw_only=True, tag="disarm", forbid_unknown_fields=True):
    """Strike an item out of somebody's hands."""

    target: Annotated[SubjectId, EVERYONE]
    item: Annotated[ItemId, EVERYONE]


class Grapple(Stepping, frozen=True, kw_only=True, tag="grapple", forbid_unknown_fields=True):
    """Pin somebody down; `against` says on what, which no rule reads."""

    target: Annotated[SubjectId, EVERYONE]
    against: Annotated[LongText | UnsetType, TEXT] = UNSET


class Dodge(Stepping, frozen=True, kw_only=True, tag="dodge", forbid_unknown_fields=True):
    """Be ready to dodge until the end of the round."""


class Resist(Stepping, frozen=True, kw_only=True, tag="resist", forbid_unknown_fields=True):
    """Be ready to resist blows until the end of the round."""

    weapon: Annotated[WeaponId, EVERYONE]
    intent: Annotated[Intent, EVERYONE] = "counter"


class BreakFree(Stepping, frozen=True, kw_only=True, tag="break_free", forbid_unknown_fields=True):
    """Try to get out of a hold."""


class Release(Stepping, frozen=True, kw_only=True, tag="release", forbid_unknown_fields=True):
    """Let go of whom one holds."""


class MoveTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll that the game master demands of a movement, with what he adds to its chance."""

    modifier: Annotated[Amount, EVERYONE] = 0


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Move along `path`; `test` only by the game master."""

    gait: Annotated[Gait, EVERYONE]
    path: Annotated[Annotated[tuple[Point, ...], Meta(min_length=1, max_length=100)], EVERYONE]
    test: Annotated[MoveTest | UnsetType, EVERYONE] = UNSET


class EndTurn(do.EndTurn, frozen=True, kw_only=True, tag="end_turn", forbid_unknown_fields=True):
    """Do nothing else; it spends the action."""

    step: Annotated[Step | UnsetType, EVERYONE] = UNSET


class DodgeChoice(do.Choice, frozen=True, kw_only=True, tag="dodge", forbid_unknown_fields=True):
    """Dodge the attack."""


class ResistChoice(do.Choice, frozen=True, kw_only=True, tag="resist", forbid_unknown_fields=True):
    """Resist the blow with a weapon."""

    weapon: Annotated[WeaponId, EVERYONE]
    intent: Annotated[Intent, EVERYONE] = "counter"


class TakeCoverChoice(
    do.Choice, frozen=True, kw_only=True, tag="take_cover", forbid_unknown_fields=True
):
    """Dive behind a cover."""

    cover: Annotated[CoverId, EVERYONE]
    to: Annotated[Point, EVERYONE]


AnyChoice = DodgeChoice | ResistChoice | TakeCoverChoice | do.PassChoice | do.RollChoice
"""What an answer may choose."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[AnyChoice, do.CHOICE]


class Configure(do.Action, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True):
    """Set options, map, content or metadata anew, before the start.

    A new map begins without changed and hidden cover.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    map: Annotated[MapInput | UnsetType, EVERYONE] = UNSET
    content: Annotated[Content | UnsetType, EVERYONE] = UNSET
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a combatant in; in a running battle it draws its card at once."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class SetTerrain(
    do.Action, frozen=True, kw_only=True, tag="set_terrain", forbid_unknown_fields=True
):
    """State covers anew, whole, or take them away; `secret` ones only the game master knows."""

    changes: Annotated[
        Annotated[tuple[CoverChange, ...], Meta(min_length=1, max_length=MAX_COVERS)], EVERYONE
    ]
    secret: Annotated[bool, EVERYONE, SECRET] = False


class SetHp(do.SetHp, frozen=True, kw_only=True, tag="hp", forbid_unknown_fields=True):
    """Health has this value; falling follows from it, and so does coming round."""

    value: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH]


class SetCondition(
    do.SetCondition, frozen=True, kw_only=True, tag="condition", forbid_unknown_fields=True
):
    """A condition holds, or does not. Those that hold something with them can only be ended."""

    condition: Annotated[Condition, EVERYONE]


class SetResource(
    do.SetResource, frozen=True, kw_only=True, tag="resource", forbid_unknown_fields=True
):
    """The action of this round (0 or 1), or the rounds left of the weapon `item`."""

    resource: Annotated[Literal["action", "ammo"], EVERYONE]
    item: Annotated[WeaponId | UnsetType, EVERYONE, COUNTED] = UNSET
    value: Annotated[Rounds, EVERYONE]


class SetStat(do.SetStat, frozen=True, kw_only=True, tag="stat", forbid_unknown_fields=True):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]


class SetNextRoll(do.Change, frozen=True, kw_only=True, tag="next_roll"):
    """So much is added to the chance of the combatant's next roll."""

    amount: Annotated[Amount, EVERYONE]


class DemandTest(do.Change, frozen=True, kw_only=True, tag="movement_test"):
    """The combatant's next movement must be rolled for."""

    modifier: Annotated[Amount, EVERYONE] = 0


class SetItem(do.Change, frozen=True, kw_only=True, tag="item"):
    """An item is held, or is not any more."""

    item: Annotated[ItemId, EVERYONE]
    held: Annotated[bool, EVERYONE]


AnyChange = (
    SetHp
    | do.SetPlace
    | SetCondition
    | SetResource
    | SetStat
    | do.RevealCombatant
    | do.HideCombatant
    | SetNextRoll
    | DemandTest
    | SetItem
)
"""One thing the game master overrules."""


class Adjust(do.Action, frozen=True, kw_only=True, tag="adjust", forbid_unknown_fields=True):
    """Overrule: the changes are taken as given, in their order; draws nothing by itself."""

    changes: Annotated[
        Annotated[tuple[AnyChange, ...], Meta(min_length=1, max_length=100)], EVERYONE, BEARER
    ]
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


AttackAction = Attack | CalledShot | Disarm | Grapple
"""What may be answered (SK-ATK-1); the action that waits while it is."""

Deed = (
    TakeAim
    | Attack
    | CalledShot
    | Disarm
    | Grapple
    | Dodge
    | Resist
    | BreakFree
    | Release
    | Move
    | EndTurn
)
"""What a combatant does in its turn."""

AnyAction = (
    Deed
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
    """A battle in progress: the round, whose card is which, and whose turn it is.

    `cards` may name some of the combatants; the others draw at the start, from `deck` as it lies,
    or from all other cards in canonical order. Without a turn the first card begins.
    """

    round: Annotated[Annotated[int, Meta(ge=1, le=100_000)], EVERYONE] = 1
    cards: Annotated[Annotated[tuple[Drawn, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE] = ()
    deck: Annotated[Annotated[tuple[Card, ...], Meta(max_length=54)] | UnsetType, GM] = UNSET
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
    hidden_cover: Annotated[
        Annotated[tuple[CoverChange, ...], Meta(max_length=MAX_COVERS)], GM
    ] = ()
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
