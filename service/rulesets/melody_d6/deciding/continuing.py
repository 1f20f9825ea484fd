"""Whether an action that waited for answers may continue, judged on the battle of now (ML-WAIT-1).

How this works. What the action has paid and done so far is given back in a copy of the battle, and
its own requirements are asked of that copy as far as the seat knows it that asked for the action.
A refusal ends the action, which says so (`action_stopped`); what it did stays. Versions before 3
judge nothing again: there an action continues as far as it can (`Readings.judge`).
"""

from collections.abc import Callable
from functools import partial
from typing import assert_never

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from service.engine.kit.resolution import perceive_for
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.rolls import discounted
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Charge, Dampen, DampenLasting, Sing
from service.rulesets.melody_d6.deciding import charges, dampening, masks, moves, songs
from service.rulesets.melody_d6.deciding.discovery import attack_begins
from service.rulesets.melody_d6.deciding.requirements import is_able, require_acting
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.song_effects import take_effect
from service.rulesets.melody_d6.points import point_at
from service.rulesets.melody_d6.questions import DampenContext
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.remainders import (
    AnyRemainder,
    DampenRemainder,
    EndTurnRemainder,
    MaskRemainder,
    MoveRemainder,
    RevealRemainder,
    SongDampenRemainder,
    SongRemainder,
)
from service.rulesets.melody_d6.rules.dampening import ML_DAMP_6
from service.rulesets.melody_d6.rules.songs import ML_SING_1
from service.rulesets.melody_d6.state import BattleState, Combatant, Force

Requirement = Callable[[State[BattleState]], object]
"""What an action requires of the battle as its seat knows it. Raises Refused."""


def left_of(resolution: Resolution, remainder: AnyRemainder) -> AnyRemainder | None:
    """What is left of an action that continues; None if it ends here, as an effect then says."""
    if _readings(resolution).judge is None:
        return remainder
    match remainder:
        case MoveRemainder():
            return _movement(resolution, remainder)
        case MaskRemainder():
            return _masking(resolution, remainder)
        case SongRemainder() | SongDampenRemainder():
            return _song(resolution, remainder)
        case DampenRemainder():
            return _dampening(resolution, remainder)
        case RevealRemainder() | EndTurnRemainder():
            return remainder
        case _:
            assert_never(remainder)


# --- movements and masking: nothing is drawn before they go on ------------------------------------


def _movement(resolution: Resolution, remainder: MoveRemainder) -> MoveRemainder | None:
    """A movement whose steps so far stay; what its declaration gave away is given away again."""
    action, me = resolution.action, remainder.combatant
    mover = combatant_of(resolution.rule, me)
    is_there = mover is None or not is_able(mover) or moves.is_on_its_way(mover, remainder)
    before = _with_warrior(resolution.rule, me, lambda each: replace(each, moved=False))

    def require(view: State[BattleState]) -> None:
        if isinstance(action, Charge):
            charges.require_rest(view, action, remainder)
        else:
            require_acting(view.rule, me, "movement")
            moves.require_rest(view, remainder)

    refusal = _refusal(resolution, me, before, require, is_there=is_there)
    if refusal is not None:
        _stop(resolution, me, refusal)
        moves.halt(resolution, remainder)
        return None
    if isinstance(action, Charge):
        attack_begins(resolution.effects, me)
    moves.declare_again(resolution, remainder)
    return remainder


def _masking(resolution: Resolution, remainder: MaskRemainder) -> MaskRemainder:
    """Of those who mask each is judged by itself: the others continue."""
    before = replace(resolution.rule, mask_declared=False)
    masking: list[str] = []
    for each in remainder.combatants:
        require = partial(masks.require_masking, combatant=each)
        refusal = _refusal(resolution, each, before, require)
        if refusal is None:
            masking.append(each)
        else:
            _stop(resolution, each, refusal)
    return replace(remainder, combatants=tuple(masking))


# --- songs and dampenings: their dice stay --------------------------------------------------------


def _song(
    resolution: Resolution, remainder: SongRemainder | SongDampenRemainder
) -> SongRemainder | SongDampenRemainder | None:
    """A song whose dice are rolled is sung from where its singer now is."""
    action = songs.waiting_song(resolution)
    refusal = _refusal_of_song(resolution, action)
    if refusal is not None:
        _stop(resolution, action.combatant, refusal)
        if isinstance(remainder, SongRemainder):
            _leave_unread(resolution, "song", action.combatant, remainder)
        return None
    origin = point_at(existing(resolution.rule, action.combatant).place)
    if isinstance(remainder, SongRemainder):
        return replace(remainder, origin=origin)
    return replace(remainder, sung=replace(remainder.sung, origin=origin))


def _refusal_of_song(resolution: Resolution, action: Sing) -> Refused | None:
    me = action.combatant
    before = _with_warrior(resolution.rule, me, lambda each: replace(each, acted=False))
    return _refusal(resolution, me, before, lambda view: songs.require_sing(view, action))


