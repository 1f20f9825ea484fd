"""Who is offered an opportunity before an action goes on, as far as the caller knows."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.geometry.points import Cell
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.creatures import is_known_to_side
from service.rulesets.tactical_d20.deciding.opportunities import enemies_to_ask
from service.rulesets.tactical_d20.previews.facts import Asked
from service.rulesets.tactical_d20.state import BattleState, Combatant, is_out


def asked_before_shot(view: State[BattleState], shooter: Combatant) -> tuple[Asked, ...]:
    """Enemies who are asked before a shot, by number; attacking may have shown the shooter."""
    is_shown = view.rule.options.attack_reveals
    seen = replace(shooter, hidden=False) if is_shown else shooter
    enemies = enemies_to_ask(view.rule, view.blobs, seen)
    return tuple(Asked(combatant=enemy.id) for enemy in enemies)


def asked_on_walk(
    view: State[BattleState], walker: Combatant, path: tuple[Cell, ...]
) -> tuple[Asked, ...]:
    """Enemies who are asked before a step of a walk, step by step; who passes is asked again."""
    return tuple(_asked_on_walk(view, walker, path))


def _asked_on_walk(
    view: State[BattleState], walker: Combatant, path: tuple[Cell, ...]
) -> Iterator[Asked]:
    here = walker
    for steps, (x, y) in enumerate(path):
        for enemy in enemies_to_ask(view.rule, view.blobs, here):
            yield Asked(combatant=enemy.id, steps=steps)
        here = replace(here, place=replace(here.place, x=x, y=y))


def are_asked_unknown(view: State[BattleState], actor: Combatant, viewer: Viewer) -> bool:
    """Whether some enemy might be asked whose weapons and reach the caller may not know."""
    scope = scope_of(view.rule)
    return any(
        enemy.side != actor.side
        and not is_out(enemy)
        and bool(enemy.reaction_left)
        and is_known_to_side(actor, enemy.side)
        and not knows_numbers(enemy, scope, viewer)
        for enemy in view.rule.combatants
    )


def stated(asked: tuple[Asked, ...]) -> tuple[Asked, ...] | UnsetType:
    """Those who are asked as a fact, absent without any."""
    return asked or UNSET
