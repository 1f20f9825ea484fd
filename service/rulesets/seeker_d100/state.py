"""What a battle remembers: options, combatants with their weapons, cards, and changed cover."""

from functools import cached_property
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import open_decisions
from service.engine.battle import state as core
from service.engine.visibility.audience import (
    BAND,
    BEARER,
    EVERYONE,
    GM,
    HEALTH,
    KEPT,
    NUMBERS,
    MentionId,
    OtherId,
    OwnId,
    SubjectId,
    unseen,
)
from service.engine.vocabulary.values import DrawRun, Place, SideId, Word
from service.rulesets.seeker_d100.rules.armour import VersusLethality
from service.rulesets.seeker_d100.rules.called import CalledIgnores
from service.rulesets.seeker_d100.rules.checks import Level
from service.rulesets.seeker_d100.rules.cover import CoverSegment
from service.rulesets.seeker_d100.rules.grapple import HeldBonus
from service.rulesets.seeker_d100.rules.initiative import AceRank, DeckSize
from service.rulesets.seeker_d100.rules.lethality import LethalCritical
from service.rulesets.seeker_d100.rules.opposed import OpposedDie
from service.rulesets.seeker_d100.rules.words import Answered, Delivery, FelledState
from service.rulesets.seeker_d100.terrain import CoverChange, CoverId, Point
from service.rulesets.seeker_d100.weapons import BodyArmour, ItemId, Weapon, WeaponId

MAX_COMBATANTS: Final = 500
"""How many combatants a battle holds at most; cards may give out long before."""

Percent = Annotated[int, Meta(ge=0, le=200)]
"""A skill."""

Attribute = Annotated[int, Meta(ge=0, le=100)]
"""Strength or dexterity."""

Condition = Literal[
    "aim",
    "answering",
    "standing_roll",
    "unaware",
    "next_roll",
    "movement_test",
    "unconscious",
    "dead",
]

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, none left or out."""

CardIndex = Annotated[int, Meta(ge=0, le=53)]
"""A card by its canonical index (SK-INIT-2)."""

Natural = Annotated[int, Meta(ge=1, le=100)]
"""What a d100 showed."""

ChanceModifier = Annotated[int, Meta(ge=-1000, le=1000)]
"""What the game master adds to a chance."""

Round = Annotated[int, Meta(ge=0, le=100_000)]
"""A round by its number; 0 is before the first."""


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts.

    `attack_reveals`: attacking makes a hidden attacker known to everyone. If not, others learn
    only who was attacked and how it ended.
    """

    cell_m: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 1
    """Metres per cell of a map whose `unit` is `cells`."""
    melee_reach_sq: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 2
    """Reach hand to hand, in square metres: dx² + dy² at most; 2 is the eight cells round."""
    deck: Annotated[DeckSize, EVERYONE] = 52
    """Cards of the deck: 52, or 54 with two jokers, which act before all others (SK-INIT-2)."""
    ace: Annotated[AceRank, EVERYONE] = "high"
    """`high`: aces act before kings; `low`: aces act after the twos (SK-INIT-4)."""
    redraw_each_round: Annotated[bool, EVERYONE] = False
    """True: all draw anew each round, from a full deck; false: once (SK-INIT-6)."""
    doubles: Annotated[bool, EVERYONE] = True
    """Whether 11, 22 … 99 make a success critical and a failure a fumble (SK-CHECK-3)."""
    reactions: Annotated[Literal["prompt", "none"], EVERYONE] = "prompt"
    """`prompt`: victims are asked how they answer an attack; `none`: nobody is asked, only rolls
    that stand and answers prepared in one's own turn count.
    """
    opposed_die: Annotated[OpposedDie, EVERYONE] = "high"
    """Whether the higher or the lower natural die wins at the same level (SK-OPP-1)."""
    called_open_penalty: Annotated[Annotated[int, Meta(ge=-100, le=0)], EVERYONE] = -20
    """Per cent added to a called shot's chance where no cover lies between (SK-CALL-3)."""
    called_ignores_armour: Annotated[CalledIgnores, EVERYONE] = "uncovering"
    """What worn armour a called shot at a part ignores (SK-CALL-4): `uncovering` the pieces that do
    not protect the part, `all` every piece.
    """
    disarm_free_hands: Annotated[Annotated[int, Meta(ge=1, le=2)], EVERYONE] = 1
    """Free hands that a disarm needs (SK-DIS-2)."""
    break_free_versus: Annotated[Literal["new_roll", "grapple_roll"], EVERYONE] = "new_roll"
    """What breaking free must beat (SK-FREE-1): `new_roll` a roll of the holder's unarmed skill,
    `grapple_roll` the roll that made the hold.
    """
    held_bonus: Annotated[HeldBonus, EVERYONE] = "melee"
    """Which attacks have 20 per cent more at a held target (SK-GRAB-2): `melee` all hand to hand,
    `unarmed` unarmed ones alone.
    """
    critical_doubles_damage: Annotated[bool, EVERYONE] = True
    """Whether a critical attack doubles an ordinary weapon's damage (SK-DMG-3)."""
    attack_roll_kills: Annotated[bool, EVERYONE] = True
    """Whether a hit with a natural die up to the lethality kills by itself (SK-LETH-4)."""
    lethality_critical: Annotated[LethalCritical, EVERYONE] = "double"
    """What a critical attack with a lethal weapon does (SK-LETH-5): `double` doubles rating and
    damage, `instant` kills without a roll.
    """
    ied_lethality: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 15
    """Lethality in per cent of weapons of the sample `w_ied` that state none."""
    body_vs_lethality: Annotated[VersusLethality, EVERYONE] = "none"
    """What worn armour makes of a lethal success (SK-ARM-6): `none` leaves it, `downgrade` turns it
    into the damage of the digits.
    """
    cover_vs_lethality: Annotated[VersusLethality, EVERYONE] = "downgrade"
    """What cover makes of a lethal success (SK-ARM-7): `none` leaves it, `downgrade` turns it into
    the damage of the digits.
    """
    unconscious_at: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 2
    """Most hit points left at which whoever has just lost some is unconscious (SK-DMG-4)."""
    attack_reveals: Annotated[bool, EVERYONE] = True
    """Whether attacking makes a hidden attacker known to everyone. If not, others learn only who
    was attacked and how it ended.
    """


