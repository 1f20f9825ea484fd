"""The overrides of a log, as far as its reader may see them."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.log.event import view_of_event
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By
from service.replay.log.sealed_event import Evidence, filled_parts
from service.replay.report.differences import UNREADABLE, shortened
from service.replay.report.interventions import MOST_CHANGES, Override


class _Change(Struct):
    """As much of an action as tells of an override."""

    type: str
    changes: tuple[Raw, ...] = ()
    reason: str | UnsetType = UNSET


class _Overriding(Struct):
    by: By
    action: _Change | UnsetType = UNSET


_EVENT = msgspec.json.Decoder(_Overriding)

OVERRIDE: Final = "adjust"
"""The type of the action that overrides."""

_MARK: Final = b'"adjust"'


def override_in(
    evidence: Evidence, seq: int, sides: tuple[str, ...], viewer: Viewer
) -> Override | None:
    """The override that an event is, as this viewer may see it.

    None for any other event, and where the viewer may not know that it is one.
    """
    if not any(_MARK in each for each in (evidence.body, *_bodies(evidence))):
        return None
    try:
        event = _EVENT.decode(_visible(evidence, sides, viewer))
    except UNREADABLE:
        return None
    action = event.action
    if action is UNSET or action.type != OVERRIDE:
        return None
    return Override(
        seq=seq,
        by=event.by,
        reason=action.reason,
        changes=tuple(shortened(change) for change in action.changes[:MOST_CHANGES]),
        changes_count=len(action.changes),
    )


def _visible(evidence: Evidence, sides: tuple[str, ...], viewer: Viewer) -> bytes:
    """The event as the viewer may see it; the bare body where its parts do not fit it."""
    try:
        return view_of_event(evidence.body, filled_parts(evidence), sides, viewer)
    except (*UNREADABLE, LookupError, TypeError, StopIteration):
        return evidence.body


def _bodies(evidence: Evidence) -> Iterator[bytes]:
    return (part.body for part in evidence.opened.values())
