"""What a bundle with withheld parts shows of the state is what the service showed its viewer.

Everything that is shown is equal byte for byte, but for what is named as unknown: of an array that
may lack elements the shown ones are right, an order may be another one, a value is left out.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, Final

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.narrations import names_mentioned
from service.encounters.views import open_decisions, raw, state_view, table_of, widened
from service.engine.battle.linear import Linear, opened_at, viewer_at
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.state import State
from service.engine.battle.terms import NO_TERMS
from service.engine.log import canonical
from service.engine.log.event import SealedEvent, view_of_event
from service.engine.log.parts import PartName
from service.engine.narration.explainer import EventContext, explainer_of
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import DiceMode
from service.replay.audit.audit_records import AuditedView, BundleAuditOrder, Inclusion
from service.replay.audit.bundle_audit import BundleAudit
from service.replay.audit.bundle_views import BundleViews
from service.replay.audit.luck_tally import MASTER
from service.replay.seen.joint_event import joint_events
from tests.kit.random_battles import BY_PLAYER, Overruled, ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.seat_changes import SeatChanges
from tests.kit.table import Table, seated
from tests.replay.memory_audit import bundle_of, rulesets_of
from tests.soak import with_soak

EVENTS: Final = 30
OPENED_EVENTS: Final = 20
LONG: Final = 100
INCLUDED: Final[tuple[Inclusion, ...]] = ("state", "table")
ORDER: Final = BundleAuditOrder(include=(*INCLUDED, "explanation"))
Rights = Callable[[int], Viewer]

every_ruleset = pytest.mark.parametrize("rig", RIGS, ids=repr)


class Played:
    """A battle with the linear half behind each event."""

    def __init__(self, rig: Rig, number: int, mode: DiceMode, events: int) -> None:
        setup = rig.battles.setup(number, with_secrets=True)
        self.table = seated(rig.ruleset, setup, dice=mode)
        deed = Overruled(rig.battles, number, SeatChanges(number))
        play(self.table, number, events, by=BY_PLAYER, deed=deed)
        self.linears = linears_of(self.table)

    def end(self) -> None:
        """The parts of all sides are opened to everybody."""
        opened = {"open": "sides"}
        if self.table.state.rule.status == "ended":
            ask(self.table, {"type": "reveal", **opened})
        else:
            ask(self.table, {"type": "end_encounter", "reveal": "now", **opened})
        self.linears = linears_of(self.table)

    def rights(self) -> Iterator[Rights]:
        """Whoever may have a bundle of the battle."""
        for seat in ("ann", "bob"):
            yield partial(self._rights_of, seat)
        yield lambda seq: Viewer()
        for side in self.table.side_ids:
            yield partial(_rights_of_side, side)

    def _rights_of(self, seat: str, seq: int) -> Viewer:
        held = viewer_at(self.table.state.linear, seat, seq)
        return Viewer(is_gm=True, sides=self.table.side_ids) if held.is_gm else held


def linears_of(table: Table) -> dict[int, Linear]:
    """The half that never rewinds behind each event."""
    linears, linear = {}, Linear()
    for event in table.events:
        for effect in event.effects:
            linear = evolve_linear(linear, effect, event.seq)
        linears[event.seq] = linear
    return linears


def _rights_of_side(side: str, seq: int) -> Viewer:
    return Viewer(sides=(side,))


def views_of(
    table: Table, rights: Rights, order: BundleAuditOrder = ORDER
) -> list[tuple[AuditedView, ...]]:
    """What the bundle of a viewer shows each viewpoint, event by event."""
    audit, views, told = BundleAudit(rulesets_of(table)), BundleViews(order), []
    for line in bundle_of(table, rights):
        verdict = audit.feed(line)
        if verdict is not None:
            told.append(views.after(audit, verdict.seq))
    return told


def shown_to(played: Played, viewer: Viewer, seq: int) -> dict[str, Any]:
    """What the service shows a viewer behind an event."""
    state = State(rule=played.table.rules[seq], linear=played.linears[seq], terms=NO_TERMS)
    return {
        "state": json.loads(bytes(state_view(state.rule, viewer))),
        "decisions": json.loads(bytes(open_decisions(state.rule, viewer))),
        "table": json.loads(bytes(table_of(state, seq, MASTER, viewer, ()))),
    }


def require_true(told: Any, shown: Any, path: str, unknown: dict[str, set[str]]) -> None:
    """What is shown is what is shown, but for what is unknown."""
    reasons = unknown.get(path, set())
    if isinstance(told, dict):
        lacking = {name for name in shown if "withheld" in unknown.get(f"{path}.{name}", ())}
        assert told.keys() == shown.keys() - lacking | (told.keys() & lacking), path
        for name in told:
            require_true(told[name], shown[name], f"{path}.{name}", unknown)
    elif isinstance(told, list) and reasons:
        require_elements(told, shown, path, unknown)
    elif isinstance(told, list):
        assert len(told) == len(shown), path
        for at, pair in enumerate(zip(told, shown, strict=True)):
            require_true(*pair, f"{path}[{at}]", unknown)
    else:
        assert told == shown, path


def require_elements(told: Any, shown: Any, path: str, unknown: dict[str, set[str]]) -> None:
    """The elements that are shown are among those that are shown; all of them if none may lack."""
    if "may_lack" not in unknown[path]:
        assert len(told) == len(shown), path
    left = list(shown)
    for at, each in enumerate(told):
        where = f"{path}[{at}]"
        left.remove(next(one for one in left if is_true(each, one, where, unknown)))


def is_true(told: Any, shown: Any, path: str, unknown: dict[str, set[str]]) -> bool:
    """Whether an element is that one, as far as it is shown."""
    if path.startswith("state.pending["):
        return ids_in(told) <= ids_in(shown)
    try:
        require_true(told, shown, path, unknown)
    except AssertionError:
        return False
    return True


def ids_in(group: dict[str, Any]) -> set[str]:
    """The questions of a group."""
    return {each["id"] for each in group["decisions"]}


def require_view(view: AuditedView, shown: dict[str, Any]) -> bool:
    """A view is true, or says that it is not known; whether all of it is known."""
    if view.unknown == "parts_withheld":
        assert (view.state, view.table) == (AuditedView(viewpoint="x").state,) * 2
        return False
    unknown: dict[str, set[str]] = {}
    for each in view.unknown_paths:
        unknown.setdefault(each.path, set()).add(each.why)
    for name, value in shown.items():
        told = getattr(view, name)
        if "withheld" in unknown.get(name, ()):
            assert told is UNSET
            continue
        if not any(path == name or path.startswith((f"{name}.", f"{name}[")) for path in unknown):
            assert bytes(told) == bytes(raw(value)), name
        require_true(json.loads(bytes(told)), value, name, unknown)
    return not unknown


def require_battle(rig: Rig, number: int, mode: DiceMode, events: int) -> tuple[int, int, int]:
    """Every view of a battle is true; how many are shown, whole, and how many there are."""
    played = Played(rig, number, mode, events)
    linear, sides = played.table.state.linear, played.table.side_ids
    told = whole = count = 0
    for rights in played.rights():
        for seq, [view] in enumerate(views_of(played.table, rights), start=1):
            viewer = widened(rights(seq), opened_at(linear, seq), sides)
            viewer = Viewer(sides=viewer.sides)
            count += 1
            told += view.unknown != "parts_withheld"
            whole += require_view(view, shown_to(played, viewer, seq))
            require_explained(view, played, viewer, seq)
    return told, whole, count


def require_explained(view: AuditedView, played: Played, viewer: Viewer, seq: int) -> None:
    """An event is explained as the service explains it to this viewer."""
    table, sealed = played.table, played.table.sealed[seq - 1]
    opened: dict[PartName, bytes] = {(each.kind, each.audience): each.body for each in sealed.parts}
    event = json.loads(view_of_event(sealed.body, opened, table.side_ids, viewer))
    behind = replace(table.behind(seq), linear=played.linears[seq])
    names = names_mentioned(table.ruleset, behind, table.before(seq), viewer, event)
    context = EventContext(mode=table.state.rule.dice)
    explained = explainer_of(table.ruleset, "en").explanation(event, names, context)
    if not any(each.path == "explanation" for each in view.unknown_paths):
        assert view.explanation == explained


def require_opened(rig: Rig, number: int, mode: DiceMode, events: int) -> tuple[int, int]:
    """Every viewpoint of a battle that was opened to all sides is shown, and shown the truth.

    How many events have parts of several sides, and how many views of all sides together have
    nothing unknown but orders.
    """
    played = Played(rig, number, mode, events)
    played.end()
    sides = played.table.side_ids
    viewers = {"everyone": Viewer(), **{side: Viewer(sides=(side,)) for side in sides}}
    order = BundleAuditOrder(include=INCLUDED, viewpoints=tuple(viewers))
    told = views_of(played.table, lambda seq: Viewer(), order)
    whole = 0
    for seq, [joint] in enumerate(views_of(played.table, lambda seq: Viewer()), start=1):
        assert joint.unknown is UNSET
        require_view(joint, shown_to(played, Viewer(sides=sides), seq))
        whole += all(each.why == "order" for each in joint.unknown_paths)
        for name, view in zip(viewers, told[seq - 1], strict=True):
            assert view.viewpoint == name
            require_view(view, shown_to(played, viewers[name], seq))
    return sum(is_of_several(sealed, sides) for sealed in played.table.sealed), whole


def is_of_several(sealed: SealedEvent, sides: tuple[str, ...]) -> bool:
    """Whether several sides have parts of their own of an event."""
    return len({part.audience for part in sealed.parts} & {*sides}) > 1


@pytest.mark.parametrize("rig", with_soak(RIGS[1::2], RIGS[::2]), ids=repr)
def test_of_a_battle_opened_to_all_sides_each_viewpoint_is_shown_what_it_was(rig: Rig) -> None:
    several, _ = require_opened(rig, 2, "sealed", OPENED_EVENTS)
    assert several > 0


@every_ruleset
def test_parts_of_several_sides_are_one_event_but_for_an_order(rig: Rig) -> None:
    table = Played(rig, 2, "sealed", OPENED_EVENTS).table
    sides = table.side_ids
    for sealed in table.sealed:
        opened: dict[PartName, bytes] = {(p.kind, p.audience): p.body for p in sealed.parts}
        for pair in combinations(sides, 2):
            viewer = Viewer(sides=pair)
            known = {name: part for name, part in opened.items() if name[1] in ("everyone", *pair)}
            ways = joint_events(sealed.body, known, sides, viewer)
            seen = json.loads(view_of_event(sealed.body, opened, sides, viewer))
            assert [sorted_tree(way) for way in ways] == [sorted_tree(seen)] * len(ways)
            assert len(ways) > 1 or ways[0] == seen


def sorted_tree(tree: Any) -> Any:
    """The same with every array in a separate order."""
    if isinstance(tree, dict):
        return {name: sorted_tree(each) for name, each in tree.items()}
    if isinstance(tree, list):
        return sorted(map(sorted_tree, tree), key=canonical.encode)
    return tree


@pytest.mark.parametrize(
    "rig", with_soak(RIGS[::4], [each for at, each in enumerate(RIGS) if at % 4]), ids=repr
)
def test_what_a_bundle_tells_of_the_state_is_what_its_viewer_was_shown(rig: Rig) -> None:
    told, _, count = require_battle(rig, 1, "sealed", EVENTS)
    assert told > count // 2


@pytest.mark.soak
@every_ruleset
@pytest.mark.parametrize("mode", ["sealed", "supplied"])
@pytest.mark.parametrize("number", range(6))
def test_so_it_is_in_long_battles_that_are_opened(rig: Rig, mode: DiceMode, number: int) -> None:
    require_opened(rig, number, mode, LONG)


@pytest.mark.soak
@every_ruleset
@pytest.mark.parametrize("mode", ["sealed", "supplied"])
@pytest.mark.parametrize("number", range(6))
def test_so_it_is_in_long_battles(rig: Rig, mode: DiceMode, number: int) -> None:
    told, _, count = require_battle(rig, number, mode, LONG)
    assert told > 0
    assert count > told // 2
