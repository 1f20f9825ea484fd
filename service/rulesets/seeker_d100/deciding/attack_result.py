"""Whom an attack hits, and what comes of it: wounds, a dropped item, a hold."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import scope_of
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.visibility.scope import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.checks import Battle, Check
from service.rulesets.seeker_d100.deciding.damage import (
    Strike,
    Wound,
    damage_roll,
    inflict,
    lethal,
    ordinary,
    suffer,
    tell_shared,
)
from service.rulesets.seeker_d100.deciding.declaration import Blow
from service.rulesets.seeker_d100.deciding.hidden_cover import lay_open
from service.rulesets.seeker_d100.deciding.holds import take_hold
from service.rulesets.seeker_d100.deciding.reactions import Reply
from service.rulesets.seeker_d100.rule_inputs import (
    Blobs,
    covers_of,
    place_at,
    point_of,
    public_covers,
    worn_by,
)
from service.rulesets.seeker_d100.rules.area import area_rule, is_in_area
from service.rulesets.seeker_d100.rules.armour import Armour, counting_cover, ignored_lines
from service.rulesets.seeker_d100.rules.attack import SK_ATK_1, attack_outcome
from service.rulesets.seeker_d100.rules.called import SK_CALL_4, SK_CALL_5
from service.rulesets.seeker_d100.rules.cover import Cover
from service.rulesets.seeker_d100.rules.disarm import SK_DIS_1
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.words import AttackKind
from service.rulesets.seeker_d100.state import is_held

MODES: dict[AttackKind, own.Mode] = {
    "attack": "attack",
    "called_shot": "called",
    "disarm": "disarm",
    "grapple": "grapple",
}
"""The word of the log and of previews for each attack action."""


def hit(
    told: Battle,
    blobs: Blobs,
    blow: Blow,
    check: Check,
    victims: tuple[str, ...],
    given: dict[str, Reply],
    dice: Dice,
) -> None:
    """Tell how the attack ended for each victim, and do to those it hits what it does.

    `given` are the answers of all that were victims when it came.
    """
    victims = tuple(each for each in victims if not _has_left(told, blow, each, given))
    outcomes = {victim: _outcome(check, given.get(victim)) for victim in victims}
    is_seen = scope_of(told.rule).subject(blow.attacker.id) == EVERYONE_WORD
    answers = {
        victim: reply.told(blow.arm.delivery if is_seen else None)
        for victim, reply in given.items()
        if victim in outcomes
    }
    told.emit(_resolution(blow, check, outcomes, answers))
    struck = tuple(each for each in victims if outcomes[each] in ("hit", "critical"))
    match blow.kind:
        case "disarm":
            _knock_away(told, blow, struck)
        case "grapple":
            _seize(told, blow, check, struck)
        case "attack" | "called_shot":
            _wound(told, blobs, blow, check, struck, dice)


def _has_left(told: Battle, blow: Blow, victim: str, given: dict[str, Reply]) -> bool:
    """Whether somebody dived out of an area: such a one is no victim any more (SK-COVER-1)."""
    if blow.radius is None or victim not in given:
        return False
    return not is_in_area(blow.centre, point_of(existing(told.rule, victim)), blow.radius)


def _outcome(check: Check, reply: Reply | None) -> own.Outcome:
    """How the attack ended for one victim."""
    verdict = None if reply is None else reply.verdict
    return attack_outcome(
        check.result.level,
        None if verdict is None else verdict.winner,
        None if reply is None else reply.answered,
    )


def detail_of(blow: Blow, check: Check | None) -> own.Detail:
    """The attacker's side of an attack; without a roll if it came to none."""
    is_armed = blow.kind in ("attack", "called_shot")
    named = own.Detail(
        attacker=blow.attacker.id,
        item=blow.arm.item if is_armed else UNSET,
        mode=MODES[blow.kind],
    )
    if check is None:
        return named
    return replace(
        named,
        roll=check.roll,
        base=check.skill,
        breakdown=check.lines,
        pool=check.chance,
        level=check.result.level,
        level_rule=check.level_rule,
    )


