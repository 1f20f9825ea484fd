"""What a battle remembers: options, creatures with weapons and areas, gravity, changed ground."""

from functools import cached_property
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import open_decisions
from service.engine.battle import state as core
from service.engine.geometry.distance import DiagonalRule
from service.engine.visibility.audience import (
    BAND,
    BEARER,
    EVERYONE,
    GM,
    HEALTH,
    NUMBERS,
    OtherId,
    OwnId,
    SubjectId,
    unseen,
)
from service.engine.vocabulary.values import Place, SideId
from service.rulesets.tactical_d20.rules.ground import Fighter, Ground
from service.rulesets.tactical_d20.rules.words import (
    BorderContact,
    CornerChooser,
    CoverGrade,
    FlankPartner,
    FlankPartnerSide,
    Gravity,
    LineOptions,
    PartialCoverMethod,
    Sense,
)
from service.rulesets.tactical_d20.terrain import TerrainChange
from service.rulesets.tactical_d20.weapons import Area, Reach, SheetBonus, Weapon

MAX_COMBATANTS: Final = 500
"""How many combatants a battle holds at most."""

ArmourTotal = Annotated[int, Meta(ge=-50, le=200)]
"""An armour class."""

Percent = Annotated[int, Meta(ge=0, le=100)]
"""A chance in per cent."""

UsualPercent = Annotated[int, Meta(ge=1, le=100)]
"""A chance in per cent that there is."""

Penalty = Annotated[int, Meta(ge=-20, le=0)]
"""A penalty: 0 or less."""

Flag = Annotated[int, Meta(ge=0, le=1)]
"""One action of a kind that is left, or none."""

Condition = Literal["prone", "spinning", "invisible", "unconscious", "dead"]

FelledState = Literal["unconscious", "dead"]
"""How somebody is out of the fight (TD-SD-3)."""

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, 0 and less."""

Resource = Literal["standard", "move", "swift", "reaction"]
"""What a turn gives, and the reaction of a round."""


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts."""

    diagonal_rule: Annotated[DiagonalRule, EVERYONE] = "alternating"
    """How diagonal steps count: `alternating`: every second one two cells; `equal`: each one cell
    (TD-GEO-2)."""
    border_contact: Annotated[BorderContact, EVERYONE] = "along"
    """Whether a line that runs along the side of a marked cell meets it: `along`: it does;
    `interior_only`: only if there is a marked cell on either side (TD-GEO-4)."""
    partial_cover_method: Annotated[PartialCoverMethod, EVERYONE] = "declared"
    """Partial cover: `declared`: where obstacle or game master say so; `line_count`: also where
    exactly one of the four lines meets anything (TD-COVER-5)."""
    concealment_corner_chooser: Annotated[CornerChooser, EVERYONE] = "defender"
    """Who chooses the attacker's corner for concealment (TD-CONC-2): the worst one for the attacker
    (`defender`), or the one it names, else the best (`attacker`)."""
    soft_cover_vs_melee: Annotated[bool, EVERYONE] = False
    """Whether creatures in between are cover against melee attacks, too (TD-SOFT-1)."""
    flank_partner: Annotated[FlankPartner, EVERYONE] = "centre"
    """Where a flanking partner counts as standing: the `centre` of its space, or in `any_cell` of
    it (TD-FLANK-5)."""
    flank_partner_side: Annotated[FlankPartnerSide, EVERYONE] = "hostile"
    """Who helps to flank: enemies of the target (`hostile`), or `any` other creature
    (TD-FLANK-2)."""
    light_on_line: Annotated[bool, EVERYONE] = False
    """Whether low light and darkness conceal on the way, too, not only in the target's own cells
    (TD-CONC-8)."""
    default_concealment_pct: Annotated[UsualPercent, EVERYONE] = 20
    """Per cent of concealment that low light and partial darkness give (TD-CONC-8)."""
    unseen_pct: Annotated[UsualPercent, EVERYONE] = 50
    """Least miss chance in per cent against an unseen creature (TD-UNSEEN-3)."""
    low_obstacle_range_ft: Annotated[Annotated[int, Meta(ge=0, le=1000)], EVERYONE] = 30
    """Feet from a low obstacle up to which it covers (TD-LOW-2)."""
    spinning_attack: Annotated[Penalty, EVERYONE] = -2
    """What is added to attack rolls of whoever spins (TD-PRONE-4)."""
    spinning_ac: Annotated[Penalty, EVERYONE] = -2
    """What is added to the armour class of whoever spins (TD-PRONE-4)."""
    range_increment_penalty: Annotated[Penalty, EVERYONE] = -2
    """What each range increment after the first adds to a shot (TD-SD-4)."""
    initiative: Annotated[Literal["roll", "fixed"], EVERYONE] = "roll"
    """`roll`: d20 and bonus, the highest first; `fixed`: the order of entry, without dice
    (TD-SD-1)."""
    attack_reveals: Annotated[bool, EVERYONE] = True
    """Whether attacking makes a hidden attacker known to everyone; if not, others learn only who
    was attacked and how it ended."""

    @property
    def do_fallen_give_cover(self) -> bool:
        """Whether unconscious creatures are living cover, too (TD-SOFT-1)."""
        return True


