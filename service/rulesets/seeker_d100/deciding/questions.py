"""Who may answer an attack and how; what an answer must be."""

from typing import Final

import msgspec
from msgspec import UNSET

from service.engine.battle.decision_groups import UNNUMBERED, Readers
from service.engine.battle.decisions import require_option
from service.engine.battle.state import Decision, State, scope_of
from service.engine.kit.combatants import existing
from service.engine.visibility.scope import EVERYONE_WORD, narrow
from service.rulesets.seeker_d100.actions import (
    AnyChoice,
    AttackAction,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.deciding.attack_modifiers import victims_of
from service.rulesets.seeker_d100.deciding.declaration import Blow, blow_of
from service.rulesets.seeker_d100.deciding.requirements import own_weapon
from service.rulesets.seeker_d100.rule_inputs import (
    Blobs,
    arm_of,
    covers_of,
    point_of,
    public_covers,
    spot_of,
)
from service.rulesets.seeker_d100.rules.cover import (
    Cover,
    is_cover_near,
    require_cover_destination,
    require_cover_in_reach,
)
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.reactions import (
    may_react,
    reactions_to,
    require_possible,
)
from service.rulesets.seeker_d100.rules.resist import require_melee_weapon
from service.rulesets.seeker_d100.rules.standing import does_answer
from service.rulesets.seeker_d100.rules.words import Delivery, Reaction
from service.rulesets.seeker_d100.state import (
    Attacker,
    BattleState,
    Combatant,
    Context,
    is_held,
    is_out,
)
from service.rulesets.seeker_d100.state import Reaction as Question
from service.rulesets.seeker_d100.terrain import Point as Spot

READERS: Final[Readers[AttackAction, AnyChoice]] = Readers(
    action=msgspec.json.Decoder(AttackAction), choice=msgspec.json.Decoder(AnyChoice)
)


def questions(rule: BattleState, blobs: Blobs, blow: Blow) -> tuple[Question, ...]:
    """A decision for every victim that has a choice, in victim order (SK-ORD-1, step 2)."""
    covers = public_covers(rule, blobs)
    asked = []
    for victim in victims_of(rule, blow):
        options = choices_of(rule, covers, blow, existing(rule, victim))
        if options:
            asked.append(_question(rule, covers, blow, existing(rule, victim), options))
    return tuple(asked)


def choices_of(
    rule: BattleState, covers: tuple[Cover, ...], blow: Blow, victim: Combatant
) -> tuple[Reaction, ...]:
    """What a victim may choose from; nothing if it is not asked.

    Not asked is, besides SK-REACT-1 and 2, whoever may not know the attacker, and whoever has a
    roll standing that answers the attack. Taking cover is a choice where a cover is known at all.
    """
    delivery = blow.arm.delivery
    if rule.options.reactions == "none" or not may_react(is_action_spent=not victim.actions_left):
        return ()
    if not may_know(rule, victim, blow.attacker) or has_answer(victim, delivery):
        return ()
    choices = reactions_to(
        delivery,
        is_active=not is_out(victim),
        is_aware=is_aware(victim),
        is_held=is_held(victim),
        is_holding=victim.holding is not UNSET,
    )
    return () if "take_cover" in choices and not covers else choices


def is_aware(combatant: Combatant) -> bool:
    """Whether a combatant knows of the danger it is in."""
    return "unaware" not in combatant.conditions


def may_know(rule: BattleState, victim: Combatant, attacker: Combatant) -> bool:
    """Whether a victim may know who attacks it."""
    return scope_of(rule).subject(attacker.id) in (EVERYONE_WORD, victim.side)


def has_answer(victim: Combatant, delivery: Delivery) -> bool:
    """Whether a victim answers without being asked: a roll that stands, or a stance."""
    ready = (victim.standing_roll, victim.answering)
    return any(each is not UNSET and does_answer(each.kind, delivery) for each in ready)


def _question(
    rule: BattleState,
    covers: tuple[Cover, ...],
    blow: Blow,
    victim: Combatant,
    options: tuple[Reaction, ...],
) -> Question:
    scope = scope_of(rule)
    audience = narrow(scope.subject(victim.id), scope.subject(blow.attacker.id))
    origin = danger_from(blow)
    near = [cover.id for cover in covers if is_cover_near(point_of(victim), cover)]
    is_armed = blow.kind in ("attack", "called_shot")
    return Question(
        id=UNNUMBERED,
        kind="reaction",
        opened_by=0,
        side=victim.side,
        combatant=victim.id,
        options=options,
        default="pass",
        stream=UNSET if audience == EVERYONE_WORD else scope.stream_of(audience),
        context=Context(
            action=blow.kind,
            delivery=blow.arm.delivery,
            origin=Spot(x=origin[0], y=origin[1]),
            covers=tuple(near) if "take_cover" in options else (),
            source=Attacker(combatant=blow.attacker.id, item=blow.arm.item if is_armed else UNSET),
        ),
    )


def danger_from(blow: Blow) -> Point:
    """Where the danger comes from: the burst of an explosive, else the attacker's place."""
    return blow.centre if blow.is_explosive else blow.origin


def waiting_blow(rule: BattleState) -> Blow | None:
    """The attack that waits for answers, if one does."""
    waiting = next(
        (group.suspended for group in reversed(rule.pending) if group.suspended is not UNSET),
        UNSET,
    )
    return None if waiting is UNSET else blow_of(rule, READERS.action.decode(waiting.action))


def require_choice(
    seen: State[BattleState], state: State[BattleState], decision: Decision, choice: AnyChoice
) -> None:
    """The choice is possible, on what whoever answers may know.

    Where the danger comes from is what the question says, though somebody may have been put
    elsewhere since. Raises Refused("reaction_not_possible"), ("unknown_weapon"),
    ("weapon_not_melee"), ("no_cover_in_reach") or ("bad_cover_destination"); ("wrong_choice") where
    dice are asked for.
    """
    blow = waiting_blow(state.rule)
    if decision.kind != "reaction" or decision.combatant is UNSET or blow is None:
        require_option(decision, choice)
        return
    tag = str(choice.__struct_config__.tag)
    require_possible(tag, _reactions(decision), blow.arm.delivery)
    victim = existing(state.rule, decision.combatant)
    if isinstance(choice, ResistChoice):
        arm = arm_of(own_weapon(victim, choice.weapon), state.rule.options)
        require_melee_weapon(arm.item, arm.skill)
    elif isinstance(choice, TakeCoverChoice):
        known = {cover.id: cover for cover in covers_of(seen.rule, seen.blobs)}
        cover = known.get(choice.cover)
        require_cover_in_reach(point_of(victim), choice.cover, cover)
        if cover is not None:
            to = spot_of(choice.to)
            origin = _told_origin(decision, blow)
            require_cover_destination(origin, point_of(victim), to, cover)


def _told_origin(decision: Decision, blow: Blow) -> Point:
    context = decision.context if isinstance(decision, Question) else UNSET
    return danger_from(blow) if context is UNSET else spot_of(context.origin)


def _reactions(decision: Decision) -> tuple[Reaction, ...]:
    words: tuple[Reaction, ...] = ("dodge", "resist", "take_cover", "pass")
    return tuple(each for each in words if each in decision.options)
