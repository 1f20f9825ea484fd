"""Who may know what at one moment: audiences, how they narrow, and what decides them.

An audience is a word: `everyone`, `gm`, or the id of a side (which the GM shares). The set is
small on purpose: a thing is known to all, to one side, or to the GM.

A `Scope` has the facts of the moment, `audience_of` says who may know an object at all.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import UNSET, Struct, field

from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.audience_plan import AudiencePlan, plan_of
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM

RESERVED_SIDES: Final = frozenset({EVERYONE_WORD, GM_WORD})
"""Words that no side may be called."""


def narrow(first: str, second: str) -> str:
    """Who is in both audiences: two different sides have only the GM in common."""
    if first == second or second == EVERYONE_WORD:
        return first
    if first == EVERYONE_WORD:
        return second
    return GM_WORD


def widest(audiences: Iterable[str]) -> str:
    """The audience of a whole with parts of these audiences: everyone who may know any part.

    An audience is one word, so of a whole known to exactly two sides only the GM knows.
    """
    words = {*audiences} - {GM_WORD}
    if EVERYONE_WORD in words:
        return EVERYONE_WORD
    return words.pop() if len(words) == 1 else GM_WORD


class Scope(Struct, frozen=True, dict=True):
    """The facts that decide audiences: sides in setup order, who is hidden, the table's options.

    `subjects` maps a combatant's id to (side, is hidden), `decisions` that of an open decision to
    its audience, `answers` the same to whoever may know what is answered, `units` that of a unit
    to those who know of any of its members.
    """

    sides: tuple[str, ...]
    subjects: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    numbers: str = "shown"
    health: str = "exact"
    breakdowns: str = "all"
    decisions: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def seen(self) -> frozenset[str]:
        """The combatants that everyone may know of."""
        return frozenset([each for each, (_, is_hidden) in self.subjects.items() if not is_hidden])

    def subject(self, combatant: str) -> str:
        """Audience of a combatant: everyone, its side while hidden; the GM's if unknown."""
        subject = self.subjects.get(combatant)
        if subject is None:
            return GM_WORD
        side, is_hidden = subject
        return side if is_hidden else EVERYONE_WORD

    def unit(self, unit: str) -> str:
        """Audience of a unit: everyone who may know any member; the GM's if unknown."""
        return self.units.get(unit, GM_WORD)

    def decision(self, decision: str) -> str:
        """Audience of a decision; the GM's if it is not open."""
        return self.decisions.get(decision, GM_WORD)

    def side_of(self, named: str) -> str:
        """Side of a combatant, or the audience of a decision's answer; else the GM's word."""
        subject = self.subjects.get(named)
        return subject[0] if subject else self.answers.get(named, GM_WORD)

    def stream(self, number: int) -> str:
        """Audience of a dice stream: 0 everyone, 1 and up the sides in order, 255 the GM."""
        if number == PUBLIC_STREAM:
            return EVERYONE_WORD
        if number == GM_STREAM or number > len(self.sides):
            return GM_WORD
        return self.sides[number - 1]

    def stream_of(self, audience: str) -> int:
        """Stream whose draws exactly this audience sees."""
        if audience == EVERYONE_WORD:
            return PUBLIC_STREAM
        return GM_STREAM if audience == GM_WORD else self.sides.index(audience) + 1

    def declared(self, mark: str, side: str) -> str:
        """Audience of a field marked `mark` in an object whose subject belongs to `side`."""
        match mark:
            case "everyone":
                return EVERYONE_WORD
            case "side":
                return side
            case "numbers":
                return EVERYONE_WORD if self.numbers == "shown" else side
            case "health":
                return EVERYONE_WORD if self.health == "exact" else side
            case "band":
                return side if self.health == "none" else EVERYONE_WORD
            case "breakdown":
                return self._breakdown(side)
            case _:
                return GM_WORD

    def _breakdown(self, side: str) -> str:
        """A breakdown tells its side's numbers, so hidden numbers narrow it too."""
        if self.breakdowns == "none":
            return GM_WORD
        is_open = self.breakdowns == "all" and self.numbers == "shown"
        return EVERYONE_WORD if is_open else side


