"""What an attack may come to: its chance, whom it would ask, and how it ends for each victim.

How this works. The attack is declared on what the asker may know, as deciding it would, up to where
others are asked. Their answers are taken as stated; whoever states none declines. An answer to an
attack that waits is seen against that attack. What depends on numbers that are hidden from the
asker is named in `unknown` and left out.
"""

from collections.abc import Mapping
from typing import cast

from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from service.engine.battle.decision_groups import suspend
from service.engine.battle.decisions import require_open, require_option
from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import Decision, State, combatant_of, scope_of
from service.engine.kit.combatants import existing, require_combatant
from service.engine.kit.perception import knows_numbers
from service.engine.ruleset import Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import ForcePass, PassChoice, RollChoice
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.seeker_d100.actions import Answer, AnyChoice, AttackAction
from service.rulesets.seeker_d100.deciding.attack_modifiers import victims_of, weigh
from service.rulesets.seeker_d100.deciding.attack_result import MODES
from service.rulesets.seeker_d100.deciding.checks import Battle
from service.rulesets.seeker_d100.deciding.declaration import Blow, blow_of, require_attack
from service.rulesets.seeker_d100.deciding.questions import (
    questions,
    require_choice,
    waiting_blow,
)
from service.rulesets.seeker_d100.deciding.resolution import declared
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.odds.chances import chances_of, told_chances
from service.rulesets.seeker_d100.odds.outlook import Outlook, Threat, outlook
from service.rulesets.seeker_d100.odds.replies import Facts, chosen, foreseen
from service.rulesets.seeker_d100.reach import told as told_point
from service.rulesets.seeker_d100.rule_inputs import covers_of
from service.rulesets.seeker_d100.rules.geometry import leg_length
from service.rulesets.seeker_d100.state import BattleState

Seen = State[BattleState]


def foreseen_attack(
    seen: Seen, action: AttackAction, by: By, viewer: Viewer, answers: Answers
) -> Preview:
    """The preview of an attack. Raises Malformed, Refused as deciding it would."""
    require_attack(seen.rule, seen.blobs, action)
    told = declared(seen.rule, action)
    asked = questions(told.rule, seen.blobs, blow_of(told.rule, action))
    _require_answerable(seen, asked, answers)
    if asked:
        suspend(told, asked, action, by, 0)
    state = State(rule=told.rule, linear=seen.linear, blobs=seen.blobs)
    choices = _choices(state, answers, viewer)
    threat, facts = _threat(told, seen, blow_of(told.rule, action), viewer)
    found = tuple(
        _outlook(threat, victim, choices.get(victim))
        for victim in victims_of(told.rule, threat.blow)
    )
    facts["victims"] = [each.facts for each in found]
    if asked:
        facts["asks"] = [_question(decision) for decision in asked]
        opens: tuple[str, ...] = ("reaction",)
    else:
        opens = ("roll",) if seen.rule.dice == "supplied" and by.role == "player" else ()
    return _preview(threat, facts, found, opens)


def foreseen_answer(
    state: State[BattleState], seen: Seen, action: Answer | ForcePass, by: By, viewer: Viewer
) -> Preview:
    """The preview of an answer. Raises Forbidden, Refused as deciding it would.

    Raises Refused("no_preview") for dice.
    """
    decision = require_open(state, action.decision_id, by)
    choice = action.choice if isinstance(action, Answer) else PassChoice()
    if isinstance(choice, RollChoice) or decision.combatant is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    require_choice(seen, state, decision, choice)
    told, blow = EffectBuilder(seen.rule, evolve), _waiting(state, seen, viewer)
    if blow is None:
        answer = chosen(told, existing(told.rule, decision.combatant), choice, viewer)
        return Preview(legal=True, facts={"answer": answer.told()}, unknown=("attack",))
    threat, facts = _threat(told, seen, blow, viewer)
    struck = decision.combatant in victims_of(told.rule, blow)
    found = (_outlook(threat, decision.combatant, choice),) if struck else ()
    facts["victims"] = [each.facts for each in found]
    odds, unknown = (found[0].odds, found[0].unknown) if found else ((), ())
    return Preview(legal=True, facts=facts, odds=odds, unknown=unknown)


