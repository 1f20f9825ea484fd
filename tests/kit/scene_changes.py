"""What single effects of a battle change of its scene, in the eyes of each who looks.

How this works. An event is cut behind each of its effects in turn; of what came of it so far the
scene is drawn as the service draws it. So the difference of two scenes is what one effect did. What
the event before left in the scene, its areas and lines, is gone before the first effect. Parts of a
scene are named by their paths in its type.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, NamedTuple, get_args

from msgspec import UNSET, Raw, Struct
from msgspec.json import decode
from msgspec.structs import fields, replace

from service.api.openapi.rulesets import effect_of
from service.encounters.views import acting_in, viewer_then
from service.engine.battle.linear import Linear, seat_of
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import scope_of
from service.engine.log import canonical
from service.engine.log.event import Event, event_node
from service.engine.ruleset.definition import Ruleset
from service.engine.scene import Scene, SceneBounds, SceneCombatant, SceneSource
from service.engine.visibility.projection import view, visible
from service.engine.visibility.scope import GAME_MASTER, Scope, Viewer
from service.engine.vocabulary import effects as fx
from tests.kit.rig import Rig
from tests.kit.table import Table, seat_by, seated

MASTER: Final = "gm"
EYES: Final = (MASTER, "ann", "bob", "eve", "z1", "z2")
"""Who looks: the game master, two players, an observer, and seats that come and go."""

NO_SCENE: Final = Scene(unit="", is_grid=True, bounds=SceneBounds(x=0, y=0, width=0, height=0))
"""What there is before a battle is created."""

WHAT_CHANGED: Final = {
    "condition_gained": "condition",
    "condition_lost": "condition",
    "healed": "band",
    "hurt": "band",
    "stat_changed": "stat",
}
"""Kinds of effects that may happen to anybody at any time, and the field that says what it is."""

_OF_ALL: Final = ("unit", "scale", "is_grid", "bounds", "shapes")
_OF_A_COMBATANT: Final = tuple(each.name for each in fields(SceneCombatant) if each.name != "id")


class Difference(NamedTuple):
    """The parts of a scene in which something came, is other than before, or is gone."""

    appears: frozenset[str]
    changes: frozenset[str]
    goes: frozenset[str]


UNCHANGED: Final = Difference(frozenset(), frozenset(), frozenset())


class Seen(NamedTuple):
    """What an effect changed in somebody's eyes, and whether that one was shown of it."""

    kind: str
    """Type of the effect."""
    difference: Difference
    is_told: bool


def seen_in(table: Table, eyes: Sequence[str] = EYES) -> Iterator[Seen]:
    """What every effect of a battle changed, for each who looks."""
    linear = Linear()
    for event in table.events:
        moments = list(_moments(table, event, linear))
        for eye in eyes:
            viewers = [_viewer_then(eye, each, table.side_ids) for each in moments]
            yield from _seen_by(table, moments, viewers)
        linear = moments[-1].linear


def seen_alone(rig: Rig) -> Iterator[Seen]:
    """What every effect changes of a state with some of everything, for the game master."""
    table = seated(rig.ruleset, rig.battles.setup(0))
    rule = replace(rig.reducer.rule, map=table.state.rule.map)
    before = _scene_of(rig.ruleset, rule, (), GAME_MASTER, table.blobs)
    for effect, _ in rig.reducer.changes:
        after = rig.ruleset.evolve(rule, effect)
        told = decode(canonical.encode(effect), type=dict[str, Any])
        scene = _scene_of(rig.ruleset, after, (told,), GAME_MASTER, table.blobs)
        yield Seen(kind_of(effect), between(before, scene), is_told=True)


def seen_of_anybody(table: Table, step: int) -> Iterator[Seen]:
    """What could happen to anybody in a battle, in states so many events apart.

    And in the first in which somebody waits on the way. For the game master and each side.
    """
    viewers = (GAME_MASTER, *(Viewer(sides=(side,)) for side in table.side_ids))
    rules = list(table.rules.values())
    on_the_way = [each for each in rules if any(map(_way_to, _asked_in(each)))]
    for rule in (*rules[::step], *on_the_way[:1]):
        for before, effect in _of_everybody(table, rule):
            after = table.ruleset.evolve(before, effect)
            for viewer in viewers:
                earlier, later = (
                    _scene_of(table.ruleset, each, (), viewer, table.blobs)
                    for each in (before, after)
                )
                yield Seen(kind_of(effect), between(earlier, later), is_told=True)


