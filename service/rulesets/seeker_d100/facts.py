"""What a preview tells besides odds: which of these, depends on the action and on who asks."""

from typing import Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from service.engine.ruleset.definition import Odds
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.deciding.checks import Weight
from service.rulesets.seeker_d100.effects import Mode
from service.rulesets.seeker_d100.rules.checks import Level
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.terrain import Point

C = TypeVar("C", bound="CheckFacts")
Kind = Literal["none", "pass", "dodge", "resist", "take_cover", "standing"]


class CheckFacts(Struct, frozen=True, kw_only=True):
    """A check: `base` is the skill, `pool` its chance in per cent, `breakdown` what lies between.

    One that was rolled already states `natural`, its face, and `level`.
    """

    base: int | UnsetType = UNSET
    """The skill, in per cent; absent where the caller may not know it or the check was rolled
    before."""
    pool: int | UnsetType = UNSET
    """The chance after `breakdown`, in per cent; absent where `base` is."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What changes `base` into `pool`; absent where the caller may not know it."""
    natural: int | UnsetType = UNSET
    """The face that was rolled before (d100); absent for a check yet to be made."""
    level: Level | UnsetType = UNSET
    """How that roll ended; absent for a check yet to be made."""


class AnswerFacts(CheckFacts, frozen=True, kw_only=True):
    """How a victim answers, and its check where it makes one that may be told."""

    kind: Kind
    """`standing`: a roll made before answers; `dodge`, `resist`, `take_cover`; `pass`: it
    declines; `none`: it cannot answer."""
    answered: Answered | UnsetType = field(default=UNSET, name="as")
    """What the check counts as against the attack; absent where none opposes it."""
    cover: str | UnsetType = UNSET
    """Id of the cover that it dives behind; only of `take_cover`."""
    to: Point | UnsetType = UNSET
    """Where it dives to; only of `take_cover`."""


class VictimFacts(Struct, frozen=True, kw_only=True):
    """What an attack may do to one victim; `armour` are the points that it takes off damage."""

    combatant: str
    """Id of the victim."""
    answer: AnswerFacts
    """How it answers, as the request or a stance of its own has it."""
    armour: tuple[Modifier, ...] | UnsetType = UNSET
    """Points that its armour and cover take off damage, by source; absent where the caller may not
    know them."""
    odds: tuple[Odds, ...] | UnsetType = UNSET
    """Chances of how the attack ends for it; absent where not enough is known."""
    instant_kill: Odds | UnsetType = UNSET
    """Chance that the weapon's lethality kills at once; absent without lethality or where not
    enough is known."""
    in_cover: Odds | UnsetType = UNSET
    """Chance that its dive for cover succeeds; only of `take_cover`."""
    counter: Odds | UnsetType = UNSET
    """Chance that it strikes back; only where it resists to counter."""
    unknown: tuple[str, ...]
    """What the caller may not know of it: `attack`, `answer`, `armour`."""


class QuestionFacts(Struct, frozen=True, kw_only=True):
    """Somebody who would be asked."""

    combatant: str
    """Id of the combatant that would be asked."""
    options: tuple[str, ...]
    """Kinds of answers it would be offered."""
    default: str
    """The option that stands if nobody answers."""


class AreaFacts(Point, frozen=True, kw_only=True):
    """The area of an attack: its centre and its radius in metres."""

    radius_m: int
    """Metres from the centre that the attack reaches."""


class Facts(CheckFacts, frozen=True, kw_only=True):
    """An attack or an answer to one, an attempt to break free, or a movement.

    An attack: `mode` to `asks`, with the check of the attacker. Breaking free: the check, and
    `against` that of the holder. A movement: `length_m` of `budget_m`, its `end`, and its test.
    """

    mode: Mode | UnsetType = UNSET
    """Kind of attack; absent where the action is none."""
    delivery: str | UnsetType = UNSET
    """How the attack reaches its target, of an attack."""
    distance_m: int | UnsetType = UNSET
    """Metres from the attacker to the target or centre, rounded up."""
    area: AreaFacts | UnsetType = UNSET
    """Where an attack with a radius strikes; absent for others."""
    victims: tuple[VictimFacts, ...] | UnsetType = UNSET
    """What it may do to each victim; of an answer, to the one that answers."""
    asks: tuple[QuestionFacts, ...] | UnsetType = UNSET
    """Those who would be asked how they answer; absent where nobody would."""
    answer: AnswerFacts | UnsetType = UNSET
    """The answer that is foreseen, where the caller may not know the attack itself."""
    against: CheckFacts | UnsetType = UNSET
    """The holder's check or roll that breaking free is up against; absent where the caller may not
    know it."""
    length_m: int | UnsetType = UNSET
    """Metres of the path, each leg rounded up."""
    budget_m: int | UnsetType = UNSET
    """Metres that the gait allows for a movement."""
    end: Point | UnsetType = UNSET
    """The point where the path ends."""


def weighed(facts: C, weight: Weight) -> C:
    """The same facts with those that explain the chance of a check."""
    return replace(facts, base=weight.skill, pool=weight.chance, breakdown=weight.lines)
