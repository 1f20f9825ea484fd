"""What a battle remembers: options, combatants with their weapons, cards, and changed cover."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine import state as core
from service.engine.audience import (
    BAND,
    BEARER,
    EVERYONE,
    GM,
    HEALTH,
    NUMBERS,
    MentionId,
    OtherId,
    OwnId,
    SubjectId,
)
from service.engine.vocabulary import DrawRun, Place, SideId, Word
from service.rulesets.seeker_d100.rules.armour import VersusLethality
from service.rulesets.seeker_d100.rules.called import CalledIgnores
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

Card = Annotated[int, Meta(ge=0, le=53)]
"""A card by its canonical index (SK-INIT-2)."""

Natural = Annotated[int, Meta(ge=1, le=100)]
"""What a d100 showed."""

Level = Annotated[int, Meta(ge=0, le=3)]
"""How good a roll was (SK-CHECK-4)."""

Amount = Annotated[int, Meta(ge=-1000, le=1000)]
"""What the game master adds to a chance."""

Round = Annotated[int, Meta(ge=0, le=100_000)]
"""A round by its number; 0 is before the first."""


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts.

    `attack_reveals`: attacking makes a hidden attacker known to everyone. If not, others learn
    only who was attacked and how it ended.
    """

    cell_m: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 1
    melee_reach_sq: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 2
    deck: Annotated[DeckSize, EVERYONE] = 52
    ace: Annotated[AceRank, EVERYONE] = "high"
    redraw_each_round: Annotated[bool, EVERYONE] = False
    doubles: Annotated[bool, EVERYONE] = True
    reactions: Annotated[Literal["prompt", "none"], EVERYONE] = "prompt"
    opposed_die: Annotated[OpposedDie, EVERYONE] = "high"
    called_open_penalty: Annotated[Annotated[int, Meta(ge=-100, le=0)], EVERYONE] = -20
    called_ignores_armour: Annotated[CalledIgnores, EVERYONE] = "uncovering"
    disarm_free_hands: Annotated[Annotated[int, Meta(ge=1, le=2)], EVERYONE] = 1
    break_free_versus: Annotated[Literal["new_roll", "grapple_roll"], EVERYONE] = "new_roll"
    held_bonus: Annotated[HeldBonus, EVERYONE] = "melee"
    critical_doubles_damage: Annotated[bool, EVERYONE] = True
    attack_roll_kills: Annotated[bool, EVERYONE] = True
    lethality_critical: Annotated[LethalCritical, EVERYONE] = "double"
    ied_lethality: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 15
    body_vs_lethality: Annotated[VersusLethality, EVERYONE] = "none"
    cover_vs_lethality: Annotated[VersusLethality, EVERYONE] = "downgrade"
    unconscious_at: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 2
    attack_reveals: Annotated[bool, EVERYONE] = True


class Skills(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Skills in per cent."""

    ranged: Annotated[Percent, NUMBERS] = 0
    athletics: Annotated[Percent, NUMBERS] = 0
    melee_weapon: Annotated[Percent, NUMBERS] = 0
    unarmed: Annotated[Percent, NUMBERS] = 0
    heavy_weapons: Annotated[Percent, NUMBERS] = 0
    demolitions: Annotated[Percent, NUMBERS] = 0
    dodge: Annotated[Percent, NUMBERS] = 0


class Aim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which round one took aim."""

    round: Annotated[Round, EVERYONE]


class Answering(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one is ready to answer attacks; it is rolled for when first needed."""

    kind: Annotated[Answered, EVERYONE]
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET


class StandingRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll that answers attacks until the end of the round, without asking.

    `draw` names the die in its event, whatever came in; one that a creation states has none.
    """

    kind: Annotated[Answered, EVERYONE]
    natural: Annotated[Natural, EVERYONE]
    level: Annotated[Level, EVERYONE]
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    draw: Annotated[DrawRun | UnsetType, EVERYONE] = UNSET


class Hold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who holds one, and the roll that did it."""

    holder: Annotated[OtherId, EVERYONE]
    natural: Annotated[Natural, EVERYONE]
    level: Annotated[Level, EVERYONE]


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in; `health_max` 0 means as much as `health`.
    Everybody has bare hands (`w_unarmed`) unless a weapon of that id is stated. `actions_left` is
    1 until the action of the round is spent. `next_roll` is what the game master adds to the
    chance of the next roll, `movement_test` what he adds to the test he demands of the next move.
    """

    id: Annotated[OwnId, EVERYONE]
    side: Annotated[SideId, EVERYONE]
    place: Annotated[Place, EVERYONE]
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=8)], EVERYONE] = ()
    health: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH]
    health_max: Annotated[Annotated[int, Meta(ge=0, le=1000)], HEALTH] = 0
    band: Annotated[Band, BAND] = "unhurt"
    strength: Annotated[Attribute, NUMBERS] = 0
    dexterity: Annotated[Attribute, NUMBERS] = 0
    skills: Annotated[Skills, EVERYONE] = Skills()
    body_armour: Annotated[BodyArmour | UnsetType, EVERYONE] = UNSET
    helmet: Annotated[bool, EVERYONE] = False
    free_hands: Annotated[Annotated[int, Meta(ge=0, le=2)], EVERYONE] = 2
    held_items: Annotated[Annotated[tuple[ItemId, ...], Meta(max_length=20)], EVERYONE] = ()
    weapons: Annotated[Annotated[tuple[Weapon, ...], Meta(max_length=21)], EVERYONE] = ()
    actions_left: Annotated[Annotated[int, Meta(ge=0, le=1)], EVERYONE] = 1
    aim: Annotated[Aim | UnsetType, EVERYONE] = UNSET
    answering: Annotated[Answering | UnsetType, EVERYONE] = UNSET
    standing_roll: Annotated[StandingRoll | UnsetType, EVERYONE] = UNSET
    held_by: Annotated[Hold | UnsetType, EVERYONE] = UNSET
    holding: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    next_roll: Annotated[Amount | UnsetType, EVERYONE] = UNSET
    movement_test: Annotated[Amount | UnsetType, EVERYONE] = UNSET


class Drawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose card is which, in the order of turns."""

    combatant: Annotated[SubjectId, EVERYONE]
    card: Annotated[Card, EVERYONE]


class Attacker(Struct, frozen=True, kw_only=True):
    """Whose attack is to be answered; unseen with the attacker."""

    combatant: Annotated[SubjectId, EVERYONE]
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET


class Context(Struct, frozen=True, kw_only=True):
    """What an attack looks like to whoever may answer it.

    `action` is its kind, `origin` where it comes from: the burst of an explosive, else the
    attacker's place. `covers` may be taken: they are within three metres.
    """

    action: Annotated[Word, EVERYONE]
    delivery: Annotated[Delivery, EVERYONE]
    origin: Annotated[Point, EVERYONE]
    covers: Annotated[tuple[CoverId, ...], EVERYONE] = ()
    source: Annotated[Attacker, EVERYONE]


class Reaction(core.Decision, frozen=True, kw_only=True):
    """A question to a victim: how to answer an attack. Without a context: dice of the table."""

    context: Annotated[Context | UnsetType, EVERYONE] = UNSET


class Chosen(core.Chosen, frozen=True, kw_only=True):
    """A decision of an open group that is closed already."""

    decision: Annotated[Reaction, EVERYONE, BEARER]


class DecisionGroup(core.DecisionGroup, frozen=True, kw_only=True):
    """Decisions opened together."""

    decisions: Annotated[tuple[Reaction, ...], EVERYONE]
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle.

    `deck` are the cards not drawn yet as they lie (nobody knows the dice that will pick them),
    absent while none was. `terrain` are the covers that differ from the map, `secrets` those that
    only the game master knows; where both speak of one, the secret is the truth.
    """

    options: Annotated[Options, EVERYONE]
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    cards: Annotated[tuple[Drawn, ...], EVERYONE] = ()
    pending: Annotated[tuple[DecisionGroup, ...], EVERYONE] = ()
    deck: Annotated[tuple[Card, ...] | UnsetType, GM] = UNSET
    terrain: Annotated[tuple[CoverChange, ...], EVERYONE] = ()
    secrets: Annotated[tuple[CoverChange, ...], GM] = ()


def combatant_named(rule: BattleState, combatant: str) -> Combatant | None:
    """The combatant of that id, if there is one."""
    return next((known for known in rule.combatants if known.id == combatant), None)


def existing(rule: BattleState, combatant: str) -> Combatant:
    """The combatant of that id, which is known to be there. Raises KeyError if it is not."""
    known = combatant_named(rule, combatant)
    if known is None:
        raise KeyError(combatant)
    return known


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


def is_out(combatant: Combatant) -> bool:
    """Whether a combatant is unconscious or dead: it takes no turn, no action and no reaction."""
    return felled_state(combatant) is not None


def is_held(combatant: Combatant) -> bool:
    """Whether somebody holds a combatant."""
    return combatant.held_by is not UNSET