def _of_everybody(table: Table, rule: Any) -> Iterator[tuple[Any, Any]]:
    """States of a battle, and an effect on each."""
    kinds = {str(each.__struct_config__.tag): each for each in get_args(effect_of(table.ruleset))}
    evolve, happened = table.ruleset.evolve, _by_what_happened(table)
    there = [each.place for each in rule.combatants if each.place is not UNSET]
    for one in rule.combatants:
        hidden = fx.Hidden(combatant=one.id)
        yield rule, hidden
        yield evolve(rule, hidden), kinds["revealed"](combatant=one, cause="gm")
        yield rule, fx.CombatantRemoved(combatant=one.id)
        yield rule, kinds["combatant_added"](combatant=replace(one, id="newcomer"))
        for effect in happened:
            yield rule, replace(effect, combatant=one.id)
        for state in words_for_out(table.ruleset):
            felled = kinds["felled"](combatant=one.id, state=state, cause="gm")
            lost = {"combatant": one.id, "condition": state, "cause": "gm"}
            yield rule, felled
            yield evolve(rule, felled), kinds["condition_lost"](**lost)
        for place in there[:2]:
            yield rule, kinds["moved"](combatant=one.id, manner="placed", end=place)


def words_for_out(ruleset: Ruleset[Any]) -> tuple[str, ...]:
    """The conditions of those who take no part any more."""
    words: tuple[str, ...] = import_module(ruleset.scene.__module__).OUT
    return words


def _by_what_happened(table: Table) -> list[Any]:
    """An effect of each kind on a combatant, of each word that says what changed, in a battle."""
    first: dict[object, Any] = {}
    for event in table.events:
        for effect in event.effects:
            for kind, name in WHAT_CHANGED.items():
                if kind_of(effect) == kind:
                    first.setdefault((kind, getattr(effect, name)), effect)
    return list(first.values())


def seen_on_the_way(table: Table) -> Iterator[Seen]:
    """What questions change that are asked behind a second stop of somebody on the way.

    In the battle they are asked at the first; the same ones, further on.
    """
    closed = {
        each.decision_id: each
        for event in table.events
        for each in event.effects
        if isinstance(each, fx.DecisionClosed)
    }
    for event in table.events[1:]:
        before = _rules(table, event)
        for rule, opened in zip(before, event.effects, strict=False):
            if isinstance(opened, fx.DecisionOpened) and _way_to(opened.decision):
                yield from _asked_further_on(table, rule, opened, closed[opened.decision.id])


def _asked_in(rule: Any) -> list[Decision]:
    """The open questions."""
    return [decision for group in rule.pending for decision in group.decisions]


def _way_to(decision: Decision) -> Sequence[object]:
    """The way of whoever is asked about; empty where nobody is on one."""
    way: Sequence[object] = getattr(getattr(decision, "context", None), "path", ())
    return way if len(way) > 1 else ()


def _asked_further_on(table: Table, rule: Any, opened: Any, closed: fx.Effect) -> Iterator[Seen]:
    context = opened.decision.context
    half_way = replace(context, used=replace(context.used, permille=500))
    effect = replace(opened, decision=replace(opened.decision, context=half_way))
    asked = table.ruleset.evolve(rule, effect)
    states = (rule, asked, table.ruleset.evolve(asked, closed))
    scenes = [_scene_of(table.ruleset, each, (), GAME_MASTER, table.blobs) for each in states]
    for one, (before, after) in zip((effect, closed), pairwise(scenes), strict=True):
        yield Seen(kind_of(one), between(before, after), is_told=True)


def kind_of(effect: fx.Effect) -> str:
    """The type of an effect, as events have it."""
    return str(effect.__struct_config__.tag)


class _Moment(NamedTuple):
    """A battle behind some effects of an event, each with who might know what before it."""

    rule: Any
    linear: Linear
    so_far: Event
    scopes: tuple[Scope, ...]

    def told(self, viewer: Viewer) -> tuple[Mapping[str, Any], ...]:
        """The effects so far, as somebody is informed of them."""
        shown: Any = visible(event_node(self.so_far, self.scopes), viewer)
        return tuple(decode(canonical.encode(shown["effects"])))


def _viewer_then(eye: str, moment: _Moment, sides: tuple[str, ...]) -> Viewer:
    """What somebody may know at a moment; whoever has no seat then, what everybody may."""
    if eye == MASTER:
        return GAME_MASTER
    seat = seat_of(moment.linear, eye)
    by = seat_by(eye, "observer" if seat is None else seat.role)
    return viewer_then(by, moment.linear, sides, moment.so_far.seq)