class ArmourClass(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attack must reach, by what it is rolled against."""

    eac: Annotated[ArmourTotal, NUMBERS, unseen(0)] = 10
    """Against weapons whose `targets` is `eac`."""
    kac: Annotated[ArmourTotal, NUMBERS, unseen(0)] = 10
    """Against weapons whose `targets` is `kac`."""


class CoverOverride(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game master's word on the cover against one attacker."""

    versus: Annotated[OtherId, EVERYONE]
    """Id of the attacker against whom it counts."""
    grade: Annotated[CoverGrade, EVERYONE]
    """What counts instead of the cover that the map gives (TD-COVER-8)."""


class ConcealmentOverride(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game master's word on the concealment from one attacker."""

    versus: Annotated[OtherId, EVERYONE]
    """Id of the attacker against whom it counts."""
    percent: Annotated[Percent, EVERYONE]
    """What counts instead of map, light and blur (TD-CONC-7)."""


CoverOverrides = Annotated[tuple[CoverOverride, ...], Meta(max_length=MAX_COMBATANTS)]
ConcealmentOverrides = Annotated[tuple[ConcealmentOverride, ...], Meta(max_length=MAX_COMBATANTS)]


FULL_HEALTH: Final = 10_000
"""The `health` of whoever comes in unhurt, whatever its `health_max`: no more than that is kept."""


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A creature: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in.
    """

    id: Annotated[OwnId, EVERYONE]
    """Id of the combatant, unique in the battle; actions and effects name it."""
    side: Annotated[SideId, EVERYONE]
    """Id of its side; combatants of different sides are hostile."""
    place: Annotated[Place, EVERYONE]
    """Cell of the north-west corner of its space; `elevation` in feet, 0 if absent, counts in
    distances alone (TD-GEO-2)."""
    size: Annotated[Annotated[int, Meta(ge=1, le=8)], EVERYONE] = 1
    """Width and depth of its space in cells."""
    height_ft: Annotated[Annotated[int, Meta(ge=1, le=200)], EVERYONE] = 6
    """Height in feet: an obstacle of at most half of it is low (TD-LOW-1)."""
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=5)], EVERYONE] = ()
    """What holds of it; whoever is `unconscious` or `dead` takes no turn."""
    health: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH, unseen(0)] = FULL_HEALTH
    """Hit points now, at most `health_max`; 10,000 when it comes in: as many as that. At 0 and less
    `unconscious`, as far below 0 as `health_max` above it `dead` (TD-SD-3)."""
    health_max: Annotated[Annotated[int, Meta(ge=1, le=10_000)], HEALTH, unseen(0)]
    """Hit points at full health."""
    band: Annotated[Band, BAND] = "unhurt"
    """Health in words: `unhurt` at full, `hurt` below, `badly_hurt` at most half, `down` at 0 and
    less; computed, whatever came in."""
    reach_ft: Annotated[Reach, NUMBERS, unseen(0)] = 5
    """Reach in feet of each of its melee weapons that states none (TD-GEO-3)."""
    ac: Annotated[ArmourClass, EVERYONE] = ArmourClass()
    """What attacks on it must reach (TD-SD-2)."""
    reflex: Annotated[SheetBonus, NUMBERS] = 0
    """Added to the d20 of its saves against area effects."""
    initiative: Annotated[SheetBonus, NUMBERS] = 0
    """Added to the d20 of its initiative (TD-SD-1)."""
    speed_ft: Annotated[Annotated[int, Meta(ge=0, le=1000)], NUMBERS, unseen(0)] = 30
    """Feet that one `move` leads at most."""
    senses: Annotated[Annotated[tuple[Sense, ...], Meta(max_length=2)], NUMBERS] = ()
    """Senses beyond normal sight, each once (TD-CONC-9)."""
    blur_pct: Annotated[Percent, NUMBERS] = 0
    """Per cent of concealment that it has against everyone (TD-CONC-5)."""
    weapons: Annotated[Annotated[tuple[Weapon, ...], Meta(max_length=20)], EVERYONE] = ()
    """What it can attack with, each id once."""
    areas: Annotated[Annotated[tuple[Area, ...], Meta(max_length=20)], EVERYONE] = ()
    """Area effects that it can use, each id once."""
    cover_overrides: Annotated[CoverOverrides, NUMBERS] = ()
    """Its cover that the game master has overruled, by attacker, each once (TD-COVER-8)."""
    concealment_overrides: Annotated[ConcealmentOverrides, NUMBERS] = ()
    """Its concealment that the game master has overruled, by attacker, each once (TD-CONC-7)."""
    standard_left: Annotated[Flag, EVERYONE] = 1
    """Standard actions left in its turn; each turn begins with 1."""
    move_left: Annotated[Flag, EVERYONE] = 1
    """Move actions left in its turn beside the standard action, which may be spent as one; each
    turn begins with 1."""
    swift_left: Annotated[Flag, EVERYONE] = 1
    """Swift actions left in its turn; each turn begins with 1."""
    reaction_left: Annotated[Flag, EVERYONE] = 1
    """Reactions left until its next turn, which gives 1."""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place in the order of turns; without a score where it was given or is that of entry."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the combatant who has this place in the order."""
    score: Annotated[Annotated[int, Meta(ge=-100, le=200)] | UnsetType, NUMBERS] = UNSET
    """Its initiative, d20 and bonus (TD-SD-1); absent where the order was given or is that of
    entry."""


class Provocation(Struct, frozen=True, kw_only=True):
    """Whom an opportunity is offered against, and what that one is about to do."""

    target: Annotated[SubjectId, EVERYONE]
    """Id of the combatant who may be attacked."""
    deed: Annotated[Literal["move", "attack", "attack_cell"], EVERYONE]
    """Kind of the action that waits: a step of a walk, or a ranged attack."""
    place: Annotated[Place, EVERYONE]
    """Where the target stands now, before the step."""


class Opportunity(open_decisions.Decision, frozen=True, kw_only=True):
    """A question to an enemy: attack out of turn, or pass. Without a context: dice of the table."""

    context: Annotated[Provocation | UnsetType, EVERYONE] = UNSET
    """Who provokes and how; absent where dice of the table are asked for."""


class Chosen(open_decisions.Chosen, frozen=True, kw_only=True):
    """A decision of an open group that is closed already."""

    decision: Annotated[Opportunity, EVERYONE, BEARER]
    """The decision that is closed."""


class DecisionGroup(open_decisions.DecisionGroup, frozen=True, kw_only=True):
    """Decisions opened together."""

    decisions: Annotated[tuple[Opportunity, ...], EVERYONE]
    """Decisions that are still open."""
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET
    """Decisions of the group that are closed already; absent if none."""


class BattleLookups(core.Lookups):
    """What is worked out of a battle and asked again: the tables kept beside its state.

    `grounds` by whether they hold what only the game master knows; `fighters` by id, each behind
    the combatant it was made of; `crowds`: all of them together; `lines`: the options about lines.
    """

    __slots__ = ("crowds", "fighters", "grounds", "lines")

    def __init__(self) -> None:
        super().__init__()
        self.grounds: core.Table[bool, Ground] = core.Table()
        self.fighters: dict[str, tuple[Combatant, Fighter]] = {}
        self.crowds: core.Table[None, tuple[Fighter, ...]] = core.Table()
        self.lines: core.Table[None, LineOptions] = core.Table()


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle.

    `terrain` are the cells and borders that differ from the map, `secrets` those that only the
    game master knows; where both speak of one, the secret is the truth.
    """

    options: Annotated[Options, EVERYONE]
    """The table's choices, frozen when the battle starts."""
    gravity: Annotated[Gravity, EVERYONE] = "normal"
    """Whether things have weight: in `zero` gravity the knocked down spin (TD-PRONE-4)."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Everybody in the battle, in the order of entry, the fallen included."""
    scores: Annotated[tuple[Score, ...], EVERYONE] = ()
    """The order of turns with the initiative of each, the first to act first."""
    pending: Annotated[tuple[DecisionGroup, ...], EVERYONE] = ()
    """Stack of open decision groups, the last one on top."""
    terrain: Annotated[tuple[TerrainChange, ...], EVERYONE] = ()
    """Cells and borders that differ from the map and that everyone knows, each whole."""
    secrets: Annotated[tuple[TerrainChange, ...], GM] = ()
    """Cells and borders that only the game master knows; where `terrain` speaks of one, too, these
    are the truth."""

    @cached_property
    def lookups(self) -> BattleLookups:
        """The lookups of this battle, handed on from state to state."""
        return BattleLookups()


def band_of(health: int, most: int) -> Band:
    """Health in words."""
    if health <= 0:
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


def weapon_named(combatant: Combatant, weapon: str) -> Weapon | None:
    """The weapon of that id that a combatant has, if there is one."""
    return next((each for each in combatant.weapons if each.id == weapon), None)


def area_named(combatant: Combatant, area: str) -> Area | None:
    """The area effect of that id that a combatant has, if there is one."""
    return next((each for each in combatant.areas if each.id == area), None)
