"""How a victim will answer an attack, as far as the asker may know."""

from typing import Literal, NamedTuple

from msgspec import UNSET, to_builtins

from service.engine.battle.state import scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.actions import (
    AnyChoice,
    DodgeChoice,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.deciding.checks import Battle, gm_line, lines_of
from service.rulesets.seeker_d100.deciding.declaration import Blow
from service.rulesets.seeker_d100.deciding.reactions import answer_skill, is_ready
from service.rulesets.seeker_d100.odds.chances import Opposition
from service.rulesets.seeker_d100.rule_inputs import spot_of
from service.rulesets.seeker_d100.rules.checks import CheckRoll, chance_of
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.resist import resisting
from service.rulesets.seeker_d100.rules.standing import does_answer
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.state import Combatant, StandingRoll, is_held, is_out

Facts = dict[str, object]
Kind = Literal["none", "pass", "dodge", "resist", "take_cover", "standing"]


class Foreseen(NamedTuple):
    """An answer to come: what stands against the attack, or a dive for cover.

    `is_known`: whether its chance may be told; `dive` is the chance of a dive in per cent.
    """

    kind: Kind
    facts: Facts
    against: Opposition | None = None
    dive: int | None = None
    to: Point | None = None
    is_known: bool = True

    def told(self) -> Facts:
        """The answer as clients read it."""
        return {"kind": self.kind, **self.facts}


def foreseen(
    told: Battle, blow: Blow, victim: Combatant, choice: AnyChoice | None, viewer: Viewer
) -> Foreseen:
    """The answer of a victim that chooses this, in the order in which answers are taken.

    None: it declines, where it is asked.
    """
    if is_out(victim) or is_held(victim):
        return Foreseen("none", {})
    standing = victim.standing_roll
    if standing is not UNSET and does_answer(standing.kind, blow.arm.delivery):
        return _standing(standing)
    stance = victim.answering
    if stance is not UNSET and is_ready(told.rule, blow, victim):
        item = None if stance.item is UNSET else stance.item
        return _rolled(told, victim, stance.kind, item, viewer)
    return chosen(told, victim, choice, viewer) if victim.actions_left else Foreseen("none", {})


def chosen(told: Battle, victim: Combatant, choice: AnyChoice | None, viewer: Viewer) -> Foreseen:
    """The answer of a victim that is asked and chooses this. None: it declines."""
    match choice:
        case DodgeChoice():
            return _rolled(told, victim, "dodge", None, viewer)
        case ResistChoice():
            return _rolled(told, victim, resisting(choice.intent), choice.weapon, viewer)
        case TakeCoverChoice():
            return _dive(told, victim, choice, viewer)
        case _:
            return Foreseen("pass", {})


def _standing(standing: StandingRoll) -> Foreseen:
    roll = CheckRoll(standing.natural, standing.level)
    facts: Facts = {"as": standing.kind, "natural": roll.natural, "level": roll.level}
    return Foreseen("standing", facts, Opposition(standing.kind, None, roll))


def _rolled(
    told: Battle, victim: Combatant, answered: Answered, item: str | None, viewer: Viewer
) -> Foreseen:
    kind: Kind = "dodge" if answered == "dodge" else "resist"
    named: Facts = {"as": answered}
    if not knows_numbers(victim, scope_of(told.rule), viewer):
        return Foreseen(kind, named, is_known=False)
    chance, facts = weighed(victim, answer_skill(told, victim, item))
    return Foreseen(kind, {**named, **facts}, Opposition(answered, chance, None))


def _dive(told: Battle, victim: Combatant, choice: TakeCoverChoice, viewer: Viewer) -> Foreseen:
    to = spot_of(choice.to)
    named: Facts = {"cover": choice.cover, "to": to_builtins(choice.to)}
    if not knows_numbers(victim, scope_of(told.rule), viewer):
        return Foreseen("take_cover", named, to=to, is_known=False)
    chance, facts = weighed(victim, victim.skills.dodge)
    return Foreseen("take_cover", {**named, **facts}, dive=chance, to=to)


def weighed(roller: Combatant, skill: int, *lines: Modifier | None) -> tuple[int, Facts]:
    """The chance of a check with the game master's modifier behind these, and what explains it."""
    explained = lines_of(*lines, gm_line(roller))
    chance = chance_of(skill, explained)
    return chance, {"base": skill, "pool": chance, "breakdown": to_builtins(explained)}
