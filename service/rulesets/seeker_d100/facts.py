"""What a preview tells besides odds: which of these, depends on the action and on who asks."""

from msgspec import UNSET, Struct, UnsetType, field

from service.engine.breakdown import Modifier
from service.engine.ruleset import Odds
from service.rulesets.seeker_d100.effects import Mode
from service.rulesets.seeker_d100.foreseeing.replies import Kind
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.state import Level
from service.rulesets.seeker_d100.terrain import Point


class CheckFacts(Struct, frozen=True, kw_only=True):
    """A check: `base` is the skill, `pool` its chance in per cent, `breakdown` what lies between.

    One that was rolled already states `natural`, its face, and `level`.
    """

    base: int | UnsetType = UNSET
    pool: int | UnsetType = UNSET
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    natural: int | UnsetType = UNSET
    level: Level | UnsetType = UNSET


class AnswerFacts(CheckFacts, frozen=True, kw_only=True):
    """How a victim answers, and its check where it makes one that may be told."""

    kind: Kind
    answered: Answered | UnsetType = field(default=UNSET, name="as")
    cover: str | UnsetType = UNSET
    to: Point | UnsetType = UNSET


class VictimFacts(Struct, frozen=True, kw_only=True):
    """What an attack may do to one victim; `armour` are the points that it takes off damage."""

    combatant: str
    answer: AnswerFacts
    armour: tuple[Modifier, ...] | UnsetType = UNSET
    odds: tuple[Odds, ...] | UnsetType = UNSET
    instant_kill: Odds | UnsetType = UNSET
    in_cover: Odds | UnsetType = UNSET
    counter: Odds | UnsetType = UNSET
    unknown: tuple[str, ...]


class QuestionFacts(Struct, frozen=True, kw_only=True):
    """Somebody who would be asked."""

    combatant: str
    options: tuple[str, ...]
    default: str


class AreaFacts(Point, frozen=True, kw_only=True):
    """The area of an attack: its centre and its radius in metres."""

    radius_m: int


class Facts(CheckFacts, frozen=True, kw_only=True):
    """An attack or an answer to one, an attempt to break free, or a movement.

    An attack: `mode` to `asks`, with the check of the attacker. Breaking free: the check, and
    `against` that of the holder. A movement: `length_m` of `budget_m`, its `end`, and its test.
    """

    mode: Mode | UnsetType = UNSET
    delivery: str | UnsetType = UNSET
    distance_m: int | UnsetType = UNSET
    area: AreaFacts | UnsetType = UNSET
    victims: tuple[VictimFacts, ...] | UnsetType = UNSET
    asks: tuple[QuestionFacts, ...] | UnsetType = UNSET
    answer: AnswerFacts | UnsetType = UNSET
    against: CheckFacts | UnsetType = UNSET
    length_m: int | UnsetType = UNSET
    budget_m: int | UnsetType = UNSET
    end: Point | UnsetType = UNSET
