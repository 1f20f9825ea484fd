"""How far back a player's own rewind goes, and what bars it.

How this works. Every seat that plays has a floor: the earliest seq it may go back to, since all
that happened after it is its own and may be taken back. Whatever else happens raises it. Events of
other seats bar, visible or not: that they happened and whose they are stands in the public log, so
this tells nothing. Of what the seat did itself only that bars which it sees, and what its action
always does to those it does not see (`Ruleset.binds`): whether anybody was asked is never looked
at, unless what the seat is shown of its action says so (`Ruleset.frees`). So the refusal of a
rewind is the same whatever is hidden.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar, get_args

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.linear import Linear, UndoFloor
from service.engine.battle.state import RuleState, State, scope_of, viewer_of
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import Scope, Viewer, audience_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import (
    Action,
    Answer,
    Contribute,
    EngineAction,
    NoteAction,
    SeatAction,
)
from service.engine.vocabulary.values import By, UndoBar
from service.errors import Refused

R = TypeVar("R", bound=RuleState)

NEVER_UNDONE: Final[tuple[type[Action], ...]] = (NoteAction, Contribute, *get_args(SeatAction))
"""Actions whose facts are all of the half of the state that never rewinds."""


def floor_of(linear: Linear, seat: str) -> UndoFloor | None:
    """How far a seat may go back; None if it is no player's."""
    return next((floor for floor in linear.floors if floor.seat == seat), None)


def standing_floor(state: State[RuleState], seat: str) -> UndoFloor | None:
    """How far a seat may go back from where the battle stands; None where no player may at all."""
    if state.rule.status == "setup" or state.linear.seed is not UNSET:
        return None
    return floor_of(state.linear, seat)


def require_own(linear: Linear, by: By, to: int, seq: int) -> None:
    """A player goes back, as event `seq`, over nothing that is barred.

    Raises Refused("rewind_not_allowed").
    """
    floor = None if by.seat is UNSET else floor_of(linear, by.seat)
    earliest = seq if floor is None else floor.floor
    if to < earliest:
        raise Refused("rewind_not_allowed", to=to, earliest=earliest)


def raise_floors(
    ruleset: Ruleset[R],
    linear: Linear,
    before: State[R],
    event: Event,
    scopes: Callable[[], tuple[Scope, ...]],
) -> Linear:
    """The linear half with the floors as the event leaves them.

    `linear` is that behind the event otherwise, `before` what the event was decided on; `scopes`
    are those before each effect.
    """
    doer = event.by.seat
    foreign_bar = None if _passes_by(event, before) else _NOT_YOURS
    floors = tuple(
        _raised(
            floor,
            event.seq,
            _own_bar(ruleset, before, event, scopes()) if floor.seat == doer else foreign_bar,
        )
        for floor in linear.floors
    )
    return replace(linear, floors=floors)


_NOT_YOURS: Final[UndoBar] = "not_yours"


def _raised(floor: UndoFloor, seq: int, bar: UndoBar | None) -> UndoFloor:
    return floor if bar is None else UndoFloor(seat=floor.seat, floor=seq, reason=bar)


def _passes_by(event: Event, before: State[RuleState]) -> bool:
    """Whether everyone may know that the event did what no rewind undoes."""
    action = event.action
    if not isinstance(action, NEVER_UNDONE):
        return False
    return audience_of(action, scope_of(before.rule)) == EVERYONE_WORD


def _own_bar(
    ruleset: Ruleset[R], before: State[R], event: Event, scopes: tuple[Scope, ...]
) -> UndoBar | None:
    """The bar that a player's own event sets: by what the player sees of it, and by its kind."""
    viewer = viewer_of(event.by, before.rule, before.linear)
    visible = tuple(_visible_effects(event, scopes, viewer))
    if any(viewer.may_know(audience_of(draw, scopes[0])) for draw in event.draws):
        return "dice_or_reveal"
    if any(_tells(effect, event) for effect in visible):
        return "dice_or_reveal"
    if any(isinstance(effect, fx.DecisionOpened) for effect in visible):
        return "asked_somebody"
    if isinstance(event.action, EngineAction) or event.action.WHO == "gm":
        return None
    if ruleset.frees(event.action, visible):
        return None
    return "asked_somebody" if ruleset.binds(before, viewer, event.action) else None


def _visible_effects(
    event: Event, scopes: tuple[Scope, ...], viewer: Viewer
) -> Iterator[fx.Effect]:
    for effect, scope in zip(event.effects, scopes, strict=False):
        if viewer.may_know(audience_of(effect, scope)):
            yield effect


def _tells(effect: fx.Effect, event: Event) -> bool:
    """Whether an effect reveals a hidden combatant, hidden ground or the answer of another seat."""
    match effect:
        case fx.Revealed() | fx.TerrainChanged():
            return True
        case fx.Moved():
            return not effect.complete
        case fx.DecisionClosed():
            is_stated = effect.how not in (UNSET, "void")
            return is_stated and effect.decision_id != _answered(event)
        case _:
            return False


def _answered(event: Event) -> str | None:
    return event.action.decision_id if isinstance(event.action, Answer) else None