def _resolution(
    blow: Blow,
    check: Check,
    outcomes: dict[str, own.Outcome],
    answers: dict[str, own.AnswerOutcome],
) -> fx.Effect:
    detail = detail_of(blow, check)
    if blow.radius is None:
        [(target, outcome)] = outcomes.items()
        return own.AttackResolved(
            rule=SK_ATK_1,
            target=target,
            outcome=outcome,
            detail=detail,
            answered=answers.get(target, UNSET),
        )
    return own.AreaResolved(
        rule=area_rule(blow.arm.delivery, is_called=blow.kind == "called_shot"),
        area=fx.Shape(kind="blast", origin=place_at(blow.centre), radius=blow.radius),
        outcome=attack_outcome(check.result.level, None, None),
        victims=tuple(
            own.Victim(target=target, outcome=outcome, answered=answers.get(target, UNSET))
            for target, outcome in outcomes.items()
        ),
        detail=detail,
    )


def _wound(
    told: Battle,
    blobs: Blobs,
    blow: Blow,
    check: Check,
    struck: tuple[str, ...],
    dice: Dice,
) -> None:
    """All dice, then all losses of health, then what follows from them (steps 6 to 8)."""
    if not struck:
        return
    strike = Strike(blow.attacker.id, blow.arm, check.result)
    shared = damage_roll(told, strike, struck, dice)
    if shared is not None and blow.radius is not None:
        shared = tell_shared(told, strike, shared, dice.seq)
    wounds: list[Wound] = []
    for victim in struck:
        armour = _armour(told, blobs, blow, victim)
        if shared is None:
            wound = lethal(told, strike, victim, armour, dice)
        else:
            wound = ordinary(told, strike, victim, shared, armour)
        ignored = _ignored(told, blobs, blow, victim, armour)
        wounds.append(wound._replace(lines=(*wound.lines, *ignored)))
    losses = [(wound.victim, inflict(told, strike, wound)) for wound in wounds]
    for victim, lost in losses:
        suffer(told, victim, lost, "attack")


def _armour(told: Battle, blobs: Blobs, blow: Blow, victim: str) -> Armour:
    """All armour that counts for a victim where it is now; hidden cover in the way is met."""
    target = existing(told.rule, victim)

    def counting(covers: tuple[Cover, ...]) -> tuple[Cover, ...]:
        cover = cover_against(blow, point_of(target), covers)
        return () if cover is None else (cover,)

    if scope_of(told.rule).subject(victim) == EVERYONE_WORD:
        lay_open(told, blobs, counting)
    cover = cover_against(blow, point_of(target), covers_of(told.rule, blobs))
    worn = worn_by(target, blow.part, told.rule.options)
    return worn if cover is None else worn._replace(cover=cover.armour)


def _ignored(
    told: Battle, blobs: Blobs, blow: Blow, victim: str, armour: Armour
) -> tuple[Modifier, ...]:
    """What a called shot does not mind of the armour that everybody knows of."""
    if blow.kind != "called_shot":
        return ()
    target = existing(told.rule, victim)
    plain = blow._replace(part=None, over_cover=False)
    cover = cover_against(plain, point_of(target), public_covers(told.rule, blobs))
    worn = worn_by(target, None, told.rule.options)
    uncalled = worn if cover is None else worn._replace(cover=cover.armour)
    return ignored_lines(armour, uncalled, SK_CALL_5 if blow.over_cover else SK_CALL_4)


def cover_against(blow: Blow, place: Point, covers: tuple[Cover, ...]) -> Cover | None:
    """The cover that counts for a victim at a place, if any does."""
    return counting_cover(
        covers,
        delivery=blow.arm.delivery,
        origin=blow.origin,
        victim=place,
        burst=blow.centre if blow.is_explosive else None,
        is_over_cover=blow.over_cover,
        part=blow.part,
    )


def _knock_away(told: Battle, blow: Blow, struck: tuple[str, ...]) -> None:
    """The item falls at the target's feet, if the target holds it still (SK-DIS-1)."""
    for victim in struck:
        target = existing(told.rule, victim)
        if blow.item is not None and blow.item in target.held_items:
            told.emit(
                fx.ItemChanged(
                    rule=SK_DIS_1,
                    combatant=victim,
                    item=blow.item,
                    change="dropped",
                    place=target.place,
                )
            )


def _seize(told: Battle, blow: Blow, check: Check, struck: tuple[str, ...]) -> None:
    """The target is held, if nobody holds it by now; nobody holds another unseen (SK-GRAB-1)."""
    for victim in struck:
        if is_held(existing(told.rule, victim)):
            continue
        holder = existing(told.rule, blow.attacker.id)
        if holder.hidden:
            told.emit(own.Revealed(combatant=replace(holder, hidden=False), cause="contact"))
        take_hold(told, victim, holder.id, check.result)
