"""What callers send, as types: read from strictly parsed JSON, ruleset parts left for later."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Final, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from service.encounters.known_words import known_at
from service.encounters.responses import Faces
from service.engine.battle.linear import Seat
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import SubjectId, UnitId
from service.engine.vocabulary.actions import Action, NoteAction
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.values import (
    DecisionId,
    DiceMode,
    Digest,
    Metadata,
    NameText,
    Side,
    SideId,
)
from service.errors import Malformed, Refused

T = TypeVar("T")


RulesetName = Annotated[str, Meta(max_length=40)]
"""The ruleset that a request is meant for: none other takes it."""


class ActionItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action, and the faces the table rolled for it where it rolls its own dice.

    With a `ruleset` it is refused in an encounter of another one.
    """

    ruleset: RulesetName | UnsetType = UNSET
    """The ruleset that the action is meant for: an encounter of another one refuses it. Absent: of
    any."""
    action: dict[str, object]
    """The action, distinguished by its `type`."""
    dice: Faces | UnsetType = UNSET
    """Faces that the table rolled for it, in draw order; only where `dice` of the encounter is
    `supplied`."""


class ActRequest(Struct, frozen=True, kw_only=True):
    """One action or a list of them, applied in order; `ruleset` is what the whole list names.

    `paths` says where each action is in the request.
    """

    items: tuple[ActionItem, ...]
    fingerprint: bytes
    paths: tuple[str, ...] = ("$.action",)
    ruleset: str | UnsetType = UNSET

    @classmethod
    def read(cls, tree: object, limit: int) -> "ActRequest":
        """From `{action, dice?}` or `{actions: [{action, dice?}, ...]}` with 1 to `limit` items.

        Raises Malformed.
        """
        if isinstance(tree, dict) and "actions" in tree:
            listed = convert(tree, ActionList)
            if not 1 <= len(listed.actions) <= limit:
                raise Malformed(path="$.actions", allowed=f"1 to {limit} actions")
            return cls(
                items=listed.actions,
                fingerprint=fingerprint(tree),
                paths=tuple([f"$.actions[{at}].action" for at in range(len(listed.actions))]),
                ruleset=listed.ruleset,
            )
        return cls(items=(convert(tree, ActionItem),), fingerprint=fingerprint(tree))

    def typed(self, ruleset: Ruleset[RuleState]) -> tuple[Action, ...]:
        """The actions as those of this ruleset.

        Raises Malformed where one does not fit, Malformed("wrong_ruleset") where one is meant for
        another ruleset.
        """
        require_ruleset(self.ruleset, ruleset.slug, "$")
        asked = tuple(zip(self.items, self.paths, strict=True))
        for item, path in asked:
            if item.ruleset is not UNSET:
                require_ruleset(item.ruleset, ruleset.slug, path.removesuffix(".action"))
        kind, holder = ruleset.action, _holder_of_actions(ruleset)
        actions: list[Action] = [_held(item.action, holder, kind, path) for item, path in asked]
        for action, path in zip(actions, self.paths, strict=True):
            if isinstance(action, NoteAction) and action.text is action.gm_text is UNSET:
                raise Malformed(path=f"{path}.text", allowed="text or gm_text")
        return tuple(actions)

    @property
    def notes(self) -> int:
        """How many of its actions are notes."""
        return sum(item.action.get("type") == "note" for item in self.items)

    def removed_seats(self, accepted: int) -> tuple[str, ...]:
        """The seats that the first `accepted` of its actions took away."""
        return tuple(
            str(item.action["seat"])
            for item in self.items[:accepted]
            if item.action["type"] == "remove_seat"
        )

    def restated_metadata(self, accepted: int) -> Iterator[tuple[int, bytes]]:
        """The metadata of the encounter that the first `accepted` of its actions state again.

        Each with the number of its action.
        """
        for index, item in enumerate(self.items[:accepted]):
            stated = item.action.get("metadata")
            if item.action["type"] == "configure" and isinstance(stated, str):
                yield index, stated.encode()


