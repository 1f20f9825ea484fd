"""What viewpoints saw of the events of a bundle, made of nothing but its parts.

How this works. A bundle of the game master holds every part, so its audit has the whole state after
each event, and any viewpoint can be shown what it could see then. Other bundles lack parts that the
rules read: there the state is folded from what the viewpoint was told (`replay/seen`), up to the
first event that is found to be wrong.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.encounters.views import (
    acting_in,
    open_decisions,
    raw,
    state_view,
    table_of,
    widened,
)
from service.engine.battle.linear import WHOLE_NOTES, Linear, Note, opened_at
from service.engine.battle.state import State, scope_of
from service.engine.battle.terms import NO_TERMS
from service.engine.log import canonical
from service.engine.log.parts import TEXT
from service.engine.narration.explainer import EventContext, explainer_of
from service.engine.narration.known_names import KnownNames
from service.engine.narration.narrator import narrate
from service.engine.ruleset.definition import Ruleset
from service.engine.scene import Scene, SceneSource
from service.engine.visibility import projection
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.errors import Malformed
from service.replay.audit.audit_records import AuditedView, BundleAuditOrder, Unknown
from service.replay.audit.bundle_audit import BundleAudit
from service.replay.audit.luck_tally import MASTER
from service.replay.bundle.format import BundleHeader
from service.replay.log.sealed_event import Evidence
from service.replay.report.verdicts import FAULTS
from service.replay.seen.joint_event import ways_seen
from service.replay.seen.seen_state import SeenRule, SeenState
from service.replay.seen.seen_view import table_seen, view_of
from service.replay.seen.unknown_path import UnknownPath
from service.rulesets import RULESETS

OWN: Final = "viewer"
"""The viewpoint of the bundle's own viewer."""

MOST_TOLD: Final = 32
"""Viewpoints that a refusal lists; no sound battle has as many."""

_STATELY: Final = frozenset({"state", "table", "scene"})
"""What hangs on the state."""

_WORDED: Final = frozenset({"narration", "explanation"})
"""What is told of the event itself, in words."""

_FOLDED: Final = _STATELY | {"explanation"}
"""What the state of a redacted bundle is folded for: explanations call everybody by the name that
the viewer knew just then."""