def _dampening(resolution: Resolution, remainder: DampenRemainder) -> DampenRemainder | None:
    """An attempt whose dice are rolled: at a song that continues, by one who could make it now.

    Where the attempt alone is over, the song that it was made at takes effect.
    """
    action = resolution.action
    if isinstance(action, DampenLasting):
        return _dampening_of_lasting(resolution, action, remainder)
    sing, sung = songs.waiting_song(resolution), remainder.sung
    refusal = _refusal_of_song(resolution, sing)
    if refusal is not None or sung is UNSET:
        if refusal is not None:
            _stop(resolution, sing.combatant, refusal)
        _leave_unread(resolution, "dampening", remainder.dampener, remainder)
        return None
    origin = point_at(existing(resolution.rule, sing.combatant).place)
    sung = replace(sung, origin=origin)
    refusal = _refusal_of_attempt(resolution, sing, remainder)
    if refusal is None:
        return replace(remainder, sung=sung)
    _stop(resolution, remainder.dampener, refusal)
    _leave_unread(resolution, "dampening", remainder.dampener, remainder)
    take_effect(resolution, sing, sung, was_tried=True)
    return None


def _refusal_of_attempt(
    resolution: Resolution, sing: Sing, remainder: DampenRemainder
) -> Refused | None:
    """Why the dampener could not dampen the song now, on what its side knows."""
    context = DampenContext(
        combatant=sing.combatant, melody=sing.melody, target_kind=remainder.target_kind
    )
    choice = Dampen(combatant=remainder.dampener)
    side = existing(resolution.rule, remainder.dampener).side
    return _judged(
        resolution,
        remainder.dampener,
        perceive(resolution.state, Viewer(sides=(side,))),
        lambda view: dampening.require_dampener(view.rule, context, choice),
    )


def _dampening_of_lasting(
    resolution: Resolution, action: DampenLasting, remainder: DampenRemainder
) -> DampenRemainder | None:
    """An attempt at a song in play, its side's attempt given back."""
    side = existing(resolution.rule, action.combatant).side
    before = _without_attempt(resolution.rule, side, action.song)
    refusal = _refusal(
        resolution,
        action.combatant,
        before,
        lambda view: dampening.require_dampen_lasting(view, action),
    )
    if refusal is None:
        return remainder
    _stop(resolution, action.combatant, refusal)
    _leave_unread(resolution, "dampening", action.combatant, remainder)
    return None


def _leave_unread(
    resolution: Resolution,
    purpose: str,
    combatant: str,
    remainder: SongRemainder | DampenRemainder,
) -> None:
    """The dice of an action that has ended are read by no rule."""
    resolution.effects.emit(
        own.Rolled(
            rule=ML_SING_1 if purpose == "song" else ML_DAMP_6,
            purpose=purpose,
            combatant=combatant,
            roll=discounted(remainder.roll, "unread"),
        )
    )


# --- what is judged, and by whose knowledge -------------------------------------------------------


def _readings(resolution: Resolution) -> Readings:
    return resolution.state.terms.read_as(Readings)


def _refusal(
    resolution: Resolution,
    combatant: str,
    before: BattleState,
    require: Requirement,
    *,
    is_there: bool = True,
) -> Refused | None:
    """Why a warrior's action may not go on; `before` is the battle with its price given back."""
    view = _known(resolution, combatant, before)
    return _judged(resolution, combatant, view, require, is_there=is_there)


def _judged(
    resolution: Resolution,
    combatant: str,
    view: State[BattleState],
    require: Requirement,
    *,
    is_there: bool = True,
) -> Refused | None:
    judge = _readings(resolution).judge
    return None if judge is None else judge(combatant, lambda: require(view), is_there)


def _known(resolution: Resolution, combatant: str, rule: BattleState) -> State[BattleState]:
    """The battle as the seat knows it that asked for the action.

    Of a seat that is gone, or that no longer knows the warrior, what the warrior's side knows.
    """
    state: State[BattleState] = replace(resolution.state, rule=rule)
    view = perceive_for(state, resolution.by, combatant)
    if combatant_of(view.rule, combatant) is not None:
        return view
    return perceive(state, Viewer(sides=(existing(rule, combatant).side,)))


def _stop(resolution: Resolution, combatant: str, refusal: Refused) -> None:
    rule = UNSET if refusal.rule is None else refusal.rule
    resolution.effects.emit(fx.ActionStopped(combatant=combatant, code=refusal.code, rule=rule))


def _with_warrior(
    rule: BattleState, combatant: str, change: Callable[[Combatant], Combatant]
) -> BattleState:
    warriors = tuple(change(each) if each.id == combatant else each for each in rule.combatants)
    return replace(rule, combatants=warriors)


def _without_attempt(rule: BattleState, side: str, song: str) -> BattleState:
    """The battle before a side tried to dampen a song in play."""

    def given_back(force: Force) -> Force:
        if force.side != side:
            return force
        return replace(force, dampenings=max(0, force.dampenings - 1))

    forces = tuple(map(given_back, rule.forces))
    tried = tuple(replace(each, dampened_in=0) if each.id == song else each for each in rule.songs)
    return replace(rule, forces=forces, songs=tried)
