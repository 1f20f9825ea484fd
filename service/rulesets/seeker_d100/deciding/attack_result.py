"""The end of an attack: its outcome for each victim, and the wounds, drop or hold it brings."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import scope_of
from service.engine.geometry.segments import Spot
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.covers import covers_of, public_covers
from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.checks import Check
from service.rulesets.seeker_d100.deciding.damage import (
    Strike,
    Wound,
    apply_loss,
    emit_shared_damage,
    inflict,
    lethal_wound,
    ordinary_wound,
    roll_damage,
)
from service.rulesets.seeker_d100.deciding.hidden_cover import reveal_met_cover
from service.rulesets.seeker_d100.deciding.holds import take_hold
from service.rulesets.seeker_d100.deciding.reaction_rolls import Reply
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.equipment import worn_by
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.places import place_at, spot_of
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.rules.area import area_rule, is_in_area
from service.rulesets.seeker_d100.rules.armour import Armour, counting_cover, ignored_lines
from service.rulesets.seeker_d100.rules.attack import SK_ATK_1, attack_outcome
from service.rulesets.seeker_d100.rules.called import SK_CALL_4, SK_CALL_5
from service.rulesets.seeker_d100.rules.cover import CoverSegment
from service.rulesets.seeker_d100.rules.disarm import SK_DIS_1
from service.rulesets.seeker_d100.rules.words import AttackKind
from service.rulesets.seeker_d100.state import BattleState, is_held

MODES: dict[AttackKind, own.Mode] = {
    "attack": "attack",
    "called_shot": "called",
    "disarm": "disarm",
    "grapple": "grapple",
}
"""The word of the log and of previews for each attack action."""


def apply_attack(
    resolution: Resolution,
    assault: Assault,
    check: Check,
    victims: tuple[str, ...],
    replies: dict[str, Reply],
) -> None:
    """Emit the outcome for each victim, and the consequences for those that are hit.

    `victims` and `replies` are those of the moment of the roll; a victim that has dived out of the
    area since is none any more.
    """
    effects = resolution.effects
    victims = tuple(id_ for id_ in victims if not _has_left(effects, assault, id_, replies))
    outcomes = {victim: _outcome(check, replies.get(victim)) for victim in victims}
    is_seen = scope_of(effects.rule).subject(assault.attacker.id) == EVERYONE_WORD
    dodges = effects.state.terms.read_as(Readings).dodge
    answers = {
        victim: reply.to_outcome(assault.arm.delivery if is_seen else None, dodges)
        for victim, reply in replies.items()
        if victim in outcomes
    }
    effects.emit(_resolution(assault, check, outcomes, answers))
    hit_victims = tuple(id_ for id_ in victims if outcomes[id_] in ("hit", "critical"))
    match assault.kind:
        case "disarm":
            _knock_away(effects, assault, hit_victims)
        case "grapple":
            _seize(effects, assault, check, hit_victims)
        case "attack" | "called_shot":
            _wound(resolution, assault, check, hit_victims)


def _has_left(
    effects: BattleEffects, assault: Assault, victim: str, replies: dict[str, Reply]
) -> bool:
    """Whether a victim that answered has dived out of the area (SK-COVER-1)."""
    if assault.radius is None or victim not in replies:
        return False
    return not is_in_area(assault.centre, spot_of(existing(effects.rule, victim)), assault.radius)


def _outcome(check: Check, reply: Reply | None) -> own.ResolvedOutcome:
    """How the attack ended for one victim."""
    verdict = None if reply is None else reply.verdict
    return attack_outcome(
        check.result.level,
        None if verdict is None else verdict.winner,
        None if reply is None else reply.answered,
    )


def detail_of(assault: Assault, check: Check | None) -> own.Detail:
    """The attacker's side of an attack; `check` is None for an attack that came to no roll."""
    is_armed = assault.kind in ("attack", "called_shot")
    named = own.Detail(
        attacker=assault.attacker.id,
        item=assault.arm.item if is_armed else UNSET,
        mode=MODES[assault.kind],
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
    assault: Assault,
    check: Check,
    outcomes: dict[str, own.ResolvedOutcome],
    answers: dict[str, own.AnswerOutcome],
) -> fx.Effect:
    detail = detail_of(assault, check)
    if assault.radius is None:
        [(target, outcome)] = outcomes.items()
        return own.AttackResolved(
            rule=SK_ATK_1,
            target=target,
            outcome=outcome,
            detail=detail,
            answered=answers.get(target, UNSET),
        )
    return own.AreaResolved(
        rule=area_rule(assault.arm.delivery, is_called=assault.kind == "called_shot"),
        area=fx.Shape(kind="blast", origin=place_at(assault.centre), radius=assault.radius),
        outcome=attack_outcome(check.result.level, None, None),
        victims=tuple(
            own.Victim(target=target, outcome=outcome, answered=answers.get(target, UNSET))
            for target, outcome in outcomes.items()
        ),
        detail=detail,
    )