_NOT_SHOWN: Final = (LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
"""What projecting and drawing raise for states that no rules lead to."""


class BundleViews:
    """The views of the events of one bundle, as `order` asks for them."""

    def __init__(self, order: BundleAuditOrder) -> None:
        self._order = order
        self._names: dict[str, KnownNames] = {}
        self._contents: dict[str, object] = {}
        self._notes: dict[int, Note] = {}
        self._seen: dict[str, SeenState] = {}

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
        known = EventContext(mode=header.dice.mode, key=auditor.dice_key)
        moment = _Moment(ruleset, seq, evidence, sides, audit.reader.blobs, known)
        if unknown == "parts_withheld":
            held = header.viewer.at(seq)
            is_wrong = auditor.counted.verdicts[-1].verdict in FAULTS
            return tuple(
                self._seen_view(name, moment, viewer, held, is_wrong=is_wrong)
                for name, viewer in viewers.items()
            )
        if state is None:
            return tuple(
                self._told(self._without_state(name, unknown), moment, held)
                for name, held in viewers.items()
            )
        self._keep_notes(state.linear, seq)
        opened = opened_at(state.linear, seq)
        return tuple(
            self._shown(name, moment, state, widened(held, opened, sides))
            for name, held in viewers.items()
        )

    def _seen_view(
        self, name: str, moment: "_Moment", viewer: Viewer, held: Viewer, *, is_wrong: bool
    ) -> AuditedView:
        """What is known from what the viewpoint was told; `held` is whose parts are at hand."""
        view = AuditedView(viewpoint=name)
        if not _FOLDED.isdisjoint(self._order.include):
            seen = self._seen.setdefault(name, SeenState(moment.ruleset))
            if is_wrong:
                seen.lose(moment.seq)
            self._take(seen, moment, _within(viewer, held))
            view = self._seen_state(name, moment, seen)
            if _within(viewer, held) != viewer:
                view = self._without_state(name, "parts_withheld")
        return self._told(view, moment, viewer)

    def _take(self, seen: SeenState, moment: "_Moment", viewer: Viewer) -> None:
        try:
            ways = moment.ways(viewer)
        except (*_NOT_SHOWN, msgspec.MsgspecError):
            seen.lose(moment.seq)
            return
        seen.take(moment.seq, ways, viewer)

    def _seen_state(self, name: str, moment: "_Moment", seen: SeenState) -> AuditedView:
        rule = seen.at(moment.seq)
        if rule is None:
            view = self._without_state(name, "parts_withheld")
            if view.unknown is UNSET or seen.since is None:
                return view
            return replace(view, unknown_since=seen.since)
        try:
            return self._view_of(name, moment, rule, seen)
        except _NOT_SHOWN:
            seen.lose(moment.seq)
            return self._without_state(name, "cannot_be_shown")

    def _view_of(
        self, name: str, moment: "_Moment", seen: SeenRule, states: SeenState
    ) -> AuditedView:
        include, view = self._order.include, AuditedView(viewpoint=name)
        known, linear = view_of(seen), states.linear
        unknown: tuple[UnknownPath, ...] = ()
        state = raw(known.tree)
        if "state" in include:
            view = replace(view, state=state, decisions=known.decisions)
            unknown += known.unknown
        if "table" in include:
            self._keep_notes(linear, moment.seq)
            earlier = self._earlier_notes(linear, seen.viewer)
            half = linear, states.unordered
            table, lacking = table_seen(seen, half, moment.seq, MASTER, earlier)
            view = replace(view, table=table)
            unknown += lacking
        if "scene" in include:
            if known.is_whole:
                held = State(rule=seen.rule, linear=linear, terms=NO_TERMS)
                scene = moment.scene(held, state, seen.viewer)
                view = replace(view, scene=scene)
            if not known.is_whole or seen.unordered or len(moment.ways(seen.viewer)) > 1:
                unknown += (UnknownPath("scene", "order" if known.is_whole else "withheld"),)
        if not _WORDED.isdisjoint(include):
            seats = projection.view(linear.seats, scope_of(seen.rule), seen.viewer)
            self._names_of(name, moment).know(known.tree, seats)
        return replace(view, unknown_paths=unknown)

    def _keep_notes(self, linear: Linear, seq: int) -> None:
        """Keep what event `seq` remarked: a state lets go of the text of all but its last notes."""
        self._notes |= {note.seq: note for note in linear.notes[-1:] if note.seq == seq}

    def _earlier_notes(self, linear: Linear, viewer: Viewer) -> tuple[Note, ...]:
        """All notes but the last WHOLE_NOTES, with what text there is for this viewer."""
        earlier = [self._notes.get(note.seq, note) for note in linear.notes[:-WHOLE_NOTES]]
        if viewer.is_gm:
            return tuple(earlier)
        return tuple(replace(note, gm_text=UNSET) for note in earlier)

    def _without_state(self, name: str, unknown: Unknown) -> AuditedView:
        """A view that says why it lacks state, table and scene, if one of them was asked for."""
        is_asked = not _STATELY.isdisjoint(self._order.include)
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
            if "table" in include:
                earlier = self._earlier_notes(state.linear, viewer)
                view = replace(view, table=table_of(state, moment.seq, MASTER, viewer, earlier))
            if "scene" in include:
                view = replace(view, scene=moment.scene(state, seen, viewer))
            if not _WORDED.isdisjoint(include):
                seats = projection.view(state.linear.seats, scope_of(state.rule), viewer)
                self._names_of(name, moment).know(msgspec.json.decode(seen), seats)
        except _NOT_SHOWN:
            return self._without_state(name, "cannot_be_shown")
        return self._told(view, moment, viewer)

    def _told(self, view: AuditedView, moment: "_Moment", viewer: Viewer) -> AuditedView:
        """The same with the event in words, if they were asked for and the event can be read."""
        asked = [word for word in self._order.include if word in _WORDED]
        if not asked:
            return view
        try:
            _, *others = moment.ways(viewer)
            event = msgspec.json.decode(moment.event(viewer))
            told = self._in_words(view, moment, viewer, event)
        except (*_NOT_SHOWN, msgspec.MsgspecError):
            return view
        unknown = tuple(UnknownPath(word, "order") for word in asked) if others else ()
        return replace(told, unknown_paths=(*view.unknown_paths, *unknown))

    def _names_of(self, name: str, moment: "_Moment") -> KnownNames:
        """The names that a viewpoint knows."""
        if name not in self._names:
            named = moment.ruleset.content_names
            self._names[name] = KnownNames(named, partial(self._content, moment))
        return self._names[name]

    def _content(self, moment: "_Moment", digest: str) -> object:
        if digest not in self._contents:
            self._contents[digest] = moment.blob(digest)
        return self._contents[digest]

    def _in_words(
        self, view: AuditedView, moment: "_Moment", viewer: Viewer, event: dict[str, Any]
    ) -> AuditedView:
        """The narration and the explanation of an event, each if it was asked for."""
        names, language = self._names_of(view.viewpoint, moment).at(event), self._order.language
        if "narration" in self._order.include:
            view = replace(view, narration=narrate(moment.ruleset, event, names, language))
        if "explanation" in self._order.include:
            explainer = explainer_of(moment.ruleset, language)
            explanation = explainer.explanation(event, names, moment.context(viewer))
            view = replace(view, explanation=explanation)
        return view


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
        granted = {side for grant in header.viewer.grants for side in grant.sides if side in sides}
        allowed |= {side: Viewer(sides=(side,)) for side in sorted(granted)}
    for name in viewpoints:
        if name not in allowed:
            raise Malformed(
                path="query.viewpoint",
                why="unknown_value",
                value=name,
                allowed=list(allowed)[:MOST_TOLD],
            )
    return {name: allowed[name] for name in viewpoints}


class _Moment(NamedTuple):
    """The moment behind an event."""

    ruleset: Ruleset[Any]
    seq: int
    evidence: Evidence
    sides: tuple[str, ...]
    blobs: Mapping[str, bytes]
    known: EventContext

    def scene(self, state: State[Any], seen: Raw, viewer: Viewer) -> Scene:
        """The picture that `GET .../scene` gives of this moment."""
        board = None if state.rule.map is UNSET else Raw(self.blobs[state.rule.map])
        acting = acting_in(self.ruleset, state.rule, viewer)
        event = Raw(self.event(viewer))
        return self.ruleset.scene(SceneSource(state=seen, event=event, map=board, acting=acting))

    def blob(self, digest: str) -> object:
        """The map or content of a digest; None where there is none that can be read."""
        body = self.blobs.get(digest)
        try:
            return None if body is None else msgspec.json.decode(body, type=self.ruleset.blob)
        except msgspec.MsgspecError:
            return None

    def context(self, viewer: Viewer) -> EventContext:
        """What is known beside the event; which rewind undid it, no event before that tells."""
        gone = (name for kind, name in self.evidence.erased if kind == TEXT)
        return self.known._replace(is_erased=any(viewer.may_know(each) for each in gone))

    def event(self, viewer: Viewer) -> bytes:
        """The event as JSON, as a viewer may see it; in one order where several may be."""
        return canonical.encode(self.ways(viewer)[0])

    def ways(self, viewer: Viewer) -> tuple[dict[str, Any], ...]:
        """The event as a viewer may see it; both ways where parts leave an order open."""
        return ways_seen(self.evidence, self.sides, viewer)


def _within(viewer: Viewer, held: Viewer) -> Viewer:
    """As much of a viewpoint as parts are at hand for."""
    return Viewer(sides=tuple(side for side in viewer.sides if side in held.sides))
