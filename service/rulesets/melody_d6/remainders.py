"""What a waiting action still has to do (2.3): kept beside it as the game master's data.

Whoever goes on reads it back: what stands in the context of a decision is gone once that decision
is void. `uncovered` are the warriors of the active side who have lost their masking so far within
the action: they share one `reveal` window at its end.
"""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.vocabulary.values import Roll
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.points import PATH_START, PathPoint, Point
from service.rulesets.melody_d6.rules.lasting import TargetKind
from service.rulesets.melody_d6.rules.songs import Classification

Ids = tuple[str, ...]


class Remainder(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What is left of an action."""

    uncovered: Ids = ()


class MoveRemainder(Remainder, frozen=True, kw_only=True, tag="move"):
    """A move or a charge, declared and checked, whose mover stands at the furthest point `used`.

    `reach` is the point where its path ends in the battle as it was at the declaration, where that
    is not its last.
    """

    combatant: str
    deed: Literal["move", "charge"]
    start: Point
    path: tuple[Point, ...]
    used: PathPoint = PATH_START
    reach: PathPoint | UnsetType = UNSET


class MaskRemainder(Remainder, frozen=True, kw_only=True, tag="mask"):
    """A declared `mask`: those who are still there become masked."""

    combatants: Ids


class RevealRemainder(Remainder, frozen=True, kw_only=True, tag="reveal"):
    """An action that is over but for the window of those who were revealed."""


class EndTurnRemainder(Remainder, frozen=True, kw_only=True, tag="end_turn"):
    """The end of a side's turn.

    `activation`: time closed the movement of the open activation and a window of the revealed is
    open; `turn`: the window at the end of the turn is open.
    """

    stage: Literal["activation", "turn"]
    cause: Literal["ended", "timeout"] = "ended"


class SongRemainder(Remainder, frozen=True, kw_only=True, tag="song"):
    """A song whose dice are rolled and told (ML-SING-11): it waits for a reroll.

    `origin` is where the singer stood when the song began.
    """

    roll: Roll
    breakdown: tuple[Line, ...]
    origin: Point


class SungMelody(Struct, frozen=True, kw_only=True):
    """A song that has succeeded: what it counts as, its total, and where the singer stood."""

    classification: Classification
    result: int
    origin: Point


class SongDampenRemainder(Remainder, frozen=True, kw_only=True, tag="song_dampen"):
    """A song that has succeeded: it waits for a dampening."""

    sung: SungMelody


class DampenRemainder(Remainder, frozen=True, kw_only=True, tag="dampen"):
    """A dampening whose dice are rolled and told: it waits for a reroll of its own.

    `sung` is the song that is being dampened; absent where the action is about one in play.
    """

    dampener: str
    roll: Roll
    breakdown: tuple[Line, ...]
    target_kind: TargetKind
    target_number: int
    sung: SungMelody | UnsetType = UNSET


AnyRemainder: TypeAlias = (
    MoveRemainder
    | MaskRemainder
    | RevealRemainder
    | EndTurnRemainder
    | SongRemainder
    | SongDampenRemainder
    | DampenRemainder
)

REMAINDERS: Final[msgspec.json.Decoder[AnyRemainder]] = msgspec.json.Decoder(AnyRemainder)
"""Reads a remainder back."""
