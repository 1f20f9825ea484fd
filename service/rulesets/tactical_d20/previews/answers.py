"""The preview of answers: of one that is given, and of those that a shot is taken to get.

How this works. A shot is dropped if its archer falls to the strikes before it, so all its chances
shrink by the chance of that, which is the outcome `dropped`. They are left out where the numbers of
anybody concerned are hidden from the caller, and where somebody hidden strikes or shoots: who comes
out of hiding may be in the way of the shot.
"""

from fractions import Fraction

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decisions import require_open
from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_of
from service.engine.ruleset.definition import Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.errors import Refused
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.deciding.aim import Aim
from service.rulesets.tactical_d20.deciding.attack_line import require_strike
from service.rulesets.tactical_d20.deciding.attack_modifiers import weigh
from service.rulesets.tactical_d20.deciding.opportunities import require_choice
from service.rulesets.tactical_d20.ground import ground_of
from service.rulesets.tactical_d20.previews.attacks import preview_aim, unknown_numbers
from service.rulesets.tactical_d20.previews.facts import Facts
from service.rulesets.tactical_d20.previews.wounds import blow_of
from service.rulesets.tactical_d20.rules.odds import attack_chances, standing_chance
from service.rulesets.tactical_d20.state import BattleState, Combatant, Opportunity

View = State[BattleState]
"""The battle as somebody may know it."""


def preview_answer(asker: Asker[BattleState], action: ask.Answer | do.ForcePass) -> Preview:
    """The preview of an answer to an opportunity: the attack that it chooses, if any.

    Raises Forbidden, Refused as deciding it would, Refused("no_preview") for dice and
    Refused("not_asked").
    """
    require_asked(asker.answers, ())
    view = asker.view
    decision = require_open(asker.state, action.decision_id, asker.by)
    choice = action.choice if isinstance(action, ask.Answer) else PassChoice()
    if isinstance(choice, RollChoice) or decision.combatant is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    require_choice(view, decision, choice)
    if not isinstance(choice, ask.OpportunityChoice) or not isinstance(decision, Opportunity):
        return Preview(legal=True)
    if decision.context is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    strike = strike_of(view, decision.combatant, choice, decision.context.target)
    return preview_aim(view, strike, asker.viewer)


def answered(asker: Asker[BattleState], action: do.Action, sketch: Preview) -> Preview:
    """The preview where those who are asked answer like this.

    Raises Refused("not_asked"), and what choosing an attack would raise.
    """
    view, answers, viewer = asker.view, asker.answers, asker.viewer
    facts = sketch.facts if isinstance(sketch.facts, Facts) else Facts()
    names = tuple(dict.fromkeys(each.combatant for each in facts.asks or ()))
    require_asked(answers, names)
    if not isinstance(action, ask.WaitingAction):
        return sketch
    strikes = [
        (name, choice)
        for name in names
        if isinstance(choice := answers.get(name), ask.OpportunityChoice)
    ]
    scope = scope_of(view.rule)
    aims = [
        strike_of(view, name, choice, action.combatant)
        for name, choice in strikes
        if knows_numbers(existing(view.rule, name), scope, viewer)
    ]
    if not strikes:
        return sketch
    is_known = len(aims) == len(strikes)
    standing = _standing(view, action.combatant, aims, viewer) if is_known else None
    return _shrunk(sketch, facts, standing)


def strike_of(view: View, enemy: str, choice: ask.OpportunityChoice, target: str) -> Aim:
    """The attack out of turn that an enemy may choose. Raises Refused as choosing it would."""
    rule = view.rule
    attacker, victim = require_combatant(rule, enemy), require_combatant(rule, target)
    ground = ground_of(view)
    return require_strike(view, ground, attacker, choice.weapon, victim)


def _standing(view: View, archer: str, strikes: list[Aim], viewer: Viewer) -> Fraction | None:
    """The chance that the archer withstands these strikes; None where it cannot be told."""
    target = existing(view.rule, archer)
    if not _is_open(view, target, viewer) or any(each.attacker.hidden for each in strikes):
        return None
    blows = []
    for aim in strikes:
        if unknown_numbers(view, aim, target, viewer):
            return None
        weight = weigh(view, aim, target)
        chances = attack_chances(weight.bonus, weight.ac, weight.concealment.percent)
        blows.append(blow_of(aim, chances))
    return standing_chance(tuple(blows), target.health)


def _is_open(view: View, archer: Combatant, viewer: Viewer) -> bool:
    """Whether the archer is in the open, and its health is known and above 0."""
    may_know = viewer.may_know(scope_of(view.rule).declared("health", archer.side))
    return may_know and not archer.hidden and archer.health > 0


def _shrunk(sketch: Preview, facts: Facts, standing: Fraction | None) -> Preview:
    """A preview whose chances all hold only where the archer stands; without any if unknown."""
    if standing is None:
        return replace(sketch, facts=replace(facts, felled=UNSET), odds=())
    dropped = (odds_of("dropped", 1 - standing),) if sketch.odds else ()
    if facts.felled is not UNSET:
        facts = replace(facts, felled=tuple(_times(standing, each) for each in facts.felled))
    shrunk = tuple(_times(standing, each) for each in sketch.odds)
    return replace(sketch, facts=facts, odds=(*shrunk, *dropped))


def _times(standing: Fraction, odds: Odds) -> Odds:
    return odds_of(odds.outcome, standing * Fraction(int(odds.num), int(odds.den)))
