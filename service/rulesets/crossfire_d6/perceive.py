"""What of a battle a viewer may know, as a state again: players' actions are judged on it."""

from operator import attrgetter
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.visibility.public_values import hides_nothing
from service.engine.visibility.scope import Scope, Viewer
from service.rulesets.crossfire_d6.state import BattleState, Combatant

_IS_HIDDEN: Final = attrgetter("hidden")


def perceive(state: State[BattleState], viewer: Viewer) -> State[BattleState]:
    """The state without the combatants, ground and numbers that the viewer may not know.

    Numbers that are hidden from the viewer read 0, weapons are none: `knows_numbers` tells.
    """
    if viewer.is_gm:
        return state
    rule = state.rule
    scope = scope_of(rule)
    if hides_nothing(scope) and not rule.secrets and not any(map(_IS_HIDDEN, rule.combatants)):
        return state
    known = frozenset(
        each.id for each in rule.combatants if viewer.may_know(scope.subject(each.id))
    )
    perceived = replace(
        rule,
        combatants=tuple(
            _perceived(each, known, knows_numbers(each, scope, viewer))
            for each in rule.combatants
            if each.id in known
        ),
        order=tuple(each for each in rule.order if each in known),
        turn=rule.turn if rule.turn in known else UNSET,
        scores=tuple(each for each in rule.scores if each.combatant in known),
        secrets=(),
    )
    return State(rule=perceived, linear=state.linear, blobs=state.blobs)


def knows_numbers(combatant: Combatant, scope: Scope, viewer: Viewer) -> bool:
    """Whether the viewer may know the numbers of a combatant."""
    return viewer.may_know(scope.declared("numbers", combatant.side))


def _perceived(combatant: Combatant, known: frozenset[str], has_numbers: bool) -> Combatant:
    seen = replace(
        combatant,
        hidden_from=tuple(each for each in combatant.hidden_from if each.combatant in known),
        overrides=tuple(each for each in combatant.overrides if each.versus in known),
        shot_at=tuple(each for each in combatant.shot_at if each in known),
    )
    if has_numbers:
        return seen
    return replace(
        seen,
        soak=0,
        speed_ft=0,
        agi_pool=0,
        int_pool=0,
        pin_resistance=0,
        melee_defence=0,
        ranged_defence=0,
        ignored_rules=(),
        weapons=(),
        pin_count=0,
        previous_streak=UNSET,
        hidden_from=(),
    )