def _wound(
    resolution: Resolution, assault: Assault, check: Check, hit_victims: tuple[str, ...]
) -> None:
    """All damage dice, then all losses of health, then consequences (SK-ORD-1, steps 6 to 8)."""
    effects = resolution.effects
    if not hit_victims:
        return
    strike = Strike(assault.attacker.id, assault.arm, check.result)
    shared = roll_damage(resolution, strike, hit_victims)
    if shared is not None and assault.radius is not None:
        shared = emit_shared_damage(resolution, strike, shared)
    wounds: list[Wound] = []
    for victim in hit_victims:
        armour = _armour(effects, assault, victim)
        if shared is None:
            wound = lethal_wound(resolution, strike, victim, armour)
        else:
            wound = ordinary_wound(effects, strike, victim, shared, armour)
        ignored = _ignored(effects, assault, victim, armour)
        wounds.append(wound._replace(lines=(*wound.lines, *ignored)))
    losses = [(wound.victim, inflict(effects, strike, wound)) for wound in wounds]
    for victim, lost in losses:
        apply_loss(effects, victim, lost, "attack")


def _armour(effects: BattleEffects, assault: Assault, victim: str) -> Armour:
    """All armour that counts for a victim where it is now; hidden cover between becomes known."""
    target = existing(effects.rule, victim)

    def counting(covers: tuple[CoverSegment, ...]) -> tuple[CoverSegment, ...]:
        return covers_against(effects.rule, assault, spot_of(target), covers)

    if scope_of(effects.rule).subject(victim) == EVERYONE_WORD:
        reveal_met_cover(effects, counting)
    worn = worn_by(target, assault.part, effects.rule.options)
    return behind(worn, counting(covers_of(effects.state)))


def behind(worn: Armour, covers: tuple[CoverSegment, ...]) -> Armour:
    """What is worn, with the cover that counts, if one does."""
    return worn._replace(cover=covers[0].armour) if covers else worn


def _ignored(
    effects: BattleEffects, assault: Assault, victim: str, armour: Armour
) -> tuple[Modifier, ...]:
    """A line for each piece of armour, as everybody knows it, that a called shot ignores."""
    if assault.kind != "called_shot":
        return ()
    target = existing(effects.rule, victim)
    plain = assault._replace(part=None, over_cover=False)
    covers = public_covers(effects.state)
    worn = worn_by(target, None, effects.rule.options)
    uncalled = behind(worn, covers_against(effects.rule, plain, spot_of(target), covers))
    return ignored_lines(armour, uncalled, SK_CALL_5 if assault.over_cover else SK_CALL_4)


def covers_against(
    rule: BattleState, assault: Assault, place: Spot, covers: tuple[CoverSegment, ...]
) -> tuple[CoverSegment, ...]:
    """The cover that counts for a victim at a place, or none."""
    burst = assault.centre if assault.is_explosive else None
    table, delivery = rule.lookups.counting, assault.arm.delivery
    key = (delivery, assault.origin, place, burst, assault.over_cover, assault.part)
    kept = table.find(key, (covers,))
    if kept is not None:
        return kept
    cover = counting_cover(
        covers,
        delivery=delivery,
        origin=assault.origin,
        victim=place,
        burst=burst,
        is_over_cover=assault.over_cover,
        part=assault.part,
    )
    return table.keep(key, (covers,), () if cover is None else (cover,))


def _knock_away(effects: BattleEffects, assault: Assault, hit_victims: tuple[str, ...]) -> None:
    """The item falls at the target's feet, if the target still holds it (SK-DIS-1)."""
    for victim in hit_victims:
        target = existing(effects.rule, victim)
        if assault.item is not None and assault.item in target.held_items:
            effects.emit(
                fx.ItemChanged(
                    rule=SK_DIS_1,
                    combatant=victim,
                    item=assault.item,
                    change="dropped",
                    place=target.place,
                )
            )


def _seize(
    effects: BattleEffects, assault: Assault, check: Check, hit_victims: tuple[str, ...]
) -> None:
    """The target is held, unless it is already; a hidden holder becomes known (SK-GRAB-1)."""
    for victim in hit_victims:
        if is_held(existing(effects.rule, victim)):
            continue
        holder = existing(effects.rule, assault.attacker.id)
        if holder.hidden:
            effects.emit(own.Revealed(combatant=replace(holder, hidden=False), cause="contact"))
        take_hold(effects, victim, holder.id, check.result)
