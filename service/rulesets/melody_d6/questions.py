"""The questions of these rules: to shoot on guard, to reroll, to dampen; and what the asked see."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import open_decisions
from service.engine.visibility.audience import (
    BEARER,
    EVERYONE,
    GM,
    NUMBERS,
)
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
    RecordedSubjectId,
)
from service.rulesets.melody_d6.points import PATH_START, PathPoint, Point
from service.rulesets.melody_d6.rules.lasting import TargetKind
from service.rulesets.melody_d6.rules.songs import Classification, RerollSource
from service.rulesets.melody_d6.weapons import ContentId

Kind = Literal["reroll", "dampen", "guard_window"]
"""The decisions of 2.3, beside the `roll` of the table's dice."""

GuardTrigger = Literal["move", "charge", "mask", "reveal", "end_turn"]
"""What opens a guard window."""

Dice = Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=8)]


class GuardContext(Struct, frozen=True, kw_only=True, tag="guard_window"):
    """What warriors on guard may shoot at (ML-GUARD-5)."""

    trigger: Annotated[GuardTrigger, EVERYONE]
    """What opened the window."""
    movers: Annotated[tuple[RecordedMentionId, ...], EVERYONE] = ()
    """Who moves, charges, masks or was revealed; empty at the end of a turn."""
    target: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
    """Who is charged; absent for another trigger."""
    guards: Annotated[tuple[RecordedMentionId, ...], EVERYONE] = ()
    """Who could shoot."""
    path: Annotated[tuple[Point, ...], EVERYONE] = ()
    """The way of the mover with its start; empty without one."""
    used: Annotated[PathPoint, EVERYONE] = PATH_START
    """The furthest point used so far: points never go backwards (ML-GUARD-9)."""
    reach: Annotated[PathPoint | UnsetType, GM] = UNSET
    """Last point that the mover reaches before somebody hidden from him; absent: the whole way."""


class RerollContext(Struct, frozen=True, kw_only=True, tag="reroll"):
    """A roll that may be rerolled (ML-SING-7, ML-UI-1, ML-DAMP-6)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whose roll it is."""
    roll: Annotated[Literal["song", "dampening"], EVERYONE]
    """What was rolled for."""
    melody: Annotated[ContentId, EVERYONE]
    """Id of the Melody sung or to be dampened."""
    dice: Annotated[Dice, EVERYONE]
    """The faces."""
    total: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Total with bonuses; absent where the caller may not know it."""
    needed: Annotated[int, EVERYONE]
    """What the total has to reach."""
    classification: Annotated[Classification, EVERYONE] = "none"
    """What the natural dice make of a song; `none` of a dampening that may be rerolled."""
    sources: Annotated[tuple[RerollSource, ...], EVERYONE]
    """Where a reroll may come from."""


class DampenContext(Struct, frozen=True, kw_only=True, tag="dampen"):
    """A Melody that may be dampened before it takes effect (ML-DAMP-1)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the singer."""
    melody: Annotated[ContentId, EVERYONE]
    """Id of the Melody."""
    target_kind: Annotated[TargetKind, EVERYONE]
    """Whether the result or the difficulty must be reached (ML-DAMP-2, ML-LAST-5)."""
    target_number: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What a dampening has to reach; absent where the caller may not know the singer's numbers."""
    dampeners: Annotated[tuple[RecordedMentionId, ...], EVERYONE] = ()
    """Who could dampen."""


Context: TypeAlias = GuardContext | RerollContext | DampenContext
"""What a question is about."""


class Question(open_decisions.Decision, frozen=True, kw_only=True):
    """A question to a side (2.3). Without a context: dice of the table."""

    context: Annotated[Context | UnsetType, EVERYONE] = UNSET
    """What it is about; absent where dice of the table are asked for, or where the caller may not
    know of whom it is about."""


class Chosen(open_decisions.Chosen, frozen=True, kw_only=True):
    """A question that was answered while others of its group are open."""

    decision: Annotated[Question, EVERYONE, BEARER]
    """The question as it was asked."""


class DecisionGroup(open_decisions.DecisionGroup, frozen=True, kw_only=True):
    """Questions opened together: of these rules always one."""

    decisions: Annotated[tuple[Question, ...], EVERYONE]
    """Questions that are open."""
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET
    """Questions of the group that are closed already; absent if none."""
