"""Who is offered an opportunity before an action goes on, as far as the caller knows."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.geometry.points import Cell
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.creatures import (
    elevation_of,
    fighter_of,
    is_known_to_side,
    space_of,
)
from service.rulesets.tactical_d20.deciding.opportunities import enemies_to_ask
from service.rulesets.tactical_d20.ground import public_ground
from service.rulesets.tactical_d20.previews.facts import Asked
from service.rulesets.tactical_d20.rules.control import does_control
from service.rulesets.tactical_d20.state import BattleState, Combatant
from service.rulesets.tactical_d20.weapons import MOST_REACH_FT


def asked_before_shot(view: State[BattleState], shooter: Combatant) -> tuple[Asked, ...]:
    """Enemies who are asked before a shot, by number; attacking may have shown the shooter."""
    enemies = enemies_to_ask(view.rule, view.blobs, shown(view, shooter))
    return tuple(Asked(combatant=enemy.id) for enemy in enemies)


def shown(view: State[BattleState], attacker: Combatant) -> Combatant:
    """The attacker as it is known once it has attacked."""
    return replace(attacker, hidden=False) if view.rule.options.attack_reveals else attacker


def asked_on_walk(
    view: State[BattleState], walker: Combatant, path: tuple[Cell, ...]
) -> tuple[Asked, ...]:
    """Enemies who are asked before a step of a walk, step by step; who passes is asked again."""
    return tuple(
        Asked(combatant=enemy.id, steps=steps)
        for steps, here in enumerate(stops_of(walker, path))
        for enemy in enemies_to_ask(view.rule, view.blobs, here)
    )


def stops_of(walker: Combatant, path: tuple[Cell, ...]) -> tuple[Combatant, ...]:
    """The walker before each step of its walk."""
    place = walker.place
    places = [place, *(replace(place, x=x, y=y) for x, y in path[:-1])]
    return tuple(replace(walker, place=each) for each in places)


def are_asked_unknown(
    view: State[BattleState], stops: tuple[Combatant, ...], viewer: Viewer
) -> bool:
    """Whether an enemy of unknown reach might be asked at one of these places."""
    rule, scope = view.rule, scope_of(view.rule)
    ground, diagonals = public_ground(rule, view.blobs), rule.options.diagonal_rule
    doubtful = [
        replace(fighter_of(rule, enemy), reach_ft=MOST_REACH_FT)
        for enemy in rule.combatants
        if enemy.side != stops[0].side
        and enemy.reaction_left
        and is_known_to_side(stops[0], enemy.side)
        and not knows_numbers(enemy, scope, viewer)
    ]
    return any(
        does_control(ground, fighter, space_of(stop), elevation_of(stop), diagonals)
        for stop in stops
        for fighter in doubtful
    )


def stated(asked: tuple[Asked, ...]) -> tuple[Asked, ...] | UnsetType:
    """Those who are asked as a fact, absent without any."""
    return asked or UNSET
