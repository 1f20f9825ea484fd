"""Changes by which the game master overrules, as far as all rulesets share them."""

from collections.abc import Iterator
from typing import TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import existing
from service.engine.battle.state import Combatant, RuleState, scope_of
from service.engine.kit.bounds import NumberBounds, require_within
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import audience_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.changes import (
    Change,
    HideCombatant,
    RevealCombatant,
    SetPlace,
    SetStat,
    TableChange,
)

Ch = TypeVar("Ch", bound=Change | TableChange)
R = TypeVar("R", bound=RuleState)


def overrule(
    effects: EffectBuilder[R], stated: tuple[Ch, ...], reason: str | UnsetType
) -> Iterator[tuple[Ch, str]]:
    """Emit that the game master overrules, then yield each change with its path in the request.

    The remark is secret if everyone may know of none of the changes.
    """
    scope = scope_of(effects.rule)
    is_secret = all(audience_of(each, scope) != EVERYONE_WORD for each in stated)
    effects.emit(fx.Adjusted(reason=reason, secret=is_secret))
    for index, change in enumerate(stated):
        yield change, f"$.changes[{index}]"


def put_down(effects: EffectBuilder[R], change: SetPlace, combatant: Combatant) -> None:
    """The combatant stands there; whether it can, the rulebook has checked."""
    effects.emit(
        fx.Moved(combatant=combatant.id, manner="placed", start=combatant.place, end=change.place)
    )


def set_hidden(
    effects: EffectBuilder[R], change: RevealCombatant | HideCombatant, revealed: type[fx.Revealed]
) -> None:
    """The combatant is known to everyone, by the ruleset's own effect, or to its side alone."""
    if isinstance(change, HideCombatant):
        effects.emit(fx.Hidden(combatant=change.combatant))
        return
    shown = replace(existing(effects.rule, change.combatant), hidden=False)
    effects.emit(revealed(combatant=shown, cause="gm"))


def set_stat(effects: EffectBuilder[R], change: SetStat, bounds: NumberBounds, path: str) -> None:
    """The number of the sheet has this value. Raises Malformed outside its bounds."""
    require_within(change.value, bounds, f"{path}.value")
    effects.emit(
        fx.StatChanged(combatant=change.combatant, stat=change.stat, now=change.value, cause="gm")
    )


def set_ready(effects: EffectBuilder[R], combatant: str, weapon: str, *, is_ready: bool) -> None:
    """A weapon that it carries is in hand, or put away."""
    change = "readied" if is_ready else "stowed"
    effects.emit(fx.ItemChanged(combatant=combatant, item=weapon, change=change))
