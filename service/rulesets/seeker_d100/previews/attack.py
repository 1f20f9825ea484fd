"""The preview of an attack: its chance, the victims it would ask, and its end for each victim.

How this works. The attack is declared on what the caller may know, as deciding it would, up to the
questions. Answers are taken as stated; a victim without a stated answer declines. An answer to a
waiting attack is seen against that attack. What depends on numbers that are hidden from the caller
is named in `unknown` and left out.
"""

from collections.abc import Mapping
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decision_groups import suspend
from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, existing, require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.geometry.segments import leg_length
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import ForcePass
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.errors import Refused
from service.rulesets.seeker_d100.actions import Answer, AnyChoice, AttackAction
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.deciding.assault import Assault, assault_of, require_attack
from service.rulesets.seeker_d100.deciding.attack_modifiers import victims_of, weigh_attack
from service.rulesets.seeker_d100.deciding.attack_resolution import declare
from service.rulesets.seeker_d100.deciding.attack_result import MODES
from service.rulesets.seeker_d100.deciding.reaction_choices import (
    reaction_questions,
    require_choice,
    require_offered,
    waiting_action,
    waiting_assault,
)
from service.rulesets.seeker_d100.deciding.waiting_attack import refusal_of
from service.rulesets.seeker_d100.evolve import BattleEffects, evolve
from service.rulesets.seeker_d100.facts import AreaFacts, Facts, QuestionFacts, weighed
from service.rulesets.seeker_d100.previews.chances import attack_chances, odds_of_attack
from service.rulesets.seeker_d100.previews.foreseen_answers import (
    foresee_answer,
    foresee_choice,
)
from service.rulesets.seeker_d100.previews.victim_odds import Threat, VictimOdds, victim_odds
from service.rulesets.seeker_d100.state import BattleState


def preview_attack(asker: Asker[BattleState], action: AttackAction) -> Preview:
    """The preview of an attack. Raises Malformed, Refused as deciding it would."""
    view, viewer, by, answers = asker.view, asker.viewer, asker.by, asker.answers
    require_attack(view, action)
    effects = EffectBuilder(view, evolve)
    declare(effects, action)
    questions = reaction_questions(effects.state, action, assault_of(effects.rule, action))
    _require_answerable(view, questions, answers)
    if questions:
        suspend(effects, questions, action, by, 0)
    choices = _choices(effects.state, answers, viewer)
    threat, facts = _threat(effects, view, assault_of(effects.rule, action), viewer)
    outlooks = tuple(
        _outlook(threat, victim, choices.get(victim))
        for victim in victims_of(effects.rule, threat.assault)
    )
    facts = replace(facts, victims=tuple(outlook.facts for outlook in outlooks))
    if questions:
        facts = replace(facts, asks=tuple(map(_question, questions)))
        opens: tuple[str, ...] = ("reaction",)
    else:
        opens = ("roll",) if view.rule.dice == "supplied" and by.role == "player" else ()
    return _preview(threat, facts, outlooks, opens)


def preview_answer(asker: Asker[BattleState], action: Answer | ForcePass) -> Preview:
    """The preview of an answer. Raises Forbidden, Refused as deciding it would.

    Raises Refused("no_preview") for dice.
    """
    state, view, viewer = asker.state, asker.view, asker.viewer
    decision = require_open(state, action.decision_id, asker.by)
    choice = action.choice if isinstance(action, Answer) else PassChoice()
    if isinstance(choice, RollChoice) or decision.combatant is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    require_choice(view, state, decision, choice)
    effects, assault = EffectBuilder(view, evolve), _waiting(state, view, viewer)
    if assault is None:
        answer = foresee_choice(effects, existing(effects.rule, decision.combatant), choice, viewer)
        return Preview(legal=True, facts=Facts(answer=answer.facts), unknown=("attack",))
    threat, facts = _threat(effects, view, assault, viewer)
    is_victim = _goes_on(state, view) and decision.combatant in victims_of(effects.rule, assault)
    outlooks = (_outlook(threat, decision.combatant, choice),) if is_victim else ()
    facts = replace(facts, victims=tuple(outlook.facts for outlook in outlooks))
    odds, unknown = (outlooks[0].odds, outlooks[0].unknown) if outlooks else ((), ())
    return Preview(legal=True, facts=facts, odds=odds, unknown=unknown)


