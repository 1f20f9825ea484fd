"""What was hidden and becomes known: creatures, and walls that turn out to close a line."""

from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.corner_lines import features_on
from service.engine.geometry.features import Feature
from service.engine.geometry.open_lines import open_line
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.creatures import cover_override_of, space_of
from service.rulesets.tactical_d20.deciding.aim import Aim
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.ground import (
    ground_of,
    hidden_changes,
    public_ground,
)
from service.rulesets.tactical_d20.rules.total_cover import closing, has_line_of_effect
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.terrain import TerrainChange


def is_obstructed(battle: State[BattleState], aim: Aim) -> bool:
    """Whether an attack that the asker thought possible has no line of effect all the same."""
    if aim.target is not None and cover_override_of(aim.target, aim.attacker.id) == "total":
        return True
    return bool(battle.rule.secrets) and not has_line_of_effect(
        ground_of(battle), space_of(aim.attacker), aim.at
    )


def reveal(effects: BattleEffects, combatant: str, cause: str) -> None:
    """A hidden creature is known to everybody from now on; nothing happens to any other."""
    creature = existing(effects.rule, combatant)
    if creature.hidden:
        effects.emit(own.Revealed(combatant=replace(creature, hidden=False), cause=cause))


def meet_walls(effects: BattleEffects, aim: Aim) -> tuple[Feature, ...]:
    """The hidden walls that close the line of an attack become known; which these are.

    They are those on the line between the nearest corners. If known walls alone close that line,
    those on the nearest one that seemed open: else nothing would ever be learnt. None where there
    is a line, and the game master's word stands against it.
    """
    rule, near = effects.rule, space_of(aim.attacker)
    ground = ground_of(effects.state)
    if has_line_of_effect(ground, near, aim.at):
        return ()
    met = _hidden_among(rule, closing(ground, near, aim.at))
    if not met:
        seeming = open_line(public_ground(effects.state).walls, near, aim.at)
        if seeming is not None:
            on_line = features_on(ground.walls, *seeming, near, aim.at, along=False)
            met = _hidden_among(rule, on_line)
    lay_open(effects, hidden_changes(rule, met))
    return met


def _hidden_among(rule: BattleState, features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    return tuple(feature for feature in features if hidden_changes(rule, (feature,)))


def lay_open(effects: BattleEffects, changes: tuple[TerrainChange, ...]) -> None:
    """Hidden ground is met: everybody knows it from now on."""
    if changes:
        effects.emit(own.TerrainChanged(changes=changes, cause="met"))
