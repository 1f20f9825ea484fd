"""Sealing an event and opening it again are exact inverses, and the body keeps its secrets."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Struct

from service.engine import hashing
from service.engine.log import canonical, parts
from service.engine.log import event as events
from service.engine.log.event import Event, SealedEvent, derived_salts
from service.engine.log.parts import EMPTY_PART, part_names
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience_plan import plan_of
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import Place, Side
from service.rulesets import RULESETS
from tests.kit.table import GM, SEAL_KEY, Table, all_parts
from tests.toy import model
from tests.toy.battles import BOB, SEATS, SETUP, SIDES, ambush, table_dice
from tests.toy.model import Adjust, Sniff, Step, ToyEvent
from tests.toy.rules import RULESET

AMBUSH = ambush()
SIDE_IDS = ("red", "blue")
DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(ToyEvent)


def part_bodies(sealed: SealedEvent) -> dict[tuple[str, str], bytes]:
    return {(p.kind, p.audience): p.body for p in sealed.parts}


@pytest.mark.parametrize("table", [AMBUSH, table_dice()], ids=["sealed", "supplied"])
def test_what_was_sealed_opens_to_the_same_event(table: Table) -> None:
    opened = [
        events.decode(DECODER, sealed.body, part_bodies(sealed), SIDE_IDS)
        for sealed in table.sealed
    ]
    assert [canonical.encode(event) for event in opened] == [
        canonical.encode(event) for event in table.events
    ]


def test_the_same_actions_give_the_same_bytes() -> None:
    assert ambush().sealed == AMBUSH.sealed


def test_every_event_names_the_hash_of_the_one_before() -> None:
    prevs = [msgspec.json.decode(sealed.body)["prev"] for sealed in AMBUSH.sealed]
    assert prevs == [hashing.NO_HASH, *(sealed.hash for sealed in AMBUSH.sealed[:-1])]
    assert [hashing.event_hash(s.body) for s in AMBUSH.sealed] == [s.hash for s in AMBUSH.sealed]


def test_bodies_and_parts_are_canonical() -> None:
    for sealed in AMBUSH.sealed:
        for text in (sealed.body, *(part.body for part in sealed.parts)):
            value = msgspec.json.decode(text)
            canonical.check(value)
            assert canonical.encode(value) == text


def test_every_event_has_all_parts_in_their_order_each_with_its_commitment() -> None:
    for sealed in AMBUSH.sealed:
        every = all_parts(sealed, SIDE_IDS)
        assert [p for p in every if p.body != EMPTY_PART] == list(sealed.parts)
        commits = b"".join(hashing.part_commit(p.salt, p.body) for p in every)
        assert sealed.commits == commits
        assert msgspec.json.decode(sealed.body)["sealed"] == hashing.sealed(commits)


def test_only_text_that_says_something_has_a_salt_nobody_can_make_again() -> None:
    for sealed in AMBUSH.sealed:
        salts = derived_salts(SEAL_KEY, AMBUSH.encounter, sealed.seq, SIDE_IDS)
        made = dict(zip(part_names(SIDE_IDS), salts, strict=True))
        for part in sealed.parts:
            assert (part.salt != made[part.kind, part.audience]) == (part.kind == parts.TEXT)


def test_no_two_parts_share_a_salt() -> None:
    salts = [part.salt for sealed in AMBUSH.sealed for part in all_parts(sealed, SIDE_IDS)]
    assert len(set(salts)) == len(salts)


def test_free_text_never_stands_in_a_body_or_among_facts() -> None:
    facts = [p.body for s in AMBUSH.sealed for p in s.parts if p.kind == parts.FACTS]
    hashed = b"".join([*(s.body for s in AMBUSH.sealed), *facts])
    for text in (b"Anders", b"Lurker", b"The Reds", b"Ambush", b"helmet", b"lurker next", b"home"):
        assert text not in hashed


def test_nothing_hidden_stands_in_a_body_before_it_is_revealed() -> None:
    revealed = next(n for n, s in enumerate(AMBUSH.sealed) if b'"revealed"' in s.body)
    assert all(b'"lurker"' not in sealed.body for sealed in AMBUSH.sealed[:revealed])
    assert b'"lurker"' in AMBUSH.sealed[revealed].body


def table() -> Table:
    told = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    told.act(do.StartEncounter())
    while told.state.rule.turn != "lurker":
        told.act(do.EndTurn(combatant=told.state.rule.turn))
    return told


def masked(sealed: SealedEvent) -> object:
    body = msgspec.json.decode(sealed.body)
    return {name: value for name, value in body.items() if name not in ("sealed", "prev")}


def test_all_hidden_actions_look_alike() -> None:
    worlds = []
    for action in (Step(combatant="lurker", dx=-1, dy=0), Step(combatant="lurker", dx=1, dy=1)):
        told = table()
        told.act(action, BOB)
        worlds.append(told)
    first, second = ([masked(sealed) for sealed in world.sealed] for world in worlds)
    assert first == second
    last = worlds[0].sealed[-1]
    assert masked(last) == {
        "at": worlds[0].events[-1].at,
        "base": last.base,
        "by": msgspec.to_builtins(BOB),
        "draws": [],
        "effects": [],
        "encounter": worlds[0].encounter,
        "seq": last.seq,
    }


def test_a_hidden_roll_of_the_gms_looks_like_any_hidden_action() -> None:
    told = table()
    told.act(Sniff())
    assert set(msgspec.json.decode(told.sealed[-1].body)) == {
        "at",
        "base",
        "by",
        "draws",
        "effects",
        "encounter",
        "prev",
        "sealed",
        "seq",
    }


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(sides=("red",)), Viewer(sides=SIDE_IDS)])
def test_a_viewer_sees_of_an_event_what_its_own_parts_give(viewer: Viewer) -> None:
    for sealed in AMBUSH.sealed:
        own = {name: body for name, body in part_bodies(sealed).items() if viewer.may_know(name[1])}
        view = events.view_of_event(sealed.body, part_bodies(sealed), SIDE_IDS, viewer)
        if len(viewer.sides) < 2:
            audience = viewer.sides[0] if viewer.sides else "everyone"
            opened = {name: parts.PARTS.decode(body) for name, body in own.items()}
            seen = parts.side_view(msgspec.json.decode(sealed.body), opened, audience)
            assert canonical.encode(seen) == view


def test_the_gm_sees_the_whole_event() -> None:
    sealed, event = AMBUSH.sealed[0], AMBUSH.events[0]
    view = events.view_of_event(sealed.body, part_bodies(sealed), SIDE_IDS, GAME_MASTER)
    seen = msgspec.json.decode(view, type=dict[str, object])
    without = {name: value for name, value in seen.items() if name not in ("sealed", "prev")}
    assert without == msgspec.json.decode(msgspec.json.encode(event))


def test_an_event_whose_text_is_gone_still_decodes_and_keeps_its_hash() -> None:
    sealed = AMBUSH.sealed[0]
    left = {name: body for name, body in part_bodies(sealed).items() if name[0] == parts.FACTS}
    opened = events.decode(DECODER, sealed.body, left, SIDE_IDS)
    assert isinstance(opened.action, model.Create)
    assert opened.action.title is UNSET
    assert [fighter.name for fighter in opened.action.combatants] == [UNSET] * 3
    assert [fighter.id for fighter in opened.action.combatants] == ["anders", "berta", "lurker"]


def test_an_event_without_effects_can_be_sealed() -> None:
    told = Table(RULESET, SETUP, sides=SIDES)
    told.act(Adjust(changes=()))
    opened = events.decode(DECODER, told.sealed[-1].body, part_bodies(told.sealed[-1]), SIDE_IDS)
    assert opened == told.events[-1]


def test_an_event_of_three_sides_hides_each_from_the_others() -> None:
    fighters = tuple(
        msgspec.structs.replace(
            SETUP.fighters[2], id=name, side=side, name=name.title(), place=Place(x=n, y=0)
        )
        for n, (name, side) in enumerate((("r", "red"), ("b", "blue"), ("g", "green")))
    )
    sides = tuple(Side(id=name) for name in ("red", "blue", "green"))
    told = Table(RULESET, msgspec.structs.replace(SETUP, fighters=fighters), sides=sides)
    told.act(do.StartEncounter())
    names = ("red", "blue", "green")
    for sealed, event in zip(told.sealed, told.events, strict=True):
        for side in names:
            text = events.view_of_event(
                sealed.body, part_bodies(sealed), names, Viewer(sides=(side,))
            )
            others = [name[0] for name in names if name != side]
            assert all(f'"id":"{other}"'.encode() not in text for other in others)
        assert events.decode(DECODER, sealed.body, part_bodies(sealed), names) == event


def structs_in(kind: object, found: set[type[Struct]]) -> set[type[Struct]]:
    """Every Struct type that a type mentions, itself included."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        if kind in found:
            return found
        found.add(kind)
        for field in msgspec.structs.fields(kind):
            structs_in(field.type, found)
    for argument in getattr(kind, "__args__", ()):
        structs_in(argument, found)
    if hasattr(kind, "__origin__"):
        structs_in(kind.__origin__, found)
    return found


@pytest.mark.parametrize("ruleset", [RULESET, *RULESETS.values()], ids=lambda each: each.slug)
def test_every_text_can_be_absent_since_it_can_be_erased(ruleset: Ruleset[Any]) -> None:
    for kind in structs_in(ruleset.event, set()):
        optional = {f.name for f in msgspec.structs.fields(kind) if not f.required}
        text = {field.attribute for field in plan_of(kind).fields if field.is_text}
        assert text <= optional, kind


def test_who_asked_is_told_to_everybody() -> None:
    assert msgspec.json.decode(AMBUSH.sealed[0].body)["by"] == msgspec.to_builtins(GM)
