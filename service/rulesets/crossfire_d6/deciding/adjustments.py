"""The game master overrules: changes are taken as given, and the rules make of them what they do.

Only places are checked: nobody is put on somebody else, into a wall or off the map.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing, require_combatant
from service.engine.kit.adjustments import overrule, put_down, set_hidden, set_ready, set_stat
from service.engine.kit.bounds import number_bounds
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.deciding.hidden_ground import lose_cover
from service.rulesets.crossfire_d6.deciding.join_battle import require_room
from service.rulesets.crossfire_d6.deciding.moves import emit_live_suppression
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.deciding.turns import settle, suppression_effect
from service.rulesets.crossfire_d6.deciding.wounds import band_of, fallen_state, set_health
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import override_of, streak_of
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.rules.position import CF_POS_6, has_line
from service.rulesets.crossfire_d6.rules.suppression import CF_PIN_6, Streak
from service.rulesets.crossfire_d6.state import BattleState, Combatant


def adjust(resolution: Resolution, action: ask.Adjust) -> None:
    """The effects of the changes, one after the other, and what follows from all of them.

    Raises Refused("unknown_combatant"), ("unknown_weapon") and those of places; Malformed for a
    number outside the bounds of the sheet.
    """
    effects = resolution.effects
    for change, path in overrule(effects, action.changes, action.reason):
        combatant = require_combatant(effects.rule, change.combatant)
        _change(effects, change, combatant, path)
    settle(effects)


def _change(effects: BattleEffects, change: ask.AnyChange, combatant: Combatant, path: str) -> None:
    match change:
        case alter.SetPlace():
            _put(effects, change, combatant)
        case ask.SetHp():
            set_health(effects, combatant.id, change.value)
        case ask.SetStat():
            _set_stat(effects, change, combatant, path)
        case ask.SetPin():
            _set_pin(effects, change, combatant)
        case ask.SetPosition():
            _overrule(effects, change)
        case ask.SetReady():
            _set_ready(effects, change, combatant)
        case alter.RevealCombatant() | alter.HideCombatant():
            set_hidden(effects, change, own.Revealed)
        case ask.SetCondition() | ask.SetResource() | ask.FaceTo() | ask.SetPosture():
            effects.emit(_simple_effect(change, combatant))


def _simple_effect(
    change: ask.SetCondition | ask.SetResource | ask.FaceTo | ask.SetPosture,
    combatant: Combatant,
) -> fx.Effect:
    """The one fact that a simple change is."""
    me = combatant.id
    match change:
        case ask.SetCondition(holds=True):
            return fx.ConditionGained(combatant=me, condition=change.condition, cause="gm")
        case ask.SetCondition():
            return fx.ConditionLost(combatant=me, condition=change.condition, cause="gm")
        case ask.SetResource():
            return fx.ResourceChanged(
                combatant=me, resource="actions", now=change.value, cause="gm"
            )
        case ask.FaceTo():
            return own.Faced(combatant=me, facing=change.facing)
        case ask.SetPosture():
            return own.PostureChanged(combatant=me, posture=change.posture, cause="gm")


def _set_pin(effects: BattleEffects, change: ask.SetPin, combatant: Combatant) -> None:
    """The streak is this; no more of its turns can be hidden from an enemy than it has.

    Of a streak of 0 there is nothing to hide: that is forgotten as when a new one begins.
    """
    effects.emit(
        fx.StatChanged(
            combatant=combatant.id,
            stat="suppression",
            now=change.count,
            place=_origin(change, combatant),
            cause="gm",
        )
    )
    for hiding in combatant.hidden_from:
        if hiding.offset > change.count:
            effects.emit(
                own.LinkChanged(
                    rule=CF_PIN_6,
                    link="hidden_from",
                    combatant=combatant.id,
                    other=hiding.combatant,
                    tied=change.count > 0,
                    amount=change.count or UNSET,
                )
            )


def _origin(change: ask.SetPin, combatant: Combatant) -> Place:
    if change.origin is not UNSET:
        return Place(x=change.origin.x, y=change.origin.y)
    x, y = streak_of(combatant).origin
    return Place(x=x, y=y)


def _put(effects: BattleEffects, change: alter.SetPlace, combatant: Combatant) -> None:
    """Put down elsewhere: the origin of suppression stays, cover that is not there is lost.

    Before the start the origin comes along: it is the cell where one stands when the battle
    begins.
    """
    before = effects.state
    require_room(before, replace(combatant, place=change.place))
    put_down(effects, change, combatant)
    end = (change.place.x, change.place.y)
    if _starts_here(effects.rule, combatant) and end != streak_of(combatant).origin:
        effects.emit(suppression_effect(combatant.id, Streak(origin=end, count=0)))
    lose_cover(effects, before)
    emit_live_suppression(effects, combatant)


def _starts_here(rule: BattleState, combatant: Combatant) -> bool:
    """Whether the battle is to start and nothing else was stated about a combatant's streak."""
    here = Streak(origin=(combatant.place.x, combatant.place.y), count=0)
    return rule.status == "setup" and streak_of(combatant) == here


def _set_stat(effects: BattleEffects, change: ask.SetStat, combatant: Combatant, path: str) -> None:
    """A number of the sheet is this; what the health comes to is judged by the new starting one."""
    set_stat(effects, change, number_bounds(Combatant, change.stat), path)
    after = existing(effects.rule, combatant.id)
    is_judged_alike = after.band == band_of(after.health, after.health_max)
    if not is_judged_alike or fallen_state(after) != fallen_state(combatant):
        set_health(effects, combatant.id, after.health)


def _overrule(effects: BattleEffects, change: ask.SetPosition) -> None:
    """The last word counts: an earlier one about the two exchanged is lifted if they disagree.

    They do if one says that there is a line and the other that there is none (CF-POS-6).
    """
    other = require_combatant(effects.rule, change.versus)
    reverse = override_of(other, change.combatant)
    if reverse is not None and _contradicts(change.position, reverse):
        effects.emit(
            own.LinkChanged(
                rule=CF_POS_6,
                link="position_override",
                combatant=other.id,
                other=change.combatant,
                tied=False,
            )
        )
    effects.emit(
        own.LinkChanged(
            link="position_override",
            combatant=change.combatant,
            other=change.versus,
            tied=change.position is not UNSET,
            value=change.position,
        )
    )


def _contradicts(word: Position | UnsetType, reverse: Position) -> bool:
    return word is not UNSET and has_line(word) != has_line(reverse)


def _set_ready(effects: BattleEffects, change: ask.SetReady, combatant: Combatant) -> None:
    """A weapon is in hand or is not. Raises Refused("unknown_weapon")."""
    carried = [weapon.id for weapon in combatant.weapons]
    if change.weapon not in carried:
        raise Refused("unknown_weapon", weapon=change.weapon, allowed=carried)
    set_ready(effects, combatant.id, change.weapon, is_ready=change.ready)
