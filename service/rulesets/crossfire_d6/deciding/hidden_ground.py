"""Hidden ground that an attack or a walk has met: everyone knows it, and cover may be gone."""

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import space_of
from service.rulesets.crossfire_d6.maps import public_board
from service.rulesets.crossfire_d6.rules.position import has_cover_here
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.terrain import TerrainChange


def lay_open(effects: BattleEffects, changes: tuple[TerrainChange, ...]) -> None:
    """Hidden ground is met: everyone knows it, and posture lost with it is lost."""
    if changes:
        before = effects.state
        effects.emit(own.TerrainChanged(changes=changes, cause="met"))
        lose_cover(effects, before)


def lose_cover(effects: BattleEffects, before: State[BattleState]) -> None:
    """A combatant that was in or behind cover `before`, and has none now, is open, at no cost.

    Cover is judged on the ground that everyone knows. A posture that had none even before, because
    the game master said so or the cover is his secret, stays.
    """
    had = public_board(before).ground
    has = public_board(effects.state).ground
    for was in before.rule.combatants:
        combatant = existing(effects.rule, was.id)
        if (
            combatant.posture != "open"
            and not has_cover_here(space_of(combatant), has)
            and has_cover_here(space_of(was), had)
        ):
            effects.emit(
                own.PostureChanged(combatant=combatant.id, posture="open", cause="cover_lost")
            )