def _waiting(state: State[BattleState], view: State[BattleState], viewer: Viewer) -> Assault | None:
    """The waiting attack, if the caller may know attacker, target and the weapon's numbers."""
    rule = replace(view.rule, pending=state.rule.pending)
    real = waiting_assault(state)
    attacker = None if real is None else combatant_of(rule, real.attacker.id)
    if real is None or attacker is None or (real.target and not _is_known(rule, real.target.id)):
        return None
    if not knows_numbers(attacker, scope_of(rule), viewer):
        return None
    return waiting_assault(State(rule=rule, linear=view.linear, terms=view.terms))


def _goes_on(state: State[BattleState], view: State[BattleState]) -> bool:
    """Whether the attack may continue that waits, as far as the caller and its seat both know."""
    waiting = waiting_action(state.rule)
    return waiting is None or refusal_of(view, *waiting) is None


def _is_known(rule: BattleState, combatant: str) -> bool:
    return combatant_of(rule, combatant) is not None


def _require_answerable(
    view: State[BattleState], questions: tuple[Decision, ...], answers: Answers
) -> None:
    for combatant in answers:
        require_combatant(view.rule, combatant)
    require_asked(
        answers, [question.combatant for question in questions if question.combatant is not UNSET]
    )


def _choices(
    state: State[BattleState], answers: Answers, viewer: Viewer
) -> Mapping[str, AnyChoice]:
    """The stated answers, each checked as far as the caller may know. Raises Refused."""
    choices = cast("Mapping[str, AnyChoice]", answers)
    pending = state.rule.pending[-1].decisions if state.rule.pending else ()
    for decision in pending:
        if decision.combatant is UNSET or decision.combatant not in choices:
            continue
        choice = choices[decision.combatant]
        victim = existing(state.rule, decision.combatant)
        if knows_numbers(victim, scope_of(state.rule), viewer):
            require_choice(state, state, decision, choice)
        else:
            require_offered(state, decision, choice)
    return choices


def _threat(
    effects: BattleEffects, view: State[BattleState], assault: Assault, viewer: Viewer
) -> tuple[Threat, Facts]:
    """The attack with its chance, and the facts of it that may be shown."""
    covers = covers_of(effects.state)
    scope = scope_of(effects.rule)
    facts = Facts(
        mode=MODES[assault.kind],
        delivery=assault.arm.delivery,
        distance_m=leg_length(assault.origin, assault.centre),
    )
    if assault.radius is not None:
        x, y = assault.centre
        facts = replace(facts, area=AreaFacts(x=x, y=y, radius_m=assault.radius))
    if not knows_numbers(assault.attacker, scope, viewer):
        return Threat(effects, assault, None, covers, viewer), facts
    weight = weigh_attack(effects.rule, assault, covers)
    facts = weighed(facts, weight)
    if not viewer.may_know(scope.declared("breakdown", assault.attacker.side)):
        facts = replace(facts, breakdown=UNSET)
    return Threat(effects, assault, weight.chance, covers, viewer), facts


def _outlook(threat: Threat, victim: str, choice: AnyChoice | None) -> VictimOdds:
    combatant = existing(threat.effects.rule, victim)
    reply = foresee_answer(threat.effects, threat.assault, combatant, choice, threat.viewer)
    return victim_odds(threat, combatant, reply)


def _question(decision: Decision) -> QuestionFacts:
    return QuestionFacts(
        combatant=str(decision.combatant), options=decision.options, default=decision.default
    )


def _preview(
    threat: Threat, facts: Facts, outlooks: tuple[VictimOdds, ...], opens: tuple[str, ...]
) -> Preview:
    """The whole preview; its odds are those of the one victim, or of the roll with a radius."""
    odds: tuple[Odds, ...] = ()
    unknown: tuple[str, ...] = ()
    if threat.assault.radius is None and outlooks:
        odds, unknown = outlooks[0].odds, outlooks[0].unknown
    elif threat.chance is None:
        unknown = ("attack",)
    else:
        odds = odds_of_attack(attack_chances(threat.chance, None, threat.effects.rule.options))
    return Preview(legal=True, facts=facts, odds=odds, opens=opens, unknown=unknown)
