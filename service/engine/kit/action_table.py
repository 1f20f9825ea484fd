"""One table per rulebook: what becomes of each type of action.

An entry says how its actions are decided and previewed, whether players may take them back, and
which roll counts as luck. Deciding, previews, withdrawal and luck look the type of an action up
here. A house test compares the types of every table with the actions of its ruleset: there is an
entry for each, and no other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

from service.engine.battle.state import RuleState, State
from service.engine.kit.previews import Asker, Decide, rehearse
from service.engine.ruleset.definition import Ending, Fact, Luck, Odds, Preview, RollsBeside
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.errors import Refused

A = TypeVar("A", bound=Action)
R = TypeVar("R", bound=RuleState)
W = TypeVar("W")
Q = TypeVar("Q", bound=Asker[Any])


class ForemostRoll(NamedTuple):
    """The roll of an action that counts as luck: its odds in a preview, its ending in effects."""

    odds: Callable[[Preview], tuple[Odds, ...]]
    ending: Callable[[Sequence[Fact]], Ending | None]


@dataclass(frozen=True, slots=True)
class Entry(Generic[R, W, Q]):
    """What becomes of actions of one type. `W` is the rulebook's resolution, `Q` its asker.

    `preview` is None where there is no preview. `is_rehearsed`: a preview is shown only if the
    rules let the action through; otherwise the preview checks that itself. `binds` tells whether
    an action of a player stays once it is declared (`Ruleset.binds`); None for actions of the game
    master. `frees` says of one that binds whether it may be taken back, by the effects that its
    player is shown (`Ruleset.frees`); None where none may. `luck` is None where no roll counts.
    """

    kind: type[Action]
    decide: Callable[[W, Action], None]
    preview: Callable[[Q, Action], Preview] | None
    is_rehearsed: bool
    binds: Callable[[State[R], Viewer, Action], bool] | None
    frees: Callable[[Sequence[Effect]], bool] | None
    luck: ForemostRoll | None


def entry(
    kind: type[A],
    decide: Callable[[W, A], None],
    preview: Callable[[Q, A], Preview] | None,
    *,
    is_rehearsed: bool = True,
    binds: Callable[[State[R], Viewer, A], bool] | None = None,
    frees: Callable[[Sequence[Effect]], bool] | None = None,
    luck: ForemostRoll | None = None,
) -> Entry[R, W, Q]:
    """The entry of a type of action; all its functions take that type.

    A table hands each of them actions of that type alone, so their types are widened here once.
    """
    return Entry(
        kind=kind,
        decide=cast("Callable[[W, Action], None]", decide),
        preview=cast("Callable[[Q, Action], Preview] | None", preview),
        is_rehearsed=is_rehearsed,
        binds=cast("Callable[[State[R], Viewer, Action], bool] | None", binds),
        frees=frees,
        luck=luck,
    )


class ActionTable(Generic[R, W, Q]):
    """The entries of a rulebook by their type: `entries[type(action)]`."""

    def __init__(self, *entries: Entry[R, W, Q]) -> None:
        self.entries = {each.kind: each for each in entries}
        if len(self.entries) < len(entries):
            raise ValueError("a type of action has two entries")

    def sketch(self, asker: Q, action: Action) -> Preview:
        """The preview of an action, before it is rehearsed.

        Raises Refused("no_preview"), and what the entry's own function raises.
        """
        found = self.entries.get(type(action))
        if found is None or found.preview is None:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))
        return found.preview(asker, action)

    def preview(self, asker: Q, action: Action, decide: Decide[R]) -> Preview:
        """The preview of an action. Raises what `sketch` and deciding the action would raise."""
        sketch = self.sketch(asker, action)
        if not self.entries[type(action)].is_rehearsed:
            return sketch
        return rehearse(sketch, decide, asker.view, action, asker.by)

    def binds(self, state: State[R], viewer: Viewer, action: Action) -> bool:
        """Whether an action stays once its player has declared it."""
        binds = self.entries[type(action)].binds
        return binds is not None and binds(state, viewer, action)

    def frees(self, action: Action, shown: Sequence[Effect]) -> bool:
        """Whether an action that binds may be taken back, by what its player is shown of it."""
        frees = self.entries[type(action)].frees
        return frees is not None and frees(shown)

    def luck(
        self,
        successes: frozenset[str],
        *,
        answered: frozenset[str] = frozenset(),
        beside: RollsBeside | None = None,
    ) -> Luck:
        """How rolls are compared with their odds; the words are those of `Luck`."""
        return Luck(
            odds=self.odds,
            ending=self.ending,
            successes=successes,
            answered=answered,
            beside=beside,
        )

    def odds(self, action: Action, preview: Preview) -> tuple[Odds, ...]:
        """The odds of the roll that counts as luck, in a preview of the action; `()` if none."""
        roll = self.entries[type(action)].luck
        return () if roll is None else roll.odds(preview)

    def ending(self, action: Action, effects: Sequence[Fact]) -> Ending | None:
        """How that roll ended, by the effects of an event of the action."""
        roll = self.entries[type(action)].luck
        return None if roll is None else roll.ending(effects)


def bare_preview(_asker: object, _action: Action) -> Preview:
    """The preview of an action whose rules foresee nothing: that it is legal."""
    return Preview(legal=True)


def always(_state: object, _viewer: Viewer, _action: Action) -> bool:
    """Every action of the type binds."""
    return True


def never(_state: object, _viewer: Viewer, _action: Action) -> bool:
    """No action of the type binds."""
    return False