class Viewer(Struct, frozen=True):
    """A reader of the battle: the GM, or a seat that shares the secrets of its sides.

    A viewer without sides sees what everyone sees.
    """

    is_gm: bool = False
    sides: tuple[str, ...] = ()

    def may_know(self, audience: str) -> bool:
        """Whether something of this audience exists for this viewer."""
        return self.is_gm or audience == EVERYONE_WORD or audience in self.sides


GAME_MASTER: Final = Viewer(is_gm=True)
"""Sees everything but the seed and the seal key."""

OBSERVER: Final = Viewer()
"""Sees what everyone sees."""


def audience_of(value: Struct, scope: Scope) -> str:
    """Who may know this object at all: narrowed by each combatant and decision, and its stream."""
    plan = plan_of(type(value))
    audience = plan.base
    for attribute in plan.named:
        named = getattr(value, attribute)
        if named is not UNSET:
            audience = narrow(audience, scope.subject(named))
    return _narrowed(audience, value, plan, scope) if plan.is_narrowed else audience


def side_of(value: Struct, plan: AudiencePlan, scope: Scope, holder: str) -> str:
    """Whose side's secrets the marked fields of an object are: its subject's, else its holder's."""
    if plan.own:
        side: str = getattr(value, "side", GM_WORD)
        return side
    for attribute in plan.subjects:
        named = getattr(value, attribute)
        if named is not UNSET:
            return scope.side_of(named)
    return holder


def _narrowed(audience: str, value: Struct, plan: AudiencePlan, scope: Scope) -> str:
    """Narrowed also by what else an object may name: itself, decisions, a bearer, a stream."""
    if plan.own:
        audience = narrow(audience, _own_audience(value))
    for attribute in plan.decisions:
        audience = narrow(audience, scope.decision(getattr(value, attribute)))
    if plan.bearer:
        audience = narrow(audience, audience_of(getattr(value, plan.bearer), scope))
    if plan.bearers:
        audience = narrow(audience, _common_audience(getattr(value, plan.bearers), scope))
    if plan.is_joint:
        audience = narrow(audience, _joint_audience(value, plan, scope))
    if plan.secret and getattr(value, plan.secret):
        audience = GM_WORD
    if plan.counted and getattr(value, plan.counted) is not UNSET:
        audience = narrow(audience, scope.declared("numbers", side_of(value, plan, scope, GM_WORD)))
    if plan.draws:
        for run in getattr(value, plan.draws):
            audience = narrow(audience, scope.stream(run.stream))
    stream = getattr(value, plan.stream) if plan.stream else UNSET
    return audience if stream is UNSET else narrow(audience, scope.stream(stream))


def _joint_audience(value: Struct, plan: AudiencePlan, scope: Scope) -> str:
    """The audience of acting combatants, named one by one or as a unit: of any one of them."""
    audience = EVERYONE_WORD
    if plan.actors:
        audience = widest(map(scope.subject, getattr(value, plan.actors)))
    unit = getattr(value, plan.unit) if plan.unit else UNSET
    return audience if unit is UNSET else narrow(audience, scope.unit(unit))


def _common_audience(bearers: tuple[Struct, ...], scope: Scope) -> str:
    """The audience of a holder: everyone who may know any of these; of none, everyone."""
    if not bearers:
        return EVERYONE_WORD
    return widest(audience_of(bearer, scope) for bearer in bearers)


def _own_audience(value: Struct) -> str:
    """A combatant described by the object itself: its side while it is hidden."""
    side: str = getattr(value, "side", GM_WORD)
    return side if getattr(value, "hidden", False) else EVERYONE_WORD
