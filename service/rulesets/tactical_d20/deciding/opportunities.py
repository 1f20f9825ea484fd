"""Opportunity attacks: who is asked, what may be answered, and the attacks that come of it.

How this works. Before a step out of reach, and before a shot, every enemy that controls the space
of whoever acts may strike. All are asked at once and the action waits; when all have answered,
their attacks are worked out in order of `number`, and the action goes on. Who controls is judged
on the ground that everybody knows: a hidden wall shows itself only to whoever strikes at it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.decision_groups import UNNUMBERED, Readers, Resumed, suspend
from service.engine.battle.decisions import require_option
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import combatant_of, existing, is_out, require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import narrow
from service.errors import Refused
from service.rulesets.tactical_d20.actions import (
    AnyChoice,
    Attack,
    AttackCell,
    Move,
    OpportunityChoice,
    PassWalkChoice,
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
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import spend
from service.rulesets.tactical_d20.ground import ground_of, public_ground
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.rules.control import does_control
from service.rulesets.tactical_d20.rules.ground import Fighter
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL
from service.rulesets.tactical_d20.state import (
    BattleState,
    Combatant,
    Opportunity,
    Provocation,
    is_dead,
)

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


def enemies_to_ask(battle: State[BattleState], actor: Combatant) -> tuple[Combatant, ...]:
    """The enemies that may strike at `actor`, where that stands now, by `number`."""
    return Watch(battle, actor).enemies_at((actor.place.x, actor.place.y))


def may_strike(enemy: Combatant, actor: Combatant) -> bool:
    """Whether it would strike at somebody whose space it controls."""
    return (
        are_hostile(enemy, actor)
        and bool(enemy.reaction_left)
        and not is_out(enemy)
        and is_known_to_side(actor, enemy.side)
    )


class Watch:
    """Who may strike at one creature on its way, which is asked for many places of it.

    They control a cell of its space, have their reaction and may know of it (default, not in the
    seed). Whoever's reach does not come near is passed over without looking at lines. Enemies
    reach as far as their weapons do, unless another `reach_ft` is stated for all.
    """

    def __init__(
        self,
        battle: State[BattleState],
        actor: Combatant,
        enemies: Iterable[Combatant] | None = None,
        reach_ft: int | None = None,
    ) -> None:
        rule = battle.rule
        self._rule = rule
        self._ground = public_ground(battle)
        self._size = actor.size
        self._elevation_ft = elevation_of(actor)
        self._watchers = [
            _Watcher.of(each, _reaching(fighter_of(rule, each), reach_ft), actor.size)
            for each in (rule.combatants if enemies is None else enemies)
            if may_strike(each, actor)
        ]

    def enemies_at(self, cell: Cell) -> tuple[Combatant, ...]:
        """Those who may strike when the north-west cell of its space is this, by `number`."""
        x, y = cell
        near = [
            each
            for each in self._watchers
            if each.west <= x <= each.east and each.north <= y <= each.south
        ]
        if not near:
            return ()
        space, diagonals = Space(x, y, self._size), self._rule.options.diagonal_rule
        return tuple(
            each.enemy
            for each in near
            if does_control(self._ground, each.fighter, space, self._elevation_ft, diagonals)
        )


class _Watcher(NamedTuple):
    """An enemy, and where the north-west cell of a space can be that it reaches."""

    enemy: Combatant
    fighter: Fighter
    west: int
    north: int
    east: int
    south: int

    @classmethod
    def of(cls, enemy: Combatant, fighter: Fighter, size: int) -> "_Watcher":
        x, y, own = fighter.space
        reach = fighter.reach_ft // FEET_PER_CELL
        near, far = reach + size - 1, own - 1 + reach
        return cls(enemy, fighter, x - near, y - near, x + far, y + far)


def _reaching(fighter: Fighter, reach_ft: int | None) -> Fighter:
    return fighter if reach_ft is None else replace(fighter, reach_ft=reach_ft)


def is_still_asked(battle: State[BattleState], decision: Decision) -> bool:
    """Whether an open question would be put today, its combatant and the actor being as they are.

    What was asked, and could not be asked any more, is void (default, not in the seed).
    """
    rule = battle.rule
    if not isinstance(decision, Opportunity):
        return False
    enemy, actor = _present(rule, decision)
    return (
        enemy is not None
        and actor is not None
        and may_strike(enemy, actor)
        and does_control(
            public_ground(battle),
            fighter_of(rule, enemy),
            space_of(actor),
            elevation_of(actor),
            rule.options.diagonal_rule,
        )
    )


def _present(rule: BattleState, decision: Opportunity) -> tuple[Combatant | None, Combatant | None]:
    """Who may strike, and at whom, as far as they are still there."""
    if decision.combatant is UNSET or decision.context is UNSET:
        return None, None
    return combatant_of(rule, decision.combatant), combatant_of(rule, decision.context.target)


def offer(
    resolution: Resolution,
    enemies: Sequence[Combatant],
    action: WaitingAction,
    *,
    remainder: Struct | UnsetType = UNSET,
) -> None:
    """Ask these enemies, of whom there is at least one, and let the action wait."""
    effects = resolution.effects
    questions = [_question(effects.state, enemy, action) for enemy in enemies]
    suspend(effects, questions, action, resolution.by, resolution.seq, remainder)


PASSES: Final = ("pass",)
WALK_PASSES: Final = ("pass", "pass_walk")
"""How an opportunity may be declined: before a shot, and before a step where that may be done."""


def _question(battle: State[BattleState], enemy: Combatant, action: WaitingAction) -> Opportunity:
    rule = battle.rule
    scope = scope_of(rule)
    is_walk = isinstance(action, Move) and battle.terms.read_as(Readings).is_walk_passed
    audience = narrow(scope.subject(enemy.id), scope.subject(action.combatant))
    return Opportunity(
        id=UNNUMBERED,
        kind=OFFER,
        opened_by=0,
        side=enemy.side,
        combatant=enemy.id,
        options=("opportunity_attack", *(WALK_PASSES if is_walk else PASSES)),
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
        ground = ground_of(view)
        require_strike(view, ground, attacker, choice.weapon, target)


def _parties(rule: BattleState, decision: Opportunity) -> tuple[Combatant, Combatant]:
    """Who may strike, and at whom. Raises Refused("decision_closed") where one is gone."""
    if decision.combatant is UNSET or decision.context is UNSET:
        raise Refused("decision_closed", decision_id=decision.id)
    attacker = require_combatant(rule, decision.combatant)
    return attacker, require_combatant(rule, decision.context.target)


def passed_for_walk(resumed: ResumedAction) -> tuple[str, ...]:
    """Those who have passed for the rest of the walk that waited for them."""
    return tuple(
        closed.decision.combatant
        for closed in resumed.settled
        if isinstance(closed.choice, PassWalkChoice) and closed.decision.combatant is not UNSET
    )


def make_attacks(resolution: Resolution, resumed: ResumedAction) -> None:
    """The opportunity attacks that were chosen, by `number` of those who strike.

    One whose target is dead by then, or that the game master's word has made impossible since, is
    not made, and the reaction is kept.
    """
    for closed in resumed.settled:
        attacker, choice = closed.decision.combatant, closed.choice
        if isinstance(choice, OpportunityChoice) and attacker is not UNSET:
            aim = _aim(resolution.state, attacker, choice.weapon, resumed.action.combatant)
            if aim is not None:
                _make_attack(resolution, aim)


def _aim(battle: State[BattleState], attacker: str, weapon: str, target: str) -> Aim | None:
    """The attack, if it is still possible on the ground that everybody knows."""
    striker, victim = combatant_of(battle.rule, attacker), combatant_of(battle.rule, target)
    if striker is None or victim is None or is_out(striker) or is_dead(victim):
        return None
    if not is_known_to_side(victim, striker.side):
        return None
    try:
        ground = public_ground(battle)
        return require_strike(battle, ground, striker, weapon, victim)
    except Refused:
        return None


def _make_attack(resolution: Resolution, aim: Aim) -> None:
    effects = resolution.effects
    spend(effects, aim.attacker.id, "reaction")
    reveal_attacker(effects, aim.attacker.id)
    strike(resolution, renewed(effects.rule, aim))