def _moments(table: Table, event: Event, linear: Linear) -> Iterator[_Moment]:
    """The battle before an event and behind each of its effects."""
    scopes: tuple[Scope, ...] = ()
    rule, *rules = _rules(table, event)
    earlier = table.rules.get(event.seq - 1, rule)
    yield _Moment(earlier, linear, replace(event, effects=()), (scope_of(rule),))
    for count, (effect, after) in enumerate(zip(event.effects, rules, strict=True), start=1):
        scopes = (*scopes, scope_of(rule))
        linear, rule = evolve_linear(linear, effect, event.seq), after
        yield _Moment(rule, linear, replace(event, effects=event.effects[:count]), scopes)


def _rules(table: Table, event: Event) -> list[Any]:
    """The rule state that an event continues, and that behind each of its effects."""
    [first, *_] = event.effects
    if isinstance(first, fx.EncounterCreated):
        blank = table.ruleset.initial(first) if first.state is UNSET else first.state
        rules = [blank, blank]
    else:
        before = table.rules[event.base]
        rules = [before, table.ruleset.evolve(before, first)]
    for effect in event.effects[1:]:
        rules.append(table.ruleset.evolve(rules[-1], effect))
    return rules


def _seen_by(table: Table, moments: Sequence[_Moment], viewers: Sequence[Viewer]) -> Iterator[Seen]:
    told = [moment.told(viewer) for moment, viewer in zip(moments, viewers, strict=True)]
    scene = _scene_of(table.ruleset, moments[0].rule, (), viewers[0], table.blobs)
    for at, effect in enumerate(moments[-1].so_far.effects, start=1):
        before = NO_SCENE if isinstance(effect, fx.EncounterCreated) else scene
        is_same = (told[at], viewers[at]) == (told[at - 1], viewers[at - 1])
        if not is_same or moments[at].rule is not moments[at - 1].rule:
            scene = _scene_of(table.ruleset, moments[at].rule, told[at], viewers[at], table.blobs)
        is_told = len(told[at]) > len(moments[at - 1].told(viewers[at]))
        yield Seen(kind_of(effect), between(before, scene), is_told)


def _scene_of(
    ruleset: Ruleset[Any],
    rule: Any,
    told: Sequence[Mapping[str, Any]],
    viewer: Viewer,
    blobs: Mapping[str, Struct] = {},
) -> Scene:
    """The scene of a battle behind such effects, as somebody sees it."""
    board = blobs.get(rule.map)
    return ruleset.scene(
        SceneSource(
            state=Raw(canonical.encode(view(rule, scope_of(rule), viewer))),
            event=Raw(canonical.encode({"effects": told})),
            map=None if board is None else Raw(canonical.encode(board)),
            acting=acting_in(ruleset, rule, viewer),
        )
    )


def between(before: Scene, after: Scene) -> Difference:
    """What is different between two scenes."""
    earlier, later = ({each.id: each for each in scene.combatants} for scene in (before, after))
    changed = {
        f"combatants[].{name}"
        for one in earlier.keys() & later.keys()
        for name in _OF_A_COMBATANT
        if getattr(earlier[one], name) != getattr(later[one], name)
    }
    changed |= {name for name in _OF_ALL if getattr(before, name) != getattr(after, name)}
    appears = {"combatants"} if later.keys() - earlier.keys() else set()
    goes = {"combatants"} if earlier.keys() - later.keys() else set()
    for name in ("areas", "lines"):
        old, new = (_told_apart(getattr(scene, name)) for scene in (before, after))
        appears |= {name} if new.keys() - old.keys() else set()
        goes |= {name} if old.keys() - new.keys() else set()
        changed |= {name} if any(old[key] != new[key] for key in old.keys() & new.keys()) else set()
    return Difference(frozenset(appears), frozenset(changed), frozenset(goes))


def _told_apart(parts: Sequence[Any]) -> dict[object, Struct]:
    """Areas or lines, which have no ids: the first, the second and so on of the same kind and
    label.
    """
    alike: dict[object, list[Struct]] = defaultdict(list)
    for each in parts:
        alike[each.kind, getattr(each, "label", UNSET)].append(each)
    return {(key, at): one for key, ones in alike.items() for at, one in enumerate(ones)}
