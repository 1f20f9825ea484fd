"""The rolls of those who answer an attack, and who wins against it.

How this works. Answers are taken in victim order. A roll that stands serves without asking; a
stance is rolled for now, unless the victim may not know the attacker, and stands from then on; a
choice spends the action of the round. A choice of somebody who cannot act on it any more is none.
"""

from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.decision_groups import Resumed
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.vocabulary.rolls import roll_of, told_again
from service.engine.vocabulary.values import Roll
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import (
    AnyChoice,
    AttackAction,
    DodgeChoice,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.deciding.attack_modifiers import skill_of
from service.rulesets.seeker_d100.deciding.checks import (
    Battle,
    Check,
    gm_line,
    level_rule_of,
    lines_of,
    rolled,
    spend_action,
    stream_for,
)
from service.rulesets.seeker_d100.deciding.declaration import Blow
from service.rulesets.seeker_d100.deciding.moves import go_to
from service.rulesets.seeker_d100.deciding.questions import is_aware, may_know
from service.rulesets.seeker_d100.rule_inputs import arm_at_hand, point_of, spot_of
from service.rulesets.seeker_d100.rules.checks import OUTCOMES, CheckRoll, is_success
from service.rulesets.seeker_d100.rules.cover import COVER_REACH_M, SK_COVER_1
from service.rulesets.seeker_d100.rules.dodge import dodged
from service.rulesets.seeker_d100.rules.geometry import leg_length
from service.rulesets.seeker_d100.rules.opposed import Verdict, answer_outcome
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_3, answer_rules, is_rolled_now
from service.rulesets.seeker_d100.rules.resist import resisted, resisting
from service.rulesets.seeker_d100.rules.standing import (
    SK_STAND_1,
    SK_STAND_2,
    does_answer,
    does_stand,
)
from service.rulesets.seeker_d100.rules.words import D100, Answered, Delivery
from service.rulesets.seeker_d100.state import BattleState, Combatant, StandingRoll, is_held, is_out

Choices = Resumed[AttackAction, AnyChoice]


class Reply(NamedTuple):
    """How one victim answered: with what, and the roll; `verdict` for opposed ones.

    A standing roll that a creation stated has a result alone.
    """

    victim: str
    kind: Literal["dodge", "resist", "take_cover", "standing"]
    answered: Answered | None
    item: str | None
    result: CheckRoll
    roll: Roll | None
    needed: int | None
    verdict: Verdict | None
    level_rule: str | UnsetType

    def told(self, delivery: Delivery | None) -> own.AnswerOutcome:
        """The answer as the log keeps it, to an attack of this delivery; None where that is kept.

        Whoever does not see the attacker learns nothing of the weapon.
        """
        if self.verdict is None:
            outcome: Literal["success", "failure", "stalemate"] = (
                "success" if is_success(self.result.level) else "failure"
            )
        else:
            outcome = answer_outcome(self.verdict.winner)
        why = None if self.verdict is None else self.verdict.why
        return own.AnswerOutcome(
            combatant=self.victim,
            kind=self.kind,
            roll=UNSET if self.roll is None else self.roll,
            natural=self.result.natural if self.roll is None else UNSET,
            level=self.result.level,
            level_rule=self.level_rule,
            needed=UNSET if self.needed is None else self.needed,
            outcome=outcome,
            why=UNSET if why is None else why,
            rules=answer_rules(self.answered, delivery),
        )


def replies(
    told: Battle,
    blow: Blow,
    victims: tuple[str, ...],
    attack: CheckRoll,
    chosen: Choices | None,
    dice: Dice,
) -> dict[str, Reply]:
    """The answers of all victims that give one, by id (SK-ORD-1, step 4)."""
    given: dict[str, Reply] = {}
    for victim in victims:
        choice = None if chosen is None else chosen.choice_of(victim)
        reply = _reply(told, blow, existing(told.rule, victim), attack, choice, dice)
        if reply is not None:
            given[victim] = reply
    return given


def _reply(
    told: Battle,
    blow: Blow,
    victim: Combatant,
    attack: CheckRoll,
    choice: AnyChoice | None,
    dice: Dice,
) -> Reply | None:
    if is_out(victim) or is_held(victim):
        return None
    standing = victim.standing_roll
    if standing is not UNSET and does_answer(standing.kind, blow.arm.delivery):
        return _with_standing(told, victim, standing, attack)
    if is_ready(told.rule, blow, victim):
        return _from_stance(told, victim, attack, dice)
    if not victim.actions_left:
        return None
    match choice:
        case DodgeChoice():
            _spend(told, victim)
            return _opposed(told, victim, "dodge", "dodge", None, attack, dice)
        case ResistChoice():
            _spend(told, victim)
            answered = resisting(choice.intent)
            return _opposed(told, victim, "resist", answered, choice.weapon, attack, dice)
        case TakeCoverChoice() if is_in_leap(victim, choice):
            _spend(told, victim)
            return _dive(told, victim, choice, dice)
        case _:
            return None


def is_in_leap(victim: Combatant, choice: TakeCoverChoice) -> bool:
    """Whether the place behind cover is still near; the game master may have put one elsewhere."""
    return leg_length(point_of(victim), spot_of(choice.to)) <= COVER_REACH_M


def _spend(told: Battle, victim: Combatant) -> None:
    spend_action(told, victim.id)


def is_ready(rule: BattleState, blow: Blow, victim: Combatant) -> bool:
    """Whether a stance taken in its own turn is rolled for now (SK-REACT-3)."""
    stance = victim.answering
    return (
        stance is not UNSET
        and is_rolled_now(stance.kind, blow.arm.delivery)
        and is_aware(victim)
        and may_know(rule, victim, blow.attacker)
    )


def _with_standing(
    told: Battle, victim: Combatant, standing: StandingRoll, attack: CheckRoll
) -> Reply:
    result = CheckRoll(standing.natural, standing.level)
    draw = standing.draw
    return Reply(
        victim=victim.id,
        kind="standing",
        answered=standing.kind,
        item=None if standing.item is UNSET else standing.item,
        result=result,
        roll=None if draw is UNSET else roll_of(D100, (standing.natural,), (draw,)),
        needed=None,
        verdict=_verdict(told, standing.kind, attack, result),
        level_rule=UNSET if draw is UNSET else level_rule_of(told, standing.natural),
    )


def _from_stance(told: Battle, victim: Combatant, attack: CheckRoll, dice: Dice) -> Reply | None:
    stance = victim.answering
    if stance is UNSET:
        return None
    told.emit(
        own.ConditionLost(
            rule=SK_REACT_3, combatant=victim.id, condition="answering", cause="rolled"
        )
    )
    kind: Literal["dodge", "resist"] = "dodge" if stance.kind == "dodge" else "resist"
    item = None if stance.item is UNSET else stance.item
    return _opposed(told, victim, kind, stance.kind, item, attack, dice)


def _opposed(
    told: Battle,
    victim: Combatant,
    kind: Literal["dodge", "resist"],
    answered: Answered,
    item: str | None,
    attack: CheckRoll,
    dice: Dice,
) -> Reply:
    """Roll against the attack; the roll stands until the end of the round (SK-STAND-2)."""
    check = _check(told, victim, answer_skill(told, victim, item), kind, dice)
    if does_stand(kind):
        stand(told, victim.id, answered, item, check, dice.seq)
    return Reply(
        victim=victim.id,
        kind=kind,
        answered=answered,
        item=item,
        result=check.result,
        roll=check.roll,
        needed=check.chance,
        verdict=_verdict(told, answered, attack, check.result),
        level_rule=check.level_rule,
    )


def answer_skill(told: Battle, victim: Combatant, item: str | None) -> int:
    """The skill of an answer: dodge, or that of the resisting weapon `item`, if it is at hand."""
    if item is None:
        return victim.skills.dodge
    return skill_of(victim, arm_at_hand(victim, item, told.rule.options).skill)


def _check(told: Battle, victim: Combatant, skill: int, purpose: str, dice: Dice) -> Check:
    stream = stream_for(told.rule, victim.id)
    return rolled(told, victim, skill, lines_of(gm_line(victim)), purpose, stream, dice)


def stand(
    told: Battle, combatant: str, answered: Answered, item: str | None, check: Check, seq: int
) -> None:
    """A roll of event `seq` answers attacks from now on."""
    [draw] = told_again(check.roll, seq).draws
    told.emit(
        own.ConditionGained(
            rule=SK_STAND_1 if combatant == told.rule.turn else SK_STAND_2,
            combatant=combatant,
            condition="standing_roll",
            value=answered,
            item=UNSET if item is None else item,
            facts={"natural": check.result.natural, "level": check.result.level},
            draw=draw,
        )
    )


def _verdict(told: Battle, answered: Answered, attack: CheckRoll, answer: CheckRoll) -> Verdict:
    die = told.rule.options.opposed_die
    return dodged(attack, answer, die) if answered == "dodge" else resisted(attack, answer, die)


def _dive(told: Battle, victim: Combatant, choice: TakeCoverChoice, dice: Dice) -> Reply:
    """A plain dodge check; a success moves the victim before the attack strikes (SK-COVER-1)."""
    check = _check(told, victim, victim.skills.dodge, "take_cover", dice)
    told.emit(
        own.CheckResolved(
            rule=SK_COVER_1,
            check="take_cover",
            combatant=victim.id,
            outcome=OUTCOMES[check.result.level],
            roll=check.roll,
            needed=check.chance,
            level=check.result.level,
            level_rule=check.level_rule,
            breakdown=check.lines,
        )
    )
    if is_success(check.result.level):
        go_to(told, victim.id, spot_of(choice.to), "cover")
    return Reply(
        victim=victim.id,
        kind="take_cover",
        answered=None,
        item=None,
        result=check.result,
        roll=told_again(check.roll, dice.seq),
        needed=check.chance,
        verdict=None,
        level_rule=check.level_rule,
    )
