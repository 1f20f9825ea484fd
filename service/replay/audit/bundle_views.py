"""What viewpoints saw of the events of a bundle, made of nothing but its parts.

How this works. A bundle of the game master holds every part, so its audit has the whole state after
each event, and any viewpoint can be shown what it could see then. Other bundles lack parts that the
rules read: their events are judged, but there is no state to show.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.encounters.views import acting_in, open_decisions, state_view, widened
from service.engine.battle.linear import opened_at
from service.engine.battle.state import State
from service.engine.log.event import view_of_event
from service.engine.narration.names import NO_NAMES, Names, names_in
from service.engine.narration.narrator import narrate
from service.engine.ruleset import Ruleset
from service.engine.scene import Scene, SceneSource
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.errors import Malformed
from service.replay.audit.audit_records import AuditedView, BundleAuditOrder, Unknown
from service.replay.audit.bundle_audit import BundleAudit
from service.replay.bundle.format import BundleHeader
from service.replay.log.sealed_event import Evidence, filled_parts
from service.rulesets import RULESETS

OWN: Final = "viewer"
"""The viewpoint of the bundle's own viewer."""

_NOT_SHOWN: Final = (LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
"""What projecting and drawing raise for states that no rules lead to."""


class BundleViews:
    """The views of the events of one bundle, as `order` asks for them."""

    def __init__(self, order: BundleAuditOrder) -> None:
        self._order = order
        self._names: dict[str, Names] = {}

    def after(self, audit: BundleAudit, seq: int) -> tuple[AuditedView, ...]:
        """What each viewpoint saw once event `seq`, the last that was judged, had happened.

        Raises Malformed for a viewpoint that the bundle's parts do not allow.
        """
        auditor, header, evidence = audit.auditor, audit.reader.header, audit.evidence
        if auditor is None or header is None or evidence is None:
            return ()
        sides, state = auditor.header.sides, auditor.state
        viewers = viewers_of(header, sides, seq, self._order.viewpoints)
        ruleset = RULESETS.get((header.ruleset, header.version))
        unknown: Unknown = "state_unknown" if auditor.has_whole_evidence else "parts_withheld"
        if ruleset is None:
            return tuple(self._without_state(name, unknown) for name in viewers)
        moment = _Moment(ruleset, evidence, sides, audit.reader.blobs)
        if state is None:
            return tuple(
                self._told(self._without_state(name, unknown), moment, held)
                for name, held in viewers.items()
            )
        opened = opened_at(state.linear, seq)
        return tuple(
            self._shown(name, moment, state, widened(held, opened, sides))
            for name, held in viewers.items()
        )

    def _without_state(self, name: str, unknown: Unknown) -> AuditedView:
        """A view that says why it lacks state and scene, if one of them was asked for."""
        is_asked = not {"state", "scene"}.isdisjoint(self._order.include)
        return AuditedView(viewpoint=name, unknown=unknown if is_asked else UNSET)

    def _shown(
        self, name: str, moment: "_Moment", state: State[Any], viewer: Viewer
    ) -> AuditedView:
        """All that was asked for, where the state is known."""
        include, view = self._order.include, AuditedView(viewpoint=name)
        try:
            seen = state_view(state.rule, viewer)
            if "state" in include:
                decisions = open_decisions(state.rule, viewer)
                view = replace(view, state=seen, decisions=decisions)
            if "scene" in include:
                view = replace(view, scene=moment.scene(state, seen, viewer))
            if "narration" in include:
                self._names[name] = names_in(msgspec.json.decode(seen))
        except _NOT_SHOWN:
            return self._without_state(name, "cannot_be_shown")
        return self._told(view, moment, viewer)

    def _told(self, view: AuditedView, moment: "_Moment", viewer: Viewer) -> AuditedView:
        """The same with the narration, if that was asked for and the event can be read."""
        if "narration" not in self._order.include:
            return view
        try:
            event = msgspec.json.decode(moment.event(viewer), type=dict[str, object])
        except (*_NOT_SHOWN, msgspec.MsgspecError):
            return view
        names = self._known_names(view.viewpoint, event).beside(event)
        self._names[view.viewpoint] = names
        return replace(view, narration=narrate(moment.ruleset, event, names, self._order.language))

    def _known_names(self, viewpoint: str, event: dict[str, object]) -> Names:
        """The names told so far: where there is no state, those of the creation and since then."""
        names = self._names.get(viewpoint)
        if names is not None:
            return names
        action = event.get("action")
        return names_in(action) if isinstance(action, dict) else NO_NAMES


def viewers_of(
    header: BundleHeader, sides: tuple[str, ...], seq: int, viewpoints: tuple[str, ...]
) -> Mapping[str, Viewer]:
    """The viewpoints by name; the bundle's own viewer where none is asked for. Raises Malformed."""
    if not viewpoints:
        return {OWN: header.viewer.at(seq)}
    allowed = {EVERYONE_WORD: Viewer()}
    if header.viewer.kind == "gm":
        allowed |= {GM_WORD: GAME_MASTER}
        allowed |= {side: Viewer(sides=(side,)) for side in sides}
    else:
        granted = {side for grant in header.viewer.grants for side in grant.sides}
        allowed |= {side: Viewer(sides=(side,)) for side in sorted(granted)}
    for name in viewpoints:
        if name not in allowed:
            raise Malformed(
                path="query.viewpoint", why="unknown_value", value=name, allowed=list(allowed)
            )
    return {name: allowed[name] for name in viewpoints}


class _Moment(NamedTuple):
    """The moment behind an event."""

    ruleset: Ruleset[Any]
    evidence: Evidence
    sides: tuple[str, ...]
    blobs: Mapping[str, bytes]

    def scene(self, state: State[Any], seen: Raw, viewer: Viewer) -> Scene:
        """The picture that `GET .../scene` gives of this moment."""
        board = None if state.rule.map is UNSET else Raw(self.blobs[state.rule.map])
        acting = acting_in(self.ruleset, state.rule, viewer)
        event = Raw(self.event(viewer))
        return self.ruleset.scene(SceneSource(state=seen, event=event, map=board, acting=acting))

    def event(self, viewer: Viewer) -> bytes:
        """The event as JSON, as a viewer may see it."""
        return view_of_event(self.evidence.body, filled_parts(self.evidence), self.sides, viewer)
