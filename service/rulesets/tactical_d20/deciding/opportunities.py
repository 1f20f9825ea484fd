"""Opportunity attacks: who is asked, what may be answered, and the attacks that come of it.

How this works. Before a step out of reach, and before a shot, every enemy that controls the space
of whoever acts may strike. All are asked at once and the action waits; when all have answered,
their attacks are worked out in order of `number`, and the action goes on. Who controls is judged
on the ground that everybody knows: a hidden wall shows itself only to whoever strikes at it.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.decision_groups import UNNUMBERED, Readers, Resumed, suspend
from service.engine.battle.decisions import require_option
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, existing, require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.dice.dice import Dice
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import narrow
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.tactical_d20.actions import (
    AnyChoice,
    Attack,
    AttackCell,
    Move,
    OpportunityChoice,
    WaitingAction,
)
from service.rulesets.tactical_d20.creatures import (
    are_hostile,
    elevation_of,
    fighter_of,
    is_known_to_side,
    space_of,
)
from service.rulesets.tactical_d20.deciding.aim import Aim, renewed
from service.rulesets.tactical_d20.deciding.attack_line import require_strike
from service.rulesets.tactical_d20.deciding.attack_resolution import reveal_attacker, strike
from service.rulesets.tactical_d20.deciding.turns import spend
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.ground import ground_of, public_ground
from service.rulesets.tactical_d20.rules.control import does_control
from service.rulesets.tactical_d20.rules.ground import Ground
from service.rulesets.tactical_d20.state import (
    BattleState,
    Combatant,
    Opportunity,
    Provocation,
    is_dead,
    is_out,
)

Blobs = Mapping[str, object]

READERS: Final[Readers[WaitingAction, AnyChoice]] = Readers(
    action=msgspec.json.Decoder(WaitingAction), choice=msgspec.json.Decoder(AnyChoice)
)

ResumedAction = Resumed[WaitingAction, AnyChoice]

OFFER: Final = "opportunity"
"""The kind of the question to an enemy whether it strikes."""


DEEDS: Final[dict[type[WaitingAction], Literal["move", "attack", "attack_cell"]]] = {
    Move: "move",
    Attack: "attack",
    AttackCell: "attack_cell",
}
"""The word of each action that provokes."""


def enemies_to_ask(rule: BattleState, blobs: Blobs, actor: Combatant) -> tuple[Combatant, ...]:
    """The enemies that may strike at `actor`, wherever that stands now, by `number`.

    They control a cell of its space, have their reaction and may know of it (default, not in the
    seed).
    """
    ground = public_ground(rule, blobs)
    return tuple(enemy for enemy in rule.combatants if _is_to_be_asked(rule, ground, enemy, actor))


def _is_to_be_asked(rule: BattleState, ground: Ground, enemy: Combatant, actor: Combatant) -> bool:
    return (
        are_hostile(enemy, actor)
        and bool(enemy.reaction_left)
        and not is_out(enemy)
        and is_known_to_side(actor, enemy.side)
        and does_control(
            ground,
            fighter_of(rule, enemy),
            space_of(actor),
            elevation_of(actor),
            rule.options.diagonal_rule,
        )
    )


def is_still_asked(rule: BattleState, blobs: Blobs, decision: Decision) -> bool:
    """Whether an open question would be put today, its combatant and the actor being as they are.

    What was asked, and could not be asked any more, is void (default, not in the seed).
    """
    if not isinstance(decision, Opportunity):
        return False
    enemy, actor = _present(rule, decision)
    return (
        enemy is not None
        and actor is not None
        and _is_to_be_asked(rule, public_ground(rule, blobs), enemy, actor)
    )


def _present(rule: BattleState, decision: Opportunity) -> tuple[Combatant | None, Combatant | None]:
    """Who may strike, and at whom, as far as they are still there."""
    if decision.combatant is UNSET or decision.context is UNSET:
        return None, None
    return combatant_of(rule, decision.combatant), combatant_of(rule, decision.context.target)


def offer(
    effects: BattleEffects,
    enemies: Sequence[Combatant],
    action: WaitingAction,
    by: By,
    seq: int,
    *,
    remainder: Struct | UnsetType = UNSET,
) -> None:
    """Ask these enemies, of whom there is at least one, and let the action wait."""
    questions = [_question(effects.rule, enemy, action) for enemy in enemies]
    suspend(effects, questions, action, by, seq, remainder)


def _question(rule: BattleState, enemy: Combatant, action: WaitingAction) -> Opportunity:
    scope = scope_of(rule)
    audience = narrow(scope.subject(enemy.id), scope.subject(action.combatant))
    return Opportunity(
        id=UNNUMBERED,
        kind=OFFER,
        opened_by=0,
        side=enemy.side,
        combatant=enemy.id,
        options=("opportunity_attack", "pass"),
        default="pass",
        stream=UNSET if audience == EVERYONE_WORD else scope.stream_of(audience),
        context=Provocation(
            target=action.combatant,
            deed=DEEDS[type(action)],
            place=existing(rule, action.combatant).place,
        ),
    )


def require_choice(view: State[BattleState], decision: Decision, choice: AnyChoice) -> None:
    """Check that the choice is possible, on what its chooser may know (`view`).

    Raises Refused("wrong_choice"), and for an attack what `require_strike` raises.
    """
    require_option(decision, choice)
    if isinstance(choice, OpportunityChoice) and isinstance(decision, Opportunity):
        rule = view.rule
        attacker, target = _parties(rule, decision)
        ground = ground_of(rule, view.blobs)
        require_strike(rule, view.blobs, ground, attacker, choice.weapon, target)


def _parties(rule: BattleState, decision: Opportunity) -> tuple[Combatant, Combatant]:
    """Who may strike, and at whom. Raises Refused("decision_closed") where one is gone."""
    if decision.combatant is UNSET or decision.context is UNSET:
        raise Refused("decision_closed", decision_id=decision.id)
    attacker = require_combatant(rule, decision.combatant)
    return attacker, require_combatant(rule, decision.context.target)


def make_attacks(effects: BattleEffects, blobs: Blobs, resumed: ResumedAction, dice: Dice) -> None:
    """The opportunity attacks that were chosen, by `number` of those who strike.

    One whose target is dead by then, or that the game master's word has made impossible since, is
    not made, and the reaction is kept.
    """
    for closed in resumed.settled:
        attacker, choice = closed.decision.combatant, closed.choice
        if isinstance(choice, OpportunityChoice) and attacker is not UNSET:
            aim = _aim(effects.rule, blobs, attacker, choice.weapon, resumed.action.combatant)
            if aim is not None:
                _make_attack(effects, blobs, aim, dice)


def _aim(rule: BattleState, blobs: Blobs, attacker: str, weapon: str, target: str) -> Aim | None:
    """The attack, if it is still possible on the ground that everybody knows."""
    striker, victim = combatant_of(rule, attacker), combatant_of(rule, target)
    if striker is None or victim is None or is_out(striker) or is_dead(victim):
        return None
    if not is_known_to_side(victim, striker.side):
        return None
    try:
        ground = public_ground(rule, blobs)
        return require_strike(rule, blobs, ground, striker, weapon, victim)
    except Refused:
        return None


def _make_attack(effects: BattleEffects, blobs: Blobs, aim: Aim, dice: Dice) -> None:
    spend(effects, aim.attacker.id, "reaction")
    reveal_attacker(effects, aim.attacker.id)
    strike(effects, blobs, renewed(effects.rule, aim), dice)
