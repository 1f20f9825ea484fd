"""Whom an attack hits, and what comes of it: wounds, a dropped item, a hold."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine import effects as fx
from service.engine.dice import Dice
from service.engine.scope import EVERYONE_WORD
from service.engine.state import scope_of
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.declaring import Blow
from service.rulesets.seeker_d100.deciding.holding import take_hold
from service.rulesets.seeker_d100.deciding.reacting import Reply
from service.rulesets.seeker_d100.deciding.rolling import Battle, Check
from service.rulesets.seeker_d100.deciding.unseen import lay_open
from service.rulesets.seeker_d100.deciding.wounding import (
    Strike,
    Wound,
    damage_roll,
    inflict,
    lethal,
    ordinary,
    suffer,
    tell_shared,
)
from service.rulesets.seeker_d100.rules.area import is_in_area
from service.rulesets.seeker_d100.rules.armour import Armour, counting_cover
from service.rulesets.seeker_d100.rules.attack import attack_outcome
from service.rulesets.seeker_d100.rules.cover import Cover
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.words import AttackKind
from service.rulesets.seeker_d100.scene import (
    Blobs,
    covers_of,
    place_at,
    point_of,
    worn_by,
)
from service.rulesets.seeker_d100.state import existing, is_held

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
    """Tell how the attack ended for each victim, and do to those it hits what it does."""
    outcomes = {victim: _outcome(told, blow, check, victim, given) for victim in victims}
    told.emit(_resolution(blow, check, outcomes, given))
    struck = tuple(each for each in victims if outcomes[each] in ("hit", "critical"))
    match blow.kind:
        case "disarm":
            _knock_away(told, blow, struck)
        case "grapple":
            _seize(told, blow, check, struck)
        case "attack" | "called_shot":
            _wound(told, blobs, blow, check, struck, dice)


def _outcome(
    told: Battle, blow: Blow, check: Check, victim: str, given: dict[str, Reply]
) -> own.Outcome:
    """How the attack ended for one victim; whoever dived out of its radius avoided it."""
    reply = given.get(victim)
    verdict = None if reply is None else reply.verdict
    outcome = attack_outcome(
        check.result.level,
        None if verdict is None else verdict.winner,
        None if reply is None else reply.answered,
    )
    is_struck = outcome in ("hit", "critical")
    if is_struck and blow.radius is not None and reply is not None:
        place = point_of(existing(told.rule, victim))
        if not is_in_area(blow.centre, place, blow.radius):
            return "avoided"
    return outcome


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
    )


def _resolution(
    blow: Blow, check: Check, outcomes: dict[str, own.Outcome], given: dict[str, Reply]
) -> fx.Effect:
    detail = detail_of(blow, check)
    answers = {victim: reply.told() for victim, reply in given.items()}
    if blow.radius is None:
        [(target, outcome)] = outcomes.items()
        return own.AttackResolved(
            rule="SK-ATK-1",
            target=target,
            outcome=outcome,
            detail=detail,
            answered=answers.get(target, UNSET),
        )
    return own.AreaResolved(
        rule="SK-AREA-2",
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
            wounds.append(lethal(told, strike, victim, armour, dice))
        else:
            wounds.append(ordinary(told, strike, victim, shared, armour))
    losses = [(wound.victim, inflict(told, strike, wound)) for wound in wounds]
    for victim, lost in losses:
        suffer(told, victim, lost, "attack")


def _armour(told: Battle, blobs: Blobs, blow: Blow, victim: str) -> Armour:
    """All armour that counts for a victim where it is now; hidden cover in the way is met."""
    target = existing(told.rule, victim)

    def counting(covers: tuple[Cover, ...]) -> Cover | None:
        return cover_against(blow, point_of(target), covers)

    if scope_of(told.rule).subject(victim) == EVERYONE_WORD:
        lay_open(told, blobs, counting)
    cover = counting(covers_of(told.rule, blobs))
    worn = worn_by(target, blow.part, told.rule.options)
    return worn if cover is None else worn._replace(cover=cover.armour)


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
                    rule="SK-DIS-1",
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