class Skills(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Skills in per cent."""

    ranged: Annotated[Percent, NUMBERS] = 0
    """Ranged weapons, in per cent."""
    athletics: Annotated[Percent, NUMBERS] = 0
    """Athletics, for thrown weapons, in per cent."""
    melee_weapon: Annotated[Percent, NUMBERS] = 0
    """Melee weapons, in per cent."""
    unarmed: Annotated[Percent, NUMBERS] = 0
    """Unarmed combat, in per cent; also for disarming, grappling and breaking free."""
    heavy_weapons: Annotated[Percent, NUMBERS] = 0
    """Heavy weapons, in per cent."""
    demolitions: Annotated[Percent, NUMBERS] = 0
    """Demolitions, in per cent."""
    dodge: Annotated[Percent, NUMBERS] = 0
    """Dodging blows and thrown weapons and diving for cover, in per cent."""


class Aim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which round one took aim."""

    round: Annotated[Round, EVERYONE]
    """Round in which aim was taken; an attack in the next has 20 per cent more (SK-AIM-1)."""


class Answering(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one is ready to answer attacks; it is rolled for when first needed."""

    kind: Annotated[Answered, EVERYONE]
    """Prepared answer (SK-REACT-3): dodge, or resist and then strike back or only block."""
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    """Id of the bearer's weapon that resists; absent for `dodge`."""


class StandingRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll that answers attacks until the end of the round, without asking.

    `draw` names the die in its event, whatever came in; one that a creation states has none.
    """

    kind: Annotated[Answered, EVERYONE]
    """What the roll is worth: a dodge, or a resist that strikes back or only blocks."""
    natural: Annotated[Natural, EVERYONE]
    """Face of the d100, compared with attacks of the same level (SK-OPP-1)."""
    level: Annotated[Level, EVERYONE]
    """0 fumble, 1 failure, 2 success, 3 critical success (SK-CHECK-4)."""
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    """Id of the bearer's weapon that resists; absent for a dodge, a disarm and a grapple."""
    draw: Annotated[DrawRun | UnsetType, EVERYONE, KEPT] = UNSET
    """Draw that the face came from; absent where a creation stated the roll."""


class Hold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who holds one, and the roll that did it."""

    holder: Annotated[OtherId, EVERYONE]
    """Id of the combatant who holds."""
    natural: Annotated[Natural, EVERYONE]
    """Face of the d100 that made the hold; counts if `break_free_versus` is `grapple_roll`."""
    level: Annotated[Level, EVERYONE]
    """Level of that roll: 0 fumble, 1 failure, 2 success, 3 critical success."""


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in; `health_max` 0 means as much as `health`.
    Everybody has bare hands (`w_unarmed`) unless a weapon of that id is stated. `actions_left` is
    1 until the action of the round is spent. `next_roll` is what the game master adds to the
    chance of the next roll, `movement_test` what he adds to the test he demands of the next move.
    """

    id: Annotated[OwnId, EVERYONE]
    """Id of the combatant, unique in its battle; every action and effect names it so."""
    side: Annotated[SideId, EVERYONE]
    """Id of the side it fights for, one of the battle's `sides`."""
    place: Annotated[Place, EVERYONE]
    """Where it stands, in metres; no rule reads `elevation`."""
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=8)], EVERYONE] = ()
    """What holds for it now. Of a creation's only `unaware`, `unconscious` and `dead` are read; the
    others follow from the fields of the same name.
    """
    health: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH, unseen(0)]
    """Hit points left; at 0 it is dead (SK-DMG-4)."""
    health_max: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH] = 0
    """Hit points at full health; 0 in a creation: as many as `health`."""
    band: Annotated[Band, BAND] = "unhurt"
    """Health in words, computed: full, below, at most half, or `down` (none left, or out)."""
    strength: Annotated[Attribute, NUMBERS] = 0
    """Strength; five times it may serve to break free, in per cent (SK-FREE-1)."""
    dexterity: Annotated[Attribute, NUMBERS] = 0
    """Dexterity; five times it is the chance of a movement test, in per cent (SK-MOVE-3)."""
    skills: Annotated[Skills, EVERYONE] = Skills()
    """Skills in per cent; a check succeeds at or under skill plus modifiers (SK-CHECK-1)."""
    body_armour: Annotated[BodyArmour | UnsetType, EVERYONE] = UNSET
    """Body armour worn; absent if it wears none."""
    helmet: Annotated[bool, EVERYONE] = False
    """Whether it wears a helmet: 1 armour, but not against shots at other parts (SK-ARM-3)."""
    free_hands: Annotated[Annotated[int, Meta(ge=0, le=2)], EVERYONE] = 2
    """Hands that hold nothing; a disarm needs `disarm_free_hands` of them (SK-DIS-2)."""
    held_items: Annotated[Annotated[tuple[ItemId, ...], Meta(max_length=20)], EVERYONE] = ()
    """Ids of what it holds and may be disarmed of; one of a weapon's id is that weapon."""
    weapons: Annotated[Annotated[tuple[Weapon, ...], Meta(max_length=21)], EVERYONE] = ()
    """Weapons it attacks with, each id once; bare hands are added if left out."""
    actions_left: Annotated[Annotated[int, Meta(ge=0, le=1)], EVERYONE] = 1
    """Actions left this round: 1, or 0 once spent by a turn or a reaction (SK-TURN-2)."""
    aim: Annotated[Aim | UnsetType, EVERYONE] = UNSET
    """Aim it has taken and not lost; absent if none."""
    answering: Annotated[Answering | UnsetType, EVERYONE] = UNSET
    """Answer prepared in its own turn and not rolled for yet; absent if none."""
    standing_roll: Annotated[StandingRoll | UnsetType, EVERYONE] = UNSET
    """Roll that answers attacks for the rest of the round (SK-STAND-1, 2); absent if none."""
    held_by: Annotated[Hold | UnsetType, EVERYONE, KEPT] = UNSET
    """Who holds it, so that it can only break free or pass (SK-GRAB-4); absent if nobody."""
    holding: Annotated[MentionId | UnsetType, EVERYONE, KEPT] = UNSET
    """Id of the combatant it holds; computed, absent if none."""
    next_roll: Annotated[ChanceModifier | UnsetType, EVERYONE] = UNSET
    """Per cent the game master adds to the chance of its next roll; absent if nothing."""
    movement_test: Annotated[ChanceModifier | UnsetType, EVERYONE] = UNSET
    """Per cent the game master adds to the test that its next movement needs; absent if it needs
    none.
    """


class Drawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose card is which, in the order of turns."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the combatant whose card it is."""
    card: Annotated[CardIndex, EVERYONE]
    """Index of the card, 4·(rank−2) + suit: rank 2 to 14 (ace), suit ♠ 0, ♣ 1, ♥ 2, ♦ 3; 52 black
    joker, 53 red joker (SK-INIT-2).
    """


class Attacker(Struct, frozen=True, kw_only=True):
    """Whose attack is to be answered; unseen with the attacker."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the attacker."""
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    """Id of the attacker's weapon; absent for a disarm and a grapple."""


class Context(Struct, frozen=True, kw_only=True):
    """What an attack looks like to whoever may answer it.

    `action` is its kind, `origin` where it comes from: the burst of an explosive, else the
    attacker's place. `covers` may be taken: they are within three metres.
    """

    action: Annotated[Word, EVERYONE]
    """Kind of the attack: `attack`, `called_shot`, `disarm` or `grapple`."""
    delivery: Annotated[Delivery, EVERYONE]
    """How the attack reaches the victim; decides the possible answers (SK-REACT-2)."""
    origin: Annotated[Point, EVERYONE]
    """Where the danger comes from, in metres: the burst of an explosive, else the attacker's place.
    Cover must lie between it and the point one dives to (SK-COVER-1).
    """
    covers: Annotated[tuple[CoverId, ...], EVERYONE] = ()
    """Ids of known covers within three metres; empty where taking cover is no choice."""
    follows: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Id of the combatant with whom the danger moves: the target of an explosive, else the
    attacker. Absent where it stays at `origin`, where nobody can take cover, and before version 3.
    """
    source: Annotated[Attacker, EVERYONE, KEPT]
    """Who attacks with what."""


class Reaction(open_decisions.Decision, frozen=True, kw_only=True):
    """A question to a victim: how to answer an attack. Without a context: dice of the table."""

    context: Annotated[Context | UnsetType, EVERYONE] = UNSET
    """What the attack looks like; absent where dice of the table are asked for."""


class Chosen(open_decisions.Chosen, frozen=True, kw_only=True):
    """A decision of an open group that is closed already."""

    decision: Annotated[Reaction, EVERYONE, BEARER]
    """The decision that is closed."""


class DecisionGroup(open_decisions.DecisionGroup, frozen=True, kw_only=True):
    """Decisions opened together."""

    decisions: Annotated[tuple[Reaction, ...], EVERYONE]
    """Decisions that are still open."""
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET
    """Decisions of the group that are closed already; absent if none."""


class BattleLookups(core.Lookups):
    """What is worked out of a battle and asked again: the tables kept beside its state.

    `covers` by whether they hold those that only the game master knows; `counting`: the one that
    counts against an attack, by where it comes from and goes and what it is, or nothing.
    """

    __slots__ = ("counting", "covers")

    def __init__(self) -> None:
        super().__init__()
        self.covers: core.Table[bool, tuple[CoverSegment, ...]] = core.Table()
        self.counting: core.Table[tuple[object, ...], tuple[CoverSegment, ...]] = core.Table()


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle.

    `deck` are the cards not drawn yet as they lie (nobody knows the dice that will pick them),
    absent while none was. `terrain` are the covers that differ from the map, `secrets` those that
    only the game master knows; where both speak of one, the secret is the truth.
    """

    options: Annotated[Options, EVERYONE]
    """What the table chose; frozen when the battle starts."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """All combatants, the fallen included, in the order in which they came in."""
    cards: Annotated[tuple[Drawn, ...], EVERYONE] = ()
    """Whose card is which, the first to act first."""
    pending: Annotated[tuple[DecisionGroup, ...], EVERYONE] = ()
    """Stack of open decision groups, the last one on top."""
    deck: Annotated[tuple[CardIndex, ...] | UnsetType, GM] = UNSET
    """Cards not drawn yet, by index, as they lie: a die's face is the place of the card drawn;
    absent before the first draw.
    """
    terrain: Annotated[tuple[CoverChange, ...], EVERYONE] = ()
    """Covers that differ from the map for everyone, sorted by id."""
    secrets: Annotated[tuple[CoverChange, ...], GM] = ()
    """Covers that only the game master knows; where `terrain` or the map differs, these count."""

    @cached_property
    def lookups(self) -> BattleLookups:
        """The lookups of this battle, handed on from state to state."""
        return BattleLookups()


def weapon_named(combatant: Combatant, weapon: str) -> Weapon | None:
    """The weapon of that id that a combatant can use, if there is one."""
    return next((w for w in combatant.weapons if w.id == weapon and not w.dropped), None)


def band_of(health: int, most: int, *, is_out: bool = False) -> Band:
    """Health in words; whoever is out is down with any health."""
    if health <= 0 or is_out:
        return "down"
    if health >= most:
        return "unhurt"
    return "badly_hurt" if 2 * health <= most else "hurt"


def felled_state(combatant: Combatant) -> FelledState | None:
    """Dead, unconscious, or neither."""
    if "dead" in combatant.conditions:
        return "dead"
    return "unconscious" if "unconscious" in combatant.conditions else None


def is_dead(combatant: Combatant) -> bool:
    """Whether a combatant is dead."""
    return "dead" in combatant.conditions


def is_held(combatant: Combatant) -> bool:
    """Whether somebody holds a combatant."""
    return combatant.held_by is not UNSET
