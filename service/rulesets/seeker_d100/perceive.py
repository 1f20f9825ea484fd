"""What a viewer may know of a battle, as a state: a player's action is judged on that."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decisions import perceived
from service.engine.battle.state import State, scope_of
from service.engine.visibility.scope import Scope, Viewer
from service.rulesets.seeker_d100.state import BattleState, Combatant, Skills
from service.rulesets.seeker_d100.weapons import BodyArmour


def perceive(state: State[BattleState], viewer: Viewer) -> State[BattleState]:
    """The state without the combatants, covers and numbers that the viewer may not know.

    Numbers that are hidden from the viewer read 0, weapons are none: `knows_numbers` tells. That
    one is held or holds somebody one feels, whoever it is.
    """
    if viewer.is_gm:
        return state
    rule = state.rule
    scope = scope_of(rule)
    known = frozenset(
        each.id for each in rule.combatants if viewer.may_know(scope.subject(each.id))
    )
    seen = replace(
        rule,
        combatants=tuple(
            each if knows_numbers(each, scope, viewer) else _without_numbers(each)
            for each in rule.combatants
            if each.id in known
        ),
        order=tuple(each for each in rule.order if each in known),
        turn=rule.turn if rule.turn in known else UNSET,
        cards=tuple(each for each in rule.cards if each.combatant in known),
        deck=UNSET,
        secrets=(),
        pending=perceived(rule, viewer),
    )
    return State(rule=seen, linear=state.linear, blobs=state.blobs)


def knows_numbers(combatant: Combatant, scope: Scope, viewer: Viewer) -> bool:
    """Whether the viewer may know the numbers of a combatant."""
    return viewer.may_know(scope.declared("numbers", combatant.side))


def _without_numbers(combatant: Combatant) -> Combatant:
    return replace(
        combatant,
        strength=0,
        dexterity=0,
        skills=Skills(),
        body_armour=UNSET if combatant.body_armour is UNSET else BodyArmour(value=0),
        weapons=(),
    )
