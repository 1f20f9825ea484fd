"""The rolls that answer an attack, and who wins.

How this works. Answers are taken in victim order. A standing roll serves without a question. A
stance is rolled now, unless the victim may not know the attacker, and stands from then on. A choice
spends the action of the round; it is void if its victim cannot act on it any more.
"""

from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.decision_groups import Resumed
from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import State
from service.engine.geometry.segments import leg_length
from service.engine.kit.streams import stream_for
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
from service.rulesets.seeker_d100.covers import covers_of, public_covers
from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.attack_modifiers import skill_of
from service.rulesets.seeker_d100.deciding.checks import (
    Check,
    emit_check,
    level_rule_of,
    roll_check,
    spend_action,
    weigh_check,
)
from service.rulesets.seeker_d100.deciding.moves import go_to
from service.rulesets.seeker_d100.deciding.reaction_choices import (
    danger_origin,
    is_aware,
    may_know,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.waiting_attack import reading_of
from service.rulesets.seeker_d100.equipment import arm_at_hand
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.places import spot_at, spot_of
from service.rulesets.seeker_d100.reach import is_dive_safe
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.rules.checks import CheckRoll, is_success
from service.rulesets.seeker_d100.rules.cover import COVER_REACH_M, SK_COVER_1, is_cover_near
from service.rulesets.seeker_d100.rules.dodge import DodgeReading, dodged
from service.rulesets.seeker_d100.rules.opposed import Verdict, answer_outcome, plain_verdict
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_3, answer_rules, is_rolled_now
from service.rulesets.seeker_d100.rules.resist import resisted, resisting
from service.rulesets.seeker_d100.rules.standing import (
    SK_STAND_1,
    SK_STAND_2,
    does_answer,
    does_stand,
)
from service.rulesets.seeker_d100.rules.words import D100, Answered, Delivery
from service.rulesets.seeker_d100.state import BattleState, Combatant, StandingRoll, is_held

ResumedAttack = Resumed[AttackAction, AnyChoice]


class Reply(NamedTuple):
    """The answer of one victim: its kind, weapon and roll; `verdict` if it opposes the attack.

    A standing roll that a creation stated has a result but no `roll` and no chance `needed`. A
    dodge by `plain_rule` wins by its success alone.
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
    plain_rule: str | None = None

    def to_outcome(self, delivery: Delivery | None, dodges: DodgeReading) -> own.AnswerOutcome:
        """The answer as the log keeps it; `delivery` None: the attacker's weapon stays unknown.

        Then it is not told either whether a dodge was a plain check, where both kinds are read.
        """
        is_untold = delivery is None and self.answered == "dodge" and dodges.is_mixed
        if self.verdict is None:
            outcome: Literal["success", "failure", "stalemate"] = (
                "success" if is_success(self.result.level) else "failure"
            )
        elif is_untold:
            outcome = "success" if self.verdict.winner == "answering" else "failure"
        else:
            outcome = answer_outcome(self.verdict.winner)
        why = None if self.verdict is None or is_untold else self.verdict.why
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
            rules=() if is_untold else answer_rules(self.answered, delivery, self.plain_rule),
        )


def resolve_replies(
    resolution: Resolution,
    assault: Assault,
    victims: tuple[str, ...],
    attack: CheckRoll,
    resumed: ResumedAttack | None,
) -> dict[str, Reply]:
    """The answers of all victims that give one, by id (SK-ORD-1, step 4)."""
    effects = resolution.effects
    plain_rule = effects.state.terms.read_as(Readings).dodge.plain_rule(assault.arm.delivery)
    replies: dict[str, Reply] = {}
    for victim in victims:
        choice = None if resumed is None else resumed.choice_of(victim)
        reply = _resolve_reply(
            resolution, assault, existing(effects.rule, victim), attack, choice, plain_rule
        )
        if reply is not None:
            replies[victim] = reply
    return replies


def _resolve_reply(
    resolution: Resolution,
    assault: Assault,
    victim: Combatant,
    attack: CheckRoll,
    choice: AnyChoice | None,
    plain_rule: str | None,
) -> Reply | None:
    effects = resolution.effects
    if is_out(victim) or is_held(victim):
        return None
    standing = victim.standing_roll
    if standing is not UNSET and does_answer(standing.kind, assault.arm.delivery):
        return _reply_by_standing_roll(effects, victim, standing, attack, plain_rule)
    if is_ready(effects.rule, assault, victim):
        return _reply_by_stance(resolution, victim, attack, plain_rule)
    if not victim.actions_left:
        return None
    match choice:
        case DodgeChoice():
            _spend(effects, victim)
            return _roll_answer(resolution, victim, "dodge", "dodge", None, attack, plain_rule)
        case ResistChoice():
            _spend(effects, victim)
            answered = resisting(choice.intent)
            return _roll_answer(
                resolution, victim, "resist", answered, choice.weapon, attack, plain_rule
            )
        case TakeCoverChoice() if _can_dive(effects.state, assault, victim, choice):
            _spend(effects, victim)
            return _dive(resolution, victim, choice)
        case _:
            return None


def _can_dive(
    battle: State[BattleState], assault: Assault, victim: Combatant, choice: TakeCoverChoice
) -> bool:
    """Whether the spot behind cover is still in reach: the game master may move the victim.

    As the version has it, it must also be behind the cover from where the attack comes from now
    (SK-COVER-3), be it one that the victim knows or one that the game master chose for it.
    """
    here, to = spot_of(victim), spot_at(choice.to)
    if leg_length(here, to) > COVER_REACH_M:
        return False
    if reading_of(battle) is None:
        return True
    covers = (*public_covers(battle), *covers_of(battle))
    origin = danger_origin(assault)
    return any(
        is_cover_near(here, cover) and is_dive_safe(here, origin, to, cover)
        for cover in covers
        if cover.id == choice.cover
    )


def _spend(effects: BattleEffects, victim: Combatant) -> None:
    spend_action(effects, victim.id)


def is_ready(rule: BattleState, assault: Assault, victim: Combatant) -> bool:
    """Whether the victim's stance is rolled for now (SK-REACT-3)."""
    stance = victim.answering
    return (
        stance is not UNSET
        and is_rolled_now(stance.kind, assault.arm.delivery)
        and is_aware(victim)
        and may_know(rule, victim, assault.attacker)
    )


def _reply_by_standing_roll(
    effects: BattleEffects,
    victim: Combatant,
    standing: StandingRoll,
    attack: CheckRoll,
    plain_rule: str | None,
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
        verdict=_verdict(effects, standing.kind, attack, result, plain_rule),
        level_rule=UNSET if draw is UNSET else level_rule_of(effects, standing.natural),
        plain_rule=plain_rule,
    )


def _reply_by_stance(
    resolution: Resolution, victim: Combatant, attack: CheckRoll, plain_rule: str | None
) -> Reply | None:
    stance = victim.answering
    if stance is UNSET:
        return None
    resolution.effects.emit(
        own.ConditionLost(
            rule=SK_REACT_3, combatant=victim.id, condition="answering", cause="rolled"
        )
    )
    kind: Literal["dodge", "resist"] = "dodge" if stance.kind == "dodge" else "resist"
    item = None if stance.item is UNSET else stance.item
    return _roll_answer(resolution, victim, kind, stance.kind, item, attack, plain_rule)


def _roll_answer(
    resolution: Resolution,
    victim: Combatant,
    kind: Literal["dodge", "resist"],
    answered: Answered,
    item: str | None,
    attack: CheckRoll,
    plain_rule: str | None,
) -> Reply:
    """Roll against the attack; the roll stands until the end of the round (SK-STAND-2)."""
    effects = resolution.effects
    check = _roll(resolution, victim, answer_skill(effects, victim, item), kind)
    if does_stand(kind):
        keep_standing_roll(resolution, victim.id, answered, item, check)
    return Reply(
        victim=victim.id,
        kind=kind,
        answered=answered,
        item=item,
        result=check.result,
        roll=check.roll,
        needed=check.chance,
        verdict=_verdict(effects, answered, attack, check.result, plain_rule),
        level_rule=check.level_rule,
        plain_rule=plain_rule,
    )


def answer_skill(effects: BattleEffects, victim: Combatant, item: str | None) -> int:
    """The skill of an answer: dodge, or that of the weapon `item`, bare hands if it is dropped."""
    if item is None:
        return victim.skills.dodge
    return skill_of(victim, arm_at_hand(victim, item, effects.rule.options).skill)


def _roll(resolution: Resolution, victim: Combatant, skill: int, purpose: str) -> Check:
    stream = stream_for(resolution.rule, victim.id)
    return roll_check(resolution, victim, weigh_check(victim, skill), purpose, stream)


def keep_standing_roll(
    resolution: Resolution, combatant: str, answered: Answered, item: str | None, check: Check
) -> None:
    """Keep a roll of event `seq` as the combatant's answer to attacks from now on."""
    effects = resolution.effects
    [draw] = told_again(check.roll, resolution.seq).draws
    effects.emit(
        own.ConditionGained(
            rule=SK_STAND_1 if combatant == effects.rule.turn else SK_STAND_2,
            combatant=combatant,
            condition="standing_roll",
            value=answered,
            item=UNSET if item is None else item,
            facts={"natural": check.result.natural, "level": check.result.level},
            draw=draw,
        )
    )


def _verdict(
    effects: BattleEffects,
    answered: Answered,
    attack: CheckRoll,
    answer: CheckRoll,
    plain_rule: str | None,
) -> Verdict:
    die = effects.rule.options.opposed_die
    if answered != "dodge":
        return resisted(attack, answer, die)
    return dodged(attack, answer, die) if plain_rule is None else plain_verdict(answer)


def _dive(resolution: Resolution, victim: Combatant, choice: TakeCoverChoice) -> Reply:
    """A plain dodge check; a success moves the victim before the attack strikes (SK-COVER-1)."""
    effects = resolution.effects
    check = _roll(resolution, victim, victim.skills.dodge, "take_cover")
    emit_check(effects, check, victim.id, rule=SK_COVER_1, kind="take_cover")
    if is_success(check.result.level):
        go_to(effects, victim.id, spot_at(choice.to), "cover")
    return Reply(
        victim=victim.id,
        kind="take_cover",
        answered=None,
        item=None,
        result=check.result,
        roll=told_again(check.roll, resolution.seq),
        needed=check.chance,
        verdict=None,
        level_rule=check.level_rule,
    )