def _waiting(state: State[BattleState], seen: Seen, viewer: Viewer) -> Blow | None:
    """The attack that waits, if the asker knows who makes it, at whom, and the weapon's numbers."""
    rule = replace(seen.rule, pending=state.rule.pending)
    real = waiting_blow(state.rule)
    attacker = None if real is None else combatant_of(rule, real.attacker.id)
    if real is None or attacker is None or (real.target and not _is_seen(rule, real.target.id)):
        return None
    return waiting_blow(rule) if knows_numbers(attacker, scope_of(rule), viewer) else None


def _is_seen(rule: BattleState, combatant: str) -> bool:
    return combatant_of(rule, combatant) is not None


def _require_answerable(seen: Seen, asked: tuple[Decision, ...], answers: Answers) -> None:
    for combatant in answers:
        require_combatant(seen.rule, combatant)
    require_asked(answers, [each.combatant for each in asked if each.combatant is not UNSET])


def _choices(
    state: State[BattleState], answers: Answers, viewer: Viewer
) -> Mapping[str, AnyChoice]:
    """The answers, each possible as far as the asker may know. Raises Refused."""
    given = cast("Mapping[str, AnyChoice]", answers)
    pending = state.rule.pending[-1].decisions if state.rule.pending else ()
    for decision in pending:
        if decision.combatant is UNSET or decision.combatant not in given:
            continue
        choice = given[decision.combatant]
        victim = existing(state.rule, decision.combatant)
        if knows_numbers(victim, scope_of(state.rule), viewer):
            require_choice(state, state, decision, choice)
        else:
            require_option(decision, choice, "reaction_not_possible")
    return given


def _threat(told: Battle, seen: Seen, blow: Blow, viewer: Viewer) -> tuple[Threat, Facts]:
    """The attack with its chance, and what is told of it."""
    covers = covers_of(told.rule, seen.blobs)
    scope = scope_of(told.rule)
    facts: Facts = {
        "mode": MODES[blow.kind],
        "delivery": blow.arm.delivery,
        "distance_m": leg_length(blow.origin, blow.centre),
    }
    if blow.radius is not None:
        facts["area"] = {**told_point(blow.centre), "radius_m": blow.radius}
    if not knows_numbers(blow.attacker, scope, viewer):
        return Threat(told, blow, None, covers, viewer), facts
    weight = weigh(told.rule, blow, covers)
    facts |= {"base": weight.skill, "pool": weight.chance}
    if viewer.may_know(scope.declared("breakdown", blow.attacker.side)):
        facts["breakdown"] = to_builtins(weight.lines)
    return Threat(told, blow, weight.chance, covers, viewer), facts


def _outlook(threat: Threat, victim: str, choice: AnyChoice | None) -> Outlook:
    who = existing(threat.told.rule, victim)
    reply = foreseen(threat.told, threat.blow, who, choice, threat.viewer)
    return outlook(threat, who, reply)


def _question(decision: Decision) -> Facts:
    return {
        "combatant": decision.combatant,
        "options": decision.options,
        "default": decision.default,
    }


def _preview(
    threat: Threat, facts: Facts, found: tuple[Outlook, ...], opens: tuple[str, ...]
) -> Preview:
    """An attack at one tells that one's odds, an attack with a radius those of its roll."""
    odds: tuple[Odds, ...] = ()
    unknown: tuple[str, ...] = ()
    if threat.blow.radius is None and found:
        odds, unknown = found[0].odds, found[0].unknown
    elif threat.chance is None:
        unknown = ("attack",)
    else:
        odds = told_chances(chances_of(threat.chance, None, threat.told.rule.options))
    return Preview(legal=True, facts=facts, odds=odds, opens=opens, unknown=unknown)
