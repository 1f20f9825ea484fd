"""What may be asked in a battle: the combatants' actions, the game master's, and event 1."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.kit.targets import require_one
from service.engine.visibility.audience import (
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
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import Choice, PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Metadata
from service.errors import Malformed
from service.rulesets.seeker_d100.content import Content, MapInput
from service.rulesets.seeker_d100.rules.words import Gait, Intent
from service.rulesets.seeker_d100.state import (
    MAX_COMBATANTS,
    BattleState,
    CardIndex,
    ChanceModifier,
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
    """Where the step leads: at most 3 metres away, the distance rounded up to whole metres."""
    when: Annotated[Literal["before", "after"], EVERYONE] = "before"
    """Before the action, which is then checked from there, or after it."""


class Stepping(do.CombatantAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action that may carry a step."""

    step: Annotated[Step | UnsetType, EVERYONE] = UNSET
    """Up to 3 metres before or after the action (SK-MOVE-4); absent if none."""


class TakeAim(Stepping, frozen=True, kw_only=True, tag="aim", forbid_unknown_fields=True):
    """Take aim: the attack action of the next turn has a bonus."""


class Armed(Stepping, do.FormedAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with a weapon, at `target`, or with explosives at `point`.

    `radius` in metres and `shots` are the least the weapon allows unless they are stated.
    """

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of the attacker's weapon."""
    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant attacked; stated unless `point` is."""
    point: Annotated[Point | UnsetType, EVERYONE] = UNSET
    """Where an explosive bursts (`delivery` `explosive` alone); stated unless `target` is."""
    radius: Annotated[Radius | UnsetType, EVERYONE] = UNSET
    """Radius in metres, within the weapon's; absent: its smallest (SK-AREA-1)."""
    shots: Annotated[Rounds | UnsetType, EVERYONE] = UNSET
    """Rounds fired, within the weapon's `shots`; absent: its fewest (SK-ATK-3)."""

    def require_form(self) -> None:
        """Exactly one of target and point is stated. Raises Malformed."""
        require_one(self, "target", "point")


class Attack(Armed, frozen=True, kw_only=True, tag="attack", forbid_unknown_fields=True):
    """A standard attack. `intent` only with melee weapons and bare hands; else `counter`."""

    intent: Annotated[Intent | UnsetType, EVERYONE] = UNSET
    """What the attack's roll does when it resists later blows (SK-STAND-1): strike back or only
    block. Only with melee_weapon and unarmed; absent: `counter`.
    """


class CalledShot(Armed, frozen=True, kw_only=True, tag="called_shot", forbid_unknown_fields=True):
    """An attack at a part of the body, or explosives thrown over cover: exactly one of the two."""

    part: Annotated[ItemId | UnsetType, EVERYONE] = UNSET
    """Part aimed at: head, left_arm, right_arm, left_leg or right_leg; not with explosives."""
    over_cover: Annotated[bool, EVERYONE] = False
    """True: an explosive is thrown over cover (SK-CALL-5); then `part` is absent."""

    def require_form(self) -> None:
        """Exactly one of target and point is stated, of part and over cover. Raises Malformed."""
        super().require_form()
        if (self.part is UNSET) != self.over_cover:
            raise Malformed(path="$.part", allowed="either part or over_cover: true")


class Disarm(Stepping, frozen=True, kw_only=True, tag="disarm", forbid_unknown_fields=True):
    """Strike an item out of somebody's hands."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the combatant to disarm, within melee reach."""
    item: Annotated[ItemId, EVERYONE]
    """Id of the item to strike away, one of the target's `held_items`."""


class Grapple(Stepping, frozen=True, kw_only=True, tag="grapple", forbid_unknown_fields=True):
    """Pin somebody down; `against` says on what, which no rule reads."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the combatant to seize, within melee reach and not held yet."""
    against: Annotated[LongText | UnsetType, TEXT] = UNSET
    """On what the target is pinned, in words; no rule reads it."""


class Dodge(Stepping, frozen=True, kw_only=True, tag="dodge", forbid_unknown_fields=True):
    """Be ready to dodge until the end of the round."""


class Resist(Stepping, frozen=True, kw_only=True, tag="resist", forbid_unknown_fields=True):
    """Be ready to resist blows until the end of the round."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of the melee weapon, or bare hands, that resists."""
    intent: Annotated[Intent, EVERYONE] = "counter"
    """Whether a won resist also deals damage (`counter`) or only stops the blow (SK-RES-3)."""


class BreakFree(Stepping, frozen=True, kw_only=True, tag="break_free", forbid_unknown_fields=True):
    """Try to get out of a hold."""


class Release(Stepping, frozen=True, kw_only=True, tag="release", forbid_unknown_fields=True):
    """Let go of whom one holds."""


class MoveTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll that the game master demands of a movement, with what he adds to its chance."""

    modifier: Annotated[ChanceModifier, EVERYONE] = 0
    """Per cent added to the chance, five times dexterity (SK-MOVE-3)."""


class Move(do.CombatantAction, frozen=True, kw_only=True, tag="move", forbid_unknown_fields=True):
    """Move along `path`; `test` only by the game master."""

    GM_FIELDS: ClassVar[tuple[str, ...]] = ("test",)

    gait: Annotated[Gait, EVERYONE]
    """How far one may go: `jog` 10, `run` 20, `dash` 30 metres (SK-MOVE-1)."""
    path: Annotated[Annotated[tuple[Point, ...], Meta(min_length=1, max_length=100)], EVERYONE]
    """Points passed in order, without the start; the last one is where the movement ends."""
    test: Annotated[MoveTest | UnsetType, EVERYONE] = UNSET
    """Roll demanded for this movement, by the game master alone; absent if none."""


class EndTurn(do.EndTurn, frozen=True, kw_only=True, tag="end_turn", forbid_unknown_fields=True):
    """Do nothing else; it spends the action."""

    step: Annotated[Step | UnsetType, EVERYONE] = UNSET
    """Up to 3 metres (SK-MOVE-4); absent if none."""


class DodgeChoice(Choice, frozen=True, kw_only=True, tag="dodge", forbid_unknown_fields=True):
    """Dodge the attack."""


class ResistChoice(Choice, frozen=True, kw_only=True, tag="resist", forbid_unknown_fields=True):
    """Resist the blow with a weapon."""

    weapon: Annotated[WeaponId, EVERYONE]
    """Id of the victim's melee weapon, or bare hands, that resists."""
    intent: Annotated[Intent, EVERYONE] = "counter"
    """Whether a won resist also deals damage (`counter`) or only stops the blow (SK-RES-3)."""


class TakeCoverChoice(
    Choice, frozen=True, kw_only=True, tag="take_cover", forbid_unknown_fields=True
):
    """Dive behind a cover."""

    cover: Annotated[CoverId, EVERYONE]
    """Id of the cover, at most three metres away."""
    to: Annotated[Point, EVERYONE]
    """Point behind the cover, seen from the danger, at most three metres away (SK-COVER-1)."""


AnyChoice = DodgeChoice | ResistChoice | TakeCoverChoice | PassChoice | RollChoice
"""What an answer may choose."""


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """Answer a pending decision."""

    choice: Annotated[AnyChoice, do.CHOICE]
    """One of the decision's `options`, with what it needs."""


class Configure(
    do.Configure, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True
):
    """Set options, map, content or metadata anew, before the start.

    A new map begins without changed and hidden cover.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    """All options anew, those left out at their defaults; absent: as they are."""
    map: Annotated[MapInput | UnsetType, EVERYONE] = UNSET
    """The whole map anew; it drops changed and hidden cover. Absent: as it is."""
    content: Annotated[Content | UnsetType, EVERYONE] = UNSET
    """All samples anew; combatants already in keep what they took. Absent: as they are."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """Any JSON object of up to 4,096 bytes, which no rule reads; absent: as it is."""


class AddCombatant(
    do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant", forbid_unknown_fields=True
):
    """Bring a combatant in; in a running battle it draws its card at once."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet; in a running battle it draws a card at once (SK-INIT-3)."""


class SetTerrain(
    do.SetTerrain, frozen=True, kw_only=True, tag="set_terrain", forbid_unknown_fields=True
):
    """State covers anew, whole, or take them away; `secret` ones only the game master knows."""

    changes: Annotated[
        Annotated[tuple[CoverChange, ...], Meta(min_length=1, max_length=MAX_COVERS)], EVERYONE
    ]
    """Covers to state anew or to take away; of several with one id the last counts."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """True: only the game master knows of the changes, until an attack meets them."""


class SetHp(alter.SetHp, frozen=True, kw_only=True, tag="hp", forbid_unknown_fields=True):
    """Health has this value; falling follows from it, and so does coming round."""

    value: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH]
    """Hit points from now on, at most `health_max`."""


class SetCondition(
    alter.SetCondition, frozen=True, kw_only=True, tag="condition", forbid_unknown_fields=True
):
    """A condition holds, or does not. Those that hold something with them can only be ended."""

    condition: Annotated[Condition, EVERYONE]
    """Condition to set or end; only unaware, unconscious and dead can be set."""


class SetResource(
    alter.SetResource, frozen=True, kw_only=True, tag="resource", forbid_unknown_fields=True
):
    """The action of this round (0 or 1), or the rounds left of the weapon `item`."""

    resource: Annotated[Literal["action", "ammo"], EVERYONE]
    """`action`: actions left this round; `ammo`: rounds left of a weapon."""
    item: Annotated[WeaponId | UnsetType, EVERYONE, COUNTED] = UNSET
    """Id of the weapon whose rounds are set; absent for `action`."""
    value: Annotated[Rounds, EVERYONE]
    """What is left from now on: 0 or 1 action, or so many rounds."""


class SetStat(alter.SetStat, frozen=True, kw_only=True, tag="stat", forbid_unknown_fields=True):
    """A number of the sheet has this value, within the bounds of the sheet."""

    stat: Annotated[Stat, EVERYONE]
    """Number of the sheet to set; `body_armour` is its armour value, `helmet` 1 if one is worn and
    0 if not.
    """


class SetNextRoll(alter.Change, frozen=True, kw_only=True, tag="next_roll"):
    """So much is added to the chance of the combatant's next roll."""

    amount: Annotated[ChanceModifier, EVERYONE]
    """Per cent added to the chance of the next roll; it replaces an earlier one."""


class DemandTest(alter.Change, frozen=True, kw_only=True, tag="movement_test"):
    """The combatant's next movement must be rolled for."""

    modifier: Annotated[ChanceModifier, EVERYONE] = 0
    """Per cent added to the chance of the test, five times dexterity (SK-MOVE-3)."""


class SetItem(alter.Change, frozen=True, kw_only=True, tag="item"):
    """An item is held, or is not any more."""

    item: Annotated[ItemId, EVERYONE]
    """Id of the item; a weapon of that id is at hand or on the ground with it."""
    held: Annotated[bool, EVERYONE]
    """True: the combatant holds it from now on; false: no longer."""


AnyChange = (
    SetHp
    | alter.SetPlace
    | SetCondition
    | SetResource
    | SetStat
    | alter.RevealCombatant
    | alter.HideCombatant
    | SetNextRoll
    | DemandTest
    | SetItem
)
"""One thing the game master overrules."""


class Adjust(do.Adjust, frozen=True, kw_only=True, tag="adjust", forbid_unknown_fields=True):
    """Overrule: the changes are taken as given, in their order; draws nothing by itself."""

    changes: Annotated[
        Annotated[tuple[AnyChange, ...], Meta(min_length=1, max_length=100)], EVERYONE, BEARER
    ]
    """What is overruled, in this order; all of it or nothing."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Why, in words for everyone who may know of the event; absent if none is given."""


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

AnyAction: TypeAlias = Deed | do.SharedAction[Configure, AddCombatant, SetTerrain, Adjust, Answer]
"""Everything that may be asked of a battle that exists."""


class Battle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle in progress: the round, whose card is which, and whose turn it is.

    `cards` may name some of the combatants; the others draw at the start, from `deck` as it lies,
    or from all other cards in canonical order. Without a turn the first card begins.
    """

    round: Annotated[Annotated[int, Meta(ge=1, le=100_000)], EVERYONE] = 1
    """Round the battle is in; `start_encounter` does not begin a new one."""
    cards: Annotated[Annotated[tuple[Drawn, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE] = ()
    """Cards drawn so far; combatants without one draw at the start."""
    deck: Annotated[Annotated[tuple[CardIndex, ...], Meta(max_length=54)] | UnsetType, GM] = UNSET
    """Cards not drawn yet, by index, as they lie; absent: all that `cards` does not name, in
    canonical order.
    """
    turn: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant whose turn it is, one with a card; absent: the first card begins."""


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
    """What the table chose, each option left out at its default."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Who takes part from the start, in the order in which they get numbers."""
    hidden_cover: Annotated[
        Annotated[tuple[CoverChange, ...], Meta(max_length=MAX_COVERS)], GM
    ] = ()
    """Covers that only the game master knows until an attack meets them."""
    battle: Annotated[Battle | UnsetType, EVERYONE] = UNSET
    """State of a battle in progress; absent if the battle begins with round 1."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
