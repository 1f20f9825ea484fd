"""The reactions open to the victims of an attack, and the check of the one chosen."""

from typing import Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.decision_groups import UNNUMBERED, Readers
from service.engine.battle.decisions import require_option
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import State, scope_of
from service.engine.geometry.segments import Spot
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import narrow
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100.actions import (
    AnyChoice,
    AttackAction,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.covers import covers_of, public_covers
from service.rulesets.seeker_d100.deciding.actor import require_weapon
from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.attack_modifiers import victims_of
from service.rulesets.seeker_d100.deciding.waiting_attack import (
    continued_assault,
    danger_of,
    follows,
)
from service.rulesets.seeker_d100.equipment import arm_of
from service.rulesets.seeker_d100.places import spot_at, spot_of
from service.rulesets.seeker_d100.rules.cover import (
    CoverSegment,
    is_cover_near,
    require_cover_destination,
    require_cover_in_reach,
)
from service.rulesets.seeker_d100.rules.reactions import (
    may_react,
    reactions_to,
    require_possible,
)
from service.rulesets.seeker_d100.rules.resist import require_melee_weapon
from service.rulesets.seeker_d100.rules.standing import does_answer
from service.rulesets.seeker_d100.rules.words import Delivery, ReactionOption
from service.rulesets.seeker_d100.state import (
    Attacker,
    BattleState,
    Combatant,
    Context,
    Reaction,
    is_held,
)
from service.rulesets.seeker_d100.terrain import Point

READERS: Final[Readers[AttackAction, AnyChoice]] = Readers(
    action=msgspec.json.Decoder(AttackAction), choice=msgspec.json.Decoder(AnyChoice)
)


def reaction_questions(
    battle: State[BattleState], action: AttackAction, assault: Assault
) -> tuple[Reaction, ...]:
    """A decision for every victim that has a choice, in victim order (SK-ORD-1, step 2)."""
    rule = battle.rule
    covers = public_covers(battle)
    questions = []
    for victim in victims_of(rule, assault):
        options = reaction_options(rule, covers, assault, existing(rule, victim))
        if options:
            question = _question(rule, covers, assault, existing(rule, victim), options)
            if "take_cover" in options:
                question = _bound(question, follows(battle, action, assault))
            questions.append(question)
    return tuple(questions)


def _bound(question: Reaction, mover: str | UnsetType) -> Reaction:
    """The question about a danger that moves with somebody."""
    if question.context is UNSET:
        return question
    return replace(question, context=replace(question.context, follows=mover))


def reaction_options(
    rule: BattleState, covers: tuple[CoverSegment, ...], assault: Assault, victim: Combatant
) -> tuple[ReactionOption, ...]:
    """The reactions a victim may choose from; none if it is not asked.

    Besides SK-REACT-1 and 2, a victim is not asked if it may not know the attacker, or if it has a
    roll or stance that answers the attack. Taking cover needs a cover that everybody knows.
    """
    delivery = assault.arm.delivery
    if rule.options.reactions == "none" or not may_react(is_action_spent=not victim.actions_left):
        return ()
    if not may_know(rule, victim, assault.attacker) or has_answer(victim, delivery):
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
    """Whether a standing roll or a stance of the victim answers the attack without a question."""
    ready = (victim.standing_roll, victim.answering)
    return any(each is not UNSET and does_answer(each.kind, delivery) for each in ready)


def _question(
    rule: BattleState,
    covers: tuple[CoverSegment, ...],
    assault: Assault,
    victim: Combatant,
    options: tuple[ReactionOption, ...],
) -> Reaction:
    scope = scope_of(rule)
    audience = narrow(scope.subject(victim.id), scope.subject(assault.attacker.id))
    origin = danger_origin(assault)
    near = [cover.id for cover in covers if is_cover_near(spot_of(victim), cover)]
    is_armed = assault.kind in ("attack", "called_shot")
    return Reaction(
        id=UNNUMBERED,
        kind="reaction",
        opened_by=0,
        side=victim.side,
        combatant=victim.id,
        options=options,
        default="pass",
        stream=UNSET if audience == EVERYONE_WORD else scope.stream_of(audience),
        context=Context(
            action=assault.kind,
            delivery=assault.arm.delivery,
            origin=Point(x=origin[0], y=origin[1]),
            covers=tuple(near) if "take_cover" in options else (),
            source=Attacker(
                combatant=assault.attacker.id, item=assault.arm.item if is_armed else UNSET
            ),
        ),
    )


def danger_origin(assault: Assault) -> Spot:
    """Where the danger comes from: the burst of an explosive, else the attacker's place."""
    return assault.centre if assault.is_explosive else assault.origin


def waiting_action(rule: BattleState) -> tuple[AttackAction, By] | None:
    """The attack that waits for answers and who asked for it, if there is one."""
    for group in reversed(rule.pending):
        if group.suspended is not UNSET:
            return READERS.action.decode(group.suspended.action), group.suspended.by
    return None


def waiting_assault(battle: State[BattleState]) -> Assault | None:
    """The attack that waits for answers, as it will be made, if there is one."""
    waiting = waiting_action(battle.rule)
    return None if waiting is None else continued_assault(battle, waiting[0])


def require_offered(
    battle: State[BattleState], decision: Decision, choice: AnyChoice
) -> Assault | None:
    """The choice is one of those that the question offers; the attack that waits for it.

    None where the question is about no attack. Raises Refused("reaction_not_possible"), or
    ("wrong_choice") where dice are asked for.
    """
    assault = waiting_assault(battle)
    if decision.kind != "reaction" or decision.combatant is UNSET or assault is None:
        require_option(decision, choice)
        return None
    tag = str(choice.__struct_config__.tag)
    require_possible(tag, _reaction_options(decision), assault.arm.delivery)
    return assault


def require_choice(
    view: State[BattleState], state: State[BattleState], decision: Decision, choice: AnyChoice
) -> None:
    """Check that the choice is possible, on what its chooser may know (`view`).

    The danger comes from where the question says, even if the attacker was put elsewhere since, or
    from where it is now, as the version has it (SK-COVER-3).
    Raises Refused("reaction_not_possible"), ("unknown_weapon"), ("weapon_not_melee"),
    ("no_cover_in_reach"), ("bad_cover_destination"), or ("wrong_choice") where dice are asked for.
    """
    assault = require_offered(state, decision, choice)
    if assault is None or decision.combatant is UNSET:
        return
    victim = existing(state.rule, decision.combatant)
    if isinstance(choice, ResistChoice):
        arm = arm_of(require_weapon(victim, choice.weapon), state.rule.options)
        require_melee_weapon(arm.item, arm.skill)
    elif isinstance(choice, TakeCoverChoice):
        covers = {cover.id: cover for cover in covers_of(view)}
        cover = covers.get(choice.cover)
        require_cover_in_reach(spot_of(victim), choice.cover, cover)
        if cover is not None:
            to = spot_at(choice.to)
            origin = _danger_origin(view, decision, assault)
            require_cover_destination(origin, spot_of(victim), to, cover)


def _danger_origin(view: State[BattleState], decision: Decision, assault: Assault) -> Spot:
    context = decision.context if isinstance(decision, Reaction) else UNSET
    return danger_origin(assault) if context is UNSET else danger_of(view, context)


def _reaction_options(decision: Decision) -> tuple[ReactionOption, ...]:
    words: tuple[ReactionOption, ...] = ("dodge", "resist", "take_cover", "pass")
    return tuple(word for word in words if word in decision.options)
