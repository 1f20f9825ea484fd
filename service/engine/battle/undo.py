"""How far back a player's own rewind goes, and what bars it.

How this works. Every seat that plays has a floor: the earliest seq it may go back to, since all
that happened after it is its own and may be taken back. Whatever else happens raises it. What
somebody else did bars, seen or not: that it happened and who did it stands in the log anyway, so
this tells nothing. Of what the seat did itself only that bars which it sees, and what its action
always does to those it does not see (`Ruleset.binds`): whether anybody was asked is never looked
at. So the refusal of a rewind is the same whatever is hidden.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar, get_args

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import Linear, RuleState, State, UndoFloor, scope_of, viewer_of
from service.engine.log.event import Event
from service.engine.ruleset import Ruleset
from service.engine.visibility.projection import audience_of
from service.engine.visibility.scope import EVERYONE_WORD, Scope, Viewer
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


def require_own(linear: Linear, by: By, to: int, seq: int) -> None:
    """A player goes back, as event `seq`, over nothing that is barred.

    Raises Refused("rewind_not_allowed").
    """
    floor = None if by.seat is UNSET else floor_of(linear, by.seat)
    earliest = seq if floor is None else floor.floor
    if to < earliest:
        raise Refused("rewind_not_allowed", to=to, earliest=earliest)


def undone(bases: Mapping[int, int], head: int, to: int) -> tuple[list[int], list[int]]:
    """What a rewind from event `head` to event `to` undoes and what it brings back: seqs in order.

    `bases` are those of the events that do not continue the one before them; each continues an
    earlier one.
    """
    gone: list[int] = []
    back: list[int] = []
    while head != to:
        if head > to:
            gone.append(head)
            head = bases.get(head, head - 1)
        else:
            back.append(to)
            to = bases.get(to, to - 1)
    return gone[::-1], back[::-1]


def raised(
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
    others = None if _passes_by(event, before) else _NOT_YOURS
    floors = tuple(
        _raised(
            floor,
            event.seq,
            _own_bar(ruleset, before, event, scopes()) if floor.seat == doer else others,
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
    """What keeps a player from taking back its own deed: what it sees of it, and what it is."""
    viewer = viewer_of(event.by, before.rule, before.linear)
    seen = tuple(_seen(event, scopes, viewer))
    if any(viewer.may_know(audience_of(draw, scopes[0])) for draw in event.draws):
        return "dice_or_reveal"
    if any(_tells(effect, event) for effect in seen):
        return "dice_or_reveal"
    if any(isinstance(effect, fx.DecisionOpened) for effect in seen):
        return "asked_somebody"
    if isinstance(event.action, EngineAction):
        return None
    return "asked_somebody" if ruleset.binds(before, viewer, event.action) else None


def _seen(event: Event, scopes: tuple[Scope, ...], viewer: Viewer) -> Iterator[fx.Effect]:
    for effect, scope in zip(event.effects, scopes, strict=False):
        if viewer.may_know(audience_of(effect, scope)):
            yield effect


def _tells(effect: fx.Effect, event: Event) -> bool:
    """Whether an effect makes known what was not: somebody or something hidden, others' answers."""
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
