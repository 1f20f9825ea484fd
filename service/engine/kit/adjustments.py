"""The game master overrules: what his changes have in common in all rulesets."""

from collections.abc import Iterator
from typing import TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import Combatant, RuleState, scope_of
from service.engine.kit.bounds import NumberBounds, require_within
from service.engine.kit.combatants import existing
from service.engine.visibility.projection import audience_of
from service.engine.visibility.scope import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import (
    Change,
    HideCombatant,
    RevealCombatant,
    SetPlace,
    SetStat,
)

Ch = TypeVar("Ch", bound=Change)
R = TypeVar("R", bound=RuleState)


def changes(
    battle: EffectBuilder[R], stated: tuple[Ch, ...], reason: str | UnsetType
) -> Iterator[tuple[Ch, str]]:
    """State that the game master overrules, then each change with its path in the request.

    A remark and what follows are secret if nobody but sides and the game master may know of any
    change.
    """
    scope = scope_of(battle.rule)
    is_secret = all(audience_of(each, scope) != EVERYONE_WORD for each in stated)
    battle.emit(fx.Adjusted(reason=reason, secret=is_secret))
    for index, change in enumerate(stated):
        yield change, f"$.changes[{index}]"


def put_down(battle: EffectBuilder[R], change: SetPlace, combatant: Combatant) -> None:
    """The combatant stands there; whether it can is not checked."""
    battle.emit(
        fx.Moved(combatant=combatant.id, manner="placed", start=combatant.place, end=change.place)
    )


def show(
    battle: EffectBuilder[R], change: RevealCombatant | HideCombatant, revealed: type[fx.Revealed]
) -> None:
    """The combatant is known to everyone, by the ruleset's own effect, or to its side alone."""
    if isinstance(change, HideCombatant):
        battle.emit(fx.Hidden(combatant=change.combatant))
        return
    shown = replace(existing(battle.rule, change.combatant), hidden=False)
    battle.emit(revealed(combatant=shown, cause="gm"))


def set_stat(battle: EffectBuilder[R], change: SetStat, bounds: NumberBounds, path: str) -> None:
    """The number of the sheet has this value. Raises Malformed outside its bounds."""
    require_within(change.value, bounds, f"{path}.value")
    battle.emit(
        fx.StatChanged(combatant=change.combatant, stat=change.stat, now=change.value, cause="gm")
    )
