"""The shared half of the reducer: facts of the common core; `linear_steps.py` has the linear half.

How this works. A ruleset's `evolve` is a `reducer` (`fold.py`): its own step, a `match` over the
effects that change something of its own, and the engine's for all others. An own step that changes
the common core, too, takes `evolve_core` first; one that changes a combatant takes
`roster.with_combatant`. Nothing here computes a rule; every fact is copied from the effect.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from service.engine.battle.open_decisions import Chosen, Decision, DecisionGroup, Declared
from service.engine.battle.roster import with_combatant
from service.engine.battle.state import Combatant, RuleState, UnknownEffect, hand_on
from service.engine.log import canonical
from service.engine.vocabulary import effects as fx

R = TypeVar("R", bound=RuleState)


def evolve_core(rule: R, effect: fx.Effect) -> R:
    """Apply an effect of the shared vocabulary to the common core; a step of the ruleset goes on.

    Raises UnknownEffect for one that needs a ruleset's own reducer.
    """
    changed: R = core_step(type(effect))(rule, effect)
    hand_on(rule, changed)
    return changed


@cache
def core_step(kind: type[fx.Effect]) -> Callable[..., Any]:
    """The engine's step of an effect, or of the shared one that a ruleset's effect extends.

    Raises UnknownEffect for one that needs a ruleset's own reducer.
    """
    for base in kind.__mro__:
        if base in _STEPS:
            return _STEPS[base]
    raise UnknownEffect(kind.__name__)


def _same(rule: R, effect: fx.Effect) -> R:
    return rule


def _started(rule: R, effect: fx.EncounterStarted) -> R:
    return replace(rule, status="running")


def _ended(rule: R, effect: fx.EncounterEnded) -> R:
    return replace(rule, status="ended")


def _options_set(rule: R, effect: fx.OptionsSet) -> R:
    changed = {
        name: value for name in ("map", "content") if (value := getattr(effect, name)) is not UNSET
    }
    return replace(rule, options=effect.options, **changed)


def _added(rule: R, effect: fx.CombatantAdded) -> R:
    return replace(rule, combatants=(*rule.combatants, effect.combatant))


def _removed(rule: R, effect: fx.CombatantRemoved) -> R:
    return replace(
        rule,
        combatants=tuple(c for c in rule.combatants if c.id != effect.combatant),
        order=tuple(combatant for combatant in rule.order if combatant != effect.combatant),
    )


def _order_set(rule: R, effect: fx.OrderSet) -> R:
    order = tuple(e.combatant for e in effect.entries if e.combatant is not UNSET)
    return replace(rule, order=order)


def _round_began(rule: R, effect: fx.RoundBegan) -> R:
    return replace(rule, round=effect.round)


def _turn_began(rule: R, effect: fx.TurnBegan) -> R:
    return replace(rule, turn=effect.combatant)


def _turn_ended(rule: R, effect: fx.TurnEnded) -> R:
    return replace(rule, turn=UNSET)


def _moved(rule: R, effect: fx.Moved) -> R:
    return with_combatant(rule, effect.combatant, _placed, effect)


def _placed(combatant: Combatant, effect: fx.Moved) -> Combatant:
    return replace(combatant, place=effect.end)


def _posture(rule: R, effect: fx.PostureChanged) -> R:
    return with_combatant(rule, effect.combatant, _standing, effect)


def _standing(combatant: Combatant, effect: fx.PostureChanged) -> Combatant:
    return replace(combatant, posture=effect.posture)


def _health(rule: R, effect: fx.Hurt | fx.Healed) -> R:
    return with_combatant(rule, effect.combatant, _healthy, effect)


def _healthy(combatant: Combatant, effect: fx.Hurt | fx.Healed) -> Combatant:
    return replace(combatant, health=effect.health, band=effect.band)


def _felled(rule: R, effect: fx.Felled) -> R:
    return with_combatant(rule, effect.combatant, _with, effect.state)


def _gained(rule: R, effect: fx.ConditionGained) -> R:
    return with_combatant(rule, effect.combatant, _with, effect.condition)


def _lost(rule: R, effect: fx.ConditionLost) -> R:
    return with_combatant(rule, effect.combatant, _free_of, effect.condition)


def _with(combatant: Combatant, condition: str) -> Combatant:
    if condition in combatant.conditions:
        return combatant
    return replace(combatant, conditions=(*combatant.conditions, condition))


def _free_of(combatant: Combatant, condition: str) -> Combatant:
    left = tuple(word for word in combatant.conditions if word != condition)
    return replace(combatant, conditions=left)


def _hidden(rule: R, effect: fx.Hidden) -> R:
    return with_combatant(rule, effect.combatant, _hiding, True)


def _revealed(rule: R, effect: fx.Revealed) -> R:
    return with_combatant(rule, effect.combatant.id, _hiding, False)


def _hiding(combatant: Combatant, is_hidden: object) -> Combatant:
    return replace(combatant, hidden=is_hidden)


def _opened(rule: R, effect: fx.DecisionOpened) -> R:
    if effect.joins is UNSET:
        group = DecisionGroup(
            decisions=(effect.decision,),
            declared=effect.declared,
            suspended=effect.suspended,
        )
        return replace(rule, pending=(*rule.pending, group))
    top = rule.pending[-1]
    grown = replace(top, decisions=(*top.decisions, effect.decision))
    return replace(rule, pending=(*rule.pending[:-1], grown))


def _closed(rule: R, effect: fx.DecisionClosed) -> R:
    """A sealed answer stays with its group; one that is stated is gone, and at last the group."""
    groups = tuple(_without(group, effect) for group in rule.pending)
    return replace(rule, pending=tuple(g for g in groups if g.decisions or g.closed is not UNSET))


def _without(group: DecisionGroup, effect: fx.DecisionClosed) -> DecisionGroup:
    left = tuple(d for d in group.decisions if d.id != effect.decision_id)
    answered = () if group.closed is UNSET else group.closed
    closed = tuple(chosen for chosen in answered if chosen.decision.id != effect.decision_id)
    if effect.sealed is not UNSET:
        closed += tuple(
            Chosen(decision=d, how=effect.sealed.how, choice=effect.sealed.choice)
            for d in group.decisions
            if d.id == effect.decision_id
        )
    return replace(group, decisions=left, closed=closed or UNSET)


def _rewound(rule: R, effect: fx.Rewound) -> R:
    """The rule state is that of `to` already (the fold driver saw to it): decisions get new ids."""
    ids = {reissued.was: reissued.id for reissued in effect.decisions}
    return replace(rule, pending=tuple(_renamed(group, ids) for group in rule.pending))


def _renamed(group: DecisionGroup, ids: Mapping[str, str]) -> DecisionGroup:
    closed: tuple[Chosen, ...] | UnsetType = UNSET
    if group.closed is not UNSET:
        closed = tuple(replace(c, decision=_under(c.decision, ids)) for c in group.closed)
    return replace(
        group,
        decisions=tuple(_under(d, ids) for d in group.decisions),
        closed=closed,
        declared=_redeclared(group.declared, ids),
    )


def _under(decision: Decision, ids: Mapping[str, str]) -> Decision:
    return replace(decision, id=ids.get(decision.id, decision.id))


def _redeclared(declared: Declared | UnsetType, ids: Mapping[str, str]) -> Declared | UnsetType:
    """An answer that waits for dice names the decision beneath it: by its new id, too."""
    if declared is UNSET:
        return UNSET
    tree = msgspec.json.decode(declared.action)
    if tree.get("decision_id") not in ids:
        return declared
    tree["decision_id"] = ids[tree["decision_id"]]
    return replace(declared, action=Raw(canonical.encode(tree)))


_STEPS: Final[dict[type[fx.Effect], Callable[..., RuleState]]] = {
    fx.EncounterStarted: _started,
    fx.EncounterEnded: _ended,
    fx.Contributed: _same,
    fx.SeedRevealed: _same,
    fx.PartsOpened: _same,
    fx.OptionsSet: _options_set,
    fx.CombatantAdded: _added,
    fx.CombatantRemoved: _removed,
    fx.SeatChanged: _same,
    fx.ControlChanged: _same,
    fx.OrderSet: _order_set,
    fx.RoundBegan: _round_began,
    fx.TurnBegan: _turn_began,
    fx.TurnEnded: _turn_ended,
    fx.Moved: _moved,
    fx.PostureChanged: _posture,
    fx.Rolled: _same,
    fx.CheckResolved: _same,
    fx.AttackResolved: _same,
    fx.AreaResolved: _same,
    fx.Hurt: _health,
    fx.Healed: _health,
    fx.Felled: _felled,
    fx.ConditionGained: _gained,
    fx.ConditionLost: _lost,
    fx.Revealed: _revealed,
    fx.Hidden: _hidden,
    fx.DecisionOpened: _opened,
    fx.DecisionClosed: _closed,
    fx.ActionStopped: _same,
    fx.WindowSkipped: _same,
    fx.Noted: _same,
    fx.Adjusted: _same,
    fx.Rewound: _rewound,
    fx.Erased: _same,
}
