"""Who is offered an opportunity before an action goes on, as far as the caller knows."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.geometry.points import Cell
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.deciding.opportunities import Watch, enemies_to_ask
from service.rulesets.tactical_d20.previews.facts import Asked
from service.rulesets.tactical_d20.state import BattleState, Combatant
from service.rulesets.tactical_d20.weapons import MOST_REACH_FT


def asked_before_shot(view: State[BattleState], shooter: Combatant) -> tuple[Asked, ...]:
    """Enemies who are asked before a shot, by number; attacking may have shown the shooter."""
    enemies = enemies_to_ask(view, shown(view, shooter))
    return tuple(Asked(combatant=enemy.id) for enemy in enemies)


def shown(view: State[BattleState], attacker: Combatant) -> Combatant:
    """The attacker as it is known once it has attacked."""
    return replace(attacker, hidden=False) if view.rule.options.attack_reveals else attacker


def asked_on_walk(
    view: State[BattleState], walker: Combatant, path: tuple[Cell, ...]
) -> tuple[Asked, ...]:
    """Enemies who are asked before a step of a walk, step by step; who passes is asked again."""
    watch = Watch(view, walker)
    return tuple(
        Asked(combatant=enemy.id, steps=steps)
        for steps, cell in enumerate(stops_of(walker, path))
        for enemy in watch.enemies_at(cell)
    )


def stops_of(walker: Combatant, path: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Where the walker is before each step of its walk."""
    return (walker.place.x, walker.place.y), *path[:-1]


def are_asked_unknown(
    view: State[BattleState], actor: Combatant, stops: tuple[Cell, ...], viewer: Viewer
) -> bool:
    """Whether an enemy of unknown reach might be asked where the actor stops, at its widest."""
    scope = scope_of(view.rule)
    doubtful = [each for each in view.rule.combatants if not knows_numbers(each, scope, viewer)]
    watch = Watch(view, actor, doubtful, MOST_REACH_FT)
    return any(watch.enemies_at(cell) for cell in stops)


def stated(asked: tuple[Asked, ...]) -> tuple[Asked, ...] | UnsetType:
    """Those who are asked as a fact, absent without any."""
    return asked or UNSET
