"""What the hostile play: a battle, in memory or behind a port, as they ask for it and see it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from service.engine.battle.undo import NEVER_UNDONE

Tree = Mapping[str, Any]
UNKNOWING: Final = ("ann", "bob", "eve")
PLAYER_OF: Final = {"red": "ann", "blue": "bob"}
NEVER_UNDONE_WORDS: Final = frozenset(str(each.__struct_config__.tag) for each in NEVER_UNDONE)


class Done(NamedTuple):
    """An event came of it: all its effects, as the game master sees them."""

    effects: Sequence[Tree]


class NotDone(NamedTuple):
    """A refusal: its code and facts, and all that whoever asked was shown."""

    code: str
    params: Tree
    told: object


Outcome = Done | NotDone


class Undone(NamedTuple):
    """Of an event that a rewind undid: whose it was, and the word of its action."""

    seat: str | None
    action: str


class Battle(Protocol):
    """One battle. `unseen` is the id of whom the secrets are about."""

    unseen: str

    @property
    def head(self) -> int:
        """How many events there are."""
        ...

    def view(self, by: str) -> Tree:
        """The rule state as somebody sees it now; `gm` sees all."""
        ...

    def samples(self, combatant: str, count: int, by: str) -> list[dict[str, Any]]:
        """Legal actions of a combatant."""
        ...

    def ask(self, action: Tree, by: str, faces: tuple[int, ...] = ()) -> Outcome:
        """Try to do something."""
        ...

    def told(self, by: str) -> object:
        """All that somebody is shown after the last event."""
        ...

    def rewinds_tried(self, by: str) -> object:
        """What would become of the rewinds that a player could ask for; none is done."""
        ...

    def undone(self) -> Sequence[Undone]:
        """What the last event, a rewind, undid."""
        ...


def combatant_in(battle: Battle, combatant: str) -> Tree:
    """Somebody who is there."""
    [found] = [each for each in battle.view("gm")["combatants"] if each["id"] == combatant]
    return dict(found)


def turn_of(battle: Battle) -> str | None:
    """Whose turn it is."""
    turn: str | None = battle.view("gm").get("turn")
    return turn


def questions(battle: Battle) -> list[Tree]:
    """The open decisions of the group that is to be answered next."""
    pending = battle.view("gm")["pending"]
    return list(pending[-1]["decisions"]) if pending else []


def seen_questions(battle: Battle) -> set[str]:
    """The ids of the open decisions that somebody who is not the game master knows of."""
    return {
        each["id"]
        for by in UNKNOWING
        for group in battle.view(by)["pending"]
        for each in group["decisions"]
    }


def has_unseen_question(battle: Battle) -> bool:
    """Whether somebody is asked of whom neither of the players knows."""
    seen = seen_questions(battle)
    pending = battle.view("gm")["pending"]
    return any(each["id"] not in seen for group in pending for each in group["decisions"])