class ActionList(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list of actions, one event each.

    With a `ruleset` it is refused in an encounter of another one.
    """

    ruleset: RulesetName | UnsetType = UNSET
    """The ruleset that all of them are meant for: an encounter of another one refuses it. Absent:
    of any."""
    actions: tuple[ActionItem, ...]
    """Actions to apply in this order, one event each, up to the first that is refused or opens a
    decision."""


class GivenAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody who would be asked is taken to choose."""

    combatant: SubjectId
    """Id of a combatant that the action would ask; each one once."""
    choice: dict[str, object]
    """What it is taken to answer."""


class PreviewRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The action to look at, and how those answer whom it would ask; the others decline.

    With a `ruleset` it is refused in an encounter of another one.
    """

    ruleset: RulesetName | UnsetType = UNSET
    """The ruleset that the action is meant for: an encounter of another one refuses it. Absent: of
    any."""
    action: dict[str, object]
    """The action to foresee, distinguished by its `type`."""
    answers: Annotated[tuple[GivenAnswer, ...], Meta(max_length=500)] = ()
    """What those are taken to answer whom the action would ask; who is not named declines."""

    def choices(self, kind: type[T]) -> dict[str, T]:
        """The choices by combatant, read as the ruleset's. Raises Malformed."""
        read: dict[str, T] = {}
        for index, answer in enumerate(self.answers):
            at = f"$.answers[{index}]"
            if answer.combatant in read:
                raise Malformed(path=f"{at}.combatant", allowed="each combatant once")
            read[answer.combatant] = convert(answer.choice, kind, f"{at}.choice")
        return read


class PauseTimers(
    Struct, frozen=True, kw_only=True, tag_field="do", tag="pause", forbid_unknown_fields=True
):
    """Stop the clock: no time is over until it runs again."""


class ResumeTimers(
    Struct, frozen=True, kw_only=True, tag_field="do", tag="resume", forbid_unknown_fields=True
):
    """Let the clock run again; everything has as much time left as it had."""


class ExtendTimers(
    Struct, frozen=True, kw_only=True, tag_field="do", tag="extend", forbid_unknown_fields=True
):
    """Give a decision or a turn so much more time; all of them if none is named.

    What is overdue has so much from now on.
    """

    seconds: Annotated[int, Meta(ge=1, le=604_800)]
    """How much more time, in seconds; for what is overdue, from now on."""
    decision_id: DecisionId | UnsetType = UNSET
    """The decision to extend; if none and no turn is named, everything timed is."""
    turn: SubjectId | UnsetType = UNSET
    """Id of the combatant whose turn to extend."""
    side: SideId | UnsetType = UNSET
    """Side whose turn to extend."""
    unit: UnitId | UnsetType = UNSET
    """Unit whose turn to extend."""


TimersRequest = PauseTimers | ResumeTimers | ExtendTimers
"""What a game master may do to the clock of an encounter."""


class CreateRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new encounter; `setup` is the ruleset's own part."""

    ruleset: RulesetName
    """Slug of the ruleset to play by."""
    version: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    """Version of the ruleset, fixed for good; absent: the ruleset's `default`."""
    dice: DiceMode = "sealed"
    """`sealed`: the service rolls from a seed it committed to; `supplied`: the table rolls and
    sends the faces."""
    seed: Digest | UnsetType = UNSET
    """The secret seed of the dice, 64 hex digits; drawn from the system's randomness if absent."""
    title: NameText | UnsetType = UNSET
    """Display name of the encounter."""
    metadata: Metadata | UnsetType = UNSET
    sides: Annotated[tuple[Side, ...], Meta(min_length=1, max_length=16)]
    """The parties of the battle, fixed for good; ids are unique."""
    seats: Annotated[tuple[Seat, ...], Meta(max_length=100)] = ()
    """Participants from the beginning; ids are unique. More can be added later."""
    reveal_by_days: Annotated[int, Meta(ge=1, le=3650)] = 180
    """Days after its last event when the service ends a started battle, if nobody did, and reveals
    its seed."""
    setup: dict[str, object]
    """The ruleset's own part: options, map, combatants."""


class CheckMapRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A map to look at; `map` and `options` are the ruleset's own."""

    ruleset: RulesetName
    """Slug of the ruleset to read the map by."""
    version: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    """Version of the ruleset; absent: the ruleset's `default`."""
    options: dict[str, object] | UnsetType = UNSET
    """Options of the battle for which the map is meant; absent: all have their defaults."""
    map: dict[str, object]
    """The map as a setup states it."""


def require_ruleset(named: str | UnsetType, ruleset: str, at: str = "$") -> None:
    """That a request, if it names a ruleset, means this one. Raises Malformed("wrong_ruleset")."""
    if named is not UNSET and named != ruleset:
        raise Malformed("wrong_ruleset", path=f"{at}.ruleset", allowed=ruleset)


def timers_request(tree: object) -> TimersRequest:
    """What is to be done to a clock. Raises Malformed."""
    kind: Any = TimersRequest
    request: TimersRequest = convert(tree, kind)
    return request


def convert(tree: object, kind: type[T], at: str = "$") -> T:
    """A typed value from JSON values; `at` is where the tree is in the request.

    Raises Malformed with the JSON path of what does not fit.
    """
    value: T = _held(tree, _holder_of(cast("Hashable", kind)), kind, at)
    return value


def convert_words(words: dict[str, str], kind: type[T], at: str) -> T:
    """The same of words alone, as an address has them: numbers are written as words, too."""
    value: T = _held(words, _holder_of(cast("Hashable", kind)), kind, at, strict=False)
    return value


def _held(tree: object, holder: Any, kind: object, at: str, *, strict: bool = True) -> Any:
    """The value of this kind that its holder reads from a tree. Raises Malformed."""
    try:
        return msgspec.convert({"value": tree}, holder, strict=strict).value
    except msgspec.ValidationError as error:
        raise misfit(error, at, kind, tree) from error


@cache
def _holder_of(kind: Hashable) -> Any:
    """A Struct with a `value` of this type.

    msgspec takes a union apart at every conversion to it, but the fields of a Struct only once:
    for the actions of a ruleset that is nearly all the time it takes.
    """
    return msgspec.defstruct("Holder", [("value", kind)], frozen=True)


@cache
def _holder_of_actions(ruleset: Ruleset[Any]) -> Any:
    """The same for the actions of a ruleset: a union of so many types is slow to be looked up."""
    return _holder_of(ruleset.action)


def misfit(error: msgspec.ValidationError, at: str, kind: object, tree: object) -> Malformed:
    """The refusal for a value that does not fit its type: where, and what was expected.

    A field or a word that does not exist comes with those that do, as `known`.
    """
    message = str(error)
    why, separator, path = message.rpartition(" - at `")
    inner = path.rstrip("`").removeprefix("$").removeprefix(".value") if separator else ""
    said = why if separator else message
    is_field = said.startswith("Object contains unknown field")
    words = (
        known_at(kind, tree, inner, fields=is_field)
        if is_field or said.startswith("Invalid ")
        else ()
    )
    if words:
        return Malformed(path=at + inner, allowed=said, known=list(words))
    return Malformed(path=at + inner, allowed=said)


@contextmanager
def within(at: str) -> Iterator[None]:
    """What the rules find wrong inside names its place in the request, under `at`.

    Everything malformed has a place, and some refusals have one.
    """
    try:
        yield
    except (Malformed, Refused) as error:
        place_under(at, error)
        raise


def place_under(at: str, error: Malformed | Refused) -> None:
    """Put what an error says of a place in the rules' part under where that part is."""
    if "path" in error.params:
        error.params["path"] = at + str(error.params["path"]).removeprefix("$")


def fingerprint(tree: object) -> bytes:
    """32 bytes that tell one request body from another, whatever its spacing and key order."""
    return sha256(msgspec.json.encode(tree, order="sorted")).digest()


class Additions(Struct, frozen=True, kw_only=True):
    """Patches of the caller's document, which has decisions, state and table if `state` is asked
    for and the scene if `scene` is; `narrate`: the event in words, in a language. `notes`: so many
    of the last notes the table has, all of them if None.
    """

    state: bool = False
    scene: bool = False
    narrate: Language | None = None
    notes: int | None = None

    @property
    def has_document(self) -> bool:
        """Whether the caller keeps a document."""
        return self.state or self.scene

    @property
    def is_any(self) -> bool:
        """Whether anything is added."""
        return self.has_document or self.narrate is not None


NO_ADDITIONS: Final = Additions()
"""Records as they are."""
